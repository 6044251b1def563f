"""fresh_1.py: language models and how they are trained and run, weights of few bits, diffusion, agents, optimizers; one-liners of
odd shapes and types."""
import functools

import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    "lambda x, m: jnp.where(m, x, -jnp.inf).max(-1, initial=-9.) + (x * m).sum(-2)[..., :3].sum() @@ n(5, 17, 29), n(5, 17, 29) > 0",
    "lambda x: lax.reduce_window(x, -9., lax.max, (1, 5, 2), (1, 3, 1), 'VALID') - x[:, :15, 1:] @@ n(13, 47, 31)",
    "lambda a, b: jnp.einsum('hqk,khd->qhd', nn.softmax(a, -1), b).astype('float16') @@ n(7, 33, 65), n(65, 7, 24)",
    "lambda x, k: jnp.take_along_axis(x, jnp.argsort(k, axis=1), 1)[:, ::-1] @@ n(61, 113, dtype='bfloat16'), i(1000, 61, 113)",
    "vmap(lambda t, j: t.at[j].multiply(2.).at[j[::2]].min(.5), (0, None)) @@ n(23, 400), i(400, 37)",
    "grad(lambda x, w: jnp.logaddexp(x @ w, jnp.sin(x).mean(1, keepdims=True)), (0, 1)) @@ n(77, 51), n(51, 33)",
    "lambda x: (lambda y: (y.argmax(1), y.min((0, 2))))(x.reshape(9, 5, 11, 7).transpose(2, 0, 3, 1).reshape(11, 63, 5)) @@ n(99, 35)",
    "jax.jit(lambda a, b: (a[:, None, :] >= b[None]).all(-1).sum(1)) @@ n(401, 3), n(333, 3, seed=1)",
    "lambda x: jnp.cumprod(1 + .01 * x, axis=1)[:, ::-7] - lax.cummin(x, axis=0, reverse=True)[:, ::-7] @@ n(53, 701)",
    "lambda x, s: lax.dynamic_slice(x, (s[0], s[1], 0), (9, 21, 5)) @ jnp.ones((5, 3), x.dtype) @@ n(40, 60, 5), i(30, 2)",
    "lambda x: jnp.concatenate([x[:, :k] * k for k in (1, 2, 3, 5, 8, 13)], 1).astype('float8_e4m3fn').astype('bfloat16') @@ n(301, 17)",
    "f64: lambda x, y: jnp.hypot(x, y) ** .25 + jnp.arctan2(y, x).cumsum(0) @@ n(83, 91, dtype='float64'), n(83, 91, dtype='float64', seed=1)",
    "lambda a: jnp.stack([jnp.tril(a, -k).sum(-1) for k in range(4)]) + jnp.trace(a, axis1=1, axis2=2)[:, None] @@ n(19, 37, 37)",
    "lambda z: (jnp.exp(1j * z.real) * z.conj()).prod(1) @@ lax.complex(n(1001, 4), n(1001, 4, seed=1))",
    "lambda x: lax.scan(lambda c, r: (jnp.maximum(.9 * c, r), c.argmax()), x[0], x)[1] @@ n(200, 37)",
    "lambda p, q: (p[:, None] & q).astype('int32').sum(-1) - (p[:, None] ^ q).any(-1) @@ n(67, 41) > 0, n(59, 41) > 1",
    "lambda x, b: jnp.digitize(x, jnp.sort(b)).astype('uint8').reshape(-1, 3).max(1) @@ n(4503), n(15, seed=1)",
    "lambda x, t: jax.jvp(lambda x: jnp.sort(x, 0) * jnp.arange(53.), (x,), (t,)) @@ n(41, 53), n(41, 53, seed=1)",
    "lambda x: jnp.apply_along_axis(lambda r: jnp.convolve(r, jnp.array([.2, .6, .2]), 'same'), 2, x) @@ n(11, 13, 57)",
    "lambda q, s, z: ((q.astype('float32') - z[:, None]) * s[:, None]).reshape(4, -1).var(1)"
    " @@ i(256, 64, 233).astype('uint8'), n(64), n(64, seed=1)",
    "lambda x, k: lax.reduce(x, jnp.int32(0), lax.bitwise_xor, (1,)) ^ (x[:, 0] << k) @@ i(1 << 29, 7777, 19), i(8, 7777)",
    "lambda t, x: lax.switch(t[0], [jnp.sin, lambda v: v @ v.T @ v, lambda v: jnp.sort(v, 1)], x) @@ i(3, 1), n(61, 45)",
    "jax.checkpoint(lambda x, w: jnp.tanh(jnp.tanh(x @ w) @ w.T)) @@ n(1, 300), n(300, 170, scale=.1)",
    "lambda x: jnp.unwrap(3 * x, axis=0).astype('float16') + jnp.sinc(x).mean() @@ n(301, 9)",
    "lambda a, b: vmap(jnp.interp, (0, None, 0))(a, jnp.linspace(-2., 2., 31), b) @@ n(25, 90), n(25, 31)",
    "lambda x: jnp.nan_to_num(jnp.log(x), neginf=-50., nan=0.).sum(0).reshape(3, -1).max(0) @@ abs(n(130, 33)) - .5",
    "lambda m, v: lax.fori_loop(0, 25, lambda k, s: (m @ s) / (1e-6 + jnp.abs(s).max()), v) @@ n(65, 65), n(65, 3)",
    "lambda x: (x.astype('int8') @ x.T.astype('int8')).astype('int32') - x.sum(1).astype('int32') @@ i(11, 90, 37)",
    "lambda x, w: lax.conv_general_dilated(x, w, (2,), [(3, 1)], feature_group_count=4) @@ n(5, 12, 101), n(20, 3, 7)",
    "lambda x: jnp.quantile(x.astype('float32'), .3, axis=(0, 2)) @@ n(7, 41, 13, dtype='float16')",
    "lambda a, b, c: jnp.einsum('xay,yb,xbz->zab', a, b, c) @@ n(9, 11, 13), n(13, 7), n(9, 7, 5)",
    "lambda x: vmap(jnp.diag)(x)[:, 1:, :-1] + vmap(jnp.outer)(x, x)[:, :-1, 1:] @@ n(45, 23)",
    "lambda x, i: x.at[i[0], :, i[1]].add(1.5).at[-1].set(0.) @@ n(31, 7, 29), i(29, 2, 120)",
    "jax.jacfwd(lambda x: jnp.cumsum(jnp.sin(x)) / (1 + x ** 2).sum()) @@ n(83)",
    "lambda x: jnp.piecewise(x, [x < -1, x > 1], [lambda v: -v - .5, lambda v: v - .5, lambda v: v * v / 2]).sum(0) @@ n(211, 57)",
    "lambda s, x: lax.cond(s.sum() > 0, lambda: x[::-1].cumsum(0), lambda: jnp.sort(x, 0)) @@ n(5), n(300, 11, dtype='bfloat16')",
    "lambda x: (x >> 3 ^ x << 5).astype('int16').reshape(17, -1).astype('int32').sum(1) @@ i(30000, 17, 19, 23).astype('int16')",
    "lambda x, y: ((x[:, :, None] - y) ** 2).sum(1) ** .5 @@ n(127, 3), n(3, 201)",
    "lambda x: jnp.split(fft.rfft(x, axis=0), [3, 20])[1].imag * jnp.blackman(17)[:, None] @@ n(90, 45)",
    "lambda x, y: (x @ y[:, ::2]).astype('bfloat16').reshape(-1, 7).argmax(1) @@ n(49, 19, dtype='bfloat16'), n(19, 90, dtype='bfloat16')",
    "f64: lambda x: lax.associative_scan(jnp.logaddexp, x, axis=1)[:, ::5] @@ n(29, 203, dtype='float64')",
]


# ---- attention and caches ------------------------------------------------------------------------------------------------

@row("n(1, 1, 8, 64, dtype='bfloat16'), n(1, 301, 2, 64, dtype='bfloat16'), n(1, 301, 2, 64, dtype='bfloat16', seed=1), i(300, 1)")
@row("n(7, 1, 8, 64), n(7, 301, 2, 64), n(7, 301, 2, 64, seed=1), i(300, 7)")
def one_query_against_ragged_cache(q, keys, values, length):
    b, t, g, d = keys.shape
    q = q.reshape(b, g, -1, d)
    scores = jnp.einsum("bghd,btgd->bght", q, keys, preferred_element_type=jnp.float32) / d ** 0.5
    live = jnp.arange(t) <= length[:, None]
    p = nn.softmax(jnp.where(live[:, None, None], scores, -1e30), -1).astype(values.dtype)
    return jnp.einsum("bght,btgd->bghd", p, values).reshape(b, 1, -1)


@row("n(2, 90, 4, 32), n(2, 90, 4, 32, seed=1), n(2, 90, 4, 32, seed=2), n(4)", "jax.value_and_grad(lambda *a: {0}(*a).sum(), (0, 1, 2, 3))")
def softmax_with_learned_sink(q, k, v, sink):
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) * 32 ** -0.5
    s = jnp.where(jnp.tri(90, dtype=bool), s, -1e9)
    top = jnp.maximum(s.max(-1, keepdims=True), sink[:, None, None])
    e = jnp.exp(s - top)
    p = e / (e.sum(-1, keepdims=True) + jnp.exp(sink[:, None, None] - top))
    return jnp.einsum("bhqk,bkhd->bqhd", p, v)


@row("n(3, 45, 6, 40), i(700, 3, 45)", "grad({0})")
def rope_interleaved_then_partial(x, position):
    """The first 24 of 40 channels are turned, as pairs of neighbours."""
    angle = position[..., None] / 1e4 ** (jnp.arange(12) / 12)
    c, s = jnp.cos(angle)[:, :, None], jnp.sin(angle)[:, :, None]
    a, b = x[..., 0:24:2], x[..., 1:24:2]
    turned = jnp.stack([a * c - b * s, a * s + b * c], -1).reshape(*x.shape[:-1], 24)
    return jnp.concatenate([turned, x[..., 24:]], -1)


@row("n(40, 16, 2, 48), i(40, 6, 9), i(140, 6) + 1, n(6, 6, 48)")
def pages_gathered_then_attended(pool, table, length, q):
    kv = pool[table].reshape(6, 9 * 16, 2, 48)
    s = jnp.einsum("bhd,btd->bht", q, kv[:, :, 0]) / 7
    s = jnp.where(jnp.arange(144) < length[:, None, None], s, -jnp.inf)
    return jnp.einsum("bht,btd->bhd", nn.softmax(s, axis=-1), kv[:, :, 1])


@row("n(2, 64, 96), n(96, 96, scale=.1), n(96, 96, scale=.1, seed=1), n(96, 96, scale=.1, seed=2), n(127, 4)")
@row("n(2, 64, 96), n(96, 96, scale=.1), n(96, 96, scale=.1, seed=1), n(96, 96, scale=.1, seed=2), n(127, 4)", "grad({0}, (1, 4))")
def attention_with_clipped_relative_table(x, wq, wk, wv, table):
    split = lambda w: (x @ w).reshape(2, 64, 4, 24)
    s = jnp.einsum("bqhd,bkhd->bhqk", split(wq), split(wk)) / 24 ** 0.5
    gap = jnp.arange(64)[:, None] - jnp.arange(64) + 63
    s = s + table[gap].transpose(2, 0, 1)
    return jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(s), split(wv)).reshape(2, 64, 96)


@row("n(3, 4, 70, 16), n(3, 4, 70, 16, seed=1), n(3, 4, 70, 16, seed=2)")
def cosine_attention_in_two_passes_of_blocks(q, k, v):
    unit = lambda x: x * lax.rsqrt((x * x).sum(-1, keepdims=True) + 1e-6)
    q, k = 10 * unit(q), unit(k)
    def block(carry, kv):
        top, total, out = carry
        s = q @ kv[0].mT
        new = jnp.maximum(top, s.max(-1))
        scale, e = jnp.exp(top - new), jnp.exp(s - new[..., None])
        return (new, total * scale + e.sum(-1), out * scale[..., None] + e @ kv[1]), None
    cut = lambda x: jnp.moveaxis(x.reshape(3, 4, 7, 10, 16), 2, 0)
    start = (jnp.full(q.shape[:3], -jnp.inf), jnp.zeros(q.shape[:3]), jnp.zeros(q.shape))
    (_, total, out), _ = lax.scan(block, start, (cut(k), cut(v)))
    return out / total[..., None]


@row("n(48, 128), n(128, 48, scale=.1), n(16, 4, 32, scale=.2), n(16, 4, 32, scale=.2, seed=1), n(48, 4, 16)")
def latent_cache_expanded(x, down, up_k, up_v, q):
    c = (x @ down)[:, :16]
    c = c * lax.rsqrt(jnp.mean(c * c, -1, keepdims=True) + 1e-5)
    k, v = jnp.einsum("tc,chd->thd", c, up_k), jnp.einsum("tc,chd->thd", c, up_v)
    s = jnp.einsum("qhd,khd->hqk", q, k[..., :16])
    s = jnp.where(jnp.tri(48, dtype=bool), s, jnp.finfo(jnp.float32).min)
    return jnp.einsum("hqk,khd->qhd", nn.softmax(s), v)


@row("n(5, 37, 64), n(5, 21, 64, seed=1), (n(5, 21) > -1), n(64, 192, scale=.1), n(64, 64, scale=.1)")
def captions_attend_to_pictures(text, picture, seen, wkv, wq):
    q = nn.standardize(text, axis=-1) @ wq
    k, v = jnp.split((picture @ wkv)[..., :128], 2, -1)
    s = jnp.where(seen[:, None], q @ k.mT / 8, -1e4)
    gate = jnp.tanh((picture @ wkv)[..., 128:].mean(1, keepdims=True))
    return text + gate * (nn.softmax(s) @ v)


@row("n(4, 256, 32), n(4, 256, 32, seed=1), n(4, 256, 32, seed=2), nn.sigmoid(n(4, 256) + 3)", "grad({0}, (0, 3))")
def linear_attention_with_forget_gates(q, k, v, forget):
    def step(s, t):
        q, k, v, f = t
        s = f[:, None, None] * s + k[:, :, None] * v[:, None]
        return s, jnp.einsum("bd,bde->be", q, s)
    swap = lambda x: jnp.swapaxes(x, 0, 1)
    return swap(lax.scan(step, jnp.zeros((4, 32, 32)), tuple(map(swap, (q, k, v, forget))))[1])


# ---- experts, adapters, few bits --------------------------------------------------------------------------------------

@row("n(203, 48), n(48, 7), n(7, 48, 60, scale=.1), n(7, 60, 48, scale=.1)")
@row("n(203, 48), n(48, 7), n(7, 48, 60, scale=.1), n(7, 60, 48, scale=.1)", "grad({0}, (1, 2))")
def sigmoid_router_two_of_seven(x, router, up, down):
    gate = nn.sigmoid(x @ router)
    value, which = lax.top_k(gate, 2)
    value = value / value.sum(-1, keepdims=True)
    mix = (nn.one_hot(which, 7) * value[..., None]).sum(1)
    h = nn.silu(jnp.einsum("td,edf->tef", x, up))
    return jnp.einsum("tef,efd,te->td", h, down, mix)


@row("n(300, 24), i(6, 300), n(6, 24, 20, scale=.2)")
def tokens_sorted_to_their_expert(x, expert, w):
    order = jnp.argsort(expert, stable=True)
    sizes = jnp.bincount(expert, length=6)
    out = lax.ragged_dot(x[order], w, sizes.astype(jnp.int32))
    return jnp.zeros_like(out).at[order].set(out), sizes


@row("(i(255, 130, 257) - 127).astype('int8'), abs(n(257)) + .1, n(9, 130, dtype='bfloat16')")
def int8_columns_dequantized_in_product(w, scale, x):
    return ((x @ w.astype(jnp.bfloat16)).astype(jnp.float32) * scale).astype(jnp.bfloat16)


@row("i(256, 64, 96).astype('uint8'), n(64, 6), i(16, 64, 6), n(3, 192)")
def four_bits_with_zero_points(packed, scale, zero, x):
    low, high = packed & 15, packed >> 4
    w = jnp.stack([low, high], -1).reshape(64, 6, 32).astype(jnp.float32)
    w = (w - zero[..., None]) * scale[..., None]
    return x @ w.reshape(64, 192).T


@row("n(33, 256), n(256, 80)")
def scaled_fp8_by_blocks_of_64(x, w):
    a, b = x.reshape(33, 4, 64), w.reshape(4, 64, 80)
    sa, sb = jnp.abs(a).max(-1, keepdims=True) / 448, jnp.abs(b).max(1, keepdims=True) / 448
    qa, qb = (a / sa).astype(jnp.float8_e4m3fn), (b / sb).astype(jnp.float8_e4m3fn)
    parts = jnp.einsum("tkc,kcn->ktn", qa, qb, preferred_element_type=jnp.float32)
    return (parts * sa.transpose(1, 0, 2) * sb).sum(0)


@row("n(70, 130)", "jax.value_and_grad(lambda x: ({0}(x) ** 2).mean())")
def ternary_by_mean_straight_through(w):
    scale = jnp.abs(w).mean() + 1e-6
    q = jnp.clip(jnp.round(w / scale), -1, 1) * scale
    return w + lax.stop_gradient(q - w)


@row("n(128, 96)")
def outliers_kept_apart_from_bytes(w):
    limit = jnp.quantile(jnp.abs(w), 0.99)
    big = jnp.abs(w) > limit
    rest = jnp.where(big, 0, w)
    scale = jnp.abs(rest).max(0) / 127
    q = jnp.round(rest / scale).astype(jnp.int8)
    return q, scale, jnp.argsort(~big.ravel(), stable=True)[:123], (q * scale + jnp.where(big, w, 0) - w).sum()


@row("n(12, 37, 64), n(3, 64, 4, scale=.2), n(3, 4, 64, scale=.2), i(3, 12)")
def rank_four_adapter_of_each_request(x, a, b, which):
    return x + 0.5 * jnp.einsum("btr,bro->bto", jnp.einsum("bti,bir->btr", x, a[which]), b[which])


# ---- sampling and decoding ----------------------------------------------------------------------------------------------

@row("random.key(3), n(5, 811, scale=3.), abs(n(5)) + .1")
def temperature_top_a_sampling(key, logits, heat):
    p = nn.softmax(logits / heat[:, None])
    p = jnp.where(p >= 0.2 * p.max(-1, keepdims=True) ** 2, p, 0)
    draw = random.uniform(key, (5, 1)) * p.sum(-1, keepdims=True)
    return jnp.argmax(jnp.cumsum(p, -1) >= draw, -1), (p > 0).sum(-1)


@row("random.key(0), n(4, 6, 223, scale=2.), n(4, 5, 223, scale=2., seed=1), i(223, 4, 5)")
def drafts_checked_against_target(key, target, draft, tokens):
    p, q = nn.softmax(target), nn.softmax(draft)
    at = lambda t: jnp.take_along_axis(t, tokens[..., None], -1)[..., 0]
    ok = random.uniform(key, (4, 5)) * at(q) < at(p[:, :5])
    kept = jnp.cumprod(ok, axis=1).sum(1)
    residual = jnp.maximum(p - jnp.pad(q, ((0, 0), (0, 1), (0, 0))), 0)
    row = jnp.take_along_axis(residual, kept[:, None, None], 1)[:, 0]
    extra = random.categorical(random.fold_in(key, 1), jnp.log(row + 1e-9))
    return kept, jnp.where(jnp.arange(5) < kept[:, None], tokens, extra[:, None])


@row("n(3, 5, 97), n(3, 5), i(97, 3, 5, 12)")
def beams_with_length_penalty(logits, score, history):
    total = score[..., None] + nn.log_softmax(logits)
    best, at = lax.top_k(total.reshape(3, -1) / 13 ** 0.6, 5)
    beam, token = at // 97, at % 97
    kept = jnp.take_along_axis(history, beam[..., None], 1)
    return best * 13 ** 0.6, jnp.concatenate([kept, token[..., None]], -1), (token == 2).all(-1)


@row("n(64, 20), n(20, 64, scale=.3), i(64, 2), n(20, 20, scale=.3)")
def greedy_words_of_tiny_recurrent_net(embedding, head, first, w):
    def step(s):
        h, token, t, out = s
        h = jnp.tanh(h @ w + embedding[token])
        token = jnp.argmax(h @ head, -1)
        return h, token, t + 1, out.at[:, t].set(token)
    start = (jnp.zeros((2, 20)), first, 0, jnp.zeros((2, 30), first.dtype))
    return lax.while_loop(lambda s: (s[2] < 30) & ~(s[1] == 63).all(), step, start)[3]


@row("n(6, 400, scale=2.), i(400, 6, 50), (n(6, 50) > 0)")
def tokens_seen_made_less_likely(logits, seen, live):
    at = jnp.arange(6)[:, None]
    count = jnp.zeros((6, 400)).at[at, seen].add(live)
    logits = logits - 0.3 * count - 0.7 * (count > 0)
    return jnp.where(count > 0, jnp.where(logits > 0, logits / 1.2, logits * 1.2), logits)


@row("n(9, 300), i(300, 9), n(9, 300, seed=1)")
def guided_by_weaker_model(strong, word, weak):
    a, b = nn.log_softmax(strong), nn.log_softmax(weak)
    plausible = a >= a.max(-1, keepdims=True) + jnp.log(0.1)
    score = jnp.where(plausible, 1.5 * a - 0.5 * b, -1e9)
    return score.argmax(-1), (score.argmax(-1) == word).mean(), plausible.sum(-1)


# ---- losses of training ------------------------------------------------------------------------------------------------

@row("n(120, 501), i(501, 120)", "jax.value_and_grad({0})")
@row("n(120, 501, dtype='bfloat16'), i(501, 120)", "grad({0})")
def words_lost_with_squared_normalizer(logits, label):
    logits = logits.astype(jnp.float32)
    z = nn.logsumexp(logits, -1)
    return (z - jnp.take_along_axis(logits, label[:, None], 1)[:, 0] + 1e-3 * z * z).mean()


@row("n(30, 50), n(30, 50, seed=1), (n(30, 50) > -.5)", "jax.value_and_grad({0}, (0, 1))")
def answers_preferred_without_reference(good, bad, live):
    length = live.sum(1) + 1
    a, b = (nn.log_sigmoid(good) * live).sum(1) / length, (nn.log_sigmoid(bad) * live).sum(1) / length
    return -nn.log_sigmoid(2.0 * (a - b) - 0.5).mean()


@row("n(8, 6, 40), n(8, 6, 40, seed=1), n(8, 6), (n(8, 6, 40) > -1)", "grad({0})")
def clipped_policy_of_groups(logp, old, reward, mask):
    adv = (reward - reward.mean(1, keepdims=True)) / (reward.std(1, keepdims=True) + 1e-4)
    ratio = jnp.exp(jnp.clip(logp - old, -4, 4))
    gain = jnp.minimum(ratio * adv[..., None], jnp.clip(ratio, 0.8, 1.28) * adv[..., None])
    drift = jnp.exp(jnp.clip(old - logp, -4, 4)) - (old - logp) - 1
    return -((gain - 0.04 * drift) * mask).sum() / mask.sum()


@row("n(60, 41, scale=2.), n(60, 41, scale=2., seed=1)", "jax.value_and_grad({0})")
def student_between_both_divergences(student, teacher):
    p, q = nn.log_softmax(teacher / 2), nn.log_softmax(student / 2)
    m = jnp.logaddexp(p, q) - jnp.log(2)
    return 2 * (jnp.exp(p) * (p - m) + jnp.exp(q) * (q - m)).sum(-1).mean()


@row("n(96, 64), n(96, 64, seed=1), n(), n()", "jax.value_and_grad({0}, (0, 1, 2, 3))")
def pictures_to_words_both_ways(a, b, heat, shift):
    unit = lambda x: x / jnp.linalg.norm(x, axis=-1, keepdims=True)
    logits = jnp.exp(heat) * unit(a) @ unit(b).T + shift
    pick = lambda axis: jnp.trace(nn.log_softmax(logits, axis)) / 96
    return -(pick(0) + pick(1)) / 2


@row("n(50, 33, 12), n(12, 9), i(9, 50, 33)", "grad(lambda *a: {0}(*a), (0, 1))")
def loss_of_chunks_remembered_lightly(hidden, head, label):
    @jax.checkpoint
    def chunk(total, part):
        h, y = part
        logits = h @ head
        return total - jnp.take_along_axis(nn.log_softmax(logits), y[:, None], 1).sum(), None
    return lax.scan(chunk, 0.0, (hidden, label))[0] / 1650


# ---- state spaces and recurrences ------------------------------------------------------------------------------------------

@row("n(2, 128, 24), n(24, 8), n(2, 128, 8), n(2, 128, 8, seed=1), nn.softplus(n(2, 128, 24))")
@row("n(2, 128, 24), n(24, 8), n(2, 128, 8), n(2, 128, 8, seed=1), nn.softplus(n(2, 128, 24))", "grad({0}, (0, 1))")
def scanned_in_parallel_by_pairs(x, a, b, c, dt):
    decay = jnp.exp(-dt[..., None] * jnp.exp(a))
    inflow = (dt * x)[..., None] * b[:, :, None]
    merge = lambda l, r: (l[0] * r[0], l[1] * r[0] + r[1])
    _, h = lax.associative_scan(merge, (decay, inflow), axis=1)
    return jnp.einsum("btds,bts->btd", h, c)


@row("n(1, 40), n(1, 40, 16), n(1, 40, 3), n(40, 4), n(40, 16), n(40)")
def one_token_through_state_space(x, state, recent, kernel, a, skip):
    window = jnp.concatenate([recent, x[..., None]], -1)
    u = nn.silu((window * kernel).sum(-1))
    dt = nn.softplus(u + 0.1)[..., None]
    state = state * jnp.exp(-dt * jnp.exp(a)) + dt * u[..., None] * jnp.cos(a)
    return (state * jnp.sin(a)).sum(-1) + skip * u, state, window[..., 1:]


@row("n(200, 3, 18), n(18, 18, scale=.3), n(3, 18)")
def unitary_recurrence_by_matrix_exponential(x, w, h):
    u = jax.scipy.linalg.expm(w - w.T)
    return lax.scan(lambda h, v: (nn.relu(jnp.abs(h @ u + v) - 0.1) * jnp.sign(h @ u + v), h[:, 0]), h, x)


@row("n(60, 10, 32), n(32, 96, scale=.2), n(32, 96, scale=.2, seed=1), n(10, 60) > -1", "grad({0}, (1, 2))")
def gated_cell_skips_padding(x, wi, wh, live):
    def cell(h, t):
        x, ok = t
        a, b = x @ wi, h @ wh
        r, z = nn.sigmoid(a[:, :32] + b[:, :32]), nn.sigmoid(a[:, 32:64] + b[:, 32:64])
        new = z * h + (1 - z) * jnp.tanh(a[:, 64:] + r * b[:, 64:])
        return jnp.where(ok[:, None], new, h), None
    return lax.scan(cell, jnp.zeros((10, 32)), (x, live.T))[0]


@row("n(5, 100, 12), n(5, 100, 12, seed=1), n(5, 100, 12, seed=2), nn.sigmoid(n(5, 100))")
def fast_weights_by_delta_rule(q, k, v, beta):
    k = k / (1e-6 + jnp.linalg.norm(k, axis=-1, keepdims=True))
    def one(q, k, v, beta):
        def step(s, t):
            q, k, v, b = t
            s = s + b * jnp.outer(k, v - k @ s)
            return s, q @ s
        return lax.scan(step, jnp.zeros((12, 12)), (q, k, v, beta))[1]
    return jax.vmap(one)(q, k, v, beta)


# ---- diffusion and flows ----------------------------------------------------------------------------------------------------

@row("n(4, 16, 16, 3), n(3, 3, 3, 3, scale=.2), n(4, 16, 16, 3, seed=1)")
def second_order_sampler_with_churn(x, kernel, noise):
    conv = lambda x, s: lax.conv_general_dilated(x / jnp.sqrt(1 + s * s), kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    sigma = jnp.linspace(10.0, 0.02, 9)
    def step(x, s):
        now, then = s
        hat = 1.05 * now
        x = x + jnp.sqrt(hat ** 2 - now ** 2) * noise
        d = (x - conv(x, hat)) / hat
        y = x + (then - hat) * d
        return x + (then - hat) * (d + (y - conv(y, then)) / then) / 2, None
    return lax.scan(step, 10 * x, (sigma[:-1], sigma[1:]))[0]


@row("random.key(1), n(16, 20), i(1000, 16), n(21, 48, scale=.3), n(48, 20, scale=.2)", "grad({0}, (3, 4))")
def velocity_of_straight_paths(key, x1, step, w1, w2):
    t = (step / 1000)[:, None]
    x0 = random.normal(key, x1.shape)
    xt = (1 - t) * x0 + t * x1
    v = nn.gelu(jnp.concatenate([xt, t], 1) @ w1) @ w2
    return (((v - (x1 - x0)) ** 2).mean(1) / (0.1 + t[:, 0] * (1 - t[:, 0]))).mean()


@row("i(9, 12, 40), random.key(0), n(9, 9), .4")
def masked_words_denoised_in_order_of_trust(x, key, w, keep):
    masked = random.uniform(key, x.shape) > keep
    def fill(s, _):
        x, masked = s
        logits = (nn.one_hot(x, 9) * ~masked[..., None]) @ w + jnp.roll(nn.one_hot(x, 9), 1, 1) @ w.T
        p = nn.softmax(logits)
        trust = jnp.where(masked, p.max(-1), -1)
        take = masked & (trust >= lax.top_k(trust, 4)[0][:, -1:])
        return (jnp.where(take, p.argmax(-1), x), masked & ~take), masked.sum()
    (x, _), left = lax.scan(fill, (x, masked), None, length=8)
    return x, left


@row("n(2, 8, 8, 24), n(2, 24), n(24, 144, scale=.1), n(24, 72, scale=.2), n(24, 24, scale=.2)", "grad({0}, (2, 3, 4))")
def adaptive_norm_block_of_patches(x, c, modulate, qkv, out):
    a = (nn.silu(c) @ modulate)[:, None].reshape(2, 1, 6, 24)
    x = x.reshape(2, 64, 24)
    h = nn.standardize(x, -1) * (1 + a[:, :, 0]) + a[:, :, 1]
    q, k, v = jnp.split(h @ qkv, 3, -1)
    x = x + a[:, :, 2] * (nn.softmax(q @ k.mT / 5) @ v @ out)
    return x + a[:, :, 5] * nn.gelu((nn.standardize(x, -1) * (1 + a[:, :, 3]) + a[:, :, 4]) @ out)


# ---- optimizers ----------------------------------------------------------------------------------------------------------

@row("n(48, 120), n(48, 120, seed=1), n(48, 120, seed=2)")
def momentum_orthogonalized_by_quintic(w, m, g):
    m = 0.95 * m + g
    u = 0.95 * m + g
    x = (u / (jnp.linalg.norm(u) + 1e-7)).astype(jnp.bfloat16)
    def body(_, x):
        a = x @ x.T
        return 3.4445 * x + (-4.775 * a + 2.0315 * a @ a) @ x
    x = lax.fori_loop(0, 5, body, x).astype(jnp.float32)
    return w * 0.999 - 0.02 * x, m


@row("{'a': n(60, 44), 'b': n(44), 'c': n(3, 3, 8, 8)}, {'a': n(60, 44, seed=1), 'b': n(44, seed=1), 'c': n(3, 3, 8, 8, seed=1)}, 17")
def adam_with_amsgrad_of_tree(p, g, t):
    def one(p, g):
        m, v = 0.1 * g, 0.001 * g * g
        top = jnp.maximum(v, 0.002 * p * p)
        return p - 1e-3 * (m / (1 - 0.9 ** t)) / (jnp.sqrt(top / (1 - 0.999 ** t)) + 1e-8) - 1e-5 * p, m, v, top
    return jax.tree.map(one, p, g)


@row("n(30, 30), n(30, 30, seed=1), definite(0, 30), definite(0, 30)")
def roots_of_both_sides_by_eigenvectors(w, g, left, right):
    def root(a):
        a = 0.95 * a + 1e-3 * jnp.trace(a) * jnp.eye(30)
        e, v = jnp.linalg.eigh(a)
        return (v * jnp.maximum(e, 1e-6) ** -0.25) @ v.T
    return w - 0.1 * root(left + g @ g.T) @ g @ root(right + g.T @ g)


@row("n(5000), n(5000, seed=1), i(256, 5000).astype('uint8'), abs(n(20)) + .1")
def momentum_kept_in_bytes_of_blocks(w, g, code, scale):
    m = (code.astype(jnp.float32) / 127.5 - 1).reshape(20, 250) * scale[:, None]
    m = 0.9 * m + 0.1 * g.reshape(20, 250)
    new = jnp.abs(m).max(1)
    return w - 1e-3 * jnp.sign(m).ravel(), jnp.round((m / new[:, None] + 1) * 127.5).astype(jnp.uint8), new


@row("n(7, 40), n(64, 40), n(64)", "vmap({0}, (0, None, None))")
def conjugate_descent_of_ridge(w, x, y):
    loss = lambda w: ((x @ w - y) ** 2).mean() + 0.01 * w @ w
    def step(s, _):
        w, d, g = s
        curve = jax.jvp(jax.grad(loss), (w,), (d,))[1]
        w = w - (g @ d) / (d @ curve + 1e-9) * d
        new = jax.grad(loss)(w)
        return (w, -new + jnp.maximum(new @ (new - g), 0) / (g @ g + 1e-9) * d, new), loss(w)
    g = jax.grad(loss)(w)
    return lax.scan(step, (w, -g, g), None, length=10)


@row("n(300, 17), i(5, 300), n(17, 5, scale=.1)")
def newton_of_softmax_with_block_curvature(x, y, w):
    def step(w, _):
        p = nn.softmax(x @ w)
        g = x.T @ (p - nn.one_hot(y, 5)) + 0.1 * w
        h = jnp.einsum("ni,nc,nj->cij", x, p * (1 - p), x) + 0.1 * jnp.eye(17)
        return w - 0.5 * jnp.linalg.solve(h, g.T[..., None])[..., 0].T, (g * g).sum()
    return lax.scan(step, w, None, length=6)


@row("n(20, 9), n(9, 33, scale=.3), n(33, 1, scale=.3), n(20, 1)")
def weights_perturbed_then_stepped(x, a, b, y):
    loss = lambda p: ((jnp.tanh(x @ p[0]) @ p[1] - y) ** 2).mean()
    def step(p, _):
        value, g = jax.value_and_grad(loss)(p)
        norm = jnp.sqrt(sum((v * v).sum() for v in g))
        away = jax.tree.map(lambda v, d: v + 0.05 * d / norm, p, g)
        return jax.tree.map(lambda v, d: v - 0.05 * d, p, jax.grad(loss)(away)), value
    return lax.scan(step, (a, b), None, length=20)


# ---- agents --------------------------------------------------------------------------------------------------------------------

@row("n(64, 33), n(64, 34), (n(64, 33) > 1.5)")
def advantages_with_resets(reward, value, done):
    def back(a, t):
        r, v, nxt, d = t
        a = r + 0.99 * nxt * ~d - v + 0.99 * 0.95 * ~d * a
        return a, a
    columns = (reward.T, value[:, :-1].T, value[:, 1:].T, done.T)
    _, a = lax.scan(back, jnp.zeros(64), columns, reverse=True)
    return (a - a.mean()) / (a.std() + 1e-8), a + value[:, :-1].T


@row("random.key(2), n(500, 6), i(500, 32), n(32, 6), abs(n(500))")
def ring_of_memories_written_and_drawn(key, memory, at, new, priority):
    memory = memory.at[(at[0] + jnp.arange(32)) % 500].set(new)
    p = priority ** 0.6
    cdf = jnp.cumsum(p) / p.sum()
    u = (jnp.arange(64) + random.uniform(key, (64,))) / 64
    pick = jnp.clip(jnp.searchsorted(cdf, u), 0, 499)
    weight = (500 * p[pick] / p.sum() + 1e-6) ** -0.4
    return memory[pick], weight / weight.max()


@row("n(40, 51), n(40), n(40) > 1, jnp.linspace(-5, 5, 51), n(40, 51, seed=1)", "jax.value_and_grad({0}, 4)")
def distribution_moved_and_projected(next_logits, reward, done, atoms, logits):
    z = jnp.clip(reward[:, None] + 0.97 * ~done[:, None] * atoms, -5, 5)
    near = jnp.clip(1 - jnp.abs(z[:, None] - atoms[:, None]) / 0.2, 0, 1)
    target = (near * nn.softmax(next_logits)[:, None]).sum(-1)
    return -(lax.stop_gradient(target) * nn.log_softmax(logits)).sum(-1).mean()


@row("random.key(5), n(128, 11), n(11, 64, scale=.3), n(64, 8, scale=.1), n(12, 4)", "grad({0}, (2, 3))")
def squashed_actor_with_entropy(key, x, w1, w2, wq):
    mu, log_std = jnp.split(jnp.tanh(x @ w1) @ w2, 2, -1)
    log_std = jnp.clip(log_std, -5, 2)
    eps = random.normal(key, mu.shape)
    u = mu + jnp.exp(log_std) * eps
    logp = (-0.5 * eps ** 2 - log_std - 2 * (jnp.log(2.0) - u - nn.softplus(-2 * u))).sum(-1)
    q = (jnp.pad(x, ((0, 0), (0, 1))) @ wq * jnp.tanh(u)).sum(-1)
    return (0.2 * logp - q).mean()


@row("i(4, 30, 9), n(16, 4), n(9, seed=3)")
def two_by_two_maze_by_eligibility(action, q, reward):
    def play(q, s):
        actions, r = s
        def step(c, a):
            q, e, at = c
            new = jnp.where(a < 2, at ^ (1 << a), (at + a) % 16)
            delta = r * (new == 15) + 0.9 * q[new].max() - q[at, a]
            e = (0.8 * e).at[at, a].set(1.0)
            return (q + 0.1 * delta * e, e, new), delta
        (q, _, _), d = lax.scan(step, (q, jnp.zeros_like(q), 0), actions)
        return q, d.mean()
    return lax.scan(play, q, (action.T, reward))


@row("n(31, 5, 7), n(31, 5, 7, seed=1)")
def upper_bounds_in_tree_of_searches(value, prior):
    visits = jnp.round(jnp.abs(value) * 5)
    p = nn.softmax(prior)
    total = visits.sum(-1, keepdims=True)
    u = p * jnp.sqrt(total + 1) / (1 + visits) * (1.25 + jnp.log((total + 19653) / 19652))
    low, high = value.min(-1, keepdims=True), value.max(-1, keepdims=True)
    return jnp.argmax((value - low) / (high - low + 1e-6) + u, -1), u.max(-1)


@row("random.key(9), n(45), n(45, 3)")
def evolution_with_mirrored_ranks(key, theta, target):
    def generation(theta, key):
        eps = random.normal(key, (32, 45))
        eps = jnp.concatenate([eps, -eps])
        fit = -(((theta + 0.1 * eps) @ target) ** 2).sum(1)
        rank = jnp.argsort(jnp.argsort(fit)) / 63 - 0.5
        return theta + 0.05 / 64 * rank @ eps / 0.1, fit.max()
    return lax.scan(generation, theta, random.split(key, 12))


@row("n(16, 21, 4), n(16, 21, 4, seed=1), abs(n(16, 21)) + .01", "vmap({0})")
def path_integral_of_controls(u, noise, cost):
    weight = nn.softmax(-cost.sum() - cost)
    return u + jnp.convolve(weight, jnp.ones(3) / 3, "same")[:, None] * noise


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def fresh_scaled_backward(x, scale):
    return x


fresh_scaled_backward.defvjp(lambda x, scale: (x, None), lambda scale, _, g: (jnp.clip(scale * g, -1, 1),))


@row("n(90, 15), n(15, 40, scale=.3), n(40, 3, scale=.3), i(3, 90)", "grad({0}, (1, 2))")
def heads_with_gradient_held_back(x, w, heads, label):
    h = fresh_scaled_backward(nn.elu(x @ w), 0.3)
    return -jnp.take_along_axis(nn.log_softmax(h @ heads), label[:, None], 1).sum()
