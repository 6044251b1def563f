"""llm_jax.py: a llama-like language model in JAX, as a side of llm.py. Weights are random, in one of these kinds:

    f32, bf16      as they are
    int8           a scale for each column
    int8g32 ...    a scale for each column and group of 32 numbers along the sum; also int4g32 (arrays of 4 bits)
    packed4g32     the same, of bytes with two numbers each

A row is "SIZE bBATCH decode KIND" or "SIZE bBATCH prefill KIND". A call of decode is one token of each sequence, at the end of a
cache that is updated in place; of prefill, PROMPT tokens of each."""
import math
import sys

import whole_models_side as side

side.bind(sys.argv[2])
import jax
import jax.numpy as jnp
import numpy

import llm_sizes


# ---- weights ------------------------------------------------------------------------------------------------------------
def pack(kind, array):
    """A matrix [k, n] as the kind keeps it: a tuple of arrays."""
    scheme = llm_sizes.scheme(kind)
    if not scheme:
        return (jnp.asarray(array, "float32" if kind == "f32" else "bfloat16"),)
    k, n = array.shape
    groups = array.reshape(-1, scheme.group or k, n)
    scales = numpy.abs(groups).max(1, keepdims=True) / (2 ** (scheme.bits - 1) - 1)
    numbers = numpy.rint(groups / scales).astype("int8").reshape(k, n)
    if scheme.packed:
        numbers = jnp.asarray((numbers[:, 0::2] & 15) | (numbers[:, 1::2] << 4))
    else:
        numbers = jnp.asarray(numbers, f"int{scheme.bits}")
    return numbers, jnp.asarray(scales[:, 0], "bfloat16")


def matrix(weight):
    if len(weight) == 1:
        return weight[0]
    numbers, scales = weight
    if numbers.shape[1] != scales.shape[1]:
        numbers = jax.lax.bitcast_convert_type(numbers, "int4").reshape(numbers.shape[0], -1)
    groups = numbers.reshape(len(scales), -1, numbers.shape[1]).astype(scales.dtype) * scales[:, None]
    return groups.reshape(numbers.shape)


def weights_of(kind, sizes):
    layers, width, *_, words, _ = sizes
    normals = llm_sizes.Normals(numpy)
    def make(k, n):
        return pack(kind, normals.make(k, n) / math.sqrt(k))
    return {"words": jnp.asarray(normals.make(words, width) / 8, "float32" if kind == "f32" else "bfloat16"),
            "out": make(width, words),
            "layers": [{name: make(k, n) for name, (k, n) in llm_sizes.matrices(sizes).items()} for _ in range(layers)]}


# ---- the model ----------------------------------------------------------------------------------------------------------
def normalized(x):
    wide = x.astype("float32")
    return (wide * jax.lax.rsqrt((wide * wide).mean(-1, keepdims=True) + 1e-5)).astype(x.dtype)


def rotated(x, places):
    half = x.shape[-1] // 2
    angle = places[:, None, None] / 10000 ** (jnp.arange(half) / half)
    sine, cosine = jnp.sin(angle).astype(x.dtype), jnp.cos(angle).astype(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return jnp.concatenate([first * cosine - second * sine, first * sine + second * cosine], -1)


def attention(q, keys, values, place):
    """Heads share keys in groups; a token sees the places up to its own."""
    batch, count, heads, head = q.shape
    length, shared = keys.shape[1:3]
    q = q.reshape(batch, count, shared, heads // shared, head)
    scores = jnp.einsum("btgrh,bsgh->bgrts", q, keys).astype("float32") / math.sqrt(head)
    seen = jnp.arange(length) <= place + jnp.arange(count)[:, None]
    shares = jax.nn.softmax(jnp.where(seen, scores, -1e30)).astype(q.dtype)
    return jnp.einsum("bgrts,bsgh->btgrh", shares, values).reshape(batch, count, -1)


def forward(sizes, weights, cache, tokens, place):
    """tokens [batch, count] from `place` on. Returns the next tokens and the cache."""
    _, width, heads, shared, *_ = sizes
    batch, count = tokens.shape
    x, places, updated = weights["words"][tokens], place + jnp.arange(count), []
    for p, (keys, values) in zip(weights["layers"], cache):
        y = normalized(x)
        split = lambda name, n: (y @ matrix(p[name])).reshape(batch, count, n, width // heads)
        q, k = rotated(split("q", heads), places), rotated(split("k", shared), places)
        keys = jax.lax.dynamic_update_slice(keys, k, (0, place, 0, 0))
        values = jax.lax.dynamic_update_slice(values, split("v", shared), (0, place, 0, 0))
        x = x + attention(q, keys, values, place) @ matrix(p["o"])
        y = normalized(x)
        x = x + (jax.nn.silu(y @ matrix(p["gate"])) * (y @ matrix(p["up"]))) @ matrix(p["down"])
        updated.append((keys, values))
    return jnp.argmax(normalized(x[:, -1]) @ matrix(weights["out"]), -1), updated


def make(model, what, kind):
    size, batch = model.split(" b")
    sizes = llm_sizes.SIZES[size]
    weights = weights_of(kind, sizes)
    count, place, _, _, _, shape = llm_sizes.of_call(sizes, what, int(batch))
    dtype = weights["words"].dtype
    state = [[(jnp.zeros(shape, dtype), jnp.zeros(shape, dtype)) for _ in weights["layers"]]]
    tokens, place = jnp.ones((int(batch), count), "int32"), jnp.int32(place)
    step = jax.jit(lambda *a: forward(sizes, *a), donate_argnums=1)

    def call():
        result, state[0] = step(weights, state[0], tokens, place)
        result.block_until_ready()
    call.bytes = sum(a.size * (0.5 if a.dtype == jnp.int4 else a.nbytes / a.size) for a in jax.tree.leaves((weights["layers"], weights["out"], state[0])))
    return call


if __name__ == "__main__":
    side.serve(make)
