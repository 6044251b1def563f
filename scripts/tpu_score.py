#!/usr/bin/env python3
"""tpu_score.py FOLDER PREDICTIONS.jsonl [NAME...]: what `gantry plan --tpu` says of every program of a folder with
compiler-made figures: FOLDER/rows.jsonl has an object per program and generation, with name, gen, category, program (a
file of the folder), num_devices, topology and topology_kwargs. NAME: only rows of these names, categories or generations.
Writes one prediction per line, as the folder's score.py reads them; programs that cannot be planned are listed."""
import concurrent.futures
import json
import os
import resource
import subprocess
import sys
import time

GANTRY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "bin", "gantry")
KEYS = ("argument_bytes", "output_bytes", "alias_bytes", "temp_bytes", "peak_bytes", "capacity_bytes", "fits", "seconds", "seconds_low",
        "seconds_high", "mfu", "collectives")
SLOW = 5  # seconds


def topology_of(row):
    options = [f"{key}={'x'.join(map(str, value)) if isinstance(value, list) else value}" for key, value in row["topology_kwargs"].items()]
    return ",".join([row["topology"], *options])


def plan(folder, row):
    command = [GANTRY, "plan", "--tpu", topology_of(row), "--devices", str(row["num_devices"]), "--format", "json",
               os.path.join(folder, row["program"])]
    began = time.time()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        return None, f"{row['name']} {row['gen']}: {done.stderr.strip()[:300]}"
    if time.time() - began > SLOW:
        print(f"{row['name']} {row['gen']} took {time.time() - began:.1f} s", file=sys.stderr)
    whole = json.loads(done.stdout)
    return {"name": row["name"], "gen": row["gen"], **{key: whole[key] for key in KEYS if key in whole}}, None


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder, out, wanted = sys.argv[1], sys.argv[2], set(sys.argv[3:])
    with open(os.path.join(folder, "rows.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    rows = [row for row in rows if not wanted or wanted & {row["name"], row["category"], row["gen"]}]
    failed = 0
    with open(out, "w", encoding="utf-8") as file, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for prediction, problem in pool.map(lambda row: plan(folder, row), rows):
            if prediction:
                file.write(json.dumps(prediction) + "\n")
            else:
                failed += 1
                print(problem)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{len(rows) - failed} planned, {failed} failed; {peak:.0f} MiB of memory at most")


if __name__ == "__main__":
    main()
