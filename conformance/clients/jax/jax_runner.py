#!/usr/bin/env python3
"""Runs every case of the cases_*.py files on a plugin and on JAX's own CPU, and compares.

    jax_runner.py PLUGIN [--platform cpu,tpu] [--share N] [--filter REGEX] [--verbose]

JAX's lowering depends on the platform name, so its programs differ for "tpu": linear algebra, callbacks, random bits.
With that name JAX uses the plugin in place of its own TPU library. --share N: under each name after the first, only one
in N of the cases that all names have.

The cases run in worker processes, one per backend. If a worker dies or hangs, its current case fails, and another
worker continues with the next one. conformance/expected/jax.txt lists the expected failures with reasons: they count
as skipped. The last line has the counts."""
import argparse
import fnmatch
import glob
import importlib
import json
import os
import re
import selectors
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = os.path.join(HERE, "..", "..", "expected", "jax.txt")
CASE_SECONDS = 120


def load_cases():
    import jax_case
    for path in sorted(glob.glob(os.path.join(HERE, "cases_*.py"))):
        importlib.import_module(os.path.basename(path)[:-3])
    return jax_case.CASES


def register_handlers():
    """Does what the wheel does: registers JAX's custom call handlers with the plugin, and lowers memory kind
    annotations and functions of small floats for it."""
    plugin = os.environ.get("PJRT_NAMES_AND_LIBRARY_PATHS", "").partition(":")[2]
    if plugin:
        sys.path.append(os.path.join(HERE, "..", "..", "..", "python"))
        callbacks = importlib.import_module("gantry_pjrt.callbacks")
        handlers = importlib.import_module("gantry_pjrt.handlers")
        placement = importlib.import_module("gantry_pjrt.placement")
        small_floats = importlib.import_module("gantry_pjrt.small_floats")
        complex_functions = importlib.import_module("gantry_pjrt.complex_functions")
        sys.path.pop()                  # JAX must not find the plugin package in this folder, which is not an installed wheel
        handlers.register(plugin)
        callbacks.lower_to_own(placement.is_for_gantry)
        placement.register()
        small_floats.register(placement.is_for_gantry)
        complex_functions.register(placement.is_for_gantry)


def worker(folder, wanted):
    """Runs the named cases in order; reports progress on standard output, and stores results in `folder`."""
    import numpy
    import jax_case
    says = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    register_handlers()
    cases = {name: (function, options) for name, function, options in load_cases()}
    for name in wanted:
        function, options = cases[name]
        print(json.dumps({"begin": name}), file=says, flush=True)
        message = None
        try:
            arrays = jax_case.run(function, options)
            numpy.savez(os.path.join(folder, name + ".npz"), *arrays)
        except Exception as problem:                                # a failing case never ends the run
            message = f"{type(problem).__name__}: {problem}"
        print(json.dumps({"end": name, "message": message}), file=says, flush=True)


def run_backend(environment, folder, names):
    """Runs all cases on one backend: {name: None or the error}."""
    results, names = {}, list(names)
    while names:
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([sys.executable, __file__, "--worker", folder, *names], env=environment,
                                       stdout=subprocess.PIPE, stderr=errors, cwd=HERE)
            current, why = follow(process, results)
            errors.seek(0, os.SEEK_END)
            errors.seek(max(0, errors.tell() - 1500))
            tail = errors.read().decode(errors="replace").strip()
        left = [name for name in names if name not in results]
        if not left:
            break
        charged = current or left[0]
        results[charged] = f"{why}: {tail}"
        names = [name for name in left if name != charged]
    return results


def follow(process, results):
    """Reads the output of a worker until it ends or a case times out. Returns its current case, if any, and the cause."""
    current, buffer, since = None, b"", time.monotonic()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(timeout=1.0):
                if time.monotonic() - since > CASE_SECONDS:
                    process.kill()
                    process.wait()
                    return current, f"no answer in {CASE_SECONDS} s"
                continue
            data = os.read(process.stdout.fileno(), 65536)
            if not data:
                return current, f"the process ended with status {process.wait()}"
            since, buffer = time.monotonic(), buffer + data
            *lines, buffer = buffer.split(b"\n")
            for line in lines:
                message = json.loads(line)
                if "begin" in message:
                    current = message["begin"]
                else:
                    results[message["end"]], current = message["message"], None


def difference(name, options, ours, own):
    """None if the results agree, otherwise a description of the difference."""
    import numpy
    a, b = (numpy.load(os.path.join(folder, name + ".npz")) for folder in (ours, own))
    if len(a.files) != len(b.files):
        return f"{len(a.files)} arrays, expected {len(b.files)}"
    for leaf in b.files:
        x, y = a[leaf], b[leaf]
        if x.shape != y.shape or x.dtype != y.dtype:
            return f"{leaf}: {x.dtype}{x.shape}, expected {y.dtype}{y.shape}"
        exact = y.dtype.kind in "biu"
        same = numpy.array_equal(x, y) if exact else numpy.allclose(
            x, y, rtol=options["rtol"], atol=options["atol"], equal_nan=True)
        if not same:
            wrong = x != y if exact else ~numpy.isclose(x, y, rtol=options["rtol"], atol=options["atol"], equal_nan=True)
            far = int(numpy.argmax(wrong))
            return f"{leaf}{y.shape}: {int(wrong.sum())} differ, the first at {far}: {x.flat[far]}, expected {y.flat[far]}"
    return None


def variables(platform, plugin):
    """The environment in which JAX uses the plugin under the given platform name."""
    if plugin == "cpu":
        return {"JAX_PLATFORMS": "cpu"}
    path = os.path.abspath(plugin)
    if platform == "tpu":
        path = path.replace("gantry_plugin", "gantrytpu_plugin")
        return {"JAX_PLATFORMS": "tpu,cpu", "TPU_LIBRARY_PATH": path, "TPU_SKIP_MDS_QUERY": "1",
                "GANTRY_TPU_NUMERICS": "f32"}       # cases compare with a CPU; those of a TPU's numerics start their own process
    return {"JAX_PLATFORMS": "gantry,cpu", "PJRT_NAMES_AND_LIBRARY_PATHS": f"gantry:{path}"}


def run_platform(platform, arguments, environment, cases, own, expected, counts):
    """Runs the cases under one platform name, reports failures, and adds to the counts. own: (outcomes, folder) of JAX's
    CPU."""
    reference, reference_folder = own
    with tempfile.TemporaryDirectory() as ours:
        got = run_backend(environment, ours, [name for name, _, _ in cases])
        for name, _, options in cases:
            problem = got[name] or reference.get(name)
            if not problem and options["compare"]:
                problem = difference(name, options, ours, reference_folder)
            shown = name if platform == "cpu" else f"{platform}:{name}"
            known = any(fnmatch.fnmatch(shown, pattern) for pattern in expected)
            result = "passed" if not problem else "skipped" if known else "failed"
            counts[result] += 1
            if result == "passed" and known:
                print(f"{shown} passes, but expected/jax.txt lists it")
            if result != "passed":
                print(f"{result.upper():8}{shown}: {problem[-1200:]}")
            elif arguments.verbose:
                print(f"{result.upper():8}{shown}")


def chosen(cases, platform, share):
    """The cases of a platform: all that only it has, and one in `share` of the others."""
    common = [entry for entry in cases if entry[2]["platform"] is None][::share]
    return [entry for entry in cases if entry[2]["platform"] == platform or entry in common]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin", help="the plugin's shared library, or 'cpu' for JAX's own")
    parser.add_argument("--platform", default="cpu,tpu", help="the names by which JAX lowers (cpu,tpu)")
    parser.add_argument("--share", type=int, default=1, help="under names after the first, one in N of the common cases")
    parser.add_argument("--filter", default="", help="only the cases whose name this regular expression finds")
    parser.add_argument("--verbose", action="store_true", help="name the passing cases too")
    arguments = parser.parse_args()

    sys.path.insert(0, HERE)
    cases = [entry for entry in load_cases() if re.search(arguments.filter, entry[0])]
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("JAX_", "PJRT_", "TPU_", "XLA_FLAGS"))}
    lines = [line.split("#")[0].split() for line in open(EXPECTED, encoding="utf-8")] if os.path.exists(EXPECTED) else []
    expected = [line[0] for line in lines if line]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory() as own:
        # The reference gives values; optimized code would take longer to compile than it runs.
        reference = run_backend(dict(environment, JAX_PLATFORMS="cpu", JAX_DISABLE_MOST_OPTIMIZATIONS="1"), own,
                                [name for name, _, options in cases if options["compare"]])
        for i, platform in enumerate(arguments.platform.split(",")):
            run_platform(platform, arguments, dict(environment, **variables(platform, arguments.plugin)),
                         chosen(cases, platform, arguments.share if i else 1), (reference, own), expected, counts)
    print(", ".join(f"{number} {result}" for result, number in counts.items()))
    return 1 if counts["failed"] or not cases else 0


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "--worker":
        sys.path.insert(0, HERE)
        worker(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(main())
