#!/usr/bin/env python3
"""Runs the cases of torch_cases.py on a plugin through PyTorch/XLA and on PyTorch itself, and compares.

    torch_runner.py PLUGIN [--filter REGEX] [--verbose]

The cases run in one worker process; one that dies or hangs is charged to the case it was in, and another takes over.
conformance/expected/torch_xla.txt lists cases known not to pass, with reasons: they count as skipped. Ends with the counts."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = os.path.join(HERE, "..", "..", "expected", "torch_xla.txt")
CASE_SECONDS = 180


def register(path):
    import torch_xla
    from torch_xla.experimental import plugins

    class Plugin(plugins.DevicePlugin):
        def library_path(self):
            return path

        def physical_chip_count(self):
            return 1

    plugins.use_dynamic_plugins()
    plugins.register_plugin("GANTRY", Plugin())
    return torch_xla.device()


def difference(got, expected, options):
    """None when all tensors agree, else where they do not."""
    import torch
    if len(got) != len(expected):
        return f"{len(got)} tensors, expected {len(expected)}"
    for i, (x, y) in enumerate(zip(got, expected)):
        x, y = x.detach().cpu(), y.detach()
        if x.shape != y.shape or x.dtype != y.dtype:
            return f"{i}: {x.dtype}{tuple(x.shape)}, expected {y.dtype}{tuple(y.shape)}"
        exact = not (y.is_floating_point() or y.is_complex())
        if not (torch.equal(x, y) if exact else torch.allclose(x, y, equal_nan=True, **options)):
            wrong = x != y if exact else ~torch.isclose(x, y, equal_nan=True, **options)
            far = int(wrong.flatten().int().argmax())
            return f"{i}{tuple(y.shape)}: {int(wrong.sum())} differ, at {far}: {x.flatten()[far]}, expected {y.flatten()[far]}"
    return None


def worker(path, wanted):
    says = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import torch
    import torch_cases
    device = register(path)
    cases = {name: (function, options) for name, function, options in torch_cases.CASES}
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
    """Runs cases until all are done or one ends the process: the case it was in, or None."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PJRT_", "XLA_"))}
    environment.update(PJRT_DEVICE="GANTRY", XLA_REGISTER_INSTALLED_PLUGINS="0")
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin", help="the plugin's shared library")
    parser.add_argument("--filter", default="", help="only the cases whose name this regular expression finds")
    parser.add_argument("--verbose", action="store_true", help="name the passing cases too")
    arguments = parser.parse_args()
    import torch_cases
    names = [name for name, _, _ in torch_cases.CASES if re.search(arguments.filter, name)]
    lines = [line.split("#")[0].split() for line in open(EXPECTED, encoding="utf-8")] if os.path.exists(EXPECTED) else []
    expected = {line[0] for line in lines if line}
    results, left = {}, list(names)
    while left:
        left = run_worker(os.path.abspath(arguments.plugin), left, results)
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name in names:
        message = results[name]
        kind = "passed" if message is None else "skipped" if name in expected else "failed"
        counts[kind] += 1
        if message is None and name in expected:
            print(f"{name} passes, but conformance/expected/torch_xla.txt lists it")
        elif kind == "failed" or arguments.verbose:
            print(f"{kind} {name}{': ' + message if message else ''}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        sys.path.insert(0, HERE)
        worker(sys.argv[2], sys.argv[3:])
    sys.exit(main())
