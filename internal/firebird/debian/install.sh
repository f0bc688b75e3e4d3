#!/bin/sh
# Installs Debian's Firebird 3.0 for fbtune's private servers, unless there is
# one already. Its service is neither started nor enabled: fbtune starts servers
# of its own and needs only the programs.
set -eu

for server in /usr/sbin/firebird /usr/lib/firebird/*/bin/firebird /opt/firebird/bin/firebird; do
	if [ -x "$server" ]; then
		echo "Firebird is installed: $server"
		exit 0
	fi
done

if [ "$(id -u)" != 0 ]; then
	exec sudo "$0" "$@"
fi

# Packages ask this file before they start a service; 101 is no.
policy=/usr/sbin/policy-rc.d
if [ -e "$policy" ]; then
	mv "$policy" "$policy.fbtune"
fi
restore() {
	rm -f "$policy"
	if [ -e "$policy.fbtune" ]; then
		mv "$policy.fbtune" "$policy"
	fi
}
trap restore EXIT
trap 'exit 1' INT TERM
printf '#!/bin/sh\nexit 101\n' >"$policy"
chmod 755 "$policy"

export DEBIAN_FRONTEND=noninteractive
if ! apt-cache show firebird3.0-server >/dev/null 2>&1; then
	apt-get update -q
fi
apt-get install -y -q --no-install-recommends firebird3.0-server firebird3.0-utils

# The package enables its service whatever the policy says.
if command -v systemctl >/dev/null; then
	systemctl disable firebird3.0.service
elif command -v update-rc.d >/dev/null; then
	update-rc.d firebird3.0 disable
fi
