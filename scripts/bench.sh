#!/usr/bin/env bash
# bench.sh LIB [PROGRAM...]: describes the machine, runs the project's own benchmarks, then compares JAX programs on the
# plugin in LIB and on JAX's own CPU. BENCH_ARGS: additional arguments of bench/bench.py, as in '--only matmul --cores
# 1'.
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
echo "-- memory that programs need"
"$(scripts/python_env.sh)" bench/memory.py "$lib/pjrt_c_api_gantry_plugin.so" --corpus
echo "-- activations and optimizer state in host memory"
"$(scripts/python_env.sh)" bench/offload.py "$lib/pjrt_c_api_gantry_plugin.so"
echo "-- programs for 8 devices"
"$(scripts/python_env.sh)" bench/bench.py "$lib/pjrt_c_api_gantry_plugin.so" --devices
echo "-- peak resident set"
"$(scripts/python_env.sh)" bench/resident.py "$lib/pjrt_c_api_gantry_plugin.so"
echo "-- loops of calls that are not waited for"
"$(scripts/python_env.sh)" bench/queued.py "$lib/pjrt_c_api_gantry_plugin.so"
[ -n "${BENCH_ARGS:-}" ] && exit
echo "-- the long tail"
"$(scripts/python_env.sh)" bench/tail.py "$lib/pjrt_c_api_gantry_plugin.so" --json build/tail.json
bench/chart.py build/bench.json build/tail.json bench/chart.svg
