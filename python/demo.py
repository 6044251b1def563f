#!/usr/bin/env python3
"""Trains a small convolutional network on scikit-learn's handwritten digits with JAX and optax, on Gantry; then the
same training on JAX's own CPU backend, in a separate process, and compares the two.

    demo.py build/lib/pjrt_c_api_gantry_plugin.so
    demo.py build/lib/pjrt_c_api_gantrytpu_plugin.so --tpu [--bf16]     on the TPU model, whose products are of bf16

Exits with status 1 if the test accuracy, or the difference of the losses, is out of bounds."""
import argparse
import json
import os
import subprocess
import sys
import time

sys.path[:] = [path for path in sys.path if os.path.realpath(path or ".") != os.path.dirname(os.path.realpath(__file__))]
# (the wheel's packages are in this folder, without their libraries: JAX must not find them here)

EPOCHS, BATCH, LEARNING_RATE = 12, 64, 2e-3
ACCURACY_BOUND = 0.97        # on the 360 test images
DIFFERENCE_BOUND = 1e-3      # of the first losses, relative
LOSSES_COMPARED = 20


def load_digits():
    """1,797 images of 8x8 pixels, shuffled with a fixed seed: 1,437 for training, 360 for testing."""
    import numpy
    from sklearn.datasets import load_digits as load
    digits = load()
    order = numpy.random.RandomState(0).permutation(len(digits.target))
    images = (digits.images[order, :, :, None] / 16.0).astype("float32")
    labels = digits.target[order].astype("int32")
    return (images[:1437], labels[:1437]), (images[1437:], labels[1437:])


def train(report, dtype="float32"):
    """Runs the whole training on JAX's default device, with products of this type. Returns losses, accuracy, seconds."""
    import jax
    import jax.numpy as jnp
    import numpy
    import optax

    def init(key):
        keys = jax.random.split(key, 4)
        scaled = lambda key, *shape: jax.random.normal(key, shape) * (2.0 / numpy.prod(shape[:-1])) ** 0.5
        return {"conv1": scaled(keys[0], 3, 3, 1, 16), "conv2": scaled(keys[1], 3, 3, 16, 32),
                "dense1": scaled(keys[2], 2 * 2 * 32, 64), "dense2": scaled(keys[3], 64, 10),
                "bias1": jnp.zeros(64), "bias2": jnp.zeros(10)}

    def conv_and_pool(x, kernel):
        x, kernel = x.astype(dtype), kernel.astype(dtype)
        x = jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def network(weights, x):
        x = conv_and_pool(conv_and_pool(x, weights["conv1"]), weights["conv2"])
        x = jax.nn.relu((x.reshape(x.shape[0], -1) @ weights["dense1"].astype(dtype)).astype("float32") + weights["bias1"])
        return (x.astype(dtype) @ weights["dense2"].astype(dtype)).astype("float32") + weights["bias2"]

    def loss_of(weights, images, labels):
        return optax.softmax_cross_entropy_with_integer_labels(network(weights, images), labels).mean()

    optimizer = optax.adam(LEARNING_RATE)

    @jax.jit
    def step(weights, state, images, labels):
        loss, gradient = jax.value_and_grad(loss_of)(weights, images, labels)
        updates, state = optimizer.update(gradient, state)
        return optax.apply_updates(weights, updates), state, loss

    @jax.jit
    def count_right(weights, images, labels):
        return (network(weights, images).argmax(axis=1) == labels).sum()

    (images, labels), (test_images, test_labels) = load_digits()
    start = time.monotonic()
    weights = jax.jit(init)(jax.random.key(0))
    state = optimizer.init(weights)
    shuffle, losses, accuracy = numpy.random.RandomState(1), [], 0.0
    for epoch in range(1, EPOCHS + 1):
        order = shuffle.permutation(len(labels))
        for first in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[first:first + BATCH]
            weights, state, loss = step(weights, state, images[batch], labels[batch])
            losses.append(loss)
        losses = [float(loss) for loss in losses]
        accuracy = int(count_right(weights, test_images, test_labels)) / len(test_labels)
        if report:
            print(f"epoch {epoch:2}/{EPOCHS}: loss {losses[-1]:.4f}, test accuracy {accuracy:.4f}, "
                  f"{time.monotonic() - start:.1f} s", flush=True)
    return {"losses": losses, "accuracy": accuracy, "seconds": time.monotonic() - start}


def train_on_own_cpu():
    """The same training on JAX's own CPU backend, which must not see the plugin."""
    plugins = ("PJRT_NAMES_AND_LIBRARY_PATHS", "TPU_LIBRARY_PATH")
    environment = {name: value for name, value in os.environ.items() if name not in plugins}
    environment["JAX_PLATFORMS"] = "cpu"
    output = subprocess.run([sys.executable, __file__, "--reference"], env=environment, check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    return json.loads(output.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin", nargs="?", help="the plugin's shared library")
    parser.add_argument("--tpu", action="store_true", help="the plugin is that of the TPU model")
    parser.add_argument("--bf16", action="store_true", help="products of bfloat16; losses are not compared")
    parser.add_argument("--reference", action="store_true", help="train on JAX's default backend; print JSON only")
    arguments = parser.parse_args()
    if arguments.reference:
        print(json.dumps(train(report=False)))
        return 0
    if not arguments.plugin:
        parser.error("name the plugin's shared library")

    if arguments.tpu:
        os.environ.update(TPU_LIBRARY_PATH=os.path.abspath(arguments.plugin), JAX_PLATFORMS="tpu", TPU_SKIP_MDS_QUERY="1")
    else:
        os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = "gantry:" + os.path.abspath(arguments.plugin)
        os.environ["JAX_PLATFORMS"] = "gantry"
    import jax
    version = jax.devices()[0].client.platform_version.splitlines()[-1]
    print(f"JAX {jax.__version__} on {jax.devices()}: {version}", flush=True)
    ours = train(report=True, dtype="bfloat16" if arguments.bf16 else "float32")
    own = train_on_own_cpu()
    rounds = arguments.tpu or arguments.bf16        # operands to bf16: other losses than in f32

    pairs = list(zip(ours["losses"], own["losses"]))[:LOSSES_COMPARED]
    difference = max(abs(a - b) / abs(b) for a, b in pairs)
    print(f"Gantry:        test accuracy {ours['accuracy']:.4f}, {ours['seconds']:.1f} s (bound: {ACCURACY_BOUND})")
    print(f"JAX's own CPU: test accuracy {own['accuracy']:.4f}, {own['seconds']:.1f} s")
    print(f"first {len(pairs)} losses differ by at most {difference:.1e}, relative" + (f" (bound: {DIFFERENCE_BOUND:.0e})" if not rounds else ""))
    good = ours["accuracy"] >= ACCURACY_BOUND and (rounds or difference <= DIFFERENCE_BOUND)
    print("demo: passed" if good else "demo: failed: out of bounds")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
