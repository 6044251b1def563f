"""blind_further.py: rows of the long tail written before any of them was measured (snippets.py): more of what
blind_workflows.py, blind_numerics.py and blind_devices.py are about."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- embeddings and recommendation -----------------------------------------------------------------------------------

@row("n(800, 20), n(800, 20, seed=1), n(12, 20), i(800, 300), i(12, 300), i(800, 300)[::-1], i(800, 300, 8)",
     "jax.value_and_grad({0}, (0, 1, 2))")
def rotate_knowledge_graph(real, imaginary, phase, head, relation, tail, corrupted):
    entity = lax.complex(real, imaginary)
    turn = jnp.exp(1j * phase)[relation]
    distance = lambda t: jnp.sqrt(jnp.abs(entity[head][:, None] * turn[:, None] - t) ** 2 + 1e-6).sum(-1)
    good, bad = distance(entity[tail][:, None])[:, 0], distance(entity[corrupted])
    weight = lax.stop_gradient(nn.softmax(-bad, -1))
    return -(nn.log_sigmoid(9 - good) + (weight * nn.log_sigmoid(bad - 9)).sum(-1)).mean()


# ---- energies, memories, unusual networks ----------------------------------------------------------------------------

@row("random.key(1), n(100, 64, scale=.1), n(100), n(64), (n(50, 100) > 0).astype('float32')")
def contrastive_divergence_of_five(key, w, b, c, v0):
    def gibbs(v, key):
        k1, k2 = random.split(key)
        h = random.bernoulli(k1, nn.sigmoid(v @ w + c)).astype(jnp.float32)
        p = nn.sigmoid(h @ w.T + b)
        return random.bernoulli(k2, p).astype(jnp.float32), p
    v, p = lax.scan(gibbs, v0, random.split(key, 5))
    h0, h = nn.sigmoid(v0 @ w + c), nn.sigmoid(v @ w + c)
    return w + 0.01 * (v0.T @ h0 - v.T @ h) / 50, b + 0.01 * (v0 - v).mean(0), c + 0.01 * (h0 - h).mean(0), p[-1]


@row("n(40, 12, 24), n(24, 24, scale=.3), n(24, scale=.3), i(13, 40)", "jax.value_and_grad({0}, (1, 2))")
def pointer_network_sorts(encoded, w, v, length):
    """Points at each element once; the mask grows by the elements chosen."""
    ok = jnp.arange(12) < jnp.maximum(length, 2)[:, None]
    order = jnp.argsort(jnp.where(ok, encoded[..., 0], jnp.inf), axis=1)
    def step(s, target):
        free, query, loss = s
        logits = jnp.where(free, jnp.tanh(encoded @ w + query[:, None]) @ v, -1e9)
        at = jnp.arange(40)
        live = ok[at, target]
        loss = loss - jnp.where(live, nn.log_softmax(logits)[at, target], 0).sum()
        free = jnp.where(live[:, None], free.at[at, target].set(False), free)
        return (free, encoded[at, target], loss), None
    return lax.scan(step, (ok, encoded.mean(1), 0.0), order.T)[0][2] / ok.sum()


@row("n(16, 60, 10), n(10, 24, scale=.3), n(24, 24, scale=.2), jnp.abs(n(24)) + .5")
@row("n(16, 60, 10), n(10, 24, scale=.3), n(24, 24, scale=.2), jnp.abs(n(24)) + .5", "grad({0}, (1, 2, 3))")
def liquid_time_constants(x, w, u, tau):
    def cell(h, x):
        def fused(_, h):
            f = nn.sigmoid(x @ w + h @ u)
            return (h + 0.2 * f) / (1 + 0.2 * (1 / tau + f))
        h = lax.fori_loop(0, 4, fused, h)
        return h, h
    return lax.scan(cell, jnp.zeros((16, 24)), x.swapaxes(0, 1))[1].mean(0)


@row("n(12, 200, 48), n(48, 144, scale=.1)")
def quasi_recurrent_with_zoneout(x, w):
    z, f, o = jnp.split(x @ w, 3, -1)
    f = nn.sigmoid(f) * 0.9
    combine = lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1])
    c = lax.associative_scan(combine, (f, (1 - f) * jnp.tanh(z)), axis=1)[1]
    return nn.sigmoid(o) * c


# ---- quantizers and self-supervision ---------------------------------------------------------------------------------

@row("n(500, 24), n(64, 24, seed=1), jnp.abs(n(64)) + 1, n(64, 24, seed=1)")
def codebook_moved_by_averages(z, code, count, total):
    index = jnp.argmin((code * code).sum(-1) - 2 * z @ code.T, -1)
    hot = nn.one_hot(index, 64)
    count = 0.99 * count + 0.01 * hot.sum(0)
    total = 0.99 * total + 0.01 * hot.T @ z
    smooth = (count + 1e-5) / (count.sum() + 64e-5) * count.sum()
    p = hot.mean(0)
    quantized = z + lax.stop_gradient(code[index] - z)
    commitment = 0.25 * ((z - code[index]) ** 2).mean()
    return total / smooth[:, None], quantized, commitment, jnp.exp(-(p * jnp.log(p + 1e-9)).sum())


@row("n(96, 64), n(96, 64, seed=1), n(30, 64)", "jax.value_and_grad({0}, (0, 1, 2))")
def swapped_assignments(first, second, prototypes):
    unit = lambda x: x / jnp.linalg.norm(x, axis=-1, keepdims=True)
    c = unit(prototypes)
    s, t = unit(first) @ c.T, unit(second) @ c.T
    def codes(scores):
        q = jnp.exp(scores / 0.05 - 20)
        for _ in range(3):
            q = q / q.sum(0) / 30
            q = q / q.sum(1, keepdims=True) / 96
        return lax.stop_gradient(q * 96)
    return -0.5 * (codes(s) * nn.log_softmax(t / 0.1) + codes(t) * nn.log_softmax(s / 0.1)).sum(-1).mean()


@row("random.key(0), n(16, 64, 48), n(48, 48, scale=.2)", "jax.value_and_grad({0}, 2)")
def masked_autoencoder_loss(key, patches, w):
    order = jnp.argsort(random.uniform(key, (16, 64)), axis=1)
    back = jnp.argsort(order, axis=1)
    seen = jnp.take_along_axis(patches, order[:, :16, None], 1)
    hidden = jnp.tanh(seen @ w)
    full = jnp.concatenate([hidden, jnp.broadcast_to(hidden.mean(1, keepdims=True), (16, 48, 48))], 1)
    out = jnp.take_along_axis(full, back[..., None], 1) @ w.T
    mask = (back >= 16).astype(jnp.float32)
    target = (patches - patches.mean(-1, keepdims=True)) / (patches.std(-1, keepdims=True) + 1e-3)
    return (((out - target) ** 2).mean(-1) * mask).sum() / mask.sum()


@row("n(32, 48), n(32, 48, seed=1), n(1024, 48), jnp.int32(960)")
def momentum_queue_contrast(query, key, queue, at):
    q, k, queue = (x / jnp.linalg.norm(x, axis=-1, keepdims=True) for x in (query, key, queue))
    logits = jnp.concatenate([(q * k).sum(-1, keepdims=True), q @ queue.T], 1) / 0.2
    queue = lax.dynamic_update_slice(queue, k, (at, 0))
    return -nn.log_softmax(logits)[:, 0].mean(), queue, (at + 32) % 1024, (logits.argmax(-1) == 0).mean()


# ---- losses ----------------------------------------------------------------------------------------------------------

@row("n(80, 30), i(12, 80)", "jax.value_and_grad({0})")
def circle_loss(x, label):
    x = x / jnp.linalg.norm(x, axis=-1, keepdims=True)
    s, same, eye = x @ x.T, label[:, None] == label, jnp.eye(80, dtype=bool)
    good = jnp.where(same & ~eye, -64 * nn.relu(1.25 - lax.stop_gradient(s)) * (s - 0.75), -jnp.inf)
    bad = jnp.where(~same, 64 * nn.relu(lax.stop_gradient(s) + 0.25) * (s - 0.25), -jnp.inf)
    has = (same & ~eye).any(1)
    a = nn.logsumexp(jnp.where(has[:, None], good, 0.0), 1)
    return jnp.where(has, nn.softplus(a + nn.logsumexp(bad, 1)), 0).mean()


@row("n(20, 30), i(5, 20, 30)", "jax.grad({0})")
def lambda_rank_pairs(scores, gain):
    rank = jnp.argsort(jnp.argsort(-scores, axis=1), axis=1)
    discount = 1 / jnp.log2(2.0 + rank)
    g = 2.0**gain - 1
    ideal = (jnp.sort(g, 1)[:, ::-1] / jnp.log2(2.0 + jnp.arange(30))).sum(1)
    weight = jnp.abs((g[:, :, None] - g[:, None]) * (discount[:, :, None] - discount[:, None])) / ideal[:, None, None]
    pair = nn.softplus(-(scores[:, :, None] - scores[:, None]))
    return jnp.where(gain[:, :, None] > gain[:, None], lax.stop_gradient(weight) * pair, 0).sum()


@row("n(400, 15), n(400), jnp.array([.05, .25, .5, .75, .95])", "jax.value_and_grad(lambda x, *r: {0}(x[:, :5], *r))")
def quantiles_without_crossing(out, y, q):
    at = out[:, :1] + jnp.concatenate([jnp.zeros((400, 1)), jnp.cumsum(nn.softplus(out[:, 1:]), 1)], 1)
    error = y[:, None] - at
    return jnp.maximum(q * error, (q - 1) * error).sum(1).mean()


@row("n(20, 300), n(300)", "jax.value_and_grad({0})")
@row("n(20, 300), n(300)")
def ensemble_ranked_probability_score(members, truth):
    m = members.shape[0]
    x = jnp.sort(members, 0)
    weight = (2 * jnp.arange(1, m + 1) - m - 1) / (m * m)
    return (jnp.abs(members - truth).mean(0) - (weight[:, None] * x).sum(0)).mean()


@row("n(50, 24), n(50, 24, seed=1), i(30, 50, 24)", "jax.value_and_grad({0}, (0, 1))")
def negative_binomial_forecast(mean, dispersion, count):
    mu, r = nn.softplus(mean) + 1e-3, 1 / (nn.softplus(dispersion) + 1e-2)
    ll = jax.scipy.special.gammaln(count + r) - jax.scipy.special.gammaln(r) - jax.scipy.special.gammaln(count + 1.0)
    return -(ll + r * jnp.log(r / (r + mu)) + count * jnp.log(mu / (r + mu))).mean()


@row("n(128, 80), (n(128, 80, seed=1) > 1)", "jax.value_and_grad({0})")
@row("n(128, 80, dtype='bfloat16'), (n(128, 80, seed=1) > 1)", "jax.value_and_grad({0})")
def asymmetric_multi_label(logits, y):
    p = nn.sigmoid(logits)
    q = jnp.minimum(1 - p + 0.05, 1)
    focus = jnp.where(y, (1 - p) ** 1, (1 - q) ** 4)
    return -(lax.stop_gradient(focus) * jnp.where(y, jnp.log(p + 1e-6), jnp.log(q + 1e-6))).sum(-1).mean()


# ---- augmentation ----------------------------------------------------------------------------------------------------

@row("random.split(random.key(5), 24), i(256, 24, 32, 32, 3).astype('uint8')", "vmap({0})")
def two_random_operations(key, x):
    """Operations on bytes, picked by switch: invert, solarize add, fewer colors, shear by rolls, grid mask, channel swap."""
    y, c = jnp.arange(32)[:, None, None], jnp.arange(32)[None, :, None]
    choices = [
        lambda x, m: 255 - x,
        lambda x, m: jnp.where(x < 128, jnp.minimum(x.astype(jnp.int32) + m, 255).astype(jnp.uint8), x),
        lambda x, m: x & jnp.uint8(0xE0),
        lambda x, m: jnp.take_along_axis(x, jnp.broadcast_to((c + y * m // 64) % 32, x.shape), 1),
        lambda x, m: jnp.where(((y // 4) + (c // 4)) % 2 == m % 2, 0, x).astype(jnp.uint8),
        lambda x, m: jnp.roll(x, m, 2),
    ]
    for k in random.split(key):
        k1, k2 = random.split(k)
        x = lax.switch(random.randint(k1, (), 0, 6), choices, x, random.randint(k2, (), 0, 110))
    return x


# ---- tokens and masks ------------------------------------------------------------------------------------------------

@row("i(30000, 128, 256), i(80, 128) + 60, i(80, 128) + 150")
def fill_in_the_middle(tokens, a, b):
    """Prefix, suffix, middle with three markers, by gathers."""
    def one(t, a, b):
        k = jnp.arange(259)
        suffix_size = 256 - b
        source = jnp.where(k < a + 1, k - 1, jnp.where(k < a + 2 + suffix_size, b + k - a - 2, a + k - a - 3 - suffix_size))
        out = t[jnp.clip(source, 0, 255)]
        return out.at[jnp.stack([0, a + 1, a + 2 + suffix_size])].set(jnp.array([30000, 30001, 30002]))
    return jax.vmap(one)(tokens, a, b)


@row("random.key(0), n(2, 4, 256, 16), n(2, 4, 256, 16, seed=1), n(2, 4, 256, 16, seed=2)")
def block_sparse_random_attention(key, q, k, v):
    blocks = lambda x: x.reshape(2, 4, 16, 16, 16)
    q, k, v = blocks(q), blocks(k), blocks(v)
    at = jnp.arange(16)
    other = random.randint(key, (16, 2), 0, 16)
    pick = jnp.concatenate([jnp.stack([at * 0, (at - 1) % 16, at, (at + 1) % 16], 1), other], 1)
    kk, vv = (x[:, :, pick].reshape(2, 4, 16, 96, 16) for x in (k, v))
    return jnp.einsum("bhnqk,bhnkd->bhnqd", nn.softmax(jnp.einsum("bhnqd,bhnkd->bhnqk", q, kk) / 4), vv)


@row("i(26, 30, 12), jnp.sort(i(1 << 20, 3000)).astype('uint32')")
def word_pieces_by_longest_match(word, vocabulary):
    """Rolling hash of each piece looked up in a sorted table; the longest known piece wins."""
    def one(w):
        def step(s):
            at, out, k = s
            c = jnp.where(jnp.arange(12) >= at, w + 1, 0).astype(jnp.uint32)
            h = lax.associative_scan(lambda a, b: (a * 31 + b) & jnp.uint32(0xFFFFF), c)
            found = vocabulary[jnp.clip(jnp.searchsorted(vocabulary, h), 0, 2999)] == h
            length = jnp.max(jnp.where((found | (h % 7 == 0)) & (jnp.arange(12) >= at), jnp.arange(12) - at + 1, 1))
            return at + length, out.at[k].set(length), k + 1
        return lax.while_loop(lambda s: s[0] < 12, step, (0, jnp.zeros(12, jnp.int32), 0))[1:]
    return jax.vmap(one)(word)


@row("i(1000, 200, 120), i(1000, 12), i(120, 200) + 1")
def bm25_scores(documents, query, length):
    ok = jnp.arange(120) < length[:, None]
    frequency = ((documents[:, None] == query[:, None]) & ok[:, None]).sum(-1)
    having = (frequency > 0).sum(0)
    idf = jnp.log(1 + (200 - having + 0.5) / (having + 0.5))
    score = (idf * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / length.mean())[:, None])).sum(1)
    return lax.top_k(score, 10)


# ---- sketches --------------------------------------------------------------------------------------------------------

@row("i(1 << 30, 50000).astype('uint32')")
def distinct_by_leading_zeros(x):
    x = (x ^ x >> 16) * jnp.uint32(0x85EBCA6B)
    x = (x ^ x >> 13) * jnp.uint32(0xC2B2AE35)
    x = x ^ x >> 16
    rank = lax.clz(x << 8 | 128).astype(jnp.int32) + 1
    register = jnp.zeros(256, jnp.int32).at[x >> 24].max(rank)
    raw = 0.7213 / (1 + 1.079 / 256) * 256**2 / jnp.sum(2.0 ** -register.astype(jnp.float32))
    empty = (register == 0).sum()
    return jnp.where((raw < 640) & (empty > 0), 256 * jnp.log(256 / jnp.maximum(empty, 1)), raw)


# ---- time series -----------------------------------------------------------------------------------------------------

@row("n(8, 300), n(3, scale=.2), n(2, scale=.2)", "lambda y, a, b: jax.value_and_grad({0}, (1, 2))(y, a, b)")
def moving_average_residuals(y, ar, ma):
    def one(y):
        def step(s, v):
            past, error = s
            e = v - past @ ar - error @ ma
            return (jnp.roll(past, 1).at[0].set(v), jnp.roll(error, 1).at[0].set(e)), e
        return (lax.scan(step, (jnp.zeros(3), jnp.zeros(2)), y)[1] ** 2).mean()
    return jax.vmap(one)(y).mean()


# ---- speech ----------------------------------------------------------------------------------------------------------

@row("n(6, 40, 100)", "vmap({0})")
def monotonic_alignment(value):
    """The best monotone path of text over frames and the durations it gives."""
    text, frames = value.shape
    def forward(q, v):
        stay, move = q, jnp.concatenate([jnp.full(1, -1e9), q[:-1]])
        return v + jnp.maximum(stay, move), move > stay
    start = jnp.full(text, -1e9).at[0].set(value[0, 0])
    q, moved = lax.scan(forward, start, value[:, 1:].T)
    def backward(at, m):
        return at - m[at].astype(jnp.int32), at
    first, path = lax.scan(backward, text - 1, moved, reverse=True)
    return q[-1], jnp.bincount(jnp.concatenate([first[None], path]), length=text)


@row("n(8, 30, 64), i(9, 8, 30)")
def expanded_by_durations(hidden, duration):
    def one(h, d):
        end = jnp.cumsum(d)
        at = jnp.searchsorted(end, jnp.arange(160), side="right")
        return jnp.where((jnp.arange(160) < end[-1])[:, None], h[jnp.clip(at, 0, 29)], 0), end[-1]
    return jax.vmap(one)(hidden, duration)


@row("n(4, 50, 32), n(32, scale=.3), n(11, 32, scale=.2), n(4, 20, 32)")
def location_sensitive_attention(memory, v, kernel, queries):
    def step(s, q):
        weights, total = s
        f = jax.vmap(lambda c: jnp.stack([jnp.convolve(c, kernel[:, k], mode="same") for k in range(4)], -1))(total)
        e = jnp.tanh(memory + q[:, None] + jnp.pad(f, ((0, 0), (0, 0), (0, 28)))) @ v
        w = nn.softmax(e)
        return (w, total + w), jnp.einsum("bt,btd->bd", w, memory)
    zero = jnp.zeros((4, 50))
    return lax.scan(step, (zero, zero), queries.swapaxes(0, 1))[1]


# ---- graphs ----------------------------------------------------------------------------------------------------------

@row("n(300, 20), i(300, 1500), i(300, 1500)[::-1], n(240, 20, scale=.1)")
@row("n(300, 20), i(300, 1500), i(300, 1500)[::-1], n(240, 20, scale=.1)", "grad({0}, (0, 3))")
def principal_aggregation(x, source, target, w):
    """Four aggregators times three scalers by degree."""
    m = x[source]
    count = jax.ops.segment_sum(jnp.ones(1500), target, 300)
    c = jnp.maximum(count, 1)[:, None]
    mean = jax.ops.segment_sum(m, target, 300) / c
    spread = jnp.sqrt(nn.relu(jax.ops.segment_sum(m * m, target, 300) / c - mean**2) + 1e-5)
    high = jnp.where(count[:, None] > 0, jax.ops.segment_max(m, target, 300), 0)
    low = jnp.where(count[:, None] > 0, jax.ops.segment_min(m, target, 300), 0)
    all_four = jnp.concatenate([mean, spread, high, low], 1)
    scale = jnp.log(count + 1)[:, None] / 1.7
    return jnp.concatenate([all_four, all_four * scale, all_four / jnp.maximum(scale, 0.4)], 1) @ w


@row("n(200, 16), i(200, 1200), i(200, 1200)[::-1], i(9, 1200), n(4, 16, 16, scale=.2), n(9, 4)")
def relational_convolution_of_bases(x, source, target, relation, basis, share):
    weight = jnp.einsum("rb,bio->rio", share, basis)
    count = jnp.zeros((200, 9)).at[target, relation].add(1.0)
    message = jnp.einsum("rio,ni->rno", weight, x)[relation, source] / count[target, relation][:, None]
    return nn.relu(jnp.zeros((200, 16)).at[target].add(message) + x @ basis[0])


@row("n(60, 3), n(60, 16), i(60, 500), i(60, 500)[::-1], n(33, 16, scale=.2), n(16, scale=.1)")
@row("n(60, 3), n(60, 16), i(60, 500), i(60, 500)[::-1], n(33, 16, scale=.2), n(16, scale=.1)", "jax.jacfwd({0}, 5)")
def equivariant_coordinates(x, h, source, target, w, v):
    gap = x[target] - x[source]
    m = nn.silu(jnp.concatenate([h[target], h[source], (gap**2).sum(-1, keepdims=True)], -1) @ w)
    x = x + jnp.zeros_like(x).at[target].add(gap * (m @ v)[:, None]) / 60
    return x, h + jnp.zeros_like(h).at[target].add(m)


@row("(n(90, 90) > 1.3).astype('float32')")
def positional_encodings_of_graph(a):
    a = jnp.maximum(a, a.T) * (1 - jnp.eye(90))
    d = jnp.maximum(a.sum(1), 1)
    walk = a / d[:, None]
    def step(p, _):
        p = p @ walk
        return p, jnp.diagonal(p)
    back = lax.scan(step, jnp.eye(90), None, length=16)[1].T
    w, v = jnp.linalg.eigh(jnp.eye(90) - a / jnp.sqrt(d[:, None] * d))
    return back, w[:9], jnp.abs(v[:, 1:9])


# ---- structures of proteins ------------------------------------------------------------------------------------------

@row("n(24, 50, 8), n(24, 50, 8, seed=1), n(64, 16, scale=.1)")
def outer_product_mean(a, b, w):
    return jnp.einsum("sic,sjd->ijcd", a, b).reshape(50, 50, 64) @ w / 24


# ---- agents ----------------------------------------------------------------------------------------------------------

@row("n(256, 17), n(23, 64, scale=.2), n(64, 1, scale=.2), n(17, 6, scale=.3), n(256, 6), n(256), random.key(0)",
     "lambda s, w, v, p, a, r, k: jax.value_and_grad({0}, (1, 2))(s, w, v, p, a, r, k)")
def twin_critics_with_smoothed_target(s, w, v, policy, a, reward, key):
    q = lambda w, s, a: (nn.relu(jnp.concatenate([s, a], -1) @ w) @ v)[:, 0]
    after = jnp.roll(s, 1, 0)
    noise = jnp.clip(0.2 * random.normal(key, a.shape), -0.5, 0.5)
    best = jnp.clip(jnp.tanh(after @ policy) + noise, -1, 1)
    target = reward + 0.99 * jnp.minimum(q(w, after, best), q(w * 0.9, after, best))
    return ((q(w, s, a) - lax.stop_gradient(target)) ** 2).mean()


@row("n(300, 8), n(300, 8, seed=1), i(8, 300), n(300)", "jax.value_and_grad({0})")
def conservative_expectile_critic(q, after, action, reward):
    chosen = jnp.take_along_axis(q, action[:, None], 1)[:, 0]
    gap = lax.stop_gradient(reward + 0.99 * after.max(1)) - chosen
    expectile = jnp.where(gap > 0, 0.7, 0.3) * gap**2
    return (expectile + 0.5 * (nn.logsumexp(q, 1) - chosen)).mean()


@row("random.key(4), n(48, 10), jnp.abs(n(48, 3)) * .01")
def population_exploits_and_explores(key, score, hyper):
    k1, k2, k3 = random.split(key, 3)
    rank = jnp.argsort(jnp.argsort(score.mean(1)))
    poor = rank < 10
    best = jnp.argsort(-score.mean(1))[:10]
    source = jnp.where(poor, best[random.randint(k1, (48,), 0, 10)], jnp.arange(48))
    factor = jnp.where(random.bernoulli(k2, 0.5, hyper.shape), 1.2, 0.8)
    fresh = jnp.exp(random.uniform(k3, hyper.shape, minval=-9.0, maxval=-2.0))
    new = jnp.where(poor[:, None], jnp.where(random.bernoulli(k3, 0.1, (48, 1)), fresh, hyper[source] * factor), hyper)
    return source, new


@row("random.key(0), n(16, 4, scale=.1)")
def policy_gradient_on_frozen_lake(key, logits):
    holes = jnp.zeros(16, bool).at[jnp.array([5, 7, 11, 12])].set(True)
    def episode(logits, key):
        def step(s, key):
            at, done, lp = s
            k1, k2 = random.split(key)
            a = random.categorical(k1, logits[at])
            slip = (a + random.randint(k2, (), -1, 2)) % 4
            y, x = at // 4, at % 4
            y = jnp.clip(y + jnp.array([0, 1, 0, -1])[slip], 0, 3)
            x = jnp.clip(x + jnp.array([-1, 0, 1, 0])[slip], 0, 3)
            new = jnp.where(done, at, y * 4 + x)
            lp = lp + jnp.where(done, 0.0, nn.log_softmax(logits[at])[a])
            return (new, done | holes[new] | (new == 15), lp), None
        at, _, lp = lax.scan(step, (0, False, 0.0), random.split(key, 30))[0]
        return lp, (at == 15).astype(jnp.float32)
    def loss(logits):
        lp, reward = jax.vmap(lambda k: episode(logits, k))(random.split(key, 64))
        return -(lp * lax.stop_gradient(reward - reward.mean())).mean()
    return jax.value_and_grad(loss)(logits)


# ---- optimizers ------------------------------------------------------------------------------------------------------

@row("n(50, 6), n(6, 3, scale=.2), n(50, 3), n(3)", "jax.grad({0}, (1, 3))")
def uncertainty_weighted_tasks(x, w, y, log_variance):
    each = ((x @ w - y) ** 2).mean(0)
    return (0.5 * jnp.exp(-log_variance) * each + 0.5 * log_variance).sum()


@row("n(200, 30), n(200), random.key(1)")
def variance_reduced_epochs(x, y, key):
    loss = lambda w, x, y: 0.5 * (x @ w - y) ** 2 + 0.01 * w @ w
    g = jax.grad(loss)
    def outer(w, key):
        full = jax.vmap(g, (None, 0, 0))(w, x, y).mean(0)
        def inner(v, j):
            return v - 0.01 * (g(v, x[j], y[j]) - g(w, x[j], y[j]) + full), None
        v = lax.scan(inner, w, random.randint(key, (100,), 0, 200))[0]
        return v, jnp.linalg.norm(full)
    return lax.scan(outer, jnp.zeros(30), random.split(key, 4))


@row("random.key(0), n(40)")
def simultaneous_perturbation(key, x):
    f = lambda x: jnp.sum(x**2 * jnp.arange(1, 41)) / 40 + jnp.sum(jnp.cos(3 * x))
    def step(x, s):
        key, t = s
        d = random.rademacher(key, (40,), jnp.float32)
        c = 0.1 / (t + 1) ** 0.101
        slope = (f(x + c * d) - f(x - c * d)) / (2 * c) * d
        x = x - 0.02 / (t + 11) ** 0.602 * slope
        return x, f(x)
    return lax.scan(step, x, (random.split(key, 200), jnp.arange(200.0)))


@row("n(1000, 256), n(1000, 4, seed=1), n(1000, 256, scale=.1)")
def power_compressed_gradient(g, q, error):
    g = g + error
    p = g.T @ q
    p = jnp.linalg.qr(p)[0]
    q = g @ p
    approx = q @ p.T
    return approx, g - approx, q


@row("n(10, 64, 12), n(10, 64), n(12, scale=.1)")
def federated_proximal_round(x, y, w):
    def client(x, y):
        def step(v, _):
            g = jax.grad(lambda v: ((x @ v - y) ** 2).mean() + 0.05 * ((v - w) ** 2).sum())(v)
            return v - 0.05 * g, None
        return lax.scan(step, w, None, length=20)[0]
    delta = jax.vmap(client)(x, y) - w
    norm = jnp.linalg.norm(delta, axis=1, keepdims=True)
    return w + (delta * jnp.minimum(1, 0.5 / norm)).mean(0)


# ---- matrices --------------------------------------------------------------------------------------------------------

@row("n(200, 200, scale=.05), n(200)")
@row("n(90, 90, scale=.05), n(90)", "jax.grad(lambda a, v: {0}(a, v).sum())")
def exponential_times_vector(a, v):
    """Taylor series with five substeps, no matrix is squared."""
    def substep(v, _):
        term, total = v, v
        for k in range(1, 9):
            term = a @ term * (0.2 / k)
            total = total + term
        return total, None
    return lax.scan(substep, v, None, length=5)[0]


@row("n(20, 6, 6, scale=.1), n(20, 6, 6, scale=.1, seed=1), n(20, 6, 6, scale=.1, seed=2), n(20, 6)")
@row("n(60, 2, 2, scale=.1), n(60, 2, 2, scale=.1, seed=1), n(60, 2, 2, scale=.1, seed=2), n(60, 2)",
     "grad({0}, (0, 1, 2, 3))")
def block_tridiagonal_solve(lower, middle, upper, right):
    middle = middle + jnp.eye(middle.shape[-1])
    def forward(s, x):
        c, d = s
        a, b, u, r = x
        m = b - a @ c
        s = jnp.linalg.solve(m, u), jnp.linalg.solve(m, r - a @ d)
        return s, s
    zero = jnp.zeros_like(middle[0]), jnp.zeros_like(right[0])
    _, (c, d) = lax.scan(forward, zero, (lower, middle, upper, right))
    back = lambda x, s: ((s[1] - s[0] @ x,) * 2)
    return lax.scan(back, zero[1], (c, d), reverse=True)[1]


@row("n(150, 60), n(150)")
@row("n(20, 40, 15), n(20, 40)", "vmap({0})")
def least_squares_by_bidiagonals(a, b):
    unit = lambda v: (lambda r: (v / (r + 1e-20), r))(jnp.linalg.norm(v))
    u, beta = unit(b)
    v, alpha = unit(a.T @ u)
    def step(_, s):
        x, w, u, v, alpha, phi, rho = s
        u, beta = unit(a @ v - alpha * u)
        v, alpha = unit(a.T @ u - beta * v)
        r = jnp.hypot(rho, beta)
        c, sn = rho / r, beta / r
        x = x + c * phi / r * w
        return x, v - sn * alpha / r * w, u, v, alpha, sn * phi, -c * alpha
    return lax.fori_loop(0, 20, step, (jnp.zeros(a.shape[1]), v, u, v, alpha, beta, alpha))[0]


# ---- embeddings of points --------------------------------------------------------------------------------------------

@row("n(120, 3)")
def locally_linear_weights(x):
    d = ((x[:, None] - x) ** 2).sum(-1) + 1e9 * jnp.eye(120)
    near = lax.top_k(-d, 8)[1]
    z = x[near] - x[:, None]
    gram = jnp.einsum("nid,njd->nij", z, z)
    gram = gram + 1e-2 * jnp.trace(gram, axis1=1, axis2=2)[:, None, None] * jnp.eye(8)
    w = jnp.linalg.solve(gram, jnp.ones((120, 8, 1)))[..., 0]
    w = w / w.sum(1, keepdims=True)
    m = jnp.eye(120).at[jnp.arange(120)[:, None], near].add(-w)
    return w, jnp.linalg.eigvalsh(m.T @ m)[:5]


# ---- sparse ----------------------------------------------------------------------------------------------------------

@row("n(400, 9), i(400, 400, 9), n(400)")
def gauss_seidel_in_four_colors(value, column, b):
    def color(x, k):
        new = (b - (value * 0.05 * x[column]).sum(1)) / 2
        return jnp.where(jnp.arange(400) % 4 == k, new, x), None
    return lax.scan(color, jnp.zeros(400), jnp.arange(40) % 4)[0]


@row("n(40, 8, 8), jnp.sort(i(20, 40)), i(20, 40), n(160, 24)")
def block_rows_times_dense(blocks, row_of, column_of, x):
    parts = jnp.einsum("kij,kjd->kid", blocks, x.reshape(20, 8, 24)[column_of])
    return jax.ops.segment_sum(parts, row_of, 20, indices_are_sorted=True).reshape(160, 24)


# ---- interpolation, quadrature, series -------------------------------------------------------------------------------

@row("jnp.sort(n(25)), n(25, 4), jnp.linspace(-1.5, 1.5, 700)")
def floater_hormann(x, y, at):
    k = jnp.arange(22)
    window = x[k[:, None] + jnp.arange(4)]
    gap = jnp.abs(window[:, :, None] - window[:, None]) + jnp.eye(4)
    part = 1 / (jnp.prod(gap, -1) + 1e-4)
    w = jnp.zeros(25).at[k[:, None] + jnp.arange(4)].add(part) * (-1.0) ** jnp.arange(25)
    d = at[:, None] - x
    c = w / jnp.where(d == 0, 1e-6, d)
    return c @ y / c.sum(1, keepdims=True)


@row("jnp.linspace(-1, 1, 60), jnp.tanh(5 * jnp.linspace(-1, 1, 60)) + .1 * jnp.linspace(-1, 1, 60)")
def adaptive_rational_approximation(z, f):
    """Support points are added where the error is largest; weights are the least singular vector."""
    def step(s, k):
        used, r = s
        used = used | (jnp.arange(60) == jnp.argmax(jnp.where(used, -1, jnp.abs(f - r))))
        d = z[:, None] - z
        c = jnp.where(used, 1 / jnp.where(d == 0, 1.0, d), 0)
        loewner = jnp.where(used[:, None], 0, (f[:, None] - f) * c)
        e, v = jnp.linalg.eigh(loewner.T @ loewner + jnp.diag(jnp.where(used, 0, 1e3)))
        w = jnp.where(used, v[:, 0], 0)
        below = c @ w
        return (used, jnp.where(used, f, c @ (w * f) / jnp.where(below == 0, 1, below))), jnp.abs(f - r).max()
    return lax.scan(step, (jnp.zeros(60, bool), jnp.full(60, f.mean())), jnp.arange(5))


@row("n(200, 9) / jnp.exp(jax.scipy.special.gammaln(jnp.arange(1., 10)))", "vmap({0})")
def pade_from_taylor(c):
    k = jnp.arange(4)
    at = 4 + k[:, None] - k
    q = jnp.linalg.lstsq(c[at] + 1e-3 * jnp.eye(4), -c[5:])[0]
    q = jnp.concatenate([jnp.ones(1), q])
    p = jnp.convolve(c, q)[:5]
    x = jnp.linspace(0, 1, 50)
    return jnp.polyval(p[::-1], x) / (jnp.abs(jnp.polyval(q[::-1], x)) + 0.1)


@row("jnp.abs(n(300)) + .2, jnp.arange(1, 33)")
def clenshaw_curtis_of_many(a, k):
    theta = jnp.pi * jnp.arange(33) / 32
    half = jnp.arange(1, 17)
    w = 1 - (jnp.cos(2 * jnp.outer(theta, half)) * jnp.where(half == 16, 1, 2) / (4 * half**2 - 1)).sum(1)
    w = w * jnp.where((theta == 0) | (jnp.arange(33) == 32), 1, 2) / 32
    return jnp.exp(-a[:, None] * jnp.cos(theta) ** 2) @ w, (1 / (1 + a[:, None] * k)).sum(1)


@row("jnp.arange(1, 3001)")
def halton_and_star_discrepancy(k):
    def radical(base):
        def digit(s, _):
            k, f, r = s
            return (k // base, f / base, r + f / base * (k % base)), None
        return lax.scan(digit, (k, jnp.ones(k.shape), jnp.zeros(k.shape)), None, length=12)[0][2]
    p = jnp.stack([radical(b) for b in (2, 3, 5)], 1)
    corner = p[:200]
    inside = (p[:, None] < corner).all(-1).mean(0)
    return p, jnp.abs(inside - corner.prod(1)).max()


# ---- special functions -----------------------------------------------------------------------------------------------

@row("lax.complex(jnp.abs(n(5000)) * 3, n(5000, seed=1) * 3)")
@row("lax.complex(jnp.abs(n(600)) * 3, n(600, seed=1) * 3)", "lambda z: jax.jvp({0}, (z,), (z,))[1]")
def complex_log_gamma(z):
    c = (676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
         -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7)
    total = 0.99999999999980993 + sum(v / (z + k) for k, v in enumerate(c))
    t = z + 6.5
    return 0.9189385332 + (z - 0.5) * jnp.log(t) - t + jnp.log(total)


@row("jnp.abs(n(4000)) * 5 + .1")
@row("jnp.abs(n(700)) * 5 + .1", "grad(lambda x: {0}(x)[0])")
def bessel_by_backward_recurrence(x):
    def step(s, k):
        up, now, total = s
        new = 2 * k / x * now - up
        total = total + jnp.where(k % 2 == 1, 0, 2) * now
        big = jnp.abs(new) > 1e6
        scale = jnp.where(big, 1e-6, 1.0)
        return (now * scale, new * scale, total * scale), (now, scale)
    first = (jnp.zeros_like(x), jnp.full_like(x, 1e-10), jnp.zeros_like(x))
    (j1, j0, total), _ = lax.scan(step, first, jnp.arange(30.0, 0, -1))
    return j0 / (total + j0), j1 / (total + j0)


@row("jnp.abs(n(2000)) * 3 + .5, jnp.abs(n(2000, seed=1)) * 3 + .5, nn.sigmoid(n(2000, seed=2))")
@row("jnp.abs(n(99)) * 3 + .5, jnp.abs(n(99, seed=1)) * 3 + .5, nn.sigmoid(n(99, seed=2))", "vmap({0})")
def incomplete_beta_by_continued_fraction(a, b, x):
    """Until every element has converged; mirrored where the fraction converges slowly."""
    flip = x > (a + 1) / (a + b + 2)
    a, b, x = jnp.where(flip, b, a), jnp.where(flip, a, b), jnp.where(flip, 1 - x, x)
    lg = jax.scipy.special.gammaln
    front = jnp.exp(lg(a + b) - lg(a) - lg(b) + a * jnp.log(x) + b * jnp.log1p(-x)) / a
    safe = lambda v: jnp.where(jnp.abs(v) < 1e-20, 1e-20, v)
    def step(s):
        c, d, h, _, m = s
        for even in (True, False):
            t = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) if even else \
                -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d, c = 1 / safe(1 + t * d), safe(1 + t / c)
            h = h * d * c
        return c, d, h, jnp.abs(d * c - 1).max(), m + 1
    d = 1 / safe(1 - (a + b) * x / (a + 1))
    h = lax.while_loop(lambda s: (s[3] > 1e-6) & (s[4] < 60), step, (jnp.ones_like(x), d, d, 1.0, 1.0))[2]
    return jnp.where(flip, 1 - front * h, front * h)


@row("jnp.linspace(0, 1, 400), jnp.linspace(0, 6.28, 400)")
def zernike_modes(r, angle):
    """All modes to radial degree six, by the explicit sums."""
    import math
    modes = []
    for n in range(7):
        for m in range(-n, n + 1, 2):
            k = abs(m)
            radial = sum((-1) ** s * math.factorial(n - s) / (math.factorial(s) * math.factorial((n + k) // 2 - s)
                         * math.factorial((n - k) // 2 - s)) * r ** (n - 2 * s) for s in range((n - k) // 2 + 1))
            modes.append(radial * (jnp.sin(k * angle) if m < 0 else jnp.cos(k * angle)))
    return jnp.stack(modes)


@row("n(1500)")
@row("n(300)", "vmap(jax.jacfwd({0}))")
def small_wigner_matrix(angle):
    """Degree two, from products of halves."""
    c, s = jnp.cos(angle), jnp.sin(angle)
    a, b = (1 + c) / 2, (1 - c) / 2
    q = 6**0.5 / 4 * s * s
    h = (1.5) ** 0.5 * s * c
    d = [[a * a, -s * a, q, -s * b, b * b], [s * a, a * (2 * c - 1), -h, b * (2 * c + 1), -s * b],
         [q, h, 1.5 * c * c - 0.5, -h, q], [s * b, b * (2 * c + 1), h, a * (2 * c - 1), -s * a],
         [b * b, s * b, q, s * a, a * a]]
    return jnp.stack([jnp.stack(line) for line in d])


@row("n(700), n(700, seed=1)")
def owens_function(h, a):
    x = jnp.array([0.0337652, 0.1693953, 0.3806904, 0.6193096, 0.8306047, 0.9662348])
    w = jnp.array([0.0856622, 0.1803808, 0.2339570, 0.2339570, 0.1803808, 0.0856622])
    t = a[:, None] * x
    return a * ((jnp.exp(-0.5 * h[:, None] ** 2 * (1 + t * t)) / (1 + t * t)) @ w) / (2 * jnp.pi)


# ---- differential equations ------------------------------------------------------------------------------------------

@row("n(12, scale=.5)")
@row("n(64, 12, scale=.5)", "vmap({0})")
def lorenz96_fourth_order_multistep(x):
    f = lambda x: (jnp.roll(x, -1) - jnp.roll(x, 2)) * jnp.roll(x, 1) - x + 8
    def start(x, _):
        k1 = f(x)
        k2 = f(x + 0.005 * k1)
        return x + 0.01 * k2, k1
    x, history = lax.scan(start, x, None, length=4)
    def step(s, _):
        x, h = s
        guess = x + 0.01 / 24 * (55 * h[3] - 59 * h[2] + 37 * h[1] - 9 * h[0])
        h = jnp.concatenate([h[1:], f(guess)[None]])
        x = x + 0.01 / 24 * (9 * h[3] + 19 * h[2] - 5 * h[1] + h[0])
        return (x, h.at[3].set(f(x))), x[0]
    return lax.scan(step, (x, history), None, length=200)


@row("jnp.array([1., 0., 0.])")
@row("jnp.abs(n(20, 3)) + .1", "vmap({0})")
@row("jnp.array([1., 0., 0.], dtype='float64')", double=True)
def backward_differences_with_newton(y):
    """A stiff reaction of three species, second order."""
    def f(y):
        a, b = 0.04 * y[0], 1e4 * y[1] * y[2]
        c = 3e3 * y[1] ** 2
        return jnp.array([b - a, a - b - c, c])
    jac = jax.jacfwd(f)
    eye = jnp.eye(3)
    def step(s, _):
        old, y = s
        def newton(_, z):
            r = z - 4 / 3 * y + 1 / 3 * old - 2 / 3 * 0.01 * f(z)
            return z - jnp.linalg.solve(eye - 2 / 3 * 0.01 * jac(z), r)
        return (y, lax.fori_loop(0, 3, newton, y)), y
    return lax.scan(step, (y, y), None, length=60)[1]


@row("n(4, scale=.3)")
@row("n(4, scale=.3)", "grad(lambda y: {0}(y)[0])")
def parallel_in_time(y):
    f = lambda y: jnp.concatenate([y[2:], -y[:2] * (1 + y[:2] ** 2)])
    coarse = lambda y: y + 0.25 * f(y + 0.125 * f(y))
    fine = lambda y: lax.scan(lambda y, _: (y + 0.0125 * f(y + 0.00625 * f(y)), None), y, None, length=20)[0]
    guess = lax.scan(lambda y, _: (coarse(y), y), y, None, length=16)[1]
    def sweep(u, _):
        jump = jax.vmap(fine)(u) - jax.vmap(coarse)(u)
        new = lax.scan(lambda y, j: (coarse(y) + j, y), y, jump)[1]
        return new, jnp.abs(new - u).max()
    return lax.scan(sweep, guess, None, length=4)


@row("n(30, scale=.2) + 1.")
def delayed_feedback_by_ring(x0):
    """Production from a delayed value; the ring holds the last hundred steps."""
    def step(s, t):
        ring, x = s
        late = ring[t % 100]
        new = x + 0.1 * (0.2 * late / (1 + late**10) - 0.1 * x)
        return (ring.at[t % 100].set(new), new), new.mean()
    return lax.scan(step, (jnp.broadcast_to(x0, (100, 30)), x0), jnp.arange(600))[1]


@row("n(200)")
@row("n(200)", "grad(lambda f: {0}(f)[0] ** 2)")
def half_derivative(f):
    """Weights by the binomial recurrence, then a causal product with a Toeplitz matrix and by transform."""
    w = jnp.cumprod(jnp.concatenate([jnp.ones(1), 1 - 1.5 / jnp.arange(1, 200)]))
    t = jnp.arange(200)
    direct = jnp.where(t[:, None] >= t, w[jnp.abs(t[:, None] - t)], 0) @ f
    fast = jnp.fft.irfft(jnp.fft.rfft(w, 400) * jnp.fft.rfft(f, 400), 400)[:200]
    return direct * 10, fast


@row("jnp.exp(-jnp.linspace(-5, 5, 256) ** 2)")
def fokker_planck_in_double_well(p):
    """A tridiagonal generator, implicit steps, entropies on the way."""
    x = jnp.linspace(-2, 2, 256)
    drift = lambda x: x - x**3
    h = x[1] - x[0]
    up = 0.3 / h**2 + jnp.maximum(drift(x), 0) / h
    down = 0.3 / h**2 + jnp.maximum(-drift(x), 0) / h
    up, down = up.at[-1].set(0.0), down.at[0].set(0.0)
    lower, upper = -0.05 * jnp.roll(up, 1).at[0].set(0), -0.05 * jnp.roll(down, -1).at[-1].set(0)
    middle = 1 + 0.05 * (up + down)
    def step(p, _):
        p = lax.linalg.tridiagonal_solve(lower, middle, upper, p[:, None])[:, 0]
        return p, -(p * jnp.log(jnp.maximum(p, 1e-12))).sum() * h
    return lax.scan(step, p / (p.sum() * h), None, length=30)


# ---- optimal transport -----------------------------------------------------------------------------------------------

@row("n(60, 3), n(50, 3, seed=1) + .5")
@row("n(60, 3), n(50, 3, seed=1) + .5", "jax.value_and_grad({0})")
def debiased_divergence_in_logs(x, y):
    def cost(x, y):
        c = ((x[:, None] - y) ** 2).sum(-1)
        def step(_, s):
            f, g = s
            f = -0.2 * nn.logsumexp((g - c) / 0.2 - jnp.log(float(y.shape[0])), axis=1)
            return f, -0.2 * nn.logsumexp((f[:, None] - c) / 0.2 - jnp.log(float(x.shape[0])), axis=0)
        zero = jnp.zeros(x.shape[0]), jnp.zeros(y.shape[0])
        f, g = lax.stop_gradient(lax.fori_loop(0, 15, step, zero))
        p = jnp.exp((f[:, None] + g - c) / 0.2) / c.size
        return (p * c).sum()
    return cost(x, y) - 0.5 * cost(x, x) - 0.5 * cost(y, y)


@row("jnp.abs(n(4, 32, 32)) + .01, jnp.abs(n(4)) + .1")
def barycenter_of_images(images, weight):
    images, weight = images / images.sum((1, 2), keepdims=True), weight / weight.sum()
    at = jnp.arange(32.0)
    k = jnp.exp(-((at[:, None] - at) ** 2) / 8)
    blur = lambda x: k @ x @ k
    def step(_, v):
        d = v * blur(images / blur(v))
        mean = jnp.exp(jnp.einsum("k,kij->ij", weight, jnp.log(d + 1e-30)))
        return v * mean / d
    v = lax.fori_loop(0, 12, step, jnp.ones((4, 32, 32)))
    return v[0] * blur(images[0] / blur(v[0]))


@row("n(30, 2), n(600, 2, seed=1), random.key(0)")
def semi_discrete_cells(sites, samples, key):
    def step(s, batch):
        w, mean, t = s
        cell = jnp.argmin(((batch[:, None] - sites) ** 2).sum(-1) - w, 1)
        w = w + 0.3 / jnp.sqrt(t) * (1 / 30 - jnp.bincount(cell, length=30) / 60)
        return (w, mean + (w - mean) / t, t + 1), None
    batches = random.choice(key, samples, (40, 60))
    return lax.scan(step, (jnp.zeros(30), jnp.zeros(30), 1.0), batches)[0][1]


@row("n(6, 20, scale=.3), n(20, 20, scale=.2), n(6, 20, scale=.2), n(20, scale=.3), n(80, 6)")
@row("n(6, 20, scale=.3), n(20, 20, scale=.2), n(6, 20, scale=.2), n(20, scale=.3), n(80, 6)",
     "jax.grad(lambda *p: jnp.sum({0}(*p) ** 2), (0, 1, 2))")
def gradient_map_of_convex_network(w0, w1, skip, out, x):
    def potential(x):
        h = nn.softplus(x @ w0)
        h = nn.softplus(h @ nn.relu(w1) + x @ skip)
        return h @ nn.relu(out) + 0.5 * x @ x
    return jax.vmap(jax.grad(potential))(x)


# ---- codes and ciphers -----------------------------------------------------------------------------------------------

@row("i(1 << 30, 500, 16).astype('uint32')")
def md5_blocks(block):
    k = jnp.floor(jnp.abs(jnp.sin(jnp.arange(1.0, 65))) * 65536).astype(jnp.uint32) * jnp.uint32(65537)
    shifts = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))
    words = ((1, 0), (5, 1), (3, 5), (7, 0))
    a, b, c, d = (jnp.full(500, v, jnp.uint32) for v in (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476))
    start = a, b, c, d
    for r in range(4):
        for j in range(16):
            f = (b & c | ~b & d, d & b | ~d & c, b ^ c ^ d, c ^ (b | ~d))[r]
            g = (words[r][0] * j + words[r][1]) % 16
            t = a + f + k[16 * r + j] + block[:, g]
            s = shifts[r][j % 4]
            a, b, c, d = d, b + (t << s | t >> 32 - s), b, c
    return jnp.stack([x + y for x, y in zip(start, (a, b, c, d))], 1)


@row("i(256, 3000, 3).astype('uint8'), i(255, 3000).astype('uint8') + 1")
def secret_shared_in_bytes(coefficients, at):
    """Products in the field of 256 elements by shifts; the polynomial's value at each holder's point."""
    def times(a, b):
        out = jnp.zeros_like(a)
        for _ in range(8):
            out = out ^ jnp.where(b & 1 == 1, a, 0).astype(jnp.uint8)
            a = (a << 1) ^ jnp.where(a >= 128, 0x1B, 0).astype(jnp.uint8)
            b = b >> 1
        return out
    value = coefficients[:, 2]
    for k in (1, 0):
        value = times(value, at) ^ coefficients[:, k]
    return value


@row("i(256, 100, 255)")
def reed_solomon_syndromes(word):
    """With tables of logarithms; sixteen syndromes of a hundred words."""
    def double(x, _):
        new = x << 1
        return jnp.where(new > 255, new ^ 0x11D, new), x
    exp = lax.scan(double, 1, None, length=255)[1]
    log = jnp.zeros(256, jnp.int32).at[exp].set(jnp.arange(255))
    power = jnp.outer(jnp.arange(16), 254 - jnp.arange(255)) % 255
    product = exp[(log[word][:, None] + power) % 255]
    return jnp.bitwise_xor.reduce(jnp.where(word[:, None] == 0, 0, product), axis=2)


@row("n(32, 96) * .8 + 1, i(96, 48, 6)")
def min_sum_decoding(channel, check):
    """A low-density code: 48 checks of 6 bits each, ten rounds of messages."""
    def round_of(message, _):
        total = channel + jnp.zeros((32, 96)).at[:, check].add(message)
        v = total[:, check] - message
        size, sign = jnp.abs(v), jnp.where(v < 0, -1.0, 1.0)
        order = jnp.sort(size, -1)
        least = jnp.where(size == order[..., :1], order[..., 1:2], order[..., :1])
        return 0.8 * sign.prod(-1, keepdims=True) * sign * least, (total < 0).sum()
    return lax.scan(round_of, jnp.zeros((32, 48, 6)), None, length=10)


@row("i(1 << 30, 1024).astype('uint32')")
def tree_of_hashes_and_proof(leaf):
    def pair(a, b):
        h = a * jnp.uint32(0x9E3779B1) ^ (b << 13 | b >> 19) * jnp.uint32(0x85EBCA77)
        return (h ^ h >> 15) * jnp.uint32(0xC2B2AE3D)
    level, at, proof = leaf, 677, []
    while level.size > 1:
        proof.append(level[at ^ 1])
        level, at = pair(level[0::2], level[1::2]), at // 2
    h, at = leaf[677], 677
    for p in proof:
        h, at = (pair(p, h) if at % 2 else pair(h, p)), at // 2
    return level, h == level[0]


# ---- compression -----------------------------------------------------------------------------------------------------

@row("i(4, 40, 200)", "vmap({0})")
def range_of_asymmetric_numerals(symbols):
    """Encodes with a table of frequencies that sum to 4096, then decodes; bytes leave when the state is large."""
    f = jnp.array([2048, 1024, 640, 384], jnp.uint32)
    start = jnp.cumsum(f) - f
    def put(x, s):
        big = x >= (f[s] << 12)
        byte = x & 255
        x = jnp.where(big, x >> 8, x)
        return (x // f[s] << 12) + x % f[s] + start[s], (byte.astype(jnp.uint8), big)
    x, (stream, used) = lax.scan(put, jnp.uint32(1 << 16), symbols[::-1])
    def take(x, v):
        byte, big = v
        slot = x & 4095
        s = jnp.searchsorted(start, slot, side="right") - 1
        x = f[s] * (x >> 12) + slot - start[s]
        return jnp.where(big, x << 8 | byte, x), s
    return lax.scan(take, x, (stream[::-1], used[::-1]))[1], used.sum()


@row("i(3, 8, 400).astype('uint8')", "vmap({0})")
def longest_earlier_matches(text):
    """For each place the length of the longest match that starts earlier within 64 symbols, then greedy phrases."""
    padded = jnp.pad(text, (64, 16), constant_values=9)
    def match(d):
        same = text == lax.dynamic_slice(padded, (64 - d,), (400,))
        return lax.scan(lambda c, s: ((jnp.minimum(c + 1, 16) * s,) * 2), 0, same, reverse=True)[1]
    length = jax.vmap(match)(jnp.arange(1, 65))
    best, distance = length.max(0), length.argmax(0) + 1
    def phrase(at, _):
        k = jnp.minimum(at, 399)
        return at + jnp.where(best[k] > 2, best[k], 1), jnp.where(best[k] > 2, distance[k], 0)
    return lax.scan(phrase, 0, None, length=200), best


@row("n(30000)")
@row("n(30000, dtype='float16')")
def companded_to_bytes(x):
    x = jnp.clip(x / 3, -1, 1)
    mu = jnp.sign(x) * jnp.log1p(255 * jnp.abs(x)) / jnp.log(256.0).astype(x.dtype)
    code = jnp.round((mu + 1) * 127.5).astype(jnp.uint8)
    y = code.astype(x.dtype) / 127.5 - 1
    return code, jnp.sign(y) * jnp.expm1(jnp.abs(y) * 5.545) / 255


# ---- genes -----------------------------------------------------------------------------------------------------------

@row("i(4, 200, 150)")
def minimizers_of_words(bases):
    """Canonical words of 11 letters, hashed; the least of each window of 10."""
    k = jnp.arange(140)[:, None] + jnp.arange(11)
    w = bases[:, k].astype(jnp.uint32)
    forward = (w << 2 * jnp.arange(10, -1, -1, dtype=jnp.uint32)).sum(-1, dtype=jnp.uint32)
    backward = ((3 - w) << 2 * jnp.arange(11, dtype=jnp.uint32)).sum(-1, dtype=jnp.uint32)
    h = jnp.minimum(forward, backward) * jnp.uint32(2654435761)
    least = -lax.reduce_window(-(h >> 1).astype(jnp.int32), jnp.int32(-2**31), lax.max, (1, 10), (1, 1), "VALID")
    return least, (least[:, 1:] != least[:, :-1]).sum(1)


@row("i(4, 6, 3000), n(14, 4)")
@row("i(4, 6, 3000), n(14, 4)", "jax.grad(lambda s, m: nn.logsumexp({0}(s, m)[0], axis=1).sum(), 1)")
def motif_scan_of_both_strands(sequence, matrix):
    hot = nn.one_hot(sequence, 4).transpose(0, 2, 1)
    kernel = jnp.stack([matrix.T, matrix[::-1, ::-1].T])
    score = lax.conv_general_dilated(hot, kernel, (1,), "VALID", dimension_numbers=("NCH", "OIH", "NCH"))
    best = score.max(1)
    return best, best.argmax(1)


@row("i(4, 50, 300), i(21, 64)")
def reading_frames(sequence, table):
    """Amino acids of six frames and the longest run without a stop."""
    def frame(s, k):
        codon = lax.dynamic_slice(jnp.pad(s, (0, 2)), (k,), (300,)).reshape(100, 3)
        acid = table[codon @ jnp.array([16, 4, 1])]
        run = lax.scan(lambda c, a: (((c + 1) * (a != 0),) * 2), 0, acid)[1]
        return acid.astype(jnp.int8), run.max()
    def both(s):
        return [jax.vmap(frame, (None, 0))(x, jnp.arange(3)) for x in (s, 3 - s[::-1])]
    return jax.vmap(both)(sequence)


@row("jnp.abs(n(24, 24)) * .1 + 1")
def neighbour_joining(d):
    d = (d + d.T) * (1 - jnp.eye(24))
    def join(s, _):
        d, alive = s
        size = alive.sum()
        total = jnp.where(alive[:, None] & alive, d, 0).sum(1)
        q = (size - 2) * d - total[:, None] - total
        q = jnp.where((alive[:, None] & alive) & ~jnp.eye(24, dtype=bool), q, jnp.inf)
        a, b = jnp.unravel_index(jnp.argmin(q), (24, 24))
        length = 0.5 * d[a, b] + (total[a] - total[b]) / (2 * jnp.maximum(size - 2, 1))
        new = 0.5 * (d[a] + d[b] - d[a, b])
        new = new.at[a].set(0.0)
        return (d.at[a].set(new).at[:, a].set(new), alive.at[b].set(False)), (a, b, length)
    return lax.scan(join, (d, jnp.ones(24, bool)), None, length=21)[1]


@row("n(30, 30) > .3")
@row("n(30, 30)", "jax.grad(lambda e: {0}(e > 0, e))")
def folding_partition_function(pairs, energy=0.0):
    """Sum over nested pairings, by diagonals of a table."""
    weight = jnp.where(jnp.triu(pairs, 4), jnp.exp(-0.3 * energy + jnp.zeros((30, 30))), 0)
    at = jnp.arange(30)
    def diagonal(d, q):
        def cell(i):
            j = jnp.minimum(i + d, 29)
            inner = jnp.where((at >= i) & (at <= j - 4), 1.0, 0.0)
            left = jnp.where(at > i, q[i, jnp.maximum(at - 1, 0)], 1.0)
            shorter = jnp.maximum(j - 1, 0)
            return q[i, shorter] + (inner * left * weight[:, j] * q[jnp.minimum(at + 1, 29), shorter]).sum()
        value = jax.vmap(cell)(at)
        return q.at[at, jnp.where(at + d < 30, at + d, 30)].set(value, mode="drop")
    q = jnp.ones((30, 30))
    return jnp.log(lax.fori_loop(4, 30, diagonal, q)[0, 29])


@row("jnp.abs(n(4)), jnp.abs(n(30, 40)), jnp.linspace(-3, 3, 40)")
def dose_response_by_levenberg(start, response, dose):
    model = lambda p, x: p[0] + (p[1] - p[0]) / (1 + jnp.exp(-p[3] * (x - p[2])))
    jac = jax.jacfwd(model)
    def fit(y):
        def step(s, _):
            p, damp = s
            r, j = y - model(p, dose), jac(p, dose)
            a = j.T @ j
            new = p + jnp.linalg.solve(a + damp * jnp.diag(jnp.diagonal(a) + 1e-3), j.T @ r)
            better = ((y - model(new, dose)) ** 2).sum() < (r * r).sum()
            return (jnp.where(better, new, p), jnp.where(better, damp / 3, damp * 2)), None
        return lax.scan(step, (start, 1.0), None, length=15)[0][0]
    return jax.vmap(fit)(response)


# ---- receivers and radar ---------------------------------------------------------------------------------------------

@row("n(4000), n(4000, seed=1)")
def carrier_and_timing_loops(re, im):
    """A second-order phase loop for four points, driven by decisions."""
    t = jnp.arange(4000)
    x = lax.complex(jnp.sign(re), jnp.sign(im)) * jnp.exp(1j * (0.01 * t + 0.7)) + 0.05 * lax.complex(im, re)
    def step(s, x):
        phase, rate = s
        y = x * jnp.exp(-1j * phase)
        e = jnp.sign(y.real) * y.imag - jnp.sign(y.imag) * y.real
        rate = rate + 0.002 * e
        return (phase + rate + 0.08 * e, rate), (y, e)
    (_, rate), (y, e) = lax.scan(step, (0.0, 0.0), x)
    return rate, y[-500:], jnp.abs(e).reshape(40, 100).mean(1)


# ---- sensors and maps ------------------------------------------------------------------------------------------------

@row("n(400, 3) * jnp.array([1., 1.2, .8]) + jnp.array([.3, -.2, .1])")
@row("n(12, 80, 3) * jnp.array([1., 1.2, .8]) + .2", "vmap({0})")
def ellipsoid_calibration(m):
    x, y, z = m.T
    d = jnp.stack([x * x, y * y, z * z, 2 * y * z, 2 * x * z, 2 * x * y, 2 * x, 2 * y, 2 * z], 1)
    p = jnp.linalg.lstsq(d, jnp.ones(m.shape[0]))[0]
    a = jnp.array([[p[0], p[5], p[4]], [p[5], p[1], p[3]], [p[4], p[3], p[2]]])
    center = -jnp.linalg.solve(a, p[6:])
    e, v = jnp.linalg.eigh(a / (1 + center @ a @ center))
    return center, (v * jnp.sqrt(jnp.abs(e))) @ v.T, jnp.linalg.norm((m - center) @ v * jnp.sqrt(jnp.abs(e)), axis=1).std()


# ---- robots and vehicles ---------------------------------------------------------------------------------------------

@row("n(60, 12, scale=.1)", "vmap({0})")
@row("n(12, scale=.1)", "jax.jacrev({0})")
def quadrotor_tracks_a_circle(x):
    """Position and attitude loops around a rigid body, two hundred steps."""
    def step(x, t):
        p, v, angle, rate = jnp.split(x, 4)
        goal = jnp.stack([jnp.cos(t), jnp.sin(t), 1.0 + 0 * t])
        a = 4 * (goal - p) - 3 * v + jnp.array([0.0, 0, 9.81])
        thrust = jnp.clip(jnp.linalg.norm(a), 2, 20)
        roll, pitch = jnp.arcsin(jnp.clip(-a[1] / thrust, -0.7, 0.7)), jnp.arctan2(a[0], a[2])
        torque = 60 * (jnp.stack([roll, pitch, 0.0 * t]) - angle) - 12 * rate
        r, q, y = angle
        up = jnp.stack([jnp.cos(r) * jnp.sin(q) * jnp.cos(y) + jnp.sin(r) * jnp.sin(y),
                        jnp.cos(r) * jnp.sin(q) * jnp.sin(y) - jnp.sin(r) * jnp.cos(y), jnp.cos(r) * jnp.cos(q)])
        v = v + 0.01 * (thrust * up - jnp.array([0.0, 0, 9.81]) - 0.1 * v)
        rate = rate + 0.01 * torque
        x = jnp.concatenate([p + 0.01 * v, v, angle + 0.01 * rate, rate])
        return x, jnp.linalg.norm(goal - p)
    return lax.scan(step, x, jnp.arange(200) * 0.01)[1]


# ---- circuits and motors ---------------------------------------------------------------------------------------------

@row("n(3), jnp.linspace(0, 200, 400)")
@row("n(30, 3), jnp.linspace(0, 200, 400)", "vmap({0}, (0, None))")
def field_oriented_motor(current, speed_wish):
    """Transforms to the rotor's frame and back, three regulators, a motor with salience."""
    def step(s, desired):
        i_d, i_q, speed, angle, e1, e2, e3 = s
        e3 = jnp.clip(e3 + 0.002 * (desired - speed), -5, 5)
        iq_desired = jnp.clip(0.1 * (desired - speed) + e3, -20, 20)
        e1, e2 = e1 - 0.01 * i_d, e2 + 0.01 * (iq_desired - i_q)
        vd, vq = -2 * i_d + 10 * e1 - speed * 0.002 * i_q, 2 * (iq_desired - i_q) + 10 * e2 + speed * 0.1
        c, sn = jnp.cos(angle), jnp.sin(angle)
        alpha, beta = c * vd - sn * vq, sn * vd + c * vq
        phases = jnp.stack([alpha, -0.5 * alpha + 0.866 * beta, -0.5 * alpha - 0.866 * beta])
        duty = jnp.clip(phases / 48 + 0.5 - 0.5 * (phases.max() + phases.min()) / 48, 0, 1)
        v = (duty - duty.mean()) * 48
        alpha, beta = (2 * v[0] - v[1] - v[2]) / 3, (v[1] - v[2]) / 3**0.5
        vd, vq = c * alpha + sn * beta, -sn * alpha + c * beta
        i_d = i_d + 1e-3 / 0.002 * (vd - 0.5 * i_d + speed * 0.003 * i_q) * 0.2
        i_q = i_q + 1e-3 / 0.003 * (vq - 0.5 * i_q - speed * (0.002 * i_d + 0.1)) * 0.2
        speed = speed + 1e-3 / 0.01 * (1.5 * (0.1 * i_q - 0.001 * i_d * i_q) - 0.001 * speed)
        return (i_d, i_q, speed, (angle + 1e-3 * speed) % (2 * jnp.pi), e1, e2, e3), (speed, duty)
    zero = 0.0 * current[0]
    return lax.scan(step, (current[0], current[1], 10 * current[2], zero, zero, zero, zero), speed_wish)[1]


@row("jnp.abs(n(100, 4)) + .5", "vmap({0})")
def switched_converter_in_regulation(p):
    """Switch and diode by cond, the duty by a regulator each period of forty steps."""
    inductance, capacity, load = 0.2 * p[0], 0.5 * p[1], 5 * p[2] + 2
    def period(s, _):
        i, v, integral = s
        error = 5.0 - v
        integral = jnp.clip(integral + 0.02 * error, 0, 1)
        duty = jnp.clip(0.05 * error + integral, 0.05, 0.95)
        def tick(s, k):
            i, v = s
            source = jnp.where(k < duty * 40, 12.0, jnp.where(i > 0, -0.5, v))
            i = jnp.maximum(i + 0.002 / inductance * (source - v), 0)
            return (i, v + 0.002 / capacity * (i - v / load)), i
        (i, v), wave = lax.scan(tick, (i, v), jnp.arange(40))
        return (i, v, integral), (v, wave.max() - wave.min())
    return lax.scan(period, (0.0, 0.0, 0.0), None, length=60)[1]


# ---- audio effects ---------------------------------------------------------------------------------------------------

@row("jnp.linspace(48, 72, 16), jnp.abs(n(16, 6)) + .1", "vmap({0})")
def four_operators_with_envelopes(note, p):
    """Frequency modulation in a chain; attack, decay, sustain and release."""
    t = jnp.arange(8000) / 8000
    attack, decay, sustain, release = 0.02 * p[0], 0.1 * p[1], 0.5, 0.2 * p[2]
    env = jnp.where(t < attack, t / attack, sustain + (1 - sustain) * jnp.exp(-(t - attack) / decay))
    env = env * jnp.where(t > 0.7, jnp.exp(-(t - 0.7) / release), 1)
    f = 440 * 2 ** ((note - 69) / 12)
    y = 0.0
    for k, ratio in enumerate((3.5, 2.0, 1.0, 1.0)):
        y = jnp.sin(2 * jnp.pi * f * ratio * t + p[2 + k] * env * y)
    return env * y


@row("jnp.abs(n(65, 80)) * .5")
def harmonic_and_percussive_parts(magnitude):
    """Medians along time and along frequency, soft masks."""
    def median(x, axis):
        pad = [(0, 0), (0, 0)]
        pad[axis] = (4, 4)
        p = jnp.pad(x, pad, mode="reflect")
        return jnp.median(jnp.stack([lax.slice_in_dim(p, k, k + x.shape[axis], axis=axis) for k in range(9)]), 0)
    h, p = median(magnitude, 1) ** 2, median(magnitude, 0) ** 2
    mask = h / (h + p + 1e-8)
    return magnitude * mask, magnitude * (1 - mask)


@row("n(24000, scale=.4)")
def limiter_that_looks_ahead(x):
    need = jnp.minimum(1, 0.5 / jnp.maximum(jnp.abs(x), 1e-6))
    ahead = lax.reduce_window(need, jnp.inf, lax.min, (64,), (1,), [(0, 63)])
    release = lambda g, v: ((lambda y: (y, y))(jnp.minimum(v, g + 0.001 * (1 - g))))
    gain = lax.scan(release, 1.0, ahead)[1]
    smooth = jnp.convolve(gain, jnp.ones(64) / 64, mode="full")[:24000]
    delayed = jnp.concatenate([jnp.zeros(63), x[:-63]])
    return delayed * smooth, smooth.min()


# ---- geometry --------------------------------------------------------------------------------------------------------

@row("n(400, 3), n(200, 3, 3)")
@row("n(60, 3), n(50, 3, 3)", "grad({0})")
def generalized_winding_numbers(points, triangles):
    a, b, c = (triangles[:, k] - points[:, None] for k in range(3))
    la, lb, lc = (jnp.sqrt((v * v).sum(-1) + 1e-9) for v in (a, b, c))
    top = (a * jnp.cross(b, c)).sum(-1)
    bottom = la * lb * lc + (a * b).sum(-1) * lc + (b * c).sum(-1) * la + (c * a).sum(-1) * lb
    return jnp.arctan2(top, bottom).sum(1) / (2 * jnp.pi)


@row("jnp.cumsum(n(6, 50, 2), 1), jnp.cumsum(n(6, 40, 2, seed=1), 1)", "vmap({0})")
def distance_of_curves(p, q):
    """The discrete Frechet distance by rows."""
    d = jnp.sqrt(((p[:, None] - q) ** 2).sum(-1))
    def line(before, d):
        corner = jnp.concatenate([jnp.full(1, jnp.inf), before[:-1]])
        reach = jnp.minimum(before, corner)
        def cell(left, x):
            d, r = x
            v = jnp.maximum(d, jnp.minimum(left, r))
            return v, v
        return lax.scan(cell, jnp.inf, (d, reach))[1], None
    return lax.scan(line, lax.cummax(d[0]), d[1:])[0][-1]


@row("n(3000, 2) * .5, n(3000, 2, seed=1) * .5")
@row("n(300, 2, dtype='float64') * .5, n(300, 2, dtype='float64', seed=1) * .5", double=True)
def geodesic_on_ellipsoid(a, b):
    f = 1 / 298.257
    ua, ub = jnp.arctan((1 - f) * jnp.tan(a[:, 0])), jnp.arctan((1 - f) * jnp.tan(b[:, 0]))
    gap = b[:, 1] - a[:, 1]
    sa, ca, sb, cb = jnp.sin(ua), jnp.cos(ua), jnp.sin(ub), jnp.cos(ub)
    def step(_, s):
        lam = s[0]
        sin = jnp.hypot(cb * jnp.sin(lam), ca * sb - sa * cb * jnp.cos(lam)) + 1e-9
        cos = sa * sb + ca * cb * jnp.cos(lam)
        sigma = jnp.arctan2(sin, cos)
        alpha = ca * cb * jnp.sin(lam) / sin
        c2 = 1 - alpha**2
        mid = cos - 2 * sa * sb / jnp.maximum(c2, 1e-9)
        c = f / 16 * c2 * (4 + f * (4 - 3 * c2))
        return gap + (1 - c) * f * alpha * (sigma + c * sin * (mid + c * cos * (2 * mid**2 - 1))), sigma, c2
    lam, sigma, c2 = lax.fori_loop(0, 8, step, (gap, gap, gap))
    return 6356752.3 * (1 + c2 * 0.0067395 / 4) * sigma / 1000, lam


@row("n(200, 5), jnp.abs(n(6, 5)) + .2")
@row("n(200, 5), jnp.abs(n(6, 5)) + .2", "lambda t, w: jax.jvp(lambda t: {0}(t, w), (t,), (t,))")
def rational_surface_points(t, w):
    """Tensor products of quadratic rational pieces, with the recurrence of basis functions."""
    u = nn.sigmoid(t[:, 0]) * 3.999
    knots = jnp.array([0.0, 0, 0, 1, 2, 3, 4, 4, 4])
    n = jnp.where((u[:, None] >= knots[:-1]) & (u[:, None] < knots[1:]), 1.0, 0.0)
    for p in (1, 2):
        low, high = knots[p:-1] - knots[: -p - 1], knots[p + 1 :] - knots[1:-p]
        a = jnp.where(low > 0, (u[:, None] - knots[: -p - 1]) / jnp.where(low > 0, low, 1), 0)
        b = jnp.where(high > 0, (knots[p + 1 :] - u[:, None]) / jnp.where(high > 0, high, 1), 0)
        n = a * n[:, :-1] + b * n[:, 1:]
    return n @ w / (n @ w[:, :1])


# ---- pictures --------------------------------------------------------------------------------------------------------

@row("nn.sigmoid(n(96, 96)), jnp.exp(-jnp.linspace(-2, 2, 9) ** 2)")
def deblurred_by_multiplication(image, k):
    k = k / k.sum()
    def blur(x):
        x = jax.vmap(lambda r: jnp.convolve(r, k, mode="same"))(x)
        return jax.vmap(lambda r: jnp.convolve(r, k, mode="same"), 1, 1)(x)
    step = lambda x, _: (x * blur(image / (blur(x) + 1e-3)), None)
    return lax.scan(step, jnp.full_like(image, 0.5), None, length=10)[0]


@row("n(128, 120), n(128, 120, seed=1, scale=.2)")
def shift_by_phase_correlation(a, noise):
    b = jnp.roll(a, (17, -9), (0, 1)) + noise
    window = jnp.hanning(128)[:, None] * jnp.hanning(120)
    fa, fb = jnp.fft.rfft2(a * window), jnp.fft.rfft2(b * window)
    cross = fb * jnp.conj(fa)
    c = jnp.fft.irfft2(cross / (jnp.abs(cross) + 1e-6), (128, 120))
    y, x = jnp.unravel_index(c.argmax(), c.shape)
    v = lambda dy, dx: c[(y + dy) % 128, (x + dx) % 120]
    fine = lambda l, m, r: 0.5 * (l - r) / (l - 2 * m + r - 1e-6)
    return y + fine(v(-1, 0), v(0, 0), v(1, 0)), x + fine(v(0, -1), v(0, 0), v(0, 1)), c.max()


@row("nn.sigmoid(n(80, 96, 3))")
def quadrants_of_least_variance(x):
    """Each pixel becomes the mean of that of four windows around it which varies least."""
    mean, square = (lax.reduce_window(v, 0.0, lax.add, (4, 4, 1), (1, 1, 1), "VALID") / 16
                    for v in (jnp.pad(x, ((3, 3), (3, 3), (0, 0)), mode="edge"),
                              jnp.pad(x, ((3, 3), (3, 3), (0, 0)), mode="edge") ** 2))
    spread = (square - mean**2).sum(-1)
    pick = lambda v: jnp.stack([v[a : a + 80, b : b + 96] for a in (0, 3) for b in (0, 3)])
    best = pick(spread).argmin(0)
    return jnp.take_along_axis(pick(mean), best[None, ..., None], 0)[0]


# ---- finance ---------------------------------------------------------------------------------------------------------

@row("n(30, 30, scale=.1) @ n(30, 30, scale=.1) + jnp.eye(30), n(6, 30), n(6, scale=.01)")
def views_blended_with_equilibrium(a, views, q):
    cov = a @ a.T * 0.04
    market = jnp.full(30, 1 / 30)
    prior = 2.5 * cov @ market
    omega = jnp.diag(jnp.diagonal(views @ cov @ views.T)) * 0.05
    gain = jnp.linalg.solve(views @ (0.05 * cov) @ views.T + omega, views @ (0.05 * cov)).T
    mean = prior + gain @ (q - views @ prior)
    after = cov + 0.05 * cov - gain @ views @ (0.05 * cov)
    w = jnp.linalg.solve(2.5 * after, mean)
    return mean, w / jnp.abs(w).sum(), jnp.sqrt(w @ after @ w)


@row("jnp.abs(n(500, 40)) * 20 - 5, i(30, 500, 40)")
def internal_rates_of_cash_flows(flow, months):
    """Irregular dates; safeguarded Newton steps until all have converged."""
    t = jnp.cumsum(months, 1) / 365
    flow = flow.at[:, 0].set(-jnp.abs(flow[:, 1:].sum(1)) * 0.9 - 1)
    value = lambda r: (flow * jnp.exp(-t * r[:, None])).sum(1)
    def step(s):
        r, low, high, _, k = s
        v, slope = jax.jvp(value, (r,), (jnp.ones_like(r),))
        low, high = jnp.where(v > 0, r, low), jnp.where(v > 0, high, r)
        new = r - v / jnp.where(jnp.abs(slope) < 1e-6, 1, slope)
        new = jnp.where((new > low) & (new < high), new, 0.5 * (low + high))
        return new, low, high, jnp.abs(new - r).max(), k + 1
    start = jnp.full(500, 0.1), jnp.full(500, -1.0), jnp.full(500, 5.0), jnp.inf, 0
    return lax.while_loop(lambda s: (s[3] > 1e-4) & (s[4] < 40), step, start)[0]


@row("n(30, 1000, scale=.02) ** 3 * 2000")
def extreme_value_tails(loss):
    x = -jnp.sort(-loss, axis=1)[:, :101]
    hill = jnp.log(x[:, :100] / x[:, 100:]).mean(1)
    excess = x[:, :100] - x[:, 100:]
    def negative(p, y):
        shape, scale = 0.5 * jnp.tanh(p[0]) + 0.3, jnp.exp(p[1])
        return p[1] + (1 + 1 / shape) * jnp.log1p(shape * y / scale).mean()
    def fit(y):
        scale = y.mean() + 1e-9
        step = lambda p, _: (p - 0.3 * jax.grad(negative)(p, y / scale), None)
        return lax.scan(step, jnp.zeros(2), None, length=30)[0]
    return hill, jax.vmap(fit)(excess)


# ---- quantum devices -------------------------------------------------------------------------------------------------

@row("i(6, 300), i(10, 300), i(10, 300)[::-1]")
def stabilizer_tableau(gate, a, b):
    """Clifford gates on ten qubits as bit columns, chosen by switch."""
    def step(s, g):
        x, z, r = s
        kind, a, b = g
        b = jnp.where(a == b, (b + 1) % 10, b)
        def hadamard(x, z, r):
            return x.at[:, a].set(z[:, a]), z.at[:, a].set(x[:, a]), r ^ (x[:, a] & z[:, a])
        def phase(x, z, r):
            return x, z.at[:, a].set(z[:, a] ^ x[:, a]), r ^ (x[:, a] & z[:, a])
        def controlled(x, z, r):
            r = r ^ (x[:, a] & z[:, b] & (x[:, b] ^ z[:, a] ^ True))
            return x.at[:, b].set(x[:, b] ^ x[:, a]), z.at[:, a].set(z[:, a] ^ z[:, b]), r
        def flip(x, z, r):
            return x, z, r ^ z[:, a]
        return lax.switch(kind // 2 + (kind == 5), [hadamard, phase, controlled, flip], x, z, r), None
    eye = jnp.eye(10, dtype=bool)
    start = jnp.concatenate([eye, ~eye & False]), jnp.concatenate([~eye & False, eye]), jnp.zeros(20, bool)
    return lax.scan(step, start, (gate, a, b))[0]


# ---- crowds, lattices, games -----------------------------------------------------------------------------------------

@row("random.key(3), jnp.zeros((64, 64), 'int8').at[32, 32].set(1)")
def forest_fire_spreads(key, state):
    wind = jnp.array([[0.3, 0.4, 0.3], [0.5, 0, 0.5], [0.7, 0.8, 0.7]])
    def step(s, key):
        burning = (s == 1).astype(jnp.float32)
        calm = jnp.log1p(-wind * 0.6)
        p = 1 - jnp.exp(jax.scipy.signal.convolve2d(burning, calm, mode="same"))
        caught = (s == 0) & (random.uniform(key, s.shape) < p)
        return jnp.where(caught, 1, jnp.where(s == 1, 2, s)).astype(jnp.int8), (s == 1).sum()
    return lax.scan(step, state, random.split(key, 40))


@row("random.split(random.key(2), 256)", "vmap({0})")
def blackjack_hands(key):
    """Both players draw by while loops with an ace that counts one or eleven."""
    def draw(key, s):
        total, ace = s
        card = jnp.minimum(random.randint(key, (), 1, 14), 10)
        total = total + jnp.where((card == 1) & (total < 11), 11, card)
        ace = ace | ((card == 1) & (total >= 11))
        bust = (total > 21) & ace
        return jnp.where(bust, total - 10, total), ace & ~bust
    def play(key, limit):
        def body(s):
            key, hand = s
            key, k = random.split(key)
            return key, draw(k, hand)
        return lax.while_loop(lambda s: s[1][0] < limit, body, (key, (jnp.int32(0), jnp.array(False))))[1][0]
    k1, k2 = random.split(key)
    me, dealer = play(k1, 16), play(k2, 17)
    return jnp.where(me > 21, -1, jnp.where((dealer > 21) | (me > dealer), 1, jnp.where(me == dealer, 0, -1)))


@row("i(7, 50, 20, 10), i(7, 50)", "vmap({0})")
def falling_blocks_landed(board, piece):
    """Full rows vanish; every column is tried for the next piece and rated."""
    board = board > 1
    full = board.all(1)
    order = jnp.argsort(~full, stable=True)
    board = board[order] & ~full[order][:, None]
    height = jnp.where(board.any(0), 20 - board.argmax(0), 0)
    shapes = jnp.array([[1, 1, 1, 1], [2, 2, 0, 0], [1, 2, 1, 0], [2, 2, 1, 0], [3, 1, 0, 0], [1, 3, 0, 0], [1, 1, 2, 0]])
    w = shapes[piece]
    def rate(c):
        at = c + jnp.arange(4)
        h = jnp.where(w > 0, height[jnp.minimum(at, 9)], 0).max()
        new = height.at[jnp.where((w > 0) & (at < 10), at, 10)].set(h + 2, mode="drop")
        holes = (new - height).sum() - w.sum()
        return -0.5 * new.sum() - 0.36 * holes - 0.18 * jnp.abs(jnp.diff(new)).sum()
    score = jax.vmap(rate)(jnp.arange(10))
    return full.sum(), score.argmax(), score


@row("random.key(0), n(64, 64)")
def drops_erode_terrain(key, height):
    """Two hundred drops run down the slope at once, carrying soil."""
    height = jax.image.resize(height[:16, :16], (64, 64), "bicubic")
    start = random.uniform(key, (200, 2), minval=2.0, maxval=61.0)
    def step(s, _):
        h, p, v, soil = s
        k = jnp.clip(p.astype(jnp.int32), 1, 61)
        y, x = k[:, 0], k[:, 1]
        slope = jnp.stack([h[y + 1, x] - h[y - 1, x], h[y, x + 1] - h[y, x - 1]], -1) / 2
        v = 0.8 * v - slope
        p = jnp.clip(p + v / (jnp.linalg.norm(v, axis=-1, keepdims=True) + 1e-6), 1, 61)
        moved = 0.05 * (jnp.linalg.norm(v, axis=-1) - soil)
        return (h.at[y, x].add(-moved), p, v, soil + moved), moved.sum()
    return lax.scan(step, (height, start, jnp.zeros((200, 2)), jnp.zeros(200)), None, length=40)


# ---- functions with their own derivatives ----------------------------------------------------------------------------

@row("n(40, 40, scale=.2), n(40), n(40, seed=1)")
def directional_curvatures(w, x, v):
    """First to third derivatives along a direction by Taylor mode and by nested forward mode."""
    f = lambda x: jnp.log1p(jnp.exp(jnp.tanh(w @ x))).sum() * jnp.sin(x[0])
    one = lambda x: jax.jvp(f, (x,), (v,))[1]
    two = lambda x: jax.jvp(one, (x,), (v,))[1]
    along = jax.jvp(two, (x,), (v,))[1]
    return f(x), one(x), two(x), along, jax.linearize(jax.grad(f), x)[1](v)
