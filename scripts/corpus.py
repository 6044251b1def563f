#!/usr/bin/env python3
"""corpus.py PLUGIN EXPECTED [CORPUS]: runs the corpus of StableHLO programs through a plugin, when the corpus is
beside the project, and holds the result against the list of cases that are known not to pass.

A line of EXPECTED is a glob over case names and, after it, the reason. Such a case counts as skipped; when it passes,
it is named, so that the list gets shorter. With CORPUS_VERSIONS set, the programs that the corpus has in older versions of
the portable artifact run, too."""
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile

# Of each group, what GANTRY_DENORMALS is: results in `extra` are exact ones, which XLA does not give.
GROUPS = {"testdata": None, "interp": None, "math": None, "models": None, "extra": "keep"}


def read_expected(path):
    lines = [line.split("#")[0].strip() for line in open(path, encoding="utf-8")] if os.path.exists(path) else []
    return [line.split(None, 1)[0] for line in lines if line]


def lay_out_versions(corpus, folder):
    """Cases out of versions/<group>_<case>.<version>.mlirbc: the arrays are those of <group>/<case>."""
    for file in sorted(os.listdir(os.path.join(corpus, "versions"))):
        match = re.fullmatch(r"([a-z]+)_(.*)\.(\d+\.\d+\.\d+)\.mlirbc", file)
        if not match:
            continue
        base, stem = os.path.join(corpus, match[1], match[2]), os.path.join(folder, file.removesuffix(".mlirbc"))
        os.symlink(os.path.join(corpus, "versions", file), stem + ".mlirbc")
        os.symlink(base + ".bin", stem + ".bin")
        with open(base + ".case", encoding="ascii") as case, open(stem + ".case", "w", encoding="ascii") as out:
            out.write(re.sub(r"(?m)^name .*$", f"name versions/{os.path.basename(stem)}", case.read()))


def run(plugin, corpus, folders, denormals):
    environment = dict(os.environ, GANTRY_DENORMALS=denormals) if denormals else os.environ
    with tempfile.NamedTemporaryFile(suffix=".json") as results:
        subprocess.run([sys.executable, os.path.join(corpus, "run_corpus.py"), "--plugin", plugin, "--name", "gantry",
                        "--timeout", "60", "--extra", "--quiet", "--max-message", "400", "--json", results.name,
                        *folders], check=False, env=environment)
        return [json.loads(line) for line in open(results.name, encoding="utf-8")]


def main():
    plugin, expected = sys.argv[1], read_expected(sys.argv[2])
    corpus = sys.argv[3] if len(sys.argv) > 3 else "../shared/corpus"
    if not os.path.exists(os.path.join(corpus, "run_corpus.py")):
        print("0 passed, 0 failed, 1 skipped")
        return 0
    corpus = os.path.abspath(corpus)
    cases = []
    with tempfile.TemporaryDirectory() as versions:
        if os.environ.get("CORPUS_VERSIONS"):
            lay_out_versions(corpus, versions)
        for denormals in (None, "keep"):
            folders = [os.path.join(corpus, group) for group in GROUPS if GROUPS[group] == denormals]
            cases += run(plugin, corpus, folders if denormals else [*folders, versions], denormals)
    passed = failed = skipped = 0
    for case in cases:
        known = any(fnmatch.fnmatch(case["name"], glob) for glob in expected)
        if case["status"] == "pass":
            passed += 1
            if known:
                print(f"{case['name']} passes, but {sys.argv[2]} lists it")
        elif known:
            skipped += 1
        else:
            failed += 1
    if not cases:
        failed = 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())
