#!/usr/bin/env bash
# run.sh LIB: a client in Rust, with the published crates pjrt and pjrt-sys, on the plugins in LIB and on an installed
# copy. Skipped if Rust, its crates, or libclang (for the bindings that pjrt-sys generates) are not available.
set -euo pipefail
lib=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
skip() {
    echo "skipped: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
command -v cargo >/dev/null || skip "no cargo here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo fetch --locked --quiet >"$work/log" 2>&1 || { tail -n 3 "$work/log"; skip "the crates are not here and cannot be fetched"; }

# The build of pjrt-sys needs protoc and Google's .proto files; a crate provides both.
protoc=$(cargo metadata --locked --format-version 1 2>/dev/null | tr ',' '\n' |
    sed -n 's/^"manifest_path":"\(.*protoc-bin-vendored-linux-x86_64.*\)\/Cargo.toml"$/\1/p')
export PROTOC=$protoc/bin/protoc PROTOC_INCLUDE=$protoc/include
target=$(dirname "$lib")/rust
if ! cargo build --locked --quiet --release --target-dir "$target" >"$work/log" 2>&1; then
    if grep -q 'Unable to find libclang' "$work/log"; then skip "no libclang for the bindings of pjrt-sys"; fi
    cat "$work/log"
    exit 1
fi

passed=0 failed=0
drive() {       # drive PLUGIN: the client's last line is its counts
    local p f s
    timeout 300 "$target/release/gantry-client" "$1" >"$work/log" 2>&1 </dev/null || true
    sed '$d' "$work/log" | head -n 60
    if read -r p f s < <(tail -n 1 "$work/log" | sed -nE 's/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p'); then
        passed=$((passed + p)) failed=$((failed + f))
    else
        tail -n 1 "$work/log"
        echo "FAILED  the client ended early"
        failed=$((failed + 1))
    fi
}
drive "$lib/pjrt_c_api_gantry_plugin.so"
GANTRY_TPU_NUMERICS=f32 drive "$lib/pjrt_c_api_gantrytpu_plugin.so"
../../../scripts/install.sh install "$(dirname "$lib")" "$work/installed" >/dev/null
drive "$work/installed/lib/go-xla/pjrt_c_api_gantry_plugin.so"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
