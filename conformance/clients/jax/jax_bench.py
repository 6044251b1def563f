#!/usr/bin/env python3
"""Times programs in JAX on a plugin and on JAX's own CPU, each in a process of its own, and prints them side by side.

    jax_bench.py PLUGIN [--filter REGEX] [--seconds S] [--json FILE]

A row is the best of several runs of a compiled function, from call to result; `compile` is the first call. The two
processes take turns, program by program, so that a busy machine disturbs both alike."""
import argparse
import json
import os
import re
import subprocess
import sys
import time


def programs():
    """{name: function that returns (function to time, its arguments)}; built in the worker only."""
    import jax
    import jax.numpy as jnp
    import numpy
    from jax import lax

    def normal(*shape, dtype="float32"):
        return jnp.asarray(numpy.random.RandomState(0).standard_normal(shape)).astype(dtype)

    def mlp(weights, x, y):
        for w in weights[:-1]:
            x = jax.nn.relu(x @ w)
        return jnp.mean((x @ weights[-1] - y) ** 2)

    def conv(x, k):
        return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def attention(q, k, v):
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) * 0.125), v)

    def layer_norm(x):
        return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)

    def rnn(w, x):
        return lax.scan(lambda h, x: (jnp.tanh(h @ w + x), None), jnp.zeros(x.shape[1:]), x)[0].sum()

    weights = [512, 512, 512, 10]
    return {
        "call: x + 1, 1 element": lambda: (lambda x: x + 1, [normal(1)]),
        "elementwise: tanh(x) * exp(y), 16 Mi": lambda: (lambda x, y: jnp.tanh(x) * jnp.exp(y), [normal(4096, 4096)] * 2),
        "elementwise: x * 2 + y, 16 Mi": lambda: (lambda x, y: x * 2 + y, [normal(4096, 4096)] * 2),
        "softmax, 4096 x 1024": lambda: (jax.nn.softmax, [normal(4096, 1024)]),
        "layer norm, 4096 x 1024": lambda: (layer_norm, [normal(4096, 1024)]),
        "sum over rows, 4096 x 4096": lambda: (lambda x: x.sum(axis=0), [normal(4096, 4096)]),
        "sum over columns, 4096 x 4096": lambda: (lambda x: x.sum(axis=1), [normal(4096, 4096)]),
        "transpose, 4096 x 4096": lambda: (lambda x: x.T + 0.0, [normal(4096, 4096)]),
        "matmul f32, 128": lambda: (jnp.matmul, [normal(128, 128)] * 2),
        "matmul f32, 1024": lambda: (jnp.matmul, [normal(1024, 1024)] * 2),
        "matmul f32, 512 x 3072 x 768": lambda: (jnp.matmul, [normal(512, 768), normal(768, 3072)]),
        "matmul bf16, 1024": lambda: (jnp.matmul, [normal(1024, 1024, dtype="bfloat16")] * 2),
        "matmul batched f32, 64 x 128": lambda: (jnp.matmul, [normal(64, 128, 128)] * 2),
        "attention f32, 8 x 512 x 8 x 64": lambda: (attention, [normal(8, 512, 8, 64)] * 3),
        "conv f32 3x3, 16 x 56 x 56 x 64": lambda: (conv, [normal(16, 56, 56, 64), normal(3, 3, 64, 64)]),
        "conv gradient f32, same": lambda: (jax.grad(lambda x, k: conv(x, k).sum() ** 2, (0, 1)),
                                             [normal(16, 56, 56, 64), normal(3, 3, 64, 64)]),
        "MLP step 512, batch 128": lambda: (jax.value_and_grad(mlp), [
            [normal(a, b) * 0.05 for a, b in zip([512] + weights[1:], weights[1:])], normal(128, 512), normal(128, 10)]),
        "scan gradient, 1000 steps of 16": lambda: (jax.grad(rnn), [normal(16, 16) * 0.1, normal(1000, 4, 16)]),
        "while, 100,000 scalar steps": lambda: (lambda n: lax.fori_loop(0, n, lambda i, v: v * 0.999 + 1.0, 0.0), [100000]),
        "sort f32, 1 Mi": lambda: (jnp.sort, [normal(1 << 20)]),
        "argsort f32, 1000 x 1000": lambda: (jnp.argsort, [normal(1000, 1000)]),
        "gather rows, 64 Ki of 1 Ki x 128": lambda: (lambda x, i: x[i], [normal(1024, 128), jnp.arange(65536) * 7 % 1024]),
        "scatter add, 64 Ki into 1 Ki x 128": lambda: (lambda x, i, u: x.at[i].add(u), [
            normal(1024, 128), jnp.arange(65536) * 7 % 1024, normal(65536, 128)]),
        "random normal, 4 Mi": lambda: (lambda k: jax.random.normal(k, (1 << 22,)), [jax.random.key(0)]),
        "cumsum, 1000 x 10000": lambda: (lambda x: jnp.cumsum(x, axis=1), [normal(1000, 10000)]),
        "fft, 1000 x 1024": lambda: (lambda x: jnp.fft.fft(x), [normal(1000, 1024)]),
    }


def measure(make, seconds):
    import jax
    function, arguments = make()
    jax.block_until_ready(arguments)
    compiled = jax.jit(function)
    start = time.perf_counter()
    jax.block_until_ready(compiled(*arguments))
    first = time.perf_counter() - start
    best, until, runs = float("inf"), time.perf_counter() + seconds, 0
    while runs < 5 or time.perf_counter() < until:
        start = time.perf_counter()
        jax.block_until_ready(compiled(*arguments))
        best, runs = min(best, time.perf_counter() - start), runs + 1
    return {"seconds": best, "compile": max(0.0, first - best)}


def worker(seconds):
    """Measures each program that is named on standard input."""
    says = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    all_programs = programs()
    print(json.dumps(list(all_programs)), file=says, flush=True)
    for line in sys.stdin:
        try:
            result = measure(all_programs[line.strip()], seconds)
        except Exception as problem:                                # the row says so; the rest goes on
            result = {"problem": f"{type(problem).__name__}: {problem}"[:120]}
        print(json.dumps(result), file=says, flush=True)


def start_worker(environment, seconds):
    process = subprocess.Popen([sys.executable, __file__, "--worker", str(seconds)], env=environment, text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    names = process.stdout.readline()
    return process, json.loads(names) if names else []


def ask(process, name):
    try:
        process.stdin.write(name + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
    except BrokenPipeError:
        answer = ""
    return json.loads(answer) if answer else {"problem": "the process ended"}


def spell(seconds):
    return f"{seconds * 1e6:9.1f} us" if seconds < 1e-3 else f"{seconds * 1e3:9.2f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--filter", default="", help="only programs whose name this regular expression finds")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long a program is run")
    parser.add_argument("--json", help="write the figures here too")
    arguments = parser.parse_args()
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_"))}
    environments = [dict(clean, JAX_PLATFORMS="gantry", PJRT_NAMES_AND_LIBRARY_PATHS="gantry:" + os.path.abspath(arguments.plugin)),
                    dict(clean, JAX_PLATFORMS="cpu")]
    workers = [start_worker(environment, arguments.seconds) for environment in environments]
    rows = []
    print(f"{'':38} {'Gantry':>12} {'JAX CPU':>12} {'times as fast':>14} {'compile':>12} {'JAX CPU':>12}")
    for name in [name for name in workers[1][1] if re.search(arguments.filter, name)]:
        for index, (process, _) in enumerate(workers):
            if process.poll() is not None:                          # it died on the row before
                workers[index] = start_worker(environments[index], arguments.seconds)
        ours, own = (ask(process, name) for process, _ in workers)
        rows.append({"name": name, "gantry": ours, "jax_cpu": own})
        if "problem" in ours or "problem" in own:
            print(f"{name:38} {ours.get('problem') or own.get('problem')}", flush=True)
            continue
        print(f"{name:38} {spell(ours['seconds'])} {spell(own['seconds'])} {own['seconds'] / ours['seconds']:13.2f}x "
              f"{spell(ours['compile'])} {spell(own['compile'])}", flush=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    for process, _ in workers:
        process.stdin.close()
        process.wait()


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "--worker":
        worker(float(sys.argv[2]))
    else:
        main()
