#!/usr/bin/env bash
# clients.sh LIB [CLIENT...]: runs PJRT clients against the plugin in LIB: conformance/clients/<client>/run.sh LIB, each
# of which ends with its counts. Without names: all clients.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lib=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- $(cd conformance/clients && ls)
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for client in "$@"; do
    echo "-- client $client"
    "conformance/clients/$client/run.sh" "$lib" 2>&1 </dev/null | tee "$log"
    status=${PIPESTATUS[0]}
    p=0 f=0 s=0
    if line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1) && [ -n "$line" ]; then
        read -r p f s < <(tr -dc '0-9,' <<<"$line" | tr ',' ' '; echo)
    fi
    if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
