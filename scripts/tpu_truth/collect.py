#!/usr/bin/env python3
"""collect.py FILE COUNT [--timed SHARE] [--seconds N] --programs FOLDER: compiles programs drawn at random with libtpu, until the data file
FILE (data_file.py) has figures of COUNT. Goes on where it was ended: seeds of the file are not drawn again; those whose lines are
deleted are. --timed: this share of the programs of one device is compiled to its end, for its time. --seconds: of processor time for a
program, up to its buffer assignment; ten times as many to its end. --programs: where the drawn programs stay. Run with the interpreter of
`python_env.sh scripts/tpu_truth_requirements.txt`."""
import argparse
import os
import random
import sys
import time

import draw_truth  # before JAX: sets what libtpu asks of its environment
import compiled
import data_file
from draw import GENERATIONS

FIRST = 2_026_000_000  # seed
SEVERAL = 0.25  # share of programs for several devices
WHOLE = 10  # times the processor time of a compile that ends at buffer assignment
TIMED = {"matmul", "quantized", "attention", "decode", "convolution", "norm", "elementwise", "reduction", "layout", "movement", "sort", "gather",
         "rng", "loop"}


def choose(seed):
    """-> class, generation, and a number in [0, 1) for whether the program is timed."""
    random_ = random.Random(f"collect {seed}")
    classes = compiled.SEVERAL if random_.random() < SEVERAL else compiled.ONE
    return random_.choice(sorted(classes)), random_.choice(GENERATIONS), random_.random()


def collect(seed, options):
    name, generation, chance = choose(seed)
    timed = name in TIMED and chance < options.timed
    how = argparse.Namespace(memory=not timed, keep=None, seconds=options.seconds * (WHOLE if timed else 1))
    program = os.path.join(options.programs, f"{name}_{seed}.mlirbc")
    row, in_time = draw_truth.compile_one(seed, name, generation, how, program)
    if not row:
        return {"seed": seed, "class": name, "gen": generation, "none": "compiler failed" if in_time else f"more than {how.seconds:g} s"}
    packed = data_file.pack(row)
    os.replace(program, os.path.join(options.programs, f"{name}_{seed}_{packed['digest']}.mlirbc"))
    return packed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("count", type=int)
    parser.add_argument("--timed", type=float, default=0.05)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--programs", required=True)
    options = parser.parse_args()
    os.makedirs(options.programs, exist_ok=True)
    rows = {row["seed"]: row for row in data_file.load(options.file)}
    seed = FIRST
    while sum("none" not in row for row in rows.values()) < options.count:
        if seed not in rows:
            began = time.monotonic()
            rows[seed] = collect(seed, options)
            data_file.store(options.file, rows.values())
            print(f"{rows[seed]['class']}_{seed} {rows[seed]['gen']} {time.monotonic() - began:.1f} s", rows[seed].get("none", ""), flush=True)
        seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
