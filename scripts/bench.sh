#!/usr/bin/env bash
# bench.sh LIB [PROGRAM...]: names the machine, runs each measurement of our own, then JAX's programs on the plugin in LIB
# and on JAX's own CPU, side by side. BENCH_ARGS: more arguments of bench/bench.py, as '--only matmul --cores 1'.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lib=$1
shift
echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) CPUs, Linux $(uname -r)"
for program in "$@"; do
    echo "-- $(basename "$program")"
    "$program"
done
echo "-- JAX programs"
"$(scripts/python_env.sh)" bench/bench.py "$lib/pjrt_c_api_gantry_plugin.so" --json build/bench.json ${BENCH_ARGS:-}
[ -n "${BENCH_ARGS:-}" ] || bench/chart.py build/bench.json bench/chart.svg
