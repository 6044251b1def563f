#!/usr/bin/env python3
"""Compares JAX programs on a plugin, on JAX's own CPU, and on JAX's own CPU with an allocator tuned like Gantry's.

    bench.py PLUGIN [--operations | --devices] [--only REGEX] [--isa ISA] [--cores N] [--rounds N] [--seconds S]
                    [--json FILE] [--list]
    bench.py PLUGIN --baseline PLUGIN ...: compares two builds; exits with 1 if a row is slower than --allowed says

Each side is a separate process, bound to the same cores. They alternate, round by round, so that other load affects
all alike. Prints the medians of a call's wall time and CPU time (of the whole process), the ratios peer / Gantry of
both (more than 1: Gantry is faster), and the least CPU time of a compilation. `tuned` is JAX's own CPU with glibc configured
to keep and reuse memory in huge pages; otherwise page faults dominate the cost of large elementwise programs. A row
whose results differ between the sides is marked `differs`. --isa limits the instruction set of the compilers and of the
libraries (oneDNN, OpenBLAS) on all sides, so that a processor shows what those with fewer instructions do. XLA's products of
bf16 and s8 (YNNPACK) have no such limit: theirs are those of the whole processor."""
import argparse
import datetime
import json
import math
import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import common_operations
import multi_device
import programs

TUNED = ("glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=17179869184:"
         "glibc.malloc.arena_max=1")

# What limits each side to an instruction set, by GANTRY_ISA's name of it: XLA's, oneDNN's and OpenBLAS's names.
ISAS = {"baseline": ("SSE4_2", "SSE41", "Prescott"), "avx2": ("AVX2", "AVX2", "Haswell"),
        "avx512": ("AVX512", "AVX512_CORE", "SkylakeX")}


class Side:
    """A measuring process; restarted after it dies."""

    def __init__(self, name, environment, cores):
        self.name, self.environment, self.process = name, environment, None
        self.command = [sys.executable, os.path.join(HERE, "worker.py"), ",".join(map(str, cores))]

    def ask(self, **request):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(self.command, env=self.environment, text=True, stdin=subprocess.PIPE,
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


def limits_of(isa):
    """XLA's flags and the variables that limit all sides to an instruction set; none for an empty name."""
    if not isa:
        return [], {}
    xla, onednn, openblas = ISAS[isa]
    return [f"--xla_cpu_max_isa={xla}"], {"GANTRY_ISA": isa, "ONEDNN_MAX_CPU_ISA": onednn, "OPENBLAS_CORETYPE": openblas}


def make_sides(plugin, baseline, cores, devices, isa=""):
    """The plugin first, then its peers. Each has as many devices as programs may need."""
    flags, limits = limits_of(isa)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_", "GLIBC_"))} | limits
    if devices:
        flags.append(f"--xla_force_host_platform_device_count={devices}")
    if flags:
        clean["XLA_FLAGS"] = " ".join(flags)

    def with_plugin(name, file):
        return Side(name, dict(clean, JAX_PLATFORMS="gantry",
                               PJRT_NAMES_AND_LIBRARY_PATHS="gantry:" + os.path.abspath(file)), cores)
    ours = with_plugin("gantry", plugin)
    if baseline:
        return [ours, with_plugin("baseline", baseline)]
    own = dict(clean, JAX_PLATFORMS="cpu")
    return [ours, Side("xla", own, cores), Side("tuned", dict(own, GLIBC_TUNABLES=TUNED), cores)]


def prepare(sides, name, folder=None):
    """`folder`: of the modules that a snippet is from."""
    return {"name": name} | {side.name: side.ask(do="prepare", name=name, folder=folder) for side in sides}


def measure(sides, row, rounds, seconds, compilation="compile"):
    """Adds the figures of all sides to a row from prepare()."""
    timed = [side for side in sides if "problem" not in row[side.name]]
    samples = {side.name: [] for side in timed}
    for number in range(rounds):
        for side in timed if number % 2 else reversed(timed):
            samples[side.name].append(side.ask(do="time", seconds=seconds) | side.ask(do=compilation))
    for side in timed:
        bad = [sample for sample in samples[side.name] if "problem" in sample]
        if bad:
            row[side.name] = bad[0]
            continue
        for what in ("wall", "cpu"):
            row[side.name][what] = statistics.median(sample[what] for sample in samples[side.name])
        for what in ("compile_cpu", "compile_wall"):
            row[side.name][what] = min(sample[what] for sample in samples[side.name])
    return row


def differs(row, peer):
    """Whether the sides have other results: infinities are equal, and what is zero but for the rounding of f32 is zero."""
    a, b = row["gantry"]["check"], row[peer]["check"]
    both_nan = a != a and b != b
    return not both_nan and not math.isclose(a, b, rel_tol=0.02, abs_tol=1e-6)


def spell(seconds):
    for scale, unit in ((1e6, "us"), (1e3, "ms")):
        if seconds * scale < 1000:
            return f"{seconds * scale:.{3 if seconds * scale < 10 else 4}g} {unit}"
    return f"{seconds:.3g} s"


def line(row, peers):
    ours, peer = row["gantry"], peers[0]
    problem = next((row[side]["problem"] for side in ["gantry"] + peers if "problem" in row[side]), None)
    if problem:
        return f"{row['name']:32} {problem}"
    cells = [f"{row['name']:32}"]
    for what in ("wall", "cpu"):
        ratios = "".join(f" {row[name][what] / ours[what]:8.2f}" for name in peers)
        cells += [f"{spell(ours[what]):>9} {spell(row[peer][what]):>9}", ratios + "  "]
    cells.append(f"{spell(ours['compile_cpu']):>8} {spell(row[peer]['compile_cpu']):>8} {compile_ratio(row, peer):7.2f}")
    return " ".join(cells) + ("  differs" if differs(row, peer) else "")


def compile_ratio(row, peer):
    return row[peer]["compile_cpu"] / max(row["gantry"]["compile_cpu"], 1e-9)


def head(peers):
    width = 9 * len(peers) + 2
    names = "".join(f" {name:>8}" for name in peers) + "  "
    columns = f"{'Gantry':>9} {peers[0]:>9} {names}"
    return (f"{'':32} {'wall':>9} {'':>9} {'times as fast':>{width}} {'CPU time':>9} {'':>9} {'times as fast':>{width}} "
            f"{'compile, CPU time':>17}\n{'':32} {columns} {columns} {'Gantry':>8} {peers[0]:>8} {'ratio':>7}")


def slower_rows(rows, allowed):
    """What a build lost against its baseline: a line for each row and kind of time whose ratio is below `allowed`."""
    found = []
    for row in rows:
        if any("problem" in row[side] for side in ("gantry", "baseline")):
            found += [f"{row['name']}: not measured"]
            continue
        ratios = {"CPU time": row["baseline"]["cpu"] / row["gantry"]["cpu"], "compile": compile_ratio(row, "baseline")}
        found += [f"{row['name']}: {what} {ratio:.2f}" for what, ratio in ratios.items() if ratio < allowed]
    return found


def machine():
    model = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    import importlib.metadata
    return {"cpu": model[0] if model else "unknown", "cpus": os.cpu_count(), "linux": os.uname().release,
            "jax": importlib.metadata.version("jax"), "load": os.getloadavg()[0], "date": datetime.date.today().isoformat()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--only", default="", help="programs whose name this regular expression finds")
    parser.add_argument("--operations", action="store_true", help="many operations, in place of models and large arrays")
    parser.add_argument("--devices", action="store_true", help="programs for 8 devices")
    parser.add_argument("--isa", choices=ISAS, default="", help="limit all sides to this instruction set")
    parser.add_argument("--cores", type=int, default=0, help="bind all sides to that many cores (0: all)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2, help="how long a side runs in a round")
    parser.add_argument("--baseline", help="compare with this plugin, in place of JAX's own CPU")
    parser.add_argument("--allowed", type=float, default=0.95, help="slower than that times the baseline is reported")
    parser.add_argument("--json", help="write the figures here, too")
    parser.add_argument("--list", action="store_true", help="name the programs")
    arguments = parser.parse_args()
    rows = (multi_device.PROGRAMS if arguments.devices else
            common_operations.OPERATIONS if arguments.operations else programs.PROGRAMS)
    names = [name for name in rows if re.search(arguments.only, name)]
    if arguments.list:
        print("\n".join(names))
        return
    cores = sorted(os.sched_getaffinity(0))
    cores = cores[:arguments.cores or len(cores)]
    about = machine() | {"isa": arguments.isa or "all"}
    print(f"{about['cpu']}, instructions: {about['isa']}, cores {cores}, JAX {about['jax']}, load {about['load']:.1f}", flush=True)
    devices, rows = multi_device.DEVICES * arguments.devices, []
    sides = make_sides(arguments.plugin, arguments.baseline, cores, devices, arguments.isa)
    peers = [side.name for side in sides[1:]]
    print(head(peers), flush=True)
    for name in names:
        rows.append(measure(sides, prepare(sides, name), arguments.rounds, arguments.seconds))
        print(line(rows[-1], peers), flush=True)
    if arguments.devices:
        print(f"copying as many bytes as the all-reduce reads: {spell(multi_device.copy_seconds())}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"machine": about, "cores": len(cores), "rows": rows}, file, indent=1)
    for side in sides:
        side.end()
    slower = slower_rows(rows, arguments.allowed) if arguments.baseline else []
    print("".join(f"slower: {what}\n" for what in slower), end="")
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()
