#!/usr/bin/env bash
# abi.sh: compares pjrt_c_api.h with the recorded layout of PJRT's C API when the record lies beside the project.
# (The header's own static assertions pin the layout in every build.)
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
check=../shared/abi/layout_check.py
if [ ! -e $check ]; then
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
if python3 $check pjrt_c_api.h; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
