#!/usr/bin/env bash
# python_env.sh [--cached] [REQUIREMENTS]: prints the path of a Python interpreter that has the packages of the
# requirements file installed (default: scripts/requirements.txt, with JAX). The environment is created once and cached
# under ~/.cache/gantry/<hash of requirements and interpreter>. Safe to run from several shells at once. A file whose
# first line is '# python 3.13' gets that version, by newer_python.sh.
# --cached: fails if the environment does not exist.
# Variables: PYTHON (interpreter to build on; 3.11 or newer), GANTRY_CACHE (default ~/.cache/gantry).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cached=0
if [ "${1:-}" = --cached ]; then cached=1; shift; fi
requirements=$(realpath "${1:-$here/requirements.txt}")
cache=${GANTRY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gantry}

new_enough() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    local name
    for name in ${PYTHON:-} /usr/bin/python3 python3 python3.13 python3.12 python3.11; do
        if command -v "$name" >/dev/null && new_enough "$name"; then
            "$name" -c 'import os, sys; print(os.path.realpath(sys.executable))'
            return
        fi
    done
    echo "python_env.sh: Python 3.11 or newer with the venv module is needed (Debian: python3-venv)" >&2
    return 1
}

version=$(sed -n '1s/^# python \([0-9.]*\)$/\1/p' "$requirements")
if [ -z "$version" ]; then python=$(find_python); else python=$("$here/newer_python.sh" "$version"); fi
key=$({ cat "$requirements"; (cd "$here" && sed -n 's/^-r //p' "$requirements" | xargs -r cat); echo "$python"; "$python" --version; } | sha256sum | cut -c1-16)
env=$cache/$key
if [ ! -e "$env/complete" ]; then
    [ $cached = 0 ] || exit 1
    mkdir -p "$cache"
    exec 9>"$cache/$key.lock"
    flock 9
    if [ ! -e "$env/complete" ]; then
        echo "python_env.sh: installing $(basename "$requirements") into $env" >&2
        rm -rf "$env"
        "$python" -m venv "$env"
        "$env/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements" >&2
        touch "$env/complete"
    fi
fi
echo "$env/bin/python"
