#!/usr/bin/env bash
# embed.sh FILE...: prints a C source with the bytes of the files (conformance/cts/embedded.h).
set -euo pipefail
echo '#include "conformance/cts/embedded.h"'
i=0
for file in "$@"; do
    echo "static const char bytes_$i[] = {"
    od -An -v -tu1 "$file" | sed 's/\([0-9][0-9]*\)/(char)\1,/g'
    echo '0};'
    i=$((i + 1))
done
echo 'const struct embedded_file embedded_files[] = {'
i=0
for file in "$@"; do
    echo "    {\"$file\", bytes_$i, sizeof bytes_$i - 1},"
    i=$((i + 1))
done
echo '    {0}};'
