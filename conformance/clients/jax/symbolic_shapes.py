#!/usr/bin/env python3
"""symbolic_shapes.py GANTRY PLUGIN [--filter REGEX]: programs that jax.export makes with symbolic shapes, whose sizes are
"?". Each is run by the command with inputs of several sizes, as bytecode and as text, and compared with JAX's own CPU. Sizes
that the program's own constraints refuse give an error with the constraint."""
import argparse
import os
import re
import subprocess
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax

F32, S32, U32 = "float32", "int32", "uint32"

SIZES = [{"b": 3, "c": 2, "h": 6, "k": 5, "m": 4, "n": 7, "s": 9, "t": 8, "w": 9}, {"b": 1, "c": 1, "h": 5, "k": 1, "m": 1, "n": 4, "s": 1, "t": 2, "w": 5}]



def cases():
    """name, function, shapes, constraints"""
    def one(name, function, *shapes, constraints=()):
        return name, function, shapes, constraints
    matrix, vector = ("b, n", F32), ("b", F32)
    yield one("mlp", lambda x, w: jnp.tanh(x @ w).sum(0) / x.shape[0], matrix, ("n, 4", F32))
    yield one("reshape", lambda x: x.reshape(-1, 2) * jnp.arange(x.shape[0] * x.shape[1] // 2)[:, None], ("b, 2*n", F32))
    yield one("softmax", lambda x: jax.nn.softmax(x) + jnp.ones(x.shape[1]), matrix)
    yield one("slice", lambda x: x[1:-1:2], ("n", F32))
    yield one("pad", lambda x: jnp.pad(x, ((1, x.shape[0]), (0, 0))) + 1, ("b, 3", F32))
    yield one("gather", lambda x, i: x[i], matrix, ("k", S32))
    yield one("scatter", lambda x, i: x.at[i].add(1.), matrix, ("k", S32))
    yield one("convolution", lambda x, w: lax.conv_general_dilated(x, w, (2, 2), "SAME"), ("b, c, h, w", F32), ("8, c, 3, 3", F32))
    yield one("sort", lambda x: jnp.sort(x, axis=-1), matrix)
    yield one("top_k", lambda x: lax.top_k(x, 3), matrix, constraints=["n>=3"])
    yield one("cumsum", lambda x: jnp.cumsum(x, axis=0), matrix)
    yield one("pool", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, x.shape[1]), (1, 1), "VALID"), matrix)
    yield one("pool_same", lambda x: lax.reduce_window(x, 0., lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), ("b, h, w, 3", F32))
    yield one("pool_gradient", jax.grad(lambda x: (lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") ** 2).sum()),
              ("b, h, w, 3", F32))
    yield one("random", lambda k, x: x + jax.random.normal(k, x.shape), ("2", U32), matrix)
    yield one("dropout", lambda k, x: jnp.where(jax.random.bernoulli(k, 0.5, x.shape), x, 0), ("2", U32), matrix)
    yield one("scan", lambda x: lax.scan(lambda c, r: (c + r, c.sum()), jnp.zeros(x.shape[1]), x), matrix)
    yield one("while", lambda x: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * jnp.arange(x.shape[0])), (0, x)), vector)
    yield one("cond", lambda x: lax.cond(x.sum() > 0, lambda y: y * 2, lambda y: y - jnp.ones(y.shape), x), matrix)
    yield one("concatenate", lambda x, y: jnp.concatenate([x, y, jnp.zeros((x.shape[0] + 1, 2))]), ("b, 2", F32), ("c, 2", F32))
    yield one("gradient", jax.grad(lambda w, x: (jnp.tanh(x @ w) ** 2).mean()), ("n, m", F32), matrix)
    yield one("sizes", lambda x: jnp.zeros(((x.shape[0] + 3) // 4 - x.shape[0] % 3 + 2,)) + jnp.max(x), vector)
    yield one("dynamic_slice", lambda x, i: lax.dynamic_slice_in_dim(x, i, x.shape[0] - 1), ("n, 3", F32), ("", S32))
    yield one("attention", lambda q, k, v: jax.nn.softmax(jnp.einsum("bthd,bshd->bhts", q, k) / 8, -1) @ v.transpose(0, 2, 1, 3),
              ("b, t, 4, 8", F32), ("b, s, 4, 8", F32), ("b, s, 4, 8", F32))
    yield one("fft", lambda x: jnp.abs(jnp.fft.fft(x)), ("b, 8", F32))
    yield one("cholesky", lambda x: jnp.linalg.cholesky(x @ x.transpose(0, 2, 1) + 9 * jnp.identity(3)), ("b, 3, 3", F32))
    yield one("argmax", lambda x: (jnp.argmax(x, -1), jnp.argsort(x, -1)), matrix)
    yield one("where", lambda x: jnp.where(jnp.tri(x.shape[0], dtype=bool), x, -1), ("n, n", F32))
    yield one("vmap", jax.vmap(lambda x, y: x @ y), ("b, n, m", F32), ("b, m, k", F32))
    yield one("normalize", lambda x: (x - x.mean(0)) / (x.std(0) + 1), matrix)
    yield one("split", lambda x: jnp.split(x, 2, axis=1), ("b, 2*n", F32))
    yield one("inner_jit", lambda x: jax.jit(lambda y: y + y.shape[0])(x) + jax.jit(lambda y: y * y.shape[0])(jnp.concatenate([x, x]))[:x.shape[0]], vector)
    yield one("remat", jax.grad(lambda x: jax.checkpoint(lambda y: jnp.sin(jnp.sin(y)).sum() / y.shape[0])(x)), matrix)
    yield one("tile", lambda x: jnp.tile(x, (2, x.shape[1])), matrix)
    yield one("outer", lambda x, y: x[:, None] * y + x.shape[0], vector, ("n", F32))


def inputs_of(shapes, specs, size):
    random = np.random.RandomState(0)
    values = []
    for (_, kind), spec in zip(shapes, specs):
        shape = [dim if isinstance(dim, int) else dim._evaluate(size) for dim in spec.shape]
        values.append(random.standard_normal(shape).astype(kind) if kind == F32 else random.randint(0, 3, shape).astype(kind))
    return values


def run(tool, plugin, program, values, count, folder):
    command = [tool, "run", program, "--plugin", plugin, "--output", folder]
    for i, value in enumerate(values):
        np.save(f"{folder}/in{i}.npy", value)
        command += ["--input", f"@{folder}/in{i}.npy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[:600])
    return [np.load(f"{folder}/{i}.npy") for i in range(count)]


def check(tool, plugin, function, shapes, constraints, folder):
    scope = export.SymbolicScope(constraints)
    specs = [jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), kind) for shape, kind in shapes]
    exported = export.export(jax.jit(function), platforms=["cpu"])(*specs)
    with open(folder + "/program.bc", "wb") as file:
        file.write(exported.mlir_module_serialized)
    with open(folder + "/program.mlir", "w", encoding="utf-8") as file:
        file.write(exported.mlir_module())
    for number, size in enumerate(SIZES):
        values = inputs_of(shapes, specs, size)
        want = jax.tree.leaves(jax.jit(function)(*values))
        got = run(tool, plugin, folder + ("/program.mlir" if number else "/program.bc"), values, len(want), folder)
        for a, b in zip(got, want):
            np.testing.assert_allclose(a, np.asarray(b), rtol=2e-5, atol=2e-5)


def refuse(tool, plugin, folder):
    """A size that the exported program does not allow."""
    scope = export.SymbolicScope(["b >= 4"])
    spec = jax.ShapeDtypeStruct(export.symbolic_shape("b, n", scope=scope), F32)
    exported = export.export(jax.jit(lambda x: x[:4]), platforms=["cpu"])(spec)
    with open(folder + "/program.bc", "wb") as file:
        file.write(exported.mlir_module_serialized)
    try:
        run(tool, plugin, folder + "/program.bc", [np.zeros((3, 2), F32)], 1, folder)
    except RuntimeError as error:
        if "'b' = 3" in str(error) and ">= 4" in str(error):
            return
        raise
    raise RuntimeError("3 rows were accepted")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("plugin")
    parser.add_argument("--filter", default="")
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        def attempt(name, body):
            nonlocal passed, failed
            try:
                body()
                passed += 1
            except Exception as error:
                failed += 1
                print(f"FAIL {name}: {str(error)[:700]}", flush=True)
        for name, function, shapes, constraints in cases():
            if re.search(arguments.filter, name):
                attempt(name, lambda f=function, s=shapes, c=constraints: check(arguments.tool, arguments.plugin, f, s, c, folder))
        attempt("refused", lambda: refuse(arguments.tool, arguments.plugin, folder))
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    raise SystemExit(main())
