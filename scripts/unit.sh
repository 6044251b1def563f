#!/usr/bin/env bash
# unit.sh PROGRAM...: runs test programs, and prints the output of those that fail, their names once more, and the total
# counts. A Criterion program counts its tests (from its synthesis line), any other program counts as one test. Skipped
# tests are listed. Programs that take longest begin first, so that no core is idle at the end.
# Variables: GANTRY_TEST_TIMEOUT (seconds a program may take; 300, so that a tier has time to report those that hang),
# GANTRY_TEST_JOBS (programs at a time; the cores, at most 4), GANTRY_TEST_AGAIN (1: a program that takes longer runs once
# more; for the address sanitizer, with which a fork can hang in spite of quiet_fork.c).
set -uo pipefail
cores=$(nproc)
jobs=${GANTRY_TEST_JOBS:-$((cores < 4 ? cores : 4))}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

once() {                                               # LOG PROGRAM ARGUMENT...
    local log=$1
    shift
    timeout --kill-after=10 "${GANTRY_TEST_TIMEOUT:-300}" "$@" >"$log" 2>&1 </dev/null
}

unfinished() {                                         # LOG: the tests that began and did not end
    awk '$1 == "[RUN" { begun[$3] } $1 == "[PASS]" || $1 == "[FAIL]" { sub(/:$/, "", $2); delete begun[$2] }
         END { for (test in begun) printf " %s", test }' "$1"
}

# Runs a program; writes its counts to NUMBER.counts and what is to be shown to NUMBER.shown.
run() {
    local number=$1 program=$2 arguments=() source status none counts tested good bad
    local log=$folder/$number.log
    case $program in
    *_test) arguments=(--verbose=1) ;;
    */program_fuzz) mapfile -t arguments < <(find build/corpus/control conformance/testdata/program_fuzz -type f | sort) ;;
    *_fuzz)                                            # a fuzz target's seeds: testdata/<target>/ beside its source
        source=${program#*/test/}
        mapfile -t arguments < <(find "$(dirname "$source")/testdata/$(basename "$source")" -type f 2>/dev/null | sort) ;;
    esac
    once "$log" "$program" ${arguments[@]+"${arguments[@]}"}
    status=$?
    if [ $status -eq 124 ] && [ "${GANTRY_TEST_AGAIN:-0}" = 1 ]; then
        echo "$program: runs again, since it took longer than ${GANTRY_TEST_TIMEOUT:-300} s"
        once "$log" "$program" ${arguments[@]+"${arguments[@]}"}
        status=$?
    fi
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
    if [ $bad -ne 0 ]; then
        local why="exit $status"
        if [ $status -eq 124 ]; then why="did not end within ${GANTRY_TEST_TIMEOUT:-300} s:$(unfinished "$log")"; fi
        echo "---- $program ($why)"
        grep -avE '^\[(RUN |PASS)\]|^\[====\] Running' "$log" | tail -n 60
        echo "failed: $program ($why)" >"$folder/$number.failed"
    fi
    echo "$good $bad $none" >"$folder/$number.counts"
    rm -f "$log"
}

# The programs with the longest tests, in that order, then the others.
longest='codegen/every_test compiler/compile_test text/mlir_text_cost_test lower/lower_buffers_test'
ordered=()
for name in $longest; do
    for program in "$@"; do if [[ $program == *"/$name" ]]; then ordered+=("$program"); fi; done
done
for program in "$@"; do
    if [[ " ${ordered[*]} " != *" $program "* ]]; then ordered+=("$program"); fi
done

number=0
for program in ${ordered[@]+"${ordered[@]}"}; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    run $number "$program" >"$folder/$number.shown" &
    number=$((number + 1))
done
wait
passed=0 failed=0 skipped=0
for ((i = 0; i < number; i++)); do
    cat "$folder/$i.shown"
    read -r good bad none <"$folder/$i.counts" || { good=0 bad=1 none=0; echo "the test program $((i + 1)) gave no result"; }
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + none))
done
cat "$folder"/*.failed 2>/dev/null
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
