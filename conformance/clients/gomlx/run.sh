#!/usr/bin/env bash
# run.sh LIB: the own tests of go-xla, the PJRT client under GoMLX, unmodified, on the plugin in LIB. Each of its tests runs
# in a process of its own, so that one which dies costs itself only. conformance/expected/gomlx.txt lists the tests known
# not to pass, each with its reason. Skipped as a whole where there is no Go.
set -euo pipefail
lib=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
expected=../../expected/gomlx.txt
if ! command -v go >/dev/null; then
    echo "no Go here"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/plugins"
ln -s "$lib/pjrt_c_api_gantry_plugin.so" "$work/plugins/pjrt_c_api_cpu_plugin.so"     # the name its tests ask for
export PJRT_PLUGIN_LIBRARY_PATH=$work/plugins

passed=0 failed=0 skipped=0
for package in internal/tests pkg/pjrt; do
    program=$work/$(basename "$package").test
    go test -mod=readonly -c -o "$program" "github.com/gomlx/go-xla/$package"
    folder=$(go list -mod=readonly -m -f '{{.Dir}}' github.com/gomlx/go-xla)/$package
    for name in $(cd "$folder" && "$program" -test.list '.*' 2>/dev/null | grep '^Test' | grep -v '^TestBench'); do
        test=$(basename "$package").$name
        (cd "$folder" && timeout 120 "$program" -test.v -test.count=1 -test.run "^$name\$") >"$work/log" 2>&1 </dev/null || true
        # Its verdict is the line of the test itself: the package's own clean-up may crash afterwards.
        if grep -q -- "--- PASS: $name " "$work/log"; then
            passed=$((passed + 1))
            if grep -qE "^$test( |\$)" "$expected"; then echo "$test passes, but $expected lists it"; fi
        elif grep -q -- "--- SKIP: $name " "$work/log" || grep -qE "^$test( |\$)" "$expected"; then
            skipped=$((skipped + 1))
        else
            failed=$((failed + 1))
            echo "FAILED  $test"
            grep -vE '^=== |^E[0-9]|^W[0-9]' "$work/log" | head -n 30
        fi
    done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
