#!/usr/bin/env python3
"""abi.py: compares the headers of the PJRT C API and of XLA's FFI with their recorded layout, conformance/abi/HEADER.layout.

A record is a list of facts, one per line. Indented lines are the members of the fact above them:
    define NAME VALUE
    opaque NAME                     struct NAME is declared
    enum NAME BYTES                   VALUE ENUMERATOR
    struct NAME BYTES ALIGNMENT       OFFSET BYTES FIELD : TYPE
    function NAME : TYPE              the name is a function type
    pointer NAME : TYPE               the name is a pointer to a function
Each fact is checked by a static assertion in C. A record passes if the compiler accepts all of them."""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
RECORDS = os.path.join(ROOT, "conformance", "abi")


def is_type(expression, kind):
    return f"_Generic({expression}, __typeof__({kind}) *: 1, default: 0)"


def assertion(words, kind, owner):
    """The C declaration that checks a fact: its words, the type after the colon, and the words of the fact that owns it."""
    if words[0] == "opaque":
        return f"extern struct {words[1]} *fact_{words[1]};"
    if words[0] == "define":
        condition = f"{words[1]} == {words[2]}"
    elif words[0] == "enum":
        condition = f"sizeof({words[1]}) == {words[2]}"
    elif words[0] == "struct":
        condition = f"sizeof(struct {words[1]}) == {words[2]} && _Alignof(struct {words[1]}) == {words[3]}"
    elif words[0] in ("function", "pointer"):
        condition = is_type(f"({words[1]} *)0", kind)
    elif owner[0] == "enum":
        condition = f"{words[1]} == {words[0]}"
    else:
        field = f"((struct {owner[1]} *)0)->{words[2]}"
        condition = (f"offsetof(struct {owner[1]}, {words[2]}) == {words[0]} && sizeof({field}) == {words[1]} && "
                     + is_type(f"&{field}", kind))
    return f'_Static_assert({condition}, "");'


def facts_of(record):
    """A list of (fact, declaration); the fact includes the name of its owner."""
    facts, owner = [], None
    for line in open(record, encoding="ascii"):
        words, _, kind = (part.strip() for part in line.partition(" : "))
        words = words.split()
        if not line.startswith(" "):
            owner = words
        name = " ".join(words) if owner is words else f"{owner[1]}: {line.strip()}"
        facts.append((name, assertion(words, kind, owner)))
    return facts


def differences(header, facts):
    """The facts that do not hold, or other errors of the compiler."""
    lines = ["#include <stddef.h>", "#include <stdint.h>", f'#include "{header}"'] + [declaration for _, declaration in facts]
    compiler = os.environ.get("CC", "cc")
    every_error = "-ferror-limit=0" if "clang" in compiler else "-fmax-errors=0"
    command = [compiler, "-std=c11", "-fsyntax-only", "-w", every_error, "-I", ROOT, "-I", os.path.join(ROOT, "include"), "-x", "c", "-"]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    wrong = {int(number) for number in re.findall(r"^<stdin>:(\d+):\d+: (?:fatal )?error", done.stderr, re.M)}
    named = [facts[number - 4][0] for number in sorted(wrong) if number > 3]
    return named or ([done.stderr.strip()[:400]] if done.returncode else [])


def main():
    passed = failed = 0
    for record in sorted(glob.glob(os.path.join(RECORDS, "*.layout"))):
        header = os.path.basename(record).replace(".layout", ".h")
        facts = facts_of(record)
        wrong = differences(header, facts)
        for fact in wrong:
            print(f"{header}: differs from the record: {fact}")
        passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
