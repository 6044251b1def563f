#!/usr/bin/env bash
# corpus_isa.sh "ISA..." RUNNER PLUGIN EXPECTED TEST...: under each value of GANTRY_ISA runs the corpora and the TEST
# programs (those of the kernel libraries, which also verify that the libraries are restricted). Values that are not less
# than what this processor has are left out: that is what `make corpus` and `make unit` run. The last line is the sum of
# all counts.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
isas=$1 runner=$2 plugin=$3 expected=$4
shift 4
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

count() {       # count COMMAND...: shows its output and adds the counts in the last line
    "$@" 2>&1 | tee "$log"
    local p=0 f=1 s=0
    read -r p f s < <(tail -n 1 "$log" | sed -nE 's/^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?.*/\1 \2 \4/p')
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-1})) skipped=$((skipped + ${s:-0}))
}

bytes=$(env -u GANTRY_ISA "$(dirname "$runner")/gantry" info --json | sed -n 's/.*"vector_bytes":[[:space:]]*\([0-9]*\).*/\1/p')
is_less() {
    case $1 in
    baseline) [ "$bytes" -gt 16 ] ;;
    avx2) [ "$bytes" -gt 32 ] ;;
    *) [ "$bytes" -ge 64 ] ;;
    esac
}

for isa in $isas; do
    is_less "$isa" || continue
    echo "== GANTRY_ISA=$isa"
    export GANTRY_ISA=$isa
    count scripts/unit.sh "$@"
    count scripts/corpus.py "$runner" "$plugin" "$expected"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
