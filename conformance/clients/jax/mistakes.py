#!/usr/bin/env python3
"""Mistakes that users make with JAX, each in a process of its own, and what the message must say:

    PYTHONPATH=python mistakes.py [PART OF A NAME]

Each mistake names what it is, the environment, a program, and the words that its message must contain: where it happened, what
was found, what is allowed, and what to do next."""
import concurrent.futures
import os
import subprocess
import sys

PRELUDE = """
import warnings, os
import jax, jax.numpy as jnp, numpy as np
from functools import partial
"""
# (name, environment, program, words of the message)
MISTAKES = [
    ("threads that are no number", {"GANTRY_THREADS": "abc"}, "jnp.ones(3) + 1", ["GANTRY_THREADS", "'abc'", "0 to 65536"]),
    ("a mistyped variable", {"GANTRY_THREDS": "2"}, "jnp.ones(3) + 1", ["GANTRY_THREDS", "did you mean GANTRY_THREADS?"]),
    ("a mistyped pass", {"GANTRY_DUMP": "fusoin:/tmp/x"}, "jnp.ones(3) + 1", ["GANTRY_DUMP", "'fusoin'", "did you mean fusion"]),
    ("a size without a unit that exists", {"GANTRY_DEVICE_MEMORY": "16X"}, "jnp.ones(3) + 1", ["GANTRY_DEVICE_MEMORY", "'16X'", "512M"]),
    ("devices by JAX's setting, too many", {}, "jax.config.update('jax_num_cpu_devices', 70000); jax.devices()", ["device_count", "70000", "65536"]),
    ("a device that is not there", {}, "jax.devices()[3]", ["IndexError"]),
    ("more memory than there is", {"GANTRY_DEVICE_MEMORY": "16M"}, "jnp.ones((4096, 4096)) + 1",
     ["RESOURCE_EXHAUSTED", "16777216", "GANTRY_DEVICE_MEMORY"]),
    ("an array that does not fit", {"GANTRY_DEVICE_MEMORY": "1M"}, "jax.device_put(np.ones(1 << 20, 'float32'))",
     ["RESOURCE_EXHAUSTED", "4194304", "1048576"]),
    ("a donated array that is used again", {}, "x = jnp.ones(3); jax.jit(lambda v: v + 1, donate_argnums=0)(x); print(x)", ["deleted"]),
    ("a deleted array", {}, "x = jnp.ones(3); x.delete(); jax.jit(jnp.sin)(x)", ["deleted"]),
    ("an unknown compile option", {}, "jax.jit(jnp.sin).lower(1.0).compile(compiler_options={'xla_dump_too': 'x'})",
     ["No such compile option", "xla_dump_too", "did you mean 'xla_dump_to'?"]),
    ("a ragged exchange of another type", {},
     "from jax.sharding import Mesh, PartitionSpec as P; n = jnp.zeros(1, int); "
     "g = lambda a: jax.lax.ragged_all_to_all(a, jnp.zeros((4, 8), int), n, n, n, n, axis_name='x'); "
     "jax.jit(jax.shard_map(g, mesh=Mesh(np.array(jax.devices()[:1]), ('x',)), in_specs=P(), out_specs=P(), check_vma=False))(jnp.ones((1, 8)))",
     ["tensor<1x8xf32>", "result tensor<4x8xi32>", "a result like the output"]),
    ("an option that is not boolean", {}, "jax.jit(jnp.sin).lower(1.0).compile(compiler_options={'xla_cpu_enable_fast_math': 'maybe'})",
     ["xla_cpu_enable_fast_math", "maybe"]),
    ("a custom call that nobody registered", {},
     "jax.jit(lambda v: jax.ffi.ffi_call('no_such_target', jax.ShapeDtypeStruct((3,), 'float32'))(v))(jnp.ones(3))", ["no_such_target"]),
    ("a callback that raises", {},
     "jax.block_until_ready(jax.jit(lambda v: jax.pure_callback(lambda a: 1 / 0, jax.ShapeDtypeStruct((), 'float32'), v))(1.0))", ["division by zero"]),
    ("a callback that returns another shape", {},
     "jax.block_until_ready(jax.jit(lambda v: jax.pure_callback(lambda a: np.ones(4, 'float32'), jax.ShapeDtypeStruct((3,), 'float32'), v))(1.0))",
     ["(4,)", "(3,)"]),
    ("a memory kind that is not there", {}, "jax.device_put(1.0, jax.sharding.SingleDeviceSharding(jax.devices()[0], memory_kind='hbm'))", ["hbm"]),
    ("an unknown dimension at run time", {},
     "jax.jit(lambda v: jnp.nonzero(v)[0])(jnp.ones(3))", ["size"]),
    ("more partitions than devices", {},
     "from jax.sharding import Mesh, NamedSharding, PartitionSpec as P; Mesh(np.array(jax.devices()).reshape(2, -1), ('a', 'b'))", ["reshape"]),
    ("solving with a singular shape", {}, "jnp.linalg.solve(jnp.ones((2, 3)), jnp.ones(2))", ["core dimension"]),
    ("NaN with jax_debug_nans", {"JAX_DEBUG_NANS": "1"}, "jnp.log(jnp.zeros(3) - 1)", ["nan"]),
]


def run(mistake):
    name, variables, program, words = mistake
    environment = {**{k: v for k, v in os.environ.items() if not k.startswith("GANTRY_")}, "JAX_PLATFORMS": "gantry", **variables}
    done = subprocess.run([sys.executable, "-c", PRELUDE + program], env=environment, capture_output=True, text=True, timeout=300)
    text = done.stdout + done.stderr
    if done.returncode == 0:
        return f"{name}: no error; printed {text[-300:]!r}"
    if done.returncode < 0:
        return f"{name}: ended by signal {-done.returncode}: {text[-500:]}"
    missing = [word for word in words if word.lower() not in text.lower()]
    return f"{name}: the message lacks {missing}:\n{text[-900:]}" if missing else None


def main():
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    chosen = [mistake for mistake in MISTAKES if part in mistake[0]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [problem for problem in pool.map(run, chosen) if problem]
    for problem in problems:
        print(f"FAILED  {problem}")
    print(f"{len(chosen) - len(problems)} passed, {len(problems)} failed, 0 skipped")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
