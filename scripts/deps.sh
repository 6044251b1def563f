#!/usr/bin/env bash
# Ensures that the Debian packages for the build, the demo and the tests are installed: as root with apt, otherwise it
# prints the command to run. Fast if all are installed.
set -euo pipefail

packages=(
    gcc g++ make pkg-config file binutils                       # the build; g++ brings the C++ runtime LLVM needs
    llvm-19-dev libzstd-dev zlib1g-dev libopenblas-serial-dev
    libucx-dev libprotobuf-c-dev protobuf-c-compiler protobuf-compiler libcjson-dev libxxhash-dev libhwloc-dev libnuma-dev
    coinor-libcbc3                                              # opened by automatic sharding, if it is there
    clang-19 clang-format-19 libclang-rt-19-dev libcriterion-dev    # the tests
    zsh fish                                                    # the tests of completion
    libsimgrid-dev                                              # the tests of the model of networks
    python3 python3-venv patchelf ca-certificates               # JAX as a client; the wheel
)

missing=()
installed=$(dpkg-query -W -f '${db:Status-Abbrev}${binary:Package}\n' 2>/dev/null | sed -n 's/^ii *//p' | sed 's/:.*//')
for package in "${packages[@]}"; do
    grep -qxF "$package" <<<"$installed" || missing+=("$package")
done
fetch_onednn() { "$(dirname "${BASH_SOURCE[0]}")/onednn.sh" >/dev/null; }
[ ${#missing[@]} -eq 0 ] && { fetch_onednn; exit 0; }

if [ "$(id -u)" -ne 0 ]; then
    echo "Packages are missing. Run:" >&2
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
fi
echo "Installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >&2
apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
fetch_onednn
