#!/usr/bin/env python3
"""auto_sharding.py TOOL [--count N] [--seed N]: compares `gantry plan --auto` with shardings that experts would write. Draws training
steps (residual perceptrons, transformers, convolutional networks) of random sizes for a random mesh and TPU, lowers each without
annotations and with each strategy below, and plans all of them. Each program is two problems: the memory is that of the TPU, or 1.1 times
the smallest peak of a strategy. score = seconds of the best strategy that fits / seconds of the automatic one; 0 if that does not
fit. Fails if a score is below 0.95 (0.90 with little memory), their geometric mean below 1, a program slower than without sharding, or
the search takes more than 10 s of CPU. The seed is printed and gives the same programs."""
import argparse
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile

os.environ.update(JAX_PLATFORMS="cpu", XLA_FLAGS="--xla_force_host_platform_device_count=16")
import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
import numpy as np

MESHES = {"v5e:2x4": [(8,), (2, 4)], "v5e:4x4": [(4, 4), (16,)], "v5p:2x2x2": [(2, 2, 2), (8,)], "v6e:2x4": [(2, 4), (8,)],
          "v6e:4x4": [(4, 4), (2, 8)]}
STRATEGIES = ("none", "dp", "fsdp", "tp", "dp_tp", "fsdp_tp")
BARS = (0.95, 0.90)


def perceptron(draw):
    """Parameters: by name their sizes and dimensions, B batch, D features, T what tensor parallelism divides."""
    d, f, layers = draw.choice((256, 512, 1024)), draw.choice((1024, 2048, 4096)), draw.randint(2, 4)
    params = {f"{name}{i}": spec for i in range(layers) for name, spec in {"up": ((d, f), "DT"), "down": ((f, d), "TD")}.items()}

    def loss(p, x, at):
        for i in range(layers):
            x = at(x + jax.nn.gelu(x @ p[f"up{i}"]) @ p[f"down{i}"])
        return (x * x).mean()
    return params, ((draw.choice((512, 2048, 8192)), d), jnp.float32), loss


def transformer(draw):
    d, h, layers, v = draw.choice((256, 512, 1024)), draw.choice((8, 16)), draw.choice((2, 4, 8)), draw.choice((4096, 8192, 32768))
    s, k, f = draw.choice((256, 512, 1024)), 64, 4 * d
    params = {"table": ((v, d), "TD"), "head": ((d, v), "DT"), "qkv": ((layers, d, 3, h, k), " D T "), "out": ((layers, h, k, d), " T D"),
              "up": ((layers, d, f), " DT"), "down": ((layers, f, d), " TD")}

    def layer(x, p, at):
        q, key, value = jnp.einsum("bsd,dchk->cbshk", x, p["qkv"])
        scores = jnp.where(jnp.tril(jnp.ones((s, s), bool)), jnp.einsum("bshk,bthk->bhst", q, key) / 8, -1e9)
        x = at(x + jnp.einsum("bhst,bthk,hkd->bsd", jax.nn.softmax(scores), value, p["out"]))
        return at(x + jax.nn.gelu(x @ p["up"]) @ p["down"])

    def loss(p, tokens, at):
        stacked = {name: p[name] for name in ("qkv", "out", "up", "down")}
        x, _ = jax.lax.scan(lambda x, q: (jax.checkpoint(lambda x, q: layer(x, q, at))(x, q), None), at(p["table"][tokens]), stacked)
        return -jnp.take_along_axis(jax.nn.log_softmax(x @ p["head"]), tokens[..., None], -1).mean()
    return params, ((draw.choice((16, 32)), s), jnp.int32), loss


def convolutional(draw):
    c, layers = draw.choice((64, 128, 256)), draw.randint(2, 4)
    params = {"head": ((c, 1024), "DT"), **{f"kernel{i}": ((3, 3, c, c), "  DT") for i in range(layers)}}

    def loss(p, x, at):
        for i in range(layers):
            x = at(x + jax.nn.relu(jax.lax.conv_general_dilated(x, p[f"kernel{i}"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))))
        return jax.nn.logsumexp(x.mean((1, 2)) @ p["head"])
    size = draw.choice((16, 32))
    return params, ((draw.choice((64, 128)), size, size, c), jnp.float32), lambda p, x, at: loss(p, x, at).mean()


def axes_of(strategy, names):
    """Which axes divide the batch, the parameters' features, and tensors."""
    first, rest = names[:-1] or names, names[-1:]
    return {"none": {}, "dp": {"B": names}, "fsdp": {"B": names, "D": names}, "tp": {"T": names}, "dp_tp": {"B": first, "T": rest},
            "fsdp_tp": {"B": first, "D": first, "T": rest}}[strategy]


def divided(mesh, axes, size, dims):
    """Each dimension along its axes, as many of the first ones as divide it."""
    def fitting(n, names):
        while names and n % math.prod(mesh.shape[name] for name in names):
            names = names[:-1]
        return names or None
    return NamedSharding(mesh, P(*(fitting(n, axes.get(dim, ())) for n, dim in zip(size, dims))))


def lower(model, mesh, strategy):
    """The training step (momentum, donated) as text; strategy None: for one device."""
    params, (shape, dtype), loss = model
    axes = axes_of(strategy, mesh.axis_names) if strategy else {}
    batch = NamedSharding(mesh, P(axes.get("B")))
    at = (lambda x: jax.lax.with_sharding_constraint(x, batch)) if strategy else lambda x: x

    def step(p, momentum, x):
        grads = jax.grad(loss)(p, x, at)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, grads)
        return jax.tree.map(lambda w, m: w - 0.01 * m, p, momentum), momentum
    arrays = {name: jax.ShapeDtypeStruct(size, jnp.float32) for name, (size, _) in params.items()}
    specs = {name: divided(mesh, axes, size, dims) for name, (size, dims) in params.items()}
    shardings = {"in_shardings": (specs, specs, batch), "out_shardings": (specs, specs)} if strategy else {}
    return jax.jit(step, donate_argnums=(0, 1), **shardings).lower(arrays, arrays, jax.ShapeDtypeStruct(shape, dtype)).as_text()


def plan(tool, text, tpu, devices, *flags):
    """-> the plan, seconds of CPU; None if the program is refused or does not fit."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([tool, "plan", file.name, "--tpu", tpu, "--devices", str(devices), "--json", *flags],
                              capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    made = json.loads(done.stdout) if done.stdout else None
    return made if made and made["fits"] else None, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(tool, seed):
    """Both problems of a program: -> score and whether all holds, of each."""
    draw = random.Random(seed)
    build = draw.choice((perceptron, transformer, transformer, convolutional))
    tpu = draw.choice(sorted(MESHES))
    sizes = draw.choice(MESHES[tpu])
    model, devices = build(draw), math.prod(sizes)
    mesh = Mesh(np.array(jax.devices()[:devices]).reshape(sizes), tuple("xyz"[:len(sizes)]))
    hands = {s: plan(tool, lower(model, mesh, s), tpu, devices)[0] for s in STRATEGIES if len(sizes) > 1 or "_" not in s}
    hands = {s: hand for s, hand in hands.items() if hand}
    free, lean = lower(model, mesh, None), min(hand["peak_bytes"] for hand in hands.values())
    for bar, limit in zip(BARS, (None, int(1.1 * lean))):
        fitting = {s: hand["seconds"] for s, hand in hands.items() if not limit or hand["peak_bytes"] <= limit}
        best = min(fitting, key=fitting.get)
        flags = ("--auto", "--mesh", "x".join(map(str, sizes)), *(("--capacity", str(limit)) if limit else ()))
        auto, cpu = plan(tool, free, tpu, devices, *flags)
        score = fitting[best] / auto["seconds"] if auto else 0
        holds = score >= bar and cpu <= 10 and not ("none" in fitting and auto["seconds"] > fitting["none"])
        print(f"{seed:10} {build.__name__:13} {tpu:9} {flags[2]:5} {'tight' if limit else 'HBM':5} best {best:7} {fitting[best] * 1e6:9.1f} us, "
              f"auto {auto['seconds'] * 1e6 if auto else 0:9.1f} us, score {score:.3f}, {cpu:.1f} s{'' if holds else '  BELOW'}", flush=True)
        yield score, holds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 20) * 100)
    options = parser.parse_args()
    rows = [row for seed in range(options.seed, options.seed + options.count) for row in compare(options.tool, seed)]
    mean = math.exp(sum(math.log(max(score, 1e-3)) for score, _ in rows) / len(rows))
    failed = sum(not holds for _, holds in rows) + (mean < 1)
    print(f"geometric mean {mean:.3f}\n{len(rows) - min(failed, len(rows))} passed, {failed} failed")
    return failed > 0


sys.exit(main())
