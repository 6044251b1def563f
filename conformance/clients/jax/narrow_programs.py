#!/usr/bin/env python3
"""narrow_programs.py PLUGIN [--count N] [--seed N]: random programs of bf16 and f16, bit by bit beside JAX's own CPU backend, which
computes one operation after the other.

A program is an expression of operations that every processor rounds alike (sums, products, quotients, roots, extremes, selections,
conversions), as it is, in loops, under vmap, as what a sum or a matrix product reads or what is made of its result, in a softmax
whose exponentials are replaced by squares, in norms and gradients. Sums and products of matrices are of so few and so similar
numbers that f32 holds them exactly, in any order. So each result shows whether an operation was rounded to its type that the source
rounds, and the other way round. (As a whole, XLA's CPU backend would not round what is converted to f32 next, nor products of f16
that are added to something.)

Prints each program that differs with its seed, and last `P passed, F failed`."""
import argparse
import os
import random
import sys

TYPES = ("bfloat16", "float16")


def expression(choose, depth):
    """A function of x and y, of their shape and type, and its text."""
    import jax.numpy as jnp
    from jax import lax
    if depth == 0:
        return choose.choice([(lambda x, y: x, "x"), (lambda x, y: y, "y"), (lambda x, y: x, "x"), (lambda x, y: y, "y"),
                              (lambda x, y: jnp.full_like(x, 1), "1"), (lambda x, y: jnp.full_like(x, 0.01), "0.01"),
                              (lambda x, y: jnp.full_like(x, 300), "300"), (lambda x, y: jnp.full_like(x, 3), "3")])
    binary = {"+": lax.add, "-": lax.sub, "*": lax.mul, "/": lax.div, "max": lax.max, "min": lax.min}
    unary = {"neg": lax.neg, "abs": lax.abs, "sqrt": lambda x: lax.sqrt(lax.abs(x)), "square": lambda x: x * x, "sign": lax.sign,
             "floor": lax.floor, "f32": lambda x: (x.astype("float32") * 3).astype(x.dtype),
             "clamp": lambda x: lax.clamp(jnp.asarray(-2, x.dtype), x, jnp.asarray(100, x.dtype))}
    kind = choose.random()
    a, text_a = expression(choose, depth - 1)
    if kind < 0.25:
        name = choose.choice(list(unary))
        return lambda x, y: unary[name](a(x, y)), f"{name}({text_a})"
    b, text_b = expression(choose, choose.randrange(depth))
    if kind < 0.9:
        name = choose.choice(["+", "-", "*", "/", "+", "-", "*", "/", "max", "min"])
        return lambda x, y: binary[name](a(x, y), b(x, y)), f"({text_a} {name} {text_b})"
    c, text_c = expression(choose, choose.randrange(depth))
    return lambda x, y: jnp.where(a(x, y) < c(x, y), b(x, y), c(x, y)), f"where({text_a} < {text_c}, {text_b}, {text_c})"


def contexts():
    """name: function of (f, x, y), where x and y are matrices and f an elementwise function of two arrays."""
    import jax
    import jax.numpy as jnp
    from jax import lax
    bounded = lambda v: lax.clamp(jnp.asarray(-4, v.dtype), jnp.where(jnp.abs(v) < 0.01, jnp.zeros_like(v), v), jnp.asarray(4, v.dtype))
    sums = lambda v: jnp.sum(jnp.nan_to_num(bounded(v)), -1, keepdims=True)
    # A division of an array by a scalar is one by its reciprocal with XLA; so they are arrays when computed one after the other.
    spread = lambda v: lax.broadcast_in_dim(v, (v.shape[0], 8), (0, 1))

    def quotients(f, x, y):
        shifted = bounded(x) - jnp.max(bounded(x), -1, keepdims=True)
        powers = shifted * shifted + 1
        return f(powers / spread(jnp.sum(powers, -1, keepdims=True)), y)

    def norm(f, x, y):
        b = bounded(x)
        center = b - jnp.sum(b, -1, keepdims=True) / 8
        return f(center / spread(lax.sqrt(lax.abs(jnp.sum(bounded(center), -1, keepdims=True)) + 1)), y)

    few = lambda v: jnp.round(bounded(jnp.nan_to_num(v)) * 4) / 4
    return {
        "plain": lambda f, x, y: f(x, y),
        "twice": lambda f, x, y: (f(x, y), f(y, x) - f(x, y)),
        "scan": lambda f, x, y: lax.scan(lambda c, row: (f(c, row), f(row, c)), x[0], y),
        "scan unrolled": lambda f, x, y: lax.scan(lambda c, row: (f(c, row), c), x[0], y, unroll=4),
        "scalars": lambda f, x, y: lax.scan(lambda c, e: (f(c, e), c), x[0, 0], y.reshape(-1)),
        "fori": lambda f, x, y: lax.fori_loop(0, 5, lambda i, c: f(c, y), x),
        "while": lambda f, x, y: lax.while_loop(lambda c: c[0] < 4, lambda c: (c[0] + 1, f(c[1], y), c[1]), (0, x, y))[1:],
        "vmap": lambda f, x, y: jax.vmap(lambda a, b: f(a, b), (0, 1))(x[:8], y[:8, :8]),
        "vmap of scan": lambda f, x, y: jax.vmap(lambda c, r: lax.scan(lambda c, e: (f(c, e), c), c, r))(x[:, 0], y),
        "sum of": lambda f, x, y: sums(f(x, y)),
        "of a sum": lambda f, x, y: f(sums(x), y[:, :1]),
        "of a spread sum": lambda f, x, y: f(x - sums(y), y),
        "of a maximum": lambda f, x, y: f(x - jnp.max(y, -1, keepdims=True), y),
        "of a product": lambda f, x, y: f(few(x) @ few(y)[:8], y[:x.shape[0], :y.shape[1]]),
        "product of": lambda f, x, y: few(f(x, y)) @ few(y)[:8],
        "transposed": lambda f, x, y: f(x[:8, :8].T, y[:8, :8]),
        "moved": lambda f, x, y: f(jnp.concatenate([x, y])[::-1], jnp.pad(x, ((1, y.shape[0] - 1), (0, 0)))),
        "quotients": quotients,
        "norm": norm,
        "gradient": lambda f, x, y: jax.vjp(lambda x: (x * y + x) * x, x)[1](f(x, y))[0],
        "gather": lambda f, x, y: f(x[jnp.arange(x.shape[0])[::-1] // 2], y),
        "update": lambda f, x, y: lax.dynamic_update_slice(x, f(x[:2], y[:2]), (1, 0)),
        "cumulative": lambda f, x, y: lax.associative_scan(lambda a, b: f(a, b), x),
        "recurrence": lambda f, x, y: lax.scan(lambda c, e: ((c[0] + (e - c[1]), ((c[0] + (e - c[1])) - c[0]) - (e - c[1])), None), (x[0], y[0] * 0), y)[0],
    }


def data(seed, dtype):
    import numpy as np
    random = np.random.RandomState(seed)
    rows = random.choice([8, 8, 13, 64])
    arrays = [(random.normal(size=(rows, 8)) * random.choice([0.01, 1, 30], size=(rows, 1))).astype(dtype) for _ in range(2)]
    return arrays


def program(seed):
    """(name, function, arguments)"""
    choose = random.Random(seed)
    dtype = choose.choice(TYPES)
    f, text = expression(choose, choose.choice([2, 3, 4]))
    name, around = choose.choice(list(contexts().items()))
    return f"{seed}: {name} of {text}, {dtype}", lambda x, y: around(f, x, y), data(seed % 2**31, dtype)


def unequal(got, want):
    """Where two arrays differ in more than the bits of a NaN; denormals of bf16 are zeros."""
    import numpy as np
    got, want = (np.asarray(a).reshape(-1) for a in (got, want))
    if got.dtype.itemsize == 2 and got.dtype != np.float16:
        got, want = (np.where(np.abs(a.astype("f4")) < 2.0 ** -126, 0, a.astype("f4")) for a in (got, want))
    with np.errstate(all="ignore"):
        return np.flatnonzero(~((got == want) | (np.isnan(got) & np.isnan(want)))), got, want


def run(function, arguments, platform, whole):
    import jax
    import numpy as np
    device = jax.devices(platform)[0]
    with jax.default_device(device), jax.disable_jit(not whole):
        return [np.asarray(r) for r in jax.tree.leaves(jax.jit(function)(*[jax.device_put(a, device) for a in arguments]))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plugin")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = "gantry:" + os.path.abspath(arguments.plugin)
    os.environ["JAX_PLATFORMS"] = "gantry,cpu"
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    passed = failed = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        name, function, values = program(seed)
        problems = []
        for got, want in zip(run(function, values, "gantry", True), run(function, values, "cpu", False)):
            at, got, want = unequal(got, want)
            if len(at):
                problems.append(f"{len(at)} of {len(got)} differ: {got[at[:3]]} instead of {want[at[:3]]}")
        passed, failed = passed + (not problems), failed + bool(problems)
        if problems:
            print(f"{name}: {problems[0]}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
