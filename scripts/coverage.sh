#!/usr/bin/env bash
# coverage.sh BUILD FOLDERS TEST...: runs the tests and the conformance suites of a build with COVERAGE, and prints for each
# of the folders how many lines and branches of its sources ran. Fails where these are fewer than COVERAGE_LINES (90 %)
# or COVERAGE_BRANCHES (80 %) of a folder. Lines that did not run: BUILD/coverage.txt. What the tests say is in
# BUILD/coverage.log: three rules and a test of the loader fail, since counting itself takes memory and sets a variable.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(realpath "$1") folders=$2
shift 2
lib=$build/lib profiles=$build/profiles
rm -rf "$profiles"
# %c: counts are in the file at all times; %m: one file for each library, which all processes share.
export LLVM_PROFILE_FILE=$profiles/%c%m.profraw GANTRY_LIB=$lib
{
    scripts/unit.sh "$@"
    scripts/conformance.sh "$build/bin" "$lib"
} >"$build/coverage.log" 2>&1
llvm-profdata-19 merge -o "$build/coverage.profdata" "$profiles"/*.profraw || exit 1
objects=(-object "$lib/libgantry.so" -object "$lib/pjrt_c_api_gantry_plugin.so")
llvm-cov-19 export -summary-only -instr-profile="$build/coverage.profdata" "${objects[@]}" >"$build/coverage.json" || exit 1
llvm-cov-19 show -instr-profile="$build/coverage.profdata" "${objects[@]}" >"$build/coverage.txt"
python3 scripts/coverage.py "$build/coverage.json" "$folders"
