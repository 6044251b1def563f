"""blind_language.py: rows of the long tail written before any of them was measured (snippets.py): blocks of language models,
decoding with caches, samplers, routing, weights of few bits. A docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


def split_heads(x, heads):
    return x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads)


# ---- attention -------------------------------------------------------------------------------------------------------

@row("n(47, 4, 24), n(47, 2, 24, seed=1), n(47, 2, 24, seed=2)")
@row("n(47, 4, 24), n(47, 2, 24, seed=1), n(47, 2, 24, seed=2)", "grad({0}, (0, 1, 2))")
def grouped_sliding_attention(q, k, v, window=13):
    """Mistral: query heads share keys, each token sees `window` tokens: q (t, h, d), k, v (t, g, d)."""
    t, h, d = q.shape
    q = q.reshape(t, k.shape[1], -1, d)
    s = jnp.einsum("tgrd,sgd->grts", q, k) / d**0.5
    far = jnp.arange(t)[:, None] - jnp.arange(t)
    s = jnp.where((far >= 0) & (far < window), s, -jnp.inf)
    return jnp.einsum("grts,sgd->tgrd", nn.softmax(s, -1), v).reshape(t, h * d)


@row("n(2, 59, 48), n(48, 144, scale=.15), n(12), n(12)")
@row("n(2, 59, 48), n(48, 144, scale=.15), n(12), n(12)", "grad({0}, (1, 2))")
def normed_query_attention(x, w, qs, ks):
    """Queries and keys are normalized by head, as in Gemma 3 and OLMo 2."""
    def normed(x, s):
        return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * (1 + s)
    q, k, v = (split_heads(p, 4) for p in jnp.split(x @ w, 3, -1))
    s = jnp.einsum("bthd,bshd->bhts", normed(q, qs), normed(k, ks)) * 0.3
    s = jnp.where(jnp.tri(x.shape[1], dtype=bool), s, -1e30)
    return jnp.einsum("bhts,bshd->bthd", nn.softmax(s), v).reshape(x.shape)


@row("n(3, 41, 32), n(3, 17, 32, seed=1), n(3, 17) > -.5, n(32, 32, scale=.2), n(32, 64, scale=.2)")
def cross_attention(x, memory, mask, wq, wkv):
    q = split_heads(x @ wq, 4)
    k, v = (split_heads(p, 4) for p in jnp.split(memory @ wkv, 2, -1))
    s = jnp.einsum("bthd,bshd->bhts", q, k) / 8**0.5
    p = nn.softmax(jnp.where(mask[:, None, None], s, -1e9))
    return x + jnp.einsum("bhts,bshd->bthd", p, v).reshape(x.shape)


@row("n(101, 40), i(7, 101)")
def packed_documents_attention(x, document):
    """Several documents in one row: tokens of other documents are hidden."""
    document = jnp.sort(document)
    same = (document[:, None] == document) & jnp.tri(x.shape[0], dtype=bool)
    return nn.softmax(jnp.where(same, x @ x.T / 40**0.5, -jnp.inf)) @ x


@row("n(73, 32), n(32, 32, scale=.2), n(32, 32, scale=.2), n(145, 32, scale=.2)")
@row("n(73, 32), n(32, 32, scale=.2), n(32, 32, scale=.2), n(145, 32, scale=.2)", "grad({0}, (0, 3))")
def shaw_relative_attention(x, wq, wk, table):
    """Transformer-XL: scores of positions by padding and reshaping."""
    t = x.shape[0]
    q, k = x @ wq, x @ wk
    by_place = jnp.pad(q @ table.T, ((0, 0), (1, 0))).reshape(2 * t, t)[1:]
    shifted = by_place.reshape(t, 2 * t - 1)[:, :t]
    return nn.softmax((q @ k.T + shifted) / 32**0.5) @ x


@row("n(5, 4, 16), n(5, 128, 4, 16, seed=1), n(5, 128, 4, 16, seed=2), i(127, 5)")
@row("n(5, 4, 16), n(5, 128, 4, 16, dtype='bfloat16'), n(5, 128, 4, 16, dtype='bfloat16'), i(127, 5)")
def ring_cache_step(x, keys, values, at):
    """A step of decoding with caches that wrap: x (batch, heads, dim), caches (batch, size, heads, dim), at (batch,)."""
    write = jax.vmap(lambda cache, new, at: lax.dynamic_update_slice(cache, new[None].astype(cache.dtype), (at % 128, 0, 0)))
    keys, values = write(keys, jnp.sin(x), at), write(values, jnp.cos(x), at)
    s = jnp.einsum("bhd,bshd->bhs", x, keys, preferred_element_type="float32") / 4
    s = jnp.where(jnp.arange(128) <= at[:, None, None], s, -jnp.inf)
    return jnp.einsum("bhs,bshd->bhd", nn.softmax(s), values.astype("float32")), keys, values


@row("n(2, 4, 16), (i(255, 2, 200, 4, 16) - 127).astype('int8'), abs(n(2, 200, 4)) / 127")
def int8_cache_scores(q, keys, scale):
    """Keys in the cache are int8 with a scale for each token and head."""
    s = jnp.einsum("bhd,bshd->bhs", q, keys.astype("float32")) * scale.swapaxes(1, 2)
    return nn.softmax(s / 4)


@row("n(64, 48), n(48, 12, scale=.2), n(12, 96, scale=.2), n(64, 8)")
def low_rank_cache_attention(x, down, up, rotary):
    """Keys and values from a small latent, positions in extra dimensions: as in DeepSeek-V2."""
    latent = x @ down
    k, v = jnp.split(latent @ up, 2, -1)
    s = x @ k.T + rotary @ rotary.T
    return nn.softmax(jnp.where(jnp.tri(64, dtype=bool), s / 56**0.5, -1e30)) @ v


@row("n(96, 4, 20)")
@row("n(96, 4, 20)", "grad(lambda x: {0}(x) ** 2)")
def rotary_yarn(x, factor=4.0):
    """Rotary positions with frequencies blended by their wavelength."""
    half = x.shape[-1] // 2
    f = 10000.0 ** (-jnp.arange(half) / half)
    blend = jnp.clip((jnp.arange(half) - 2) / 5, 0, 1)
    f = f * (1 - blend) + f / factor * blend
    angle = jnp.arange(x.shape[0])[:, None, None] * f
    a, b = x[..., ::2], x[..., 1::2]
    return jnp.stack([a * jnp.cos(angle) - b * jnp.sin(angle), a * jnp.sin(angle) + b * jnp.cos(angle)], -1).reshape(x.shape)


@row("n(11, 13, 2, 24)")
def rotary_of_images(x):
    """Half of the dimensions turn by the row, half by the column: x (height, width, heads, dim)."""
    d = x.shape[-1] // 4
    f = 100.0 ** (-jnp.arange(d) / d)
    rows, columns = (jnp.arange(n)[:, None] * f for n in x.shape[:2])
    rows, columns = jnp.broadcast_arrays(rows[:, None], columns)
    angle = jnp.concatenate([rows, columns], -1)[:, :, None]
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), b * jnp.cos(angle) + a * jnp.sin(angle)], -1)


# ---- recurrent layers ------------------------------------------------------------------------------------------------

@row("n(83, 24), nn.sigmoid(n(83, 24)), n(83, 6), n(83, 6, seed=1), -abs(n(24, 6))")
@row("n(83, 24), nn.sigmoid(n(83, 24)), n(83, 6), n(83, 6, seed=1), -abs(n(24, 6))", "grad({0}, (0, 1, 4))")
def mamba_parallel(x, dt, b, c, a):
    """The selective scan by an associative scan: x, dt (t, d), b, c (t, n), a (d, n)."""
    decay = jnp.exp(dt[..., None] * a)
    drive = (dt * x)[..., None] * b[:, None]
    states = lax.associative_scan(lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (decay, drive))[1]
    return jnp.einsum("tdn,tn->td", states, c)


@row("n(64, 3, 16), n(64, 16), n(64, 16, seed=1), nn.sigmoid(n(64, 3))")
def mamba2_chunks(x, b, c, decay, chunk=16):
    """State-space duality: x (t, h, p), b, c (t, n), decay (t, h); chunks of products, a scan over chunks."""
    cut = lambda v: v.reshape(-1, chunk, *v.shape[1:])
    x, b, c, logs = cut(x), cut(b), cut(c), jnp.cumsum(jnp.log(cut(decay)), 1)
    mask = jnp.tri(chunk, dtype=bool)[..., None]
    inner = jnp.where(mask, jnp.exp(jnp.where(mask, logs[:, :, None] - logs[:, None], 0)), 0)
    near = jnp.einsum("kin,kjn,kijh,kjhp->kihp", c, b, inner, x)
    ends = jnp.einsum("kjn,kjh,kjhp->khpn", b, jnp.exp(logs[:, -1:] - logs), x)
    step = lambda s, e: (jnp.exp(e[1])[:, None, None] * s + e[0], s)
    _, starts = lax.scan(step, jnp.zeros_like(ends[0]), (ends, logs[:, -1]))
    return near + jnp.einsum("kin,kih,khpn->kihp", c, jnp.exp(logs), starts)


@row("n(57, 40), n(57, 40, seed=1), n(57, 40, seed=2), nn.sigmoid(n(57, 40))")
def rwkv6_heads(r, k, v, w):
    """A matrix of state for each head decays by channel: all (t, c)."""
    r, k, v, w = (split_heads(x, 5) for x in (r, k, v, w))
    def step(s, x):
        r, k, v, w = x
        kv = jnp.einsum("hi,hj->hij", k, v)
        return s * w[..., None] + kv, jnp.einsum("hi,hij->hj", r, s + 0.5 * kv)
    return lax.scan(step, jnp.zeros((5, 8, 8)), (r, k, v, w))[1]


@row("n(90, 36), n(36), n(36, seed=1)")
def token_shift(x, mix_k, mix_r):
    before = jnp.pad(x, ((1, 0), (0, 0)))[:-1]
    k = x * mix_k + before * (1 - mix_k)
    return nn.sigmoid(x * mix_r + before * (1 - mix_r)) * jnp.square(nn.relu(k))


@row("n(120, 28), n(4, 28), n(28)")
@row("n(120, 28), n(4, 28), n(28)", "grad({0}, (0, 1))")
def short_causal_convolution(x, kernel, bias):
    padded = jnp.pad(x, ((3, 0), (0, 0)))
    return nn.silu(sum(padded[i : i + x.shape[0]] * kernel[i] for i in range(4)) + bias)


@row("n(3, 28), n(3, 4, 28, seed=1), n(4, 28)")
def convolution_state_step(x, state, kernel):
    state = jnp.roll(state, -1, 1).at[:, -1].set(x)
    return nn.silu(jnp.einsum("btc,tc->bc", state, kernel)), state


@row("n(77, 32), n(32, 64, scale=.2), n(32)")
def griffin_recurrence(x, w, decay):
    """The real-gated linear recurrent unit, by an associative scan in logarithms."""
    gate_in, gate_a = jnp.split(nn.sigmoid(x @ w), 2, -1)
    log_a = -8 * gate_a * nn.softplus(decay)
    drive = jnp.sqrt(-jnp.expm1(2 * log_a)) * gate_in * x
    combine = lambda p, q: (p[0] + q[0], jnp.exp(q[0]) * p[1] + q[1])
    return lax.associative_scan(combine, (log_a, drive))[1]


@row("n(49, 3, 12), n(49, 3, 12, seed=1), n(49, 3, 12, seed=2), n(49, 3), n(49, 3, seed=1)")
def xlstm_matrix_memory(q, k, v, gate_in, gate_forget):
    def step(s, x):
        c, z, m = s
        q, k, v, i, f = x
        new = jnp.maximum(nn.log_sigmoid(f) + m, i)
        keep, add = jnp.exp(nn.log_sigmoid(f) + m - new), jnp.exp(i - new)
        c = keep[:, None, None] * c + add[:, None, None] * v[:, :, None] * k[:, None]
        z = keep[:, None] * z + add[:, None] * k
        return (c, z, new), jnp.einsum("hij,hj->hi", c, q) / jnp.maximum(abs((z * q).sum(-1)), 1)[:, None]
    start = jnp.zeros((3, 12, 12)), jnp.zeros((3, 12)), jnp.zeros(3)
    return lax.scan(step, start, (q, k, v, gate_in, gate_forget))[1]


# ---- routing and weights of few bits ---------------------------------------------------------------------------------

@row("n(131, 24), n(24, 5), n(5, 24, 40, scale=.2), n(5, 40, 24, scale=.2)")
@row("n(131, 24), n(24, 5), n(5, 24, 40, scale=.2), n(5, 40, 24, scale=.2)", "grad({0}, (0, 1, 2))")
def sorted_experts(x, gate, up, down):
    """Tokens sorted by their expert, then ragged products."""
    p = nn.softmax(x @ gate)
    best = p.argmax(-1)
    order = jnp.argsort(best)
    sizes = jnp.bincount(best, length=5).astype("int32")
    h = nn.silu(lax.ragged_dot(x[order], up, sizes))
    y = lax.ragged_dot(h, down, sizes)
    return jnp.zeros_like(x).at[order].set(y) * jnp.take_along_axis(p, best[:, None], 1)


@row("n(211, 16), n(16, 8), n(8)")
def bias_balanced_router(x, gate, bias, top=3):
    """Scores decide the weights, scores with a bias the choice; the bias follows the load."""
    s = nn.sigmoid(x @ gate)
    chosen = lax.top_k(s + bias, top)[1]
    weight = jnp.take_along_axis(s, chosen, 1)
    load = jnp.zeros(8).at[chosen].add(1.0)
    return weight / weight.sum(1, keepdims=True), chosen, bias + 1e-3 * jnp.sign(load.mean() - load)


@row("n(150, 20), n(20, 6)")
@row("n(150, 20), n(20, 6)", "grad({0}, 1)")
def router_losses(x, gate):
    z = x @ gate
    p = nn.softmax(z)
    share = nn.one_hot(p.argmax(-1), 6).mean(0)
    return 6 * (share * p.mean(0)).sum() + 1e-3 * (nn.logsumexp(z, -1) ** 2).mean()


@row("n(3, 128), i(256, 64, 96).astype('uint8'), abs(n(4, 96)), n(4, 96, seed=2)")
def int4_groups(x, packed, scale, zero):
    """Two weights in a byte along the rows, a scale and an offset for each group of 32 rows."""
    w = jnp.stack([packed & 15, packed >> 4], 1).reshape(-1, 96).astype("float32")
    w = (w.reshape(4, 32, 96) - zero[:, None]) * scale[:, None]
    return x @ w.reshape(128, 96)


@row("n(9, 96), i(16, 96, 50), jnp.linspace(-1, 1, 16), abs(n(3, 50))")
def normal_float4(x, codes, book, scale):
    w = book[codes].reshape(3, 32, 50) * scale[:, None]
    return x @ w.reshape(96, 50)


@row("n(31, 72), n(72, 45)")
def smooth_quant(x, w):
    """Scales move from activations to weights before both become int8."""
    s = jnp.sqrt(abs(x).max(0) / abs(w).max(1))
    x, w = x / s, w * s[:, None]
    sx, sw = abs(x).max(1, keepdims=True) / 127, abs(w).max(0) / 127
    qx, qw = jnp.round(x / sx).astype("int8"), jnp.round(w / sw).astype("int8")
    return lax.dot(qx, qw, preferred_element_type="int32") * sx * sw


@row("n(40, 64), n(64, 56)")
def fp8_delayed_scaling(x, w):
    def cast(v, dtype, top):
        s = abs(v).max() / top
        return (v / s).astype(dtype), s
    (qx, sx), (qw, sw) = cast(x, "float8_e4m3fn", 448.0), cast(w, "float8_e5m2", 57344.0)
    return lax.dot(qx.astype("bfloat16"), qw.astype("bfloat16"), preferred_element_type="float32") * sx * sw


@row("n(21, 64), n(64, 50)")
@row("n(21, 64), n(64, 50)", "grad({0}, 1)")
def ternary_linear(x, w):
    """BitNet b1.58 with straight-through gradients."""
    s = abs(w).mean()
    q = jnp.clip(jnp.round(w / s), -1, 1) * s
    t = 127 / abs(x).max(-1, keepdims=True)
    qx = jnp.round(x * t) / t
    return (x + lax.stop_gradient(qx - x)) @ (w + lax.stop_gradient(q - w))


@row("n(33, 48), definite(0, 48) / 48")
def gptq_columns(w, hessian):
    """Rows of weights rounded column by column; the error goes to columns that follow."""
    upper = jnp.linalg.cholesky(jnp.linalg.inv(hessian)).T
    def step(j, s):
        w, q = s
        rounded = jnp.round(w[:, j] * 4) / 4
        error = (w[:, j] - rounded) / upper[j, j]
        later = jnp.arange(48) > j
        return w - jnp.where(later, jnp.outer(error, upper[j]), 0), q.at[:, j].set(rounded)
    return lax.fori_loop(0, 48, step, (w, jnp.zeros_like(w)))[1]


@row("n(17, 60), n(60, 44), n(60, 4), n(4, 44), n(44)")
@row("n(17, 60), n(60, 44), n(60, 4), n(4, 44), n(44)", "grad({0}, (2, 3, 4))")
def weight_decomposed_lora(x, w, a, b, magnitude):
    v = w + a @ b
    return x @ (v * (magnitude / jnp.linalg.norm(v, axis=0)))


# ---- samplers and search ---------------------------------------------------------------------------------------------

@row("key, n(6, 5003)")
def top_k_then_top_p(key, logits, k=40, p=0.9):
    best, at = lax.top_k(logits / 0.8, k)
    q = nn.softmax(best)
    keep = jnp.cumsum(q, -1) - q < p
    pick = random.categorical(key, jnp.where(keep, best, -jnp.inf))
    return jnp.take_along_axis(at, pick[:, None], 1)[:, 0]


@row("n(3, 2003), n(3, 2003, seed=1)")
def contrastive_decoding(expert, amateur):
    p = nn.log_softmax(expert)
    allowed = p > p.max(-1, keepdims=True) + jnp.log(0.1)
    return jnp.argmax(jnp.where(allowed, 1.5 * p - 0.5 * nn.log_softmax(amateur), -jnp.inf), -1) + 1


@row("n(2, 301), i(301, 2, 40)")
def frequency_penalty(logits, tokens):
    counts = jax.vmap(lambda t: jnp.bincount(t, length=301))(tokens)
    return logits - 0.4 * counts - 0.2 * (counts > 0)


@row("i(23, 4, 61), n(4, 23)")
def no_repeat_trigrams(tokens, logits):
    """Tokens that would repeat three tokens are forbidden."""
    follows = (tokens[:, :-2] == tokens[:, -2:-1]) & (tokens[:, 1:-1] == tokens[:, -1:])
    banned = jax.vmap(lambda f, t: jnp.zeros(23, bool).at[t].max(f))(follows, tokens[:, 2:])
    return jnp.where(banned, -1e9, logits)


@row("key, nn.softmax(n(7, 499)), nn.softmax(n(6, 499, seed=1)), i(499, 6)")
def draft_acceptance(key, target, draft, tokens):
    """Speculative sampling: how many tokens of a draft stand, and the token that follows."""
    at = jnp.arange(6)
    ratio = target[at, tokens] / draft[at, tokens]
    accepted = jnp.cumprod(random.uniform(key, (6,)) < ratio).sum()
    rest = jnp.where(accepted < 6, nn.relu(target[accepted] - draft[jnp.minimum(accepted, 5)]), target[6])
    return accepted, rest / rest.sum()


@row("n(37, 24, scale=.3), i(37, 5), n(24, 24, scale=.2)")
def beam_search(embedding, start, w, beams=5, steps=8):
    """A toy recurrent model; beams are reordered by gathers: start (beams,) are first tokens."""
    def step(s, _):
        score, h, token = s
        h = jnp.tanh(h @ w + embedding[token])
        total = (score[:, None] + nn.log_softmax(h @ embedding.T)).reshape(-1)
        score, at = lax.top_k(total, beams)
        return (score, h[at // 37], at % 37), (at // 37, at % 37)
    first = jnp.zeros(beams), jnp.zeros((beams, 24)), start
    (score, _, _), (parents, tokens) = lax.scan(step, first, None, length=steps)
    back = lambda at, x: (x[0][at], x[1][at])
    return score, lax.scan(back, jnp.arange(beams), (parents, tokens), reverse=True)[1]


@row("n(61, 20, scale=.4), n(20, 20, scale=.3), key")
def sample_until_stop(embedding, w, key):
    """A while loop that ends at a stop token or after 40 tokens."""
    def more(s):
        return (s[0] < 40) & (s[3] != 0)
    def step(s):
        at, out, h, token, key = s
        key, now = random.split(key)
        h = jnp.tanh(h @ w + embedding[token])
        token = random.categorical(now, h @ embedding.T)
        return at + 1, out.at[at].set(token), h, token, key
    return lax.while_loop(more, step, (0, jnp.zeros(40, "int32"), jnp.zeros(20), jnp.int32(5), key))[:2]


# ---- losses and embeddings -------------------------------------------------------------------------------------------

@row("n(4, 31, 60), i(60, 4, 31), n(4, 31) > -1")
@row("n(4, 31, 60), i(60, 4, 31), n(4, 31) > -1", "grad({0})")
def smoothed_token_loss(logits, labels, mask, smoothing=0.1):
    logp = nn.log_softmax(logits)
    nll = -jnp.take_along_axis(logp, labels[..., None], -1)[..., 0]
    loss = (1 - smoothing) * nll - smoothing * logp.mean(-1)
    return (loss * mask).sum() / mask.sum()


@row("n(300, 20), n(90, 20), i(300, 8, 25)")
@row("n(300, 20), n(90, 20), i(300, 8, 25)", "grad(lambda *a: {0}(*a) ** 3, (0, 1))")
def embed_with_positions(table, positions, tokens):
    x = table[tokens] * 20**0.5 + positions[: tokens.shape[1]]
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


@row("n(64, 30), n(64, 30, seed=1)")
@row("n(64, 30), n(64, 30, seed=1)", "grad({0}, (0, 1))")
def siglip(images, texts):
    a, b = (v / jnp.linalg.norm(v, axis=1, keepdims=True) for v in (images, texts))
    sign = 2 * jnp.eye(64) - 1
    return -nn.log_sigmoid(sign * (10 * a @ b.T - 10)).sum() / 64


@row("n(5, 77, 33), n(5, 77, 33, seed=1)")
@row("n(5, 77, 33), n(5, 77, 33, seed=1)", "grad({0})")
def distillation(student, teacher, temperature=2.0):
    p = nn.softmax(teacher / temperature)
    return (p * (nn.log_softmax(teacher / temperature) - nn.log_softmax(student / temperature))).sum(-1).mean() * 4


ROWS = [
    (
        "lambda x, g: (x * lax.rsqrt((x.astype('float32') ** 2).mean(-1, keepdims=True) + 1e-6)).astype('bfloat16') * g @@ "
        "n(43, 128, dtype='bfloat16'), n(128, dtype='bfloat16')"
    ),
    "lambda x, u, w: (nn.gelu(x @ u, approximate=True) * (x @ w)) @@ n(29, 48), n(48, 100), n(48, 100, seed=1)",
    "grad(lambda x, u, w: nn.gelu(x @ u, approximate=False) * (x @ w), (0, 1, 2)) @@ n(29, 48), n(48, 100), n(48, 100, seed=1)",
    (
        "lambda c, t, s: vmap(lambda c, t, s: lax.dynamic_update_slice(c, t, (s, 0)))(c, t, s) @@ n(6, 90, 16), n(6, 3, "
        "16), i(87, 6)"
    ),
    "lambda c, t: c.at[jnp.arange(6), :, t].set(1.5) @@ n(6, 4, 90), i(90, 6)",
    "lambda k, x: jnp.argmax(x - jnp.log(-jnp.log(random.uniform(k, x.shape, minval=1e-20))), -1) @@ key, n(19, 997)",
    "lambda x: jnp.exp(-nn.log_softmax(x)[jnp.arange(90), jnp.arange(90)].mean()) @@ n(90, 1201)",
    "lambda t: (t[:, None, :] == jnp.arange(11)[:, None]).argmax(-1) @@ i(11, 37, 64)",
]
