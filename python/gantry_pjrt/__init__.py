"""Gantry, a PJRT plugin: where its files are. JAX finds the plugin by itself; other clients are given a path.

    export PJRT_PLUGIN_LIBRARY_PATH=$(python -c 'import gantry_pjrt; print(gantry_pjrt.library_path())')
"""
import os

_HERE = os.path.dirname(os.path.abspath(__file__))


def library_path(device="cpu"):
    """The shared library to open: the plugin for `device`, "cpu" (the host's cores) or "tpu" (the modelled TPU)."""
    names = {"cpu": "pjrt_c_api_gantry_plugin.so", "tpu": "pjrt_c_api_gantrytpu_plugin.so"}
    if device not in names:
        raise ValueError(f"gantry_pjrt: no device {device!r}; there are {', '.join(names)}")
    return os.path.join(_HERE, "lib", names[device])


def command():
    """Runs the `gantry` command in place of this process."""
    import sys
    program = os.path.join(_HERE, "bin", "gantry")
    os.execv(program, [program, *sys.argv[1:]])
