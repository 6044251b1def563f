#!/usr/bin/env python3
"""make_help.py [--check]: prints the targets and variables of the Makefile with their meaning, from scripts/make_help.txt.
--check: only reports targets (.PHONY) and variables (those that the Makefile assigns in capitals, or reads with $(or ...))
that the text lacks, and those that it has and nothing reads."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
INTERNAL = {"FORCE", "LIB", "BIN", "OBJ", "GEN", "WARNINGS", "SANITIZE_FLAGS", "FORTIFY", "ALL_CFLAGS", "LDFLAGS", "LIBRARY", "LLVM_CONFIG"}


def main():
    text = (HERE / "make_help.txt").read_text(encoding="utf-8")
    if "--check" not in sys.argv:
        print(text, end="")
        return 0
    makefile = (HERE / ".." / "Makefile").read_text(encoding="utf-8")
    joined = makefile.replace("\\\n", " ")
    names = set(re.search(r"^\.PHONY:(.*)$", joined, re.M).group(1).split())
    names |= set(re.findall(r"^([A-Z][A-Z0-9_]+)\s*\??=", makefile, re.M)) | set(re.findall(r"\$\(or \$\(([A-Z_]+)\)", makefile))
    names -= INTERNAL
    listed = set(word for line in text.splitlines() if line.startswith("  ") for word in re.split(r"  +", line.strip(), maxsplit=1)[0].replace(",", " ").split())
    for name in sorted(names - listed):
        print(f"scripts/make_help.txt: lacks {name}, which the Makefile has")
    scripts = makefile + "".join(path.read_text(encoding="utf-8") for path in HERE.glob("*.sh"))
    unused = [name for name in sorted(listed - names) if not re.search(rf"[{{(]{name}\b", scripts)]
    for name in unused:
        print(f"scripts/make_help.txt: has {name}, which neither the Makefile nor a script reads")
    return bool(names - listed or unused)


if __name__ == "__main__":
    sys.exit(main())
