#!/usr/bin/env bash
# jax_newest.sh LIB CASES: cases of `make jax` on the newest JAX, with both plugins: those whose names the regular
# expression CASES finds on the CPU device, those of Pallas on the TPU model. The last line is the sum of their counts.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lib=$1 cases=$2
python=$(scripts/python_env.sh scripts/newest_requirements.txt) || exit
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

run() {
    local status p=0 f=0 s=0
    "$python" conformance/clients/jax/jax_runner.py "$@" | tee "$log"
    status=$?
    read -r p f s < <(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1 | tr -dc '0-9,\n' | tr ',' ' ')
    if [ "$status" -ne 0 ] && [ "${f:-0}" -eq 0 ]; then f=1; fi
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
}

run "$lib/pjrt_c_api_gantry_plugin.so" --platform cpu --filter "$cases"
run "$lib/pjrt_c_api_gantrytpu_plugin.so" --platform tpu --filter '^pallas'
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
