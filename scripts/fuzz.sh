#!/usr/bin/env bash
# fuzz.sh TARGET...: runs each fuzz target for a limited time, starting from its seeds and the inputs found before. New
# inputs and crashes go to build/fuzz-work; scripts/fuzz_inputs.py packs inputs that are to be kept.
# Variables: FUZZ_SECONDS (time per target; 60).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
passed=0 failed=0
for target in "$@"; do
    name=$(basename "$target")
    work=build/fuzz-work/$name
    mkdir -p "$work/inputs"
    seeds=("$(dirname "${target#*/test/}")/testdata/$name")
    limits=(-timeout=10 -rss_limit_mb=4096)
    [ ! -e "${seeds[0]}/found.inputs" ] || scripts/fuzz_inputs.py unpack "${seeds[0]}/found.inputs" "$work/inputs"
    if [ "$name" = program_fuzz ]; then                # compiles and runs programs: seeded with small ones of the corpus
        seeds=("$work/seeds")
        mkdir -p "$work/seeds"
        find conformance/programs/sharded build/corpus -name '*.mlir' -size -8 -o -path '*/models/*' \( -name '*.mlirbc' -o -name '*.hlo.pb' \) |
            while read -r file; do cp "$file" "$work/seeds/${file//\//_}"; done
        limits=(-timeout=300 -rss_limit_mb=6000 -max_len=65536)
    fi
    echo "-- $name"
    if "$target" -max_total_time="${FUZZ_SECONDS:-60}" "${limits[@]}" -print_final_stats=1 \
            -artifact_prefix="$work/" "$work/inputs" $([ -d "${seeds[0]}" ] && echo "${seeds[@]}") >"$work/log" 2>&1; then
        passed=$((passed + 1))
        grep -E 'number_of_executed_units|new_units_added' "$work/log"
    else
        failed=$((failed + 1))
        tail -n 40 "$work/log"
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
