#!/usr/bin/env python3
"""Exhausted host memory during offloading is an error of that execution or compilation, and nothing leaks:

    PYTHONPATH=python JAX_PLATFORMS=gantry GANTRY_PINNED_HOST_MEMORY=4M host_memory.py

A program whose offloaded activations do not fit into the free memory fails when it runs, and succeeds once there is
enough again. A program that needs more than the capacity does not compile."""
import sys

import jax
import jax.numpy as jnp
import numpy
from jax.ad_checkpoint import checkpoint_name

MIB = 1 << 20


def gradient(layers):
    """Offloads 256 KiB for each layer."""
    policy = jax.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[], names_which_can_be_offloaded=["x"], offload_src="device", offload_dst="pinned_host")

    def layer(x, w):
        return jnp.sin(checkpoint_name(jnp.tanh(x * w), "x")), None
    loss = lambda w, x: jnp.sum(jax.lax.scan(jax.checkpoint(layer, policy=policy), x, w)[0])
    return jax.jit(jax.grad(loss)), numpy.linspace(0.5, 1.5, layers, dtype="float32"), numpy.ones((256, 256), "float32")


def fails(call):
    try:
        jax.block_until_ready(call())
    except jax.errors.JaxRuntimeError as error:
        return str(error)
    return "no error"


def main():
    device = jax.devices()[0]
    host = jax.sharding.SingleDeviceSharding(device, memory_kind="pinned_host")
    f, w, x = gradient(12)                                      # 3 MiB of 4
    expected = numpy.asarray(f(w, x))
    held = jax.device_put(numpy.ones(2 * MIB // 4, "float32"), host).block_until_ready()
    full = fails(lambda: f(w, x))
    kept = bool((numpy.asarray(held) == 1).all())
    held.delete()
    checks = {"an execution without host memory": "RESOURCE_EXHAUSTED" in full and "pinned_host" in full,
              "the arrays that filled it": kept,
              "the same execution with host memory": numpy.array_equal(f(w, x), expected)}
    f, w, x = gradient(20)                                      # 5 MiB of 4
    large = fails(lambda: f.lower(w, x).compile())
    checks["a program that never fits"] = "RESOURCE_EXHAUSTED" in large and "pinned_host" in large
    for name, passed in checks.items():
        if not passed:
            print(f"FAILED  {name}: {full if 'execution' in name else large}")
    failed = sum(not passed for passed in checks.values())
    print(f"{len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
