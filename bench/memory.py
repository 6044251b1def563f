#!/usr/bin/env python3
"""Compares the memory that compiled programs need on a plugin and on JAX's own CPU, as reported by memory_analysis().

    memory.py PLUGIN [--only REGEX] [--corpus] [--json FILE] [--list]

Nothing is executed. Prints the bytes of arguments, results, aliases and temporaries of each program on both sides, the
ratio Gantry / XLA of temporaries (at least a page), and of the total memory of an execution: arguments, results
without aliases, and temporaries. The last line has the geometric means."""
import argparse
import json
import math
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
CORPUS = os.path.join(HERE, "..", "build", "corpus", "models")
PAGE = 4096
FIELDS = "argument", "output", "alias", "temp"


# ---- programs ---------------------------------------------------------------------------------------------------------
def resnet18_step(batch, size):
    """A step of SGD with momentum on ResNet-18, batch statistics included."""
    def make():
        import jax
        import jax.numpy as jnp
        from jax import lax
        from programs import conv, integers, normal

        def norm(x, p):
            mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
            return (x - mean) * lax.rsqrt(variance + 1e-5) * p[0] + p[1]

        def block(x, p, stride):
            y = jax.nn.relu(norm(conv(x, p["c1"], stride), p["n1"]))
            y = norm(conv(y, p["c2"]), p["n2"])
            return jax.nn.relu(y + (norm(conv(x, p["c3"], stride), p["n3"]) if "c3" in p else x))

        def loss(p, x, y):
            x = jax.nn.relu(norm(conv(x, p["c"], 2), p["n"]))
            x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
            for i, q in enumerate(p["blocks"]):
                x = block(x, q, 2 if i in (2, 4, 6) else 1)
            logits = x.mean((1, 2)) @ p["out"]
            return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(y, 1000), -1))

        def step(p, m, x, y):
            value, gradient = jax.value_and_grad(loss)(p, x, y)
            m = jax.tree.map(lambda m, g: 0.9 * m + g, m, gradient)
            return value, jax.tree.map(lambda w, m: w - 0.01 * m, p, m), m

        def weights(width, before):
            p = {"c1": normal(3, 3, before, width), "n1": (normal(width), normal(width)),
                 "c2": normal(3, 3, width, width), "n2": (normal(width), normal(width))}
            if width != before:
                p |= {"c3": normal(1, 1, before, width), "n3": (normal(width), normal(width))}
            return p
        widths = [64, 64, 64, 128, 128, 256, 256, 512, 512]
        p = {"c": normal(7, 7, 3, 64), "n": (normal(64), normal(64)), "out": normal(512, 1000),
             "blocks": [weights(b, a) for a, b in zip(widths, widths[1:])]}
        return step, [p, p, normal(batch, size, size, 3), integers(1000, batch)]
    return make


def adam_step(make):
    """A step of Adam with the gradients of a step of SGD."""
    def run():
        import jax
        import jax.numpy as jnp
        sgd, (p, *data) = make()

        def step(p, m, v, *data):
            value, after = sgd(p, *data)
            g = jax.tree.map(lambda a, b: a - b, p, after)
            m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
            v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
            return value, jax.tree.map(lambda w, m, v: w - 0.001 * m / (jnp.sqrt(v) + 1e-8), p, m, v), m, v
        return step, [p, p, p, *data]
    return run


def batch_norm_gradient():
    import jax
    import jax.numpy as jnp
    from programs import normal

    def loss(x, scale, offset):
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return jnp.sum(jax.nn.relu((x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + offset) ** 2)
    return jax.grad(loss, (0, 1, 2)), [normal(32, 28, 28, 128), normal(128), normal(128)]


def embedding_gradient():
    import jax
    import jax.numpy as jnp
    from programs import integers, normal
    return jax.grad(lambda table, i, w: jnp.sum(jnp.tanh(table[i] @ w))), [
        normal(8192, 256), integers(8192, 64, 128), normal(256, 256)]


def linear_algebra(name, n):
    def make():
        import jax.numpy as jnp
        from programs import normal
        return getattr(jnp.linalg, name), [normal(n, n)]
    return make


def newton_while():
    import jax
    import jax.numpy as jnp
    from programs import normal

    def run(a):
        def more(state):
            return (state[1] < 30) & (state[2] > 1e-6)

        def once(state):
            x, i, _ = state
            y = 2 * x - x @ a @ x
            return y, i + 1, jnp.max(jnp.abs(y - x))
        return jax.lax.while_loop(more, once, (a.T / jnp.sum(a * a), 0, jnp.inf))[0]
    return run, [normal(512, 512)]


def models():
    from programs import PROGRAMS, fft, gpt, lstm, normal, top_k
    named = ("gelu, 16 Mi", "softmax, 4096 x 4096", "layer norm, 4096 x 4096", "cumsum, 4096 x 4096", "sort, 1 Mi", "argsort, 1 Mi",
             "fft, 1 Mi", "top 64 of 50257, 8 rows", "scatter-add 64 Ki rows of 128", "conv gradient to input",
             "conv gradient to weights", "attention, 2 x 512 x 12 x 64", "scan gradient, 1000 steps of 16",
             "LSTM gradient, 128 steps of 32 x 256", "MLP step, 784 to 512 to 10, batch 128",
             "residual step, 2 blocks of 64 at 14, batch 8", "MLP gradient, 20 layers of 256", "LeNet step, batch 64")
    return {name: PROGRAMS[name] for name in named} | {
        "GPT step f32, 4 x 256, 4 x 128": gpt(4, 256, 4, 128, 4, 2048),
        "GPT step f32, 12 x 256, 4 x 128": gpt(12, 256, 4, 128, 4, 2048),
        "GPT step bf16, 4 x 256, 4 x 128": gpt(4, 256, 4, 128, 4, 2048, "bfloat16"),
        "GPT Adam step, 4 x 256, 4 x 128": adam_step(gpt(4, 256, 4, 128, 4, 2048)),
        "ResNet-18 step, 8 x 64 x 64": resnet18_step(8, 64),
        "batch norm gradient, 32 x 28 x 28 x 128": batch_norm_gradient,
        "embedding gradient, 8192 x 256": embedding_gradient,
        "cholesky, 512": linear_algebra("cholesky", 512),
        "qr, 512": linear_algebra("qr", 512),
        "eigh, 256": linear_algebra("eigh", 256),
        "Newton iterations, 512": newton_while,
    }


def corpus():
    """Paths by name of the corpus's models."""
    return {f"corpus: {file[:-7]}": os.path.join(CORPUS, file) for file in sorted(os.listdir(CORPUS)) if file.endswith(".mlirbc")}


# ---- one side ---------------------------------------------------------------------------------------------------------
def stats_of_model(make):
    import jax
    function, arguments = make()
    return jax.jit(function).lower(*arguments).compile().memory_analysis()


def stats_of_file(path):
    import jax
    import jax.extend
    from jax._src.lib import xla_client
    backend = jax.extend.backend.get_backend()
    with open(path, "rb") as file:
        executable = backend.compile_and_load(file.read(), jax.devices()[:1], xla_client.CompileOptions())
    return executable.get_compiled_memory_stats()


def answer(names):
    """Runs in the child: prints a line of JSON for each name."""
    known, files = models(), corpus()
    for name in names:
        try:
            stats = stats_of_file(files[name]) if name in files else stats_of_model(known[name])
            row = {field: getattr(stats, f"{field}_size_in_bytes") for field in FIELDS}
        except Exception as problem:
            row = {"problem": f"{type(problem).__name__}: {problem}".split("\n")[0][:200]}
        print(json.dumps(row), flush=True)


def ask(environment, names):
    command = [sys.executable, os.path.abspath(__file__), "--answer", *names]
    done = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return rows + [{"problem": f"the process ended with {done.returncode}"}] * (len(names) - len(rows))


# ---- the table --------------------------------------------------------------------------------------------------------
def total(row):
    return row["argument"] + row["output"] - row["alias"] + row["temp"]


def ratios(ours, xla):
    return max(ours["temp"], PAGE) / max(xla["temp"], PAGE), total(ours) / max(total(xla), 1)


def line(name, ours, xla):
    problem = ours.get("problem") or xla.get("problem")
    if problem:
        return f"{name:46} {problem}"
    cells = " ".join(f"{ours[field]:11,} {xla[field]:11,}" for field in FIELDS)
    return f"{name:46} {cells} {ratios(ours, xla)[0]:6.2f} {ratios(ours, xla)[1]:6.2f}"


def mean(values):
    return math.exp(sum(math.log(value) for value in values) / max(len(values), 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--only", default="", help="programs whose name this regular expression finds")
    parser.add_argument("--corpus", action="store_true", help="the corpus's models, too")
    parser.add_argument("--json", help="write the figures here, too")
    parser.add_argument("--list", action="store_true", help="name the programs")
    arguments = parser.parse_args()
    names = [name for name in [*models(), *(corpus() if arguments.corpus else [])] if re.search(arguments.only, name)]
    if arguments.list:
        print("\n".join(names))
        return
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_"))}
    plugin = "gantry:" + os.path.abspath(arguments.plugin)
    sides = [ask(dict(clean, JAX_PLATFORMS="gantry", PJRT_NAMES_AND_LIBRARY_PATHS=plugin), names),
             ask(dict(clean, JAX_PLATFORMS="cpu"), names)]
    heads = " ".join(f"{field:>23}" for field in ("arguments", "results", "aliases", "temporaries"))
    print(f"{'bytes: Gantry, XLA':46} {heads} {'temp':>6} {'total':>6}")
    for name, ours, xla in zip(names, *sides):
        print(line(name, ours, xla))
    good = [ratios(ours, xla) for ours, xla in zip(*sides) if "problem" not in ours and "problem" not in xla]
    temps, totals = ([pair[i] for pair in good] for i in (0, 1))
    print(f"{len(good)} programs: temporaries {mean(temps):.3f} of XLA's (geometric mean), together {mean(totals):.3f}, at most "
          f"{max(totals, default=0):.2f}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump([{"name": name, "gantry": ours, "xla": xla} for name, ours, xla in zip(names, *sides)], file, indent=1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--answer"]:
        answer(sys.argv[2:])
    else:
        main()
