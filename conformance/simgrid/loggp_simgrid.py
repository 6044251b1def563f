#!/usr/bin/env python3
"""base/loggp.h beside SimGrid (Debian's libsimgrid-dev), for hosts with a link of 25 Gbit/s and 10 us each: the time of an all-reduce,
for each way that SimGrid computes in reasonable time. Prints a line for each and fails where the formula is off by more than 20 %.
Without SimGrid it says that it is skipped."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "scripts"))
import loggp

RATE, LATENCY, ALLOWED = 25e9 / 8, 10e-6, 0.2
CASES = [("direct", 64, 1 << 10), ("direct", 64, 1 << 17), ("parts", 64, 1 << 20), ("parts", 64, 1 << 24), ("ring", 64, 1 << 20),
         ("ring", 128, 1 << 24), ("doubling", 64, 1 << 10), ("doubling", 256, 1 << 16), ("doubling", 1024, 1 << 10),
         ("halving", 64, 1 << 20), ("halving", 256, 1 << 20), ("halving", 1024, 1 << 20)]
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="hosts" prefix="host" suffix="" radical="0-{last}" speed="1Gf" bw="{rate:.0f}Bps" lat="{latency}s" sharing_policy="SPLITDUPLEX"/>
</platform>
"""


def simulate(folder, way, hosts, size, link):
    platform, names = os.path.join(folder, "platform.xml"), os.path.join(folder, "hosts")
    with open(platform, "w", encoding="utf-8") as file:
        file.write(PLATFORM.format(last=hosts - 1, rate=RATE, latency=LATENCY / 2))  # a way has two links
    with open(names, "w", encoding="utf-8") as file:
        file.writelines(f"host{i}\n" for i in range(hosts))
    overhead, gap = f"0:{link.overhead}:0", f"0:{link.gap}:0"
    settings = ["network/model:SMPI", "smpi/bw-factor:0:1", "smpi/lat-factor:0:1", "network/TCP-gamma:0", f"smpi/os:{overhead}",
                f"smpi/or:{overhead}", f"smpi/ois:{gap}", "smpi/simulate-computation:no"]
    command = ["smpirun", "-np", str(hosts), "-platform", platform, "-hostfile", names, "--log=root.thresh:error",
               *(f"--cfg={setting}" for setting in settings), os.path.join(folder, "ways"), way, str(size)]
    done = subprocess.run(command, text=True, capture_output=True, check=False, timeout=300)
    lines = [line for line in done.stdout.splitlines() if line.startswith("seconds ")]
    if not lines:
        raise SystemExit(f"{' '.join(command)}: {done.stdout[-1000:]}{done.stderr[-1000:]}")
    return float(lines[0].split()[1])


def main():
    if not shutil.which("smpirun") or not shutil.which("smpicc"):
        print("skipped: SimGrid is not installed (libsimgrid-dev)")
        return 0
    link, wrong = loggp.link_of(RATE, LATENCY), 0
    link.combine = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["smpicc", "-O2", os.path.join(HERE, "ways.c"), "-o", os.path.join(folder, "ways")], check=True)
        for way, hosts, size in CASES:
            simulated, computed = simulate(folder, way, hosts, size, link), loggp.all_reduce(link, way, hosts, size)
            off = computed / simulated - 1
            wrong += abs(off) > ALLOWED
            print(f"{way:9} {hosts:5} hosts {size:9} bytes: SimGrid {simulated * 1e6:9.0f} us, LogGP {computed * 1e6:9.0f} us, {off:+.1%}",
                  flush=True)
    print(f"{len(CASES) - wrong} passed, {wrong} failed, 0 skipped")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
