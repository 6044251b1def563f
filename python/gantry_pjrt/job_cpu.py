"""JAX's own CPU backend beside Gantry in a job of several processes. JAX gives it collectives of its own (Gloo), which resolve the
machine's host name when the backend is created; JAX creates no backend at all where that fails, though Gantry needs neither."""
import dataclasses
import logging

_SETTING = "jax_cpu_collectives_implementation"


def _without_collectives(create):
    """What `create` returns while JAX's setting selects no collectives: None, or "none" in older versions."""
    import jax
    before = getattr(jax.config, _SETTING)
    try:
        jax.config.update(_SETTING, None)
    except (TypeError, ValueError):
        jax.config.update(_SETTING, "none")
    try:
        return create()
    finally:
        jax.config.update(_SETTING, before)


def create_without_network():
    """JAX's own CPU backend is created without collectives where they are not available. Call once."""
    from jax._src import distributed, xla_bridge
    registration = xla_bridge._backend_factories["cpu"]
    original = registration.factory

    def create():
        try:
            return original()
        except RuntimeError as problem:
            if distributed.global_state.client is None:
                raise
            logging.getLogger(__name__).info("JAX's own CPU backend has no collectives between processes: %s", problem)
            return _without_collectives(original)

    xla_bridge._backend_factories["cpu"] = dataclasses.replace(registration, factory=create)
