#!/usr/bin/env bash
# symbols.sh LIB BIN: checks what each library exports and needs, that every library and program is hardened, and that
# symbols of the process do not interpose the libraries' own.
set -uo pipefail
lib=$1 bin=$2
passed=0 failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "symbols: $*"; }
exported() { nm -D --defined-only "$1" | awk '$2 != "A" {print $3}' | sort; }
needed() { objdump -p "$1" | awk '$1 == "NEEDED" {print $2}'; }

for file in "$lib"/pjrt_c_api_*_plugin.so; do
    [ -e "$file" ] || { bad "no plugin in $lib"; continue; }
    names=$(exported "$file")
    [ "$names" = "GetPjrtApi@@VERS_1.0" ] && ok || bad "$file exports: $names"
    needed "$file" | grep -q gantry && bad "$file needs another Gantry library at load" || ok
done

only() {    # only FILE PREFIX: every exported name starts with PREFIX
    [ -e "$lib/$1" ] || return 0
    strange=$(exported "$lib/$1" | grep -v "^$2" | head -5)
    [ -z "$strange" ] && ok || bad "$1 exports $strange"
}
only libgantry_codegen.so codegen_
only libgantry_kernels.so kernels_
only libgantry_net.so net_

for file in "$lib"/libgantry*.so; do
    unversioned=$(exported "$file" | grep -v '@@GANTRY_[0-9.]*$' | head -5)
    [ -z "$unversioned" ] && ok || bad "$file exports without our version: $unversioned"
    needed "$file" | grep -qE 'libstdc\+\+|libLLVM' && bad "$file needs the C++ runtime or LLVM's library" || ok
    # Code that runs at load: only the compiler's own frame_dummy may be in .init_array (except that of LLVM,
    # OpenBLAS and UCX).
    words=$((16#$(objdump -h "$file" | awk '$2 == ".init_array" {size = $3} END {print size ? size : 0}') / 8))
    case $file in *codegen* | *kernels* | *net*) ok ;; *) [ "$words" -le 1 ] && ok || bad "$file runs constructors at load" ;; esac
    # Every undefined symbol of the library is defined by its dependencies.
    open=$(ldd -r "$file" 2>&1 | grep 'undefined symbol' | awk '{print $3}' | sort -u | head -20)
    [ -z "$open" ] && ok || bad "$file has undefined symbols: $(tr '\n' ' ' <<<"$open")"
done
# BLAS and LAPACK are linked in, so their calls cannot resolve to another library.
open=$(nm -D -u "$lib/libgantry_kernels.so" | awk '$2 ~ /^(cblas_.*|[a-z0-9]+_)$/ {print $2}' | head -5)
[ -z "$open" ] && ok || bad "libgantry_kernels.so leaves to others: $(tr '\n' ' ' <<<"$open")"
# After initialization, OpenBLAS and LAPACK may write only the buffer table that blas.c replaces, so concurrent calls do
# not race. (The kernel tables gotoblas_* and the environment are written when it is loaded.)
state=$(objdump -t "$lib/libgantry_kernels.so" | awk '$3 == "df" {file = $NF; next} / g / {file = ""}
    $NF ~ /^\./ || file ~ /\.c$/ {next}
    / \.(bss|data|tbss|tdata)\t/ {print file ":" $NF}' |
    grep -vE '^(memory|openblas_env)\.o:|:gotoblas(_[A-Z0-9]+(_SSE3)?)?$|:(hugetlb_allocated|_edata|_end|__bss_start|__dso_handle|__TMC_END__)$' | head -5)
[ -z "$state" ] && ok || bad "libgantry_kernels.so: OpenBLAS keeps state between calls: $(tr '\n' ' ' <<<"$state")"

# Relocations are applied at load and read-only afterwards, no stack is executable, programs are position-independent.
for file in "$lib"/*.so* "$bin"/*; do
    segments=$(readelf -lW "$file") flags=$(readelf -dW "$file")
    grep -q GNU_RELRO <<<"$segments" && grep -q 'FLAGS_1.*NOW' <<<"$flags" && ok || bad "$file is not linked with full RELRO"
    grep -q 'GNU_STACK.* RW ' <<<"$segments" && ok || bad "$file requests an executable stack"
    readelf -hW "$file" | grep -q 'Type: *DYN' && ok || bad "$file is not position-independent"
done
# Stack protectors and glibc's checked functions are called. (The devices' own libraries have no arrays on the stack.)
for file in "$lib"/libgantry.so "$lib"/libgantry_{codegen,kernels,net}.so "$lib"/pjrt_c_api_*_plugin.so "$bin"/*; do
    calls=$(nm -D -u "$file" | awk '{print $2}')
    grep -q '^__stack_chk_fail' <<<"$calls" && ok || bad "$file is built without -fstack-protector-strong"
    grep -qE '^__[a-z]+_chk(@|$)' <<<"$calls" && ok || bad "$file is built without _FORTIFY_SOURCE"
done

# A host process that defines all names of the core as functions that abort: none of them may be called.
host=$(mktemp -d)
trap 'rm -rf "$host"' EXIT
libc=$(ldd "$lib/libgantry.so" | awk '$1 == "libc.so.6" {print $3}')
LC_ALL=C comm -23 <(exported "$lib/libgantry.so" | sed 's/@.*//' | grep -v '^__wrap_' | LC_ALL=C sort -u) \
                  <(exported "$libc" | sed 's/@.*//' | LC_ALL=C sort -u) >"$host/names"
{
    echo '#include <string.h>'
    echo '#include <unistd.h>'
    echo 'static void taken(const char *name)'
    echo '{ write(1, "called: ", 8); write(1, name, strlen(name)); write(1, "\n", 1); _exit(99); }'
    sed 's/.*/void &(void) { taken("&"); }/' "$host/names"
} >"$host/host.c"
if [ -x "$bin/gantry_conformance" ] && "${CC:-cc}" -w -fno-builtin -shared -fPIC -o "$host/host.so" "$host/host.c"; then
    in_host() {                                        # runs the rest of the command in such a process; it must pass
        local what=$1 said status
        shift
        said=$(LD_PRELOAD=$host/host.so "$@" 2>&1)
        status=$?
        [ $status -eq 0 ] && grep -qE '^[1-9][0-9]* passed, 0 failed' <<<"$said" && ok ||
            bad "$what in a process with names of ours: $(tail -3 <<<"$said" | tr '\n' ' ')"
    }
    plugin=$(realpath "$lib")/pjrt_c_api_gantry_plugin.so
    for area in client execute; do in_host "rules of area $area" "$bin/gantry" cts "$plugin" --area $area; done
    for suite in serialize transfer; do in_host "suite $suite" "$bin/gantry_conformance" "$plugin" $suite; done
else
    bad "no host with our names can be made"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
