"""whole_models_jax.py: the models of whole_models.py in JAX, as they are written by hand: matrix products, einsum, softmax. Training
donates its weights."""
import sys

import whole_models_side as side

side.bind(sys.argv[2])
import jax
import jax.numpy as jnp
import numpy
from jax import lax

RANDOM = numpy.random.default_rng(0)


def weight(dtype, *shape, scale=0.02):
    return jnp.asarray(RANDOM.standard_normal(shape, dtype="float32") * scale).astype(dtype)


def cross_entropy(logits, labels):
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits.astype("float32")), labels[..., None], -1)
    return -jnp.mean(chosen)


def sgd(loss):
    def step(weights, *inputs):
        value, gradient = jax.value_and_grad(loss)(weights, *inputs)
        return jax.tree.map(lambda w, g: w - (1e-3 * g).astype(w.dtype), weights, gradient), value
    return jax.jit(step, donate_argnums=0)


# ---- GPT-2 --------------------------------------------------------------------------------------------------------------
def layer_norm(x, p):
    x = x.astype("float32")
    return ((x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)).astype(p["w"].dtype) * p["w"] + p["b"]


def dense(x, p):
    return x @ p["w"] + p["b"]


def block(x, p, heads):
    batch, length, width = x.shape
    q, k, v = (t.reshape(batch, length, heads, -1) for t in jnp.split(dense(layer_norm(x, p["n1"]), p["qkv"]), 3, -1))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype("float32") * (width // heads) ** -0.5
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores).astype(x.dtype), v).reshape(x.shape)
    x = x + dense(mixed, p["out"])
    return x + dense(jax.nn.gelu(dense(layer_norm(x, p["n2"]), p["up"])), p["down"])


def gpt_logits(p, tokens):
    x = p["words"][tokens] + p["places"][:tokens.shape[1]]
    for q in p["blocks"]:
        x = block(x, q, side.GPT["heads"])
    return layer_norm(x, p["norm"]) @ p["words"].T


def gpt_weights(dtype):
    width = side.GPT["width"]

    def norm():
        return {"w": jnp.ones(width, dtype), "b": jnp.zeros(width, dtype)}

    def layer(a, b):
        return {"w": weight(dtype, a, b), "b": jnp.zeros(b, dtype)}
    blocks = [{"n1": norm(), "qkv": layer(width, 3 * width), "out": layer(width, width), "n2": norm(),
               "up": layer(width, 4 * width), "down": layer(4 * width, width)} for _ in range(side.GPT["layers"])]
    return {"words": weight(dtype, side.GPT["words"], width), "places": weight(dtype, side.GPT["places"], width), "blocks": blocks,
            "norm": norm()}


def gpt(what, dtype):
    tokens = jnp.asarray(RANDOM.integers(0, side.GPT["words"], (side.GPT["batch"], side.GPT["length"] + 1)).astype("int32"))
    weights = gpt_weights(dtype)
    if what == "forward":
        forward = jax.jit(gpt_logits)
        return lambda: forward(weights, tokens[:, :-1])
    return training(sgd(lambda p, tokens: cross_entropy(gpt_logits(p, tokens[:, :-1]), tokens[:, 1:])), weights, tokens)


def training(step, weights, *inputs):
    state = [weights]

    def call():
        state[0], value = step(state[0], *inputs)
        return state[0], value
    return call


# ---- ResNet-50 ----------------------------------------------------------------------------------------------------------
def conv(x, w, stride=1):
    pad = (w.shape[0] - 1) // 2
    return lax.conv_general_dilated(x, w, (stride, stride), [(pad, pad)] * 2, dimension_numbers=("NHWC", "HWIO", "NHWC"))


def batch_norm(x, p, training):
    mean, variance = (x.mean((0, 1, 2), dtype="float32"), x.var((0, 1, 2), dtype="float32")) if training else (p["mean"], p["var"])
    scale = p["w"].astype("float32") * lax.rsqrt(variance.astype("float32") + 1e-5)
    return (x.astype("float32") * scale + (p["b"] - mean * scale)).astype(x.dtype)


def bottleneck(x, p, stride, training):
    y = jax.nn.relu(batch_norm(conv(x, p["c1"]), p["n1"], training))
    y = jax.nn.relu(batch_norm(conv(y, p["c2"], stride), p["n2"], training))
    y = batch_norm(conv(y, p["c3"]), p["n3"], training)
    if "c4" in p:
        x = batch_norm(conv(x, p["c4"], stride), p["n4"], training)
    return jax.nn.relu(x + y)


def resnet_logits(p, x, training):
    x = jax.nn.relu(batch_norm(conv(x, p["stem"], 2), p["norm"], training))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), ((0, 0), (1, 1), (1, 1), (0, 0)))
    for (blocks, _, stride), stage in zip(side.STAGES, p["stages"]):
        for i in range(blocks):
            x = bottleneck(x, stage[i], stride if i == 0 else 1, training)
    return dense(x.mean((1, 2)), p["out"])


def resnet_weights(dtype):
    def norm(n):
        return {"w": jnp.ones(n, dtype), "b": jnp.zeros(n, dtype), "mean": jnp.zeros(n, dtype), "var": jnp.ones(n, dtype)}

    def kernel(n, a, b):
        return weight(dtype, n, n, a, b, scale=(2 / (n * n * a)) ** 0.5)

    def unit(a, width, first):
        p = {"c1": kernel(1, a, width), "n1": norm(width), "c2": kernel(3, width, width), "n2": norm(width),
             "c3": kernel(1, width, 4 * width), "n3": norm(4 * width)}
        return p | ({"c4": kernel(1, a, 4 * width), "n4": norm(4 * width)} if first else {})
    stages, features = [], 64
    for blocks, width, _ in side.STAGES:
        stages.append([unit(features if i == 0 else 4 * width, width, i == 0) for i in range(blocks)])
        features = 4 * width
    return {"stem": kernel(7, 3, 64), "norm": norm(64), "stages": stages,
            "out": {"w": weight(dtype, features, side.CLASSES), "b": jnp.zeros(side.CLASSES, dtype)}}


def resnet(what, dtype):
    images = weight(dtype, side.IMAGES, side.SIZE, side.SIZE, 3, scale=1)
    labels = jnp.asarray(RANDOM.integers(0, side.CLASSES, side.IMAGES).astype("int32"))
    weights = resnet_weights(dtype)
    if what == "forward":
        forward = jax.jit(lambda p, x: resnet_logits(p, x, False))
        return lambda: forward(weights, images)
    gradient = jax.jit(jax.value_and_grad(lambda p, x, y: cross_entropy(resnet_logits(p, x, True), y)))
    return lambda: gradient(weights, images, labels)


def make(model, what, kind):
    run = (gpt if model.startswith("GPT") else resnet)(what, {"f32": "float32", "bf16": "bfloat16"}[kind])
    return lambda: jax.block_until_ready(run())


side.serve(make)
