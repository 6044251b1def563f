"""multi_device.py: the programs of bench.py --devices: for 8 devices, on which each side runs them."""
import concurrent.futures
import os
import statistics
import time

DEVICES = 8
LAYERS, WIDTH, HEADS, SEQUENCE, VOCABULARY, BATCH = 2, 128, 4, 64, 512, 16
REDUCED = 16 << 20              # bytes on each device


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
        update = lambda p, g, sharding: jax.lax.with_sharding_constraint(p - 0.01 * g, sharding)
        return value, jax.tree.map(update, p, gradient, shardings)
    return step, (jax.device_put(p, shardings), jax.device_put(tokens, jax.NamedSharding(mesh, jax.P("data"))))


def data_parallel():
    return train(mesh_of(DEVICES), {})


def tensor_parallel():
    import jax
    return train(mesh_of(2, DEVICES // 2), {"qkv": jax.P(None, None, "model"), "out": jax.P("model"), "up": jax.P(None, "model"),
                                            "down": jax.P("model"), "embedding": jax.P("model")})


PROGRAMS = {"all_reduce of 16 MiB": all_reduce, "pmap(x + 1)": dispatch, "GPT step, data parallel x8": data_parallel,
            "GPT step, tensor parallel 2x4": tensor_parallel}


def copy_seconds():
    """The median of copying as many bytes as the all-reduce reads, with all cores, into memory in use."""
    import numpy
    count, times = os.cpu_count(), []
    pairs = [(numpy.ones(DEVICES * REDUCED // count, "uint8"), numpy.ones(DEVICES * REDUCED // count, "uint8")) for _ in range(count)]
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        for _ in range(9):
            start = time.perf_counter()
            list(pool.map(lambda pair: numpy.copyto(*pair), pairs))
            times.append(time.perf_counter() - start)
    return statistics.median(times)
