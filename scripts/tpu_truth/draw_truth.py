#!/usr/bin/env python3
"""draw_truth.py OUT [--seeds FIRST:LAST] [--classes A,B] [--generations A,B] [--memory] [--keep FOLDER] [--seconds N]: what libtpu's
compiler says of programs drawn at random. Appends one JSON object per program to OUT/rows.jsonl, and the program itself to OUT/programs.
A seed chooses class, generation and program. --memory: ends each compile at buffer assignment, before code generation, which
takes most of the time. Figures are kept (truth_cache.py), so the same seeds cost nothing again; --keep compiles anyway. --rows FILE: no compile; only the programs of these rows are drawn again. --keep: where the compiler's dumps stay. Run with the interpreter of
`python_env.sh scripts/tpu_truth_requirements.txt`."""
import argparse
import glob
import json
import math
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time

os.environ.update(TPU_SKIP_MDS_QUERY="1", ALLOW_MULTIPLE_LIBTPU_LOAD="1", JAX_PLATFORMS="cpu", TPU_WORKER_HOSTNAMES="localhost",
                  TPU_WORKER_ID="0", TPU_ACCELERATOR_TYPE="v5litepod-4", TF_CPP_MIN_LOG_LEVEL="3")

import compiled
import cycles
import dumps
from draw import GENERATIONS
from topology import topology
from truth_cache import Cache

LATEST = 5  # times the allowed processor time, on a busy machine


def ready(folder):
    """Whether buffer assignment has been dumped whole."""
    return bool(glob.glob(os.path.join(folder, "dump", "*after_optimizations-memory-usage-report.txt")))


def child(seed, name, generation, folder, whole, seconds):
    """Compiles in this process, and ends it; after so many seconds of processor time in any case."""
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds),) * 2)
    os.dup2(os.open(os.path.join(folder, "log"), os.O_WRONLY | os.O_CREAT), 2)
    os.dup2(2, 1)
    if whole:
        os.environ["LIBTPU_INIT_ARGS"] = cycles.flags(folder)
    status = 1
    try:
        compiled.compile(seed, name, generation, folder)
        status = 0
    finally:
        os._exit(status)


def wait(process, folder, seconds, whole):
    """Until the process has ended, or has what is wanted, or the time is over: then it is killed. -> whether the time sufficed."""
    end = time.monotonic() + LATEST * seconds
    while True:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return not os.WIFSIGNALED(status) or (not whole and ready(folder))
        if time.monotonic() > end or (not whole and ready(folder)):
            os.kill(process, signal.SIGKILL)
        time.sleep(0.05)


def load(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def row_of(seed, name, generation, folder, whole):
    drawn, outcome = load(folder, "drawn.json"), load(folder, "outcome.json")
    if not drawn or (not outcome and not dumps.find(folder, "buffer-assignment.txt")):
        return None
    where, options = topology(generation, drawn["devices"])
    row = {"name": f"{name}_{seed}", "seed": seed, "gen": generation, "category": name, "program": f"programs/{name}_{seed}.mlirbc",
           "digest": drawn["digest"], "num_devices": drawn["devices"], "topology": where, "topology_kwargs": options, "mesh": drawn["mesh"],
           "error": outcome.get("error"), "memory": {**dumps.boundary(folder), **outcome.get("memory", {}), **dumps.arenas(folder)}}
    if drawn["devices"] > 1:
        row["collectives"] = {"spmd": dumps.collectives(folder)}
    if whole and drawn["devices"] == 1 and "memory" in outcome:
        row["time"] = cycles.times(folder, generation)
    return row


def compile_one(seed, name, generation, options, program):
    """-> the row (None: no figures), its program at the path `program`, and whether the time sufficed."""
    folder = tempfile.mkdtemp(prefix="tpu_truth_")
    process = os.fork()
    if process == 0:
        child(seed, name, generation, folder, not options.memory, options.seconds)
    in_time = wait(process, folder, options.seconds, not options.memory)
    row = row_of(seed, name, generation, folder, not options.memory)
    if row:
        shutil.copy(os.path.join(folder, "program.mlirbc"), program)
    if options.keep:
        shutil.move(folder, os.path.join(options.keep, f"{name}_{seed}"))
    shutil.rmtree(folder, ignore_errors=True)
    return row, in_time


def one(seed, options, cache):
    choose = random.Random(seed)
    name, generation = choose.choice(options.classes), choose.choice(options.generations)
    key = (name, seed, generation, not options.memory)
    program = os.path.join(options.out, "programs", f"{name}_{seed}.mlirbc")
    began = time.monotonic()
    row = None if options.keep else cache.get(*key, program)
    if not row:
        row, in_time = compile_one(seed, name, generation, options, program)
        if row and in_time:
            cache.put(*key, program, row)
    print(f"{name}_{seed} {generation} {time.monotonic() - began:.1f} s", "" if row else "no figures", flush=True)
    if row:
        with open(os.path.join(options.out, "rows.jsonl"), "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def draw_again(options):
    """Writes the programs of rows that were compiled before."""
    with open(options.rows, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for row in rows:
        compiled.lower_only(row["seed"], row["category"], row["gen"], os.path.join(options.out, row["program"]))
    shutil.copy(options.rows, os.path.join(options.out, "rows.jsonl"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--seeds", default=None)
    parser.add_argument("--classes", default=",".join(compiled.CLASSES))
    parser.add_argument("--generations", default=",".join(GENERATIONS))
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--rows")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    options.classes, options.generations = options.classes.split(","), options.generations.split(",")
    first, last = (int(n) for n in options.seeds.split(":")) if options.seeds else (random.SystemRandom().randrange(1 << 30),) * 2
    os.makedirs(os.path.join(options.out, "programs"), exist_ok=True)
    if options.rows:
        return draw_again(options)
    cache = Cache()
    for seed in range(first, last + 1):
        one(seed, options, cache)
    return 0


if __name__ == "__main__":
    sys.exit(main())
