#!/usr/bin/env bash
# wheel_test.sh DIST: installs the wheel in DIST beside JAX, away from the build, and lets JAX find it by itself.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$(scripts/python_env.sh)
wheel=$(ls "$1"/gantry_pjrt-*.whl)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
try() {     # try NAME PLATFORMS CODE
    if env -u PJRT_NAMES_AND_LIBRARY_PATHS -u PJRT_DEVICE JAX_PLATFORMS="$2" PYTHONPATH="$folder" \
            "$python" -c "$3" >"$folder/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1 failed:"
        tail -n 15 "$folder/log"
    fi
}
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder" "$wheel"
use='import jax, jax.numpy as jnp; assert float(jax.jit(lambda x: (x @ x).sum())(jnp.ones((64, 64)))) == 64.0 ** 3'
version='v = jax.devices()[0].client.platform_version.lower()'
try "as JAX's default" "" "$use; $version; assert 'gantry' in v, v"
try "by name" gantry "$use; $version; assert 'gantry' in v, v"
try "JAX's own CPU" cpu "$use; $version; assert 'gantry' not in v, v"
try "paths" cpu "import os, gantry_pjrt as g; assert all(os.path.exists(g.library_path(d)) for d in ('cpu', 'tpu'))"
if [ -e "$folder/gantry_pjrt/bin/gantry" ]; then
    try "the command" cpu "import subprocess, sys
subprocess.run([sys.executable, '-c', 'import gantry_pjrt; gantry_pjrt.command()', '--version'], check=True)"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
