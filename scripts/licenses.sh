#!/usr/bin/env bash
# licenses.sh FOLDER [LIBRARY...]: copies into FOLDER Gantry's license and those of all components of its libraries:
# statically linked code, oneDNN, and each bundled system LIBRARY. Fails if a license is not found.
# Variables: ONEDNN_DIR (as the Makefile's).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$1
shift
onednn=${ONEDNN_DIR:-$("$here/onednn.sh")}
linked=("$(llvm-config-19 --libdir)/libLLVMCore.a" /usr/lib/*/openblas-serial/libopenblas.a)
for name in stdc++ gcc protobuf-c z zstd; do linked+=("$(gcc -print-file-name=lib$name.a)"); done

copyright_of() {        # copyright_of PACKAGE [LIBRARY]
    [ -e "/usr/share/doc/$1/copyright" ] || { echo "licenses.sh: no copyright file of $1 ${2:+for $2}" >&2; exit 1; }
    cp -L "/usr/share/doc/$1/copyright" "$out/$1.txt"
}

# Debian lists a library under the folder it was packaged for, which may since have moved to /usr.
package_of() {
    local file
    file=$(realpath "$1")
    { dpkg -S "$file" || dpkg -S "${file#/usr}"; } 2>/dev/null | sed 's/:.*//' | head -n 1
}

install -d "$out"
install -m 644 "$here/../LICENSE" "$out/Gantry.txt"
for library in "${linked[@]}" "$@"; do
    package=$(package_of "$library")
    [ -n "$package" ] || { echo "licenses.sh: no package owns $library" >&2; exit 1; }
    copyright_of "$package" "$library"
done
found=0
for file in "$onednn"/licenses/*; do
    [ -e "$file" ] || continue
    found=1
    install -m 644 "$file" "$out/oneDNN-$(basename "$file")"
done
[ $found = 1 ] || { echo "licenses.sh: no licenses/ in $onednn" >&2; exit 1; }
chmod 644 "$out"/*
