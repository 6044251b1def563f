#!/usr/bin/env python3
"""Compares language models of quantized and other weights on a plugin, on JAX's own CPU, in PyTorch, ONNX Runtime and llama.cpp.

    llm.py PLUGIN [--sides gantry,xla,torch,compiled,onnx,llama] [--only REGEX] [--sizes tiny,450M,1.5B,8B] [--batches 1,4,16]
           [--cores N] [--rounds N] [--seconds S] [--limit S] [--torch PYTHON] [--llama PYTHON] [--json FILE] [--list]

The models are those of llm_jax.py, llm_torch.py, llm_onnx.py and llm_llama.py. PYTHON is an interpreter with PyTorch and ONNX Runtime,
or with llama.cpp; otherwise python_env.sh makes it of whole_models_requirements.txt (7 GB) and llm_llama_requirements.txt (which builds
llama.cpp for this machine's processor) if a side needs it. Each side is a process, bound to the same cores; they alternate, round by
round, if memory is enough for the models of all, and follow one another otherwise. A row for which memory is not even enough for one
side is not run, and no row begins after --limit seconds; a side that has not answered by then is ended. Rows that a side does not have
are omitted: ONNX Runtime has no products of bf16, or of int8 with a scale a column; llama.cpp has neither the latter, nor int4 unpacked.

Prints the medians of a call's wall time, the process's CPU time, the ratio of wall times to Gantry's (more than 1: Gantry is
faster), the bytes of weights and cache that a call reads in GB/s (numbers of 4 bits count as half a byte), and their share of the
bandwidth with which all cores read memory, measured beside each row."""
import argparse
import os
import re
import statistics
import subprocess
import sys
import threading
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"    # the threads of Bandwidth are its own
import numpy

del os.environ["OPENBLAS_NUM_THREADS"]

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import bench
import llm_sizes
import whole_models

KINDS = "f32", "bf16", "int8", "int8g32", "int8g128", "int4g32", "packed4g32"
READ = 1 << 28  # bytes for a core, more than a cache has,
ROW = 1 << 12   # in rows of so many numbers
PASSES = 3


class Bandwidth:
    """How fast all cores read memory together, in the fastest of some passes: products of a matrix with a vector, which read several
    rows at once. In one place at a time a core reads up to 40 % slower."""

    def __init__(self, cores):
        self.parts = [numpy.ones((READ // (4 * ROW), ROW), "float32") for _ in cores]
        self.vector = numpy.ones(ROW, "float32")

    def read(self):
        threads = [threading.Thread(target=part.dot, args=(self.vector,)) for part in self.parts]
        begin = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return len(self.parts) * READ / (time.perf_counter() - begin)

    def measure(self):
        return max(self.read() for _ in range(PASSES))


class LimitedSide(whole_models.ModelSide):
    """A side whose process is ended if it has not answered by a time of time.monotonic()."""

    def __init__(self, name, python, script, environment, cores):
        super().__init__(name, python, script, environment, cores)
        self.until = None

    def ask(self, **request):
        begin = time.monotonic()
        timer = threading.Timer(max(self.until - begin, 0), self.kill)
        timer.start()
        answer = super().ask(**request)
        timer.cancel()
        if "problem" in answer and time.monotonic() >= self.until:
            return {"problem": f"not done when the limit of --limit was reached, after {time.monotonic() - begin:.0f} s"}
        return answer

    def kill(self):
        if self.process:
            self.process.kill()


def interpreter(given, requirements):
    """The given interpreter, or one that python_env.sh makes."""
    maker = os.path.join(HERE, "..", "scripts", "python_env.sh")
    return given or subprocess.run([maker, os.path.join(HERE, requirements)], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def make_sides(arguments, cores):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_", "GLIBC_"))}
    ours = dict(clean, JAX_PLATFORMS="gantry", PJRT_NAMES_AND_LIBRARY_PATHS="gantry:" + os.path.abspath(arguments.plugin))
    own = lambda: sys.executable
    torch = lambda: interpreter(arguments.torch, "whole_models_requirements.txt")
    llama = lambda: interpreter(arguments.llama, "llm_llama_requirements.txt")
    sides = {"gantry": ("llm_jax.py", own, ours), "xla": ("llm_jax.py", own, dict(clean, JAX_PLATFORMS="cpu")),
             "torch": ("llm_torch.py", torch, clean), "compiled": ("llm_torch.py", torch, clean),
             "onnx": ("llm_onnx.py", torch, clean), "llama": ("llm_llama.py", llama, clean)}
    return [LimitedSide(name, python(), script, environment, cores)
            for name, (script, python, environment) in sides.items() if name in arguments.sides.split(",")]


def available():
    """Bytes of memory that processes can have."""
    with open("/proc/meminfo", encoding="ascii") as file:
        return 1024 * next(int(line.split()[1]) for line in file if line.startswith("MemAvailable"))


def measure(sides, name, arguments):
    """A row; each side's process ends after it, so that models of others have its memory."""
    need, free = llm_sizes.memory(name), available()
    if need > free:
        problem = {"problem": f"needs {need / 1e9:.1f} GB of memory, {free / 1e9:.1f} GB are available"}
        return {"name": name} | {side.name: problem for side in sides}
    groups = [sides] if need * len(sides) <= free else [[side] for side in sides]
    row = {}
    for group in groups:
        row |= whole_models.measure(group, name, arguments.rounds, arguments.seconds)
        for side in group:
            side.end()
    return row


def is_row_of(side):
    return not side.get("problem", "").endswith("not a row of this side")


def line(side, name, row, read):
    if "problem" in row[side]:
        return f"{name:24} {side:8} {row[side]['problem']}"
    rate, ours = row[side]["bytes"] / row[side]["wall"], row.get("gantry", {}).get("wall")
    ratio = f"{row[side]['wall'] / ours:6.2f}" if ours else f"{'-':>6}"
    return (f"{name:24} {side:8} {row[side]['wall'] * 1e3:9.2f} ms {row[side]['cpu'] * 1e3:9.2f} ms {ratio} {rate / 1e9:7.1f} GB/s "
            f"{100 * rate / read:4.0f} %")


def names_of(arguments):
    names = [f"{size} b{batch} {what} {kind}" for size in arguments.sizes.split(",") for what in ("decode", "prefill")
             for batch in arguments.batches.split(",") for kind in KINDS if what == "decode" or batch == "1"]
    return [name for name in names if re.search(arguments.only, name)]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--sides", default="gantry,xla,torch,compiled,onnx,llama")
    parser.add_argument("--torch", help="an interpreter with PyTorch and ONNX Runtime")
    parser.add_argument("--llama", help="an interpreter with llama.cpp (llama-cpp-python, gguf)")
    parser.add_argument("--only", default="", help="rows whose name this regular expression finds")
    parser.add_argument("--sizes", default="450M", help="tiny, 450M, 1.5B, 8B")
    parser.add_argument("--batches", default="1,4,16")
    parser.add_argument("--cores", type=int, default=0, help="bind all sides to that many cores (0: all)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="how long a side runs in a round, at least one call")
    parser.add_argument("--limit", type=float, default=3600, help="seconds after which no row begins")
    parser.add_argument("--json", help="write the figures here, too")
    parser.add_argument("--list", action="store_true", help="name the rows")
    return parser.parse_args()


def main():
    arguments, rows = parse(), []
    names, cores = names_of(arguments), sorted(os.sched_getaffinity(0))
    if arguments.list:
        print("\n".join(names))
        return
    cores = cores[:arguments.cores or len(cores)]
    sides, about, bandwidth = make_sides(arguments, cores), bench.machine(), Bandwidth(cores)
    print(f"{about['cpu']}, cores {cores}, JAX {about['jax']}, load {about['load']:.1f}")
    print(f"{'':32} {'wall':>12} {'CPU time':>12} {'ratio':>6} {'read':>12} of the bandwidth", flush=True)
    until = time.monotonic() + arguments.limit
    for side in sides:
        side.until = until
    for number, name in enumerate(names):
        if time.monotonic() >= until:
            print(f"{len(names) - number} rows were not run in {arguments.limit:.0f} s: {', '.join(names[number:])}")
            break
        reads = [bandwidth.measure()]
        row = measure(sides, name, arguments)
        read = statistics.median(reads + [bandwidth.measure() for _ in range(2)])
        rows.append(row | {"bandwidth": read})
        print("\n".join(line(side.name, name, row, read) for side in sides if is_row_of(row[side.name])), flush=True)
    whole_models.finish(sides, arguments.json, about, cores, rows)


if __name__ == "__main__":
    main()
