#!/usr/bin/env python3
"""functions.py GANTRY PLUGIN: functions that JAX prints as CHLO operations, which may occur in text but never in
bytecode. Each is lowered by JAX, printed, compiled and run from that text by the command, and compared with JAX's own
CPU."""
import os
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
EPSILON = {"float32": 2.0 ** -23, "float64": 2.0 ** -52, "complex64": 2.0 ** -23, "complex128": 2.0 ** -52, "float16": 2.0 ** -10}
# Maximum difference in epsilons, if more than 32: JAX's own formulas are computed in the type's precision.
LOOSE = {"lgamma": 1e4, "digamma": 4e3, "polygamma": 400, "erf_inv": 4e3, "erfc": 200, "atanh": 200}


def cases():
    """(name, function, arguments)"""
    random = np.random.RandomState(0)
    for kind in ("float32", "float64", "float16"):
        unit = np.concatenate([random.uniform(-1, 1, 50), [0, -0.0, 1, -1, 1e-3]]).astype(kind)
        positive = np.concatenate([random.uniform(0, 30, 50), [1, 2, 0.5, 1e-2, np.inf]]).astype(kind)
        wide = np.concatenate([random.uniform(-10, 10, 50), [0, 1, -1, 2, -2, np.inf, -np.inf, np.nan]]).astype(kind)
        order, place = np.floor(positive[:50] / 6).astype(kind), positive[:50] + np.asarray(0.25, kind)
        table = {"acos": (jnp.arccos, unit), "asin": (jnp.arcsin, unit), "atan": (jnp.arctan, wide), "acosh": (jnp.arccosh, positive + 1),
                 "asinh": (jnp.arcsinh, wide), "atanh": (jnp.arctanh, unit), "sinh": (jnp.sinh, wide), "cosh": (jnp.cosh, wide),
                 "erf": (lax.erf, wide), "erfc": (lax.erfc, wide / 3), "erf_inv": (lax.erf_inv, unit), "bessel_i1e": (lax.bessel_i1e, wide * 4),
                 "lgamma": (lax.lgamma, wide), "digamma": (lax.digamma, wide), "zeta": (lax.zeta, place + 1, place),
                 "polygamma": (lax.polygamma, order, place), "next_after": (jnp.nextafter, wide, np.roll(wide, 3)),
                 "square": (lax.square, wide), "top_k": (lambda x: lax.top_k(x, 5), wide[:50])}
        for name, (function, *arguments) in table.items():
            if kind != "float16" or name in ("acos", "sinh", "top_k", "square", "atan"):
                yield name, function, arguments
    for kind in ("complex64", "complex128"):
        plane = (random.uniform(-3, 3, 60) + 1j * random.uniform(-3, 3, 60)).astype(kind)
        for name, function in {"acos": jnp.arccos, "asin": jnp.arcsin, "atan": jnp.arctan, "acosh": jnp.arccosh, "asinh": jnp.arcsinh,
                               "atanh": jnp.arctanh, "sinh": jnp.sinh, "cosh": jnp.cosh, "conj": jnp.conj, "square": lax.square}.items():
            yield name, function, [plane]
        for name in ("acos", "asin", "atan", "acosh", "asinh", "atanh"):
            yield "special " + name, getattr(jnp, "arc" + name[1:]), [special_plane(kind)]


def special_plane(kind):
    """All pairs of special numbers as real and imaginary part."""
    sizes = [0, 1e-30, 0.5, 1, 1.5, 100, 1e20, 1e300 if kind == "complex128" else 1e38, np.inf]
    numbers = [sign * size for size in sizes for sign in (1, -1)] + [np.nan]
    plane = np.empty(len(numbers) ** 2, kind)
    plane.real, plane.imag = np.repeat(numbers, len(numbers)), np.tile(numbers, len(numbers))
    return plane


def annex_g(name, plane):
    """NumPy's values, which follow C's Annex G."""
    with np.errstate(all="ignore"):
        return getattr(np, "arc" + name[1:])(plane)


def differ_in_parts(got, want):
    """None, or the positions where the parts differ in NaN, in sign, or by more than the tolerance."""
    epsilon = EPSILON[str(want.dtype)]
    with np.errstate(all="ignore"):
        def good(a, b):
            near = (a == b) | (abs(a - b) <= 32 * epsilon * abs(b)) | (abs(b) < np.finfo(b.dtype).tiny)
            return (np.isnan(a) & np.isnan(b)) | (near & (np.signbit(a) == np.signbit(b)))
        wrong = ~(good(got.real, want.real) & good(got.imag, want.imag))
    return f"{wrong.sum()} values, {got[wrong][:3]} instead of {want[wrong][:3]}" if wrong.any() else None


def run(tool, plugin, text, arguments, count, folder):
    command = [tool, "run", folder + "/program.mlir", "--plugin", plugin, "--output", folder]
    with open(folder + "/program.mlir", "w", encoding="utf-8") as file:
        file.write(text)
    for i, argument in enumerate(arguments):
        np.save(f"{folder}/in{i}.npy", argument)
        command += ["--input", f"@{folder}/in{i}.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[:300])
    return [np.load(f"{folder}/{i}.npy") for i in range(count)]


def differ(name, got, want):
    """None, or a description of the difference."""
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
    if got.dtype.kind not in "fc":
        return None if np.array_equal(got, want) else "other integers"
    with np.errstate(all="ignore"):
        bound = LOOSE.get(name, 32) * EPSILON[str(want.dtype)] * np.maximum(abs(want), 1e-2)
        good = (got == want) | (np.isnan(got) & np.isnan(want)) | (abs(got - want) <= bound)
    return None if good.all() else f"{got[~good][:3]} instead of {want[~good][:3]}"


def main():
    passed = failed = 0
    for name, function, arguments in cases():
        want = [np.asarray(part) for part in jax.tree.leaves(jax.jit(function)(*arguments))]
        text = jax.jit(function).lower(*arguments).as_text()
        with tempfile.TemporaryDirectory() as folder:
            try:
                got = run(sys.argv[1], sys.argv[2], text, arguments, len(want), folder)
                if name.startswith("special "):
                    wrong = differ_in_parts(got[0], annex_g(name.split()[1], arguments[0]))
                else:
                    wrong = next(filter(None, (differ(name, a, b) for a, b in zip(got, want))), None)
            except RuntimeError as error:
                wrong = str(error)
        passed += not wrong
        failed += bool(wrong)
        if wrong:
            print(f"{name} of {arguments[0].dtype}: {wrong}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
