#!/usr/bin/env python3
"""Generates the table of environment variables in docs/settings.md from base/env.def. With --check, only reports whether the
table is up to date."""
import re
import sys

PAGE = "docs/settings.md"
BEGIN = "<!-- env table: generated from base/env.def by `make env-table` -->\n"


def rows():
    text = open("base/env.def", encoding="utf-8").read()
    for name, default, meaning in re.findall(r'^ENV\((\w+), (?:\w+|\w+\([^)]*\)), "((?:[^"\\]|\\.)*)",\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', text, re.M):
        yield name, default, "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', meaning)).replace('\\"', '"')


def table():
    lines = ["| variable | default | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {default or 'unset'} | {meaning.replace('|', chr(92) + '|')} |" for name, default, meaning in rows()]
    return "\n".join(lines) + "\n"


def main():
    page = open(PAGE, encoding="utf-8").read()
    before = page.split(BEGIN, 1)[0]
    current = before + BEGIN + table()
    if "--check" in sys.argv:
        if current != page:
            print(f"{PAGE}: the table of variables differs from base/env.def: run `make env-table`")
        return current != page
    open(PAGE, "w", encoding="utf-8").write(current)
    return 0


if __name__ == "__main__":
    sys.exit(main())
