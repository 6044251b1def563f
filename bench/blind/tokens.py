"""tokens.py: parts of language models: attention of prompts and of single tokens, caches in pages and in few bits, experts,
adapters, state spaces, sampling of tokens, losses of preference and contrast, diffusion, flows."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- decoding --------------------------------------------------------------------------------------------------------

@row("n(4, 16, 64), n(4, 300, 4, 64), n(4, 300, 4, 64, seed=1), jnp.array([17, 299, 120, 256])")
@row("n(1, 32, 128), n(1, 1024, 8, 128), n(1, 1024, 8, 128, seed=1), jnp.array([777])")
@row("n(7, 6, 40, dtype='bfloat16'), n(7, 90, 2, 40, dtype='bfloat16'), n(7, 90, 2, 40, dtype='bfloat16'), i(90, 7)")
def decode_grouped_heads(q, k, v, length):
    b, h, d = q.shape
    g = k.shape[2]
    q = q.reshape(b, g, h // g, d) * d ** -0.5
    scores = jnp.einsum("bgrd,bsgd->bgrs", q, k, preferred_element_type=jnp.float32)
    scores = jnp.where(jnp.arange(k.shape[1]) <= length[:, None, None, None], scores, -1e30)
    p = nn.softmax(scores, -1).astype(v.dtype)
    return jnp.einsum("bgrs,bsgd->bgrd", p, v).reshape(b, h * d)


@row("n(3, 8, 48), n(40, 16, 2, 48), n(40, 16, 2, 48, seed=1), i(40, 3, 7), jnp.array([5, 100, 66])")
@row("n(4, 16, 64), n(128, 16, 4, 64), n(128, 16, 4, 64, seed=1), i(128, 4, 8), i(127, 4)")
def decode_over_block_tables(q, keys, values, table, length):
    """Pages of 16 tokens, gathered by the table of each request."""
    b, pages = table.shape
    k = keys[table].reshape(b, pages * 16, *keys.shape[2:])
    v = values[table].reshape(b, pages * 16, *values.shape[2:])
    r = q.shape[1] // k.shape[2]
    s = jnp.einsum("bhd,bshd->bhs", q, jnp.repeat(k, r, 2)) / jnp.sqrt(q.shape[-1])
    s = jnp.where(jnp.arange(pages * 16) <= length[:, None, None], s, -jnp.inf)
    return jnp.einsum("bhs,bshd->bhd", nn.softmax(s), jnp.repeat(v, r, 2))


@row("n(6, 2, 48), n(30, 16, 2, 48), i(5, 6, 4), jnp.array([3, 16, 17, 40, 63, 0])")
def new_keys_into_pages(k, pages, table, length):
    page = jnp.take_along_axis(table, (length // 16)[:, None], 1)[:, 0]
    return pages.at[page, length % 16].set(k, unique_indices=False), length + 1


@row("n(2, 200, 4, 32), n(2, 200, 2, 32), n(2, 200, 2, 32, seed=1)")
@row("n(2, 200, 4, 32), n(2, 200, 2, 32), n(2, 200, 2, 32, seed=1)", "grad({0}, (0, 1, 2))")
@row("n(1, 75, 3, 20), n(1, 75, 1, 20), n(1, 75, 1, 20, seed=1)", "grad({0}, (0, 1, 2))")
def prompt_in_window_with_soft_cap(q, k, v):
    """Gemma's local layers: a window of 64, scores capped at 50 by tanh."""
    r = q.shape[2] // k.shape[2]
    s = jnp.einsum("bqgrd,bkgd->bgrqk", q.reshape(*q.shape[:2], k.shape[2], r, -1), k) * q.shape[-1] ** -0.5
    s = 50 * jnp.tanh(s / 50)
    at = jnp.arange(q.shape[1])
    far = at[:, None] - at
    s = jnp.where((far >= 0) & (far < 64), s, -2.4e38)
    return jnp.einsum("bgrqk,bkgd->bqgrd", nn.softmax(s), v).reshape(q.shape)


@row("n(2, 128, 8, 64), i(4000, 2, 128)")
@row("n(2, 128, 8, 64), i(4000, 2, 128)", "grad({0})")
@row("n(5, 1, 12, 96, dtype='bfloat16'), i(4000, 5, 1)")
def rope_stretched_by_parts(x, position):
    """Llama 3's frequencies: low ones divided by 8, a ramp between, halves turned."""
    d = x.shape[-1]
    f = 500000.0 ** (-jnp.arange(0, d, 2) / d)
    wave = 2 * jnp.pi / f
    smooth = jnp.clip((8192 / wave - 1) / 3, 0, 1)
    f = (1 - smooth) * f / 8 + smooth * f
    a = position[..., None, None] * f
    c, s = jnp.cos(a), jnp.sin(a)
    x1, x2 = jnp.split(x.astype(jnp.float32), 2, -1)
    return jnp.concatenate([x1 * c - x2 * s, x2 * c + x1 * s], -1).astype(x.dtype)


@row("n(1, 60, 6, 48), i(30, 3, 1, 60)")
@row("n(1, 60, 6, 48), i(30, 3, 1, 60)", "grad({0})")
def rope_of_time_height_width(x, places):
    """Sections of 8, 8 and 8 pairs for three positions, as of vision language models."""
    f = 1e4 ** (-jnp.arange(24) / 24)
    section = jnp.repeat(jnp.arange(3), 8)
    a = places[section].transpose(1, 2, 0) * f
    x = x.reshape(*x.shape[:-1], 24, 2)
    z = lax.complex(x[..., 0], x[..., 1]) * jnp.exp(1j * a)[:, :, None]
    return jnp.stack([z.real, z.imag], -1).reshape(*x.shape[:-2], 48)


@row("random.key(3), n(4, 5, 1000, scale=2.), n(4, 6, 1000, scale=2., seed=1), i(1000, 4, 5)")
@row("random.key(3), n(1, 4, 32000, scale=2.), n(1, 5, 32000, scale=2., seed=1), i(32000, 1, 4)")
def draft_tokens_accepted(key, draft, target, tokens):
    """Speculative sampling: accept by the ratio of probabilities, draw again from the positive part of the difference."""
    k1, k2 = random.split(key)
    q, p = nn.softmax(draft), nn.softmax(target)
    at = lambda x: jnp.take_along_axis(x, tokens[..., None], -1)[..., 0]
    ok = random.uniform(k1, tokens.shape) < at(p[:, :-1]) / at(q)
    count = jnp.cumprod(ok, 1).sum(1)
    rest = jnp.maximum(p - jnp.pad(q, ((0, 0), (0, 1), (0, 0))), 0)
    rest = jnp.take_along_axis(rest, count[:, None, None], 1)[:, 0]
    extra = random.categorical(k2, jnp.log(rest + 1e-20))
    out = jnp.pad(tokens, ((0, 0), (0, 1)))
    return jnp.where(jnp.arange(out.shape[1]) == count[:, None], extra[:, None], out), count


@row("random.key(0), n(4, 5000, scale=3.)")
@row("random.key(0), n(3, 777, scale=3.)")
def sampled_from_nucleus_with_min_p(key, logits):
    order = jnp.argsort(-logits)
    s = jnp.take_along_axis(logits, order, -1)
    p = nn.softmax(s / 0.8)
    keep = (jnp.cumsum(p, -1) - p < 0.9) & (p > 0.02 * p[:, :1])
    pick = random.categorical(key, jnp.where(keep, s, -jnp.inf))
    return jnp.take_along_axis(order, pick[:, None], -1)[:, 0], keep.sum(-1)


@row("n(5, 3000), i(3000, 5, 64)")
def repetition_frequency_and_presence(logits, past):
    count = jax.vmap(lambda p: jnp.zeros(3000).at[p].add(1))(past)
    logits = jnp.where(count > 0, jnp.where(logits > 0, logits / 1.2, logits * 1.2), logits)
    return logits - 0.5 * count - 0.3 * (count > 0)


@row("n(4, 7, 500), n(4, 7), i(500, 4, 7, 9)")
def beams_extended_and_reordered(logits, score, words):
    total = score[..., None] + nn.log_softmax(logits)
    best, at = lax.top_k(total.reshape(4, -1), 7)
    beam, word = at // 500, at % 500
    words = jnp.take_along_axis(words, beam[..., None], 1)
    return best, jnp.concatenate([words, word[..., None]], -1), (word == 2).any(1)


@row("n(2, 4, 32), n(2, 4, 64, 32), n(2, 4, 64, 32, seed=1), jnp.abs(n(2, 4, 64)), n(4, 3, scale=.1)")
def heavy_hitters_evicted(q, k, v, mass, sink):
    """The key of least accumulated attention is replaced; three sinks stay."""
    s = jnp.einsum("bhd,bhsd->bhs", q, k) / 32 ** 0.5
    s = s.at[:, :, :3].add(sink)
    p = nn.softmax(s)
    mass = mass + p
    out = jnp.argmin(mass.at[:, :, :3].set(jnp.inf), -1)
    hot = nn.one_hot(out, 64, dtype=bool)
    return jnp.einsum("bhs,bhsd->bhd", p, v), jnp.where(hot[..., None], q[:, :, None], k), jnp.where(hot, 0, mass)


@row("n(3, 96), n(96, 24, scale=.1), n(24, 8, 20, scale=.2), n(24, 8, 16, scale=.2), n(96, 8, 20, scale=.1), n(3, 150, 24)")
@row("n(3, 96), n(96, 24, scale=.1), n(24, 8, 20, scale=.2), n(24, 8, 16, scale=.2), n(96, 8, 20, scale=.1), n(3, 150, 24)",
     "grad({0}, (1, 2, 3, 4))")
def latent_attention_absorbed(x, down, up_k, up_v, wq, cache):
    """Keys and values stay in 24 latent numbers; the query is taken there."""
    c = x @ down
    cache = jnp.concatenate([cache, c[:, None]], 1)
    q = jnp.einsum("bd,dhk,chk->bhc", x, wq, up_k)
    p = nn.softmax(jnp.einsum("bhc,bsc->bhs", q, cache) / 20 ** 0.5)
    return jnp.einsum("bhs,bsc,chv->bhv", p, cache, up_v)


@row("n(1, 6, 37, 16), n(1, 6, 400, 16), n(1, 6, 400, 16, seed=1)")
@row("n(2, 4, 256, 64), n(2, 4, 512, 64), n(2, 4, 512, 64, seed=1)")
def streamed_softmax_over_chunks(q, k, v):
    """Running maximum and sum over chunks of keys, by scan."""
    size = k.shape[2] // 8
    chunks = lambda x: jnp.moveaxis(x.reshape(*x.shape[:2], 8, size, -1), 2, 0)
    def step(c, kv):
        m, total, out = c
        s = q @ kv[0].swapaxes(-1, -2) * q.shape[-1] ** -0.5
        new = jnp.maximum(m, s.max(-1))
        p, scale = jnp.exp(s - new[..., None]), jnp.exp(m - new)
        return (new, total * scale + p.sum(-1), out * scale[..., None] + p @ kv[1]), None
    m = jnp.full(q.shape[:-1], -jnp.inf)
    (m, total, out), _ = lax.scan(step, (m, jnp.zeros_like(m), jnp.zeros_like(q)), (chunks(k), chunks(v)))
    return out / total[..., None], m + jnp.log(total)


@row("n(300, 3, 16), n(300, 3, 16, seed=1), n(300, 3, 16, seed=2), jnp.sort(i(9, 300))")
@row("n(300, 3, 16), n(300, 3, 16, seed=1), n(300, 3, 16, seed=2), jnp.sort(i(9, 300))", "grad({0}, (0, 1, 2))")
def packed_documents_attend(q, k, v, document):
    at = jnp.arange(300)
    mask = (document[:, None] == document) & (at[:, None] >= at)
    s = jnp.where(mask, jnp.einsum("qhd,khd->hqk", q, k) / 4, -1e9)
    return jnp.einsum("hqk,khd->qhd", nn.softmax(s), v)


# ---- few bits ------------------------------------------------------------------------------------------------------

@row("n(1, 768), i(256, 768, 384).astype('uint8'), jnp.abs(n(12, 768, scale=.02)) + .01")
@row("n(5, 256), i(256, 256, 100).astype('uint8'), jnp.abs(n(4, 200, scale=.02)) + .01")
def product_with_nibbles_by_groups(x, packed, scale):
    """Two weights in a byte along the outputs, a scale for each 64 inputs."""
    w = jnp.stack([packed & 15, packed >> 4], -1).reshape(packed.shape[0], -1).astype(jnp.float32) - 8
    w = w.reshape(scale.shape[0], 64, -1) * scale[:, None]
    return x @ w.reshape(x.shape[1], -1)


@row("n(16, 512), (i(255, 512, 300) - 127).astype('int8'), jnp.abs(n(300, scale=.01)) + .001")
@row("n(1, 1000), (i(255, 1000, 333) - 127).astype('int8'), jnp.abs(n(333, scale=.01)) + .001")
def rows_to_int8_and_product(x, w, scale):
    amax = jnp.abs(x).max(-1, keepdims=True) / 127
    q = jnp.round(x / amax).astype(jnp.int8)
    return lax.dot(q, w, preferred_element_type=jnp.int32) * amax * scale


@row("n(60, 128), n(128, 96, scale=.1)")
@row("n(60, 128), n(128, 96, scale=.1)", "grad({0}, (0, 1))")
def fp8_product_straight_through(x, w):
    def rounded(a, kind, top):
        s = jnp.abs(a).max() / top
        return a + lax.stop_gradient((a / s).astype(kind).astype(jnp.float32) * s - a)
    return rounded(x, jnp.float8_e4m3fn, 448.0) @ rounded(w, jnp.float8_e5m2, 57344.0)


@row("n(40, 256)")
@row("n(40, 256)", "lambda x: {0}(x.astype('bfloat16'))")
def microscaled_blocks_of_sixteen(x):
    """Blocks of 16 with a scale in fp8, values on the grid of four bits."""
    grid = jnp.array([0, .5, 1, 1.5, 2, 3, 4, 6])
    b = x.astype(jnp.float32).reshape(40, 16, 16)
    s = (jnp.abs(b).max(-1, keepdims=True) / 6).astype(jnp.float8_e4m3fn).astype(jnp.float32) + 1e-8
    code = jnp.argmin(jnp.abs(jnp.abs(b / s)[..., None] - grid), -1)
    return (jnp.sign(b) * grid[code] * s).reshape(40, 256), code.astype(jnp.uint8)


@row("n(6, 4, 48), n(6, 4, 48, seed=1), (i(255, 6, 4, 70, 48) - 127).astype('int8'), jnp.abs(n(6, 4, 70)) * .02, i(70, 6)")
def byte_cache_updated_and_read(q, k, cache, scale, at):
    s = jnp.abs(k).max(-1) / 127
    new = jnp.round(k / s[..., None]).astype(jnp.int8)
    b = jnp.arange(6)
    cache, scale = cache.at[b, :, at].set(new), scale.at[b, :, at].set(s)
    logits = jnp.einsum("bhd,bhsd->bhs", q, cache.astype(jnp.float32)) * scale
    return nn.softmax(jnp.where(jnp.arange(70) <= at[:, None, None], logits, -1e9)), cache, scale


@row("n(500), n(500, seed=1), i(256, 10, 50).astype('uint8'), jnp.abs(n(10, 1)) + .1")
def moment_in_table_of_codes(p, g, code, scale):
    """A nonlinear map of 256 values, blocks of 50, nearest codes by searchsorted."""
    table = jnp.sign(jnp.linspace(-1, 1, 256)) * jnp.linspace(-1, 1, 256) ** 2
    m = (table[code] * scale).reshape(500) * 0.9 + 0.1 * g
    b = m.reshape(10, 50)
    scale = jnp.abs(b).max(1, keepdims=True)
    code = jnp.searchsorted((table[1:] + table[:-1]) / 2, b / scale)
    return p - 0.01 * jnp.sign(m), code.astype(jnp.uint8), scale


@row("n(64, 64, scale=.2), jnp.abs(n(64)) + .1")
def columns_rounded_with_error_passed_on(w, h):
    """GPTQ with a diagonal inverse plus a band: each column's error moves to the later ones."""
    inverse = jnp.exp(-jnp.abs(jnp.arange(64)[:, None] - jnp.arange(64)) / 4.0) * h
    def column(w, j):
        q = jnp.clip(jnp.round(w[:, j] / 0.1), -8, 7) * 0.1
        e = (w[:, j] - q) / inverse[j, j]
        return w - jnp.where(jnp.arange(64) > j, e[:, None] * inverse[j], 0), q
    return lax.scan(column, w, jnp.arange(64))[1].T


# ---- experts and adapters ------------------------------------------------------------------------------------------

@row("n(96, 48), n(48, 8), n(8, 48, 64, scale=.1), n(8, 64, 48, scale=.1)")
@row("n(96, 48), n(48, 8), n(8, 48, 64, scale=.1), n(8, 64, 48, scale=.1)", "grad({0}, (1, 2, 3))")
@row("n(3, 128), n(128, 16), n(16, 128, 96, scale=.1), n(16, 96, 128, scale=.1)")
def two_experts_by_gathered_weights(x, gate, up, down):
    """For few tokens: the weights of the two chosen experts are gathered."""
    p, e = lax.top_k(nn.softmax(x @ gate), 2)
    h = nn.silu(jnp.einsum("td,tkdf->tkf", x, up[e]))
    return jnp.einsum("tkf,tkfd,tk->td", h, down[e], p / p.sum(-1, keepdims=True))


@row("n(200, 32), n(32, 6), n(6, 32, 80, scale=.1), n(6, 80, 32, scale=.1)")
@row("n(200, 32), n(32, 6), n(6, 32, 80, scale=.1), n(6, 80, 32, scale=.1)", "grad({0}, (1, 2, 3))")
def experts_of_limited_capacity(x, gate, up, down):
    """Tokens sorted to slots by one-hot tables; what exceeds 40 is dropped."""
    p = nn.softmax(x @ gate)
    weight, e = p.max(-1), p.argmax(-1)
    hot = nn.one_hot(e, 6)
    place = ((jnp.cumsum(hot, 0) - 1) * hot).sum(-1).astype(jnp.int32)
    send = hot[:, :, None] * nn.one_hot(place, 40)[:, None]
    h = nn.gelu(jnp.einsum("tec,td->ecd", send, x) @ up) @ down
    balance = 6 * (hot.mean(0) * p.mean(0)).sum()
    return jnp.einsum("tec,ecd,t->td", send, h, weight) + 0.01 * balance


@row("n(128, 40), n(40, 5), n(5, 40, 56, scale=.1)")
def experts_by_ragged_product(x, gate, w):
    e = jnp.argmax(x @ gate, -1)
    order = jnp.argsort(e)
    y = lax.ragged_dot(x[order], w, jnp.bincount(e, length=5).astype(jnp.int32))
    return jnp.zeros_like(y).at[order].set(y)


@row("n(150, 32), n(32, 12, scale=.3), n(12)")
@row("n(150, 32), n(32, 12, scale=.3), n(12)", "lambda x, w, b: {0}(x, w, b)[0]")
def groups_of_experts_with_bias(x, w, bias):
    """DeepSeek's gate: best two of four groups, then four experts; a bias moves the choice only."""
    s = nn.sigmoid(x @ w)
    c = (s + bias).reshape(-1, 4, 3)
    group = lax.top_k(lax.top_k(c, 2)[0].sum(-1), 2)[1]
    open_ = nn.one_hot(group, 4).sum(1)[..., None] > 0
    e = lax.top_k(jnp.where(open_, c, -jnp.inf).reshape(-1, 12), 4)[1]
    p = jnp.take_along_axis(s, e, -1)
    load = jnp.bincount(e.ravel(), length=12)
    return p / p.sum(-1, keepdims=True) * 2.5, e, bias + 0.001 * jnp.sign(load.mean() - load)


@row("n(90, 64), n(64, 70, scale=.1), n(64, 4, scale=.1), n(4, 70, scale=.1)", "grad({0}, (2, 3))")
@row("n(90, 64), n(64, 70, scale=.1), n(64, 4, scale=.1), n(4, 70, scale=.1)")
def low_rank_with_direction_and_length(x, w, a, b):
    """DoRA: columns of the adapted weight scaled to the old lengths."""
    v = w + 2 * a @ b
    norm = jnp.linalg.norm(v, axis=0)
    return jnp.tanh(x @ (v * (jnp.linalg.norm(w, axis=0) / lax.stop_gradient(norm))))


@row("n(12, 96), n(96, 96, scale=.1), n(7, 96, 8, scale=.1), n(7, 8, 96, scale=.1), i(7, 12)")
def adapters_chosen_by_request(x, w, a, b, which):
    return x @ w + jnp.einsum("bd,bdr,bre->be", x, a[which], b[which])


@row("n(24, 60), n(60, 60, scale=.1), n(30, 4, 4, scale=.1)", "grad({0}, (2,))")
def weights_turned_by_small_blocks(x, w, blocks):
    """Orthogonal fine tuning: a Cayley transform of 15 blocks of 4."""
    s = blocks[:15] - blocks[:15].swapaxes(1, 2)
    r = jnp.linalg.solve(jnp.eye(4) + s, jnp.eye(4) - s)
    return jnp.square(jnp.einsum("bkj,kij->bki", (x @ w).reshape(24, 15, 4), r))


# ---- state spaces and linear attention --------------------------------------------------------------------------------

@row("n(2, 100, 24), nn.softplus(n(2, 100, 24, seed=1)), n(24, 8), n(2, 100, 8), n(2, 100, 8, seed=1)")
@row("n(2, 32, 24), nn.softplus(n(2, 32, 24, seed=1)), n(24, 8), n(2, 32, 8), n(2, 32, 8, seed=1)", "grad({0}, (0, 1, 2, 3, 4))")
def selective_scan_by_associativity(x, dt, a, b, c):
    decay = jnp.exp(-dt[..., None] * jnp.exp(a))
    drive = (dt * x)[..., None] * b[:, :, None]
    h = lax.associative_scan(lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1]), (decay, drive), axis=1)[1]
    return jnp.einsum("blds,bls->bld", h, c)


@row("n(4, 33), n(4, 33, 8), n(33, 8), n(4, 33, seed=1), n(4, 8), n(4, 8, seed=1), n(4, 33, 3), n(33, 4)")
def mamba_single_token(x, h, a, dt, b, c, window, kernel):
    window = jnp.concatenate([window, x[..., None]], -1)
    u = nn.silu((window * kernel).sum(-1))
    dt = nn.softplus(dt)
    h = jnp.exp(-dt[..., None] * jnp.exp(a)) * h + (dt * u)[..., None] * b[:, None]
    return jnp.einsum("bds,bs->bd", h, c), h, window[..., 1:]


@row("n(128, 4, 16), -jnp.abs(n(128, 4)) * .1, n(128, 8), n(128, 8, seed=1)")
@row("n(128, 4, 16), -jnp.abs(n(128, 4)) * .1, n(128, 8), n(128, 8, seed=1)", "grad({0}, (0, 1, 2, 3))")
def state_space_dual_by_chunks(x, a, b, c):
    """Mamba-2: products within chunks of 32, states passed between them."""
    x, a, b, c = (z.reshape(4, 32, *z.shape[1:]) for z in (x, a, b, c))
    s = jnp.cumsum(a, 1)
    gap = jnp.where(jnp.tril(jnp.ones((32, 32), bool))[None, :, :, None], s[:, :, None] - s[:, None], -jnp.inf)
    inner = jnp.einsum("kin,kjn,kijh,kjhp->kihp", c, b, jnp.exp(gap), x)
    state = jnp.einsum("kjn,kjh,kjhp->khpn", b, jnp.exp(s[:, -1:] - s), x)
    def pass_on(h, z):
        return h * jnp.exp(z[0])[:, None, None] + z[1], h
    before = lax.scan(pass_on, jnp.zeros((4, 16, 8)), (s[:, -1], state))[1]
    return (inner + jnp.einsum("kin,khpn,kih->kihp", c, before, jnp.exp(s))).reshape(128, 4, 16)


@row("n(64, 3), n(16, scale=.5), n(16), n(3, 16), n(3, 16, seed=1)", "grad({0}, (1, 2, 3, 4))")
@row("n(250, 3), n(16, scale=.5), n(16), n(3, 16), n(3, 16, seed=1)")
def diagonal_kernel_by_transform(x, rate, angle, b, c):
    """S4D: a Vandermonde kernel of complex poles, convolved by FFT."""
    t = x.shape[0]
    pole = lax.complex(-jnp.exp(rate), angle) * 0.05
    kernel = 2 * jnp.einsum("cn,nt->ct", b * c * 0.05, jnp.exp(pole[:, None] * jnp.arange(t))).real
    f = jnp.fft.rfft(x.T, 2 * t) * jnp.fft.rfft(kernel, 2 * t)
    return nn.gelu(jnp.fft.irfft(f, 2 * t)[:, :t].T)


@row("n(80, 32), n(80, 32, seed=1), n(32), n(32, seed=1)")
@row("n(80, 32), n(80, 32, seed=1), n(32), n(32, seed=1)", "grad({0}, (0, 1, 2, 3))")
def weighted_keys_of_rwkv(k, v, w, u):
    def step(s, kv):
        a, b, m = s
        k, v = kv
        top = jnp.maximum(m, u + k)
        e1, e2 = jnp.exp(m - top), jnp.exp(u + k - top)
        y = (e1 * a + e2 * v) / (e1 * b + e2)
        new = jnp.maximum(m - jnp.exp(w), k)
        e1, e2 = jnp.exp(m - jnp.exp(w) - new), jnp.exp(k - new)
        return (e1 * a + e2 * v, e1 * b + e2, new), y
    return lax.scan(step, (jnp.zeros(32), jnp.zeros(32), jnp.full(32, -1e30)), (k, v))[1]


@row("n(60, 4, 16), n(60, 4, 16, seed=1), n(60, 4, 16, seed=2), n(60, 4), n(60, 4, seed=3)")
@row("n(60, 4, 16), n(60, 4, 16, seed=1), n(60, 4, 16, seed=2), n(60, 4), n(60, 4, seed=3)", "grad({0}, (0, 1, 2, 3, 4))")
def memory_of_xlstm(q, k, v, i, f):
    """A matrix for each head, exponential gates kept stable by their running maximum."""
    def step(s, z):
        c, norm, m = s
        q, k, v, i, f = z
        f = nn.log_sigmoid(f)
        new = jnp.maximum(f + m, i)
        keep, add = jnp.exp(f + m - new), jnp.exp(i - new)
        c = keep[:, None, None] * c + add[:, None, None] * v[:, :, None] * k[:, None] / 4
        norm = keep[:, None] * norm + add[:, None] * k / 4
        y = jnp.einsum("hvk,hk->hv", c, q) / jnp.maximum(jnp.abs((norm * q).sum(-1)), 1)[:, None]
        return (c, norm, new), y
    return lax.scan(step, (jnp.zeros((4, 16, 16)), jnp.zeros((4, 16)), jnp.zeros(4)), (q, k, v, i, f))[1]


@row("n(2, 3, 150, 16), n(2, 3, 150, 16, seed=1), n(2, 3, 150, 12)")
@row("n(2, 3, 150, 16), n(2, 3, 150, 16, seed=1), n(2, 3, 150, 12)", "grad({0}, (0, 1, 2))")
def retention_with_decay_of_heads(q, k, v):
    g = jnp.log(1 - 2.0 ** (-5 - jnp.arange(3)))
    far = jnp.arange(150)[:, None] - jnp.arange(150)
    d = jnp.where(far >= 0, jnp.exp(far * g[:, None, None]), 0)
    s = q @ k.swapaxes(-1, -2) / 4 * d
    y = s @ v / jnp.maximum(jnp.abs(s.sum(-1, keepdims=True)), 1)
    return (y - y.mean(-1, keepdims=True)) * lax.rsqrt(y.var(-1, keepdims=True) + 1e-5)


@row("n(50, 20), n(20, 72, scale=.2), n(24, 72, scale=.2), n(72)", "grad({0}, (1, 2, 3))")
@row("n(8, 50, 20), n(20, 72, scale=.2), n(24, 72, scale=.2), n(72)", "vmap({0}, (0, None, None, None))")
def gru_with_reset_after_product(x, w, u, b):
    def step(h, gates):
        zx, rx, nx = jnp.split(gates, 3)
        zh, rh, nh = jnp.split(h @ u, 3)
        z = nn.sigmoid(zx + zh)
        h = (1 - z) * jnp.tanh(nx + nn.sigmoid(rx + rh) * nh) + z * h
        return h, h
    return lax.scan(step, jnp.zeros(24), x @ w + b)[1]


# ---- losses and blocks ------------------------------------------------------------------------------------------------

@row("n(300, 40), n(40, 2000, scale=.1), i(2000, 300)", "jax.value_and_grad({0}, (0, 1))")
@row("n(64, 40, dtype='bfloat16'), n(40, 999, scale=.1, dtype='bfloat16'), i(999, 64)", "jax.value_and_grad({0}, (0, 1))")
def vocabulary_loss_in_chunks_with_z(x, w, target):
    """Chunks of tokens under remat; the logarithm of the partition is penalized."""
    @jax.checkpoint
    def chunk(total, xt):
        logits = (xt[0] @ w).astype(jnp.float32)
        z = nn.logsumexp(logits, -1)
        return total + (z - jnp.take_along_axis(logits, xt[1][:, None], 1)[:, 0] + 1e-4 * z * z).sum(), None
    parts = 4
    return lax.scan(chunk, 0.0, (x.reshape(parts, -1, x.shape[1]), target.reshape(parts, -1)))[0] / x.shape[0]


@row("n(8, 30, 100), n(8, 30, 100, seed=1), i(100, 8, 30), (i(3, 8, 30) > 0)", "jax.value_and_grad({0})")
def preference_by_pairs_of_answers(logits, reference, tokens, mask):
    log_p = lambda l: (jnp.take_along_axis(nn.log_softmax(l), tokens[..., None], -1)[..., 0] * mask).sum(-1)
    r = log_p(logits) - log_p(reference)
    return -nn.log_sigmoid(0.1 * (r[:4] - r[4:])).mean()


@row("n(4, 8, 20, 64), n(4, 8, 20), n(4, 8, 20, seed=1), i(64, 4, 8, 20), n(4, 8)", "jax.value_and_grad({0})")
def group_relative_policy(logits, old, reference, tokens, reward):
    advantage = ((reward - reward.mean(1, keepdims=True)) / (reward.std(1, keepdims=True) + 1e-4))[..., None]
    lp = jnp.take_along_axis(nn.log_softmax(logits), tokens[..., None], -1)[..., 0]
    ratio = jnp.exp(jnp.clip(lp - old, -3, 3))
    gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 0.8, 1.28) * advantage)
    gap = jnp.clip(reference - lp, -5, 5)
    return -(gain - 0.04 * (jnp.exp(gap) - gap - 1)).mean()


@row("n(50, 200), n(50, 200, seed=1)", "jax.grad({0})")
@row("n(512, 32), n(512, 32, seed=1)", "jax.grad({0})")
def skewed_divergence_of_teacher(student, teacher):
    p, q = nn.softmax(teacher / 2), nn.softmax(student / 2)
    m = 0.1 * p + 0.9 * q
    return (jnp.where(p > 0, p * (jnp.log(p) - jnp.log(m)), 0)).sum(-1).mean() * 4


@row("n(100, 48), n(100, 48, seed=1), jnp.array(2.), jnp.array(-8.)", "jax.value_and_grad({0}, (0, 1, 2, 3))")
def pairwise_sigmoid_of_pictures_and_words(a, b, t, bias):
    unit = lambda x: x * lax.rsqrt((x * x).sum(-1, keepdims=True) + 1e-6)
    logits = unit(a) @ unit(b).T * jnp.exp(t) + bias
    return -nn.log_sigmoid(logits * (2 * jnp.eye(100) - 1)).sum(-1).mean()


@row("n(64, 20), i(9, 64)", "jax.value_and_grad({0})")
@row("n(333, 8), i(40, 333)", "jax.value_and_grad({0})")
def batch_hard_triplets(x, label):
    d2 = ((x[:, None] - x) ** 2).sum(-1)
    d = jnp.sqrt(d2 + 1e-12)
    same = label[:, None] == label
    far = jnp.where(same, d, 0).max(1)
    near = jnp.where(same, jnp.inf, d).min(1)
    return nn.softplus(far - near).mean()


@row("n(6, 400), (i(9, 6, 400) == 0).astype('float32')", "jax.value_and_grad({0})")
@row("n(2, 31, 29), (i(9, 2, 31, 29) == 0).astype('float32')", "jax.value_and_grad({0})")
def focal_and_tversky(logits, y):
    p = nn.sigmoid(logits)
    pt = jnp.where(y > 0, p, 1 - p)
    focal = -(jnp.where(y > 0, 0.25, 0.75) * (1 - pt) ** 2 * jnp.log(pt + 1e-7)).mean()
    t = (p * y).sum()
    return focal + (1 - t / (t + 0.3 * (p * (1 - y)).sum() + 0.7 * ((1 - p) * y).sum() + 1)) ** 0.75


@row("n(16, 48), n(48, 96, scale=.1), n(96, 48, scale=.1), n(48, 288, scale=.1), n(16, 20, 48), n(48, 144, scale=.1)")
@row("n(16, 48), n(48, 96, scale=.1), n(96, 48, scale=.1), n(48, 288, scale=.1), n(16, 20, 48), n(48, 144, scale=.1)",
     "grad({0}, (1, 2, 3, 5))")
def diffusion_transformer_block(c, up, down, mod, x, qkv):
    """adaLN-zero: six shifts, scales and gates from the condition."""
    s1, b1, g1, s2, b2, g2 = jnp.split((nn.silu(c) @ mod)[:, None], 6, -1)
    norm = lambda x: nn.standardize(x, -1, epsilon=1e-6)
    q, k, v = jnp.split((norm(x) * (1 + s1) + b1) @ qkv, 3, -1)
    heads = lambda z: z.reshape(16, 20, 6, 8)
    x = x + g1 * nn.dot_product_attention(heads(q), heads(k), heads(v)).reshape(x.shape)
    return x + g2 * (nn.gelu((norm(x) * (1 + s2) + b2) @ up) @ down)


@row("random.key(5), n(32, 10), n(11, 64, scale=.3), n(64, 10, scale=.1)", "jax.value_and_grad({0}, (2, 3))")
def mean_velocity_by_tangent(key, x, w1, w2):
    """Mean flow: the target has the derivative along the path, by jvp."""
    k1, k2 = random.split(key)
    e, t = random.normal(k1, x.shape), random.uniform(k2, (32, 1))
    net = lambda z, t: nn.silu(jnp.concatenate([z, t], 1) @ w1) @ w2
    u, du = jax.jvp(net, ((1 - t) * x + t * e, t), (e - x, jnp.ones_like(t)))
    return ((u - lax.stop_gradient(e - x - t * du)) ** 2).mean()


@row("n(4, 8, 8, 6), n(12, 24, scale=.2), n(3, 3, 24, 6, scale=.1)")
@row("n(4, 8, 8, 6), n(12, 24, scale=.2), n(3, 3, 24, 6, scale=.1)", "grad({0}, (1, 2))")
def twenty_implicit_steps_of_noise(x, embed, kernel):
    """DDIM with a small convolution that knows the time by sines."""
    alpha = jnp.cos(jnp.linspace(0.02, 1.5, 21)) ** 2
    first = jnp.ones((1, 1, 6, 24)) / 6
    def step(x, k):
        t = 21 - k
        a, b = alpha[t - 1], alpha[jnp.maximum(t - 2, 0)]
        f = t / 21 * 2.0 ** jnp.arange(6)
        h = lax.conv_general_dilated(x, first, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        h = nn.silu(h + jnp.concatenate([jnp.sin(f), jnp.cos(f)]) @ embed)
        e = lax.conv_general_dilated(h, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        clean = jnp.clip((x - jnp.sqrt(1 - a) * e) / jnp.sqrt(a + 1e-3), -3, 3)
        return jnp.sqrt(b) * clean + jnp.sqrt(1 - b) * e, None
    return lax.scan(step, x, jnp.arange(20))[0]


@row("n(200, 6), n(3, 4, 3, 40, scale=.3), n(3, 4, 40, 6, scale=.1)", "lambda *x: {0}(*x)[1]")
@row("n(200, 6), n(3, 4, 3, 40, scale=.3), n(3, 4, 40, 6, scale=.1)", "jax.grad(lambda *x: {0}(*x)[1], (1, 2))")
def alternating_couplings(x, w1, w2):
    """Twelve affine couplings by scan, halves exchanged."""
    def layer(s, w):
        (a, b), log_det = s
        shift, scale = jnp.split(jnp.tanh(a @ w[0]) @ w[1], 2, -1)
        scale = 2 * jnp.tanh(scale / 2)
        return ((b * jnp.exp(scale) + shift, a), log_det + scale.sum(-1)), None
    ws = w1.reshape(12, 3, 40), w2.reshape(12, 40, 6)
    ((a, b), log_det), _ = lax.scan(layer, ((x[:, :3], x[:, 3:]), jnp.zeros(200)), ws)
    return jnp.concatenate([a, b], 1), (0.5 * (a * a).sum(-1) + 0.5 * (b * b).sum(-1) - log_det).mean()
