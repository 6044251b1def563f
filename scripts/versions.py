#!/usr/bin/env python3
"""Runs the row of every client version in versions.txt on the wheel, and prints the table of what works.

    versions.py WHEEL [--only REGEX] [--prepare] [--verbose]

Each section of versions.txt gets an environment of its own (python_env.sh, cached), in which the wheel is unpacked and
the client's row runs: conformance/clients/versions/<client>_row.py, or row.sh for Go. A row prints a line for each of
its columns, `train: passed`, `callbacks: failed: why` or `callbacks: none` where the client has no such thing.
--prepare: only makes the environments. --only: the sections whose name the regular expression finds, as 'jax 0.[67]'.
The environments with PyTorch (torch_xla, torchax, torch_tpu) take 7 GB each, so those that do not exist are made only
if GANTRY_TORCH=1.
The last line has the counts, by cells of the table."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = os.path.join(HERE, "..", "conformance", "clients", "versions")
COLUMNS = ("train", "callbacks", "donation", "sharded arrays")
ROW_SECONDS = 900


def sections():
    """[(client, version, lines)] of versions.txt."""
    found = []
    with open(os.path.join(HERE, "versions.txt"), encoding="utf-8") as file:
        for line in file.read().splitlines():
            heading = re.fullmatch(r"\[(\S+) (\S+)\]", line)
            if heading:
                found.append((*heading.groups(), []))
            elif line and (not line.startswith("#") or line.startswith("# python ")):
                found[-1][2].append(line)
    return found


def requirements(client, version, lines, folder):
    """The path of a requirements file with the section's packages."""
    if lines[0].startswith("-r "):
        return os.path.join(HERE, lines[0].removeprefix("-r "))
    path = os.path.join(folder, f"{client}-{version}.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def environment(client, version, lines, folder):
    """The section's interpreter; None where it does not exist and is too large to make unasked."""
    path = requirements(client, version, lines, folder)
    tool = os.path.join(HERE, "python_env.sh")
    cached = client.startswith("torch") and os.environ.get("GANTRY_TORCH", "0") != "1"
    done = subprocess.run([tool, "--cached", path] if cached else [tool, path], stdout=subprocess.PIPE, text=True)
    if done.returncode and not cached:
        raise SystemExit(f"versions.py: the environment of {client} {version} cannot be made")
    return None if done.returncode else done.stdout.strip()


def run_row(command, site):
    """{column: "passed", "failed: why", "none" or "skipped: why"}, and the row's whole output."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_", "XLA_", "TPU_", "GANTRY_"))}
    own.update(PYTHONPATH=site, GANTRY_LIB=os.path.join(site, "gantry_pjrt", "lib"))
    try:
        done = subprocess.run(command, env=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=ROW_SECONDS, cwd=site)
        output = done.stdout
    except subprocess.TimeoutExpired as late:
        output = (late.stdout or b"").decode(errors="replace") + f"\nnot done in {ROW_SECONDS} s"
    cells = {}
    for column in COLUMNS:
        line = re.search(f"^{column}: ((?:passed|failed|none|skipped).*)$", output, re.M)
        cells[column] = line.group(1) if line else "failed: no result"
    return cells, output


def row(client, version, lines, folder, site):
    if client == "go-xla":
        return run_row([os.path.join(ROWS, "go_row.sh"), *lines], site)
    python = environment(client, version, lines, folder)
    if python is None:
        return dict.fromkeys(COLUMNS, "skipped: GANTRY_TORCH=1 installs it (7 GB)"), ""
    return run_row([python, os.path.join(ROWS, f"{client}_row.py")], site)


def print_row(name, cells):
    words = [cells[column].split(":")[0] for column in COLUMNS]
    print(f"| {name:16} | " + " | ".join(f"{word:{len(column)}}" for word, column in zip(words, COLUMNS)) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", nargs="?")
    parser.add_argument("--only", default="")
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="print the output of every row")
    arguments = parser.parse_args()
    chosen = [entry for entry in sections() if re.search(arguments.only, " ".join(entry[:2]))]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory() as folder:
        if arguments.prepare:
            for client, version, lines in chosen:
                if client != "go-xla":
                    print(f"{client} {version}: {environment(client, version, lines, folder)}", flush=True)
            return 0
        if not arguments.wheel:
            parser.error("name the wheel (make wheel)")
        site = os.path.join(folder, "site")
        with zipfile.ZipFile(arguments.wheel) as wheel:
            wheel.extractall(site)
        problems = []
        print(f"| {'client':16} | " + " | ".join(COLUMNS) + " |\n|---|" + "---|" * len(COLUMNS))
        for client, version, lines in chosen:
            cells, output = row(client, version, lines, folder, site)
            print_row(f"{client} {version}", cells)
            for column, cell in cells.items():
                kind = cell.split(":")[0]
                counts[kind] = counts.get(kind, 0) + 1
                if kind == "failed":
                    problems.append(f"FAILED  {client} {version}, {column}: {cell.partition(': ')[2]}")
            if arguments.verbose or any(cell.startswith("failed") for cell in cells.values()):
                problems.append("\n".join(output.splitlines()[-40:]))
    print("\n".join(problems))
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
