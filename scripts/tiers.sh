#!/usr/bin/env bash
# tiers.sh TIER...: runs `make TIER` for each tier in order, with a time limit. The last line is the sum of their
# counts. A tier ends with a line 'N passed, N failed' (', N skipped' may follow); a tier that fails without such a
# line, or exceeds its time limit, counts as one failure.
set -uo pipefail
unset MAKEFLAGS MFLAGS
cd "$(dirname "${BASH_SOURCE[0]}")/.."
passed=0 failed=0 skipped=0 summary=()
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for tier in "$@"; do
    echo "==== $tier"
    start=$SECONDS
    timeout --kill-after=10 "${GANTRY_TIER_TIMEOUT:-1200}" make --no-print-directory -j"$(nproc)" "$tier" 2>&1 \
        </dev/null | tee "$log"
    status=${PIPESTATUS[0]}
    p=0 f=0 s=0
    if line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1) && [ -n "$line" ]; then
        read -r p f s < <(tr -dc '0-9,' <<<"$line" | tr ',' ' '; echo)
    fi
    if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
    summary+=("$(printf '%-12s %6d passed %4d failed %4d skipped %5d s' "$tier" "$p" "$f" "${s:-0}" $((SECONDS - start)))")
done
echo "==== summary"
printf '%s\n' "${summary[@]}"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
