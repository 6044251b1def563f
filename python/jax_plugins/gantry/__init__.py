"""Registers Gantry with JAX, which calls initialize() before it creates its first backend.

The priority is above JAX's own CPU (0) and below every TPU and GPU plugin (300 and more), so Gantry is the default only
on a host without an accelerator; JAX_PLATFORMS=cpu selects JAX's own CPU. GANTRY_JAX_CPU=1 makes Gantry the platform "cpu" in
place of JAX's own CPU. GANTRY_JAX_TPU=1 also registers the TPU model, as "gantry_tpu"."""
import logging
import os
import warnings

PRIORITY = 200
OLDEST_JAX = (0, 6)


def _keep_own_cpu():
    """Appends `cpu` to JAX_PLATFORMS if it has only Gantry, because JAX runs callbacks outside of jit on its own CPU."""
    import jax
    platforms = jax.config.jax_platforms
    if platforms and any(name.startswith("gantry") for name in platforms.split(",")) and "cpu" not in platforms.split(","):
        jax.config.update("jax_platforms", platforms + ",cpu")


def _attempt(what, function, *arguments):
    """Whether the function succeeds. Other versions of JAX may lack what it needs; everything but `what` works without."""
    import gantry_pjrt
    try:
        function(*arguments)
    except Exception as problem:
        message = f"Gantry runs without {what}: {type(problem).__name__}: {problem}"
        logging.getLogger(__name__).info(message)
        gantry_pjrt.log(message)
        return False
    return True


def _path_of_user(name):
    """The library that the user has registered under this name: PJRT_NAMES_AND_LIBRARY_PATHS, `name:path,name:path`. JAX loads it
    itself, and refuses a second plugin of the name."""
    for pair in os.environ.get("PJRT_NAMES_AND_LIBRARY_PATHS", "").split(","):
        given, _, path = pair.strip().partition(":")
        if given == name and path.endswith(".so"):
            return path
    return None


def _rename_platform(name):
    """What selects Gantry by its name selects it as `name`, too."""
    import jax
    if jax.config.jax_platforms:
        names = [name if each == "gantry" else each for each in jax.config.jax_platforms.split(",")]
        jax.config.update("jax_platforms", ",".join(dict.fromkeys(names)))


def _options():
    """Create options from JAX's own settings: jax_num_cpu_devices, like every flag of the CPU, applies to Gantry."""
    import jax
    count = getattr(jax.config, "jax_num_cpu_devices", -1)
    return {"device_count": count} if count is not None and count > 0 else {}


def initialize():
    import jax
    import gantry_pjrt
    from gantry_pjrt import callbacks, complex_functions, handlers, job_cpu, placement, platform_name, small_floats
    from jax._src import xla_bridge

    problem = gantry_pjrt.version_problem("jax", jax.__version__, OLDEST_JAX)
    if problem:
        warnings.warn(problem, stacklevel=2)
    name = "cpu" if platform_name.is_cpu() else "gantry"
    if name == "cpu":
        _rename_platform(name)
    _keep_own_cpu()
    path = _path_of_user(name)
    if not path:
        path = gantry_pjrt.library_path()
        xla_bridge.register_plugin(name, priority=PRIORITY, library_path=path, options=_options())
    if _attempt("JAX's custom-call handlers", handlers.register, path):
        _attempt("its own handler of Python callbacks", callbacks.lower_to_own, placement.is_for_gantry)
    _attempt("a platform name that tells Gantry from JAX's own CPU", platform_name.name_clients)
    if name != "cpu":
        _attempt("a warning when programs select JAX's own CPU", platform_name.warn_of_own_cpu)
        _attempt("JAX's own CPU where the host name does not resolve", job_cpu.create_without_network)
    _attempt("placements in memory kinds inside jit", placement.register)
    _attempt("functions of floats of 8 bits", small_floats.register, placement.is_for_gantry)
    _attempt("functions of complex numbers", complex_functions.register, placement.is_for_gantry)
    if os.environ.get("GANTRY_JAX_TPU") == "1":
        xla_bridge.register_plugin("gantry_tpu", priority=PRIORITY - 1, library_path=gantry_pjrt.library_path("tpu"))
