#!/usr/bin/env bash
# tiers.sh [TIER... --] TIER...: runs `make TIER` for each tier, with a time limit: those before -- one after the other,
# then the others side by side, begun in the order given. 'A+B' is A, then B. What a tier prints appears when it has
# ended; after the table of them all come the last lines of those that failed, then the sum of their counts. A tier ends
# with a line 'N passed, N failed' (', N skipped' may follow); one that fails without such a line, or exceeds its time
# limit, counts as one failure.
# Variables: GANTRY_TEST_TIER_TIMEOUT (seconds a tier may take; 2400), GANTRY_TEST_TIER_JOBS (tiers at a time; the cores, at most 2).
set -uo pipefail
unset MAKEFLAGS MFLAGS
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cores=$(nproc)
jobs=${GANTRY_TEST_TIER_JOBS:-$((cores < 2 ? cores : 2))}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'kill $(jobs -rp) 2>/dev/null; exit 130' INT TERM

# Runs the tiers of a word; writes each one's exit status, seconds and processor seconds to TIER.result and what it prints
# to TIER.log.
run() {
    local tier start make TIMEFORMAT='%0U %0S'
    for tier in ${1//+/ }; do
        start=$SECONDS
        timeout --kill-after=10 "${GANTRY_TEST_TIER_TIMEOUT:-2400}" make --no-print-directory -j"$cores" "$tier" \
            </dev/null >"$folder/$tier.log" 2>&1 &
        make=$!
        trap 'kill "$make"; exit' TERM
        { time wait "$make"; } 2>"$folder/$tier.used"
        echo "$? $((SECONDS - start)) $(($(tr ' ' + <"$folder/$tier.used")))" >"$folder/$tier.result"
        (flock 9; echo "==== $tier"; cat "$folder/$tier.log") 9>"$folder/lock"
    done
}

tiers=() limit=$jobs
[[ " $* " == *" -- "* ]] && limit=1
for word in "$@"; do
    if [ "$word" = -- ]; then wait; limit=$jobs; continue; fi
    while [ "$(jobs -rp | wc -l)" -ge "$limit" ]; do wait -n; done
    tiers+=(${word//+/ })
    run "$word" &
done
wait

passed=0 failed=0 skipped=0 failures=()
echo "==== summary"
for tier in "${tiers[@]}"; do
    p=0 f=0 s=0 status=1 seconds=0 used=0
    read -r status seconds used <"$folder/$tier.result"
    if line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$folder/$tier.log" | tail -1) && [ -n "$line" ]; then
        read -r p f s < <(tr -dc '0-9,' <<<"$line" | tr ',' ' '; echo)
    fi
    if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
    if [ "$f" -ne 0 ]; then failures+=("$tier"); fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
    printf '%-18s %6d passed %4d failed %4d skipped %5d s %6d s of processors\n' "$tier" "$p" "$f" "${s:-0}" "$seconds" "$used"
done
for tier in ${failures[@]+"${failures[@]}"}; do
    echo "---- $tier failed; its last lines:"
    tail -n 25 "$folder/$tier.log"
done
echo "all of it took $SECONDS s"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
