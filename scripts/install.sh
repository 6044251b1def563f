#!/usr/bin/env bash
# install.sh install|uninstall BUILD PREFIX: puts the libraries into PREFIX/lib/gantry and the command into PREFIX/bin,
# and links the plugins into PREFIX/lib/go-xla, where GoMLX and go-xla look for them.
set -euo pipefail
action=$1 build=$2 prefix=$3
home=$prefix/lib/gantry

remove() {
    rm -rf "$home"
    rm -f "$prefix/bin/gantry" "$prefix"/lib/go-xla/pjrt_c_api_gantry{,tpu}_plugin.so
    rmdir "$prefix/lib/go-xla" 2>/dev/null || true
}

remove
if [ "$action" = install ]; then
    install -d "$home" "$prefix/lib/go-xla" "$prefix/bin"
    install -m 644 "$build"/lib/*.so* "$home"
    for plugin in "$home"/pjrt_c_api_*_plugin.so; do
        ln -s "../gantry/$(basename "$plugin")" "$prefix/lib/go-xla/"
    done
    [ ! -e "$build/bin/gantry" ] || install -m 755 "$build/bin/gantry" "$prefix/bin"
    echo "installed into $prefix"
fi
