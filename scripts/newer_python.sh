#!/usr/bin/env bash
# newer_python.sh VERSION: prints the path of an interpreter of Python VERSION (as 3.13) with the venv module. Clients
# that need a newer Python than the system's are tried with it. The system's own python VERSION is taken if it has one.
# Otherwise the packages of a newer Debian release are unpacked into ~/.cache/gantry/python-VERSION, once, and nothing of
# the system is touched: they bring their own C library, whose dynamic loader starts the interpreter. apt fetches them
# from the mirror that it is configured for, into folders of its own, and verifies them with the archive's keys.
# Variables: GANTRY_CACHE (default ~/.cache/gantry).
set -euo pipefail
version=${1:?newer_python.sh: name the version, as 3.13}
# The first Debian release with each version.
case $version in
    3.13) release=trixie ;;
    3.14) release=forky ;;
    *) release= ;;
esac
fail() { echo "newer_python.sh: Python $version: $*" >&2; exit 1; }

if command -v "python$version" >/dev/null && "python$version" -c 'import venv, ensurepip' 2>/dev/null; then
    command -v "python$version"
    exit
fi
folder=${GANTRY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gantry}/python-$version
python=$folder/root/usr/bin/python$version
keys=/usr/share/keyrings/debian-archive-keyring.gpg

# The URIs from which apt takes the main component of the system's own release.
mirrors() {
    local codename
    codename=$(. /etc/os-release; echo "${VERSION_CODENAME:-stable}")
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        awk -v codename="$codename" '$3 == "main" && ($2 == codename || $2 == "stable") { print $1 }' | sort -u
}

# apt with a state of its own, in which no package is installed.
own_apt() {
    apt-get -qq -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts="$folder/apt/none" \
        -o Dir::State::lists="$folder/apt/lists" -o Dir::State::status="$folder/apt/status" -o Dir::Cache="$folder/apt/cache" \
        -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o APT::Sandbox::User=root "$@" >&2
}

download() {
    local mirror
    rm -rf "$folder/apt"
    mkdir -p "$folder"/apt/{none,lists/partial,cache/archives/partial}
    touch "$folder/apt/status"
    for mirror in $(mirrors); do
        echo "deb [signed-by=$keys] $mirror $release main" >"$folder/apt/sources.list"
        if own_apt update --error-on=any &&
                own_apt install --yes --download-only --no-install-recommends "python$version-venv" libstdc++6; then
            return
        fi
    done
    fail "no mirror in apt's configuration has the packages of Debian's release $release"
}

# Unpacks the packages; python$version becomes a script that starts the program with the loader beside it. ensurepip
# has the absolute path of pip's wheel, which is unpacked too.
unpack() {
    local package root=$folder/root
    rm -rf "$root"
    mkdir "$root"
    for package in "$folder"/apt/cache/archives/*.deb; do
        dpkg-deb --extract "$package" "$root"
    done
    sed -i "s|'/usr/share/python-wheels|'$root/usr/share/python-wheels|" \
        "$root/usr/lib/python$version"/_sysconfigdata_*.py
    mv "$python" "$python.program"
    cat >"$python" <<SCRIPT
#!/bin/sh
exec '$root/usr/lib64/ld-linux-x86-64.so.2' --library-path '$root/usr/lib/x86_64-linux-gnu' --argv0 "\$0" '$python.program' "\$@"
SCRIPT
    chmod +x "$python"
}

if [ ! -e "$folder/complete" ]; then
    [ -n "$release" ] || fail "the system has none, and it is not known which Debian release does"
    [ "$(uname -m)" = x86_64 ] || fail "only packages for x86-64 are unpacked"
    command -v apt-get >/dev/null && [ -e "$keys" ] || fail "the system has none, and apt and the package debian-archive-keyring are needed to fetch it"
    mkdir -p "$folder"
    exec 9>"$folder.lock"
    flock 9
    if [ ! -e "$folder/complete" ]; then
        echo "newer_python.sh: unpacking Python $version of Debian's release $release into $folder" >&2
        download
        unpack
        "$python" -c 'import ctypes, ensurepip, sqlite3, ssl, venv' || fail "the unpacked interpreter does not start"
        rm -rf "$folder/apt"
        touch "$folder/complete"
    fi
fi
echo "$python"
