#!/usr/bin/env python3
"""coverage.py SUMMARY FOLDERS: prints the lines and branches that ran, of each top folder (and of compiler/frontend), from
the summary of llvm-cov. The last line is 'N passed, N failed', a case for each folder and measure. Variables:
COVERAGE_LINES (percent; 90), COVERAGE_BRANCHES (80), COVERAGE_FILES=1 prints every file."""
import json
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def main(path, folders):
    folders = set(folders.split())
    tops = sorted({"/".join(folder.split("/")[:2 if folder.startswith("compiler/") else 1]) for folder in folders})
    least = {"lines": float(os.environ.get("COVERAGE_LINES", 90)), "branches": float(os.environ.get("COVERAGE_BRANCHES", 80))}
    files = {}
    for file in json.load(open(path, encoding="utf-8"))["data"][0]["files"]:
        name = os.path.relpath(os.path.join(ROOT, file["filename"]), ROOT)
        if os.path.dirname(name) in folders and name.endswith(".c"):
            files[name] = file["summary"]
    passed = failed = 0
    print(f"{'':44}{'lines':>10}{'ran':>8}{'branches':>10}{'ran':>8}")
    for top in tops:
        row = []
        for measure in least:
            of = [summary[measure] for name, summary in files.items() if name.startswith(top + "/")]
            count, covered = sum(one["count"] for one in of), sum(one["covered"] for one in of)
            percent = 100 * covered / max(count, 1)
            good = count > 0 and percent >= least[measure]
            passed, failed = passed + good, failed + (not good)
            row.append(f"{count:10}{percent:7.1f}%")
        print(f"{top:44}" + "".join(row))
    if os.environ.get("COVERAGE_FILES"):
        for name, summary in sorted(files.items(), key=lambda item: item[1]["branches"]["covered"] - item[1]["branches"]["count"]):
            print(f"{name:44}" + "".join(f"{summary[m]['count']:10}{summary[m]['percent']:7.1f}%" for m in least))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
