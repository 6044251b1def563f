#!/usr/bin/env python3
"""A scanned transformer training step with its activations, or its optimizer state, in host memory.

    offload.py PLUGIN [--layers 24] [--width 512] [--sequence 1024] [--batch 4] [--steps 2] [--plan]

Rows: everything on the device; activations offloaded by a checkpoint policy; Adam's moments in pinned_host. Each runs
in its own process. Prints the bytes of temporaries, and of arguments and results, in device memory and in host memory,
the CPU time and the wall time of the fastest step, and whether the new weights are bitwise equal to those of the first
row. --plan: nothing is executed."""
import argparse
import hashlib
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SAVED = "input", "qkv", "weights", "attention", "up"      # names of the activations of each layer
ROWS = "device", "activations", "moments"
HEADS = 8


# ---- the model --------------------------------------------------------------------------------------------------------
def make_loss(sizes, offload):
    import jax
    import jax.numpy as jnp
    from jax.ad_checkpoint import checkpoint_name
    policies = jax.checkpoint_policies
    policy = policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[], names_which_can_be_offloaded=SAVED, offload_src="device",
        offload_dst="pinned_host") if offload else policies.save_only_these_names(*SAVED)
    heads = sizes.width // HEADS

    def norm(x):
        mean = x.mean(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)

    def layer(x, p):
        x = checkpoint_name(x, "input")
        qkv = checkpoint_name(norm(x) @ p["qkv"], "qkv")
        q, k, v = (t.reshape(*x.shape[:2], HEADS, heads).transpose(0, 2, 1, 3) for t in jnp.split(qkv, 3, -1))
        weights = checkpoint_name(jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) / heads ** 0.5), "weights")
        attention = checkpoint_name((weights @ v).transpose(0, 2, 1, 3).reshape(x.shape), "attention")
        x = x + attention @ p["out"]
        up = checkpoint_name(norm(x) @ p["up"], "up")
        return x + jax.nn.gelu(up) @ p["down"], None

    layer = jax.checkpoint(layer, policy=policy)
    return lambda p, x: jnp.mean(jax.lax.scan(layer, x, p)[0] ** 2)


def weights(sizes):
    import numpy
    random, d = numpy.random.default_rng(0), sizes.width
    shapes = {"qkv": (d, 3 * d), "out": (d, d), "up": (d, 4 * d), "down": (4 * d, d)}
    return {name: (0.02 * random.standard_normal((sizes.layers, *shape))).astype("float32") for name, shape in shapes.items()}


def make_step(sizes, row):
    """The compiled step of Adam, and its first arguments."""
    import jax
    import jax.numpy as jnp
    import numpy
    loss, device = make_loss(sizes, row == "activations"), jax.devices()[0]
    on_device, on_host = (jax.sharding.SingleDeviceSharding(device, memory_kind=kind) for kind in ("device", "pinned_host"))
    home = on_host if row == "moments" else on_device

    def step(p, m, v, x):
        gradient = jax.grad(loss)(p, x)
        m = jax.tree.map(lambda m, g: 0.9 * jax.device_put(m, jax.memory.Space.Device) + 0.1 * g, m, gradient)
        v = jax.tree.map(lambda v, g: 0.99 * jax.device_put(v, jax.memory.Space.Device) + 0.01 * g * g, v, gradient)
        return jax.tree.map(lambda p, m, v: p - 0.001 * m / (jnp.sqrt(v) + 1e-8), p, m, v), m, v
    p = jax.device_put(weights(sizes), on_device)
    m, v = (jax.device_put(jax.tree.map(numpy.zeros_like, weights(sizes)), home) for _ in range(2))
    x = numpy.random.default_rng(1).standard_normal((sizes.batch, sizes.sequence, sizes.width)).astype("float32")
    jitted = jax.jit(step, donate_argnums=(0, 1, 2), out_shardings=(on_device, home, home))
    return jitted.lower(p, m, v, x).compile(), (p, m, v), jax.device_put(x, on_device)


# ---- measuring --------------------------------------------------------------------------------------------------------
def measure(sizes, row):
    sys.path.append(os.path.join(HERE, "..", "python"))
    from gantry_pjrt import placement
    sys.path.pop()                      # JAX must not find the plugin package in this folder, which is not an installed wheel
    placement.register()
    import jax
    import numpy
    step, state, x = make_step(sizes, row)
    memory = step.memory_analysis()
    result = {f"{side}{what}": getattr(memory, f"{side}{what}_size_in_bytes")
              for side in ("", "host_") for what in ("argument", "output", "alias", "temp")}
    for _ in range(0 if sizes.plan else sizes.steps):
        cpu, wall = time.process_time(), time.perf_counter()
        state = jax.block_until_ready(step(*state, x))
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        result["cpu"], result["wall"] = min(cpu, result.get("cpu", cpu)), min(wall, result.get("wall", wall))
    if not sizes.plan:
        result["digest"] = hashlib.sha256(b"".join(numpy.asarray(leaf).tobytes() for leaf in jax.tree.leaves(state[0]))).hexdigest()
    print(json.dumps(result))


def run(arguments, row):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "PJRT_", "XLA_FLAGS"))}
    environment.update(JAX_PLATFORMS="cpu", PJRT_NAMES_AND_LIBRARY_PATHS=f"cpu:{os.path.abspath(arguments.plugin)}",
                       TF_CPP_MIN_LOG_LEVEL="3")
    command = [sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--row", row]
    return json.loads(subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout)


def table(arguments):
    print(f"{'step':14}{'device MB: temp':>16}{'others':>9}{'host MB: temp':>15}{'others':>9}{'temp':>8}{'cpu s':>9}{'wall s':>9}"
          f"{'cpu':>7}  weights")
    first = None
    for row in ROWS:
        result = run(arguments, row)
        first = first or result
        others = [sum(result[side + what] for what in ("argument", "output")) - result[side + "alias"] for side in ("", "host_")]
        print(f"{row:14}{result['temp'] / 1e6:16.1f}{others[0] / 1e6:9.1f}{result['host_temp'] / 1e6:15.1f}{others[1] / 1e6:9.1f}"
              f"{result['temp'] / first['temp']:8.2f}", end="")
        if "cpu" in result:
            same = "equal" if result["digest"] == first["digest"] else "different"
            print(f"{result['cpu']:9.2f}{result['wall']:9.2f}{result['cpu'] / first['cpu']:7.2f}  {same}", end="")
        print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    for name, default in (("layers", 24), ("width", 512), ("sequence", 1024), ("batch", 4), ("steps", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--row", choices=ROWS)
    arguments = parser.parse_args()
    if arguments.row:
        measure(arguments, arguments.row)
    else:
        table(arguments)


if __name__ == "__main__":
    main()
