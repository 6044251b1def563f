#!/usr/bin/env bash
# go_row.sh 'MODULE VERSION'...: go-xla's row of the table of versions, on the plugin in GANTRY_LIB: networks trained by
# GoMLX (gomlx/network), and what gomlx/row tries, built with the named versions of the modules.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
plugin=$GANTRY_LIB/pjrt_c_api_gantry_plugin.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
every() {   # every RESULT: of all columns
    for column in train donation 'sharded arrays'; do echo "$column: $1"; done
}
echo "callbacks: none"
command -v go >/dev/null || { every "skipped: no Go here"; exit 0; }
cp -r "$here/../gomlx/." "$work"
cd "$work" || exit 1
for module in "$@"; do
    [ "$(go list -m -f '{{.Path}} {{.Version}}' "${module% *}" 2>/dev/null)" = "$module" ] && continue
    GOFLAGS=-mod=mod go get "${module/ /@}" || { every "failed: ${module/ /@} is not to be had"; exit 1; }
done
for program in network row; do
    go build -o "$work/$program.bin" "./$program" || { every "failed: $program does not build"; exit 1; }
done
if timeout 600 "$work/network.bin" "$plugin"; then echo "train: passed"; else echo "train: failed: a loss missed its bound"; fi
timeout 60 "$work/row.bin" "$plugin"
