#!/usr/bin/env python3
"""Compares language models of quantized and other weights on a plugin, on JAX's own CPU, and in PyTorch.

    llm.py PLUGIN [--torch PYTHON] [--only REGEX] [--sizes tiny,450M] [--batches 1,4,16] [--cores N] [--rounds N] [--seconds S]
           [--json FILE] [--list]

The models are those of llm_jax.py and llm_torch.py; PYTHON is an interpreter with PyTorch. Each side is a process, bound to the
same cores; they alternate, round by round. Prints the medians of a call's wall time, the bytes of weights and cache that it reads
in GB/s (numbers of 4 bits count as half a byte), their share of the bandwidth with which all cores read memory, measured beside
each row, and the CPU time of the process."""
import argparse
import os
import re
import statistics
import subprocess
import sys
import threading
import time

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import bench
import whole_models

KINDS = "f32", "bf16", "int8", "int8g32", "int8g128", "int4g32", "packed4g32"
READ = 1 << 28  # bytes for a core, more than a cache has


class Bandwidth:
    """How fast all cores read memory together."""

    def __init__(self, cores):
        self.parts = [numpy.ones(READ // 4, "float32") for _ in cores]

    def measure(self):
        threads = [threading.Thread(target=part.max) for part in self.parts]
        begin = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return len(self.parts) * READ / (time.perf_counter() - begin)


def has_torch(python):
    return bool(python) and not subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode


def make_sides(plugin, cores, torch):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_", "GLIBC_"))}
    ours = dict(clean, JAX_PLATFORMS="gantry", PJRT_NAMES_AND_LIBRARY_PATHS="gantry:" + os.path.abspath(plugin))
    sides = [whole_models.ModelSide(name, sys.executable, "llm_jax.py", environment, cores)
             for name, environment in (("gantry", ours), ("xla", dict(clean, JAX_PLATFORMS="cpu")))]
    if has_torch(torch):
        return sides + [whole_models.ModelSide(name, torch, "llm_torch.py", clean, cores) for name in ("torch", "compiled")]
    print("torch, compiled: not installed (--torch PYTHON names an interpreter with PyTorch)")
    return sides


def line(side, name, row, read):
    if "problem" in row:
        return f"{name:24} {side:8} {row['problem']}"
    rate = row["bytes"] / row["wall"]
    return (f"{name:24} {side:8} {row['wall'] * 1e3:9.2f} ms {row['cpu'] * 1e3:9.2f} ms {rate / 1e9:7.1f} GB/s {100 * rate / read:4.0f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--torch", help="an interpreter with PyTorch")
    parser.add_argument("--only", default="", help="rows whose name this regular expression finds")
    parser.add_argument("--sizes", default="450M", help="tiny, 450M, 1.5B")
    parser.add_argument("--batches", default="1,4,16")
    parser.add_argument("--cores", type=int, default=0, help="bind all sides to that many cores (0: all)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="how long a side runs in a round, at least one call")
    parser.add_argument("--json", help="write the figures here, too")
    parser.add_argument("--list", action="store_true", help="name the rows")
    arguments = parser.parse_args()
    names = [f"{size} b{batch} {what} {kind}" for size in arguments.sizes.split(",") for what in ("decode", "prefill")
             for batch in arguments.batches.split(",") for kind in KINDS if what == "decode" or batch == "1"]
    names = [name for name in names if re.search(arguments.only, name)]
    if arguments.list:
        print("\n".join(names))
        return
    cores = sorted(os.sched_getaffinity(0))
    cores = cores[:arguments.cores or len(cores)]
    sides, about, bandwidth, rows = make_sides(arguments.plugin, cores, arguments.torch), bench.machine(), Bandwidth(cores), []
    print(f"{about['cpu']}, cores {cores}, JAX {about['jax']}, load {about['load']:.1f}")
    print(f"{'':32} {'wall':>12} {'CPU time':>12} {'read':>12} of the bandwidth", flush=True)
    for name in names:
        reads = [bandwidth.measure()]
        row = whole_models.measure(sides, name, arguments.rounds, arguments.seconds)
        read = statistics.median(reads + [bandwidth.measure() for _ in range(2)])
        rows.append(row | {"bandwidth": read})
        for side in sides:
            print(line(side.name, name, row[side.name], read), flush=True)
    whole_models.finish(sides, arguments.json, about, cores, rows)


if __name__ == "__main__":
    main()
