"""training.py: functions that snippets of the long tail call: decoding, layers, losses and optimizers, as users of JAX write
them in their own projects. Arrays are jax.Array; a docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
import optax
from jax import lax, nn, random


# ---- language models ---------------------------------------------------------------------------------------------------

def decode_layer(x, cache_k, cache_v, position, wq, wk, wv, wo):
    """A token a sequence: x (batch, width), caches (batch, length, heads, size), position a scalar."""
    batch, length, heads, size = cache_k.shape
    split = lambda w: (x @ w).reshape(batch, 1, heads, size)
    cache_k = lax.dynamic_update_slice(cache_k, split(wk), (0, position, 0, 0))
    cache_v = lax.dynamic_update_slice(cache_v, split(wv), (0, position, 0, 0))
    scores = jnp.einsum("bqhd,bkhd->bhqk", split(wq), cache_k) / size**0.5
    scores = jnp.where(jnp.arange(length) <= position, scores, -jnp.inf)
    out = jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(scores), cache_v).reshape(batch, -1) @ wo
    return x + out, cache_k, cache_v


def greedy_loop(table, w, first, steps=12):
    """A tiny recurrent model that reads its own output: table (words, width), w (width, width)."""
    def step(carry, _):
        h, token = carry
        h = jnp.tanh(h @ w + table[token])
        token = jnp.argmax(h @ table.T, -1)
        return (h, token), token
    h = jnp.zeros((first.shape[0], table.shape[1]))
    return lax.scan(step, (h, first), length=steps)[0][0]


def half_rotary(x, theta=500000.0):
    """Rotates pairs of halves: x (batch, time, heads, size)."""
    size = x.shape[-1]
    rates = theta ** (-jnp.arange(0, size, 2) / size)
    angles = jnp.arange(x.shape[1])[:, None] * rates
    cos, sin = jnp.cos(angles)[:, None], jnp.sin(angles)[:, None]
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def complex_rotary(x):
    """Rotates neighbouring pairs as complex numbers: x (time, heads, size)."""
    pairs = lax.complex(x[..., ::2], x[..., 1::2])
    rates = 10000.0 ** (-jnp.arange(x.shape[-1] // 2) / (x.shape[-1] // 2))
    turned = pairs * jnp.exp(1j * jnp.outer(jnp.arange(x.shape[0]), rates))[:, None]
    return jnp.stack([turned.real, turned.imag], -1).reshape(x.shape)


def soft_capped(q, k, v, cap=30.0, window=16):
    """Attention as in Gemma 2: capped scores in a sliding window; (batch, time, heads, size)."""
    scores = jnp.einsum("bthd,bshd->bhts", q, k) * q.shape[-1] ** -0.5
    scores = jnp.tanh(scores / cap) * cap
    t = jnp.arange(q.shape[1])
    mask = (t[:, None] >= t) & (t[:, None] - t < window)
    return jnp.einsum("bhts,bshd->bthd", nn.softmax(jnp.where(mask, scores, -2e38)), v)


def sink_attention(q, k, v, sink):
    """A learned sink logit a head, as in gpt-oss: (time, heads, size), sink (heads)."""
    scores = jnp.einsum("thd,shd->hts", q, k) / q.shape[-1] ** 0.5
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape[1:], bool)), scores, -1e9)
    column = jnp.broadcast_to(sink[:, None, None], scores.shape[:2] + (1,))
    weights = nn.softmax(jnp.concatenate([scores, column], -1))[..., :-1]
    return jnp.einsum("hts,shd->thd", weights, v)


def latent_attention(x, down, up_k, up_v, wq, heads=4):
    """Multi-head latent attention: keys and values from one short latent; x (time, width)."""
    latent = x @ down
    split = lambda y: y.reshape(y.shape[0], heads, -1).swapaxes(0, 1)
    q, k, v = split(x @ wq), split(latent @ up_k), split(latent @ up_v)
    weights = nn.softmax(q @ k.swapaxes(1, 2) / q.shape[-1] ** 0.5)
    return (weights @ v).swapaxes(0, 1).reshape(x.shape[0], -1)


def chunked_attention(q, k, v, chunk=32):
    """Online softmax over chunks of the keys: (time, size)."""
    def step(carry, block):
        top, total, out = carry
        scores = q @ block[0].T / q.shape[-1] ** 0.5
        new = jnp.maximum(top, scores.max(-1))
        weights, scale = jnp.exp(scores - new[:, None]), jnp.exp(top - new)
        return (new, total * scale + weights.sum(-1), out * scale[:, None] + weights @ block[1]), None
    blocks = k.reshape(-1, chunk, k.shape[-1]), v.reshape(-1, chunk, v.shape[-1])
    start = jnp.full(q.shape[0], -jnp.inf), jnp.zeros(q.shape[0]), jnp.zeros((q.shape[0], v.shape[-1]))
    _, total, out = lax.scan(step, start, blocks)[0]
    return out / total[:, None]


def typical(key, logits, mass=0.9):
    """Locally typical sampling: logits (batch, words)."""
    log_p = nn.log_softmax(logits)
    entropy = -(jnp.exp(log_p) * log_p).sum(-1, keepdims=True)
    distance = jnp.abs(-log_p - entropy)
    order = jnp.argsort(distance, -1)
    covered = jnp.cumsum(jnp.take_along_axis(jnp.exp(log_p), order, -1), -1)
    last = jnp.sum(covered < mass, -1, keepdims=True)
    limit = jnp.take_along_axis(jnp.take_along_axis(distance, order, -1), last, -1)
    return random.categorical(key, jnp.where(distance > limit, -jnp.inf, log_p))


def block_fp8(x, w, block=32):
    """A product of operands scaled by blocks of the contracted dimension to float8_e4m3fn: x (m, k), w (k, n)."""
    def scaled(a):
        a = a.reshape(a.shape[0], -1, block)
        scale = jnp.abs(a).max(-1, keepdims=True) / 448.0 + 1e-12
        return (a / scale).astype(jnp.float8_e4m3fn), scale
    (a, s), (b, t) = scaled(x), scaled(w.T)
    return jnp.einsum("mgk,ngk,mg,ng->mn", a.astype("bfloat16"), b.astype("bfloat16"), s[..., 0], t[..., 0])


def weight_only_int8(x, w, scale):
    """x (m, k) bfloat16, w (k, n) int8, scale (n)."""
    return (x @ w.astype(x.dtype)) * scale.astype(x.dtype)


def dynamic_int8(x, w):
    """Rows of x quantized on the fly: x (m, k), w (k, n) int8."""
    scale = jnp.abs(x).max(-1, keepdims=True) / 127.0
    q = jnp.round(x / scale).astype("int8")
    return lax.dot(q, w, preferred_element_type=jnp.int32) * scale


def lora(x, w, a, b, alpha=16.0):
    return x @ w + (x @ a) @ b * (alpha / a.shape[1])


def expert_choice(x, gate, w1, w2, capacity=24):
    """Experts choose their tokens: x (tokens, width), gate (width, experts), w1 (experts, width, hidden)."""
    scores = nn.softmax(x @ gate, -1).T
    weight, chosen = lax.top_k(scores, capacity)
    y = jnp.einsum("ecd,edh->ech", x[chosen], w1)
    y = jnp.einsum("ech,ehd->ecd", nn.gelu(y), w2) * weight[..., None]
    return jnp.zeros_like(x).at[chosen.reshape(-1)].add(y.reshape(-1, x.shape[1]))


def multi_token_loss(h, table, tokens, ahead=3):
    """Predicts several tokens ahead from each place: h (time, width), table (words, width)."""
    log_p = nn.log_softmax(h @ table.T)
    losses = [-jnp.take_along_axis(log_p[:-k], tokens[k:, None], 1).mean() for k in range(1, ahead + 1)]
    return sum(losses) / ahead


def chunked_cross_entropy(h, table, labels, chunk=16):
    """The loss of a large vocabulary by chunks of tokens, rematerialized: h (time, width)."""
    @jax.checkpoint
    def part(h, labels):
        logits = h @ table.T
        return (nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, labels[:, None], 1)[:, 0]).sum()
    blocks = h.reshape(-1, chunk, h.shape[1]), labels.reshape(-1, chunk)
    return lax.scan(lambda s, b: (s + part(*b), None), 0.0, blocks)[0] / h.shape[0]


def preference_loss(chosen, rejected, reference_chosen, reference_rejected, beta=0.1):
    return -nn.log_sigmoid(beta * ((chosen - reference_chosen) - (rejected - reference_rejected))).mean()


def group_advantage(rewards, log_p, old, mask):
    """GRPO: rewards (prompts, samples), the others (prompts, samples, time)."""
    a = (rewards - rewards.mean(1, keepdims=True)) / (rewards.std(1, keepdims=True) + 1e-4)
    ratio = jnp.exp(log_p - old)
    gain = jnp.minimum(ratio * a[..., None], jnp.clip(ratio, 0.8, 1.2) * a[..., None])
    return -(gain * mask).sum() / mask.sum()


# ---- layers and losses -------------------------------------------------------------------------------------------------

def minimal_gru(x, w, u):
    """Parallel by an associative scan: x (time, width)."""
    z, h = nn.sigmoid(x @ w), x @ u
    combine = lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1])
    return lax.associative_scan(combine, (1 - z, z * h))[1]


def peephole(x, w, p, hidden=24):
    """An LSTM whose gates see the cell: x (time, batch, width), w (width + hidden, 4 hidden), p (3, hidden)."""
    def step(carry, x):
        h, c = carry
        i, f, g, o = jnp.split(jnp.concatenate([x, h], -1) @ w, 4, -1)
        c = nn.sigmoid(f + p[0] * c) * c + nn.sigmoid(i + p[1] * c) * jnp.tanh(g)
        h = nn.sigmoid(o + p[2] * c) * jnp.tanh(c)
        return (h, c), h
    zero = jnp.zeros((x.shape[1], hidden))
    return lax.scan(step, (zero, zero), x)[1]


def causal_tcn(x, kernels):
    """Dilated causal convolutions with residuals: x (batch, time, width), kernels (levels, 3, width, width)."""
    for level in range(kernels.shape[0]):
        y = lax.conv_general_dilated(
            x, kernels[level], (1,), [(2 * 2**level, 0)], rhs_dilation=(2**level,), dimension_numbers=("NWC", "WIO", "NWC")
        )
        x = x + nn.relu(y)
    return x


def instance_norm(x, scale, offset):
    """x (batch, height, width, channels)."""
    mean, var = x.mean((1, 2), keepdims=True), x.var((1, 2), keepdims=True)
    return (x - mean) * lax.rsqrt(var + 1e-5) * scale + offset


def weight_standardized(x, w):
    """A convolution (NHWC) by a standardized kernel (HWIO)."""
    w = (w - w.mean((0, 1, 2))) / (w.std((0, 1, 2)) + 1e-5)
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def spectral_norm(w, u, steps=3):
    for _ in range(steps):
        v = w.T @ u
        v = v / jnp.linalg.norm(v)
        u = w @ v
        u = u / jnp.linalg.norm(u)
    return w / (u @ w @ v)


def residual_block(x, w1, w2, skip):
    """ResNet's basic block with a stride, NCHW: x (batch, c, h, w), w1 (d, c, 3, 3), w2 (d, d, 3, 3), skip (d, c, 1, 1)."""
    conv = lambda x, w, s: lax.conv_general_dilated(x, w, (s, s), "SAME")
    norm = lambda x: (x - x.mean((0, 2, 3), keepdims=True)) / jnp.sqrt(x.var((0, 2, 3), keepdims=True) + 1e-5)
    return nn.relu(norm(conv(nn.relu(norm(conv(x, w1, 2))), w2, 1)) + norm(conv(x, skip, 2)))


def inverted_bottleneck(x, expand, depth, project):
    """MobileNet's block, NHWC: depth (3, 3, 1, hidden)."""
    conv = lambda x, w, g=1: lax.conv_general_dilated(
        x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=g
    )
    y = jnp.clip(conv(x, expand), 0, 6)
    return x + conv(jnp.clip(conv(y, depth, depth.shape[-1]), 0, 6), project)


def mixer(x, t1, t2, c1, c2):
    """MLP-Mixer's block: x (batch, patches, channels)."""
    y = jnp.swapaxes(x, 1, 2)
    x = x + jnp.swapaxes(nn.gelu(y @ t1) @ t2, 1, 2)
    return x + nn.gelu(x @ c1) @ c2


def fourier_layer(x, w):
    """A Fourier neural operator's layer: x (batch, n, channels), w (modes, channels, channels) complex."""
    z = jnp.fft.rfft(x, axis=1)
    low = jnp.einsum("bmi,mio->bmo", z[:, : w.shape[0]], w)
    return jnp.fft.irfft(jnp.zeros_like(z).at[:, : w.shape[0]].set(low), n=x.shape[1], axis=1)


def kan_layer(x, coefficients, grid):
    """Cubic B-splines on each edge: x (batch, in), coefficients (in, out, bases), grid (bases + 4)."""
    x = x[..., None]
    b = ((x >= grid[:-1]) & (x < grid[1:])).astype(x.dtype)
    for k in range(1, 4):
        left = (x - grid[: -k - 1]) / (grid[k:-1] - grid[: -k - 1])
        right = (grid[k + 1 :] - x) / (grid[k + 1 :] - grid[1:-k])
        b = left * b[..., :-1] + right * b[..., 1:]
    return jnp.einsum("bik,iok->bo", b, coefficients)


def real_nvp(x, w1, w2, layers=4):
    """Affine couplings; returns the log density: x (batch, even), w1 (layers, half, hidden), w2 (layers, hidden, 2 half)."""
    total = 0.0
    for k in range(layers):
        a, b = jnp.split(x, 2, -1)
        s, t = jnp.split(jnp.tanh(a @ w1[k]) @ w2[k], 2, -1)
        x = jnp.concatenate([b * jnp.exp(jnp.tanh(s)) + t, a], -1)
        total = total + jnp.tanh(s).sum(-1)
    return total - 0.5 * (x * x).sum(-1)


def neural_ode(w1, w2, y, steps=20, h=0.05):
    """Heun's method through a small network: y (batch, d)."""
    f = lambda y: jnp.tanh(y @ w1) @ w2
    def step(y, _):
        k = f(y)
        return y + h / 2 * (k + f(y + h * k)), None
    return lax.scan(step, y, length=steps)[0]


def physics_informed(w1, w2, points):
    """The residual of Burgers' equation for u(t, x) by nested derivatives: points (n, 2)."""
    u = lambda t, x: (jnp.tanh(jnp.stack([t, x]) @ w1) @ w2)[0]
    def residual(p):
        t, x = p
        u_x = jax.grad(u, 1)
        return jax.grad(u, 0)(t, x) + u(t, x) * u_x(t, x) - 0.01 * jax.grad(u_x, 1)(t, x)
    return (jax.vmap(residual)(points) ** 2).mean()


def contrastive_supervised(z, labels, temperature=0.1):
    """z (batch, d)."""
    z = z / jnp.linalg.norm(z, axis=-1, keepdims=True)
    same = (labels[:, None] == labels) & ~jnp.eye(len(labels), dtype=bool)
    logits = jnp.where(jnp.eye(len(labels), dtype=bool), -jnp.inf, z @ z.T / temperature)
    log_p = jnp.where(same, nn.log_softmax(logits), 0.0)
    return -(log_p.sum(1) / jnp.maximum(same.sum(1), 1)).mean()


def lovasz(logits, labels):
    """The Lovász hinge: both (pixels)."""
    signs = 2.0 * labels - 1
    errors = 1 - logits * signs
    order = jnp.argsort(-errors)
    truth = labels[order]
    left = truth.sum() - jnp.cumsum(truth)
    union = truth.sum() + jnp.cumsum(1 - truth)
    jaccard = 1 - left / union
    return nn.relu(errors[order]) @ jnp.diff(jaccard, prepend=0.0)


def spearman_loss(x, y, strength=10.0):
    """Soft ranks by sigmoids of all pairs: (n)."""
    soft = lambda v: nn.sigmoid(strength * (v[:, None] - v)).sum(1)
    a, b = soft(x), soft(y)
    a, b = a - a.mean(), b - b.mean()
    return -(a * b).sum() / jnp.sqrt((a * a).sum() * (b * b).sum())


def maximum_mean_discrepancy(x, y, widths=(0.5, 1.0, 2.0, 4.0)):
    def kernel(a, b):
        d = (a * a).sum(1)[:, None] + (b * b).sum(1) - 2 * a @ b.T
        return sum(jnp.exp(-d / (2 * w)) for w in widths).mean()
    return kernel(x, x) + kernel(y, y) - 2 * kernel(x, y)


# ---- training ----------------------------------------------------------------------------------------------------------

def optax_steps(optimizer, w1, w2, x, y, steps=8):
    """A two-layer regression by an optimizer of optax."""
    loss = lambda p: ((nn.silu(x @ p["a"]) @ p["b"] - y) ** 2).mean()
    p = {"a": w1, "b": w2}
    def step(carry, _):
        p, state = carry
        updates, state = optimizer.update(jax.grad(loss)(p), state, p)
        return (optax.apply_updates(p, updates), state), None
    return lax.scan(step, (p, optimizer.init(p)), length=steps)[0][0]["a"]


def one_update(optimizer, *leaves):
    """One update of a list of arrays whose gradients are their sines."""
    p = list(leaves)
    updates, _ = optimizer.update([jnp.sin(x) for x in p], optimizer.init(p), p)
    return optax.apply_updates(p, updates)


def hessian_free(w, x, y, steps=8):
    """Conjugate gradients on Hessian-vector products of a logistic loss: w (d), x (n, d)."""
    gradient = jax.grad(lambda w: -nn.log_sigmoid(y * (x @ w)).mean() + 0.05 * (w @ w))
    product = lambda v: jax.jvp(gradient, (w,), (v,))[1]
    return w - jax.scipy.sparse.linalg.cg(product, gradient(w), maxiter=steps)[0]


def per_example_clipped(w1, w2, x, y, most=1.0):
    """Gradients of single examples, clipped, as for differential privacy."""
    loss = lambda w, x, y: ((jnp.tanh(x @ w[0]) @ w[1] - y) ** 2).sum()
    grads = jax.vmap(jax.grad(loss), (None, 0, 0))((w1, w2), x, y)
    norms = jnp.sqrt(sum((g * g).sum((1, 2)) for g in grads))
    factor = jnp.minimum(1.0, most / norms)
    return [jnp.einsum("b,bij->ij", factor, g) / x.shape[0] for g in grads]


def tangent_kernel(w1, w2, x):
    """The empirical neural tangent kernel of a two-layer network: x (n, d)."""
    f = lambda w, x: (jnp.tanh(x @ w[0]) @ w[1])[0]
    jacobian = jax.vmap(lambda x: jax.grad(f)((w1, w2), x))(x)
    flat = jnp.concatenate([j.reshape(x.shape[0], -1) for j in jacobian], 1)
    return flat @ flat.T


def stochastic_average(key, w, x, y, steps=30, batch=16):
    """SGD on random batches with an exponential moving average of the weights: w (d), x (n, d)."""
    def step(carry, key):
        w, mean = carry
        at = random.randint(key, (batch,), 0, x.shape[0])
        w = w - 0.05 * jax.grad(lambda w: ((x[at] @ w - y[at]) ** 2).mean())(w)
        return (w, 0.95 * mean + 0.05 * w), None
    return lax.scan(step, (w, w), random.split(key, steps))[0][1]


def gumbel_straight_through(key, logits, temperature=0.7):
    soft = nn.softmax((logits + random.gumbel(key, logits.shape)) / temperature)
    hard = nn.one_hot(jnp.argmax(soft, -1), logits.shape[-1])
    return hard + soft - lax.stop_gradient(soft)


def augment(key, images):
    """Random flip, crop and colour of each image: images (batch, height, width, 3)."""
    def one(key, x):
        k1, k2, k3 = random.split(key, 3)
        x = jnp.where(random.bernoulli(k1), x[:, ::-1], x)
        x = jnp.pad(x, ((4, 4), (4, 4), (0, 0)), mode="reflect")
        at = random.randint(k2, (2,), 0, 9)
        x = lax.dynamic_slice(x, (at[0], at[1], 0), images.shape[1:])
        gain = random.uniform(k3, (3,), minval=0.8, maxval=1.2)
        return jnp.clip((x - x.mean()) * gain + x.mean(), -3, 3)
    return jax.vmap(one)(random.split(key, images.shape[0]), images)


def temporal_difference(values, rewards, done, discount=0.99, mix=0.95):
    """Lambda returns backwards: all (time, batch)."""
    def step(g, row):
        v, r, d = row
        g = r + discount * (1 - d) * ((1 - mix) * v + mix * g)
        return g, g
    return lax.scan(step, values[-1], (values, rewards, done), reverse=True)[1]


def squashed_policy(key, mean, log_std):
    """Soft actor-critic's action and its log probability: (batch, actions)."""
    log_std = jnp.clip(log_std, -5, 2)
    noise = random.normal(key, mean.shape)
    raw = mean + jnp.exp(log_std) * noise
    log_p = (-0.5 * noise**2 - log_std - 0.919).sum(-1) - (2 * (jnp.log(2.0) - raw - nn.softplus(-2 * raw))).sum(-1)
    return jnp.tanh(raw) * log_p[:, None]
