"""blind_neural.py: rows of the long tail written before any of them was measured (snippets.py): networks as the libraries of layers
emit them, in plain JAX: convolutional blocks, recurrent nets, attention, decoding, generators, normalization, losses, updates."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


def convolved(x, w, stride=1, groups=1, padding="SAME"):
    return lax.conv_general_dilated(x, w, (stride, stride), padding, dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups)


def batch_statistics(x, scale, bias):
    axes = tuple(range(x.ndim - 1))
    mean, square = x.mean(axes), (x * x).mean(axes)
    return (x - mean) * lax.rsqrt(jnp.maximum(square - mean**2, 0) + 1e-5) * scale + bias


def layer_statistics(x, scale=1.0, bias=0.0):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-6) * scale + bias


def affine_of(x, layer):
    return x @ layer["kernel"] + layer["bias"]


# ---- convolutional ---------------------------------------------------------------------------------------------------

def digits_logits(p, x):
    for name in ("c1", "c2"):
        x = nn.relu(convolved(x, p[name]))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return affine_of(x.reshape(x.shape[0], -1), p["d"])


@row("{'c1': n(3, 3, 1, 8, scale=.3), 'c2': n(3, 3, 8, 16, scale=.1), 'd': {'kernel': n(784, 10, scale=.03), 'bias': n(10)}}, "
     "n(12, 28, 28, 1), i(10, 12)")
@row("{'c1': n(3, 3, 1, 8, scale=.3), 'c2': n(3, 3, 8, 16, scale=.1), 'd': {'kernel': n(784, 10, scale=.03), 'bias': n(10)}}, "
     "n(3, 28, 28, 1), i(10, 3)")
def step_of_digits(p, images, labels):
    """Cross entropy and one step of momentum from rest, as flax's MNIST example."""
    def loss(p):
        logits = digits_logits(p, images)
        return -(nn.log_softmax(logits) * nn.one_hot(labels, 10)).sum(-1).mean(), logits
    (value, logits), g = jax.value_and_grad(loss, has_aux=True)(p)
    return jax.tree.map(lambda p, g: p - 0.1 * g, p, g), value, (logits.argmax(-1) == labels).mean()


@row("n(4, 16, 16, 16), n(3, 3, 16, 32, scale=.1), n(3, 3, 32, 32, scale=.1), n(1, 1, 16, 32, scale=.2), n(4, 32)")
@row("n(4, 16, 16, 16), n(3, 3, 16, 32, scale=.1), n(3, 3, 32, 32, scale=.1), n(1, 1, 16, 32, scale=.2), n(4, 32)", "grad({0}, (1, 2, 3, 4))")
def downsampling_residual(x, w1, w2, skip, scales):
    y = nn.relu(batch_statistics(convolved(x, w1, 2), scales[0], scales[1]))
    y = batch_statistics(convolved(y, w2), scales[2], scales[3])
    return nn.relu(y + convolved(x, skip, 2))


@row("n(2, 14, 14, 24), n(24, 96, scale=.1), n(5, 5, 1, 96, scale=.2), n(96, 24, scale=.1), n(96, 8, scale=.1), n(8, 96, scale=.1)")
@row("n(1, 7, 7, 24), n(24, 96, scale=.1), n(5, 5, 1, 96, scale=.2), n(96, 24, scale=.1), n(96, 8, scale=.1), n(8, 96, scale=.1)",
     "grad({0}, (1, 2, 3))")
def mobile_block_with_gates(x, up, depth, down, squeeze, excite):
    y = nn.hard_swish(layer_statistics(x @ up))
    y = nn.hard_swish(convolved(y, depth, groups=96))
    gate = nn.hard_sigmoid(nn.relu(y.mean((1, 2), keepdims=True) @ squeeze) @ excite)
    return x + (y * gate) @ down


@row("n(2, 20, 20, 32), n(7, 7, 1, 32, scale=.1), n(32, 128, scale=.1), n(128, 32, scale=.1), n(128), key")
@row("n(2, 12, 12, 32), n(7, 7, 1, 32, scale=.1), n(32, 128, scale=.1), n(128, 32, scale=.1), n(128), key", "grad({0}, (0, 1, 2, 3, 4))")
def convnext_with_response(x, depth, up, down, scale, key):
    """Second version: global response normalization, and whole paths dropped by example."""
    y = nn.gelu(layer_statistics(convolved(x, depth, groups=32)) @ up)
    norm = jnp.sqrt((y * y).sum((1, 2), keepdims=True) + 1e-6)
    y = y * (norm / (norm.mean(-1, keepdims=True) + 1e-6)) * scale + y
    keep = random.bernoulli(key, 0.8, (2, 1, 1, 1)) / 0.8
    return x + keep * (y @ down)


@row("n(2, 24, 24, 3), [n(3, 3, 3, 8, scale=.2), n(3, 3, 8, 16, scale=.1), n(3, 3, 16, 32, scale=.1)], [n(3, 3, 48, 16, scale=.1), "
     "n(3, 3, 24, 8, scale=.1)], n(8, 2), i(2, 2, 24, 24)")
@row("n(2, 24, 24, 3), [n(3, 3, 3, 8, scale=.2), n(3, 3, 8, 16, scale=.1), n(3, 3, 16, 32, scale=.1)], [n(3, 3, 48, 16, scale=.1), "
     "n(3, 3, 24, 8, scale=.1)], n(8, 2), i(2, 2, 24, 24)", "jax.value_and_grad({0}, (1, 2, 3))")
def segmentation_by_unet(x, down, up, head, labels):
    kept = []
    for k, w in enumerate(down):
        x = nn.silu(convolved(x, w))
        if k < 2:
            kept.append(x)
            x = x.reshape(2, x.shape[1] // 2, 2, x.shape[2] // 2, 2, -1).mean((2, 4))
    for w in up:
        x = jax.image.resize(x, (2, 2 * x.shape[1], 2 * x.shape[2], x.shape[3]), "nearest")
        x = nn.silu(convolved(jnp.concatenate([x, kept.pop()], -1), w))
    logits = x @ head
    return -jnp.take_along_axis(nn.log_softmax(logits), labels[..., None], -1).mean()


@row("n(4, 160, 6), n(7, 6, 16, scale=.2), [n(3, 16, 16, scale=.15)] * 4, n(16, 5)")
@row("n(4, 160, 6), n(7, 6, 16, scale=.2), [n(3, 16, 16, scale=.15)] * 4, n(16, 5)", "grad({0}, (1, 2, 3))")
@row("n(1, 33, 6), n(7, 6, 16, scale=.2), [n(3, 16, 16, scale=.15)] * 4, n(16, 5)")
def signals_by_wavenet(x, stem, layers, head):
    """One-dimensional, causal and dilated, with gates of tanh and sigmoid, then a mean over time."""
    conv = lambda x, w, d: lax.conv_general_dilated(x, w, (1,), [((w.shape[0] - 1) * d, 0)], rhs_dilation=(d,),
                                                    dimension_numbers=("NWC", "WIO", "NWC"))
    x, skip = conv(x, stem, 1), 0.0
    for k, w in enumerate(layers):
        y = conv(x, w, 2**k)
        y = jnp.tanh(y) * nn.sigmoid(y[..., ::-1])
        x, skip = x + y, skip + y
    return nn.relu(skip).mean(1) @ head


# ---- recurrent -------------------------------------------------------------------------------------------------------

@row("n(6, 20, 12), i(20, 6) + 1, n(12, 96, scale=.2), n(24, 96, scale=.2), n(96)")
@row("n(6, 20, 12), i(20, 6) + 1, n(12, 96, scale=.2), n(24, 96, scale=.2), n(96)", "grad({0}, (2, 3, 4))")
@row("n(1, 40, 12), i(20, 1) + 1, n(12, 96, scale=.2), n(24, 96, scale=.2), n(96)")
def last_state_of_lstm(x, length, w, u, b):
    """Gates i, f, g, o in flax's order; the carry stays as it is after the end of a sequence."""
    inputs = x @ w + b
    def step(s, z):
        c, h = s
        z, t = z
        i, f, g, o = jnp.split(z + h @ u, 4, -1)
        new = nn.sigmoid(f + 1) * c + nn.sigmoid(i) * jnp.tanh(g)
        keep = (t < length)[:, None]
        s = jnp.where(keep, new, c), jnp.where(keep, nn.sigmoid(o) * jnp.tanh(new), h)
        return s, s[1]
    zero = jnp.zeros((x.shape[0], 24))
    return lax.scan(step, (zero, zero), (inputs.swapaxes(0, 1), jnp.arange(x.shape[1])))[0][1]


@row("i(40, 5, 11), i(40, 5, 9), n(40, 32, scale=.3), n(2, 32, 96, scale=.15), n(2, 32, 96, scale=.15, seed=1), n(64, 40, scale=.1)")
@row("i(40, 5, 11), i(40, 5, 9), n(40, 32, scale=.3), n(2, 32, 96, scale=.15), n(2, 32, 96, scale=.15, seed=1), n(64, 40, scale=.1)",
     "jax.grad({0}, (2, 3, 4, 5))")
def translated_with_attention(source, target, table, w, u, head):
    """GRU encoder, GRU decoder with the answers given, dot-product attention over the source after each step."""
    def cell(k):
        def step(h, x):
            r, z, a = jnp.split(x @ w[k], 3, -1)
            p, q, b = jnp.split(h @ u[k], 3, -1)
            z = nn.sigmoid(z + q)
            h = (1 - z) * jnp.tanh(a + nn.sigmoid(r + p) * b) + z * h
            return h, h
        return step
    h, memory = lax.scan(cell(0), jnp.zeros((5, 32)), table[source].swapaxes(0, 1))
    before = jnp.pad(target[:, :-1], ((0, 0), (1, 0)))
    states = lax.scan(cell(1), h, table[before].swapaxes(0, 1))[1]
    share = nn.softmax(jnp.einsum("tbh,sbh->tbs", states, memory), -1)
    both = jnp.concatenate([states, jnp.einsum("tbs,sbh->tbh", share, memory)], -1)
    logp = nn.log_softmax(both @ head)
    return -jnp.take_along_axis(logp, target.T[..., None], -1).mean()


# ---- transformers ----------------------------------------------------------------------------------------------------

@row("n(2, 24, 24, 3), n(108, 48, scale=.1), n(17, 48, scale=.1), n(48), {'qkv': n(3, 48, 144, scale=.1), 'o': n(3, 48, 48, scale=.1), "
     "'a': n(3, 48, 96, scale=.1), 'b': n(3, 96, 48, scale=.1)}, n(48, 10)")
@row("n(2, 24, 24, 3), n(108, 48, scale=.1), n(17, 48, scale=.1), n(48), {'qkv': n(3, 48, 144, scale=.1), 'o': n(3, 48, 48, scale=.1), "
     "'a': n(3, 48, 96, scale=.1), 'b': n(3, 96, 48, scale=.1)}, n(48, 10)", "grad({0}, (1, 2, 4))")
def small_vision_transformer(image, embed, position, token, layers, head):
    """Patches of six by six, a class token, three layers scanned."""
    x = image.reshape(2, 4, 6, 4, 6, 3).transpose(0, 1, 3, 2, 4, 5).reshape(2, 16, 108) @ embed
    x = jnp.concatenate([jnp.broadcast_to(token, (2, 1, 48)), x], 1) + position
    def layer(x, p):
        q, k, v = jnp.moveaxis((layer_statistics(x) @ p["qkv"]).reshape(2, 17, 3, 4, 12), 2, 0)
        a = nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / 12**0.5)
        x = x + jnp.einsum("bhqk,bkhd->bqhd", a, v).reshape(2, 17, 48) @ p["o"]
        return x + nn.gelu(layer_statistics(x) @ p["a"]) @ p["b"], None
    return layer_statistics(lax.scan(layer, x, layers)[0][:, 0]) @ head


def turned_by_position(x, at):
    half = x.shape[-1] // 2
    angle = at[..., None, None] * 10000.0 ** (-jnp.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), b * jnp.cos(angle) + a * jnp.sin(angle)], -1).astype(x.dtype)


@row("n(2, 48, 64), n(64, 128, scale=.1), n(64, 64, scale=.1), n(64, 256, scale=.1), n(128, 64, scale=.1)")
@row("n(2, 48, 64), n(64, 128, scale=.1), n(64, 64, scale=.1), n(64, 256, scale=.1), n(128, 64, scale=.1)", "grad({0}, (0, 1, 2, 3, 4))")
@row("n(1, 96, 64).astype('bfloat16'), n(64, 128, scale=.1).astype('bfloat16'), n(64, 64, scale=.1).astype('bfloat16'), "
     "n(64, 256, scale=.1).astype('bfloat16'), n(128, 64, scale=.1).astype('bfloat16')")
def rotary_block_in_parallel(x, qkv, out, gate_up, down):
    """Attention with four heads and two of keys beside a gated feed-forward net, as in the models of GPT-J's kind."""
    b, t, _ = x.shape
    h = layer_statistics(x.astype("float32")).astype(x.dtype)
    q, k, v = jnp.split((h @ qkv).reshape(b, t, 8, 16), (4, 6), 2)
    at = jnp.arange(t)
    q, k = turned_by_position(q, at), turned_by_position(k, at)
    s = jnp.einsum("bqgrd,bkgd->bgrqk", q.reshape(b, t, 2, 2, 16), k, preferred_element_type="float32") / 4
    a = nn.softmax(jnp.where(at[:, None] >= at, s, -1e9)).astype(x.dtype)
    y = jnp.einsum("bgrqk,bkgd->bqgrd", a, v).reshape(b, t, 64) @ out
    g, u = jnp.split(h @ gate_up, 2, -1)
    return x + y + (nn.silu(g) * u) @ down


@row("i(90, 3), n(90, 32), n(2, 32, 96, scale=.15), n(2, 32, 32, scale=.15), jnp.zeros((2, 2, 3, 40, 4, 8)), jnp.array([3, 10, 0])")
@row("i(90, 1), n(90, 32), n(2, 32, 96, scale=.15), n(2, 32, 32, scale=.15), jnp.zeros((2, 2, 1, 500, 4, 8)), jnp.array([77])")
def eight_tokens_with_cache(token, table, qkv, out, cache, start):
    """Each row of the batch has its own place in the cache; the scores of all tokens are kept."""
    b, size = token.shape[0], cache.shape[3]
    def step(s, k):
        token, cache = s
        x, at = table[token], start + k
        for layer in range(2):
            q, key, v = jnp.split((layer_statistics(x) @ qkv[layer]).reshape(b, 12, 8), 3, 1)
            q, key = (turned_by_position(y[:, None], at[:, None])[:, 0] for y in (q, key))
            cache = cache.at[layer, 0, jnp.arange(b), at].set(key).at[layer, 1, jnp.arange(b), at].set(v)
            s = jnp.einsum("bhd,bthd->bht", q, cache[layer, 0]) / 8**0.5
            a = nn.softmax(jnp.where(jnp.arange(size) <= at[:, None, None], s, -1e9))
            x = x + jnp.einsum("bht,bthd->bhd", a, cache[layer, 1]).reshape(b, 32) @ out[layer]
        logits = layer_statistics(x) @ table.T
        return (logits.argmax(-1), cache), logits.max(-1)
    return lax.scan(step, (token, cache), jnp.arange(8))[1]


@row("n(4, 49, 32), n(49, 80, scale=.1), n(80, 49, scale=.1), n(32, 100, scale=.1), n(100, 32, scale=.1)")
@row("n(4, 49, 32), n(49, 80, scale=.1), n(80, 49, scale=.1), n(32, 100, scale=.1), n(100, 32, scale=.1)", "grad({0}, (1, 2, 3, 4))")
def mixed_tokens_and_channels(x, a, b, c, d):
    for _ in range(2):
        x = x + (nn.gelu(layer_statistics(x).swapaxes(1, 2) @ a) @ b).swapaxes(1, 2)
        x = x + nn.gelu(layer_statistics(x) @ c) @ d
    return x.mean(1)


# ---- generators ------------------------------------------------------------------------------------------------------

@row("n(12, 64), {'e': n(64, 40, scale=.1), 'm': n(40, 8, scale=.1), 's': n(40, 8, scale=.1), 'd': n(8, 40, scale=.3), 'o': n(40, 64, scale=.1)}, key")
@row("n(256, 64), {'e': n(64, 40, scale=.1), 'm': n(40, 8, scale=.1), 's': n(40, 8, scale=.1), 'd': n(8, 40, scale=.3), 'o': n(40, 64, scale=.1)}, key")
def variational_step_of_adam(x, p, key):
    """Bernoulli evidence bound with free bits, then Adam's first step."""
    x = (x > 0).astype("float32")
    def loss(p):
        h = nn.elu(x @ p["e"])
        mean, log = h @ p["m"], h @ p["s"]
        z = mean + jnp.exp(log / 2) * random.normal(key, mean.shape)
        logits = nn.elu(z @ p["d"]) @ p["o"]
        divergence = 0.5 * (jnp.exp(log) + mean**2 - 1 - log).mean(0)
        return (nn.softplus(logits) - x * logits).sum(-1).mean() + jnp.maximum(divergence, 0.05).sum()
    value, g = jax.value_and_grad(loss)(p)
    return value, jax.tree.map(lambda p, g: p - 1e-3 * g / (jnp.abs(g) + 1e-3), p, g)


@row("n(8, 16), n(8, 16, 16, 1), {'p': n(16, 512, scale=.2), 'a': n(4, 4, 32, 16, scale=.1), 'b': n(4, 4, 16, 1, scale=.1)}, "
     "{'a': n(4, 4, 1, 16, scale=.2), 'b': n(4, 4, 16, 32, scale=.1), 'o': n(512, 1, scale=.05)}")
def adversarial_gradients(noise, real, generator, critic):
    """Hinge losses of both nets, with a penalty of the critic's slope at real images."""
    def draw(g):
        x = nn.relu(noise @ g["p"]).reshape(8, 4, 4, 32)
        for name, act in (("a", nn.relu), ("b", jnp.tanh)):
            x = act(lax.conv_transpose(x, g[name], (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
        return x
    def judge(d, x):
        for name in ("a", "b"):
            x = nn.leaky_relu(convolved(x, d[name], 2), 0.2)
        return (x.reshape(8, -1) @ d["o"])[:, 0]
    def critic_loss(d):
        slope = jax.grad(lambda x: judge(d, x).sum())(real)
        return nn.relu(1 - judge(d, real)).mean() + nn.relu(1 + judge(d, draw(generator))).mean() + (slope**2).sum((1, 2, 3)).mean()
    return jax.grad(critic_loss)(critic), jax.grad(lambda g: -judge(critic, draw(g)).mean())(generator)


@row("n(32, 100), n(100, 24, scale=.1), n(24), key", "jax.value_and_grad({0}, (1, 2))")
@row("n(1000, 100), n(100, 24, scale=.1), n(24), key", "jax.value_and_grad({0}, (1, 2))")
def tied_denoising_autoencoder(x, w, b, key):
    """Noise by masks, tied weights, the eight largest units kept."""
    h = (x * random.bernoulli(key, 0.7, x.shape)) @ w + b
    least = lax.top_k(h, 8)[0][:, -1:]
    h = jnp.where(h >= lax.stop_gradient(least), nn.relu(h), 0)
    return ((h @ w.T - x) ** 2).sum(-1).mean() + 1e-3 * jnp.abs(h).sum(-1).mean()


# ---- normalization and losses ----------------------------------------------------------------------------------------

@row("n(4, 10, 10, 24), n(24), n(24), n(24), abs(n(24)) + .5")
@row("n(64, 24), n(24), n(24), n(24), abs(n(24)) + .5")
def renormalized_batch(x, scale, bias, mean, var):
    """Batch renormalization in training, and the running averages afterwards."""
    axes = tuple(range(x.ndim - 1))
    m, s = x.mean(axes), jnp.sqrt(x.var(axes) + 1e-3)
    r = lax.stop_gradient(jnp.clip(s / jnp.sqrt(var), 1 / 3, 3))
    d = lax.stop_gradient(jnp.clip((m - mean) / jnp.sqrt(var), -5, 5))
    return ((x - m) / s * r + d) * scale + bias, 0.99 * mean + 0.01 * m, 0.99 * var + 0.01 * s**2


@row("n(3, 9, 11, 40), n(40), n(40)", "jax.grad(lambda *x: ({0}(*x) ** 2).sum(), (0, 1, 2))")
@row("n(8, 16, 16, 40).astype('bfloat16'), n(40), n(40)")
def groups_of_five(x, scale, bias):
    y = x.astype("float32").reshape(x.shape[0], -1, 8, 5)
    y = y - y.mean((1, 3), keepdims=True)
    y = y * lax.rsqrt((y**2).mean((1, 3), keepdims=True) + 1e-5)
    return nn.silu(y.reshape(x.shape) * scale + bias).astype(x.dtype)


@row("n(6, 40, 12), i(11, 6, 7) + 1, i(30, 6) + 11, i(5, 6) + 3")
@row("n(6, 40, 12), i(11, 6, 7) + 1, i(30, 6) + 11, i(5, 6) + 3", "grad(lambda x, *r: {0}(x, *r))")
def alignment_free_loss(logits, labels, frames, letters):
    """CTC over blanks and letters in two tables, as optax has it."""
    logp = nn.log_softmax(logits)
    blank = logp[..., 0].T
    emit = jnp.take_along_axis(logp, labels[:, None, :], 2).swapaxes(0, 1)
    low = -1e5
    repeat = jnp.pad(labels[:, 1:] == labels[:, :-1], ((0, 0), (0, 1)))
    def step(s, z):
        phi, letter = s
        b, e, t = z
        move = jnp.where(repeat, low, letter)[:, :-1]
        arrive = jnp.logaddexp(phi[:, :-1], jnp.pad(move, ((0, 0), (1, 0)), constant_values=low))
        new = e + jnp.logaddexp(letter, arrive)
        stay = b[:, None] + jnp.logaddexp(phi, jnp.pad(letter, ((0, 0), (1, 0)), constant_values=low))
        keep = (t < frames)[:, None]
        return (jnp.where(keep, stay, phi), jnp.where(keep, new, letter)), None
    start = jnp.full((6, 8), low).at[:, 0].set(0), jnp.full((6, 7), low)
    phi, letter = lax.scan(step, start, (blank, emit, jnp.arange(40)))[0]
    end = lambda table, k: jnp.take_along_axis(table, k[:, None], 1)[:, 0]
    return -jnp.logaddexp(end(phi, letters), end(letter, letters - 1))


@row("n(500, 20), i(20, 500), abs(n(20)) + .1")
@row("n(64, 1000), i(1000, 64), abs(n(1000)) + .1", "jax.value_and_grad(lambda x, *r: {0}(x, *r).mean())")
def smoothed_focal_loss(logits, labels, weight):
    size = logits.shape[-1]
    target = 0.9 * nn.one_hot(labels, size) + 0.1 / size
    logp = nn.log_softmax(logits)
    return -(weight * target * (1 - jnp.exp(logp)) ** 2 * logp).sum(-1)


# ---- updates ---------------------------------------------------------------------------------------------------------

@row("{'a': n(60, 80), 'b': n(80), 'c': n(3, 3, 8, 16)}, {'a': n(60, 80, seed=1), 'b': n(80, seed=1), 'c': n(3, 3, 8, 16, seed=1)}, jnp.int32(7)")
@row("{'a': n(600, 300), 'b': [n(5), n(300, 300)]}, {'a': n(600, 300, seed=1), 'b': [n(5), n(300, 300, seed=1)]}, jnp.int32(70)")
def decayed_nesterov_adam(p, g, count):
    """Clipped by the global norm, decay for matrices only, a schedule with warmup, an average of the parameters."""
    norm = jnp.sqrt(sum((x**2).sum() for x in jax.tree.leaves(g)))
    g = jax.tree.map(lambda x: x / jnp.maximum(norm, 1), g)
    m = jax.tree.map(lambda x: 0.1 * x, g)
    v = jax.tree.map(lambda x: 0.001 * x * x, g)
    t = count + 1
    rate = 1e-3 * jnp.minimum(t / 50, 0.5 * (1 + jnp.cos(jnp.pi * t / 1000)))
    def update(p, g, m, v):
        u = (0.9 * m + 0.1 * g) / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
        return p - rate * (u + (0.01 * p if p.ndim > 1 else 0))
    new = jax.tree.map(update, p, g, m, v)
    return new, jax.tree.map(lambda a, b: 0.999 * a + 0.001 * b, p, new), norm


@row("[n(20, 30, scale=.2), n(30, 4, scale=.2)], n(40, 20), n(40, 4)")
@row("[n(64, 128, scale=.1), n(128, 64, scale=.1), n(64, 4, scale=.1)], n(256, 64), n(256, 4)")
def sharpness_aware_lion(layers, x, y):
    def loss(layers):
        h = x
        for w in layers[:-1]:
            h = jnp.tanh(h @ w)
        return ((h @ layers[-1] - y) ** 2).mean()
    g = jax.grad(loss)(layers)
    size = jnp.sqrt(sum((w**2).sum() for w in g)) + 1e-9
    g = jax.grad(loss)([w + 0.05 * d / size for w, d in zip(layers, g)])
    return [w - 1e-3 * (jnp.tanh(1e3 * d) + 0.1 * w) for w, d in zip(layers, g)], loss(layers)


@row("n(24, 36), n(24, 36, seed=1), definite(0, 24), definite(0, 36)")
@row("n(3, 16, 16), n(3, 16, 16, seed=1), definite(3, 16), definite(3, 16)", "vmap({0})")
def preconditioned_both_sides(w, g, left, right):
    """Shampoo with roots by eigenvalues, grafted to the size of the plain gradient."""
    def root(a):
        values, vectors = jnp.linalg.eigh(a)
        return vectors * jnp.maximum(values, 1e-6) ** -0.25 @ vectors.T
    left, right = 0.95 * left + g @ g.T, 0.95 * right + g.T @ g
    u = root(left) @ g @ root(right)
    return w - 0.01 * u * jnp.linalg.norm(g) / (jnp.linalg.norm(u) + 1e-9), left, right


@row("n(40, 50), n(40, 50, seed=1), abs(n(40)) + .1, abs(n(50)) + .1")
@row("n(512, 700).astype('bfloat16'), n(512, 700, seed=1).astype('bfloat16'), abs(n(512)) + .1, abs(n(700)) + .1")
def factored_with_relative_steps(p, g, line, column):
    g = g.astype("float32")
    line = 0.9 * line + 0.1 * (g**2 + 1e-30).mean(1)
    column = 0.9 * column + 0.1 * (g**2 + 1e-30).mean(0)
    u = g * lax.rsqrt(line / line.mean())[:, None] * lax.rsqrt(column)
    u = u / jnp.maximum(jnp.sqrt((u**2).mean()), 1)
    scale = jnp.maximum(jnp.sqrt((p.astype("float32") ** 2).mean()), 1e-3)
    return (p - 0.01 * scale * u).astype(p.dtype), line, column


@row("[n(32, 64, scale=.1), n(64, 64, scale=.1), n(64, 10, scale=.1)], n(8, 16, 32), i(10, 8, 16), jnp.float32(1024)")
@row("[n(32, 16, scale=.1), n(16, 10, scale=.1)], n(4, 8, 32), i(10, 4, 8), jnp.float32(64)")
def accumulated_in_halves(layers, x, labels, scale):
    """Gradients of micro batches in bfloat16 with a loss scale, added in f32; the step is left out if one is not finite."""
    def loss(layers, x, labels):
        h = x.astype("bfloat16")
        for w in layers[:-1]:
            h = nn.relu(h @ w.astype("bfloat16"))
        logits = (h @ layers[-1].astype("bfloat16")).astype("float32")
        return -jnp.take_along_axis(nn.log_softmax(logits), labels[:, None], 1).mean() * scale
    def add(total, batch):
        value, g = jax.value_and_grad(loss)(layers, *batch)
        return jax.tree.map(jnp.add, total, g), value
    total, values = lax.scan(add, jax.tree.map(jnp.zeros_like, layers), (x, labels))
    g = jax.tree.map(lambda t: t / (scale * x.shape[0]), total)
    good = jnp.stack([jnp.isfinite(w).all() for w in g]).all()
    return jax.tree.map(lambda w, d: jnp.where(good, w - 0.1 * d, w), layers, g), values / scale, jnp.where(good, scale, scale / 2)


ROWS = [
    "lambda t, x, k: t[x] * 27 ** .5 * random.bernoulli(k, .9, x.shape + (27,)) / .9 @@ n(211, 27), i(211, 9, 33), key",
    "grad(lambda t, x: nn.gelu(t[x].mean(1)) ** 2) @@ n(3000, 32), i(3000, 64, 20)",
    "vmap(lambda x, w: nn.standardize(nn.celu(x @ w), axis=-1), (None, 0)) @@ n(16, 20), n(10, 20, 30)",
    "lambda q, k, v, m: nn.dot_product_attention(q, k, v, mask=m > 0) @@ n(2, 33, 3, 16), n(2, 57, 3, 16), n(2, 57, 3, 16), i(4, 2, 1, 33, 57)",
    "lambda x: nn.glu(nn.log_sigmoid(x), 1) + nn.squareplus(x[:, ::2]) @@ n(130, 64)",
    "lambda a, b: jax.tree.map(lambda x, y: .995 * x + .005 * y.astype('float32'), a, b)"
    " @@ [n(300, 100), n(100), n(7)], [n(300, 100).astype('bfloat16'), n(100).astype('bfloat16'), n(7).astype('bfloat16')]",
]
