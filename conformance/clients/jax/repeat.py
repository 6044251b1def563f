#!/usr/bin/env python3
"""Repetition: every operation that a library runs, and every kind of parallel kernel, many times over. Each run must give
the same bits, and those of the first run the right value, which JAX's own CPU computes once.

    repeat.py PLUGIN [--times 200] [--clients 28] [--filter GLOB] [--verbose]

A case runs `--times` times on one thread, and as often again on `--clients` threads at once, on two devices; both once
while the cores are idle and once while other processes keep all of them busy. At the end all threads run all cases in
orders of their own, so that each operation meets each other one. A case in one of these phases counts as one test."""
import argparse
import fnmatch
import multiprocessing
import os
import random
import sys
import threading


def burn():
    while True:
        pass


class Load:
    """Processes that keep every core busy while the block runs."""

    def __init__(self, wanted):
        self.count = len(os.sched_getaffinity(0)) if wanted else 0

    def __enter__(self):
        spawn = multiprocessing.get_context("spawn")
        self.processes = [spawn.Process(target=burn, daemon=True) for _ in range(self.count)]
        for process in self.processes:
            process.start()

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.join()


class Case:
    """A compiled case on each of the devices, and the bits of its first run."""

    def __init__(self, name, function, arguments, canonical, tolerance, devices, compile_module):
        import jax
        import numpy
        self.name, self.canonical, self.tolerance = name, canonical, tolerance
        self.arguments, self.function = arguments, function
        self.runs = []
        jitted = None if isinstance(function, str) else jax.jit(function)
        for device in devices:
            placed = [jax.device_put(argument, device) for argument in arguments]
            if jitted is None:
                self.runs.append(compile_module(function, device, placed))
            else:
                self.runs.append(lambda jitted=jitted, placed=placed: jax.tree.leaves(jitted(*placed)))
        self.first = [numpy.array(result) for result in self.runs[0]()]
        self.bits = [result.tobytes() for result in self.first]

    def is_same(self, device):
        """Runs once; false if the bits differ from those of the first run."""
        import numpy
        return [numpy.asarray(result).tobytes() for result in self.runs[device % len(self.runs)]()] == self.bits

    def problem(self, cpu, modules):
        """The error in the value of the first run, or None."""
        import jax
        import numpy
        if isinstance(self.function, str):
            wanted = [modules[self.name.rsplit(" ", 1)[0]](*self.arguments)]
        else:
            with jax.default_device(cpu):
                wanted = [numpy.array(leaf) for leaf in
                          jax.tree.leaves(jax.jit(self.function)(*[jax.device_put(a, cpu) for a in self.arguments]))]
        canonical = (lambda *results: results) if isinstance(self.function, str) and len(wanted) == 1 else self.canonical
        got = self.canonical(*[widened(result) for result in self.first])
        wanted = canonical(*[widened(result) for result in wanted])
        for i, (a, b) in enumerate(zip(got, wanted)):
            scale = abs(b[numpy.isfinite(b)]).max(initial=1e-3) if b.size else 1
            near = (a == b) | (abs(a - b) <= self.tolerance * scale) if b.dtype.kind in "fc" else a == b
            if a.shape != b.shape or not numpy.all(near):
                return f"value {i} is wrong by {abs(a - b).max() / scale:.3g} of the largest element"
        return None


def widened(array):
    import numpy
    return array.astype("float32") if array.dtype.name in ("bfloat16", "float16") else numpy.asarray(array)


def module_compiler():
    """Compiles StableHLO text for a device, as JAX compiles its own."""
    import jax
    import numpy
    from jax._src import compiler
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib import _jax
    from jaxlib.mlir.dialects import stablehlo

    def compile_module(text, device, placed):
        bytecode = stablehlo.serialize_portable_artifact_str(text, "1.17.0")
        with jax_mlir.make_ir_context():
            module = _jax.mlir.deserialize_portable_artifact(bytecode)
        options = compiler.get_compile_options(num_replicas=1, num_partitions=1, device_assignment=numpy.array([[device.id]]))
        with module.context:
            program = device.client.compile_and_load(module, _jax.DeviceList((device,)), options)

        def run():
            results = program.execute_sharded([jax.device_put(array, device) for array in placed])
            return [result[0] for result in results.disassemble_into_single_device_arrays()]
        return run
    return compile_module


def in_threads(count, work):
    """Calls work(i) on `count` threads at once; returns their errors."""
    errors, barrier = [], threading.Barrier(count)

    def body(i):
        try:
            barrier.wait()
            work(i)
        except Exception as error:
            errors.append(f"{type(error).__name__}: {str(error).splitlines()[0][:200]}")
    threads = [threading.Thread(target=body, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


class Tally:
    def __init__(self, verbose):
        self.passed = self.failed = 0
        self.verbose = verbose

    def add(self, name, problem):
        self.passed, self.failed = self.passed + (not problem), self.failed + bool(problem)
        if problem or self.verbose:
            print(f"{name}: {problem or 'good'}", flush=True)


def repeat_case(case, times, clients, single):
    """Runs a case `times` times on one thread or shared out among all; returns the error, or None."""
    wrong, each = [0] * clients, -(-times // clients)

    def work(i):
        for _ in range(times if single else each):
            wrong[i] += not case.is_same(0 if single else i)
    errors = in_threads(1 if single else clients, work)
    if errors:
        return errors[0]
    return f"{sum(wrong)} of {times if single else each * clients} runs gave other bits" if any(wrong) else None


def mix_cases(cases, clients, rounds, tally):
    """All threads run all cases, each in a different order."""
    wrong = {case.name: 0 for case in cases}
    lock = threading.Lock()

    def work(i):
        order = random.Random(i)
        for _ in range(rounds):
            for case in order.sample(cases, len(cases)):
                if not case.is_same(i):
                    with lock:
                        wrong[case.name] += 1
    errors = in_threads(clients, work)
    for case in cases:
        tally.add(f"{case.name}, among others", wrong[case.name] and f"{wrong[case.name]} runs gave other bits")
    if errors:
        tally.add("all cases at once", errors[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--clients", type=int, default=28)
    parser.add_argument("--filter", default="*")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = "gantry:" + os.path.abspath(options.plugin)
    os.environ["JAX_PLATFORMS"] = "gantry,cpu"
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import warnings
    warnings.filterwarnings("ignore")
    import jax
    jax.config.update("jax_enable_x64", True)
    import repeat_cases
    devices, cpu = jax.devices("gantry")[:2], jax.devices("cpu")[0]
    tally, cases, compile_module = Tally(options.verbose), [], module_compiler()
    for row in repeat_cases.CASES:
        if not fnmatch.fnmatch(row[0], options.filter):
            continue
        try:
            cases.append(Case(*row, devices, compile_module))
            tally.add(f"{row[0]}, value", cases[-1].problem(cpu, repeat_cases.MODULES))
        except Exception as error:
            tally.add(f"{row[0]}, value", f"{type(error).__name__}: {str(error).splitlines()[0][:300]}")
    for loaded in (False, True):
        with Load(loaded):
            for single in (True, False):
                where = f"{'from one thread' if single else 'from many threads'}{', cores busy' if loaded else ''}"
                for case in cases:
                    tally.add(f"{case.name}, {where}", repeat_case(case, options.times, options.clients, single))
    mix_cases(cases, options.clients, max(1, options.times // 50), tally)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main())
