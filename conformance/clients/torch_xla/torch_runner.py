#!/usr/bin/env python3
"""Runs the cases of torch_cases.py on a plugin through PyTorch/XLA and on PyTorch itself, and compares.

    torch_runner.py PLUGIN|cpu [--filter REGEX] [--verbose]

The cases run in one worker process; if it dies or hangs, its current case fails, and another worker continues. Those
of torch_process_cases.py get a process each, which finds the plugin as an installed wheel or by TPU_LIBRARY_PATH.
conformance/expected/torch_xla.txt lists expected failures with reasons: they count as skipped. The last line has the
counts."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = os.path.join(HERE, "..", "..", "expected", "torch_xla.txt")
PYTHON = os.path.normpath(os.path.join(HERE, "..", "..", "..", "python"))
CASE_SECONDS = 300


def register(path):
    import torch_xla
    from torch_xla.experimental import plugins
    if path == "cpu":
        return torch_xla.device()

    class Plugin(plugins.DevicePlugin):
        def library_path(self):
            return path

        def physical_chip_count(self):
            return 1

    plugins.use_dynamic_plugins()
    plugins.register_plugin("GANTRY", Plugin())
    return torch_xla.device()


def all_cases():
    import torch_cases
    import torch_ops                                                # these two add their own
    import torch_train_cases                                        # noqa: F401
    return torch_cases.CASES


def difference(got, expected, options):
    """None if all tensors agree, otherwise a description of the difference."""
    import torch
    if len(got) != len(expected):
        return f"{len(got)} tensors, expected {len(expected)}"
    for i, (x, y) in enumerate(zip(got, expected)):
        x, y = x.detach().cpu(), y.detach()
        if x.shape != y.shape or x.dtype != y.dtype:
            return f"{i}: {x.dtype}{tuple(x.shape)}, expected {y.dtype}{tuple(y.shape)}"
        coarse = {torch.bfloat16: 2e-2, torch.float16: 3e-3}.get(y.dtype, 0.0)
        options_here = {name: max(value, coarse) for name, value in options.items()}
        exact = not (y.is_floating_point() or y.is_complex())
        wrong = x != y if exact else ~torch.isclose(x, y, equal_nan=True, **options_here)
        if wrong.any():
            far = int(wrong.flatten().int().argmax())
            return f"{i}{tuple(y.shape)}: {int(wrong.sum())} differ, at {far}: {x.flatten()[far]}, expected {y.flatten()[far]}"
    return None


def worker(path, wanted):
    says = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import torch
    device = register(path)
    cases = {name: (function, options) for name, function, options in all_cases()}
    for name in wanted:
        function, options = cases[name]
        print(json.dumps({"begin": name}), file=says, flush=True)
        try:
            message = difference([x.detach().cpu() for x in function(device)], function(torch.device("cpu")), options)
        except Exception as problem:                                # a failing case never ends the run
            message = f"{type(problem).__name__}: {problem}"
        print(json.dumps({"end": name, "message": message}), file=says, flush=True)
    says.close()
    os._exit(0)                                                     # torch_xla's own teardown is not what is tested


def run_worker(path, names, results):
    """Runs cases until all are done or the process dies; returns the current case, or None."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PJRT_", "XLA_"))}
    environment.update(PJRT_DEVICE="CPU" if path == "cpu" else "GANTRY", XLA_REGISTER_INSTALLED_PLUGINS="0")
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([sys.executable, __file__, "--worker", path, *names], env=environment, cwd=HERE,
                                   stdout=subprocess.PIPE, stderr=errors, text=True)
        current = None
        timer = threading.Timer(CASE_SECONDS, process.kill)
        timer.start()
        for line in process.stdout:
            timer.cancel()
            timer = threading.Timer(CASE_SECONDS, process.kill)
            timer.start()
            message = json.loads(line)
            if "begin" in message:
                current = message["begin"]
            else:
                results[message["end"]], current = message["message"], None
        status = process.wait()
        timer.cancel()
        errors.seek(0)
        tail = errors.read().decode(errors="replace").strip()[-1500:]
    left = [name for name in names if name not in results]
    if left:
        results[current or left[0]] = f"the process ended with status {status}: {tail}"
    return [name for name in left if name not in results]


# ---- cases with a process of their own ----
def stage(lib, root):
    """Creates in `root` the files of an installed wheel: the packages, the libraries, the entry points."""
    sys.path.insert(0, PYTHON)
    from wheel_metadata import ENTRY_POINTS, metadata
    shutil.copytree(os.path.join(PYTHON, "gantry_pjrt"), os.path.join(root, "gantry_pjrt"),
                    ignore=shutil.ignore_patterns("__pycache__"))
    os.symlink(lib, os.path.join(root, "gantry_pjrt", "lib"))
    info = os.path.join(root, "gantry_pjrt-0.dist-info")
    os.makedirs(info)
    for name, text in (("METADATA", metadata("0")), ("entry_points.txt", ENTRY_POINTS)):
        with open(os.path.join(info, name), "w", encoding="utf-8") as file:
            file.write(text)


def run_alone(lib, root, name, settings):
    """None if it passes, ("skipped", reason), or the error."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PJRT_", "XLA_", "TPU_"))}
    environment.update({key: value.replace("@LIB@", lib) for key, value in settings.items()}, GANTRY_LIB=lib,
                       GANTRY_BIN=os.path.join(os.path.dirname(lib), "bin"), PYTHONPATH=os.pathsep.join([root, HERE]))
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([sys.executable, os.path.join(HERE, "torch_process_cases.py"), name, folder], text=True,
                                  env=environment, cwd=HERE, capture_output=True, timeout=CASE_SECONDS)
        except subprocess.TimeoutExpired:
            return f"not done in {CASE_SECONDS} s"
    skipped = re.search("^skipped: (.*)", done.stdout, re.M)
    if done.returncode:
        return f"status {done.returncode}: {done.stderr.strip()[-1500:]}"
    return ("skipped", skipped.group(1)) if skipped else None


def run_separate(plugin, wanted, results):
    import torch_process_cases
    with tempfile.TemporaryDirectory() as root:
        stage(os.path.dirname(plugin), root)
        for name in wanted:
            results[name] = run_alone(os.path.dirname(plugin), root, name, torch_process_cases.CASES[name][1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin", help="the plugin's shared library, or cpu: torch_xla's own client, to tell whose a difference is")
    parser.add_argument("--filter", default="", help="only the cases whose name this regular expression finds")
    parser.add_argument("--verbose", action="store_true", help="name the passing cases too")
    arguments = parser.parse_args()
    import torch_process_cases
    names = [name for name, _, _ in all_cases() if re.search(arguments.filter, name)]
    separate = [name for name in torch_process_cases.CASES if re.search(arguments.filter, name)]
    lines = [line.split("#")[0].split() for line in open(EXPECTED, encoding="utf-8")] if os.path.exists(EXPECTED) else []
    expected = {line[0] for line in lines if line}
    results, left = {}, list(names)
    path = arguments.plugin if arguments.plugin == "cpu" else os.path.abspath(arguments.plugin)
    while left:
        left = run_worker(path, left, results)
    if path != "cpu":
        run_separate(path, separate, results)
        names += separate
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name in names:
        message = results[name]
        skips, message = isinstance(message, tuple), message[1] if isinstance(message, tuple) else message
        kind = "passed" if message is None else "skipped" if skips or name in expected else "failed"
        counts[kind] += 1
        if message is None and name in expected:
            print(f"{name} passes, but conformance/expected/torch_xla.txt lists it")
        elif kind == "failed" or skips or arguments.verbose:
            print(f"{kind} {name}{': ' + message if message else ''}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        sys.path.insert(0, HERE)
        worker(sys.argv[2], sys.argv[3:])
    sys.exit(main())
