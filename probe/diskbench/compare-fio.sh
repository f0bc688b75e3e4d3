#!/bin/bash
# compare-fio.sh [-path DIR] [-size MIB] [-duration 3s] [-pairs 5] [-only TEST]
# Measures a disk with fbtune's tests and with fio, on the same file, in
# interleaved pairs: medians must be within 10 % or within fio's own spread.
# 5 pairs of 3 s take about 6 minutes. Best on a machine without other work; on a
# busy one, as root, put chrt -r 1 before it: both programs then get a processor
# when they need one.
set -euo pipefail
if ! command -v fio >/dev/null; then
	echo "compare-fio.sh: there is no fio; on Debian: apt-get install fio" >&2
	exit 1
fi
fio --version
uptime
path=$(pwd)
cd "$(dirname "$0")"
exec go run ./againstfio -path "$path" "$@"
