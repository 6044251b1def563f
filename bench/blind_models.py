"""blind_models.py: rows of the long tail written before any of them was measured (snippets.py): decoding steps, routing,
state-space layers, weights of few bits, adapters, vision and diffusion blocks, graph networks, losses."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


def rms(x, g):
    y = x.astype("float32")
    return (y * lax.rsqrt((y * y).mean(-1, keepdims=True) + 1e-5)).astype(x.dtype) * g


def normed(x):
    return nn.standardize(x, axis=-1)


# ---- decoding --------------------------------------------------------------------------------------------------------

@row("n(4, 8, 32), n(4, 2, 300, 32, seed=1), n(4, 2, 300, 32, seed=2), i(299, 4)")
@row("n(1, 32, 64, dtype='bfloat16'), n(1, 8, 512, 64, dtype='bfloat16'), n(1, 8, 512, 64, dtype='bfloat16'), i(511, 1)")
def decode_grouped(q, keys, values, length):
    """One token of each sequence: q (batch, heads, dim), caches (batch, groups, size, dim)."""
    b, g, s, d = keys.shape
    q = q.reshape(b, g, -1, d)
    scores = jnp.einsum("bgrd,bgsd->bgrs", q, keys, preferred_element_type=jnp.float32) * d**-0.5
    scores = jnp.where(jnp.arange(s) <= length[:, None, None, None], scores, jnp.finfo(jnp.float32).min)
    p = nn.softmax(scores, axis=-1).astype(values.dtype)
    return jnp.einsum("bgrs,bgsd->bgrd", p, values).reshape(b, -1)


@row("n(6, 96), n(96, 160, scale=.1), n(96, 96, scale=.1), n(6, 2, 64, 16), n(6, 2, 64, 16, seed=1), i(63, 6)")
def llama_decode_with_cache(x, wqkv, wo, keys, values, at):
    """Projection, rotary positions, cache update and attention of one token for each of six sequences."""
    q, k, v = jnp.split(rms(x, 1.0) @ wqkv, [96, 128], axis=-1)
    q, k, v = q.reshape(6, 6, 16), k.reshape(6, 2, 16), v.reshape(6, 2, 16)
    angle = at[:, None, None] * 10000.0 ** (-jnp.arange(0, 16, 2) / 16)
    def turn(x):
        a, b = jnp.split(x, 2, -1)
        return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), b * jnp.cos(angle) + a * jnp.sin(angle)], -1)
    batch = jnp.arange(6)
    keys = keys.at[batch, :, at].set(turn(k))
    values = values.at[batch, :, at].set(v)
    s = jnp.einsum("bgrd,bgsd->bgrs", turn(q).reshape(6, 2, 3, 16), keys) / 4
    s = jnp.where(jnp.arange(64) <= at[:, None, None, None], s, -1e9)
    o = jnp.einsum("bgrs,bgsd->bgrd", nn.softmax(s), values)
    return x + o.reshape(6, 96) @ wo, keys, values


@row("n(3, 4, 2, 50, 16), n(3, 4, 1001), n(3, 4)")
def reorder_beams(cache, logits, scores):
    """The best beams of all continuations; their caches move with them: cache (batch, beams, heads, length, dim)."""
    total = scores[..., None] + nn.log_softmax(logits)
    best, flat = lax.top_k(total.reshape(3, -1), 4)
    beam, token = flat // 1001, flat % 1001
    return jnp.take_along_axis(cache, beam[:, :, None, None, None], axis=1), token, best


@row("n(15, 24), n(40, 24, seed=1), n(40, 24, seed=2), jnp.array([-1, 0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 8])")
def draft_tree_attention(q, k, v, parent):
    """Tokens of a tree of drafts see their ancestors and the whole prefix (25 tokens)."""
    def climb(state, _):
        mask, at = state
        mask = mask | ((jnp.arange(15) == at[:, None]) & (at >= 0)[:, None])
        return (mask, jnp.where(at >= 0, parent[at], -1)), None
    (mask, _), _ = lax.scan(climb, (jnp.zeros((15, 15), bool), jnp.arange(15)), length=6)
    mask = jnp.concatenate([jnp.ones((15, 25), bool), mask], 1)
    return nn.softmax(jnp.where(mask, q @ k.T / 24**0.5, -jnp.inf)) @ v


@row("key, n(5, 8, 257), n(5, 8, 257, seed=1), i(257, 5, 8)")
def verify_drafts(k, target, draft, tokens):
    """Speculative sampling: how many drafts are accepted, and the token after them from the residual distribution."""
    p, q = nn.softmax(target), nn.softmax(draft)
    pick = lambda d: jnp.take_along_axis(d, tokens[..., None], -1)[..., 0]
    a, b = random.split(k)
    accept = random.uniform(a, tokens.shape) < pick(p) / pick(q)
    count = jnp.cumprod(accept.astype(jnp.int32), axis=1).sum(1)
    at = jnp.minimum(count, 7)[:, None, None]
    rest = jnp.maximum(jnp.take_along_axis(p - q, at, 1)[:, 0], 0)
    return count, random.categorical(b, jnp.log(rest + 1e-10))


@row("n(6, 100, 16), n(6, 100, 16, seed=1), abs(n(6, 100))")
def keep_heavy_hitters(keys, values, weight):
    """Eviction from a cache: the 40 tokens with most attention and the last ten stay, in order: keys (heads, length, dim)."""
    keep = jnp.sort(lax.top_k(weight.at[:, -10:].set(jnp.inf), 50)[1], axis=1)
    take = lambda x: jnp.take_along_axis(x, keep[..., None], 1)
    return take(keys), take(values), jnp.take_along_axis(weight, keep, 1)


@row("key, n(7, 999), n(7) * 0 + 5")
def mirostat(k, logits, mu):
    p = nn.log_softmax(logits)
    surprise = -p / jnp.log(2.0)
    token = random.categorical(k, jnp.where(surprise <= mu[:, None], p, -1e9))
    return token, mu - 0.1 * (jnp.take_along_axis(surprise, token[:, None], 1)[:, 0] - 3)


@row("n(3, 640), i(2, 9, 640), i(9, 3), i(9, 9, 640)")
def constrained_tokens(logits, allowed, state, next_state):
    """Decoding by a finite automaton: allowed tokens of each state and where they lead."""
    masked = jnp.where(allowed[state] > 0, logits, -jnp.inf)
    token = masked.argmax(-1)
    return token, next_state[state, token], nn.logsumexp(masked, axis=-1)


@row("n(2, 3, 130, 16), n(2, 3, 130, 16, seed=1), n(2, 3, 130, 16, seed=2)")
@row("n(2, 3, 130, 16), n(2, 3, 130, 16, seed=1), n(2, 3, 130, 16, seed=2)", "grad({0}, (0, 1, 2))")
def online_softmax_attention(q, k, v):
    """Blocks of 26 keys with a running maximum and sum."""
    blocks = lambda x: jnp.moveaxis(x.reshape(2, 3, 5, 26, 16), 2, 0)
    def step(state, kv):
        m, l, o = state
        s = jnp.einsum("bhqd,bhkd->bhqk", q, kv[0]) * 0.25
        new = jnp.maximum(m, s.max(-1))
        p, fix = jnp.exp(s - new[..., None]), jnp.exp(m - new)
        return (new, l * fix + p.sum(-1), o * fix[..., None] + p @ kv[1]), None
    start = (jnp.full(q.shape[:3], -jnp.inf), jnp.zeros(q.shape[:3]), jnp.zeros_like(q))
    (_, l, o), _ = lax.scan(step, start, (blocks(k), blocks(v)))
    return o / l[..., None]


@row("n(120, 64, dtype='bfloat16'), jnp.arange(120)")
def llama3_rope(x, position):
    """Long waves are slowed by eight, with a smooth transition."""
    f = 500000.0 ** (-jnp.arange(32) / 32)
    wave = 2 * jnp.pi / f
    smooth = (8192 / wave - 1) / 3
    f = jnp.where(wave > 8192, f / 8, jnp.where(wave < 2048, f, (1 - smooth) * f / 8 + smooth * f))
    angle = position[:, None] * f
    c, s = jnp.cos(angle), jnp.sin(angle)
    a, b = jnp.split(x.astype("float32"), 2, -1)
    return jnp.concatenate([a * c - b * s, b * c + a * s], -1).astype(x.dtype)


# ---- experts, adapters, weights of few bits --------------------------------------------------------------------------

@row("n(96, 32), n(32, 6), n(6, 32, 48, scale=.2), n(6, 48, 32, scale=.2)")
@row("n(96, 32), n(32, 6), n(6, 32, 48, scale=.2), n(6, 48, 32, scale=.2)", "grad({0}, (1, 2, 3))")
def capacity_routed(x, router, up, down):
    """GShard: two experts for each token, at most 40 tokens for each expert, by dispatch tensors."""
    p = nn.softmax(x @ router)
    gate, choice = lax.top_k(p, 2)
    gate = gate / gate.sum(-1, keepdims=True)
    chosen = nn.one_hot(choice, 6)
    place = jnp.cumsum(chosen.swapaxes(0, 1).reshape(-1, 6), 0).reshape(2, 96, 6).swapaxes(0, 1) * chosen - 1
    slot = nn.one_hot(place.max(-1).astype(jnp.int32), 40)
    combine = jnp.einsum("tk,tke,tkc->tec", gate, chosen, slot)
    inside = jnp.einsum("tec,td->ecd", (combine > 0).astype(x.dtype), x)
    out = jnp.einsum("ecf,efd->ecd", nn.silu(jnp.einsum("ecd,edf->ecf", inside, up)), down)
    return jnp.einsum("tec,ecd->td", combine, out)


@row("n(64, 40), i(5, 64), n(5, 40, 56, scale=.2)")
@row("n(64, 40), i(5, 64), n(5, 40, 56, scale=.2)", "grad({0}, (0, 2))")
def ragged_experts(x, expert, w):
    order = jnp.argsort(expert)
    out = lax.ragged_dot(x[order], w, jnp.bincount(expert, length=5).astype("int32"))
    return jnp.zeros((64, 56)).at[order].set(nn.relu(out))


@row("n(24, 64), i(7, 24), n(7, 64, 4, scale=.1), n(7, 4, 80, scale=.1), n(64, 80, scale=.1)")
@row("n(24, 64), i(7, 24), n(7, 64, 4, scale=.1), n(7, 4, 80, scale=.1), n(64, 80, scale=.1)", "grad({0}, (2, 3))")
def adapters_by_request(x, which, a, b, w):
    """Each row of a batch has its own low-rank adapter."""
    return x @ w + 2.0 * jnp.einsum("br,bro->bo", jnp.einsum("bi,bir->br", x, a[which]), b[which])


@row("(i(255, 64, 128) - 127).astype('int8'), (i(255, 128, 96) - 127).astype('int8'), abs(n(64)), abs(n(96))")
def int8_linear_to_bfloat16(x, w, sx, sw):
    y = lax.dot(x, w, preferred_element_type=jnp.int32)
    return (y * (sx[:, None] * sw / 127**2)).astype(jnp.bfloat16)


@row("n(33, 128), n(128, 64, scale=.1).astype('float8_e4m3fn'), abs(n(64))")
def fp8_activations_and_weights(x, w, scale):
    top = abs(x).max(-1, keepdims=True) / 448
    q = (x / top).astype(jnp.float8_e4m3fn)
    return (q.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)).astype("float32") * top * scale


@row("n(80, 50), n(50, 70)")
@row("n(80, 50), n(50, 70)", "grad({0}, (0, 1))")
def straight_through_int4(x, w):
    scale = abs(w).max(0) / 7
    q = jnp.clip(jnp.round(w / scale), -8, 7) * scale
    return x @ (w + lax.stop_gradient(q - w))


# ---- state spaces ----------------------------------------------------------------------------------------------------

@row("n(8, 48), n(8, 48, 3), n(8, 48, 16), n(48, 4), n(48, 33, scale=.2), n(48), n(48, 16)")
def mamba_decode(x, window, state, conv, w, bias, log_a):
    """A step of decoding: x (batch, channels), window of the convolution, state (batch, channels, 16)."""
    window = jnp.concatenate([window, x[..., None]], -1)
    u = nn.silu((window * conv).sum(-1))
    dt, b, c = jnp.split(u @ w, [1, 17], -1)
    dt = nn.softplus(dt + bias)
    state = jnp.exp(-dt[..., None] * jnp.exp(log_a)) * state + (dt * u)[..., None] * b[:, None]
    return jnp.einsum("bcn,bn->bc", state, c), window[..., 1:], state


@row("n(512, 12), n(12, 8), n(12, 8, seed=1), n(12, 8, seed=2)")
@row("n(512, 12), n(12, 8), n(12, 8, seed=1), n(12, 8, seed=2)", "grad({0}, (1, 2, 3))")
def s4d_convolution(u, log_re, im, c):
    """Kernel by a Vandermonde matrix of complex poles, product by the transform."""
    a = -jnp.exp(log_re) + 1j * im
    k = 2 * jnp.einsum("cn,cnl->lc", c * (jnp.exp(a * 0.05) - 1) / a, jnp.exp(a[..., None] * 0.05 * jnp.arange(512))).real
    return jnp.fft.irfft(jnp.fft.rfft(u, 1024, axis=0) * jnp.fft.rfft(k, 1024, axis=0), axis=0)[:512]


@row("n(200, 20), n(20), n(20, seed=1), n(20, 20, scale=.2)")
@row("n(200, 20), n(20), n(20, seed=1), n(20, 20, scale=.2)", "grad(lambda *x: {0}(*x) ** 2, (0, 1, 2))")
def linear_recurrent_unit(x, nu, theta, mix):
    """Complex diagonal recurrence by an associative scan."""
    a = jnp.exp(-jnp.exp(nu) + 1j * theta)
    u = x * jnp.sqrt(1 - abs(a) ** 2)
    join = lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1])
    return lax.associative_scan(join, (jnp.broadcast_to(a, u.shape), u.astype("complex64")))[1].real @ mix


@row("n(8, 12, 4, 16), n(8, 12, 4, 16, seed=1), n(8, 12, 4, 16, seed=2), n(8, 12, 4)")
def gated_linear_chunks(q, k, v, gate):
    """Gated linear attention in chunks: (chunks, chunk, heads, dim); a state is carried between the chunks."""
    decay = jnp.cumsum(nn.log_sigmoid(gate + 3), axis=1)
    def step(s, x):
        q, k, v, d = x
        inner = jnp.tril(jnp.exp(jnp.minimum(d.T[:, :, None] - d.T[:, None], 0))) * jnp.einsum("thd,shd->hts", q, k)
        o = jnp.einsum("hts,shd->thd", inner, v) + jnp.einsum("thd,hde,th->the", q, s, jnp.exp(d))
        return jnp.exp(d[-1])[:, None, None] * s + jnp.einsum("thd,the,th->hde", k, v, jnp.exp(d[-1] - d)), o
    return lax.scan(step, jnp.zeros((4, 16, 16)), (q, k, v, decay))[1].reshape(96, 64)


# ---- vision, sound, diffusion ----------------------------------------------------------------------------------------

@row("n(2, 48, 48, 3), n(8, 8, 3, 40, scale=.1), n(5, 40), n(41, 40)")
def patches_and_registers(x, w, extra, position):
    p = lax.conv_general_dilated(x, w, (8, 8), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")).reshape(2, 36, 40)
    return jnp.concatenate([jnp.broadcast_to(extra, (2, 5, 40)), p], 1) + position


@row("n(2, 64, 48), n(2, 48, seed=1), n(48, 288, scale=.1), n(48, 144, scale=.1), n(48, 96, scale=.1), n(96, 48, scale=.1)")
@row("n(2, 64, 48), n(2, 48), n(48, 288, scale=.1), n(48, 144, scale=.1), n(48, 96, scale=.1), n(96, 48, scale=.1)", "grad({0}, (0, 2, 3))")
def dit_block(x, c, w_mod, wqkv, up, down):
    """Adaptive layer norm of a diffusion transformer."""
    s1, b1, g1, s2, b2, g2 = jnp.split((nn.silu(c) @ w_mod)[:, None], 6, -1)
    q, k, v = (p.reshape(2, 64, 4, 12) for p in jnp.split((normed(x) * (1 + s1) + b1) @ wqkv, 3, -1))
    x = x + g1 * nn.dot_product_attention(q, k, v).reshape(2, 64, 48)
    return x + g2 * (nn.gelu((normed(x) * (1 + s2) + b2) @ up) @ down)


@row("n(8, 8, 24), n(24, 72, scale=.2), n(49, 3)")
def shifted_windows(x, w, table):
    """Swin: windows of 4 x 4 after a roll by two, with a mask and a relative bias."""
    y = jnp.roll(x, (-2, -2), (0, 1))
    part = lambda z: z.reshape(2, 4, 2, 4, -1).swapaxes(1, 2).reshape(4, 16, -1)
    region = jnp.searchsorted(jnp.array([4, 6]), jnp.arange(8), side="right")
    label = part((3 * region[:, None] + region)[..., None])[..., 0]
    c = jnp.stack(jnp.divmod(jnp.arange(16), 4), -1)
    offset = c[:, None] - c + 3
    q, k, v = (p.reshape(4, 16, 3, 8) for p in jnp.split(part(y) @ w, 3, -1))
    s = jnp.einsum("nthd,nshd->nhts", q, k) / 8**0.5 + table[offset[..., 0] * 7 + offset[..., 1]].transpose(2, 0, 1)
    s = jnp.where((label[:, :, None] == label[:, None])[:, None], s, -100)
    o = jnp.einsum("nhts,nshd->nthd", nn.softmax(s), v).reshape(2, 2, 4, 4, 24).swapaxes(1, 2).reshape(8, 8, 24)
    return x + jnp.roll(o, (2, 2), (0, 1))


@row("n(1, 16, 16, 32), n(3, 3, 32, 16, scale=.1), n(32), n(32)")
@row("n(1, 16, 16, 32), n(3, 3, 32, 16, scale=.1), n(32), n(32)", "grad({0}, (0, 1, 2))")
def decoder_upsampling(x, w, scale, bias):
    g = nn.standardize(x.reshape(1, 256, 8, 4), axis=(1, 3)).reshape(x.shape)
    y = nn.swish(g * scale + bias).repeat(2, axis=1).repeat(2, axis=2)
    return lax.conv_general_dilated(y, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


@row("n(4, 16, 16, 3), n(4, 16, 16, 3, seed=1), n(4, 16, 16, 3, seed=2), jnp.array([.1, .4, .6, .9])")
def guided_dpm_step(x, with_prompt, without, t):
    """Classifier-free guidance with rescaling, and a second-order step in half log-SNR."""
    e = without + 7.5 * (with_prompt - without)
    std = lambda z: z.std((1, 2, 3), keepdims=True)
    e = 0.7 * e * std(with_prompt) / std(e) + 0.3 * e
    t = t[:, None, None, None]
    alpha, sigma = jnp.cos(t * 1.5), jnp.sin(t * 1.5)
    a, s = jnp.cos(t * 1.2), jnp.sin(t * 1.2)
    h = jnp.log(a / s) - jnp.log(alpha / sigma)
    x0 = jnp.clip((x - sigma * e) / alpha, -1, 1)
    return s / sigma * x - a * jnp.expm1(-h) * x0


@row("n(80, 120), n(3, 80, 64, scale=.1), n(3, 64, 64, scale=.1)")
def whisper_stem(mel, w1, w2):
    conv = lambda x, w, s: lax.conv_general_dilated(x, w, (s,), [(1, 1)], dimension_numbers=("NWC", "WIO", "NWC"))
    y = nn.gelu(conv(nn.gelu(conv(mel.T[None], w1, 1)), w2, 2))
    angle = jnp.arange(60)[:, None] * jnp.exp(-jnp.log(10000.0) * jnp.arange(32) / 31)
    return y + jnp.concatenate([jnp.sin(angle), jnp.cos(angle)], 1)


@row("n(4, 70, 24), n(24, 48, scale=.2), n(15, 1, 24), n(24, 24, scale=.2)")
@row("n(4, 70, 24), n(24, 48, scale=.2), n(15, 1, 24), n(24, 24, scale=.2)", "grad({0}, (0, 1, 2, 3))")
def conformer_convolution(x, w, depth, out):
    y = nn.glu(normed(x) @ w)
    y = lax.conv_general_dilated(y, depth, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=24)
    return x + nn.silu((y - y.mean((0, 1))) * lax.rsqrt(y.var((0, 1)) + 1e-5)) @ out


# ---- graphs, molecules, tables ---------------------------------------------------------------------------------------

@row("n(60, 16), i(60, 2, 240), n(32, 24, scale=.2), n(24, 3)")
@row("n(60, 16), i(60, 2, 240), n(32, 24, scale=.2), n(24, 3)", "grad(lambda x, e, w, a: {0}(x, e, w, a), (0, 2, 3))")
def gat_v2(x, edge, w, a):
    pair = nn.leaky_relu(jnp.concatenate([x[edge[0]], x[edge[1]]], 1) @ w)
    s = pair @ a
    top = lax.stop_gradient(jax.ops.segment_max(s, edge[1], 60))
    e = jnp.exp(s - top[edge[1]])
    p = e / jax.ops.segment_sum(e, edge[1], 60)[edge[1]]
    return jax.ops.segment_sum(p[:, :, None] * pair[:, None], edge[1], 60).reshape(60, 72)


@row("n(300, 3), n(6, 32, scale=.5), n(32, 32, scale=.2)")
@row("n(300, 3), n(6, 32, scale=.5), n(32, 32, scale=.2)", "grad({0}, (1, 2))")
def edge_convolution(x, w1, w2):
    """Graph of eight nearest points, features of edges, maximum."""
    d = ((x[:, None] - x) ** 2).sum(-1)
    near = lax.top_k(-d, 8)[1]
    e = jnp.concatenate([jnp.broadcast_to(x[:, None], (300, 8, 3)), x[near] - x[:, None]], -1)
    return nn.relu(nn.relu(e @ w1) @ w2).max(1)


@row("n(20, 20, 16), n(16, 32, scale=.2), n(16, 32, scale=.2), n(16, 16, scale=.2)")
@row("n(20, 20, 16), n(16, 32, scale=.2), n(16, 32, scale=.2), n(16, 16, scale=.2)", "grad({0}, (0, 1, 2, 3))")
def triangle_multiplication(z, w, gates, out):
    """Outgoing edges of pairs, as in AlphaFold."""
    a, b = jnp.split(nn.sigmoid(normed(z) @ gates) * (normed(z) @ w), 2, -1)
    return z + nn.sigmoid(z @ out) * (normed(jnp.einsum("ikc,jkc->ijc", a, b)) @ out)


@row("i(900, 64, 26), n(26, 900, 16), n(64, 16)")
@row("i(900, 64, 26), n(26, 900, 16), n(64, 16)", "grad(lambda i, t, d: {0}(i, t, d), (1, 2))")
def dlrm_interactions(index, tables, dense):
    e = jnp.concatenate([dense[:, None], jax.vmap(lambda t, i: t[i], (0, 1), 1)(tables, index)], 1)
    dots = e @ e.swapaxes(1, 2)
    return jnp.concatenate([dense, dots[:, *jnp.tril_indices(27, -1)]], 1)


# ---- losses and training of models -----------------------------------------------------------------------------------

@row("n(4, 33, 257), i(257, 4, 33), i(2, 4, 33)")
@row("n(4, 33, 257), i(257, 4, 33), i(2, 4, 33)", "grad({0})")
def masked_loss_with_z(logits, labels, mask):
    z = nn.logsumexp(logits, axis=-1)
    nll = z - jnp.take_along_axis(logits, labels[..., None], -1)[..., 0]
    return ((nll + 1e-4 * z**2) * mask).sum() / mask.sum()


@row("key, i(3000, 8, 128)")
def mask_tokens(k, tokens):
    """BERT's masks: 15 percent, of which 80 are masked, 10 are random and 10 stay."""
    a, b, c = random.split(k, 3)
    chosen = (random.uniform(a, tokens.shape) < 0.15) & (tokens > 4)
    kind = random.uniform(b, tokens.shape)
    fill = jnp.where(kind < 0.8, 4, jnp.where(kind < 0.9, random.randint(c, tokens.shape, 5, 3000), tokens))
    return jnp.where(chosen, fill, tokens), jnp.where(chosen, tokens, -100)


@row("n(2, 24, 32), n(5, 32, 96, scale=.1), n(5, 32, 32, scale=.1), n(5, 32, 64, scale=.1), n(5, 64, 32, scale=.1)")
@row("n(2, 24, 32), n(5, 32, 96, scale=.1), n(5, 32, 32, scale=.1), n(5, 32, 64, scale=.1), n(5, 64, 32, scale=.1)",
     "grad({0}, (1, 2, 3, 4))")
def scanned_blocks(x, wqkv, wo, up, down):
    """Five layers of GPT-2 with stacked weights, recomputed in the backward pass."""
    @jax.checkpoint
    def block(x, w):
        q, k, v = (p.reshape(2, 24, 4, 8) for p in jnp.split(normed(x) @ w[0], 3, -1))
        x = x + nn.dot_product_attention(q, k, v, is_causal=True).reshape(x.shape) @ w[1]
        return x + nn.gelu(normed(x) @ w[2]) @ w[3], None
    return lax.scan(block, x, (wqkv, wo, up, down))[0]


@row("{'w': n(48, 48), 'b': n(48)}, {'w': n(48, 48) * 1e4, 'b': n(48) * 1e4}, jnp.float32(32768), jnp.int32(1999)")
def loss_scaling(params, grads, scale, good):
    """Dynamic scale of mixed precision: the step is skipped where a gradient is not finite."""
    grads = jax.tree.map(lambda g: g.astype(jnp.float16).astype("float32") / scale, grads)
    finite = jnp.all(jnp.array([jnp.isfinite(g).all() for g in jax.tree.leaves(grads)]))
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - 0.01 * g, p), params, grads)
    grown = jnp.where(good + 1 >= 2000, scale * 2, scale)
    return params, jnp.where(finite, grown, jnp.maximum(scale / 2, 1)), jnp.where(finite, (good + 1) % 2000, 0)


ROWS = [
    "jax.jit(lambda x, w: nn.silu(x @ w[:, :88]) * (x @ w[:, 88:])) @@ n(1, 64, dtype='bfloat16'), n(64, 176, dtype='bfloat16')",
    "lambda t: (lambda a: jnp.concatenate([jnp.cos(a), jnp.sin(a)], -1))(t[:, None] * jnp.exp(-jnp.log(1e4) * jnp.arange(64) "
    "/ 64)) @@ i(1000, 16)",
    "lambda x, g: (lambda p: (p * jnp.log(p / p.mean(0))).sum(1).mean())(nn.softmax(x @ g)) @@ n(120, 24), n(24, 10)",
    "grad(lambda c, r: jnp.logaddexp(0, -(c - r))) @@ n(64), n(64, seed=1)",
    "lambda e, w: lax.top_k(e / linalg.norm(e, axis=1, keepdims=True) @ w.T, 10) @@ n(12, 64), n(3000, 64)",
]
