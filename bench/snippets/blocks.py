"""blocks.py: functions that snippets of the long tail call: blocks of models, decoding, learning, as users write them
from papers. Arrays are jax.Array; a docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random


# ---- language ---------------------------------------------------------------------------------------------------------

def llama_layer(x, wq, wk, wv, wo, w1, w2, w3, heads=8, groups=2):
    """x (tokens, width): attention with grouped keys, rotary positions of interleaved pairs, and a gated layer."""
    def normed(x):
        return x * lax.rsqrt(jnp.mean(jnp.square(x), -1, keepdims=True) + 1e-6)

    def rotated(x):
        t, h, d = x.shape
        angle = jnp.outer(jnp.arange(t), 1e4 ** (-jnp.arange(0, d, 2) / d))[:, None]
        even, odd = x[..., ::2], x[..., 1::2]
        turned = even * jnp.cos(angle) - odd * jnp.sin(angle), even * jnp.sin(angle) + odd * jnp.cos(angle)
        return jnp.stack(turned, -1).reshape(t, h, d)

    t, width = x.shape
    d = width // heads
    h = normed(x)
    q, k = rotated((h @ wq).reshape(t, heads, d)), rotated((h @ wk).reshape(t, groups, d))
    v = (h @ wv).reshape(t, groups, d)
    k, v = jnp.repeat(k, heads // groups, 1), jnp.repeat(v, heads // groups, 1)
    scores = jnp.einsum("qhd,khd->hqk", q, k) / jnp.sqrt(d)
    scores = jnp.where(jnp.tril(jnp.ones((t, t), bool)), scores, -jnp.inf)
    x = x + jnp.einsum("hqk,khd->qhd", nn.softmax(scores), v).reshape(t, width) @ wo
    h = normed(x)
    return x + (nn.silu(h @ w1) * (h @ w3)) @ w2


def cached_step(q, k, v, keys, values, at):
    """One token of a batch: q (b, h, d), k and v (b, g, d), caches (b, tokens, g, d), positions `at` (b,)."""
    keys = jax.vmap(lambda c, k, i: lax.dynamic_update_slice(c, k[None], (i, 0, 0)))(keys, k, at)
    values = jax.vmap(lambda c, v, i: lax.dynamic_update_slice(c, v[None], (i, 0, 0)))(values, v, at)
    b, h, d = q.shape
    grouped = q.reshape(b, keys.shape[2], -1, d)
    scores = jnp.einsum("bgrd,btgd->bgrt", grouped, keys) * d**-0.5
    seen = jnp.arange(keys.shape[1]) <= at[:, None]
    weight = nn.softmax(jnp.where(seen[:, None, None], scores, -1e30))
    return jnp.einsum("bgrt,btgd->bgrd", weight, values).reshape(b, h, d), keys, values


def paged_attention(q, pages, table, lengths):
    """q (b, d); pages (count, size, d) hold keys and values; table (b, pages of a sequence)."""
    kv = pages[table].reshape(q.shape[0], -1, q.shape[1])
    scores = jnp.einsum("bd,btd->bt", q, kv)
    return jnp.einsum("bt,btd->bd", nn.softmax(jnp.where(jnp.arange(kv.shape[1]) < lengths[:, None], scores, -1e9)), kv)


def speculative(key, target, draft, tokens):
    """Accepts draft tokens: target and draft (steps, vocabulary) probabilities, tokens (steps,)."""
    steps = jnp.arange(tokens.shape[0])
    p, q = target[steps, tokens], draft[steps, tokens]
    accepted = jnp.cumprod(random.uniform(key, p.shape) < p / q)
    count = accepted.sum()
    rest = jnp.maximum(target - draft, 0)[jnp.minimum(count, steps[-1])]
    return count, random.categorical(key, jnp.log(rest / rest.sum() + 1e-20))


def min_p(key, logits, p=0.05):
    probability = nn.softmax(logits)
    kept = probability >= p * probability.max(-1, keepdims=True)
    return random.categorical(key, jnp.where(kept, logits, -jnp.inf))


def repetition_penalty(logits, history, penalty=1.2):
    """logits (b, vocabulary), history (b, tokens)."""
    rows = jnp.arange(logits.shape[0])[:, None]
    score = logits[rows, history]
    return logits.at[rows, history].set(jnp.where(score < 0, score * penalty, score / penalty))


def beam_step(scores, log_p, width=4):
    """scores (b, width), log_p (b, width, vocabulary)."""
    total = (scores[..., None] + log_p).reshape(scores.shape[0], -1)
    best, index = lax.top_k(total, width)
    return best, index // log_p.shape[-1], index % log_p.shape[-1]


def mixtral(x, gate, w1, w2, w3):
    """x (tokens, width), w1 and w3 (experts, width, hidden); each token goes to two experts, all are computed."""
    weight, index = lax.top_k(x @ gate, 2)
    mask = (nn.one_hot(index, gate.shape[1]) * nn.softmax(weight)[..., None]).sum(1)
    hidden = nn.silu(jnp.einsum("td,edh->teh", x, w1)) * jnp.einsum("td,edh->teh", x, w3)
    return jnp.einsum("teh,ehd,te->td", hidden, w2, mask)


def switch_dispatch(x, gate, capacity=16):
    """Buffers of `capacity` tokens for each expert, with a cumulative sum for the places."""
    chosen = nn.one_hot(jnp.argmax(x @ gate, -1), gate.shape[1])
    place = (jnp.cumsum(chosen, 0) - 1) * chosen
    dispatch = chosen[..., None] * nn.one_hot(place.astype("int32"), capacity) * (place < capacity)[..., None]
    return jnp.einsum("tec,td->ecd", dispatch, x)


def rwkv(r, k, v, w, u):
    """The WKV recurrence in its numerically safe form: all (tokens, width), w and u (width,)."""
    def step(state, inputs):
        a, b, p = state
        k, v = inputs
        q = jnp.maximum(p, u + k)
        e1, e2 = jnp.exp(p - q), jnp.exp(u + k - q)
        out = (e1 * a + e2 * v) / (e1 * b + e2)
        q = jnp.maximum(p - w, k)
        e1, e2 = jnp.exp(p - w - q), jnp.exp(k - q)
        return (e1 * a + e2 * v, e1 * b + e2, q), out
    start = (jnp.zeros_like(w), jnp.zeros_like(w), jnp.full_like(w, -1e38))
    return nn.sigmoid(r) * lax.scan(step, start, (k, v))[1]


def mamba(x, w_in, conv, w_x, a_log, w_out, states=8):
    """x (tokens, width): short causal convolution, selective states by an associative scan, gate."""
    h, z = jnp.split(x @ w_in, 2, -1)
    padded = jnp.pad(h, ((3, 0), (0, 0)))
    h = nn.silu(sum(padded[i:i + h.shape[0]] * conv[i] for i in range(4)))
    b, c, dt = jnp.split(h @ w_x, [states, 2 * states], -1)
    dt = nn.softplus(dt)
    decay = jnp.exp(dt[..., None] * -jnp.exp(a_log))
    drive = dt[..., None] * b[:, None] * h[..., None]
    _, s = lax.associative_scan(lambda l, r: (l[0] * r[0], l[1] * r[0] + r[1]), (decay, drive))
    return (jnp.einsum("tds,ts->td", s, c) * nn.silu(z)) @ w_out


def retention(q, k, v, decay=0.97):
    t = jnp.arange(q.shape[0])
    distance = t[:, None] - t
    return (q @ k.T * jnp.where(distance >= 0, decay**distance, 0)) @ v


def delta_rule(q, k, v, beta):
    """Fast weights: q, k, v (tokens, d), beta (tokens,)."""
    def step(s, inputs):
        q, k, v, b = inputs
        s = s + b * jnp.outer(v - s @ k, k)
        return s, s @ q
    return lax.scan(step, jnp.zeros((v.shape[1], k.shape[1])), (q, k, v, beta))[1]


def hyena(x, kernel):
    """A long convolution by FFT: x and kernel (tokens, width)."""
    n = 2 * x.shape[0]
    return jnp.fft.irfft(jnp.fft.rfft(x, n, 0) * jnp.fft.rfft(kernel, n, 0), n, 0)[:x.shape[0]]


def relative_bias(tokens, table, buckets=32, far=128):
    """T5: table (buckets, heads) to (heads, tokens, tokens)."""
    d = jnp.arange(tokens)[:, None] - jnp.arange(tokens)
    half = buckets // 2
    near = half // 2
    large = near + (jnp.log(jnp.maximum(abs(d), 1) / near) / jnp.log(far / near) * (half - near)).astype("int32")
    bucket = jnp.where(d < 0, half, 0) + jnp.where(abs(d) < near, abs(d), jnp.minimum(large, half - 1))
    return table[bucket].transpose(2, 0, 1)


# ---- images, graphs, generation ----------------------------------------------------------------------------------------

def vit_block(x, wqkv, wo, w1, w2, heads=4):
    """x (batch, tokens, width)."""
    b, t, d = x.shape
    h = nn.standardize(x)
    q, k, v = jnp.moveaxis((h @ wqkv).reshape(b, t, 3, heads, -1), 2, 0)
    weight = nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / (d // heads) ** 0.5)
    x = x + jnp.einsum("bhqk,bkhd->bqhd", weight, v).reshape(b, t, d) @ wo
    return x + nn.gelu(nn.standardize(x) @ w1) @ w2


def window_attention(x, size=4):
    """x (h, w, width): attention within shifted windows."""
    h, w, d = x.shape
    x = jnp.roll(x, (-size // 2, -size // 2), (0, 1))
    x = x.reshape(h // size, size, w // size, size, d).transpose(0, 2, 1, 3, 4).reshape(-1, size * size, d)
    x = nn.softmax(x @ x.transpose(0, 2, 1) / d**0.5) @ x
    x = x.reshape(h // size, w // size, size, size, d).transpose(0, 2, 1, 3, 4).reshape(h, w, d)
    return jnp.roll(x, (size // 2, size // 2), (0, 1))


def conv_nhwc(x, w, stride=1, groups=1):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                    feature_group_count=groups)


def convnext(x, depthwise, w1, w2, scale):
    h = nn.standardize(conv_nhwc(x, depthwise, groups=x.shape[-1]))
    return x + scale * (nn.gelu(h @ w1) @ w2)


def squeeze_excite(x, w1, w2):
    return x * nn.sigmoid(nn.relu(x.mean((1, 2)) @ w1) @ w2)[:, None, None]


def unet(x, down, mid, up, t):
    """x (b, h, w, c): one level with a skip connection and a sinusoidal embedding of the time t (b,)."""
    angle = t[:, None] * jnp.exp(-jnp.arange(8) * 0.9)
    embedding = jnp.concatenate([jnp.sin(angle), jnp.cos(angle)], -1)
    h = nn.silu(conv_nhwc(x, down, 2)) + embedding[:, None, None]
    h = nn.silu(conv_nhwc(h, mid))
    h = jnp.repeat(jnp.repeat(h, 2, 1), 2, 2)
    return conv_nhwc(jnp.concatenate([h, x], -1), up)


def ddpm_step(key, x, noise, t, betas):
    alpha = jnp.cumprod(1 - betas)
    mean = (x - betas[t] / jnp.sqrt(1 - alpha[t]) * noise) / jnp.sqrt(1 - betas[t])
    return jnp.where(t > 0, mean + jnp.sqrt(betas[t]) * random.normal(key, x.shape), mean)


def ddim(x, w, steps=20):
    """A sampler with a linear model of noise: x (b, d), w (d, d)."""
    alpha = jnp.cos(jnp.linspace(0.05, 1.5, steps + 1)) ** 2

    def step(i, x):
        now, then = alpha[steps - i], alpha[steps - i - 1]
        noise = jnp.tanh(x @ w)
        clean = (x - jnp.sqrt(1 - now) * noise) / jnp.sqrt(now)
        return jnp.sqrt(then) * jnp.clip(clean, -1, 1) + jnp.sqrt(1 - then) * noise
    return lax.fori_loop(0, steps, step, x)


def vector_quantize(x, codes):
    """x (n, d), codes (k, d): with the straight-through gradient."""
    index = jnp.argmin((x * x).sum(-1, keepdims=True) - 2 * x @ codes.T + (codes * codes).sum(-1), -1)
    return x + lax.stop_gradient(codes[index] - x), jnp.bincount(index, length=codes.shape[0])


def elbo(key, x, encoder, decoder):
    mean, log_var = jnp.split(x @ encoder, 2, -1)
    z = mean + jnp.exp(0.5 * log_var) * random.normal(key, mean.shape)
    logits = nn.tanh(z) @ decoder
    likelihood = (nn.log_sigmoid(logits) * x + nn.log_sigmoid(-logits) * (1 - x)).sum(-1)
    return -(likelihood + 0.5 * (1 + log_var - mean**2 - jnp.exp(log_var)).sum(-1)).mean()


def message_passing(nodes, edges, senders, receivers, we, wn):
    """A graph network block with max aggregation and degrees."""
    edges = nn.relu(jnp.concatenate([edges, nodes[senders], nodes[receivers]], -1) @ we)
    largest = jax.ops.segment_max(edges, receivers, nodes.shape[0])
    degree = jax.ops.segment_sum(jnp.ones(len(senders)), receivers, nodes.shape[0])
    pooled = jnp.where(degree[:, None] > 0, largest, 0) / jnp.sqrt(degree + 1)[:, None]
    return nn.relu(jnp.concatenate([nodes, pooled], -1) @ wn), edges


def schnet(x, positions, senders, receivers, w1, w2):
    d = jnp.linalg.norm(positions[senders] - positions[receivers] + 1e-6, axis=-1)
    basis = jnp.exp(-10 * (d[:, None] - jnp.linspace(0, 3, w1.shape[0])) ** 2)
    cut = 0.5 * (jnp.cos(jnp.pi * d / 3) + 1) * (d < 3)
    weight = nn.softplus(basis @ w1) @ w2 * cut[:, None]
    return x + jax.ops.segment_sum(x[senders] * weight, receivers, x.shape[0])


def nerf_encode(x, bands=6):
    scaled = x[..., None, :] * 2.0 ** jnp.arange(bands)[:, None]
    return jnp.concatenate([x, jnp.sin(scaled).reshape(*x.shape[:-1], -1), jnp.cos(scaled).reshape(*x.shape[:-1], -1)], -1)


def volume_render(density, colour, deltas):
    """density and deltas (rays, samples), colour (rays, samples, 3)."""
    alpha = 1 - jnp.exp(-nn.relu(density) * deltas)
    passed = jnp.cumprod(jnp.concatenate([jnp.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], 1), 1)[:, :-1]
    return ((alpha * passed)[..., None] * colour).sum(1)


# ---- learning ----------------------------------------------------------------------------------------------------------

def triplet(a, p, n, margin=0.2):
    return nn.relu(((a - p) ** 2).sum(-1) - ((a - n) ** 2).sum(-1) + margin).mean()


def hardest_triplet(x, labels, margin=0.2):
    d = jnp.sqrt(jnp.maximum(((x[:, None] - x[None]) ** 2).sum(-1), 1e-12))
    same = labels[:, None] == labels
    return nn.relu(jnp.max(jnp.where(same, d, 0), 1) - jnp.min(jnp.where(same, 1e9, d), 1) + margin).mean()


def arc_face(x, w, labels, margin=0.5, scale=64.0):
    cosine = (x / jnp.linalg.norm(x, axis=1, keepdims=True)) @ (w / jnp.linalg.norm(w, axis=0))
    angle = jnp.arccos(jnp.clip(cosine, -1 + 1e-6, 1 - 1e-6))
    hot = nn.one_hot(labels, w.shape[1])
    return -(nn.log_softmax(scale * jnp.cos(angle + margin * hot)) * hot).sum(1).mean()


def dice(logits, target):
    p = nn.sigmoid(logits)
    return 1 - (2 * (p * target).sum((1, 2)) + 1) / (p.sum((1, 2)) + target.sum((1, 2)) + 1)


def barlow_twins(a, b):
    a, b = ((v - v.mean(0)) / v.std(0) for v in (a, b))
    c = a.T @ b / a.shape[0]
    on = jnp.diagonal(c)
    return ((on - 1) ** 2).sum() + 0.005 * ((c**2).sum() - (on**2).sum())


def ppo(log_p, old, advantage, value, target):
    ratio = jnp.exp(log_p - old)
    policy = -jnp.minimum(ratio * advantage, jnp.clip(ratio, 0.8, 1.2) * advantage).mean()
    return policy + 0.5 * ((value - target) ** 2).mean()


def v_trace(values, rewards, rhos, discount=0.99):
    clipped = jnp.minimum(rhos, 1)
    following = jnp.append(values[1:], values[-1])
    deltas = clipped * (rewards + discount * following - values)
    def back(total, inputs):
        delta, c = inputs
        total = delta + discount * c * total
        return total, total
    return values + lax.scan(back, 0.0, (deltas, clipped), reverse=True)[1]


def quantile_huber(predicted, target):
    """Distributional learning: both (batch, quantiles)."""
    tau = (jnp.arange(predicted.shape[1]) + 0.5) / predicted.shape[1]
    d = target[:, None, :] - predicted[:, :, None]
    huber = jnp.where(abs(d) <= 1, 0.5 * d * d, abs(d) - 0.5)
    return (abs(tau[:, None] - (d < 0)) * huber).mean(2).sum(1).mean()


def categorical_projection(p, rewards, low=-10.0, high=10.0, discount=0.99):
    """C51: p (batch, atoms), rewards (batch,)."""
    atoms = p.shape[1]
    support = jnp.linspace(low, high, atoms)
    place = (jnp.clip(rewards[:, None] + discount * support, low, high) - low) / ((high - low) / (atoms - 1))
    weight = jnp.clip(1 - abs(place[:, None, :] - jnp.arange(atoms)[:, None]), 0, 1)
    return (weight * p[:, None]).sum(-1)


def puct(visits, values, prior):
    """Scores of children in a tree search: all (batch, actions)."""
    total = visits.sum(-1, keepdims=True)
    return jnp.argmax(values / (visits + 1) + 1.25 * prior * jnp.sqrt(total) / (1 + visits), -1)


def rms_prop(p, g, s):
    s = 0.9 * s + 0.1 * g * g
    return p - 1e-3 * g / jnp.sqrt(s + 1e-8), s


def lamb(p, g, m, v):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    update = m / (1 - 0.9**7) / (jnp.sqrt(v / (1 - 0.999**7)) + 1e-6) + 0.01 * p
    trust = jnp.linalg.norm(p) / jnp.linalg.norm(update)
    return p - 1e-3 * jnp.where(trust > 0, trust, 1.0) * update, m, v


def shampoo(g, left, right):
    def root(a):
        values, vectors = jnp.linalg.eigh(a + 1e-4 * jnp.eye(a.shape[0]))
        return (vectors * values**-0.25) @ vectors.T
    left, right = left + g @ g.T, right + g.T @ g
    return root(left) @ g @ root(right), left, right


def sam(w, x, y, rho=0.05):
    def loss(w):
        return ((nn.tanh(x @ w) - y) ** 2).mean()
    g = jax.grad(loss)(w)
    return w - 0.1 * jax.grad(loss)(w + rho * g / jnp.linalg.norm(g))


def sophia(w, x, y, key):
    """A Hutchinson estimate of the Hessian's diagonal."""
    def loss(w):
        return -nn.log_softmax(x @ w)[jnp.arange(len(y)), y].mean()
    u = random.rademacher(key, w.shape, "float32")
    g, hu = jax.jvp(jax.grad(loss), (w,), (u,))
    return w - 0.01 * jnp.clip(g / jnp.maximum(abs(u * hu), 1e-6), -1, 1)


def mlp_training(w1, w2, x, y, steps=20):
    def loss(w):
        return ((nn.relu(x @ w[0]) @ w[1] - y) ** 2).mean()
    def step(state, _):
        w, m = state
        value, g = jax.value_and_grad(loss)(w)
        m = jax.tree.map(lambda m, g: 0.9 * m + g, m, g)
        return (jax.tree.map(lambda w, m: w - 0.01 * m, w, m), m), value
    start = (w1, w2)
    return lax.scan(step, (start, jax.tree.map(jnp.zeros_like, start)), None, steps)[1]


def maml(w, x, y):
    """x (tasks, examples, d), y (tasks, examples): an inner step for each task, gradient through it."""
    def loss(w, x, y):
        return ((jnp.tanh(x @ w).sum(-1) - y) ** 2).mean()
    def outer(w):
        return jax.vmap(lambda x, y: loss(w - 0.1 * jax.grad(loss)(w, x, y), x, y))(x, y).mean()
    return jax.grad(outer)(w)


def evolution(key, w, f, count=64):
    noise = random.normal(key, (count, *w.shape))
    fitness = jax.vmap(lambda e: f(w + 0.1 * e))(noise)
    rank = jnp.argsort(jnp.argsort(fitness)) / (count - 1) - 0.5
    return w + 0.05 * jnp.tensordot(rank, noise, 1)
