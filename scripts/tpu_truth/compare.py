#!/usr/bin/env python3
"""compare.py FOLDER [--detail] [--above BYTES] [--most SHARE]: what `gantry plan --tpu` says of the programs of FOLDER (draw_truth.py made them), beside
the compiler's figures: errors by class of HBM, temporaries, times, and lists of collectives. FOLDER/rows.jsonl may also be another
set of the same form. --most: fails if the HBM of a program is further off than that, or a list of collectives differs. Standard
library only."""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tpu_score

MIB = 1 << 20
TIERS = {"A": "time, by the compiler's schedule", "B": "time, cycles of some loops unknown"}
SHORTEST = 2e-6  # seconds: below, the launch decides, which neither side has


def temporaries(row):
    memory = row["memory"]
    whole = memory.get("temp_bytes")
    return whole if whole is not None else memory.get("temp_assigned_bytes")


def median(values):
    values = sorted(values)
    return values[len(values) // 2] if len(values) % 2 else (values[len(values) // 2 - 1] + values[len(values) // 2]) / 2


def ninetieth(values):
    return sorted(values)[max(0, -(-9 * len(values) // 10) - 1)]


BOUNDARY = ("argument_bytes", "output_bytes", "alias_bytes")


def has_boundary(memory):
    return all(memory.get(key) is not None for key in BOUNDARY)


def boundary(memory, plan):
    """Arguments + outputs - aliases: the compiler's where it is known, else the plan's, which are exact."""
    source = memory if has_boundary(memory) else plan
    return source["argument_bytes"] + source["output_bytes"] - source["alias_bytes"]


class Errors:
    """Relative errors, signed, by class."""

    def __init__(self):
        self.by = collections.defaultdict(list)

    def add(self, row, truth, planned):
        error = (planned - truth) / truth if truth else float(planned != 0)
        self.by[row["category"]].append((error, row["name"], row["gen"], truth, planned))
        return error

    def print_line(self, name, items):
        sizes, signed = [abs(item[0]) for item in items], [item[0] for item in items]
        below = sum(error < -0.1 for error in signed)
        print(f"  {name:20}{len(items):9}{median(sizes):9.3f}{ninetieth(sizes):9.3f}{max(sizes):9.3f}{median(signed):9.3f}{below:9}")

    def print(self, title, detail):
        everything = [item for items in self.by.values() for item in items]
        if not everything:
            return
        print(f"\n{title}\n  {'class':20}{'programs':>9}{'median':>9}{'p90':>9}{'largest':>9}{'signed':>9}{'-10 %':>9}")
        for name in sorted(self.by):
            self.print_line(name, self.by[name])
        for generation in sorted({item[2] for item in everything}):
            self.print_line(f"on {generation}", [item for item in everything if item[2] == generation])
        self.print_line("all", everything)
        for error, *rest in sorted(everything, key=lambda item: -abs(item[0])) if detail else ():
            print(f"    {error:+9.3f}  {rest[0]} {rest[1]}: compiler {rest[2]:.6g}, plan {rest[3]:.6g}")


def names_of(listed):
    """One key for each operand of each collective: kind, type, shape, groups."""
    found = collections.Counter()
    for item in listed:
        groups = item.get("pairs") if item["kind"] == "collective-permute" else item.get("groups")
        groups = groups and tuple(sorted(tuple(sorted(g)) if item["kind"] == "all-reduce" else tuple(g) for g in groups))
        for dtype, dims in item["operands"]:
            found[item["kind"], dtype, tuple(dims), groups] += item.get("count", 1)
    return found


class Lists:
    """How many lists of collectives are equal, and how much of all of them."""

    def __init__(self):
        self.rows = self.equal = self.common = self.only_plan = self.only_compiler = 0

    def add(self, row, plan, detail):
        truth = names_of(row["collectives"]["spmd"])
        planned = names_of(plan.get("collectives", []))
        common = sum((truth & planned).values())
        self.rows += 1
        self.equal += truth == planned
        self.common += common
        self.only_compiler += sum(truth.values()) - common
        self.only_plan += sum(planned.values()) - common
        if detail and truth != planned:
            print(f"    {row['name']} {row['gen']}: only the compiler {dict(truth - planned)}, only the plan {dict(planned - truth)}")

    def print(self):
        if self.rows:
            f1 = 2 * self.common / max(2 * self.common + self.only_plan + self.only_compiler, 1)
            print(f"\ncollectives: {self.equal} of {self.rows} lists are equal, F1 {f1:.3f}")


def needed_bytes(row, plan):
    """What the compiler compares with the memory that is available."""
    return row["memory"].get("total_bytes") or boundary(row["memory"], plan) + (temporaries(row) or 0)


def compare(rows, plans, options):
    total, temps, times, lists, wrong = Errors(), Errors(), {tier: Errors() for tier in TIERS}, Lists(), []
    known = [(row, plan) for row, plan in zip(rows, plans) if plan and has_boundary(row["memory"])]
    inexact = [f"{row['name']} {row['gen']}" for row, plan in known if any(row["memory"][key] != plan[key] for key in BOUNDARY)]
    for row, plan in zip(rows, plans):
        if plan is None:
            continue
        truth = temporaries(row)
        needed = needed_bytes(row, plan)
        if (needed <= plan["capacity_bytes"]) != plan["fits"]:
            wrong.append(f"{row['name']} {row['gen']}: compiler {needed}, plan {plan['peak_bytes']}, of {plan['capacity_bytes']}")
        if truth is not None and truth > options.above:
            total.add(row, needed, plan["peak_bytes"])
            temps.add(row, truth, plan["temp_bytes"])
        time = row.get("time") or {}
        if time.get("tier") in TIERS and time["seconds"] >= SHORTEST:
            times[time["tier"]].add(row, time["seconds"], plan["seconds"])
        if "collectives" in row and "spmd" in row["collectives"] and not row.get("error"):
            lists.add(row, plan, options.detail)
    largest = max((abs(item[0]) for items in total.by.values() for item in items), default=0)
    total.print(f"total HBM, temporaries above {options.above} bytes", options.detail)
    temps.print("temporaries alone", False)
    for tier, title in TIERS.items():
        times[tier].print(title, options.detail)
    lists.print()
    print(f"\narguments, results, aliases: {len(known) - len(inexact)} of {len(known)} are exact", *inexact, sep="\n  ")
    print(f"\nfits: {len(wrong)} wrong", *wrong, sep="\n  ")
    return not wrong and (options.most is None or (largest <= options.most and lists.equal == lists.rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--detail", action="store_true")
    parser.add_argument("--above", type=int, default=MIB)
    parser.add_argument("--most", type=float)
    options = parser.parse_args()
    with open(os.path.join(options.folder, "rows.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda row: tpu_score.plan(options.folder, row), rows))
    for _, problem in answers:
        if problem:
            print(problem)
    good = compare(rows, [plan for plan, _ in answers], options)
    missing = sum(plan is None for plan, _ in answers)
    print(f"{len(rows)} programs, {missing} not planned")
    sys.exit(options.most is not None and (not good or missing > 0))


if __name__ == "__main__":
    main()
