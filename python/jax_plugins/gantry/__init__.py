"""Registers Gantry with JAX, which calls initialize() before it creates its first backend.

The priority is above JAX's own CPU (0) and below every TPU and GPU plugin (300 and more), so Gantry is the default only
on a host without an accelerator; JAX_PLATFORMS=cpu selects JAX's own CPU. GANTRY_JAX_TPU=1 also registers the TPU model,
as "gantry_tpu"."""
import logging
import os

PRIORITY = 200


def _keep_own_cpu():
    """Appends `cpu` to JAX_PLATFORMS if it has only Gantry, because JAX runs callbacks outside of jit on its own CPU."""
    import jax
    platforms = jax.config.jax_platforms
    if platforms and any(name.startswith("gantry") for name in platforms.split(",")) and "cpu" not in platforms.split(","):
        jax.config.update("jax_platforms", platforms + ",cpu")


def initialize():
    import gantry_pjrt
    from gantry_pjrt import handlers, placement
    from jax._src import xla_bridge

    _keep_own_cpu()
    path = gantry_pjrt.library_path()
    xla_bridge.register_plugin("gantry", priority=PRIORITY, library_path=path)
    try:
        handlers.register(path)
    except Exception as problem:            # not found in this version of JAX; only callbacks need them
        logging.getLogger(__name__).info("Gantry runs without JAX's custom-call handlers: %s", problem)
    try:
        placement.register()
    except Exception as problem:            # not found in this version of JAX
        logging.getLogger(__name__).info("Gantry drops placements in memory kinds inside jit: %s", problem)
    if os.environ.get("GANTRY_JAX_TPU") == "1":
        xla_bridge.register_plugin("gantry_tpu", priority=PRIORITY - 1, library_path=gantry_pjrt.library_path("tpu"))
