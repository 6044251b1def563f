#!/usr/bin/env bash
# run.sh LIB: Go programs on the plugin in LIB: the unmodified test suites of go-xla and GoMLX; every operation of
# go-xla's StableHLO builder and training through go-xla alone (operations/); networks trained by GoMLX (network/).
# conformance/expected/gomlx.txt lists the expected failures with reasons. Skipped as a whole if Go or its modules are
# not available.
set -euo pipefail
lib=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
expected=../../expected/gomlx.txt
skip() {
    echo "$1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
command -v go >/dev/null || skip "skipped: no Go here"
export GOFLAGS=-mod=readonly
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go mod download >"$work/log" 2>&1 || { tail -n 3 "$work/log"; skip "skipped: the Go modules are not here and cannot be fetched"; }

passed=0 failed=0 skipped=0
count() { passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3)); }

# Runs a test of go-xla in its own process, so that a crash affects only this test. The result is the line of the test
# itself, which may follow other output; the package's own cleanup may crash afterwards. Tests that request several
# devices get eight.
own_test() {    # own_test FOLDER PROGRAM NAME ARGUMENT...
    local folder=$1 program=$2 name=$3 test=$(basename "$1").$3 verdict=""
    for devices in 1 8; do
        (cd "$folder" && XLA_FLAGS=--xla_force_host_platform_device_count=$devices HOME=$work \
            timeout 120 "$program" "${@:4}" -test.v -test.count=1 -test.run "^$name\$") >"$work/log" 2>&1 </dev/null || true
        verdict=$(grep -oE -- "--- (PASS|SKIP): $name " "$work/log" | head -n 1 || true)
        [[ $verdict == *SKIP* ]] || break
    done
    if [[ $verdict == *PASS* ]]; then
        count 1 0 0
        if grep -qE "^$test( |\$)" "$expected"; then echo "$test passes, but $expected lists it"; fi
    elif reason=$(grep -E "^$test( |\$)" "$expected"); then
        count 0 0 1
        echo "skipped $reason"
    elif [ -n "$verdict" ]; then
        count 0 0 1
        echo "skipped $test, which says so itself"
    else
        count 0 1 0
        echo "FAILED  $test"
        grep -vE '^=== |^E[0-9]|^W[0-9]' "$work/log" | head -n 30
    fi
}

# The tests request the plugin "cpu", and download XLA's own if no file of that name is in the user's folder.
own_tests() {
    local folder name version program module
    module=$(go list -m -f '{{.Dir}}' github.com/gomlx/go-xla)
    version=$(sed -n 's/^var DefaultCPUVersion = "\(.*\)"$/\1/p' "$module/internal/utils/utils.go")
    mkdir -p "$work/.local/lib/go-xla" "$work/plugins"
    ln -s "$lib/pjrt_c_api_gantry_plugin.so" "$work/.local/lib/go-xla/pjrt_c_api_cpu_${version}_plugin.so"
    ln -s "$lib/pjrt_c_api_gantry_plugin.so" "$work/plugins/pjrt_c_api_cpu_plugin.so"
    export PJRT_PLUGIN_LIBRARY_PATH=$work/plugins
    for package in internal/tests pkg/pjrt; do
        folder=$module/$package program=$work/$(basename "$package").test
        go test -c -o "$program" "github.com/gomlx/go-xla/$package"
        for name in $(cd "$folder" && HOME=$work "$program" -test.list '.*' 2>/dev/null | grep '^Test' | grep -v '^TestBench'); do
            if [ "$package" = pkg/pjrt ]; then
                own_test "$folder" "$program" "$name" -force_shared_buffer
            else
                own_test "$folder" "$program" "$name"
            fi
        done
    done
}

# GoMLX's own tests of graphs, gradients, layers and optimizers, one process per package. They use the module's own
# dependencies, which may have to be downloaded. Tests that skip themselves with one device are not counted.
gomlx_tests() {
    local module program name verdict status
    module=$(go list -m -f '{{.Dir}}' github.com/gomlx/gomlx)
    for package in pkg/core/graph pkg/core/tensors pkg/ml/layers pkg/ml/layers/{fnn,lstm} pkg/ml/context \
        pkg/ml/train/{losses,optimizers,metrics} pkg/ml/datasets; do
        program=$work/gomlx.test
        if ! (cd "$module" && go test -c -o "$program" "./$package") >"$work/log" 2>&1; then
            count 0 0 1
            echo "skipped $package of GoMLX: $(grep -v downloading "$work/log" | head -n 1)"
            continue
        fi
        (cd "$module/$package" && HOME=$work GOMLX_BACKEND=xla:$lib/pjrt_c_api_gantry_plugin.so,shared_buffers \
            timeout 300 "$program" -test.v -test.count=1) >"$work/raw" 2>&1 </dev/null && status=0 || status=$?
        sed 's/\x1b\[[0-9;?]*[A-Za-z]//g' "$work/raw" >"$work/log"      # progress bars
        while read -r verdict name; do
            if [ "$verdict" = PASS: ]; then
                count 1 0 0
            elif reason=$(grep -E "^gomlx/$package.$name( |\$)" "$expected"); then
                count 0 0 1
                echo "skipped $reason"
            else
                count 0 1 0
                echo "FAILED  gomlx/$package.$name"
                grep -A 40 -E "^=== RUN +$name\$" "$work/log" | head -n 40
            fi
        done < <(grep -v '^ ' "$work/log" | grep -oE -- '--- (PASS|FAIL): [A-Za-z0-9_]+' | cut -d ' ' -f 2-)
        if [ $status -gt 1 ]; then
            count 0 1 0
            echo "FAILED  gomlx/$package ended early"
            tail -n 20 "$work/log"
        fi
    done
}

# Runs a program of this project, whose last line has its counts.
program() {     # program NAME ARGUMENT...
    local counts
    go build -o "$work/$1" "./$1"
    timeout 300 "$work/$1" "${@:2}" >"$work/log" 2>&1 </dev/null || true
    sed '$d' "$work/log" | head -n 50
    if counts=$(tail -n 1 "$work/log" | grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$'); then
        echo "$1: $counts"
        count $(tr -dc '0-9 ' <<<"$counts")
    else
        tail -n 1 "$work/log"
        echo "FAILED  $1 ended early"
        count 0 1 0
    fi
}

own_tests
gomlx_tests
program operations "$lib/pjrt_c_api_gantry_plugin.so"
GANTRY_TPU_NUMERICS=f32 program operations "$lib/pjrt_c_api_gantrytpu_plugin.so"
program network "$lib/pjrt_c_api_gantry_plugin.so"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
