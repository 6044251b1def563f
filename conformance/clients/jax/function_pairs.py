#!/usr/bin/env python3
"""function_pairs.py PLUGIN [--share N] [--seed N] [TYPE...]: f(g(x)) for all pairs of unary functions, compiled together and
apart, at special numbers: zeros of both signs, infinities, NaN, denormals, numbers beside the edges of domains, huge and tiny
ones; complex types have all pairs of some of them as parts, and so both sides of every branch cut.

A program computes f(g(x)) for one g and all f, each from an argument of its own, so that each f is g's only user. Apart, g is a
program, and its stored result the argument of f. Both must be NaN in the same places and have the same infinities and signs,
zeros included; numbers may differ by what f makes of the last bits of g(x). Where they do not, JAX's own CPU backend computes the pair
together, too: such a difference is allowed only where clients rely on it, and ALLOWED names the rule.

--share N: a seeded sample of one function g in N. Prints each pair that differs, and last `P passed, F failed`."""
import argparse
import os
import random
import sys

REAL = ("float32", "float64", "bfloat16", "float16")
COMPLEX = ("complex64", "complex128")
PARTS = {"complex64": "float32", "complex128": "float64"}
# (f, g) whose fused results may differ as those of XLA's CPU backend do: the rule, and who relies on it.
ALLOWED = {}


def numbers(dtype):
    """The special numbers of a real type."""
    import jax.numpy as jnp
    import numpy as np
    info = jnp.finfo(dtype)
    least, most, eps = float(info.smallest_normal), float(info.max), float(info.eps)
    sizes = [0, least / 4, least / 2, least, least * 2, least ** 0.5, eps / 4, eps, 1e-3, 0.25, 0.3, 0.5, 0.5 + eps, 1 - eps / 2, 1, 1 + eps, 1.5,
             np.pi / 2, 2, 2.5, 3, np.pi, 4, 10, 11.5, 88, 89, 300, 710, most ** 0.5, most ** 0.5 * 2, most / 4, most, np.inf]
    with np.errstate(all="ignore"):
        return np.array([sign * size for size in sizes for sign in (1, -1)] + [np.nan]).astype(dtype)


def special(dtype):
    """The special numbers of a type; of a complex one all pairs of parts."""
    import numpy as np
    if dtype in REAL:
        return numbers(dtype)
    parts = numbers(PARTS[dtype])
    parts = np.concatenate([parts[[0, 1, 4, 5, 14, 15, 22, 23, 26, 27, 28, 29, 30, 31, 38, 39, 58, 59, 64, 65, 66, 67, 68]]])
    x, y = np.repeat(parts, len(parts)), np.tile(parts, len(parts))
    return np.stack([x, y], 1).view(dtype)[:, 0]


def functions(dtype):
    """name: function"""
    import jax
    import jax.numpy as jnp
    from jax import lax
    number = lambda x, value: jnp.asarray(value, x.dtype)
    found = {name: getattr(lax, name) for name in (
        "neg", "sign", "exp", "expm1", "log", "log1p", "logistic", "sqrt", "rsqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh",
        "asin", "acos", "atan", "asinh", "acosh", "atanh", "square")}
    found |= {
        "x + 1": lambda x: x + number(x, 1), "x - 1": lambda x: x - number(x, 1), "1 - x": lambda x: number(x, 1) - x,
        "x + x": lambda x: x + x, "x - x": lambda x: x - x, "x * x": lambda x: x * x, "x / x": lambda x: x / x,
        "x * 0": lambda x: x * number(x, 0), "x * 1e3": lambda x: x * number(x, 1e3), "x / 1e3": lambda x: x / number(x, 1e3),
        "x * -1": lambda x: x * number(x, -1), "x / 4": lambda x: x / number(x, 4), "1 / x": lambda x: number(x, 1) / x,
        "x ** 0": lambda x: lax.pow(x, number(x, 0)), "x ** 2": lambda x: lax.pow(x, number(x, 2)), "x ** 3": lambda x: lax.pow(x, number(x, 3)),
        "x ** 0.5": lambda x: lax.pow(x, number(x, 0.5)), "x ** -1": lambda x: lax.pow(x, number(x, -1)),
        "x ** 2.5": lambda x: lax.pow(x, number(x, 2.5)), "2 ** x": lambda x: lax.pow(number(x, 2), x),
        "integer_pow 3": lambda x: lax.integer_pow(x, 3), "integer_pow -2": lambda x: lax.integer_pow(x, -2),
        "x + 0": lambda x: x + number(x, 0)}
    if dtype in COMPLEX:
        size = lambda x: lax.complex(abs(x), lax.imag(x) * 0)
        return found | {"abs": size, "conj": lax.conj, "real": lambda x: lax.complex(lax.real(x), lax.imag(x) * 0), "swap": lambda x: lax.complex(lax.imag(x), lax.real(x)),
                        "times i": lambda x: x * number(x, 1j), "i * x": lambda x: lax.complex(-lax.imag(x), lax.real(x))}
    return found | {
        "abs": lax.abs, "exp2": lax.exp2, "cbrt": lax.cbrt, "floor": lax.floor, "ceil": lax.ceil, "round": lax.round, "erf": lax.erf, "erfc": lax.erfc,
        "erf_inv": lax.erf_inv, "lgamma": lax.lgamma, "digamma": lax.digamma, "relu": lambda x: jnp.maximum(x, number(x, 0)),
        "min(x, 1)": lambda x: jnp.minimum(x, number(x, 1)), "clamp": lambda x: lax.clamp(number(x, -1), x, number(x, 1)),
        "x * (x > 0)": lambda x: x * (x > 0), "softplus": jax.nn.softplus, "silu": jax.nn.silu, "nan_to_num": jnp.nan_to_num,
        "x > 0": lambda x: (x > 0).astype(x.dtype), "x >= 0": lambda x: (x >= 0).astype(x.dtype),
        "isfinite": lambda x: jnp.isfinite(x).astype(x.dtype), "round to bf16": lambda x: x.astype("bfloat16").astype(x.dtype)}


def parts_of(values):
    """A one-dimensional array of real numbers, denormals as zeros of their sign."""
    import jax.numpy as jnp
    import numpy as np
    values = np.asarray(values)
    values = values.view(PARTS.get(values.dtype.name, values.dtype)).reshape(-1)
    if values.dtype == np.float16:
        return values
    with np.errstate(all="ignore"):
        return np.where(abs(values) < jnp.finfo(values.dtype).smallest_normal, np.copysign(values, values) * 0, values).astype(values.dtype)


def classes(values):
    """0: NaN; otherwise which of -inf, negative, -0, +0, positive, inf."""
    import numpy as np
    with np.errstate(all="ignore"):
        size = np.where(np.isinf(values), 3, np.where(values == 0, 1, 2))
    return np.where(np.isnan(values), 0, size * np.where(np.signbit(values), -1, 1))


def compiled(function, arguments, platform):
    """The results of a program on a device, still there."""
    import jax
    device = jax.devices(platform)[0]
    with jax.default_device(device):
        return jax.jit(function)(*[jax.device_put(value, device) for value in arguments])


def nearby(f, y):
    """The least and the greatest of f(y') for y' at most two units in the last place from y."""
    import jax.numpy as jnp
    import numpy as np
    y = np.asarray(y)
    parts = y.view(PARTS.get(y.dtype.name, y.dtype))
    eps = float(jnp.finfo(parts.dtype).eps)
    with np.errstate(all="ignore"):
        moved = [(parts * factor).astype(parts.dtype).view(y.dtype) for factor in (1 - 2 * eps, 1, 1 + 2 * eps)]
        results = np.stack([parts_of(compiled(f, (value,), "gantry")).astype(float) for value in moved])
        return np.fmin.reduce(results), np.fmax.reduce(results)


def differences(fused, apart, f, y):
    """The places at which a fused result has another class, or another value than rounding explains."""
    import jax.numpy as jnp
    import numpy as np
    fused, apart = parts_of(fused), parts_of(apart)
    other = classes(fused) != classes(apart)
    with np.errstate(all="ignore"):
        unequal = (fused != apart) & ~np.isnan(apart)
        if not other.any() and unequal.any():
            least, most = nearby(f, y)
            slack = 4 * float(jnp.finfo(fused.dtype).eps) * np.maximum(abs(least), abs(most))
            other |= unequal & ~((fused >= least - slack) & (fused <= most + slack))
    return np.flatnonzero(other)


def describe(name, f, g, fused, apart, at, x):
    """A message, and whether the pair is in ALLOWED and as XLA's CPU backend has it."""
    import numpy as np
    fused, apart = parts_of(fused), parts_of(apart)
    theirs = parts_of(compiled(lambda x: f(g(x)), (x,), "cpu"))
    allowed = name in ALLOWED and (classes(theirs)[at] == classes(fused)[at]).all()
    x = np.repeat(x, len(fused) // len(x))
    return f"{name}: {len(at)} differ, at {x[at[:3]]}: {fused[at[:3]]} together, {apart[at[:3]]} apart, {theirs[at[:3]]} with XLA", allowed


def check(fs, outer, apart, x, name):
    """All pairs f(g(x)) for the g of this name: (message, whether it is allowed)"""
    g = fs[name]
    fused = compiled(lambda *xs: [f(g(x)) for (_, f), x in zip(outer, xs)], [x] * len(outer), "gantry")
    y = compiled(g, (x,), "gantry")
    for (other, f), together, alone in zip(outer, fused, apart(y)):
        at = differences(together, alone, f, y)
        if len(at):
            yield describe(f"{other} of {name}", f, g, together, alone, at, x)


def check_type(dtype, share, choose):
    """The numbers of pairs that passed and that failed."""
    import jax
    fs, x = functions(dtype), special(dtype)
    outer = list(fs.items())
    apart = jax.jit(lambda y: [f(y) for _, f in outer])
    inner = choose.sample(list(fs), max(1, len(fs) // share))
    failed = 0
    for name in inner:
        for message, allowed in check(fs, outer, apart, x, name):
            failed += not allowed
            if not allowed:
                print(f"{dtype}: {message}", flush=True)
    return len(inner) * len(outer) - failed, failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plugin")
    parser.add_argument("types", nargs="*", default=REAL + COMPLEX)
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_intermixed_args()
    os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = "gantry:" + os.path.abspath(arguments.plugin)
    os.environ["JAX_PLATFORMS"] = "gantry,cpu"
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import jax
    jax.config.update("jax_enable_x64", True)
    choose = random.Random(arguments.seed)
    counts = [check_type(dtype, arguments.share, choose) for dtype in arguments.types]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
