#!/usr/bin/env bash
# install.sh install|uninstall BUILD PREFIX: puts the libraries, stripped, into PREFIX/lib/gantry, the command into
# PREFIX/bin with its man page and completion for shells, the ABI's headers into PREFIX/include/gantry with a pkg-config
# file, and the licenses into PREFIX/share/doc/gantry. Links the plugins into PREFIX/lib/go-xla, where GoMLX and go-xla
# search for them.
# Variables: DESTDIR, a folder used as the root.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
action=$1 build=$2 prefix=$3
root=${DESTDIR:-}$prefix
home=$root/lib/gantry
plugins=(pjrt_c_api_gantry_plugin.so pjrt_c_api_gantrytpu_plugin.so)
# What the command prints of itself: the file under share, and the arguments.
declare -A printed=([man/man1/gantry.1]="help --man" [bash-completion/completions/gantry]="completion bash"
    [zsh/site-functions/_gantry]="completion zsh" [fish/vendor_completions.d/gantry.fish]="completion fish")
shared=("${!printed[@]}")

# The folders that install has to create, innermost last.
missing_folders() {
    local folder
    for folder in "$home" "$root/lib/go-xla" "$root/lib/pkgconfig" "$root/bin" "$root/include/gantry" "$root/share/doc/gantry" \
        "${shared[@]/#/$root/share/}"; do
        case $folder in "$root/share/doc/gantry") ;; "$root/share/"*) folder=$(dirname "$folder") ;; esac
        while [ ! -d "$folder" ] && [ "$folder" != / ]; do
            printf '%s\n' "${folder#"${DESTDIR:-}"}"
            folder=$(dirname "$folder")
        done
    done | LC_ALL=C sort -u
}

# Removes everything that was installed, and the folders that the installation created, where they are empty.
remove() {
    local folders=
    [ ! -f "$home/folders" ] || folders=$(LC_ALL=C sort -r "$home/folders")
    rm -rf "$home" "$root/include/gantry" "$root/share/doc/gantry"
    rm -f "$root/bin/gantry" "$root/lib/pkgconfig/gantry.pc" "${plugins[@]/#/$root/lib/go-xla/}" "${shared[@]/#/$root/share/}"
    [ ! -d "$root/lib/go-xla" ] || rmdir --ignore-fail-on-non-empty "$root/lib/go-xla"
    while read -r folder; do
        [ -z "$folder" ] || rmdir --ignore-fail-on-non-empty "${DESTDIR:-}$folder" 2>/dev/null || true
    done <<<"$folders"
}

pkgconfig() {
    cat <<END
prefix=$prefix
libdir=\${prefix}/lib/gantry
includedir=\${prefix}/include/gantry
plugin=\${libdir}/${plugins[0]}
tpu_plugin=\${libdir}/${plugins[1]}

Name: gantry
Description: PJRT plugin: StableHLO programs on the host's cores, or on a modeled TPU
Version: $(sed -n 's/^#define GANTRY_VERSION "\(.*\)"$/\1/p' "$build/gen/version.h")
Cflags: -I\${includedir}
Libs: \${plugin} -Wl,-rpath,\${libdir}
END
}

remove
if [ "$action" = install ]; then
    created=$(missing_folders)
    install -d "$home" "$root/lib/go-xla" "$root/lib/pkgconfig" "$root/bin" "$root/include/gantry"
    for file in "$build"/lib/*.so*; do
        [ "$(basename "$file")" = libgantry_null.so ] && continue       # only for tests
        install -m 644 "$file" "$home"
        strip --strip-unneeded "$home/$(basename "$file")"
    done
    for plugin in "${plugins[@]}"; do ln -s "../gantry/$plugin" "$root/lib/go-xla/"; done
    install -s -m 755 "$build/bin/gantry" "$root/bin"
    for file in "${shared[@]}"; do
        install -d "$(dirname "$root/share/$file")"
        "$build/bin/gantry" ${printed[$file]} >"$root/share/$file"
        chmod 644 "$root/share/$file"
    done
    install -m 644 "$here"/../python/gantry_pjrt/lower.py "$home"
    install -m 644 "$here"/../pjrt_c_api.h "$here"/../include/*.h "$root/include/gantry"
    pkgconfig >"$root/lib/pkgconfig/gantry.pc"
    "$here/licenses.py" "$root/share/doc/gantry"
    printf '%s\n' "$created" >"$home/folders"
    echo "installed into $root"
fi
