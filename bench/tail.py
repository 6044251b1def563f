#!/usr/bin/env python3
"""Finds programs that are slow, of kinds that no benchmark names: compares the snippets of snippets/ on a
plugin and on JAX's own CPU.

    tail.py PLUGIN [--only REGEX] [--rows FOLDER] [--part I/N] [--isa ISA] [--rounds N] [--seconds S] [--json FILE]
            [--list]
    tail.py PLUGIN --baseline PLUGIN ...: compares two builds; exits with 1 if a row is slower than --allowed says
    tail.py PLUGIN --predict ...: how well the plugin predicts the time of an execution, on one core

Both sides are processes on the same cores and alternate. CPU time of the whole process counts: of a call, and of a
compilation with the first call. Prints a line for each row whose ratio peer / Gantry is below 1.0 after it was measured
again with more rounds, with the steps of the program that take the time; then the geometric means, how many rows are
below 1.0, 0.9 and 0.7, and the slowest rows. A row whose results differ between the sides is marked `differs`; one that
fails on Gantry alone is reported, one that fails on the peer as well is left out. --isa limits all sides to an instruction
set, as in bench.py.

--predict prints for each row what the cost analysis says (`optimal_seconds`), what the profiler measures (the median of an
execution, without the client's part of a call) and their ratio, then Spearman's rank correlation of both."""
import argparse
import json
import math
import os
import re
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import bench
import snippets

AGAIN = 3                       # a row that seems slow is measured with that many times the rounds


def ratios(row, peer):
    """Of steps and of first calls; None where a side failed."""
    ours, other = row["gantry"], row[peer]
    if "problem" in ours or "problem" in other:
        return None
    return other["cpu"] / ours["cpu"], bench.compile_ratio(row, peer)


def measure(sides, name, arguments):
    row, peer = bench.prepare(sides, name, arguments.rows), sides[1].name
    bench.measure(sides, row, arguments.rounds, arguments.seconds, "first")
    if ratios(row, peer) and min(ratios(row, peer)) < arguments.allowed:
        bench.measure(sides, row, AGAIN * arguments.rounds, 2 * arguments.seconds, "first")
        if ratios(row, peer) and ratios(row, peer)[0] < arguments.allowed:
            row["kernels"] = sides[0].ask(do="kernels").get("kernels", "")
    return row


def line(row, peer):
    ours, other = row["gantry"], row[peer]
    if "problem" in ours:
        return f"fails: {row['name']}: {ours['problem']}"
    step, first = ratios(row, peer)
    times = [bench.spell(side[what]) for what in ("cpu", "compile_cpu") for side in (ours, other)]
    end = "  differs" if bench.differs(row, peer) else ""
    kernels = f"\n      {row['kernels']}" if row.get("kernels") else ""
    return (f"{step:6.2f} {times[0]:>8} {times[1]:>8}  first {first:6.2f} {times[2]:>8} {times[3]:>8}  {row['name']}{end}{kernels}")


def is_reported(row, peer, allowed):
    if "problem" in row[peer]:
        return False
    return "problem" in row["gantry"] or min(ratios(row, peer)) < allowed or bench.differs(row, peer)


def mean(values):
    return math.exp(sum(map(math.log, values)) / max(len(values), 1))


def summary(rows, peer):
    good = [row for row in rows if ratios(row, peer)]
    lines = []
    for i, what in enumerate(("steps", "first calls")):
        values = [ratios(row, peer)[i] for row in good]
        below = ", ".join(f"{sum(value < limit for value in values)} below {limit}" for limit in (1.0, 0.9, 0.7))
        lines.append(f"{what}: {mean(values):.2f} times as fast over {len(values)} rows (geometric mean), {below}")
    slowest = sorted(good, key=lambda row: ratios(row, peer)[0])[:10]
    return lines + ["the slowest steps:"] + [f"{ratios(row, peer)[0]:6.2f}  {row['name']}" for row in slowest]


def ranks(values):
    """Equal values have the mean of their ranks."""
    order, found, i = sorted(range(len(values)), key=values.__getitem__), [0.0] * len(values), 0
    while i < len(order):
        end = i
        while end < len(order) and values[order[end]] == values[order[i]]:
            end += 1
        for k in order[i:end]:
            found[k] = (i + end - 1) / 2
        i = end
    return found


def rank_correlation(xs, ys):
    return statistics.correlation(ranks(xs), ranks(ys))


def predictions(side, names, folder):
    """Prints a line for each row; returns those that were measured."""
    rows = []
    for name in names:
        answer = side.ask(do="prepare", name=name, folder=folder)
        answer = answer if "problem" in answer else answer | side.ask(do="predict")
        if "problem" in answer:
            print(f"fails: {name}: {answer['problem']}", flush=True)
            continue
        rows.append({"name": name} | answer)
        ratio = answer["predicted"] / answer["measured"]
        print(f"{bench.spell(answer['predicted']):>8} {bench.spell(answer['measured']):>8} {ratio:6.2f}  {name}", flush=True)
    return rows


def prediction_summary(rows):
    pairs = [(row["predicted"], row["measured"]) for row in rows]
    errors = sorted(abs(math.log(a / b)) for a, b in pairs)
    middle, far = (math.exp(errors[int(share * (len(errors) - 1))]) for share in (0.5, 0.9))
    return (f"rank correlation {rank_correlation(*zip(*pairs)):.3f} over {len(rows)} rows; half are within a factor of "
            f"{middle:.2f}, nine of ten within {far:.2f}")


def predict(arguments, cores):
    side = bench.make_sides(arguments.plugin, None, cores[:1], 0, arguments.isa)[0]
    about = bench.machine()
    print(f"{about['cpu']}, core {cores[0]}, JAX {about['jax']}, load {about['load']:.1f}; predicted, measured, ratio", flush=True)
    rows = predictions(side, selected(arguments), arguments.rows)
    side.end()
    print(prediction_summary(rows))
    return {"machine": about, "predictions": rows}


def selected(arguments):
    names = [name for name in dict.fromkeys(snippets.names_in(arguments.rows)) if re.search(arguments.only, name)]
    part, parts = map(int, arguments.part.split("/"))
    return names[part - 1::parts]


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--only", default="", help="rows whose name this regular expression finds")
    parser.add_argument("--rows", metavar="FOLDER", type=os.path.abspath, default=str(snippets.FOLDER),
                        help="a folder of modules like those of snippets/, in place of it")
    parser.add_argument("--part", default="1/1", help="I/N: every N-th row, from the I-th")
    parser.add_argument("--isa", choices=bench.ISAS, default="", help="limit all sides to this instruction set")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.01, help="how long a side runs in a round")
    parser.add_argument("--baseline", help="compare with this plugin, in place of JAX's own CPU")
    parser.add_argument("--allowed", type=float, help="report rows below (1.0; 0.8 beside a baseline)")
    parser.add_argument("--predict", action="store_true", help="compare predicted and measured times, on one core")
    parser.add_argument("--json", help="write the figures here, too")
    parser.add_argument("--list", action="store_true", help="name the rows")
    arguments = parser.parse_args()
    arguments.allowed = arguments.allowed or (0.8 if arguments.baseline else 1.0)
    return arguments


def write(path, data):
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)


def main():
    arguments, rows = options(), []
    if arguments.list:
        print("\n".join(selected(arguments)))
        return
    cores = sorted(os.sched_getaffinity(0))
    if arguments.predict:
        write(arguments.json, predict(arguments, cores))
        return
    sides = bench.make_sides(arguments.plugin, arguments.baseline, cores, 0, arguments.isa)[:2]
    peer, about = sides[1].name, bench.machine()
    print(f"{about['cpu']}, cores {cores}, JAX {about['jax']}, load {about['load']:.1f}; ratio, Gantry, {peer}", flush=True)
    for name in selected(arguments):
        rows.append(measure(sides, name, arguments))
        if is_reported(rows[-1], peer, arguments.allowed):
            print(line(rows[-1], peer), flush=True)
    for side in sides:
        side.end()
    print("\n".join(summary(rows, peer)))
    write(arguments.json, {"machine": about, "rows": rows})
    sys.exit(1 if arguments.baseline and any(is_reported(row, peer, arguments.allowed) for row in rows) else 0)


if __name__ == "__main__":
    main()
