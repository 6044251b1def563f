#!/usr/bin/env python3
"""restore.py FILE FOLDER [--every N] [--classes A,B] [--generations A,B]: draws the programs of a data file (data_file.py) again, as
FOLDER/programs and FOLDER/rows.jsonl, which compare.py reads. Programs that are there are kept. Rows whose program is another one
now, because the grammar or JAX changed, are left out and named: delete their lines, and collect.py draws them anew. --every: only each
N-th row. Run with the interpreter of `python_env.sh scripts/tpu_truth_requirements.txt`."""
import argparse
import json
import os
import sys

import draw_truth  # before JAX: sets what libtpu asks of its environment
import compiled
import data_file


def restore(row, folder):
    """-> whether the program is the row's."""
    path = os.path.join(folder, row["program"])
    if os.path.exists(path):
        return True
    _, lowered = compiled.lower_only(row["seed"], row["category"], row["gen"], path + ".new")
    same = compiled.digest(lowered) == row["digest"]
    os.replace(path + ".new", path) if same else os.remove(path + ".new")
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("folder")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--classes")
    parser.add_argument("--generations")
    options = parser.parse_args()
    packed = data_file.load(options.file)
    rows = [data_file.unpack(item) for item in packed if "none" not in item][::options.every]
    rows = [row for row in rows if not options.classes or row["category"] in options.classes.split(",")]
    rows = [row for row in rows if not options.generations or row["gen"] in options.generations.split(",")]
    os.makedirs(os.path.join(options.folder, "programs"), exist_ok=True)
    same = [restore(row, options.folder) for row in rows]
    others = [row["name"] for row, is_same in zip(rows, same) if not is_same]
    with open(os.path.join(options.folder, "rows.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row, is_same in zip(rows, same) if is_same)
    print(f"{sum(same)} programs with figures of {len(packed)} that were drawn")
    if others:
        print(f"{len(others)} are other programs now:", *others)
    return 0


if __name__ == "__main__":
    sys.exit(main())
