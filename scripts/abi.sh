#!/usr/bin/env bash
# abi.sh: compares pjrt_c_api.h and the extensions' headers with the recorded layout of PJRT's C API when the record
# lies beside the project. (The header's own static assertions pin the layout in every build.)
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
check=../shared/abi/layout_check.py
cases="pjrt_c_api.h:core_0_104 profiler_c_api.h:ext_profiler_plugin"
for name in ffi layouts memory_descriptions profiler stream; do
    cases="$cases pjrt_c_api_${name}_extension.h:ext_$name"
done
if [ ! -e $check ]; then
    echo "0 passed, 0 failed, $(wc -w <<< "$cases") skipped"
    exit 0
fi
passed=0 failed=0
for case in $cases; do
    if python3 $check "${case%%:*}" --section "${case#*:}" -I .; then
        passed=$((passed + 1))
    else
        echo "${case%%:*} differs"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
