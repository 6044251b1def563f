"""models.py: layers of which drawn programs are made, as functions of abstract parameters."""
import functools

import jax
import jax.numpy as jnp

from draw import array

ACTIVATIONS = {"relu": jax.nn.relu, "gelu": jax.nn.gelu, "silu": jax.nn.silu, "tanh": jnp.tanh}


def layer_norm(x, scale):
    wide = x.astype(jnp.float32)
    mean = wide.mean(-1, keepdims=True)
    variance = ((wide - mean) ** 2).mean(-1, keepdims=True)
    return ((wide - mean) * jax.lax.rsqrt(variance + 1e-5)).astype(x.dtype) * scale


def rms_norm(x, scale):
    wide = x.astype(jnp.float32)
    return (wide * jax.lax.rsqrt((wide * wide).mean(-1, keepdims=True) + 1e-6)).astype(x.dtype) * scale


NORMS = {"layer": layer_norm, "rms": rms_norm}


def attention(q, k, v, causal):
    """q [batch, length, heads, width], k and v with as many heads or fewer."""
    groups = q.shape[2] // k.shape[2]
    k, v = (jnp.repeat(x, groups, axis=2) if groups > 1 else x for x in (k, v))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * q.shape[-1] ** -0.5
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e30)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1).astype(q.dtype), v)


def block_parameters(c, dtype):
    """Of one block: c has width, heads, key_heads, hidden, gated."""
    head = c["width"] // c["heads"]
    shapes = {"q": (c["width"], c["heads"], head), "k": (c["width"], c["key_heads"], head), "v": (c["width"], c["key_heads"], head),
              "o": (c["heads"], head, c["width"]), "up": (c["width"], c["hidden"]), "down": (c["hidden"], c["width"]),
              "norm1": (c["width"],), "norm2": (c["width"],)}
    if c["gated"]:
        shapes["gate"] = (c["width"], c["hidden"])
    return {name: array(shape, dtype) for name, shape in shapes.items()}


def feed_forward(x, p, c):
    up = x @ p["up"]
    hidden = ACTIVATIONS[c["activation"]](x @ p["gate"]) * up if c["gated"] else ACTIVATIONS[c["activation"]](up)
    return hidden @ p["down"]


def block(x, p, c):
    y = NORMS[c["norm"]](x, p["norm1"])
    q, k, v = (jnp.einsum("bsd,dhk->bshk", y, p[name]) for name in "qkv")
    x = x + jnp.einsum("bshk,hkd->bsd", attention(q, k, v, c["causal"]), p["o"])
    return x + feed_forward(NORMS[c["norm"]](x, p["norm2"]), p, c)


def stacked(tree, layers):
    return jax.tree.map(lambda leaf: array((layers, *leaf.shape), leaf.dtype), tree)


def language_model(c, dtype):
    one = block_parameters(c, dtype)
    layers = stacked(one, c["layers"]) if c["scan"] else [one] * c["layers"]
    return {"embedding": array((c["vocabulary"], c["width"]), dtype), "head": array((c["width"], c["vocabulary"]), dtype),
            "norm": array((c["width"],), dtype), "layers": layers}


def logits(parameters, tokens, c):
    x = parameters["embedding"][tokens]
    run = functools.partial(block, c=c)
    run = jax.checkpoint(run) if c["remat"] else run
    if c["scan"]:
        x, _ = jax.lax.scan(lambda x, p: (run(x, p), None), x, parameters["layers"])
    else:
        for p in parameters["layers"]:
            x = run(x, p)
    return NORMS[c["norm"]](x, parameters["norm"]) @ parameters["head"]


def cross_entropy(scores, labels):
    scores = scores.astype(jnp.float32)
    wanted = jnp.take_along_axis(scores, labels[..., None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(scores, -1) - wanted)


def sgd_step(loss):
    def step(parameters, *batch):
        value, gradients = jax.value_and_grad(loss)(parameters, *batch)
        return jax.tree.map(lambda p, g: p - (1e-3 * g).astype(p.dtype), parameters, gradients), value
    return step


def adam_step(loss):
    def step(parameters, first, second, *batch):
        value, gradients = jax.value_and_grad(loss)(parameters, *batch)
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g.astype(m.dtype), first, gradients)
        second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * jnp.square(g.astype(v.dtype)), second, gradients)
        parameters = jax.tree.map(lambda p, m, v: (p - 1e-4 * m / (jnp.sqrt(v) + 1e-8)).astype(p.dtype), parameters, first, second)
        return parameters, first, second, value
    return step


def wide(tree):
    return jax.tree.map(lambda leaf: array(leaf.shape, jnp.float32), tree)
