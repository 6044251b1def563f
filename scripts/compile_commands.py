#!/usr/bin/env python3
"""compile_commands.py: writes compile_commands.json from what make would run (make -Bn), for editors and clangd."""
import json
import os
import re
import subprocess


def main():
    shown = subprocess.run(["make", "-Bnk", "--no-print-directory", "all", "unit", "plugin_tests", "tsan_programs"], capture_output=True, text=True, check=False).stdout
    entries = {}
    for line in shown.splitlines():
        found = re.search(r'echo "CC (\S+\.c)"; (.* -c -o (\S+) (\S+\.c))$', line.strip())
        if found:
            source, command, output, _ = found.groups()
            entries[source] = {"directory": os.getcwd(), "file": source, "command": command, "output": output}
    with open("compile_commands.json", "w", encoding="utf-8") as file:
        json.dump([entries[source] for source in sorted(entries)], file, indent=1)
    print(f"{len(entries)} sources")


if __name__ == "__main__":
    main()
