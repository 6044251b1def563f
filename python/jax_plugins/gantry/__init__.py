"""Registers Gantry with JAX, which calls initialize() before it makes its first backend.

The priority is above JAX's own CPU (0) and below every TPU and GPU plugin (300 and more), so Gantry is the default only
on a host without an accelerator; JAX_PLATFORMS=cpu gives JAX's own CPU back. The TPU model is registered on request:
GANTRY_JAX_TPU=1 adds it as "gantry_tpu"."""
import os

PRIORITY = 200


def initialize():
    import gantry_pjrt
    from jax._src import xla_bridge

    xla_bridge.register_plugin("gantry", priority=PRIORITY, library_path=gantry_pjrt.library_path())
    if os.environ.get("GANTRY_JAX_TPU") == "1":
        xla_bridge.register_plugin("gantry_tpu", priority=PRIORITY - 1, library_path=gantry_pjrt.library_path("tpu"))
