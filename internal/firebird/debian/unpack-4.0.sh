#!/bin/sh
# Unpacks Debian trixie's Firebird 4.0 with the libraries it needs into a folder
# of its own, for machines whose Debian has another Firebird or none:
#
#	internal/firebird/debian/unpack-4.0.sh DIR
#	fbtune sweep --firebird-root DIR ...
#
# Nothing is installed, and the machine's own apt is left as it is: packages
# come from a source named here only, checked against Debian's archive keys. As
# root or as any user. A folder that is complete is left alone; remove it to
# fetch newer packages. 32 MB are downloaded and 86 MB kept.
#
# FBTUNE_DEBIAN_MIRROR names another mirror than deb.debian.org.
set -eu
umask 022 # servers run as nobody

suite=trixie
mirror=${FBTUNE_DEBIAN_MIRROR:-http://deb.debian.org/debian}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
packages='firebird4.0-server firebird4.0-server-core firebird4.0-utils firebird4.0-common
	libfbclient2 libib-util libicu76 libre2-11 libabsl20240722 libtomcrypt1 libtommath1 libgmp10
	libedit2 libbsd0 libmd0 libncurses6 libtinfo6 zlib1g libc6 libstdc++6 libgcc-s1'

fail() {
	echo "${0##*/}: $*" >&2
	exit 1
}

[ $# = 1 ] && [ -n "$1" ] || fail 'name the folder to unpack into: unpack-4.0.sh DIR'
case $1 in
/*) dir=$1 ;;
*) dir=$PWD/$1 ;;
esac
server=usr/lib/firebird/4.0/bin/firebird

# Debian's firebird.conf includes a file that the package's installation would
# write, and without which the server refuses its configuration.
complete() {
	port=$1/etc/firebird/4.0/service-port.conf
	[ -e "$port" ] || echo "# The port, in an installed package; here it is the default." >"$port"
}

if [ -x "$dir/$server" ]; then
	complete "$dir"
	echo "Firebird 4.0 is unpacked: $dir"
	exit 0
fi
if [ -e "$dir" ] && [ -n "$(ls -A "$dir")" ]; then
	fail "$dir holds something else than Firebird 4.0: name a folder that is empty or does not exist"
fi
for tool in apt-get dpkg; do
	command -v "$tool" >/dev/null || fail "$tool is not there: this needs a Debian, or a system made from one"
done
[ -r "$keyring" ] || fail "no $keyring to check packages with: install debian-archive-keyring"
mkdir -p "$dir" || fail "cannot write to $dir: name another folder, or run this as root"

# Beside the folder, so that it can be renamed into place once it is complete.
work=$(mktemp -d "${dir%/}.XXXXXX") || fail "cannot write beside $dir: name another folder, or run this as root"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
chmod 755 "$work" # apt downloads as a user of its own
mkdir -p "$work/apt/lists/partial" "$work/apt/preferences.d" "$work/apt/sources.list.d" "$work/cache/archives/partial" "$work/debs" "$work/root"
if [ "$(id -u)" = 0 ] && id _apt >/dev/null 2>&1; then
	chown _apt "$work/debs"
fi
: >"$work/apt/status"
: >"$work/apt/preferences"
cat >"$work/apt/trixie.sources" <<SOURCE
Types: deb
URIs: $mirror
Suites: $suite
Components: main
Targets: Packages
Signed-By: $keyring
SOURCE

# The machine's apt.conf holds: its proxies are needed here too.
apt() {
	apt-get -q \
		-o Dir::Etc::SourceList="$work/apt/trixie.sources" -o Dir::Etc::SourceParts="$work/apt/sources.list.d" \
		-o Dir::Etc::Preferences="$work/apt/preferences" -o Dir::Etc::PreferencesParts="$work/apt/preferences.d" \
		-o Dir::State="$work/apt" -o Dir::State::Lists="$work/apt/lists" -o Dir::State::Status="$work/apt/status" \
		-o Dir::Cache="$work/cache" -o Acquire::Languages=none -o APT::Update::Error-Mode=any "$@"
}
apt update || fail "cannot read the packages of $suite from $mirror: check the network, or name another mirror in FBTUNE_DEBIAN_MIRROR"
# shellcheck disable=SC2086 # a list of words
(cd "$work/debs" && apt download $packages) || fail "cannot fetch the packages from $mirror: try again, or name another mirror in FBTUNE_DEBIAN_MIRROR"
for deb in "$work"/debs/*.deb; do
	dpkg -x "$deb" "$work/root"
done
[ -x "$work/root/$server" ] || fail "the packages of $suite hold no $server: has Debian moved to another Firebird?"
# Links of a package name files of the machine it is installed on; here they
# must stay inside the folder.
find "$work/root" -type l -lname '/*' | while read -r link; do
	ln -sfnr "$work/root$(readlink "$link")" "$link"
done
complete "$work/root"
chmod 755 "$work/root"
rmdir "$dir"
mv "$work/root" "$dir"
echo "Firebird 4.0 unpacked: $dir"
