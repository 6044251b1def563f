#!/usr/bin/env bash
# run.sh LIB [ARGUMENT...]: PyTorch/XLA's cases on the plugin in LIB; see torch_runner.py. Its environment takes 7 GB
# and some minutes to create, so it is created only if GANTRY_TORCH=1; an existing one is used, also that of a suite or
# benchmark with the same torch_xla.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../../..
environment=$root/scripts/python_env.sh
python=
for requirements in "$here/torch_requirements.txt" "$root/scripts/torch_suite_requirements.txt" \
        "$root/bench/whole_models_requirements.txt"; do
    python=$("$environment" --cached "$requirements") && break
done
if [ -z "$python" ]; then
    if [ "${GANTRY_TORCH:-0}" != 1 ]; then
        echo "torch_xla is not installed: GANTRY_TORCH=1 installs it (7 GB)"
        echo "0 passed, 0 failed, 1 skipped"
        exit 0
    fi
    python=$("$environment" "$here/torch_requirements.txt")
fi
lib=$1
shift
exec "$python" "$here/torch_runner.py" "$lib/pjrt_c_api_gantry_plugin.so" "$@"
