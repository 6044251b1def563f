#!/usr/bin/env bash
# unit.sh PROGRAM...: runs test programs, and prints the output of those that fail and the total counts. A Criterion
# program counts its tests (from its synthesis line), any other program counts as one test. Skipped tests are listed.
# Variables: GANTRY_TEST_TIMEOUT (seconds a program may take; 600).
set -uo pipefail
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for program in "$@"; do
    arguments=()
    case $program in
    *_test) arguments=(--verbose=1) ;;
    */program_fuzz) mapfile -t arguments < <(find conformance/corpus/control -type f | sort) ;;
    *_fuzz)                                            # a fuzz target's seeds: testdata/<target>/ beside its source
        source=${program#*/test/}
        mapfile -t arguments < <(find "$(dirname "$source")/testdata/$(basename "$source")" -type f 2>/dev/null | sort) ;;
    esac
    timeout --kill-after=10 "${GANTRY_TEST_TIMEOUT:-600}" "$program" ${arguments[@]+"${arguments[@]}"} >"$log" 2>&1 </dev/null
    status=$?
    none=$(grep -ac '^\[SKIP\]' "$log")
    if [ "$none" -gt 0 ]; then grep -a '^\[SKIP\]' "$log"; fi
    if counts=$(grep -oE 'Tested: [0-9]+ \| Passing: [0-9]+ \| Failing: [0-9]+ \| Crashing: [0-9]+' "$log" | tail -1) &&
            [ -n "$counts" ]; then
        read -r tested good < <(tr -dc '0-9|' <<<"$counts" | tr '|' ' '; echo)
        good=${good%% *} bad=$((tested - ${good%% *}))
        if [ "$tested" -eq 0 ] && [ "$none" -eq 0 ]; then bad=1; echo "$program: ran no test"; fi
    else
        good=$((status == 0)) bad=$((status != 0))
    fi
    # A nonzero exit status with a clean synthesis (for example a leak report at exit) is also a failure.
    if [ $status -ne 0 ] && [ $bad -eq 0 ]; then bad=1; fi
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + none))
    if [ $bad -ne 0 ]; then
        echo "---- $program (exit $status)"
        grep -avE '^\[(RUN |PASS)\]' "$log" | tail -n 60
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
