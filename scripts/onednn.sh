#!/usr/bin/env bash
# Prints the folder (include/, lib/, licenses/) of oneDNN 3.2, and unpacks it there first if it is missing. Debian's
# oneDNN is 2.6, which has no f16 and slow bf16 gradients. Version 3.2 is published as Python wheels that contain plain
# headers and one shared library.
# Variables: GANTRY_CACHE (default ~/.cache/gantry).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${GANTRY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gantry}/onednn/3.2

if [ ! -e "$folder/include/oneapi/dnnl/dnnl.h" ] || [ ! -e "$folder/lib/libdnnl.so.3" ] ||
        [ ! -e "$folder/licenses/LICENSE" ]; then
    python=$("$here/python_env.sh")
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    echo "onednn.sh: fetching oneDNN 3.2 into $folder" >&2
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps -d "$work" \
        onednn-cpu-gomp==2023.2.0 onednn-devel-cpu-gomp==2023.2.0 >&2
    for wheel in "$work"/*.whl; do
        "$python" -m zipfile -e "$wheel" "$work/files"
    done
    mkdir -p "$folder/include" "$folder/lib" "$folder/licenses"
    header=$(find "$work/files" -path '*/oneapi/dnnl/dnnl.h' | head -n 1)
    cp -rL "$(dirname "$header")/../../." "$folder/include/"
    library=$(find "$work/files" -name 'libdnnl.so.3*' | sort | tail -n 1)
    [ -e "$folder/lib/libdnnl.so.3" ] || cp -L "$library" "$folder/lib/libdnnl.so.3"
    find "$work/files" \( -iname '*license*' -o -name THIRD-PARTY-PROGRAMS \) -type f -exec cp {} "$folder/licenses/" \;
fi
echo "$folder"
