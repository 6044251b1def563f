#!/usr/bin/env python3
"""Measures the peak resident set of training GPT-2 small (124 million parameters, batch 1, length 512, AdamW) on a plugin
and on JAX's own CPU, each in its own process.

    resident.py PLUGIN [--types f32,bf16] [--steps N] [--length N] [--layers N]

Parameters and optimizer state are donated, as in real training. Prints the peak (VmHWM), the resident set after the
last step, the resident set before the first array (Python and libraries), and the memory plan of the compiled step."""
import argparse
import gc
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
WIDTH, HEADS, WORDS, PLACES = 768, 12, 50257, 1024


def status(field):
    """The bytes in a line of /proc/self/status."""
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(field + ":"))


def make_step(layers, length, kind):
    """A step of AdamW, its parameters, and its tokens."""
    import jax
    import jax.numpy as jnp
    import programs
    step_of_sgd, (parameters, tokens) = programs.gpt(layers, WIDTH, HEADS, PLACES, 1, WORDS, kind)()

    def loss(p, tokens):
        return step_of_sgd.loss(p, tokens)

    def step(p, m, v, count, tokens):
        value, g = jax.value_and_grad(loss)(p, tokens)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
        scale = jnp.sqrt(1 - 0.99 ** count) / (1 - 0.9 ** count)

        def update(w, m, v):
            return (w - 1e-4 * (scale * m / (jnp.sqrt(v) + 1e-8) + 0.1 * w)).astype(w.dtype)
        return value, jax.tree.map(update, p, m, v), m, v, count + 1
    return step, parameters, tokens[:, :length + 1]


def run(kind, steps, layers, length):
    """Runs in the child: prints one line of JSON."""
    import jax
    import jax.numpy as jnp
    jax.block_until_ready(jnp.zeros(()) + 1)
    before = status("VmRSS")
    step, p, tokens = make_step(layers, length, {"f32": "float32", "bf16": "bfloat16"}[kind])
    m, v, count = jax.tree.map(jnp.zeros_like, p), jax.tree.map(jnp.zeros_like, p), jnp.float32(1)
    jax.block_until_ready((p, m, v))
    gc.collect()
    made = status("VmHWM")
    compiled = jax.jit(step, donate_argnums=(0, 1, 2, 3)).lower(p, m, v, count, tokens).compile()
    after_compile = status("VmHWM")
    for _ in range(steps):
        value, p, m, v, count = compiled(p, m, v, count, tokens)
    jax.block_until_ready((value, p, m, v))
    stats = compiled.memory_analysis()
    print(json.dumps({"before": before, "arguments made": made, "compiled": after_compile, "peak": status("VmHWM"),
                      "after": status("VmRSS"), "loss": float(value), "temp": stats.temp_size_in_bytes,
                      "argument": stats.argument_size_in_bytes, "alias": stats.alias_size_in_bytes,
                      "output": stats.output_size_in_bytes}))


def measure(environment, arguments, kind):
    command = [sys.executable, os.path.abspath(__file__), "--run", kind, str(arguments.steps), str(arguments.layers),
               str(arguments.length)]
    done = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else {"problem": done.stderr.strip().split("\n")[-1][:200]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--types", default="f32,bf16")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--length", type=int, default=512)
    parser.add_argument("--layers", type=int, default=12)
    arguments = parser.parse_args()
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_"))}
    plugin = "gantry:" + os.path.abspath(arguments.plugin)
    sides = {"Gantry": dict(clean, JAX_PLATFORMS="gantry", PJRT_NAMES_AND_LIBRARY_PATHS=plugin),
             "XLA": dict(clean, JAX_PLATFORMS="cpu")}
    for kind in arguments.types.split(","):
        for name, environment in sides.items():
            row = measure(environment, arguments, kind)
            figures = {what: f"{value / 1e6:,.0f} MB" if isinstance(value, int) else value for what, value in row.items()}
            print(f"{kind:5} {name:7}", ", ".join(f"{what} {value}" for what, value in figures.items()), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run(sys.argv[2], *map(int, sys.argv[3:6]))
    else:
        main()
