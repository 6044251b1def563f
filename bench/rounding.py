#!/usr/bin/env python3
"""rounding.py PLUGIN [--elements N] [--turns N]: what it costs that bf16 and f16 are rounded after each operation.

Each row is compiled twice, with xla_allow_excess_precision=false (the default on the CPU device) and =true (values stay
f32 within a kernel), and both are called in turns: medians of the process's CPU time, and their ratio. Prints the table of
docs/numerics.md."""
import argparse
import os
import statistics
import time

ROWS = {
    "x + y": lambda n, x, y: x + y,
    "x * y + x": lambda n, x, y: x * y + x,
    "four adds": lambda n, x, y: x + y + x + y + x,
    "polynomial, degree 6": lambda n, x, y: ((((((x + 1) * y + 2) * y + 3) * y + 4) * y + 5) * y + 6) * y,
    "x / y": lambda n, x, y: x / y,
    "exp": lambda n, x, y: n.exp(x),
    "tanh": lambda n, x, y: n.tanh(x),
    "sqrt(x) * y": lambda n, x, y: n.sqrt(x) * y,
    "maximum, select": lambda n, x, y: n.where(x > y, n.maximum(x, 0), -y),
    "relu, scale, shift": lambda n, x, y: n.maximum(x * 2 + y, 0),
    "silu": lambda n, x, y: x / (1 + n.exp(-x)),
    "gelu (tanh)": lambda n, x, y: 0.5 * x * (1 + n.tanh(0.79788 * (x + 0.044715 * x * x * x))),
    "residual, gate": lambda n, x, y: x + y / (1 + n.exp(-y)) * x,
    "softmax of rows": lambda n, x, y: n.exp(x - x.max(-1, keepdims=True)) / n.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True),
    "layer norm of rows": lambda n, x, y: (x - x.mean(-1, keepdims=True)) / n.sqrt(x.var(-1, keepdims=True) + 1e-3) * y + 1,
    "sum of squares": lambda n, x, y: (x * x).sum(-1),
    "AdamW's step": lambda n, x, y: x - 1e-3 * (0.9 * y + 0.1 * x) / (n.sqrt(0.99 * y * y + 0.01 * x * x) + 1e-3) - 1e-4 * x,
}


def call_time(function, x, y, calls):
    began = time.process_time()
    for _ in range(calls):
        result = function(x, y)
    result.block_until_ready()
    return (time.process_time() - began) / calls


def measure(jax, numpy, row, dtype, arguments):
    rows = arguments.elements // 256
    x, y = (jax.numpy.asarray(numpy.random.default_rng(i).uniform(0.5, 2, (rows, 256)), dtype) for i in range(2))
    sides = [jax.jit(lambda x, y: row(jax.numpy, x, y), compiler_options={"xla_allow_excess_precision": value})
             for value in (False, True)]
    calls = [max(1, int(2e-3 / call_time(side, x, y, 3))) for side in sides if call_time(side, x, y, 1)]
    times = [[], []]
    for _ in range(arguments.turns):
        for i in range(2):
            times[i].append(call_time(sides[i], x, y, calls[i]))
    return [statistics.median(values) * 1e6 for values in times]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--elements", type=int, default=1 << 18)
    parser.add_argument("--turns", type=int, default=15)
    arguments = parser.parse_args()
    os.environ.update(PJRT_NAMES_AND_LIBRARY_PATHS=f"gantry:{os.path.abspath(arguments.plugin)}", JAX_PLATFORMS="gantry")
    import jax
    import numpy
    print("| row | bf16, rounded | excess | ratio | f16, rounded | excess | ratio |\n|---|---|---|---|---|---|---|")
    for name, row in ROWS.items():
        cells = []
        for dtype in ("bfloat16", "float16"):
            rounded, excess = measure(jax, numpy, row, dtype, arguments)
            cells += [f"{rounded:.0f} µs", f"{excess:.0f} µs", f"{rounded / excess:.2f}"]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
