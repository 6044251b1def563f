"""Gantry, a PJRT plugin: the locations of its files. JAX discovers the plugin; other clients need its path.

    export PJRT_PLUGIN_LIBRARY_PATH=$(python -c 'import gantry_pjrt; print(gantry_pjrt.library_path())')
"""
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _folder(name):
    """The folder of the installed files, or of the built files in the source tree."""
    installed, built = os.path.join(_HERE, name), os.path.join(_HERE, "..", "..", "build", name)
    return built if os.path.isdir(built) and not os.path.isdir(installed) else installed


def library_path(device="cpu"):
    """The path of the plugin's shared library for `device`: "cpu" (the host's cores) or "tpu" (the modeled TPU)."""
    names = {"cpu": "pjrt_c_api_gantry_plugin.so", "tpu": "pjrt_c_api_gantrytpu_plugin.so"}
    if device not in names:
        raise ValueError(f"gantry_pjrt: unknown device {device!r}; allowed: {', '.join(names)}")
    return os.path.normpath(os.path.join(_folder("lib"), names[device]))


def log(message):
    """What Gantry's libraries log with GANTRY_LOG=info, its Python part does, too."""
    if os.environ.get("GANTRY_LOG") in ("info", "debug"):
        print(f"gantry: info: {message}", file=sys.stderr, flush=True)


def metrics():
    """What this process does and did on Gantry, as a dictionary: "counters" (compilations, executions, uploads, bytes ...),
    "times" (of compilations and executions: count, seconds, p50, p90, p99, max), "programs" (each with the number of its
    compilations, and the reason of the last one), "devices" (program and step now, memories with their largest buffers).
    Counters count from the start of the process; executions are timed from the first call on, or with GANTRY_TOP=1."""
    from gantry_pjrt import metrics_report
    return metrics_report.read()


def version_problem(client, version, oldest):
    """None, or a message for the user of a client that is older than `oldest`, a tuple of numbers."""
    numbers = []
    for part in version.split("."):
        if not part.isdigit():
            break
        numbers.append(int(part))
    if tuple(numbers) >= oldest:
        return None
    needed = ".".join(map(str, oldest))
    return (f"Gantry supports {client} {needed} and newer; this is {client} {version}, where Python callbacks and other "
            f"parts are known to fail. Upgrade it: pip install --upgrade '{client}>={needed}'")


def command():
    """Runs the `gantry` command in place of this process."""
    program = os.path.normpath(os.path.join(_folder("bin"), "gantry"))
    os.environ.setdefault("GANTRY_PYTHON", sys.executable)  # for --python
    os.execv(program, [program, *sys.argv[1:]])
