#!/usr/bin/env bash
# run.sh LIB: tests the installation with a client in C: `make install` into a new folder, the installed files, the
# example built with pkg-config as users build it, the installed command, and `make uninstall`.
set -uo pipefail
lib=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
build=$(dirname "$lib") install=../../../scripts/install.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
try() {         # try NAME COMMAND...
    if "${@:2}" >"$work/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED  $1"
        tail -n 20 "$work/log"
    fi
}
same() { [ "$("${@:2}")" = "$1" ]; }
prefix=$work/usr
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

try "install" "$install" install "$build" "$prefix"
plugin=$prefix/lib/gantry/pjrt_c_api_gantry_plugin.so
try "every file" ls "$plugin" "$prefix"/lib/gantry/{pjrt_c_api_gantrytpu_plugin.so,libgantry.so,libgantry_cpu.so,libgantry_tpu.so} \
    "$prefix"/lib/go-xla/pjrt_c_api_gantry{,tpu}_plugin.so "$prefix/include/gantry/pjrt_c_api.h" "$prefix/bin/gantry" \
    "$prefix"/share/doc/gantry/{COMPONENTS.tsv,Apache-2.0.txt,LLVM.txt,OpenBLAS.txt}
try "at most 135 MB" bash -c "[ \$(du -sk '$prefix' | cut -f1) -le 138240 ]"
try "nothing of the build's folders in it" bash -c "! grep -rlF '$build/' '$prefix'"
# The libraries depend only on run-time packages of the system, not on development packages.
try "every library is found" bash -c "! LD_LIBRARY_PATH= ldd '$prefix'/lib/gantry/*.so* | grep 'not found'"

if command -v pkg-config >/dev/null; then
    try "pkg-config gives the plugin" same "$plugin" pkg-config --variable=plugin gantry
    for cc in cc gcc clang-19; do
        command -v "$cc" >/dev/null || continue
        try "the example by $cc" "$cc" -std=c11 -Wall -Wextra -Werror example.c $(pkg-config --cflags --libs gantry) -o "$work/example"
        try "the example of $cc runs" same "1 -3 40 500" "$work/example"
    done
    try "the example on the modeled TPU" env GANTRY_DEVICE=tpu "$work/example"
    mv "$work/usr/lib/gantry/libgantry_cpu.so" "$work/away"
    try "a missing library" bash -c "! '$work/example' 2>'$work/words' && grep -q 'libgantry_cpu.so.*install Gantry again' '$work/words'"
    mv "$work/away" "$work/usr/lib/gantry/libgantry_cpu.so"
else
    echo "skipped: no pkg-config here"
    skipped=1
fi
try "the command's variables" bash -c "eval \"\$('$prefix/bin/gantry' env --shell)\" && [ \"\$PJRT_NAMES_AND_LIBRARY_PATHS\" = 'gantry:$plugin' ]"
for name in PJRT_NAMES_AND_LIBRARY_PATHS JAX_PLATFORMS TPU_LIBRARY_PATH PJRT_DEVICE PJRT_LIBRARY_PATH PJRT_PLUGIN_LIBRARY_PATH \
    GOMLX_BACKEND; do
    try "gantry env prints $name" bash -c "'$prefix/bin/gantry' env | grep -q '^  $name='"
done

# The man page and the completions are what the installed command prints.
for file in "man/man1/gantry.1:help --man" "bash-completion/completions/gantry:completion bash" \
    "zsh/site-functions/_gantry:completion zsh" "fish/vendor_completions.d/gantry.fish:completion fish"; do
    try "share/${file%%:*}" bash -c "'$prefix/bin/gantry' ${file#*:} | cmp - '$prefix/share/${file%%:*}'"
done
try "gantry doctor finds no error" "$prefix/bin/gantry" doctor

try "install by DESTDIR" env DESTDIR="$work/root" "$install" install "$build" /opt/gantry
try "pkg-config knows nothing of DESTDIR" grep -qx 'prefix=/opt/gantry' "$work/root/opt/gantry/lib/pkgconfig/gantry.pc"
try "uninstall by DESTDIR" env DESTDIR="$work/root" "$install" uninstall "$build" /opt/gantry
touch "$prefix/lib/go-xla/another.so"
try "uninstall" "$install" uninstall "$build" "$prefix"
try "uninstall keeps only files of others" same "$prefix/lib/go-xla/another.so" find "$prefix" ! -type d
try "nothing stays under DESTDIR" same "" find "$work/root" ! -type d
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
