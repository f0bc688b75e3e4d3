#!/bin/sh
# Installs Debian's Firebird 3.0 for fbtune's private servers, unless there is
# a Firebird already. Its service is neither started nor enabled: fbtune starts
# servers of its own and needs only the programs.
set -eu

for server in /usr/sbin/firebird /usr/lib/firebird/*/bin/firebird /opt/firebird/bin/firebird /usr/local/firebird/bin/firebird; do
	if [ -x "$server" ]; then
		echo "Firebird is installed: $server"
		exit 0
	fi
done

if [ "$(id -u)" != 0 ]; then
	exec sudo "$0" "$@"
fi

# Packages ask this file before they start a service; 101 is no. The mark tells
# ours from another's, also after this script was killed.
policy=/usr/sbin/policy-rc.d
mark='# of fbtune, while it installs Firebird'
ours() { [ -e "$policy" ] && grep -qF "$mark" "$policy"; }
if [ -e "$policy" ] && ! ours; then
	mv "$policy" "$policy.before-fbtune"
fi
restore() {
	if ours; then
		rm -f "$policy"
	fi
	if [ -e "$policy.before-fbtune" ]; then
		mv "$policy.before-fbtune" "$policy"
	fi
}
trap restore EXIT
trap 'exit 1' INT TERM
printf '#!/bin/sh\n%s\nexit 101\n' "$mark" >"$policy"
chmod 755 "$policy"

export DEBIAN_FRONTEND=noninteractive
packages() { apt-get install -y -q --no-install-recommends firebird3.0-server firebird3.0-utils; }
if ! packages; then # the lists of packages may be old or missing
	apt-get update -q
	packages
fi

# The package enables its service whatever the policy says.
if command -v systemctl >/dev/null; then
	systemctl disable firebird3.0.service
elif command -v update-rc.d >/dev/null; then
	update-rc.d firebird3.0 disable
fi
