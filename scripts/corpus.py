#!/usr/bin/env python3
"""corpus.py RUNNER PLUGIN EXPECTED: runs the corpora of programs with known results on a plugin: the project's own, as
bytecode and as text, and ../shared/corpus if it exists. With CORPUS_VERSIONS set, also the programs that the latter has
in older versions of the portable artifact. Prints a line of counts for each corpus; the last line is their sum.

EXPECTED lists the expected failures (see gantry_corpus)."""
import os
import re
import subprocess
import sys
import tempfile

OWN, SHARED = "build/corpus", "../shared/corpus"
SHARED_GROUPS = ("testdata", "interp", "math", "models", "extra")


def lay_out_versions(corpus, folder):
    """Creates a case for each versions/<group>_<case>.<version>.mlirbc, with the arrays of <group>/<case>."""
    corpus = os.path.abspath(corpus)
    for file in sorted(os.listdir(os.path.join(corpus, "versions"))):
        match = re.fullmatch(r"([a-z]+)_(.*)\.(\d+\.\d+\.\d+)\.mlirbc", file)
        if not match:
            continue
        base, stem = os.path.join(corpus, match[1], match[2]), os.path.join(folder, file.removesuffix(".mlirbc"))
        os.symlink(os.path.join(corpus, "versions", file), stem + ".mlirbc")
        os.symlink(base + ".bin", stem + ".bin")
        os.symlink(base + ".case", stem + ".case")


def run(title, folder, *options, denormals="flush"):
    """Runs a corpus, prints its failures, and returns its counts."""
    runner, plugin, expected = sys.argv[1:4]
    done = subprocess.run([runner, plugin, folder, "--expected", expected, *options], stdout=subprocess.PIPE, text=True, check=False,
                          env=dict(os.environ, GANTRY_DENORMALS=denormals))
    *words, last = done.stdout.strip().split("\n")
    print("\n".join([*words, f"{title}: {last}"]), flush=True)
    counts = [int(number) for number in re.findall(r"\d+", last)]
    return counts if len(counts) == 3 else [0, 1, 0]


def main():
    counts = [run("own corpus, bytecode", OWN), run("own corpus, text", OWN, "--form", ".mlir")]
    if os.path.isdir(SHARED):
        for group in SHARED_GROUPS:  # the results in `extra` are exact, with denormals, unlike XLA's
            counts.append(run(f"{SHARED}/{group}", f"{SHARED}/{group}", denormals="keep" if group == "extra" else "flush"))
        if os.environ.get("CORPUS_VERSIONS"):
            with tempfile.TemporaryDirectory() as folder:
                lay_out_versions(SHARED, folder)
                counts.append(run(f"{SHARED}, older versions", folder))
    else:
        print(f"skipped: {SHARED} does not exist")
        counts.append([0, 0, 1])
    passed, failed, skipped = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())
