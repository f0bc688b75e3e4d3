#!/bin/sh
# Installs Debian's PostgreSQL for the tests of shared studies, unless there is
# one. No database cluster is made and no service runs: the tests start a server
# of their own.
set -eu

for initdb in /usr/lib/postgresql/*/bin/initdb; do
	if [ -x "$initdb" ]; then
		echo "PostgreSQL is installed: $initdb"
		exit 0
	fi
done
if [ "$(id -u)" != 0 ]; then
	exec sudo "$0" "$@"
fi

none=/etc/postgresql-common/createcluster.d/fbtune.conf
trap 'rm -f "$none"' EXIT
trap 'exit 1' INT TERM
mkdir -p "${none%/*}"
echo 'create_main_cluster = false' >"$none"

export DEBIAN_FRONTEND=noninteractive
packages() { apt-get install -y -q --no-install-recommends postgresql; }
if ! packages; then # the lists of packages may be old or missing
	apt-get update -q
	packages
fi
