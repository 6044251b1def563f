#!/usr/bin/env python3
"""Compares whole models on a plugin, in PyTorch's eager mode and in ONNX Runtime.

    whole_models.py PLUGIN --torch PYTHON [--only REGEX] [--cores N] [--rounds N] [--seconds S] [--json FILE] [--list]

GPT-2 small (one sequence of 512) forward and a step of training (loss, gradient, SGD), ResNet-50 (4 images of 224 x 224) forward
with running statistics and the gradient of the loss with those of the batch, in f32 and in bf16 (weights, activations and
gradients; the loss in f32). Weights are random: nothing is downloaded. ONNX Runtime runs the forward rows, as PyTorch exports
them.

Each side is a process, bound to the same cores; they alternate, round by round. PYTHON is an interpreter with PyTorch and
ONNX Runtime (whole_models_requirements.txt). Prints the medians of a call's wall time and CPU time (of the whole process) and
the ratios peer / Gantry (more than 1: Gantry is faster). The losses of the sides are not equal: their weights differ."""
import argparse
import json
import os
import re
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import bench

ROWS = [f"{model} {what} {kind}" for model, whats in (("GPT-2 small", ("forward", "train")), ("ResNet-50", ("forward", "gradient")))
        for what in whats for kind in ("f32", "bf16")]


class ModelSide(bench.Side):
    def __init__(self, name, python, script, environment, cores):
        super().__init__(name, environment, cores)
        self.command = [python, os.path.join(HERE, script), name, ",".join(map(str, cores))]


def make_sides(arguments, cores):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_", "GLIBC_"))}
    plugin = dict(clean, JAX_PLATFORMS="gantry", PJRT_NAMES_AND_LIBRARY_PATHS="gantry:" + os.path.abspath(arguments.plugin))
    torch = [ModelSide(name, arguments.torch, "whole_models_torch.py", clean, cores) for name in ("torch", "onnx")]
    return [ModelSide("gantry", sys.executable, "whole_models_jax.py", plugin, cores)] + torch


def measure(sides, name, rounds, seconds):
    row = {"name": name}
    for side in sides:
        row[side.name] = side.ask(do="prepare", name=name)
    timed = [side for side in sides if "problem" not in row[side.name]]
    samples = {side.name: [] for side in timed}
    for number in range(rounds):
        for side in timed if number % 2 else reversed(timed):
            samples[side.name].append(side.ask(do="time", seconds=seconds))
    for side in timed:
        bad = [sample for sample in samples[side.name] if "problem" in sample]
        row[side.name] = bad[0] if bad else row[side.name] | {
            what: statistics.median(sample[what] for sample in samples[side.name]) for what in ("wall", "cpu")}
    return row


def cell(row, name, what):
    side = row[name]
    if "problem" in side:
        return f"{'-':>9} {'':>6}"
    ratio = "" if "problem" in row["gantry"] else f"{side[what] / row['gantry'][what]:6.2f}"
    return f"{bench.spell(side[what]):>9} {ratio:>6}"


def line(row):
    if "problem" in row["gantry"]:
        return f"{row['name']:28} {row['gantry']['problem']}"
    cells = [f"{bench.spell(row['gantry'][what]):>9} {cell(row, 'torch', what)} {cell(row, 'onnx', what)}" for what in ("cpu", "wall")]
    return f"{row['name']:28} " + "   ".join(cells)


def finish(sides, path, about, cores, rows):
    """Ends the sides and writes the figures to the path, unless it is None."""
    for side in sides:
        side.end()
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"machine": about, "cores": len(cores), "rows": rows}, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--torch", default=sys.executable, help="an interpreter with PyTorch and ONNX Runtime")
    parser.add_argument("--only", default="", help="rows whose name this regular expression finds")
    parser.add_argument("--cores", type=int, default=0, help="bind all sides to that many cores (0: all)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="how long a side runs in a round, at least one call")
    parser.add_argument("--json", help="write the figures here, too")
    parser.add_argument("--list", action="store_true", help="name the rows")
    arguments = parser.parse_args()
    names, rows = [name for name in ROWS if re.search(arguments.only, name)], []
    if arguments.list:
        print("\n".join(names))
        return
    cores = sorted(os.sched_getaffinity(0))
    cores = cores[:arguments.cores or len(cores)]
    sides, about = make_sides(arguments, cores), bench.machine()
    print(f"{about['cpu']}, cores {cores}, JAX {about['jax']}, load {about['load']:.1f}")
    part = f"{'Gantry':>9} {'PyTorch':>9} {'ratio':>6} {'ONNX RT':>9} {'ratio':>6}"
    print(f"{'':28} {'CPU time':>9}{'':34} {'wall':>9}\n{'':28} {part}   {part}", flush=True)
    for name in names:
        rows.append(measure(sides, name, arguments.rounds, arguments.seconds))
        print(line(rows[-1]), flush=True)
        for side in sides[1:]:
            problem = rows[-1][side.name].get("problem")
            if problem and not problem.endswith("not a row of this side"):
                print(f"{'':28} {side.name}: {problem}", flush=True)
    finish(sides, arguments.json, about, cores, rows)


if __name__ == "__main__":
    main()
