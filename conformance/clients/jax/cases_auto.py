"""Automatic sharding through compile options, over four devices in a process of their own."""
import os
import subprocess
import sys

from jax_case import case

TRAINING = """
import jax, jax.numpy as jnp, numpy
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(numpy.array(jax.devices()).reshape(2, 2), ("x", "y"))
options = {"gantry_auto_sharding": True, "gantry_auto_sharding_mesh": "2x2", "gantry_auto_sharding_seconds": 1}
def step(params, x):
    def loss(p):
        h = x
        for up, down in p:
            h = h + jnp.tanh(h @ up) @ down
        return (h * h).mean()
    value, grads = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value
key = jax.random.key(0)
params = [(jax.random.normal(key, (64, 256)) * 0.1, jax.random.normal(key, (256, 64)) * 0.1) for _ in range(2)]
x = jax.random.normal(key, (128, 64))
placed = jax.device_put(x, NamedSharding(mesh, P("x")))
"""

STEPS = TRAINING + """
compiled = jax.jit(step, compiler_options=options).lower(params, placed).compile()
(shardings, given), _ = compiled.input_shardings
assert given.spec == P("x"), given
assert any(s.spec != P() for s in jax.tree.leaves(shardings)), shardings
assert jax.tree.leaves(compiled.output_shardings[0]) == jax.tree.leaves(shardings)     # not donated, but chosen alike
expected, auto = params, jax.device_put(params, shardings)
for _ in range(3):                                          # the second step takes what the first one has returned
    expected, value = jax.jit(step)(expected, x)
    auto, close = compiled(auto, placed)
    assert abs(value - close) < 1e-5 * abs(value), (value, close)
for a, b in zip(jax.tree.leaves(auto), jax.tree.leaves(expected)):
    assert numpy.allclose(a, b, rtol=1e-4, atol=1e-5)
"""

CACHED = TRAINING + """
function = jax.jit(step, compiler_options=options)
state = jax.device_put(params, NamedSharding(mesh, P()))
for _ in range(4):
    state, value = function(state, placed)
assert function._cache_size() <= 2, function._cache_size()  # the second step has the shardings of the first one's results
"""

MISTAKES = TRAINING + """
for name, value, words in (("mesh", "2x3", "must be 4"), ("mesh", "0x4", "at least 1"), ("mesh", "2x2x1x1x1x1x1", "axes"),
                           ("mesh", "many", "like 4x4"), ("memory", "none", "allowed"), ("memory", "-1", "allowed"),
                           ("seconds", "0", "allowed"), ("seconds", "1e99", "allowed"), ("memory", "1K", "smallest peak")):
    try:
        jax.jit(step, compiler_options=options | {"gantry_auto_sharding_" + name: value}).lower(params, placed).compile()
    except jax.errors.JaxRuntimeError as error:
        code = "RESOURCE_EXHAUSTED" if value == "1K" else "INVALID_ARGUMENT"
        assert code in str(error) and words in str(error), error
    else:
        raise AssertionError(f"{name} {value}: accepted")
"""


def run(script):
    environment = dict(os.environ, GANTRY_CPU_DEVICES="4")
    out = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=300)
    assert out.returncode == 0, out.stderr[-1500:]


@case(compare=False, platform="cpu")
def training_steps_have_the_results_of_one_device():
    run(STEPS)


@case(compare=False, platform="cpu")
def later_steps_are_not_compiled_again():
    run(CACHED)


@case(compare=False, platform="cpu")
def absurd_requests_are_errors():
    run(MISTAKES)
