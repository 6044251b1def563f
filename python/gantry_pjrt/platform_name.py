"""Which backend the platform `cpu` is. Gantry's platform name is `cpu`, as JAX's own CPU backend's is, because JAX selects lowering
rules by it; so a program that asks JAX for `cpu` by name gets JAX's own backend, even where Gantry is the default. The first such
use is logged, and `jax.default_backend()` prints as "cpu (Gantry)" where Gantry is the default."""
import functools
import logging
import os
import sys

from gantry_pjrt.placement import is_gantry

AS_CPU = "GANTRY_JAX_CPU"

_MESSAGE = ("%s selects JAX's own CPU backend, not Gantry. Set the environment variable GANTRY_JAX_CPU=1 to make Gantry the "
            "platform cpu.")


def is_cpu():
    """Whether the user asks for Gantry in place of JAX's own CPU backend."""
    return os.environ.get(AS_CPU) == "1"


class _Name(str):
    """Equal to the platform's name, which programs compare and build paths with; printed, it says whose it is."""

    def __str__(self):
        return f"{self} (Gantry)"

    def __repr__(self):
        return repr(str(self))

    def __format__(self, specification):
        return format("".join(self), specification)

    def __reduce__(self):
        return str, ("".join(self),)


def name_clients():
    """Clients of Gantry's have a platform name that says so when it is printed. Call once."""
    from jax._src.lib import xla_client
    platform = xla_client.Client.platform

    def named(client):
        name = platform.__get__(client)
        return _Name(name) if is_gantry(client) else name

    xla_client.Client.platform = property(named)


def _use_that_initializes(bridge, devices):
    """JAX initializes its plugins inside of the first call that needs a backend: what selects `cpu` in that call, or None."""
    if bridge._PLATFORM_NAME.value == "cpu":
        return "jax_platform_name='cpu'"
    frame = sys._getframe()
    while frame and frame.f_code is not devices.__code__:
        frame = frame.f_back
    return "jax.devices('cpu')" if frame and frame.f_locals.get("backend") == "cpu" else None


def warn_of_own_cpu():
    """The first use of JAX's own CPU backend by name, while Gantry is the default, is logged. Call once."""
    import jax
    from jax._src import xla_bridge

    devices, get_uncached = xla_bridge.devices, xla_bridge._get_backend_uncached
    said = []

    def say(use):
        if not said:
            said.append(use)
            logging.getLogger(__name__).warning(_MESSAGE, use)

    def is_in_place_of_gantry(backend):
        default = xla_bridge._default_backend
        return not is_gantry(backend) and default is not None and is_gantry(default)

    def named_devices(backend=None):
        found = devices(backend)
        if backend == "cpu" and found and is_in_place_of_gantry(found[0].client):
            say("jax.devices('cpu')")
        return found

    def get_backend_uncached(platform=None):
        backend = get_uncached(platform)
        if platform is None and xla_bridge._PLATFORM_NAME.value == "cpu" and is_in_place_of_gantry(backend):
            say("jax_platform_name='cpu'")
        return backend

    xla_bridge.devices = jax.devices = functools.wraps(devices)(named_devices)
    xla_bridge._get_backend_uncached = get_backend_uncached
    first = (jax.config.jax_platforms or "gantry").split(",")[0]
    if first == "gantry":
        use = _use_that_initializes(xla_bridge, devices)
        if use:
            say(use)
    elif first == "cpu" and jax.config.jax_platforms != os.environ.get("JAX_PLATFORMS"):
        say("jax_platforms='cpu', set by the program,")
