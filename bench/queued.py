#!/usr/bin/env python3
"""Compares programs that a client calls many times before it waits, on a plugin and on JAX's own CPU.

    queued.py PLUGIN [--baseline PLUGIN] [--only REGEX] [--rounds N] [--list]

A row is a loop of calls and one wait at its end. Sides are measured in turns. Prints wall and CPU time of a call (the
least of a round, the median of rounds), the ratios peer / Gantry of both (more than 1: Gantry is faster), and by how
much the loop raised the peak of the resident set of each side."""
import argparse
import json
import os
import re
import statistics
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
LOOPS = {}
BATCH_SECONDS, BATCHES = 0.02, 8


def loop(name, *values):
    """Registers loop(calls), which make(*values) returns."""
    def add(make):
        LOOPS[name] = lambda: make(*values)
        return make
    return add


def mebibytes(count):
    import jax.numpy as jnp
    return jnp.linspace(0, 1, int(count * 262144), dtype=jnp.float32)


# ---- one array --------------------------------------------------------------------------------
def repeat(count, wait=False):
    import jax
    x, f = mebibytes(count), jax.jit(lambda x: x * 2 + 1)

    def run(calls):
        for _ in range(calls):
            y = f(x)
            if wait:
                y.block_until_ready()
        y.block_until_ready()
    return run


def chain(count, donate):
    import jax
    x, f = mebibytes(count), jax.jit(lambda x: x * 0.5 + 1, donate_argnums=(0,) if donate else ())

    def run(calls):
        y = x + 0
        for _ in range(calls):
            y = f(y)
        y.block_until_ready()
    return run


def window(count, kept):
    """The last results stay alive."""
    import jax
    x, f = mebibytes(count), jax.jit(lambda x: x * 2 + 1)

    def run(calls):
        held = [None] * kept
        for i in range(calls):
            held[i % kept] = f(x)
        jax.block_until_ready(held)
    return run


for size in (0.25, 0.5, 1, 2, 4, 8, 16, 64):
    loop(f"repeat {size} MiB", size)(repeat)
    loop(f"repeat and wait {size} MiB", size, True)(repeat)
    loop(f"chain {size} MiB", size, False)(chain)
    loop(f"donated chain {size} MiB", size, True)(chain)
    loop(f"last 4 of {size} MiB", size, 4)(window)


# ---- programs ---------------------------------------------------------------------------------
def train(batch, width, depth, donate=False, adam=False):
    import jax
    import jax.numpy as jnp
    keys = jax.random.split(jax.random.key(0), depth + 1)
    p = [(jax.random.normal(k, (width, width)) / width ** 0.5, jnp.zeros(width)) for k in keys[1:]]
    x = jax.random.normal(keys[0], (batch, width))

    def loss(p, x):
        for w, b in p:
            x = jnp.tanh(x @ w + b)
        return (x * x).mean()

    def step(state, x):
        p, m = state
        g = jax.grad(loss)(p, x)
        if adam:
            m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
            g = m
        return jax.tree.map(lambda p, g: p - 0.01 * g, p, g), m
    f = jax.jit(step, donate_argnums=(0,) if donate else ())

    def run(calls):
        state = jax.tree.map(lambda v: v + 0, (p, jax.tree.map(jnp.zeros_like, p) if adam else None))
        for _ in range(calls):
            state = f(state, x)
        jax.block_until_ready(state)
    return run


loop("train 32 x 64, 2 layers", 32, 64, 2)(train)
loop("train 128 x 256, 3 layers", 128, 256, 3)(train)
loop("train 128 x 256, 3 layers, donated", 128, 256, 3, True)(train)
loop("train 128 x 512, 4 layers", 128, 512, 4)(train)
loop("train 128 x 512, 4 layers, momentum", 128, 512, 4, False, True)(train)
loop("train 64 x 1024, 4 layers, momentum", 64, 1024, 4, False, True)(train)
loop("train 64 x 1024, 4 layers, donated", 64, 1024, 4, True, True)(train)


@loop("4 independent of 2 MiB", 2)
@loop("4 independent of 0.25 MiB", 0.25)
def independent(count):
    import jax
    import jax.numpy as jnp
    x = mebibytes(count)
    all_of = [jax.jit(g) for g in (lambda x: x + 1, lambda x: jnp.tanh(x), lambda x: x.sum(), lambda x: x[::-1])]

    def run(calls):
        for _ in range(calls // 4 + 1):
            results = [f(x) for f in all_of]
        jax.block_until_ready(results)
    return run


@loop("50 results of 4 KiB", 50, 1024)
@loop("50 results of 64 KiB", 50, 16384)
@loop("100 results of 64 B", 100, 16)
def many_results(count, size):
    import jax
    import jax.numpy as jnp
    x = jnp.arange(size, dtype=jnp.float32)
    f = jax.jit(lambda x: [x * i for i in range(count)])

    def run(calls):
        for _ in range(calls):
            y = f(x)
        jax.block_until_ready(y)
    return run


@loop("tree of 100 leaves of 4 KiB", 100, 1024, False)
@loop("tree of 100 leaves of 4 KiB, donated", 100, 1024, True)
@loop("tree of 300 leaves of 64 B", 300, 16, False)
def tree(count, size, donate):
    import jax
    import jax.numpy as jnp
    x = {f"leaf{i}": jnp.full(size, i, jnp.float32) for i in range(count)}
    f = jax.jit(lambda x: jax.tree.map(lambda v: v * 0.5 + 1, x), donate_argnums=(0,) if donate else ())

    def run(calls):
        y = jax.tree.map(lambda v: v + 0, x)
        for _ in range(calls):
            y = f(y)
        jax.block_until_ready(y)
    return run


@loop("device_put and step, 64 KiB", 1 / 16)
@loop("device_put and step, 1 MiB", 1)
@loop("device_put and step, 8 MiB", 8)
def feed(count):
    import jax
    import numpy as np
    host = [np.random.default_rng(i).standard_normal(int(count * 262144), np.float32) for i in range(4)]
    f = jax.jit(lambda total, x: (total + (x * x).sum(), x * 2))

    def run(calls):
        total = jax.numpy.float32(0)
        for i in range(calls):
            total, y = f(total, jax.device_put(host[i % 4]))
        jax.block_until_ready((total, y))
    return run


@loop("asarray of every 5th, 1 KiB", 1 / 1024, 5)
@loop("asarray of every 5th, 1 MiB", 1, 5)
@loop("asarray of every 5th, 8 MiB", 8, 5)
def fetch(count, every):
    import jax
    import numpy as np
    x, f = mebibytes(count), jax.jit(lambda x: x * 0.5 + 1)

    def run(calls):
        y = x
        for i in range(calls):
            y = f(y)
            if i % every == 0:
                np.asarray(y)
        y.block_until_ready()
    return run


@loop("4 threads, chains of 1 KiB", 1 / 1024, 4)
@loop("4 threads, chains of 1 MiB", 1, 4)
def threads(count, number):
    import jax
    x, f = mebibytes(count), jax.jit(lambda x: x * 0.5 + 1)

    def one(calls):
        y = x
        for _ in range(calls):
            y = f(y)
        y.block_until_ready()

    def run(calls):
        all_of = [threading.Thread(target=one, args=(calls // number + 1,)) for _ in range(number)]
        for thread in all_of:
            thread.start()
        for thread in all_of:
            thread.join()
    return run


# ---- one call -----------------------------------------------------------------------------------
for arguments in (1, 10, 100, 300):
    @loop(f"call with {arguments} arguments", arguments)
    def call(count):
        import jax
        import jax.numpy as jnp
        values = [jnp.float32(i) for i in range(count)]
        f = jax.jit(lambda *values: values[0] + 1, keep_unused=True)

        def run(calls):
            for _ in range(calls):
                y = f(*values)
            y.block_until_ready()
        return run


# ---- the measuring process ---------------------------------------------------------------------
def peak():
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(int(row.split()[1]) * 1024 for row in file if row.startswith("VmHWM:"))


def forget_peak():
    with open("/proc/self/clear_refs", "w", encoding="utf-8") as file:
        file.write("5")


def timed(run, calls):
    wall, cpu = time.perf_counter(), time.process_time()
    run(calls)
    return (time.perf_counter() - wall) / calls, (time.process_time() - cpu) / calls


def serve():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    run, calls = None, 1
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["do"] == "prepare":
                run = None
                run, calls = LOOPS[request["name"]](), 10
                run(calls)
                while timed(run, calls)[0] * calls < BATCH_SECONDS and calls < 20000:
                    calls *= 2
                forget_peak()
                before = peak()
                run(calls)
                answer = {"peak": peak() - before}
            else:
                # Other load only adds, so the least is what a call takes.
                answer = dict(zip(("wall", "cpu"), map(min, zip(*(timed(run, calls) for _ in range(BATCHES))))))
        except Exception as problem:                                # reported in the row; other rows continue
            answer = {"problem": f"{type(problem).__name__}: {problem}".split("\n")[0][:200]}
        print(json.dumps(answer), file=answers, flush=True)


# ---- the table -----------------------------------------------------------------------------------
def measure(sides, name, rounds):
    row = {side.name: side.ask(do="prepare", name=name) for side in sides}
    samples = {side.name: [] for side in sides}
    for number in range(rounds):
        for side in sides if number % 2 else reversed(sides):
            samples[side.name].append(side.ask(do="time"))
    for side in sides:
        bad = [sample for sample in [row[side.name]] + samples[side.name] if "problem" in sample]
        if bad:
            return bad[0]["problem"]
        for what in ("wall", "cpu"):
            row[side.name][what] = statistics.median(sample[what] for sample in samples[side.name])
    return row


def main():
    import bench
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--baseline", help="another build, in place of JAX's own CPU")
    parser.add_argument("--only", default="", help="a regular expression")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    names = [name for name in LOOPS if re.search(arguments.only, name)]
    if arguments.list:
        print("\n".join(names))
        return
    sides = bench.make_sides(arguments.plugin, arguments.baseline, sorted(os.sched_getaffinity(0)), 0)
    for side in sides:
        side.command = [sys.executable, os.path.abspath(__file__), "--serve"]
    peers = [side.name for side in sides[1:]]
    print(f"{'':34} {'wall':>9} {' '.join(f'{peer:>8}' for peer in peers)}  {'cpu':>9} "
          f"{' '.join(f'{peer:>8}' for peer in peers)}   peaks in MB")
    for name in names:
        row = measure(sides, name, arguments.rounds)
        if isinstance(row, str):
            print(f"{name:34} {row}", flush=True)
            continue
        cells = [f"{name:34}"]
        for what in ("wall", "cpu"):
            cells.append(f"{bench.spell(row['gantry'][what]):>9}")
            cells += [f"{row[peer][what] / row['gantry'][what]:8.2f}" for peer in peers]
        peaks = " ".join(f"{row[side.name]['peak'] / 1e6:.0f}" for side in sides)
        print(" ".join(cells), " ", peaks, flush=True)
    for side in sides:
        side.end()


if __name__ == "__main__":
    serve() if sys.argv[1:2] == ["--serve"] else main()
