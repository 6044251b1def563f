#!/usr/bin/env bash
# run.sh LIB [ARGUMENT...]: JAX's cases on the plugin in LIB; see jax_runner.py.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=$("$here/../../../scripts/python_env.sh")
lib=$1
shift
exec "$python" "$here/jax_runner.py" "$lib/pjrt_c_api_gantry_plugin.so" "$@"
