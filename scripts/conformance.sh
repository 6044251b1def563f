#!/usr/bin/env bash
# conformance.sh BIN LIB [DEVICE]: `gantry cts` on the plugins, with one and with eight CPU devices, and gantry_conformance
# on both; DEVICE cpu: with one CPU device only.
# What passes is not shown. The last line is the sum of their counts.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=$1 lib=$(realpath "$2") device=${3:-all}
cpu=$lib/pjrt_c_api_gantry_plugin.so tpu=$lib/pjrt_c_api_gantrytpu_plugin.so
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

run() {
    local status p=0 f=0 s=0
    "$@" >"$log" 2>&1
    status=$?
    read -r p f s < <(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1 | tr -dc '0-9,\n' | tr ',' ' ')
    if [ "$status" -ne 0 ] && [ "${f:-0}" -eq 0 ]; then f=1; fi
    if [ "${f:-0}" -gt 0 ]; then cat "$log"; else grep -E '^(skip|FAIL|.* passes, but)' "$log"; fi
    echo "${p:-0} passed, ${f:-0} failed, ${s:-0} skipped: $*"
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
}

profiles=(--profile jax --profile torch --profile go --profile rust)
run "$bin/gantry" cts "$cpu" --strict --jobs 2 "${profiles[@]}"
if [ "$device" = all ]; then
    run env GANTRY_CPU_DEVICES=8 "$bin/gantry" cts "$cpu" --strict --jobs 2
    run "$bin/gantry" cts "$tpu" --strict --jobs 2 "${profiles[@]}"
fi
expected=(--expected conformance/expected/conformance.txt)
run "$bin/gantry_conformance" "$cpu" "${expected[@]}"
# The programs' expected results are those of f32 products.
[ "$device" != all ] || run env GANTRY_TPU_NUMERICS=f32 "$bin/gantry_conformance" "$tpu" "${expected[@]}"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
