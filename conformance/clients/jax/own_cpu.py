#!/usr/bin/env python3
"""The wheel's Python part does not affect JAX's own CPU in a process that uses both:

    PYTHONPATH=python own_cpu.py

One jitted function with a placement in a memory kind is lowered and run for both, in either order."""
import sys

import jax
import jax.numpy as jnp
import numpy

ANNOTATION = "_xla_buffer_placement"


def main():
    own, gantry = jax.devices("cpu")[0], jax.devices("gantry")[0]
    failed = 0
    for order in ((own, gantry), (gantry, own)):
        f = jax.jit(lambda v: jax.device_put(jnp.sin(v), jax.memory.Space.Host))
        for device in order:
            x = jax.device_put(numpy.arange(5, dtype="float32"), device)
            placed = ANNOTATION in f.lower(x).as_text()
            same = numpy.allclose(f(x), numpy.sin(x), atol=1e-6) and f(x).devices() == {device}
            if placed != (device is gantry) or not same:
                failed += 1
                print(f"FAILED  {device}: the annotation is {'there' if placed else 'missing'}, the result is "
                      f"{'right' if same else 'wrong'}")
    print(f"{4 - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
