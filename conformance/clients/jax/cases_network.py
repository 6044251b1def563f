"""Networks: convolutions, pooling, normalization, attention, and training steps as their users write them."""
import jax
import jax.numpy as jnp
import numpy
from jax import lax

from jax_case import case


def normal(*shape, seed=0):
    return jnp.asarray(numpy.random.RandomState(seed).standard_normal(shape).astype("float32"))


@case(rtol=1e-4, atol=1e-4)
def convolutions():
    x, out = normal(2, 11, 13, 6), []
    nhwc = ("NHWC", "HWIO", "NHWC")
    for kernel, options in (
            ((3, 3, 6, 8), {}), ((1, 1, 6, 4), {}), ((3, 3, 6, 8), {"window_strides": (2, 2)}),
            ((3, 3, 3, 8), {"feature_group_count": 2}), ((3, 3, 1, 12), {"feature_group_count": 6}),
            ((3, 3, 6, 8), {"rhs_dilation": (2, 1)}), ((3, 3, 6, 8), {"lhs_dilation": (2, 2), "padding": ((1, 2), (2, 1))})):
        arguments = {"window_strides": (1, 1), "padding": "SAME", "dimension_numbers": nhwc, **options}
        out.append(lax.conv_general_dilated(x, normal(*kernel, seed=1), **arguments))
    out.append(lax.conv(normal(2, 3, 9, 9), normal(5, 3, 3, 3, seed=1), (1, 1), "VALID"))
    out.append(lax.conv_general_dilated(normal(2, 20, 4), normal(5, 4, 7, seed=1), (2,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")))
    out.append(lax.conv_transpose(x, normal(2, 2, 6, 5, seed=1), (2, 2), "SAME"))
    return out


@case(rtol=1e-3, atol=1e-3)
def convolution_gradients():
    def f(x, kernel):
        y = lax.conv_general_dilated(x, kernel, (2, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jnp.sum(jnp.tanh(y) ** 2)
    return jax.jit(jax.grad(f, argnums=(0, 1)))(normal(2, 9, 10, 4), normal(3, 3, 4, 5, seed=1))


@case(rtol=1e-4, atol=1e-5)
def pooling():
    x = normal(2, 9, 10, 3)
    window = lambda init, f, x: lax.reduce_window(x, init, f, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    return [window(-jnp.inf, lax.max, x), window(0.0, lax.add, x), jax.grad(lambda x: (window(-jnp.inf, lax.max, x) ** 2).sum())(x),
            jax.grad(lambda x: (window(0.0, lax.add, x) ** 2).sum())(x)]


@case(rtol=1e-4, atol=1e-4)
def attention():
    q, k, v = (normal(2, 17, 4, 8, seed=seed) for seed in range(3))
    def f(q, k, v):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 8 ** 0.5
        scores = jnp.where(jnp.tril(jnp.ones((17, 17), bool)), scores, -1e9)
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
    return [jax.jit(f)(q, k, v), jax.jit(jax.grad(lambda *a: f(*a).sum(), argnums=(0, 1, 2)))(q, k, v),
            jax.nn.dot_product_attention(q, k, v, is_causal=True)]


@case(rtol=1e-4, atol=1e-4)
def attention_gradients():
    """Sequences for which the gradient is one step: with masks, heads in any place, keys of another length, outside of vmap."""
    def causal(n, m):
        return jnp.tril(jnp.ones((n, m), bool))
    def mixed(q, k, v, mask=None, bias=0):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5 + bias
        scores = scores if mask is None else jnp.where(mask, scores, -1e9)
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
    def gradients(f, *arguments):
        return jax.jit(jax.value_and_grad(lambda *a: jnp.sum(f(*a) ** 2), argnums=tuple(range(len(arguments)))))(*arguments)
    q, k, v = (normal(2, 261, 3, 16, seed=seed) for seed in range(3))
    long = normal(2, 320, 3, 16, seed=3)
    ends = jnp.asarray([200, 261])
    padding = (jnp.arange(261) < ends[:, None])[:, None, None, :]
    one = [a[0] for a in (q, k, v)]
    nothing = [a * jnp.nan for a in (q, k, v)]  # what it leaves in scratch memory must not be read
    return [gradients(mixed, *nothing), gradients(mixed, q, k, v), gradients(lambda *a: mixed(*a, causal(261, 261)), q, k, v),
            gradients(lambda *a: mixed(*a, causal(261, 320)), q, long, long[..., :7]),
            gradients(lambda *a: mixed(*a, padding), q, k, v), gradients(lambda q, k, v, b: mixed(q, k, v, None, b), q, k, v, normal(3, 261, 261)),
            gradients(lambda x: mixed(x, x, x, causal(261, 261)), q),
            gradients(lambda *a: jax.nn.dot_product_attention(*a, is_causal=True), q, k, v),
            gradients(jax.vmap(lambda q, k, v: mixed(q[:, None], k[:, None], v[:, None])[:, 0], 1), *(a[:, :, :, None] for a in one)),
            gradients(lambda *a: jax.checkpoint(lambda *b: mixed(*b, causal(261, 261)))(*a), q, k, v)]


@case(rtol=1e-4, atol=1e-5)
def activations():
    x = normal(6, 50)
    return [f(x) for f in (jax.nn.relu, jax.nn.gelu, jax.nn.silu, jax.nn.softplus, jax.nn.elu, jax.nn.log_softmax, jax.nn.swish,
                           jax.nn.standardize, jax.nn.hard_swish, lambda x: jax.nn.gelu(x, approximate=False))] + [
        jax.nn.one_hot(jnp.asarray([1, 3, 0]), 5)]


@case(rtol=1e-3, atol=1e-4)
def training_with_donation():
    """20 steps with donated weights, so that buffers are replaced in each step."""
    def loss(weights, x, y):
        return jnp.mean((jnp.tanh(x @ weights[0]) @ weights[1] - y) ** 2)

    def step(weights, x, y):
        value, gradient = jax.value_and_grad(loss)(weights, x, y)
        return [w - 0.1 * g for w, g in zip(weights, gradient)], value

    step = jax.jit(step, donate_argnums=0)
    weights, x, y, losses = [normal(10, 32) * 0.3, normal(32, 1, seed=1) * 0.3], normal(64, 10, seed=2), normal(64, 1, seed=3), []
    for _ in range(20):
        weights, value = step(weights, x, y)
        losses.append(value)
    return [losses, weights]


@case(rtol=1e-3, atol=1e-3)
def flax_and_optax():
    import flax.linen as nn
    import optax

    class Network(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.relu(nn.Conv(8, (3, 3))(x))
            x = nn.avg_pool(nn.LayerNorm()(x), (2, 2), (2, 2))
            return nn.Dense(10)(x.reshape(x.shape[0], -1))

    network, optimizer = Network(), optax.adamw(1e-2)
    x, labels = normal(16, 8, 8, 1), jnp.arange(16) % 10
    weights = network.init(jax.random.key(0), x)
    state, losses = optimizer.init(weights), []

    @jax.jit
    def step(weights, state):
        f = lambda w: optax.softmax_cross_entropy_with_integer_labels(network.apply(w, x), labels).mean()
        loss, gradient = jax.value_and_grad(f)(weights)
        updates, state = optimizer.update(gradient, state, weights)
        return optax.apply_updates(weights, updates), state, loss

    for _ in range(10):
        weights, state, loss = step(weights, state)
        losses.append(loss)
    return losses


@case(rtol=1e-3, atol=1e-3)
def recurrent():
    def cell(carry, x):
        h, c = carry
        gates = jnp.concatenate([x, h], axis=-1) @ weights
        i, f, g, o = jnp.split(gates, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    weights, x = normal(24, 64) * 0.2, normal(30, 4, 8, seed=1)
    run = lambda x: lax.scan(cell, (jnp.zeros((4, 16)), jnp.zeros((4, 16))), x)[1].sum()
    return jax.jit(jax.value_and_grad(run))(x)
