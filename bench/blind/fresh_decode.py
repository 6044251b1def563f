"""fresh_decode.py: steps of language models that generate: caches in rings, pages, bytes and nibbles, drafts, beams, masks of grammars,
quantized weights, recurrent states, mixtures of experts."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    "lambda q, k, p: nn.softmax(jnp.where(jnp.arange(777) <= p[:, None, None], jnp.einsum('bhd,btd->bht', q, k) / 9, -1e9)) @ k"
    " @@ n(3, 12, 72), n(3, 777, 72), jnp.array([776, 200, 31])",
    "lambda x, w, s: (x @ w.astype('bfloat16')) * s"
    " @@ n(1, 512, dtype='bfloat16'), (i(255, 512, 1031) - 127).astype('int8'), n(1031, dtype='bfloat16')",
    "lambda x, w, s: (x[:, None] @ w.astype('float32'))[:, 0] * s @@ n(5, 300), n(5, 300, 210, dtype='float8_e4m3fn'), n(5, 210)",
    "lambda w, x: (((w & 15) - 8).astype('float32') @ x[::2] + ((w >> 4) - 8).astype('float32') @ x[1::2]) / 8"
    " @@ i(256, 700, 192).astype('uint8'), n(384)",
    "lambda c, k, p: lax.dynamic_update_slice(c, k[:, :, None].astype('float16'), (0, 0, p, 0)).max((2, 3))"
    " @@ n(2, 5, 401, 48, dtype='float16'), n(2, 5, 48), jnp.int32(377)",
    "lambda c, k, p: c.at[jnp.arange(6), p].set(k).astype('float32').sum(1)"
    " @@ n(6, 257, 40, dtype='bfloat16'), n(6, 40, dtype='bfloat16'), i(257, 6)",
    "lambda x, t: nn.log_softmax(x / t[:, None])[:, ::-1].cumsum(-1)[:, ::97] @@ n(7, 3203), abs(n(7)) + .3",
    "lambda h, e: lax.top_k(h @ e.T, 17) @@ n(3, 96, dtype='bfloat16'), n(4001, 96, dtype='bfloat16')",
    "lambda h, e, f: (h @ e.T + f).argmax(-1) @@ n(1, 200), n(6007, 200), jnp.where(n(6007) > 1.2, -1e9, 0.)",
    "lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True, local_window_size=(19, 0))"
    " @@ n(1, 90, 6, 24), n(1, 90, 2, 24), n(1, 90, 2, 24)",
    "lambda q, k, v: jax.nn.dot_product_attention(q, k, v, scale=.2) @@ n(2, 1, 14, 40, dtype='bfloat16'), n(2, 331, 7, 40, dtype='bfloat16'),"
    " n(2, 331, 7, 40, dtype='bfloat16')",
    "lambda x, g: (x.astype('float32') * lax.rsqrt((x.astype('float32') ** 2).mean(-1, keepdims=True) + 1e-6)).astype('bfloat16') * g"
    " @@ n(1, 1, 1025, dtype='bfloat16'), n(1025, dtype='bfloat16')",
]


def turned_pairs(x, at, base=1e4):
    """Rotary positions of halves; `at` broadcasts to the axes before the last."""
    half = x.shape[-1] // 2
    angle = at[..., None] * base ** (-jnp.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), a * jnp.sin(angle) + b * jnp.cos(angle)], -1).astype(x.dtype)


# ---- caches ----------------------------------------------------------------------------------------------------------------

@row("n(2, 192), n(192, 12, 16, scale=.1), n(192, 2, 2, 16, scale=.1), n(2, 2, 2, 350, 16), jnp.array([300, 17])")
@row("n(2, 192, dtype='bfloat16'), n(192, 12, 16, scale=.1, dtype='bfloat16'), n(192, 2, 2, 16, scale=.1, dtype='bfloat16'),"
     " n(2, 2, 2, 350, 16, dtype='bfloat16'), jnp.array([349, 180])")
def grouped_step_with_joined_cache(x, wq, wkv, cache, at):
    """Keys and values share one array (batch, 2, heads, time, size); each request has its own position."""
    q = turned_pairs(jnp.einsum("bd,dhe->bhe", x, wq), at[:, None]).reshape(2, 2, 6, 16)
    k, v = jnp.moveaxis(jnp.einsum("bd,dghe->bghe", x, wkv), 1, 0)
    new = jnp.stack([turned_pairs(k, at[:, None]), v], 1)
    cache = jax.vmap(lambda c, t, p: lax.dynamic_update_slice(c, t[:, :, None], (0, 0, p, 0)))(cache, new, at)
    s = jnp.einsum("bgre,bgte->bgrt", q, cache[:, 0], preferred_element_type=jnp.float32) / 4
    s = jnp.where(jnp.arange(350) <= at[:, None, None, None], s, -jnp.inf)
    return jnp.einsum("bgrt,bgte->bgre", nn.softmax(s).astype(x.dtype), cache[:, 1]).reshape(2, -1), cache


@row("n(4, 8, 32), n(4, 2, 32), n(4, 2, 32), n(128, 4, 2, 32), n(128, 4, 2, 32), jnp.int32(1003)")
def ring_window_with_time_first(q, k, v, keys, values, at):
    slot = at % 128
    keys, values = keys.at[slot].set(k), values.at[slot].set(v)
    age = (slot - jnp.arange(128)) % 128
    s = jnp.einsum("bgre,tbge->bgrt", q.reshape(4, 2, 4, 32), keys) / 32 ** 0.5 - 0.05 * age
    s = jnp.where(age <= at, s, -1e9)
    return jnp.einsum("bgrt,tbge->bgre", nn.softmax(s), values), keys, values


@row("n(5, 4, 24), n(60, 8, 4, 24), n(60, 8, 4, 24), i(60, 5, 11), jnp.array([88, 3, 41, 64, 17])")
@row("n(5, 4, 24, dtype='float16'), n(60, 8, 4, 24, dtype='float16'), n(60, 8, 4, 24, dtype='float16'), i(60, 5, 11), jnp.array([8, 30, 41, 80, 1])")
def pages_streamed_with_running_maximum(q, key_pages, value_pages, table, length):
    """One page of each request at a time; the softmax is kept as maximum, sum and weighted values."""
    def page(s, t):
        m, z, acc = s
        j, index = t
        k, v = key_pages[index].astype(jnp.float32), value_pages[index].astype(jnp.float32)
        x = jnp.einsum("bhd,bthd->bht", q.astype(jnp.float32), k) * 0.2
        x = jnp.where((j * 8 + jnp.arange(8)) < length[:, None, None], x, -1e30)
        new = jnp.maximum(m, x.max(-1))
        p, scale = jnp.exp(x - new[..., None]), jnp.exp(m - new)
        return (new, z * scale + p.sum(-1), acc * scale[..., None] + jnp.einsum("bht,bthd->bhd", p, v)), None
    start = jnp.full((5, 4), -1e30), jnp.zeros((5, 4)), jnp.zeros((5, 4, 24))
    (_, z, acc), _ = lax.scan(page, start, (jnp.arange(11), table.T))
    return (acc / z[..., None]).astype(q.dtype)


@row("n(3, 6, 40), (i(255, 3, 6, 211, 40) - 127).astype('int8'), abs(n(3, 6, 211)), (i(255, 3, 6, 211, 40) - 127).astype('int8'), abs(n(3, 6, 40))")
def bytes_with_scales_by_token_and_by_channel(q, k, k_scale, v, v_scale):
    top = jnp.abs(q).max(-1, keepdims=True) / 127
    qb = jnp.round(q / top).astype(jnp.int8)
    s = lax.dot_general(qb, k, (((2,), (3,)), ((0, 1), (0, 1))), preferred_element_type=jnp.int32)
    p = nn.softmax(s * top * k_scale / 2000)
    return jnp.einsum("bht,bhtd->bhd", p, v.astype(jnp.float32)) * v_scale / 127


@row("n(2, 3, 64), i(256, 2, 150, 3, 32).astype('uint8'), abs(n(2, 150, 3, 2)), n(2, 150, 3, 2)")
def keys_in_nibbles_with_two_zero_points(q, packed, scale, zero):
    four = jnp.stack([packed & 15, packed >> 4], -1).reshape(2, 150, 3, 2, 32).astype(jnp.float32)
    keys = (four * scale[..., None] + zero[..., None]).reshape(2, 150, 3, 64)
    p = nn.softmax(jnp.einsum("bhd,bthd->bht", q, keys) / 30)
    return jnp.einsum("bht,bthd->bhd", p, keys)


@row("n(4, 160, 64), n(4, 160, 64), abs(n(4, 160))")
def cache_evicted_by_summed_attention(k, v, mass):
    """The latest 24 tokens stay and, of the others, the 40 heaviest, in their order."""
    kept = lax.top_k(mass[:, :136], 40)[1].sort(-1)
    index = jnp.concatenate([kept, jnp.broadcast_to(jnp.arange(136, 160), (4, 24))], 1)
    pick = jax.vmap(lambda x, j: x[j])
    return pick(k, index), pick(v, index), pick(mass, index) * 0.9, index


@row("n(1, 5, 4, 20), n(1, 260, 4, 20), n(1, 260, 4, 20), jnp.array([[-1, 0, 0, 1, 3]])")
def tokens_of_draft_tree_by_parents(q, k, v, parent):
    """Five drafted tokens see the context and their own ancestors."""
    seen = jnp.eye(5, dtype=bool)[None]
    step = jnp.where(parent[..., None] == jnp.arange(5), True, False)
    for _ in range(3):
        seen = seen | (step[..., None] & seen[:, None]).any(2)
    mask = jnp.concatenate([jnp.ones((1, 5, 255), bool), seen], 2)
    s = jnp.where(mask[:, None], jnp.einsum("bqhd,bkhd->bhqk", q, k) / 20 ** 0.5, -1e30)
    return jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(s), v)


@row("random.key(3), n(6, 4, 331), n(6, 5, 331, seed=2), i(331, 6, 4)")
@row("random.key(3), n(1, 7, 2003), n(1, 8, 2003, seed=2), i(2003, 1, 7)")
def drafts_accepted_then_residual_sampled(key, draft, target, tokens):
    k1, k2 = random.split(key)
    p, q = nn.softmax(target), nn.softmax(draft)
    at = lambda x: jnp.take_along_axis(x, tokens[..., None], -1)[..., 0]
    ok = random.uniform(k1, tokens.shape) * at(q) < at(p[:, :-1])
    count = jnp.cumprod(ok, 1).sum(1)
    q = jnp.concatenate([q, jnp.zeros_like(q[:, :1])], 1)
    row_of = lambda x: jnp.take_along_axis(x, count[:, None, None], 1)[:, 0]
    rest = jnp.maximum(row_of(p) - row_of(q), 0)
    return count, random.categorical(k2, jnp.log(rest / rest.sum(-1, keepdims=True) + 1e-20))


# ---- layers of one token ---------------------------------------------------------------------------------------------------

@row("n(1, 160), abs(n(6, 160)), n(6, 160, 4, 20, scale=.05), n(6, 160, 2, 2, 20, scale=.05), n(6, 80, 160, scale=.05), n(6, 160, 2, 224, scale=.05),"
     " n(6, 224, 160, scale=.05), n(6, 1, 120, 2, 2, 20), jnp.int32(100)")
def six_layers_scanned_with_cache_as_output(x, g, wq, wkv, wo, wi, wd, cache, at):
    def layer(x, w):
        g, wq, wkv, wo, wi, wd, cache = w
        y = x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * g
        q = turned_pairs(jnp.einsum("bd,dhe->bhe", y, wq), at)
        kv = jnp.einsum("bd,dghe->bghe", y, wkv)
        cache = lax.dynamic_update_slice_in_dim(cache, kv.at[:, 0].set(turned_pairs(kv[:, 0], at))[:, None], at, 1)
        s = jnp.einsum("bgre,btge->bgrt", q.reshape(1, 2, 2, 20), cache[:, :, 0]) / 20 ** 0.5
        p = nn.softmax(jnp.where(jnp.arange(120) <= at, s, -1e9))
        x = x + jnp.einsum("bgrt,btge->bgre", p, cache[:, :, 1]).reshape(1, 80) @ wo
        gate, up = jnp.moveaxis(jnp.einsum("bd,dgf->bgf", x, wi), 1, 0)
        return x + (nn.silu(gate) * up) @ wd, cache
    return lax.scan(layer, x, (g, wq, wkv, wo, wi, wd, cache))


@row("n(3, 256), i(256, 4, 64, 300).astype('uint8'), abs(n(4, 8, 300)), i(4, 3, 2), nn.softmax(n(3, 2))")
def two_experts_in_two_bit_codes(x, codes, scale, chosen, gate):
    """Weights of four levels, four to a byte, with a scale for each 32 rows."""
    two = codes[:, :, None] >> jnp.array([0, 2, 4, 6], jnp.uint8)[:, None] & 3
    w = (two.astype(jnp.float32) - 1.5).reshape(4, 8, 32, 300) * scale[:, :, None]
    y = jnp.einsum("bd,bkdf->bkf", x, w.reshape(4, 256, 300)[chosen])
    return (nn.silu(y) * gate[..., None]).sum(1)


@row("n(9, 128), n(128, 7), n(7, 128, 96, scale=.1), n(7, 48, 128, scale=.1)")
@row("n(9, 128, dtype='bfloat16'), n(128, 7, dtype='bfloat16'), n(7, 128, 96, scale=.1, dtype='bfloat16'), n(7, 48, 128, scale=.1, dtype='bfloat16')")
def experts_of_nine_tokens_by_dense_mask(x, router, w1, w2):
    gate = nn.softmax((x @ router).astype(jnp.float32))
    value, index = lax.top_k(gate, 2)
    weight = (nn.one_hot(index, 7) * (value / value.sum(-1, keepdims=True))[..., None]).sum(1)
    h = jnp.einsum("bd,edf->ebf", x, w1)
    y = jnp.einsum("ebf,efd->ebd", nn.gelu(h[..., :48]) * h[..., 48:], w2)
    return jnp.einsum("ebd,be->bd", y.astype(jnp.float32), weight), (gate.mean(0) * weight.mean(0)).sum() * 7


@row("n(144, scale=.3), n(144, 432, scale=.1), n(4, 36, 36), nn.sigmoid(n(4, 36)), n(4, 36)")
def state_of_outer_products_decayed_by_channel(x, w, state, decay, bonus):
    r, k, v = (x @ w).reshape(3, 4, 36)
    kv = k[:, :, None] * v[:, None]
    out = jnp.einsum("hi,hij->hj", r, state + bonus[..., None] * kv)
    return out / jnp.abs(out).mean(-1, keepdims=True), state * decay[..., None] + kv


@row("n(3, 200), n(3, 200, 3), n(200, 4), n(3, 200, 12), n(200, 36), n(12, 200), n(200)")
def selective_state_with_conv_tail(x, tail, taps, h, w, w_delta, d):
    """A token of Mamba: x (batch, channels), the last three inputs, state (batch, channels, 12)."""
    window = jnp.concatenate([tail, x[..., None]], -1)
    u = nn.silu((window * taps).sum(-1))
    low, b, c = jnp.split(u @ w / 14, 3, -1)
    dt = nn.softplus(low @ w_delta - 2)
    a = -jnp.arange(1.0, 13)
    h = jnp.exp(dt[..., None] * a) * h + (dt * u)[..., None] * b[:, None]
    return (h * c[:, None]).sum(-1) + d * u, window[..., 1:], h


@row("n(2, 96), n(2, 3, 32, 32), n(96, 3, 32, scale=.1), n(96, 3, 32, scale=.1), n(96, 3, 32, scale=.1), n(96, 3)")
def delta_rule_with_normalized_keys(x, state, wq, wk, wv, wb):
    q, k, v = (jnp.einsum("bd,dhe->bhe", x, w) for w in (wq, wk, wv))
    k, q = (t / jnp.linalg.norm(t, axis=-1, keepdims=True) for t in (k, q))
    beta = nn.sigmoid(x @ wb)[..., None]
    old = jnp.einsum("bhij,bhi->bhj", state, k)
    state = state + k[..., None] * (beta * (v - old))[:, :, None]
    return jnp.einsum("bhij,bhi->bhj", state, q), state


@row("n(2, 128), n(128, 48), n(48, 6, 32), n(128, 40), n(32, 6, 24), n(32, 6, 24), n(2, 180, 32), n(2, 180, 8), jnp.int32(90)")
def compressed_latent_token_absorbing_up_projections(x, wdq, wuq, wdkv, wuk, wuv, cache, rotary, at):
    """A step of multi-head latent attention: keys are 24 plain and 8 rotary, the cache holds 32 + 8 a token."""
    q = jnp.einsum("br,rhe->bhe", x @ wdq / 11, wuq) / 7
    down = x @ wdkv / 11
    cache = lax.dynamic_update_slice_in_dim(cache, down[:, None, :32], at, 1)
    rotary = lax.dynamic_update_slice_in_dim(rotary, turned_pairs(down[:, None, 32:], at[None]), at, 1)
    plain = jnp.einsum("bhe,rhe->bhr", q[..., :24], wuk)
    s = jnp.einsum("bhr,btr->bht", plain, cache) + jnp.einsum("bhe,bte->bht", turned_pairs(q[..., 24:], at), rotary)
    p = nn.softmax(jnp.where(jnp.arange(180) <= at, s / 40, -1e9))
    return jnp.einsum("bht,btr,rhe->bhe", p, cache, wuv), cache, rotary


@row("n(12, 160), n(160, 520, scale=.1, dtype='float8_e4m3fn'), abs(n(4, 520)) + .1")
@row("n(12, 160), n(160, 520, scale=.1, dtype='float8_e5m2'), abs(n(4, 520)) + .1")
def eighths_scaled_by_blocks_of_forty(x, w, scale):
    top = jnp.abs(x.reshape(12, 4, 40)).max(-1, keepdims=True)
    xq = (x.reshape(12, 4, 40) / top * 400).astype(jnp.float8_e4m3fn).astype(jnp.float32)
    return (jnp.einsum("bgk,gkn->bgn", xq, w.astype(jnp.float32).reshape(4, 40, 520)) * top * scale).sum(1)


# ---- choosing tokens -------------------------------------------------------------------------------------------------------

@row("random.key(1), n(4, 1501), i(1501, 4, 60), abs(n(4)) + .5")
def penalized_then_cut_then_drawn(key, logits, past, temperature):
    """Penalty of what was said, temperature, the 50 best, the nucleus of .9, one draw each."""
    seen = jnp.zeros(logits.shape, bool).at[jnp.arange(4)[:, None], past].set(True)
    logits = jnp.where(seen, jnp.where(logits > 0, logits / 1.3, logits * 1.3), logits) / temperature[:, None]
    value, index = lax.top_k(logits, 50)
    p = nn.softmax(value)
    keep = jnp.cumsum(p, -1) - p < 0.9
    chosen = random.categorical(key, jnp.where(keep, value, -1e9))
    return jnp.take_along_axis(index, chosen[:, None], 1)[:, 0], keep.sum(-1)


@row("n(3, 5, 401), n(3, 5, scale=4.), i(401, 3, 5, 30), i(2, 3, 5) > 0")
def beams_with_finished_ones_frozen(logits, score, sequence, done):
    lp = nn.log_softmax(logits)
    stay = jnp.where(jnp.arange(401) == 0, 0.0, -1e9)
    total = score[..., None] + jnp.where(done[..., None], stay, lp)
    best, flat = lax.top_k(total.reshape(3, -1), 5)
    beam, token = jnp.divmod(flat, 401)
    sequence = jnp.take_along_axis(sequence, beam[..., None], 1)
    sequence = jnp.concatenate([sequence[..., 1:], token[..., None]], -1)
    return best, sequence, jnp.take_along_axis(done, beam, 1) | (token == 0)


@row("n(2, 700), i(9, 9, 700), jnp.array([3, 8]), i(2, 9, 700) > 0")
def tokens_allowed_by_automaton(logits, goes, state, allowed):
    def step(s, _):
        logits, state = s
        t = jnp.where(allowed[state], logits, -1e9).argmax(-1)
        logits = jnp.roll(logits, 37, 1).at[jnp.arange(2), t].add(-2)
        return (logits, goes[state, t]), t
    return lax.scan(step, (logits, state), None, length=24)[1]


@row("n(64), n(64, 192, scale=.2), n(90, 64)")
@row("n(64, dtype='bfloat16'), n(64, 192, scale=.2, dtype='bfloat16'), n(90, 64, dtype='bfloat16')")
def greedy_words_until_end_by_while(h, w, table):
    """A gated recurrent net feeds its own choice back until it says word 7 or has said 60."""
    def more(s):
        return (s[1] != 7) & (s[2] < 60)
    def step(s):
        h, t, k, out = s
        z, r, c = jnp.split((h + table[t]) @ w, 3)
        h = (1 - nn.sigmoid(z)) * h + nn.sigmoid(z) * jnp.tanh(c + nn.sigmoid(r) * h)
        t = (table @ h).argmax().astype(jnp.int32)
        return h, t, k + 1, out.at[k].set(t)
    return lax.while_loop(more, step, (h, jnp.int32(1), 0, jnp.full(60, -1, jnp.int32)))


@row("random.key(0), n(3, 900), n(3, 900, seed=1)")
def watermark_added_by_hash_of_last_token(key, logits, other):
    """Half of the words, drawn with the last token as seed, are preferred; the score of each row."""
    def one(logits, other):
        def step(t, l):
            green = random.bernoulli(random.fold_in(key, t), 0.5, (900,))
            t = (l + 2 * green).argmax().astype(jnp.int32)
            return t, green[t]
        return lax.scan(step, jnp.int32(5), jnp.stack([logits, other, logits - other]))
    token, green = jax.vmap(one)(logits, other)
    return token, (green.sum(1) - 1.5) / 0.75 ** 0.5


@row("n(4, 260, 48), n(4, 1, 48), jnp.array([0, 30, 100, 259])", "lambda x, q, s: {0}(x, q, s)")
def left_padded_prompts_pooled_by_query(x, q, start):
    live = jnp.arange(260) >= start[:, None]
    s = jnp.where(live, (x @ q.mT)[..., 0] / 7, -1e9)
    position = jnp.maximum(jnp.cumsum(live, 1) - 1, 0)
    return jnp.einsum("bt,btd->bd", nn.softmax(s), turned_pairs(x, position.astype(jnp.float32))), position[:, -1]


@row("n(6, 33, 64), n(64, 640, scale=.1), i(640, 6, 33)", "jax.value_and_grad({0}, (0, 1))")
@row("n(6, 33, 64, dtype='bfloat16'), n(64, 640, scale=.1, dtype='bfloat16'), i(640, 6, 33)", "jax.value_and_grad({0}, (0, 1))")
def next_words_with_capped_logits_and_z(h, w, y):
    logits = 30 * jnp.tanh((h @ w).astype(jnp.float32) / 30)
    z = nn.logsumexp(logits, -1)
    picked = jnp.take_along_axis(logits, y[..., None], -1)[..., 0]
    weight = (y % 7 > 0) / 150
    return ((z - picked + 1e-4 * z * z) * weight).sum()


@row("n(2, 96, 6, 16), n(2, 96, 3, 16), n(2, 96, 3, 16)", "grad({0}, (0, 1, 2))")
@row("n(1, 96, 6, 64), n(1, 96, 3, 64), n(1, 96, 3, 64)")
def chunks_of_window_see_one_back(q, k, v):
    """Causal attention in chunks of 24 that see their own and the chunk before."""
    b, t, h, d = q.shape
    split = lambda x: x.reshape(b, t // 24, 24, 3, -1, d)
    two = lambda x: jnp.concatenate([jnp.pad(x, ((0, 0), (1, 0), (0, 0), (0, 0), (0, 0), (0, 0)))[:, :-1], x], 2)
    q, k, v = split(q), two(split(k))[:, :, :, :, 0], two(split(v))[:, :, :, :, 0]
    at, to = jnp.arange(24)[:, None] + 24, jnp.arange(48)
    mask = ((to <= at) & (to > at - 24)) & ((jnp.arange(t // 24) > 0)[:, None, None] | (to >= 24))
    s = jnp.where(mask[None, :, None, None], jnp.einsum("bcqgrd,bckgd->bcgrqk", q, k) / d ** 0.5, -1e30)
    return jnp.einsum("bcgrqk,bckgd->bcqgrd", nn.softmax(s), v).reshape(b, t, h, d)
