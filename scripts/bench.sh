#!/usr/bin/env bash
# bench.sh LIB [PROGRAM...]: names the machine, runs each measurement of our own, then JAX's programs on the plugin in LIB
# and on JAX's own CPU, side by side.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lib=$1
shift
echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) CPUs, Linux $(uname -r)"
for program in "$@"; do
    echo "-- $(basename "$program")"
    "$program"
done
echo "-- JAX $("$(scripts/python_env.sh)" -c 'import importlib.metadata as m; print(m.version("jax"))')"
"$(scripts/python_env.sh)" conformance/clients/jax/jax_bench.py "$lib/pjrt_c_api_gantry_plugin.so" --json build/bench.json
