#!/usr/bin/env bash
# format.sh [--check]: formats every .c and .h file with .clang-format. --check only reports files that differ or have
# lines of more than 100 columns (comments are not reflowed automatically).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tool=clang-format-19
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.c' '*.h' | while read -r file; do
    [ -f "$file" ] && echo "$file"
done)
if [ "${1-}" != --check ]; then
    exec "$tool" -i "${files[@]}"
fi
if ! command -v "$tool" >/dev/null; then
    echo "$tool is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
differ=$(printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 100 "$tool" --dry-run 2>&1 | sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: warning: code should.*/\1: not laid out/p')
wide=$(LC_ALL=C.UTF-8 grep -nP '^.{101,}' "${files[@]}" | sed 's/^\([^:]*:[0-9]*\):.*/\1: more than 100 columns/')
bad=$(printf '%s\n%s\n' "$differ" "$wide" | grep . | sort -u)
[ -n "$bad" ] && printf '%s\n' "$bad" | head -40
failed=$(cut -d: -f1 <<<"$bad" | grep . | sort -u | wc -l)
echo "$((${#files[@]} - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
