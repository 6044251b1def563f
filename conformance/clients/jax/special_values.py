#!/usr/bin/env python3
"""special_values.py PLUGIN [--share N] [--seed N] [NAME...]: expressions whose results at infinities, NaN, zeros of both signs, denormal and huge
numbers depend on how a compiler simplifies them, on Gantry and on JAX's own CPU in one process.

Every expression is compiled as a whole and applied to all pairs of special numbers of each element type. Results must be NaN
in the same places and have the same signs, zeros included; other numbers may differ by the ULPs that the row allows. Where
XLA's simplifications give or lose a NaN, an infinity or the sign of a zero, JAX's own CPU compiles each operation alone. The
rules behind are listed in compiler/passes/fold/simplify_rules.def and fold_rules.def. --share N: a seeded sample of one row in N."""
import argparse
import os
import random
import sys

# Operations on f16 and bf16 round differently where they are computed otherwise; such rows are for WIDE types.
WIDE = ("float32", "float64")
TYPES = ("float32", "float64", "float16", "bfloat16")
COMPLEX = ("complex64", "complex128")


def special(dtype):
    """All pairs of special numbers of a type: two arrays. Complex numbers have each pair as real and imaginary part."""
    import jax.numpy as jnp
    import numpy as np
    if dtype in COMPLEX:
        x, y = special({"complex64": "float32", "complex128": "float64"}[dtype])
        return np.stack([x, y], 1).view(dtype)[:, 0], np.stack([y[::-1], x], 1).view(dtype)[:, 0]
    info = jnp.finfo(dtype)
    least, most = float(info.smallest_normal), float(info.max)
    sizes = [0, least / 4, least, float(info.eps), 0.3, 1, 2, 2.5, 3, 100, most / 4, most * 0.9, most, np.inf]
    numbers = np.array([sign * size for size in sizes for sign in (1, -1)] + [np.nan]).astype(dtype)
    numbers[-1:].view(f"int{8 * numbers.itemsize}")[:] = -1             # a NaN with all bits, which arithmetic on bits must not read as an exponent
    return np.repeat(numbers, len(numbers)), np.tile(numbers, len(numbers))


def expressions():
    """name: (function of x, y and p, a predicate), allowed ULPs, types, whether denormal results must be the same, whether
    the reference compiles each operation alone)"""
    import jax
    import jax.numpy as jnp
    from jax import lax
    constant = lambda x, value: jnp.asarray(value, x.dtype)
    normal = lambda x: jnp.where(jnp.abs(x) < jnp.finfo(x.dtype).smallest_normal, jnp.copysign(constant(x, 0), x), x)
    number = lambda p, x: p.astype(x.dtype)
    # What is not denormal becomes so; infinities and NaN too.
    denormal = lambda x: jnp.where(normal(x) == 0, x, jnp.copysign(constant(x, jnp.finfo(x.dtype).smallest_normal / 8), x))
    rows = {}

    def row(name, function, ulps=0, types=TYPES, exact=False, alone=False):
        rows[name] = (function, ulps, types, exact, alone)

    def alone(*arguments):
        row(*arguments, alone=True)

    # ---- masks
    row("x * p", lambda x, y, p: x * p)
    row("p * x", lambda x, y, p: p * x)
    row("x * number(p)", lambda x, y, p: x * number(p, x))
    row("x * (y > 0)", lambda x, y, p: x * (y > 0))
    row("x * (x > 0)", lambda x, y, p: x * (x > 0))
    row("x * ~p", lambda x, y, p: x * ~p)
    row("x * p * y", lambda x, y, p: x * p * y)
    row("-(number(p) * 3)", lambda x, y, p: -(number(p, x) * constant(x, 3)))
    row("-number(p) * 3", lambda x, y, p: -number(p, x) * constant(x, 3))
    row("x * (p * y)", lambda x, y, p: x * (p * y))
    row("x * (1 - p)", lambda x, y, p: x * (1 - number(p, x)))
    row("x * -p", lambda x, y, p: x * -number(p, x))
    row("number(p) * number(y > 0)", lambda x, y, p: number(p, x) * number(y > 0, x))
    row("x * where(p, 1, 0)", lambda x, y, p: x * jnp.where(p, constant(x, 1), constant(x, 0)))
    row("x * p of int", lambda x, y, p: x * p.astype("int32").astype(x.dtype))
    row("x * transposed p", lambda x, y, p: x.reshape(29, 29) * p.reshape(29, 29).T)
    row("x * transposed number(p)", lambda x, y, p: x.reshape(29, 29) * number(p, x).reshape(29, 29).T)
    row("x * reshaped p", lambda x, y, p: x.reshape(29, 29) * p.reshape(29, 29))
    row("reshaped x * reshaped number(p)", lambda x, y, p: x.reshape(29, 29) * number(p, x).reshape(29, 29))
    row("x rows * number(p) rows", lambda x, y, p: jnp.tile(x[None], (3, 1)) * jnp.tile(number(p, x)[None], (3, 1)))
    row("column of x * column of number(p)", lambda x, y, p: x[:, None] * number(p, x)[:, None])
    row("broadcast x * broadcast number(p)", lambda x, y, p: jnp.broadcast_to(x[:9], (3, 9)) * jnp.broadcast_to(number(p[:9], x), (3, 9)))
    row("filled with x * filled with number(p)", lambda x, y, p: jnp.full(3, x[-1]) * jnp.full(3, number(p[0], x)))
    square = lambda x: x.reshape(29, 29)
    for name, moved in {"reshaped": square, "transposed": lambda x: square(x).T, "column": lambda x: x[:, None]}.items():
        row(f"{name} x * {name} number(p)", lambda x, y, p, m=moved: m(x) * m(number(p, x)))
        row(f"{name} exp(x) * {name} number(p)", lambda x, y, p, m=moved: jnp.exp(m(x)) * m(number(p, x)), 4)
        row(f"({name} x + c) * {name} number(p)", lambda x, y, p, m=moved: (m(x) + 1) * m(number(p, x)), 0, WIDE)
        row(f"({name} x + scalar) * {name} number(p)", lambda x, y, p, m=moved: (m(x) + y[3]) * m(number(p, x)), 0, WIDE)
        row(f"where({name} x, {name} y) * {name} number(p)", lambda x, y, p, m=moved: jnp.where(m(y) > 0, m(x), m(y)) * m(number(p, x)))
        row(f"scalar * {name} number(p)", lambda x, y, p, m=moved: x[-3] * m(number(p, x)))
        row(f"{name} log(x) mask, summed", lambda x, y, p, m=moved: jnp.sum(jnp.log(m(x)) * m(number(p, x)), 0), 8, WIDE)
    for name, moved in {"reshaped": square, "transposed": lambda x: square(x).T}.items():
        row(f"other * {name} number(p)", lambda x, y, p, m=moved: m(x)[::-1] * m(number(p, x)))
    row("reversed x * reversed number(p)", lambda x, y, p: x[::-1] * number(p, x)[::-1])
    row("slice of x * slice of number(p)", lambda x, y, p: x[5:99] * number(p, x)[5:99])
    row("exp of rows * rows of number(p)", lambda x, y, p: jnp.exp(jnp.tile(x[None], (3, 1))) * jnp.tile(number(p, x)[None], (3, 1)), 4)
    for name in ("int8", "uint8", "float32", "float64", "bfloat16"):
        row(f"x * p of {name}", lambda x, y, p, n=name: x * p.astype(n).astype(x.dtype), 0, TYPES + COMPLEX)
    for name, f in {"z * p": lambda x, p: x * p, "z * number(p)": lambda x, p: x * number(p, x), "number(p) * z": lambda x, p: number(p, x) * x,
                    "z * p of int": lambda x, p: x * p.astype("int32").astype(x.dtype),
                    "reshaped z * reshaped number(p)": lambda x, p: square(x) * square(number(p, x)),
                    "transposed z * transposed number(p)": lambda x, p: square(x).T * square(number(p, x)).T}.items():
        row(name, lambda x, y, p, f=f: f(x, p), 0, COMPLEX)
    row("column of x * row of number(p)", lambda x, y, p: x[:29, None] * number(p, x)[None, :29])
    row("x * a column of p", lambda x, y, p: x.reshape(29, 29) * p[:29, None])
    row("x * a row of p", lambda x, y, p: x.reshape(29, 29) * p[:29])
    row("x * scalar p", lambda x, y, p: x * p[0])
    row("scalar x * p", lambda x, y, p: x[-1] * p)
    row("scalar x * scalar p", lambda x, y, p: x[-1] * p[0])
    row("x * False", lambda x, y, p: x * False)
    row("x * a constant mask", lambda x, y, p: x * (jnp.arange(841) % 2 == 0))
    row("x * one_hot", lambda x, y, p: x.reshape(29, 29) * jax.nn.one_hot(jnp.arange(29) // 2, 29, dtype=x.dtype))
    row("x * eye", lambda x, y, p: x.reshape(29, 29) * jnp.eye(29, dtype=x.dtype))
    row("x * tril", lambda x, y, p: x.reshape(29, 29) * jnp.tri(29, dtype=x.dtype))
    row("mask in a loop", lambda x, y, p: lax.fori_loop(0, 2, lambda i, c: c * p, x))
    row("mask of a sum", lambda x, y, p: jnp.sum((x * p)[:27] * (x == y)[:27], keepdims=True))
    row("gradient of a masked sum", lambda x, y, p: jax.grad(lambda x: jnp.sum(jnp.where(p, x, 0) * p))(x))
    row("gradient of a mask", lambda x, y, p: jax.grad(lambda x: jnp.sum(jnp.log(jnp.abs(x)) * p))(x), 4)
    row("cotangent of a mask", lambda x, y, p: jax.vjp(lambda x: x * p, x)[1](y)[0])
    # ---- losses
    row("-p log p (p > 0)", lambda x, y, p: -(x * jnp.log(x) * (x > 0)), 4, ("float32", "float64", "bfloat16"))
    row("log(x) mask", lambda x, y, p: jnp.log(x) * p, 4, ("float32", "float64", "bfloat16"))
    row("entropy of rows", lambda x, y, p: -jnp.sum(jnp.clip(x, 0, 1).reshape(29, 29) * jnp.log(jnp.clip(x, 0, 1).reshape(29, 29))
                                                     * (x.reshape(29, 29) > 0), 1), 8, WIDE)
    row("gradient of entropy", lambda x, y, p: jax.grad(lambda x: -jnp.sum(x * jnp.log(x) * (x > 0)))(x), 8, WIDE)
    row("binary cross entropy with logits", lambda x, y, p: -(x * number(p, x)) + jax.nn.softplus(x), 8, WIDE)
    row("numpyro's binary cross entropy", lambda x, y, p: jnp.clip(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x))) - x * p, 8, WIDE)
    row("gradient of numpyro's", lambda x, y, p: jax.grad(lambda x: jnp.sum(jnp.clip(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x))) - x * p))(x),
        64, WIDE)
    row("xlogy", lambda x, y, p: jax.scipy.special.xlogy(x, y), 8, WIDE)
    row("relu by mask", lambda x, y, p: x * (x > 0))
    # ---- sums and products with constants
    alone("x + 0", lambda x, y, p: normal(x) + 0)
    row("x - 0", lambda x, y, p: x - 0)
    row("x + -0", lambda x, y, p: x + constant(x, -0.0))
    row("0 - x", lambda x, y, p: 0 - x)
    alone("0 + x", lambda x, y, p: 0 + normal(x))
    alone("1 / (x + 0)", lambda x, y, p: 1 / (normal(x) + 0))
    row("x * 0", lambda x, y, p: x * 0)
    row("x * 1", lambda x, y, p: x * 1)
    row("x * -1", lambda x, y, p: x * -1)
    row("x / 1", lambda x, y, p: x / 1)
    row("x / 4", lambda x, y, p: x / 4)
    row("x / 3", lambda x, y, p: x / 3, 1)
    row("x / 0", lambda x, y, p: x / 0)
    row("0 / x", lambda x, y, p: 0 / x)
    row("x - x", lambda x, y, p: x - x)
    row("x / x", lambda x, y, p: x / x)
    row("x + x", lambda x, y, p: x + x)
    alone("(x + c) - c", lambda x, y, p: (x + 1e3) - 1e3, 0, WIDE)
    alone("(x + c) + d", lambda x, y, p: (x + 1e3) + 3e3, 0, WIDE)
    alone("(c - x) + d", lambda x, y, p: (1e3 - x) + 3e3, 0, WIDE)
    alone("(x - c) - d", lambda x, y, p: (x - 1e3) - 3e3, 0, WIDE)
    alone("(x * c) * 1/c", lambda x, y, p: (x * 64) * 0.015625)
    alone("(x * c) * d", lambda x, y, p: (x * 3) * 64)
    alone("(x * c) / d", lambda x, y, p: (x * 3) / 64)
    alone("(x / c) * c", lambda x, y, p: (x / 64) * 64)
    alone("(x * c) * y", lambda x, y, p: (x * 64) * y, 0, WIDE)
    alone("(x * c) * (y * d)", lambda x, y, p: (x * 64) * (y * 0.015625), 0, WIDE)
    alone("x * 2 + y * 2", lambda x, y, p: x * 2 + y * 2)
    row("x + (y - x)", lambda x, y, p: x + (y - x), 0, WIDE)
    row("(x + y) - y", lambda x, y, p: (x + y) - y, 0, WIDE)
    row("-x * -y", lambda x, y, p: -x * -y)
    row("x + -y", lambda x, y, p: x + -y)
    row("x - -y", lambda x, y, p: x - -y)
    row("-(x - y)", lambda x, y, p: -(x - y))
    row("-(-x)", lambda x, y, p: -(-x))
    # ---- quotients and roots
    alone("(x / y) / c", lambda x, y, p: (x / y) / 2, 0, WIDE)
    alone("(x / y) / x", lambda x, y, p: (x / y) / x, 2, WIDE)
    alone("x / (y / x)", lambda x, y, p: x / (y / x), 2, WIDE)
    alone("(x / y) / (y / x)", lambda x, y, p: (x / y) / (y / x), 2, WIDE)
    row("x * (1 / y)", lambda x, y, p: x * (1 / y), 0, WIDE)
    row("x / exp(y)", lambda x, y, p: x / jnp.exp(y), 4)
    alone("exp(x) / exp(y)", lambda x, y, p: jnp.exp(x) / jnp.exp(y), 4)
    alone("exp(x) * exp(y)", lambda x, y, p: jnp.exp(x) * jnp.exp(y), 4)
    row("x / sqrt(y)", lambda x, y, p: x / jnp.sqrt(y), 4)
    row("1 / sqrt(y)", lambda x, y, p: 1 / jnp.sqrt(y), 4)
    row("x / rsqrt(y)", lambda x, y, p: x / lax.rsqrt(y), 4)
    row("1 / rsqrt(x)", lambda x, y, p: 1 / lax.rsqrt(x), 4)
    alone("sqrt(x * x)", lambda x, y, p: jnp.sqrt(x * x), 1)
    row("sqrt(x) * sqrt(x)", lambda x, y, p: jnp.sqrt(x) * jnp.sqrt(x), 2)
    row("rsqrt(x) * rsqrt(x)", lambda x, y, p: lax.rsqrt(x) * lax.rsqrt(x), 4)
    row("rsqrt(x * x)", lambda x, y, p: lax.rsqrt(x * x), 4, WIDE)
    row("rsqrt(1 / x)", lambda x, y, p: lax.rsqrt(1 / x), 4, WIDE)
    alone("sqrt(x ** 2)", lambda x, y, p: jnp.sqrt(lax.pow(x, constant(x, 2))), 1)
    row("sqrt(x) ** 2", lambda x, y, p: lax.pow(jnp.sqrt(x), constant(x, 2)), 1)
    # ---- logarithms and powers
    alone("log(exp(x))", lambda x, y, p: jnp.log(jnp.exp(x)), 4)
    row("exp(log(x))", lambda x, y, p: jnp.exp(jnp.log(x)), 512, WIDE)
    alone("log(x ** y)", lambda x, y, p: jnp.log(lax.pow(normal(x), normal(y))), 64, WIDE)
    alone("log(x ** 2.5)", lambda x, y, p: jnp.log(lax.pow(normal(x), constant(x, 2.5))), 16, WIDE)
    row("log(sqrt(x))", lambda x, y, p: jnp.log(jnp.sqrt(x)), 4)
    alone("log(rsqrt(x))", lambda x, y, p: jnp.log(lax.rsqrt(x)), 4, WIDE)
    alone("exp(x) ** y", lambda x, y, p: lax.pow(jnp.exp(x), normal(y)), 512, WIDE)
    alone("(x ** 2.5) ** 3.5", lambda x, y, p: lax.pow(lax.pow(normal(x), constant(x, 2.5)), constant(x, 3.5)), 64, WIDE)
    for exponent in (0, 1, 2, 3, 4, -1, -2, 0.5, -0.5, 2.5):
        row(f"x ** {exponent}", lambda x, y, p, e=exponent: lax.pow(normal(x), constant(x, e)), 64 if exponent in (-0.5, 2.5) else 4)
    row("1 ** x", lambda x, y, p: lax.pow(jnp.ones_like(x), x))
    row("x ** y", lambda x, y, p: lax.pow(normal(x), normal(y)), 64, WIDE)
    row("integer_pow 3", lambda x, y, p: x ** 3, 2)
    row("integer_pow 5", lambda x, y, p: x ** 5, 4)
    row("integer_pow -3", lambda x, y, p: x ** -3, 4, WIDE)
    row("log1p(expm1(x))", lambda x, y, p: jnp.log1p(jnp.expm1(x)), 4)
    row("logistic", lambda x, y, p: jax.nn.sigmoid(x), 8, WIDE)
    row("1 / (1 + exp(-x))", lambda x, y, p: 1 / (1 + jnp.exp(-x)), 8, WIDE)
    row("softplus", lambda x, y, p: jax.nn.softplus(x), 8, WIDE)
    row("logaddexp", lambda x, y, p: jnp.logaddexp(x, y), 16, WIDE)
    row("softmax", lambda x, y, p: jax.nn.softmax(x.reshape(29, 29), 1), 16, WIDE)
    row("log_softmax", lambda x, y, p: jax.nn.log_softmax(x.reshape(29, 29), 1), 16, WIDE)
    # ---- signs, extremes, comparisons, selections
    row("abs(x * x)", lambda x, y, p: jnp.abs(x * x))
    row("abs(exp(x))", lambda x, y, p: jnp.abs(jnp.exp(x)), 4)
    row("abs(abs(x))", lambda x, y, p: jnp.abs(jnp.abs(x)))
    row("abs(-x)", lambda x, y, p: jnp.abs(-x))
    row("abs(x) * abs(x)", lambda x, y, p: jnp.abs(x) * jnp.abs(x))
    row("sign(x)", lambda x, y, p: jnp.sign(x))
    row("sign(x) * abs(x)", lambda x, y, p: jnp.sign(x) * jnp.abs(x))
    row("max(x, -inf)", lambda x, y, p: jnp.maximum(x, -jnp.inf))
    row("min(x, inf)", lambda x, y, p: jnp.minimum(x, jnp.inf))
    row("max(x, x)", lambda x, y, p: lax.max(x, x))
    row("min(max(x, -1), 1)", lambda x, y, p: jnp.minimum(jnp.maximum(x, -1), 1))
    row("max(min(x, 1), -1)", lambda x, y, p: jnp.maximum(jnp.minimum(x, 1), -1))
    row("min(max(x, 1), -1)", lambda x, y, p: jnp.minimum(jnp.maximum(x, 1), -1))
    row("clamp", lambda x, y, p: lax.clamp(constant(x, -1), x, constant(x, 1)))
    row("clamp by y", lambda x, y, p: lax.clamp(y, x, y))
    row("x == x", lambda x, y, p: x == x)
    row("x != x", lambda x, y, p: x != x)
    row("x < x", lambda x, y, p: x < x)
    row("not x < y", lambda x, y, p: ~(x < y))
    alone("exp(x) >= 0", lambda x, y, p: jnp.exp(x) >= 0)
    alone("abs(x) >= 0", lambda x, y, p: jnp.abs(x) >= 0)
    alone("0 <= abs(x)", lambda x, y, p: 0 <= jnp.abs(x))
    row("abs(x) < 0", lambda x, y, p: jnp.abs(x) < 0)
    alone("x * x >= 0", lambda x, y, p: x * x >= 0)
    row("exp(x) > 0", lambda x, y, p: jnp.exp(x) > 0)
    alone("max(x, 0) >= 0", lambda x, y, p: jnp.maximum(x, 0) >= 0)
    row("where(p, x, x)", lambda x, y, p: jnp.where(p, x, x))
    row("where(True, x, y)", lambda x, y, p: jnp.where(True, x, y))
    row("where(p, x, 0) * y", lambda x, y, p: jnp.where(p, x, 0) * y)
    row("p and True", lambda x, y, p: p & True)
    row("p or p", lambda x, y, p: p | p)
    row("isfinite", lambda x, y, p: jnp.isfinite(x))
    row("isnan", lambda x, y, p: jnp.isnan(x))
    row("x < y", lambda x, y, p: x < y, 0, ("float32", "float64", "float16"))
    row("maximum", lambda x, y, p: jnp.maximum(x, y))
    row("minimum", lambda x, y, p: jnp.minimum(x, y))
    row("floor", lambda x, y, p: jnp.floor(x))
    row("ceil", lambda x, y, p: jnp.ceil(x))
    row("round", lambda x, y, p: jnp.round(x))
    row("rem", lambda x, y, p: lax.rem(x, y))
    row("copysign", lambda x, y, p: jnp.copysign(x, y))
    # ---- conversions
    for name in ("float32", "float64", "float16", "bfloat16"):
        row(f"x as {name}", lambda x, y, p, n=name: x.astype(n))
        row(f"x as {name} and back", lambda x, y, p, n=name: x.astype(n).astype(x.dtype))
    row("x as int32", lambda x, y, p: x.astype("int32"))
    row("x as bool", lambda x, y, p: x.astype(bool), 0, WIDE)
    row("number(p) as bool", lambda x, y, p: number(p, x).astype(bool))
    row("reduce_precision", lambda x, y, p: lax.reduce_precision(x, 5, 4))
    # ---- reductions of broadcasts, products without a dimension
    row("sum of a broadcast", lambda x, y, p: jnp.sum(jnp.broadcast_to(jnp.abs(x)[:, None], (841, 3)), 1), 2)
    row("maximum of a broadcast", lambda x, y, p: jnp.max(jnp.broadcast_to(x[:, None], (841, 3)), 1))
    row("product of a broadcast", lambda x, y, p: jnp.prod(jnp.broadcast_to(x[:, None], (841, 3)), 1), 2)
    row("mean of one", lambda x, y, p: jnp.mean(jnp.abs(x)[:, None], 1))
    row("outer product", lambda x, y, p: jnp.abs(x)[:29, None] @ jnp.abs(y)[None, :29], 0, WIDE)
    row("product with zeros", lambda x, y, p: jnp.abs(x)[:, None] @ jnp.zeros((1, 2), x.dtype), 0, WIDE)
    row("product of nothing", lambda x, y, p: x[:0].reshape(3, 0) @ y[:0].reshape(0, 2))
    row("dot with a mask", lambda x, y, p: jnp.vdot(x, number(p, x), precision="highest")[None])
    row("dot with a mask that matters", lambda x, y, p: jnp.vdot(x, number((x > 0) & (x < 1), x), precision="highest")[None], 64, WIDE)
    row("dot of rows with masks", lambda x, y, p: jnp.einsum("bi,bi->b", square(x)[:, :2], square(number(p, x))[:, :2]), 4,
        WIDE + COMPLEX)
    row("dot of rows with columns of masks", lambda x, y, p: jnp.einsum("bi,ib->b", square(x)[:, :2], square(number(p, x))[:2]), 4, WIDE + COMPLEX)
    row("dot without sums with a mask", lambda x, y, p: jnp.einsum("b,b->b", x, number(p, x)), 0, TYPES + COMPLEX)
    row("row @ mask column", lambda x, y, p: (x[None, :3] @ number(p, x)[:3, None]), 0, TYPES + COMPLEX)
    row("column @ row", lambda x, y, p: x[:29, None] @ y[None, :29], 0, TYPES)
    row("column @ row of a mask", lambda x, y, p: x[:, None] @ number(p, x)[None, :9])
    row("outer product in wider numbers", lambda x, y, p: jnp.einsum("a,b->ab", x, y[:29], preferred_element_type="float32"), 0, ("float16", "bfloat16"))
    row("matrix times mask", lambda x, y, p: x.reshape(29, 29) @ number(p, x)[:29], 0, WIDE)
    # ---- denormal numbers
    row("x + y", lambda x, y, p: x + y)
    row("x - y", lambda x, y, p: x - y)
    row("x * y", lambda x, y, p: x * y)
    row("x / y", lambda x, y, p: x / y)
    row("x * 0.5", lambda x, y, p: x * 0.5)
    row("x * 0.5 * 4", lambda x, y, p: x * 0.5 * y)
    row("sqrt(x)", lambda x, y, p: jnp.sqrt(x))
    row("moved", lambda x, y, p: x[::-1])
    row("negated", lambda x, y, p: -x)
    row("sorted", lambda x, y, p: jnp.sort(jnp.where(jnp.abs(x) < jnp.finfo(x.dtype).smallest_normal, 0, x)))
    row("cumsum", lambda x, y, p: jnp.cumsum(jnp.where(jnp.abs(x) <= 1, x, 0)[:16]), 4)
    # atan, atan2, pow and cbrt of denormals differ: simplify_rules.def
    for name in ("abs", "neg", "sign", "floor", "ceil", "round", "exp", "exp2", "expm1", "log", "log1p", "logistic", "sqrt", "rsqrt", "sin", "cos", "tan",
                 "sinh", "cosh", "tanh", "asinh", "erf", "erfc", "lgamma", "digamma", "is_finite", "square"):
        row(f"denormal {name}", lambda x, y, p, f=getattr(lax, name): f(denormal(x)), 0, TYPES, True)
    row("denormal cbrt", lambda x, y, p: jnp.cbrt(denormal(x)), 0, ("float64",), True)
    row("denormal asin", lambda x, y, p: lax.asin(denormal(x)), 0, WIDE, True)
    row("cbrt of small numbers", lambda x, y, p: jnp.cbrt(jnp.where(jnp.abs(x) < jnp.finfo(x.dtype).smallest_normal, 1, x)), 4, WIDE)
    for name in ("add", "sub", "mul", "max", "min", "rem", "nextafter"):
        row(f"denormal {name}", lambda x, y, p, f=getattr(lax, name): f(denormal(x), denormal(y)), 0, TYPES, True)
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        row(f"denormal {name}", lambda x, y, p, f=getattr(lax, name): f(denormal(x), denormal(y)))
    for exponent, mantissa in ((5, 10), (5, 4), (6, 9), (8, 7), (8, 4), (4, 3), (11, 30)):
        row(f"denormal reduce_precision {exponent} {mantissa}", lambda x, y, p, e=exponent, m=mantissa: lax.reduce_precision(denormal(x), e, m), 0, TYPES, True)
    for name in ("float16", "bfloat16", "float32", "float64", "int32"):
        row(f"denormal as {name}", lambda x, y, p, n=name: denormal(x).astype(n), 0, TYPES, True)
    row("x == 0", lambda x, y, p: x == 0, 0, ("float32", "float64", "float16"))
    row("denormal * 1", lambda x, y, p: denormal(x) * 1, 0, TYPES, True)
    row("denormal / 2", lambda x, y, p: denormal(x) / 2, 0, TYPES, True)
    row("denormal moved", lambda x, y, p: jnp.where(p, denormal(x), 0)[::-1], 0, TYPES, True)
    # ---- complex numbers and constants
    alone("z + 0", lambda x, y, p: x + 0, 0, COMPLEX)
    alone("z - 0", lambda x, y, p: x - 0, 0, COMPLEX)
    large = lambda x: jnp.where(jnp.abs(x) < 1e-30, jnp.copysign(constant(x, 0), x), x)
    alone("z / 2", lambda x, y, p: lax.complex(large(jnp.real(x)), large(jnp.imag(x))) / 2, 1, COMPLEX)
    alone("z / 3j", lambda x, y, p: jnp.where(jnp.abs(x) < 1e30, x, 1) / 3j + (1 + 1j), 4, COMPLEX)
    return rows


def flushed(values):
    """Denormal numbers as zeros: whether a value that is only moved keeps them is not compared. f16 keeps them on all CPUs."""
    import jax.numpy as jnp
    import numpy as np
    if values.dtype.kind in "biuc" or values.dtype == np.float16:
        return values
    with np.errstate(all="ignore"):
        return np.where(abs(values) < jnp.finfo(values.dtype).smallest_normal, np.copysign(values, values) * 0, values).astype(values.dtype)


def difference(got, want, ulps, exact):
    """None, or a description of the first elements that differ."""
    import numpy as np
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
    parts = {"complex64": "float32", "complex128": "float64"}.get(want.dtype.name, want.dtype)
    got, want = got.reshape(-1).view(parts), want.reshape(-1).view(parts)
    if not exact:
        got, want = flushed(got), flushed(want)
    if want.dtype.kind in "biu":
        wrong = np.flatnonzero(got != want)
    else:
        bits = np.dtype(f"i{want.dtype.itemsize}")
        order = lambda a: np.where(a.view(bits) < 0, np.iinfo(bits).min - a.view(bits), a.view(bits)).astype(np.longdouble)
        with np.errstate(all="ignore"):
            nan = np.isnan(got) & np.isnan(want)
            same = (got == want) & (np.signbit(got) == np.signbit(want))
            near = (abs(order(got) - order(want)) <= ulps) & np.isfinite(got) & np.isfinite(want) & (np.signbit(got) == np.signbit(want))
        wrong = np.flatnonzero(~(nan | same | near))
    return None if not len(wrong) else (wrong, got, want)


def run(function, arguments, platform, alone=False):
    import jax
    import numpy as np
    device = jax.devices(platform)[0]
    arguments = [jax.device_put(value, device) for value in arguments]
    with jax.default_device(device), jax.disable_jit(alone):
        return np.asarray((function if alone else jax.jit(function))(*arguments))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plugin")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = "gantry:" + os.path.abspath(options.plugin)
    os.environ["JAX_PLATFORMS"] = "gantry,cpu"
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import warnings
    warnings.filterwarnings("ignore")
    import jax
    import numpy as np
    jax.config.update("jax_enable_x64", True)
    passed = failed = 0
    rows = expressions()
    names = options.names or random.Random(options.seed).sample(list(rows), len(rows) // options.share)
    for name in names:
        function, ulps, types, exact, alone = rows[name]
        for dtype in types:
            x, y = special(dtype)
            p = np.arange(len(x)) // 3 % 2 == 0
            try:
                wrong = difference(run(function, (x, y, p), "gantry"), run(function, (x, y, p), "cpu", alone), ulps, exact)
            except Exception as error:
                wrong = str(error)[:300]
            passed += not wrong
            failed += bool(wrong)
            if wrong and isinstance(wrong, str):
                print(f"{name} of {dtype}: {wrong}", flush=True)
            elif wrong:
                at, got, want = wrong
                inputs = f"x = {x[at[:3]]}, y = {y[at[:3]]}: " if len(got) == len(x) else ""
                print(f"{name} of {dtype}: {len(at)} of {len(got)} differ; {inputs}{got[at[:3]]} instead of {want[at[:3]]}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
