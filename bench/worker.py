"""worker.py: one side of bench.py: a process with one JAX backend. Each line of standard input is a JSON request, each
line of standard output a response.

    {"do": "prepare", "name": N}    compile and run: {"check"}: a figure of the results
    {"do": "compile"}               compile what was prepared again: {"compile_cpu", "compile_wall"}: the least seconds
    {"do": "time", "seconds": S}    run what was prepared: {"wall", "cpu"}: medians of seconds of a call
    {"do": "first"}                 compile again and run once: {"compile_cpu", "compile_wall"}: of both
    {"do": "predict"}               {"predicted", "measured"}: seconds of an execution, as the plugin computes them and
                                    as its profiler measures them, without the client's part of a call
    {"do": "kernels"}               {"kernels"}: the steps of a call that take the most time, on a plugin that is profiled"""
import glob
import json
import os
import statistics
import sys
import tempfile
import time

BATCH_SECONDS = 0.004           # calls are timed together until they take this long
COMPILES = 3


def jitted(function):
    """The function itself if it is compiled already, as by jax.pmap."""
    import jax
    return function if hasattr(function, "lower") else jax.jit(lambda *values: function(*values))


def compile_fresh(function, arguments):
    """Compiles without a cache hit: JAX's cache key is the function object. Tracing and lowering are not counted."""
    import jax
    if hasattr(function, "lower"):
        jax.clear_caches()
    lowered = jitted(function).lower(*arguments)
    cpu, wall = time.process_time(), time.perf_counter()
    compiled = lowered.compile()
    return compiled, time.process_time() - cpu, time.perf_counter() - wall


def figure_of(results):
    """The mean absolute value of all results, which must be equal on both sides."""
    import jax
    import numpy
    leaves = [numpy.asarray(leaf).astype("complex128") for leaf in jax.tree.leaves(results)]
    return sum(float(numpy.abs(leaf).sum()) for leaf in leaves) / max(1, sum(leaf.size for leaf in leaves))


def program(name, folder):
    """A function and its arguments: of a snippet if there is a folder that it is from."""
    if folder:
        import snippets
        return snippets.snippet(name, folder)
    import common_operations
    import multi_device
    import programs
    return (programs.PROGRAMS | common_operations.OPERATIONS | multi_device.PROGRAMS)[name]()


class Work:
    def __init__(self, name, folder):
        import jax
        jax.config.update("jax_enable_x64", False)                  # a program may ask for it
        self.function, self.arguments = program(name, folder)
        jax.block_until_ready(self.arguments)
        self.call = jitted(self.function)
        self.check = figure_of(self.call(*self.arguments))
        self.batch = 1
        while self.run_batch()[0] * self.batch < BATCH_SECONDS and self.batch < 4096:
            self.batch *= 2

    def compile(self):
        """Other load only adds to a compilation, so the least is what it takes."""
        costs = [compile_fresh(self.function, self.arguments)[1:] for _ in range(COMPILES)]
        cpu, wall = (min(cost) for cost in zip(*costs))
        return {"compile_cpu": cpu, "compile_wall": wall}

    def first(self):
        """What a user waits for, besides tracing and lowering, which are JAX's."""
        import jax
        lowered = jax.jit(lambda *values: self.function(*values)).lower(*self.arguments)
        cpu, wall = time.process_time(), time.perf_counter()
        jax.block_until_ready(lowered.compile()(*self.arguments))
        return {"compile_cpu": time.process_time() - cpu, "compile_wall": time.perf_counter() - wall}

    def profile(self, calls, kind):
        """The plugin's events of a kind during so many calls."""
        import jax
        with tempfile.TemporaryDirectory() as folder:
            with jax.profiler.trace(folder):
                for _ in range(calls):
                    jax.block_until_ready(self.call(*self.arguments))
            files = glob.glob(os.path.join(folder, "**", "*.xplane.pb"), recursive=True)
            planes = [plane for file in files for plane in jax.profiler.ProfileData.from_file(file).planes]
        events = [event for plane in planes if "Gantry" in plane.name for line in plane.lines for event in line.events]
        return [event for event in events if ("kind", kind) in event.stats]

    def predict(self):
        cost = self.call.lower(*self.arguments).compile().cost_analysis()
        calls = max(5, min(50, int(0.03 / self.run_batch()[0])))
        times = [event.duration_ns * 1e-9 for event in self.profile(calls, "execute")]
        return {"predicted": cost["optimal_seconds"], "measured": statistics.median(times)}

    def kernels(self, most=3):
        times = {}
        for event in self.profile(5, "step"):
            times[event.name] = times.get(event.name, 0) + event.duration_ns / 5000
        largest = sorted(times.items(), key=lambda item: -item[1])[:most]
        return {"kernels": ", ".join(f"{name} {us:.3g} us" for name, us in largest)}

    def run_batch(self):
        """Wall time and CPU time of a call in seconds."""
        import jax
        call, arguments = self.call, self.arguments
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(self.batch):
            result = call(*arguments)
        jax.block_until_ready(result)
        return (time.perf_counter() - wall) / self.batch, (time.process_time() - cpu) / self.batch

    def time(self, seconds):
        until, times = time.perf_counter() + seconds, []
        while len(times) < 3 or time.perf_counter() < until:
            times.append(self.run_batch())
        return {"wall": statistics.median(t[0] for t in times), "cpu": statistics.median(t[1] for t in times)}


def main():
    if len(sys.argv) > 1:
        os.sched_setaffinity(0, {int(cpu) for cpu in sys.argv[1].split(",")})
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)                                                   # keep output of libraries apart from responses
    work = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["do"] == "prepare":
                work = None
                work = Work(request["name"], request.get("folder"))
                answer = {"check": work.check}
            elif request["do"] == "time":
                answer = work.time(request["seconds"])
            else:
                answer = getattr(work, request["do"])()
        except Exception as problem:                                # reported in the row; other rows continue
            answer = {"problem": f"{type(problem).__name__}: {problem}".split("\n")[0][:200]}
        print(json.dumps(answer), file=answers, flush=True)


main()
