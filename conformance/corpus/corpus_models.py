"""corpus_models.py: small but complete programs as JAX's users write them. Each is lowered for a platform that JAX has no
rules of its own for."""
import jax
import jax.ad_checkpoint
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.lib import xla_client

from corpus_program import MODEL, add

MODELS = {}


def model(*shapes, dtype="float32", scale=0.5):
    """Marks a function of arrays of these shapes; a shape may be an array itself."""
    def mark(function):
        random = np.random.RandomState(len(MODELS))
        MODELS[function.__name__] = (function, [np.asarray(random.standard_normal(shape) * scale).astype(dtype) if isinstance(shape, tuple) else shape for shape in shapes])
        return function
    return mark


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(labels, logits.shape[-1]), -1))


LABELS = np.array([1, 0, 3, 2], np.int32)


@model((4, 6), (6, 8), (8,), (8, 5), (5,))
def mlp_forward(x, w0, b0, w1, b1):
    return jax.nn.softmax(jax.nn.relu(x @ w0 + b0) @ w1 + b1)


@model((4, 6), (6, 8), (8, 5), LABELS)
def mlp_sgd_step(x, w0, w1, labels):
    loss, grads = jax.value_and_grad(lambda w: cross_entropy(jnp.tanh(x @ w[0]) @ w[1], labels))([w0, w1])
    return loss, [w - 0.1 * g for w, g in zip([w0, w1], grads)]


@model((4, 6), (6, 5), (6, 5), (6, 5), np.int32(3), LABELS)
def adam_step(x, w, m, v, step, labels):
    loss, grad = jax.value_and_grad(lambda w: cross_entropy(x @ w, labels))(w)
    m, v, step = 0.9 * m + 0.1 * grad, 0.999 * v ** 2 + 0.001 * grad ** 2, step + 1
    scaled = m / (1 - 0.9 ** step.astype("float32")) / (jnp.sqrt(v / (1 - 0.999 ** step.astype("float32"))) + 1e-8)
    return loss, w - 0.01 * scaled, m, v, step


@model((2, 8, 8, 1), (3, 3, 1, 4), (3, 3, 4, 4), (16, 3))
def cnn_forward(x, k0, k1, w):
    dims = ("NHWC", "HWIO", "NHWC")
    pool = lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = pool(jax.nn.relu(lax.conv_general_dilated(x, k0, (1, 1), "SAME", dimension_numbers=dims)))
    x = pool(jax.nn.relu(lax.conv_general_dilated(x, k1, (1, 1), "SAME", dimension_numbers=dims)))
    return jax.nn.log_softmax(x.reshape(2, -1) @ w)


@model((2, 6, 6, 2), (3, 3, 2, 3), (27, 2))
def cnn_gradients(x, k, w):
    def loss(k, w):
        y = lax.conv_general_dilated(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jnp.mean((jax.nn.gelu(y).reshape(2, -1) @ w) ** 2)
    return jax.value_and_grad(loss, argnums=(0, 1))(k, w)


@model((2, 5, 8), (8, 24), (8, 8), (8, 16), (16, 8))
def transformer_block(x, qkv, out, up, down):
    norm = lambda x: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
    q, k, v = (part.reshape(2, 5, 2, 4) for part in jnp.split(norm(x) @ qkv, 3, -1))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2
    scores = jnp.where(jnp.tril(jnp.ones((5, 5), bool)), scores, -1e9)
    x = x + jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(2, 5, 8) @ out
    return x + jax.nn.gelu(norm(x) @ up) @ down


@model((2, 5, 8), (8, 24), (8, 8))
def attention_gradients(x, qkv, out):
    def loss(qkv, out):
        q, k, v = jnp.split(x @ qkv, 3, -1)
        return jnp.sum((jax.nn.softmax(q @ k.swapaxes(1, 2) / 8 ** 0.5) @ v @ out) ** 2)
    return jax.value_and_grad(loss, argnums=(0, 1))(qkv, out)


def lstm(x, w):
    def cell(carry, row):
        h, c = carry
        i, f, g, o = jnp.split(jnp.concatenate([row, h], -1) @ w, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    zeros = jnp.zeros((x.shape[1], w.shape[1] // 4))
    return lax.scan(cell, (zeros, zeros), x)[1]


@model((6, 2, 3), (7, 16))
def lstm_forward(x, w):
    return lstm(x, w)


@model((6, 2, 3), (7, 16))
def lstm_gradients(x, w):
    return jax.value_and_grad(lambda w: lstm(x, w)[-1].sum())(w)


@model((2, 6, 6, 4), (3, 3, 4, 4), (3, 3, 4, 4), (4,), (4,))
def resnet_block(x, k0, k1, scale, bias):
    conv = lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    def norm(x):
        mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * lax.rsqrt(var + 1e-5) * scale + bias
    return jax.nn.relu(x + norm(conv(jax.nn.relu(norm(conv(x, k0))), k1)))


@model((6, 4), np.array([0, 5, 2, 2], np.int32), (4, 3))
def embedding_gradients(table, ids, w):
    return jax.value_and_grad(lambda table: jnp.sum(jnp.tanh(table[ids] @ w)))(table)


@model((8, 2), np.float32(0.05))
def scan_of_training_steps(x, rate):
    y = x[:, :1] * 2 - x[:, 1:]
    def step(w, _):
        loss, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
        return w - rate * grad, loss
    return lax.scan(step, jnp.zeros((2, 1)), None, length=6)


@model(np.array([1.0, 0.0], np.float32))
def runge_kutta_while(state):
    f = lambda s: jnp.stack([s[1], -s[0]])
    def step(carry):
        t, s = carry
        k1 = f(s); k2 = f(s + 0.05 * k1); k3 = f(s + 0.05 * k2); k4 = f(s + 0.1 * k3)
        return t + 0.1, s + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return lax.while_loop(lambda carry: carry[0] < 0.95, step, (jnp.float32(0), state))


@model((3, 7), np.array([3, 9], np.uint32))
def dropout_and_normal_noise(x, key):
    key = jax.random.wrap_key_data(key)
    kept = jax.random.bernoulli(key, 0.75, x.shape)
    return jnp.where(kept, x / 0.75, 0) + jax.random.normal(key, x.shape)


@model((5, 16))
def top_k_and_sort(x):
    values, places = lax.top_k(x, 3)
    return values, places, jnp.sort(x, -1), jnp.argsort(x, 0), jnp.cumsum(x, 1)


@model((1, 4, 8), (1, 4, 8), (8,), np.int32(2))
def cached_attention_step(keys, values, token, place):
    keys = lax.dynamic_update_slice(keys, token[None, None], (0, place, 0))
    scores = jnp.where(jnp.arange(4) <= place, keys[0] @ token, -1e9)
    return keys, jax.nn.softmax(scores) @ values[0]


@model((4, 6), (6, 8), (8, 5), dtype="bfloat16")
def mlp_in_bfloat16(x, w0, w1):
    return jax.nn.silu(x @ w0) @ w1


@model((16,), dtype="complex64")
def spectral_filter(x):
    return jnp.fft.ifft(jnp.fft.fft(x) * jnp.exp(-jnp.arange(16) / 4.0)).real


@model((12, 8, 8), (4, 8))
def gradients_with_offloaded_activations(w, x):
    """Placements in host memory and back, as annotations; the loops run too often to be unrolled."""
    policy = jax.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[], names_which_can_be_offloaded=["activation"], offload_src="device", offload_dst="pinned_host")

    def layer(x, w):
        return jnp.sin(jax.ad_checkpoint.checkpoint_name(jnp.tanh(x @ w), "activation")), None
    return jax.grad(lambda w, x: jnp.sum(lax.scan(jax.checkpoint(layer, policy=policy), x, w)[0] ** 2), (0, 1))(w, x)


@model((6, 8), (6, 8), (6, 8))
def adam_with_moments_on_the_host(w, m, gradient):
    m = jax.device_put(m, jax.memory.Space.Host)
    new = 0.9 * jax.device_put(m, jax.memory.Space.Device) + 0.1 * gradient
    return w - 0.1 * new, jax.device_put(jax.device_put(new, jax.memory.Space.Host), jax.memory.Space.Device)


def programs():
    for name, (function, arrays) in MODELS.items():
        with jax.enable_x64(False):
            lowered = jax.jit(function).trace(*arrays).lower(lowering_platforms=("tpu",))
            text = str(lowered.compiler_ir("stablehlo"))
        add(f"models/{name}", text, arrays, tolerance=MODEL)
