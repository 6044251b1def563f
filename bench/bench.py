#!/usr/bin/env python3
"""Compares JAX programs on a plugin, on JAX's own CPU, and on JAX's own CPU with an allocator tuned like Gantry's.

    bench.py PLUGIN [--operations] [--only REGEX] [--cores N] [--rounds N] [--seconds S] [--json FILE] [--list]

Each side is a separate process, bound to the same cores. They alternate, round by round, so that other load affects
all alike. Prints the medians of a call's wall time and CPU time (of the whole process), the ratios peer / Gantry of
both (more than 1: Gantry is faster), and the CPU time of a compilation. `tuned` is JAX's own CPU with glibc configured
to keep and reuse memory in huge pages; otherwise page faults dominate the cost of large elementwise programs. A row
whose results differ between the sides is marked `differs`."""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import common_operations
import programs

TUNED = ("glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=17179869184:"
         "glibc.malloc.arena_max=1")


class Side:
    """A measuring process; restarted after it dies."""

    def __init__(self, name, environment, cores):
        self.name, self.environment, self.cores, self.process = name, environment, cores, None

    def ask(self, **request):
        if self.process is None or self.process.poll() is not None:
            command = [sys.executable, os.path.join(HERE, "worker.py"), ",".join(map(str, self.cores))]
            self.process = subprocess.Popen(command, env=self.environment, text=True, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            return {"problem": f"the process ended with {self.process.wait()}"}
        return json.loads(answer)

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait()


def make_sides(plugin, cores):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_", "GLIBC_"))}
    ours = dict(clean, JAX_PLATFORMS="gantry", PJRT_NAMES_AND_LIBRARY_PATHS="gantry:" + os.path.abspath(plugin))
    own = dict(clean, JAX_PLATFORMS="cpu")
    return [Side("gantry", ours, cores), Side("xla", own, cores), Side("tuned", dict(own, GLIBC_TUNABLES=TUNED), cores)]


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
        if bad:
            row[side.name] = bad[0]
            continue
        for what in ("wall", "cpu"):
            row[side.name][what] = statistics.median(sample[what] for sample in samples[side.name])
    return row


def differs(row):
    a, b = row["gantry"]["check"], row["xla"]["check"]
    return not abs(a - b) <= 0.02 * max(abs(a), abs(b))


def spell(seconds):
    for scale, unit in ((1e6, "us"), (1e3, "ms")):
        if seconds * scale < 1000:
            return f"{seconds * scale:.{3 if seconds * scale < 10 else 4}g} {unit}"
    return f"{seconds:.3g} s"


def line(row):
    ours = row["gantry"]
    problem = next((row[side]["problem"] for side in ("gantry", "xla", "tuned") if "problem" in row[side]), None)
    if problem:
        return f"{row['name']:32} {problem}"
    cells = [f"{row['name']:32}"]
    for what in ("wall", "cpu"):
        cells += [f"{spell(ours[what]):>9} {spell(row['xla'][what]):>9}",
                  f"{row['xla'][what] / ours[what]:7.2f} {row['tuned'][what] / ours[what]:7.2f}  "]
    cells.append(f"{spell(ours['compile_cpu']):>8} {spell(row['xla']['compile_cpu']):>8}"
                 f" {row['xla']['compile_cpu'] / max(ours['compile_cpu'], 1e-9):7.2f}")
    return " ".join(cells) + ("  differs" if differs(row) else "")


def head():
    return (f"{'':32} {'wall':>9} {'':>9} {'times as fast as':>15}   {'CPU time':>9} {'':>9} {'as fast as':>15}   "
            f"{'compile, CPU time':>17}\n"
            f"{'':32} {'Gantry':>9} {'XLA':>9} {'XLA':>7} {'tuned':>7}   {'Gantry':>9} {'XLA':>9} {'XLA':>7} {'tuned':>7}   "
            f"{'Gantry':>8} {'XLA':>8} {'ratio':>7}")


def machine():
    model = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    import importlib.metadata
    return {"cpu": model[0] if model else "unknown", "cpus": os.cpu_count(), "linux": os.uname().release,
            "jax": importlib.metadata.version("jax"), "load": os.getloadavg()[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--only", default="", help="programs whose name this regular expression finds")
    parser.add_argument("--operations", action="store_true", help="many operations, in place of models and large arrays")
    parser.add_argument("--cores", type=int, default=0, help="bind all sides to that many cores (0: all)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2, help="how long a side runs in a round")
    parser.add_argument("--json", help="write the figures here, too")
    parser.add_argument("--list", action="store_true", help="name the programs")
    arguments = parser.parse_args()
    rows = common_operations.OPERATIONS if arguments.operations else programs.PROGRAMS
    names = [name for name in rows if re.search(arguments.only, name)]
    if arguments.list:
        print("\n".join(names))
        return
    cores = sorted(os.sched_getaffinity(0))
    cores = cores[:arguments.cores or len(cores)]
    about = machine()
    print(f"{about['cpu']}, cores {cores}, JAX {about['jax']}, load {about['load']:.1f}\n{head()}", flush=True)
    sides, rows = make_sides(arguments.plugin, cores), []
    for name in names:
        rows.append(measure(sides, name, arguments.rounds, arguments.seconds))
        print(line(rows[-1]), flush=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"machine": about, "cores": len(cores), "rows": rows}, file, indent=1)
    for side in sides:
        side.end()


main()
