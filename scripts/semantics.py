#!/usr/bin/env python3
"""Generates docs/semantics.md, what a client may rely on with any PJRT plugin, from conformance/rules.def. With --check,
only reports whether the page is up to date."""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
RULES, PAGE = "conformance/rules.def", "docs/semantics.md"
STRING = r'"((?:[^"\\]|\\.)*)"'
ROW = re.compile(
    rf'^(AREA)\((\d+), (\w+), {STRING}\)|^(SECTION)\("([\d.]+)", {STRING}\)|'
    rf'^(RULE)\("([\d.]+)", (\w+), (\w+), (\d+), (\w+),\s*((?:{STRING}\s*)+),\s*{STRING}\)', re.M)

HEAD = """# Semantics of PJRT
The guarantees that clients rely on, for any plugin. PJRT's header documents each call, but little of the behavior across calls, on
errors, and between versions. This page states it as rules; `gantry cts PLUGIN.so` checks each. It is generated from
`conformance/rules.def` (`make semantics`), whose head explains levels and sources.

- **must**: a plugin without it is not conformant. **should**: clients lose something without it. **optional**: clients test for
  it. A plugin that has a feature must follow the feature's rules, whatever their level.
- **extra**: not promised by any source. Such rules concern clients that violate the interface's own conditions: NULL handles, invalid
  values, damaged bytes. A failure is a warning, unless `--strict` is given.
- *0.92*: the first minor version of PJRT to which the rule applies, if later than 0.45.
"""


def read(path):
    """The text of a .def file with its included ones."""
    text = open(os.path.join(ROOT, path), encoding="utf-8").read()
    return re.sub(r'^#include "([^"]*_rules\.def)"', lambda match: read(match.group(1)), text, flags=re.M)


def page():
    lines, count, pending = [], 0, []
    for row in ROW.finditer(read(RULES)):
        if row.group(1):
            pending = [f"\n## {row.group(2)} {row.group(4)}"]
        elif row.group(5):
            pending.append(f"\n### {row.group(6)} {row.group(7)}")
        else:
            level, since, text, source = row.group(11), row.group(12), row.group(14), row.group(16)
            sentence = "".join(re.findall(STRING, text)).replace('\\"', '"')
            version = "" if since == "45" else f", *0.{since}*"
            lines += pending + [f"- **{row.group(9)}** {sentence} — {level.lower()}{version}; {source}"]
            pending, count = [], count + 1
    return HEAD + f"\n{count} rules.\n" + "\n".join(lines) + "\n"


def main():
    path, current = os.path.join(ROOT, PAGE), page()
    old = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    if "--check" in sys.argv:
        if current != old:
            print(f"{PAGE} differs from {RULES}: run `make semantics`")
        return current != old
    open(path, "w", encoding="utf-8").write(current)
    return 0


if __name__ == "__main__":
    sys.exit(main())
