#!/usr/bin/env python3
"""make_programs.py [FOLDER]: generates the programs of the conformance suites (conformance/programs) with JAX: each as
VHLO bytecode (.mlirbc), StableHLO text (.mlir, .generic.mlir) and HloModuleProto (.hlo.pb); and programs.def, with their
shapes and the results of JAX's own CPU for the suites' inputs. Run it manually, with the interpreter of
scripts/python_env.sh, after adding a program."""
import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
import numpy as np
from jaxlib import _jax

VERSION = "1.10.0"  # of StableHLO: old enough for any plugin of 0.104


def f32(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def s32(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.int32)


def mlp(w1, b1, w2, x, y):
    hidden = jnp.tanh(x @ w1 + b1)
    return jnp.mean((hidden @ w2 - y) ** 2)


def loop(n, x):
    return jax.lax.while_loop(lambda s: s[0] > 0, lambda s: (s[0] - 1, jnp.sin(s[1]) * 0.5 + s[1]), (n, x))


PROGRAMS = {
    "add": (lambda x, y: x + y, [f32(4), f32(4)], ()),
    "matmul": (lambda x, y: x @ y, [f32(16, 32), f32(32, 8)], ()),
    "mlp_grad": (jax.value_and_grad(mlp, argnums=(0, 1, 2)), [f32(8, 16), f32(16), f32(16, 4), f32(32, 8), f32(32, 4)], ()),
    "loop": (loop, [s32(), f32(8)], ()),
    "sort": (jnp.sort, [f32(64)], ()),
    "constants": (lambda: (jnp.arange(6, dtype=jnp.float32).reshape(2, 3), jnp.int32(7)), [], ()),
    "donate": (lambda x, y: x * 2 + y, [f32(256), f32(256)], (0,)),
    "large": (lambda x: jnp.exp(jnp.tanh(x) * 0.5), [f32(1024, 256)], ()),
}


def value(shape, dtype):
    """The suites' inputs: the same values as test_context_value() in conformance/test_context.c."""
    count = int(np.prod(shape, dtype=np.int64))
    if dtype == np.int32:
        return np.full(shape, 5, np.int32)
    return (((np.arange(count) * 7 + 3) % 16) / 16 - 0.5).astype(np.float32).reshape(shape)


def weighted_sum(elements):
    """A sum that depends on the order of elements: the same as in test_context_compare() in conformance/test_context.c."""
    return np.sum(elements * (1 + np.arange(len(elements)) % 7))


def row(shapes):
    return ",\n        ".join("{DTYPE_%s, %d, {%s}}" % ({"float32": "F32", "int32": "S32"}[str(s.dtype)], len(s.shape),
                                                ", ".join(map(str, s.shape)) or "0") for s in shapes) or "{0}"


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "conformance/programs"
    rows = ["/* programs.def: written by scripts/make_programs.py.",
            " *      name, inputs, their types; outputs, their types, the sums of their elements, the i-th times 1 + i % 7 */"]
    for name, (function, inputs, donated) in PROGRAMS.items():
        lowered = jax.jit(function, donate_argnums=donated, keep_unused=True).lower(*inputs)
        text, operation = lowered.as_text(), lowered.compiler_ir().operation
        forms = {".mlirbc": _jax.mlir.serialize_portable_artifact(text, VERSION), ".mlir": text.encode(),
                 ".generic.mlir": operation.get_asm(print_generic_op_form=True).encode(),
                 ".hlo.pb": _jax.mlir.mlir_module_to_xla_computation(text).as_serialized_hlo_module_proto()}
        for suffix, code in forms.items():
            with open(os.path.join(folder, name + suffix), "wb") as file:
                file.write(code)
        outputs = jax.tree.leaves(jax.jit(function)(*[value(i.shape, i.dtype) for i in inputs]))
        sums = ", ".join("%.9g" % weighted_sum(np.asarray(o, np.float64).ravel()) for o in outputs)
        lists = ["%d, ARRAY(%s)" % (len(list_), row(list_)) for list_ in (inputs, outputs)]
        rows.append("PROGRAM(%s, %s,\n    %s, ARRAY(%s))" % (name, lists[0], lists[1], sums))
    with open(os.path.join(folder, "programs.def"), "w", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")


main()
