#!/usr/bin/env bash
# xla_plugin.sh BIN: XLA's CPU plugin through the same ABI: `gantry cts` on it, and the project's corpus, whose results it has
# to give as well, but for those that conformance/expected/corpus_xla_cpu.txt lists. The last line is the sum of the counts.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=$1
python=$(scripts/python_env.sh scripts/xla_cpu_requirements.txt)
plugin=$("$python" -c 'import lammps_jax_pjrt_cpu as package; print(package.__path__[0] + "/pjrt_c_api_cpu_plugin.so")')
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0

run() {
    local p=0 f=1 s=0
    "$@" 2>/dev/null | tee "$log" | grep -E '^FAIL|^[0-9]+ passed' | cut -c1-300
    read -r p f s < <(tail -n 1 "$log" | sed -nE 's/^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?.*/\1 \2 \4/p')
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-1})) skipped=$((skipped + ${s:-0}))
}

run "$bin/gantry" cts "$plugin" --expected conformance/expected/cts/xla_cpu-0.115.txt
# As JAX compiles: a maximum with a NaN is NaN.
XLA_FLAGS=--xla_cpu_enable_fast_min_max=false run "$bin/gantry_corpus" "$plugin" build/corpus \
    --expected conformance/expected/corpus_xla_cpu.txt
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
