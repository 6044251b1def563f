"""models.py: functions that snippets of the long tail call: parts of models that learn, their losses and optimizers, as users
write them by hand. Arrays are jax.Array; a docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, nn


# ---- language models --------------------------------------------------------------------------------------------------

def rms_norm(x, w):
    return (x.astype("float32") * lax.rsqrt(jnp.mean(jnp.square(x.astype("float32")), -1, keepdims=True) + 1e-5)).astype(x.dtype) * w


def layer_norm(x, axis=-1):
    return (x - x.mean(axis, keepdims=True)) * lax.rsqrt(x.var(axis, keepdims=True) + 1e-5)


def rope(x, position):
    """x: (tokens, heads, d), position: (tokens,)."""
    d = x.shape[-1]
    angle = position[:, None, None] * 10000.0 ** (-jnp.arange(0, d, 2) / d)
    a, b = jnp.split(x.astype("float32"), 2, -1)
    return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), b * jnp.cos(angle) + a * jnp.sin(angle)], -1).astype(x.dtype)


def decode(x, k_cache, v_cache, position, wq, wk, wv, wo):
    """One token (d,) of grouped-query attention: caches (length, groups, head) in, out."""
    _, groups, head = k_cache.shape
    at = position[None]
    q = rope((x @ wq).reshape(1, -1, head), at)[0].reshape(groups, -1, head)
    k_cache = lax.dynamic_update_slice(k_cache, rope((x @ wk).reshape(1, groups, head), at), (position, 0, 0))
    v_cache = lax.dynamic_update_slice(v_cache, (x @ wv).reshape(1, groups, head), (position, 0, 0))
    scores = jnp.einsum("ghd,lgd->ghl", q, k_cache) * head**-0.5
    weights = nn.softmax(jnp.where(jnp.arange(k_cache.shape[0]) <= position, scores, -1e9).astype("float32"))
    return jnp.einsum("ghl,lgd->ghd", weights.astype(x.dtype), v_cache).reshape(-1) @ wo, k_cache, v_cache


def swiglu(x, w1, w2, w3):
    return (nn.silu(x @ w1) * (x @ w3)) @ w2


def attend(q, k, v, bias=0.0):
    """q, k, v: (batch, tokens, heads, d)."""
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5 + bias
    return jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(scores), v)


def linear_attention(q, k, v):
    q, k = nn.elu(q) + 1, nn.elu(k) + 1
    state = jnp.cumsum(jnp.einsum("bthd,bthe->bthde", k, v), 1)
    return jnp.einsum("bthd,bthde->bthe", q, state) / (q * jnp.cumsum(k, 1)).sum(-1, keepdims=True)


def alibi(heads, tokens):
    slopes = 2.0 ** (-8 * jnp.arange(1, heads + 1) / heads)
    distance = jnp.arange(tokens)[None, :] - jnp.arange(tokens)[:, None]
    return jnp.where(distance > 0, -1e9, slopes[:, None, None] * distance)


def window_mask(tokens, width):
    distance = jnp.arange(tokens)[:, None] - jnp.arange(tokens)[None]
    return jnp.where((distance >= 0) & (distance < width), 0.0, -1e9)


def experts(x, router, w1, w2, k=2):
    """A mixture of experts, dense dispatch: x (tokens, d), w1 (experts, d, f), w2 (experts, f, d)."""
    weights, chosen = lax.top_k(nn.softmax(x @ router), k)
    gates = jnp.zeros((x.shape[0], router.shape[1])).at[jnp.arange(x.shape[0])[:, None], chosen].set(weights)
    hidden = nn.silu(jnp.einsum("td,edf->tef", x, w1))
    return jnp.einsum("tef,efd,te->td", hidden, w2, gates)


def sample_top_p(key, logits, p=0.9):
    order = jnp.argsort(-logits)
    total = jnp.cumsum(nn.softmax(logits[order]))
    kept = jnp.where(total - nn.softmax(logits[order]) < p, logits[order], -jnp.inf)
    return order[jax.random.categorical(key, kept)]


# ---- recurrences ------------------------------------------------------------------------------------------------------

def lstm(x, h, w, u, b):
    """x: (time, batch, d)."""
    def step(state, x):
        h, c = state
        i, f, g, o = jnp.split(x @ w + h @ u + b, 4, -1)
        c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
        h = nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    return lax.scan(step, (h, h), x)[1]


def rnn(x, h, w, u):
    def step(h, x):
        h = jnp.tanh(x @ w + h @ u)
        return h, h
    return lax.scan(step, h, x)[1]


def gru(x, h, w, u):
    def step(h, x):
        a, b = x @ w, h @ u
        (rx, zx, nx), (rh, zh, nh) = jnp.split(a, 3, -1), jnp.split(b, 3, -1)
        z = nn.sigmoid(zx + zh)
        h = (1 - z) * jnp.tanh(nx + nn.sigmoid(rx + rh) * nh) + z * h
        return h, h
    return lax.scan(step, h, x)[1]


def selective_scan(x, delta, a, b, c):
    """Mamba: x, delta (time, d), a (d, n), b, c (time, n)."""
    decay = jnp.exp(delta[..., None] * a)
    drive = (delta * x)[..., None] * b[:, None]
    states = lax.associative_scan(lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1]), (decay, drive))[1]
    return jnp.einsum("tdn,tn->td", states, c)


def viterbi(emission, transition):
    """emission (time, states)."""
    def step(best, e):
        scores = best[:, None] + transition
        return scores.max(0) + e, scores.argmax(0)
    best, back = lax.scan(step, emission[0], emission[1:])
    return lax.scan(lambda s, b: (b[s], s), best.argmax(), back, reverse=True)[1]


def forward_algorithm(emission, transition):
    step = lambda alpha, e: (nn.logsumexp(alpha[:, None] + transition, 0) + e, None)
    return nn.logsumexp(lax.scan(step, emission[0], emission[1:])[0])


def kalman(y, f, h, q, r):
    """Filtered means of observations y (time, m) of a state of n."""
    def step(state, y):
        m, p = f @ state[0], f @ state[1] @ f.T + q
        gain = jnp.linalg.solve(h @ p @ h.T + r, h @ p).T
        m, p = m + gain @ (y - h @ m), p - gain @ h @ p
        return (m, p), m
    n = f.shape[0]
    return lax.scan(step, (jnp.zeros(n), jnp.eye(n)), y)[1]


def edit_distance(a, b):
    def row(above, x):
        first = above[0] + 1
        def cell(left, pair):
            value = jnp.minimum(jnp.minimum(pair[1] + 1, left + 1), pair[2] + (pair[0] != x))
            return value, value
        rest = lax.scan(cell, first, (b, above[1:], above[:-1]))[1]
        return jnp.concatenate([first[None], rest]), None
    return lax.scan(row, jnp.arange(b.shape[0] + 1), a)[0][-1]


def dtw(cost):
    """Dynamic time warping over a matrix of costs, by rows."""
    def row(above, c):
        best = jnp.minimum(above, jnp.concatenate([jnp.full(1, 1e9), above[:-1]])) + c
        return lax.associative_scan(jnp.minimum, best - jnp.cumsum(c)) + jnp.cumsum(c), None
    return lax.scan(row, jnp.cumsum(cost[0]), cost[1:])[0][-1]


def advantages(rewards, values, discount=0.99, smoothing=0.95):
    """Generalized advantage estimation: rewards (time, batch), values (time + 1, batch)."""
    errors = rewards + discount * values[1:] - values[:-1]
    return lax.scan(lambda a, e: (e + discount * smoothing * a,) * 2, jnp.zeros_like(errors[0]), errors, reverse=True)[1]


def biquad(x, b, a):
    def step(s, x):
        y = b[0] * x + s[0]
        return (b[1] * x - a[0] * y + s[1], b[2] * x - a[1] * y), y
    return lax.scan(step, (0.0, 0.0), x)[1]


# ---- losses and metrics -----------------------------------------------------------------------------------------------

def cross_entropy(logits, labels, smoothing=0.1):
    log_p = nn.log_softmax(logits)
    return -(1 - smoothing) * jnp.take_along_axis(log_p, labels[:, None], 1)[:, 0] - smoothing * log_p.mean(-1)


def focal(logits, labels):
    p = nn.sigmoid(logits)
    hit = jnp.where(labels > 0, p, 1 - p)
    return -((1 - hit) ** 2) * jnp.log(hit + 1e-7)


def info_nce(a, b, temperature=0.1):
    a, b = (x / jnp.linalg.norm(x, axis=1, keepdims=True) for x in (a, b))
    logits = a @ b.T / temperature
    return -jnp.mean(jnp.diagonal(nn.log_softmax(logits)) + jnp.diagonal(nn.log_softmax(logits.T)))


def ctc(log_p, labels):
    """One sequence: log_p (time, classes), labels (n,), blank 0."""
    extended = jnp.zeros(2 * labels.shape[0] + 1, "int32").at[1::2].set(labels)
    skip = jnp.concatenate([jnp.zeros(2, bool), (extended[2:] != extended[:-2]) & (extended[2:] > 0)])
    def step(alpha, p):
        one = jnp.concatenate([jnp.full(1, -1e9), alpha[:-1]])
        two = jnp.where(skip, jnp.concatenate([jnp.full(2, -1e9), alpha[:-2]]), -1e9)
        return nn.logsumexp(jnp.stack([alpha, one, two]), 0) + p[extended], None
    start = jnp.where(jnp.arange(extended.shape[0]) < 2, log_p[0][extended], -1e9)
    return -jnp.logaddexp(*lax.scan(step, start, log_p[1:])[0][-2:])


def sinkhorn(cost, steps=20):
    def step(_, f):
        g = -0.1 * nn.logsumexp((f[:, None] - cost) / 0.1, 0)
        return -0.1 * nn.logsumexp((g[None] - cost) / 0.1, 1)
    return lax.fori_loop(0, steps, step, jnp.zeros(cost.shape[0]))


def area_under_curve(scores, labels):
    ranks = jnp.argsort(jnp.argsort(scores)) + 1
    positive = labels.sum()
    return ((ranks * labels).sum() - positive * (positive + 1) / 2) / (positive * (labels.shape[0] - positive))


def calibration_error(confidence, correct, bins=15):
    index = jnp.clip((confidence * bins).astype("int32"), 0, bins - 1)
    sums = [jnp.zeros(bins).at[index].add(x) for x in (jnp.ones_like(confidence), confidence, correct)]
    return jnp.abs(sums[1] - sums[2]).sum() / confidence.shape[0]


def structural_similarity(a, b):
    """Of images (batch, height, width, channels), with a box of 7 by 7."""
    mean = lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 7, 7, 1), (1, 1, 1, 1), "VALID") / 49
    ma, mb = mean(a), mean(b)
    va, vb, cov = mean(a * a) - ma * ma, mean(b * b) - mb * mb, mean(a * b) - ma * mb
    return jnp.mean((2 * ma * mb + 1e-4) * (2 * cov + 9e-4) / ((ma**2 + mb**2 + 1e-4) * (va + vb + 9e-4)))


def box_overlap(a, b):
    """Intersection over union of boxes (n, 4) and (m, 4)."""
    low, high = jnp.maximum(a[:, None, :2], b[None, :, :2]), jnp.minimum(a[:, None, 2:], b[None, :, 2:])
    both = jnp.prod(jnp.clip(high - low, 0), -1)
    area = lambda x: jnp.prod(x[:, 2:] - x[:, :2], -1)
    return both / (area(a)[:, None] + area(b)[None] - both)


def suppress(boxes, scores, threshold=0.5):
    """Non-maximum suppression: which boxes are kept."""
    order = jnp.argsort(-scores)
    overlap = box_overlap(boxes[order], boxes[order])
    later = jnp.arange(order.shape[0])
    return lax.fori_loop(0, order.shape[0],
                         lambda i, keep: keep & ~(keep[i] & (overlap[i] > threshold) & (later > i)), jnp.ones_like(order, bool))


# ---- quantization -----------------------------------------------------------------------------------------------------

def quantize(x, axis=-1, bits=8):
    scale = jnp.max(jnp.abs(x), axis, keepdims=True) / (2 ** (bits - 1) - 1)
    return jnp.round(x / scale).astype("int8"), scale


def unpack_int4(packed):
    """Two signed numbers of four bits in each byte, along the last dimension."""
    low, high = (packed << 4) >> 4, packed >> 4
    return jnp.stack([low, high], -1).reshape(*packed.shape[:-1], -1)


def fake_quantize(x, bits=4):
    scale = jnp.max(jnp.abs(x)) / (2 ** (bits - 1) - 1)
    return x + lax.stop_gradient(jnp.round(x / scale) * scale - x)


# ---- graphs and points ------------------------------------------------------------------------------------------------

def graph_convolution(x, w, source, target):
    degree = jax.ops.segment_sum(jnp.ones(source.shape), target, x.shape[0])
    norm = lax.rsqrt(jnp.maximum(degree, 1))
    messages = (x @ w)[source] * (norm[source] * norm[target])[:, None]
    return jax.ops.segment_sum(messages, target, x.shape[0])


def segment_softmax(scores, segment, count):
    top = jax.ops.segment_max(scores, segment, count)
    e = jnp.exp(scores - top[segment])
    return e / jax.ops.segment_sum(e, segment, count)[segment]


def graph_attention(x, w, a, source, target):
    h = x @ w
    scores = nn.leaky_relu(h[source] @ a[0] + h[target] @ a[1])
    weights = segment_softmax(scores, target, x.shape[0])
    return jax.ops.segment_sum(h[source] * weights[:, None], target, x.shape[0])


def squared_distances(a, b):
    return (a * a).sum(-1)[:, None] + (b * b).sum(-1)[None] - 2 * a @ b.T


def neighbours(x, k):
    return lax.top_k(-squared_distances(x, x), k)[1]


def farthest_points(x, count):
    def step(state, _):
        distance, last = state
        distance = jnp.minimum(distance, ((x - x[last]) ** 2).sum(-1))
        return (distance, distance.argmax()), last
    return lax.scan(step, (jnp.full(x.shape[0], 1e9), 0), None, length=count)[1]


def floyd_warshall(d):
    return lax.fori_loop(0, d.shape[0], lambda k, d: jnp.minimum(d, d[:, k, None] + d[None, k]), d)


# ---- optimizers -------------------------------------------------------------------------------------------------------

def adam(p, g, m, v, t=3):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    return p - 1e-3 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8) - 1e-4 * p, m, v


def lion(p, g, m):
    return p - 1e-3 * jnp.sign(0.9 * m + 0.1 * g), 0.99 * m + 0.01 * g


def adafactor(p, g, rows, columns):
    squares = g * g + 1e-30
    rows, columns = 0.9 * rows + 0.1 * squares.mean(1), 0.9 * columns + 0.1 * squares.mean(0)
    update = g * lax.rsqrt(rows / rows.mean())[:, None] * lax.rsqrt(columns)[None]
    return p - 1e-2 * update / jnp.maximum(1.0, jnp.sqrt(jnp.mean(update**2))), rows, columns


def newton_schulz(g, steps=5):
    """The orthogonal factor of a matrix, as Muon computes it."""
    x = g / (jnp.linalg.norm(g) + 1e-7)
    for _ in range(steps):
        a = x @ x.T
        x = 3.4445 * x + (-4.775 * a + 2.0315 * a @ a) @ x
    return x


def clip_by_norm(tree, limit=1.0):
    norm = jnp.sqrt(sum(jnp.sum(x * x) for x in jax.tree.leaves(tree)))
    return jax.tree.map(lambda x: x * jnp.minimum(1.0, limit / norm), tree)


def two_loop(g, s, y):
    """Direction of L-BFGS from the histories s and y (memory, n)."""
    rho = 1 / (s * y).sum(1)
    def down(q, t):
        alpha = t[2] * (t[0] @ q)
        return q - alpha * t[1], alpha
    q, alphas = lax.scan(down, g, (s, y, rho), reverse=True)
    return lax.scan(lambda q, t: (q + t[0] * (t[3] - t[2] * (t[1] @ q)), None), q, (s, y, rho, alphas))[0]


def levenberg(residual, x, steps=5):
    def step(_, x):
        j, r = jax.jacfwd(residual)(x), residual(x)
        return x - jnp.linalg.solve(j.T @ j + 1e-3 * jnp.eye(x.shape[0]), j.T @ r)
    return lax.fori_loop(0, steps, step, x)
