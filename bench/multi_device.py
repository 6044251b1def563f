#!/usr/bin/env python3
"""Compares JAX programs for 8 devices on a plugin and on JAX's own CPU with 8 devices.

    multi_device.py PLUGIN [--only REGEX] [--rounds N] [--seconds S] [--json FILE]

Each side is a separate process; they alternate, round by round. Prints the medians of a call's wall time and CPU time
(of the whole process), the CPU time of a compilation, and the ratios JAX's own CPU / Gantry (more than 1: Gantry is
faster). A row whose results differ between the sides is marked `differs`. The last line compares the all-reduce with
copying as many bytes with all cores."""
import argparse
import concurrent.futures
import json
import os
import re
import statistics
import subprocess
import sys
import time

DEVICES = 8
LAYERS, WIDTH, HEADS, SEQUENCE, VOCABULARY, BATCH = 2, 128, 4, 64, 512, 16
REDUCED = 16 << 20              # bytes on each device
BATCH_SECONDS = 0.004           # calls are timed together until they take this long
COMPILES = 3


# ---- programs ---------------------------------------------------------------------------------------------------------
def mesh_of(*sizes):
    import jax
    return jax.make_mesh(sizes, ("data", "model")[:len(sizes)], (jax.sharding.AxisType.Auto,) * len(sizes))


def all_reduce():
    import jax
    import numpy
    x = numpy.random.default_rng(0).standard_normal((DEVICES, REDUCED // 4), dtype="float32")
    spec = jax.P("data")
    function = jax.shard_map(lambda x: jax.lax.psum(x, "data"), mesh=mesh_of(DEVICES), in_specs=spec, out_specs=spec)
    return function, (jax.device_put(x, jax.NamedSharding(mesh_of(DEVICES), spec)),)


def dispatch():
    import jax
    import numpy
    function = jax.pmap(lambda x: x + 1)
    return function, (function(numpy.zeros((DEVICES, 8), "float32")),)


def weights():
    import numpy
    random = numpy.random.default_rng(0)
    shapes = {"qkv": (WIDTH, 3, HEADS, WIDTH // HEADS), "out": (HEADS, WIDTH // HEADS, WIDTH), "up": (WIDTH, 4 * WIDTH),
              "down": (4 * WIDTH, WIDTH)}
    draw = lambda shape: (0.02 * random.standard_normal(shape)).astype("float32")
    return {"embedding": draw((VOCABULARY, WIDTH)), "layers": [{k: draw(s) for k, s in shapes.items()} for _ in range(LAYERS)]}


def loss(p, tokens):
    import jax
    import jax.numpy as jnp
    norm = lambda x: (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
    x, mask = p["embedding"][tokens], jnp.tril(jnp.ones((SEQUENCE, SEQUENCE), bool))
    for layer in p["layers"]:
        q, k, v = jnp.moveaxis(jnp.einsum("bsd,dthe->bsthe", norm(x), layer["qkv"]), 2, 0)
        scores = jnp.where(mask, jnp.einsum("bshe,bthe->bhst", q, k) / (WIDTH // HEADS) ** 0.5, -1e9)
        x += jnp.einsum("bhst,bthe,hed->bsd", jax.nn.softmax(scores), v, layer["out"])
        x += jax.nn.gelu(norm(x) @ layer["up"]) @ layer["down"]
    logits = jax.nn.log_softmax(norm(x) @ p["embedding"].T)
    return -jnp.take_along_axis(logits[:, :-1], tokens[:, 1:, None], -1).mean()


def train(mesh, specs):
    """A step of gradient descent; `specs`: how the weights are sharded; the batch is sharded over `data`."""
    import jax
    import numpy
    p = weights()
    shardings = {"embedding": jax.NamedSharding(mesh, specs.get("embedding", jax.P())),
                 "layers": [{k: jax.NamedSharding(mesh, specs.get(k, jax.P())) for k in l} for l in p["layers"]]}
    tokens = numpy.random.default_rng(1).integers(0, VOCABULARY, (BATCH, SEQUENCE)).astype("int32")

    def step(p, tokens):
        value, gradient = jax.value_and_grad(loss)(p, tokens)
        return value, jax.tree.map(lambda p, g: jax.lax.with_sharding_constraint(p - 0.01 * g, p_sharding(g)), p, gradient)

    def p_sharding(_):
        return next(order)
    order = None

    def sharded_step(p, tokens):
        nonlocal order
        order = iter(jax.tree.leaves(shardings))
        return step(p, tokens)
    return sharded_step, (jax.device_put(p, shardings), jax.device_put(tokens, jax.NamedSharding(mesh, jax.P("data"))))


def data_parallel():
    return train(mesh_of(DEVICES), {})


def tensor_parallel():
    import jax
    return train(mesh_of(2, DEVICES // 2), {"qkv": jax.P(None, None, "model"), "out": jax.P("model"), "up": jax.P(None, "model"),
                                            "down": jax.P("model"), "embedding": jax.P("model")})


PROGRAMS = {"all_reduce of 16 MiB": all_reduce, "pmap(x + 1)": dispatch, "GPT step, data parallel x8": data_parallel,
            "GPT step, tensor parallel 2x4": tensor_parallel}


# ---- one side ---------------------------------------------------------------------------------------------------------
class Work:
    def __init__(self, name):
        import jax
        import numpy
        function, self.arguments = PROGRAMS[name]()
        lower = function.lower if hasattr(function, "lower") else None
        costs = []
        for _ in range(COMPILES):
            jax.clear_caches()
            lowered = (lower or jax.jit(lambda *values: function(*values)).lower)(*self.arguments)
            cpu = time.process_time()
            lowered.compile()
            costs.append(time.process_time() - cpu)
        self.compile = statistics.median(costs)
        self.call = function if lower else jax.jit(function)
        leaves = [numpy.asarray(leaf).astype("float64") for leaf in jax.tree.leaves(self.call(*self.arguments))]
        self.check = float(sum(abs(leaf).sum() for leaf in leaves) / sum(leaf.size for leaf in leaves))
        self.batch = 1
        while self.run_batch()[0] * self.batch < BATCH_SECONDS and self.batch < 4096:
            self.batch *= 2

    def run_batch(self):
        """Wall time and CPU time of a call in seconds."""
        import jax
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(self.batch):
            result = self.call(*self.arguments)
        jax.block_until_ready(result)
        return (time.perf_counter() - wall) / self.batch, (time.process_time() - cpu) / self.batch

    def time(self, seconds):
        until, times = time.perf_counter() + seconds, []
        while len(times) < 3 or time.perf_counter() < until:
            times.append(self.run_batch())
        return {"wall": statistics.median(t[0] for t in times), "cpu": statistics.median(t[1] for t in times)}


def work():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)                                                   # keep output of libraries apart from responses
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["do"] == "prepare":
                current = Work(request["name"])
                answer = {"compile": current.compile, "check": current.check}
            else:
                answer = current.time(request["seconds"])
        except Exception as problem:                                # reported in the row; other rows continue
            answer = {"problem": f"{type(problem).__name__}: {problem}".split("\n")[0][:200]}
        print(json.dumps(answer), file=answers, flush=True)


# ---- both sides -------------------------------------------------------------------------------------------------------
class Side:
    def __init__(self, name, environment):
        self.name = name
        self.process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "--work"], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        return json.loads(answer) if answer else {"problem": f"{self.name}: the process ended with {self.process.wait()}"}


def make_sides(plugin):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_", "XLA_FLAGS"))}
    clean["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
    ours = dict(clean, JAX_PLATFORMS="gantry", PJRT_NAMES_AND_LIBRARY_PATHS="gantry:" + os.path.abspath(plugin))
    return [Side("gantry", ours), Side("xla", dict(clean, JAX_PLATFORMS="cpu"))]


def measure(sides, name, rounds, seconds):
    row = {"name": name} | {side.name: side.ask(do="prepare", name=name) for side in sides}
    if any("problem" in row[side.name] for side in sides):
        return row
    samples = {side.name: [] for side in sides}
    for number in range(rounds):
        for side in sides if number % 2 else reversed(sides):
            samples[side.name].append(side.ask(do="time", seconds=seconds))
    for side in sides:
        for what in ("wall", "cpu"):
            row[side.name][what] = statistics.median(sample[what] for sample in samples[side.name])
    return row


def line(row):
    ours, own = row["gantry"], row["xla"]
    problem = ours.get("problem") or own.get("problem")
    if problem:
        return f"{row['name']:30} {problem}"
    cells = [f"{row['name']:30}"]
    for what in ("wall", "cpu", "compile"):
        cells.append(f"{ours[what] * 1e3:9.3f} {own[what] * 1e3:9.3f} {own[what] / max(ours[what], 1e-9):6.2f}  ")
    same = abs(ours["check"] - own["check"]) <= 1e-4 * abs(own["check"])
    return " ".join(cells) + ("" if same else "  differs")


def copy_seconds(size):
    """The median of copying `size` bytes with all cores, into memory in use."""
    import numpy
    count, times = os.cpu_count(), []
    pairs = [(numpy.ones(size // count, "uint8"), numpy.ones(size // count, "uint8")) for _ in range(count)]
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        for _ in range(9):
            start = time.perf_counter()
            list(pool.map(lambda pair: numpy.copyto(*pair), pairs))
            times.append(time.perf_counter() - start)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--only", default="", help="programs whose name this regular expression finds")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="how long a side runs in a round")
    parser.add_argument("--json", help="write the figures here, too")
    arguments = parser.parse_args()
    print(f"{'milliseconds':30} {'wall':>9} {'':9} {'':6}   {'CPU':>9} {'':9} {'':6}   {'compile':>9}\n"
          f"{'':30}" + f" {'Gantry':>9} {'XLA':>9} {'ratio':>6}  " * 3, flush=True)
    sides, rows = make_sides(arguments.plugin), []
    for name in PROGRAMS:
        if re.search(arguments.only, name):
            rows.append(measure(sides, name, arguments.rounds, arguments.seconds))
            print(line(rows[-1]), flush=True)
    copying = copy_seconds(DEVICES * REDUCED)
    print(f"copying {DEVICES * REDUCED >> 20} MiB: {copying * 1e3:.3f} ms")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"rows": rows, "copy": copying}, file, indent=1)


if __name__ == "__main__":
    work() if sys.argv[1:] == ["--work"] else main()
