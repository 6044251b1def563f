#!/usr/bin/env bash
# bench.sh PROGRAM...: names the machine, then runs each measurement.
set -uo pipefail
echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) CPUs, $(uname -r)"
for program in "$@"; do
    echo "-- $(basename "$program")"
    "$program" || exit 1
done
