#!/usr/bin/env bash
# core_names.sh N CALLER.o... CORE.o...: the names that the first N objects leave undefined and the others define, one
# per line.
set -euo pipefail
count=$1
shift
LC_ALL=C comm -12 <(nm -u "${@:1:count}" | awk '$1 == "U" {print $2}' | LC_ALL=C sort -u) \
         <(nm -g --defined-only "${@:count+1}" | awk 'NF == 3 {print $3}' | LC_ALL=C sort -u)
