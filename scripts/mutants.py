#!/usr/bin/env python3
"""mutants.py GANTRY MUTANT.so PLUGIN.so [--every N] [NAME...]: tests `gantry cts` with the mutants of
conformance/mutants/mutants.def. Each wraps the plugin and breaks a rule: the suite has to notice. The harmless wrapper
has to pass all those rules. --every N: only each N-th mutant, beginning with another one each day. The last line is
'N passed, N failed'."""
import concurrent.futures
import datetime
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ROW = re.compile(r'^MUTANT\((\w+), "([^"]*)",\s*"([^"]*)"\)', re.M)
NOT_LOADED = 3  # the exit status


def run(command, plugin, mutant, rules):
    """The suite's exit status, and its last lines."""
    arguments = [word for rule in rules for word in ("--only", rule)]
    variables = {**os.environ, "MUTANT_PLUGIN": os.path.abspath(plugin), "GANTRY_CPU_DEVICES": "2"}
    variables.pop("MUTANT", None)
    if mutant:
        variables["MUTANT"] = mutant
    done = subprocess.run(command + arguments, env=variables, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout + done.stderr


def caught(command, plugin, name, breaks, rules):
    """None, or what to say about a mutant that survives. Every rule runs: none is skipped."""
    status, output = run(command, plugin, name, rules.split())
    counts = re.search(r"^# (\d+) passed, (\d+) failed, (\d+) skipped", output, re.M)
    if status == NOT_LOADED and "1.1.1" in rules or counts and int(counts.group(2)) > 0:
        return None
    return f"{name} survives: {breaks}, and {rules} {'pass' if status == 0 else 'do not run'}\n{output}"


def main():
    arguments = sys.argv[1:]
    every = 1
    if "--every" in arguments:
        at = arguments.index("--every")
        every = int(arguments[at + 1])
        del arguments[at:at + 2]
    gantry, library, plugin, *names = arguments
    command = [gantry, "cts", library, "--strict", "--format", "tap"]
    text = open(os.path.join(ROOT, "conformance/mutants/mutants.def"), encoding="utf-8").read()
    mutants = [row for row in ROW.findall(text) if not names or row[0] in names]
    mutants = mutants[datetime.date.today().toordinal() % every::every]
    problems = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda row: caught(command, plugin, *row), mutants)
        problems += [problem for problem in found if problem]
    rules = sorted({rule for row in mutants for rule in row[2].split()})
    for start in range(0, len(rules), 60):  # what one command takes
        status, output = run(command + ["--jobs", str(os.cpu_count())], plugin, None, rules[start:start + 60])
        if status != 0:
            problems.append(f"the harmless wrapper fails\n{output}")
    print("\n".join(problems + [f"{len(mutants) + 1 - len(problems)} passed, {len(problems)} failed"]))
    return len(problems) != 0


if __name__ == "__main__":
    sys.exit(main())
