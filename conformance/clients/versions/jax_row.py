#!/usr/bin/env python3
"""JAX's row of the table of versions, with the wheel on the path and nothing but JAX beside it: JAX has to find Gantry by
itself. Every API used here is public in JAX 0.6 and later."""
import functools

import jax
import jax.numpy as jnp
import numpy
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import digits


def network(weights, x):
    def conv_and_pool(x, kernel):
        x = jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = conv_and_pool(conv_and_pool(x[..., None], weights["conv1"]), weights["conv2"])
    x = jax.nn.relu(x.reshape(x.shape[0], -1) @ weights["dense1"] + weights["bias1"])
    return x @ weights["dense2"] + weights["bias2"]


def init(key):
    keys = jax.random.split(key, 4)
    scaled = lambda key, *shape: jax.random.normal(key, shape) * (2.0 / numpy.prod(shape[:-1])) ** 0.5
    return {"conv1": scaled(keys[0], 3, 3, 1, 8), "conv2": scaled(keys[1], 3, 3, 8, 16),
            "dense1": scaled(keys[2], 2 * 2 * 16, 64), "dense2": scaled(keys[3], 64, 10),
            "bias1": jnp.zeros(64), "bias2": jnp.zeros(10)}


@functools.partial(jax.jit, donate_argnums=(0, 1))
def step(weights, velocity, images, labels):
    def loss_of(weights):
        logits = jax.nn.log_softmax(network(weights, images))
        return -jnp.take_along_axis(logits, labels[:, None], axis=1).mean()
    loss, gradient = jax.value_and_grad(loss_of)(weights)
    velocity = jax.tree.map(lambda v, g: 0.9 * v - digits.LEARNING_RATE * g, velocity, gradient)
    return jax.tree.map(jnp.add, weights, velocity), velocity, loss


def train():
    images, labels = digits.make(2048, 1)
    weights = jax.jit(init)(jax.random.key(0))
    velocity = jax.tree.map(jnp.zeros_like, weights)
    for batch in digits.batches(len(labels)):
        weights, velocity, loss = step(weights, velocity, images[batch], labels[batch])
    images, labels = digits.make(256, 2)
    accuracy = float((jax.jit(network)(weights, images).argmax(axis=1) == labels).mean())
    assert accuracy >= digits.ACCURACY, f"accuracy {accuracy}, loss {loss}"
    return f"accuracy {accuracy:.3f}"


def callbacks():
    seen, shape = [], jax.ShapeDtypeStruct((2, 3), numpy.float32)

    @jax.jit
    def f(x):
        for i in range(3):
            io_callback(lambda v, i=i: seen.append((i, float(v))), None, x.sum() + i, ordered=True)
        jax.debug.callback(lambda v: seen.append(("debug", v.shape)), x)
        jax.debug.print("a callback prints {}", x.sum())
        return jax.pure_callback(lambda v: numpy.asarray(v) * 2, shape, x) + 1

    x = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
    assert (numpy.asarray(f(x)) == x * 2 + 1).all()
    jax.effects_barrier()
    assert sorted(map(str, seen)) == sorted(map(str, [(0, 15.0), (1, 16.0), (2, 17.0), ("debug", (2, 3))])), seen
    assert [entry for entry in seen if entry[0] != "debug"] == [(0, 15.0), (1, 16.0), (2, 17.0)], "the order"
    mapped = jax.jit(jax.vmap(lambda v: jax.pure_callback(numpy.sin, jax.ShapeDtypeStruct((), numpy.float32), v,
                                                          vmap_method="sequential")))
    assert numpy.allclose(mapped(x[0]), numpy.sin(x[0]))

    def fails(_):
        raise ValueError("said by a callback")
    try:
        jax.block_until_ready(jax.jit(lambda v: jax.pure_callback(fails, shape, v))(x))
    except Exception as error:
        assert "said by a callback" in str(error), error
    else:
        raise AssertionError("the error of a callback is lost")


def donation():
    add = jax.jit(lambda x, y: x + y, donate_argnums=0)
    x, y = jnp.zeros((512, 512)), jnp.ones((512, 512))
    for _ in range(3):
        address, old = x.unsafe_buffer_pointer(), x
        x = add(x, y)
        assert old.is_deleted(), "the donated array is still there"
        assert x.unsafe_buffer_pointer() == address, "the result has memory of its own"
    assert not y.is_deleted() and float(x[0, 0]) == 3.0


def sharded_arrays():
    mesh = Mesh(numpy.array(jax.devices()[:1]).reshape(1, 1), ("data", "model"))
    rows, whole = NamedSharding(mesh, PartitionSpec("data", "model")), NamedSharding(mesh, PartitionSpec())
    x = jax.device_put(numpy.arange(16.0, dtype=numpy.float32).reshape(4, 4), rows)
    weights = jax.device_put(numpy.eye(4, dtype=numpy.float32) * 2, whole)

    @functools.partial(jax.jit, out_shardings=rows)
    def f(x, weights):
        return jax.lax.with_sharding_constraint(x @ weights, rows) + 1

    y = f(x, weights)
    assert y.sharding.is_equivalent_to(rows, 2) and len(y.addressable_shards) == 1
    assert (numpy.asarray(y) == numpy.asarray(x) * 2 + 1).all()
    made = jax.make_array_from_callback((4, 4), rows, lambda index: numpy.ones((4, 4), numpy.float32)[index])
    assert float(f(made, weights).sum()) == 48.0


if __name__ == "__main__":
    version = jax.devices()[0].client.platform_version
    print(f"JAX {jax.__version__} on {version.splitlines()[-1]}", flush=True)
    assert "gantry" in version, "JAX does not use Gantry"
    digits.report({"train": train, "callbacks": callbacks, "donation": donation, "sharded arrays": sharded_arrays})
