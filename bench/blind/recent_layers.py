"""fresh_2.py: layers of recent models, caches, quantized weights, losses, optimizers, vision blocks."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    # layers in one line
    "lambda x, g: (x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * (1 + g)).astype('bfloat16') @@ n(3, 117, 640), n(640)",
    "lambda x, a, b, c: (nn.silu(x @ a) * (x @ b)) @ c @@ n(19, 384), n(384, 1024, scale=.05), n(384, 1024, scale=.05), n(1024, 384, scale=.05)",
    "grad(lambda x, a, b, c: (nn.gelu(x @ a, approximate=True) * (x @ b)) @ c, (1, 2, 3))"
    " @@ n(61, 96), n(96, 250, scale=.1), n(96, 250, scale=.1), n(250, 96, scale=.1)",
    "lambda x, w, a, b: x @ w + (x @ a) @ b * 2. @@ n(77, 512), n(512, 512, scale=.04), n(512, 8, scale=.04), n(8, 512)",
    "grad(lambda x, w, a, b: jnp.tanh(x @ w + (x @ a) @ b), (2, 3)) @@ n(33, 300), n(300, 420, scale=.05), n(300, 4, scale=.05), n(4, 420)",
    "lambda x, q, s: (x @ q.astype('float32')) * s @@ n(1, 768), (i(256, 768, 2304) - 128).astype('int8'), abs(n(2304)) * .01",
    "lambda x, q, s: jnp.einsum('bgk,gko,go->bo', x.reshape(5, 12, 64), q.astype('bfloat16'), s)"
    " @@ n(5, 768, dtype='bfloat16'), (i(16, 12, 64, 512) - 8).astype('int4'), abs(n(12, 512, dtype='bfloat16'))",
    "lambda x, q, s: jnp.dot(x.astype('float8_e4m3fn'), q, preferred_element_type='float32') * s"
    " @@ n(37, 256, dtype='bfloat16'), n(256, 300, dtype='float8_e4m3fn'), .02",
    "grad(lambda q, k, v: nn.dot_product_attention(q, k, v, local_window_size=(16, 0)), (0, 1, 2)) @@ n(1, 90, 4, 20), n(1, 90, 4, 20), n(1, 90, 4, 20)",
    "lambda q, k, b: nn.softmax(jnp.einsum('bhqd,bhkd->bhqk', q, k) / 6 + b, -1) @@ n(3, 5, 49, 36), n(3, 5, 49, 36), n(5, 49, 49)",
    "lambda x, e: e[x].mean(1) @ e.T @@ i(1009, 25, 40), n(1009, 50)",
    "lambda z, y: (nn.logsumexp(z, -1) - jnp.take_along_axis(z, y[:, None], 1)[:, 0] + 1e-4 * nn.logsumexp(z, -1) ** 2).mean()"
    " @@ n(200, 5003), i(5003, 200)",
    "grad(lambda z, y: jnp.where(y > 0, (1 - nn.sigmoid(z)) ** 2 * nn.softplus(-z), nn.sigmoid(z) ** 2 * nn.softplus(z)), (0,)) @@ n(12, 80, 91), i(2, 12, 80, 91)",
    "grad(lambda a, b: nn.log_softmax(a @ b.T / .07)[jnp.arange(77), jnp.arange(77)], (0, 1)) @@ n(77, 128, scale=.1), n(77, 128, scale=.1)",
    "lambda p, t: 1 - (2 * (p * t).sum((1, 2)) + 1) / (p.sum((1, 2)) + t.sum((1, 2)) + 1) @@ nn.sigmoid(n(6, 101, 99, 3)), i(2, 6, 101, 99, 3).astype('float32')",
    # vision
    "grad(lambda x, w: lax.conv_general_dilated(x, w, (2, 2), ((1, 1), (1, 1)), feature_group_count=4) ** 2, (0, 1)) @@ n(2, 24, 33, 29), n(48, 6, 3, 3)",
    "lambda x, w: lax.conv_transpose(x, w, (2, 2), 'SAME') @@ n(3, 17, 15, 24), n(4, 4, 24, 10)",
    "lambda x, s, b: jnp.einsum('nhwc,c->nhwc', x - x.mean((1, 2), keepdims=True), s) * lax.rsqrt(x.var((1, 2), keepdims=True) + 1e-5) + b"
    " @@ n(3, 21, 22, 40), n(40), n(40)",
    "lambda x, w: jnp.maximum(x @ w[0] + x[::-1] @ w[1], 0).mean(0) @@ n(31, 65, dtype='float16'), n(2, 65, 65, dtype='float16')",
    "lambda x: nn.glu(x, 1) * nn.hard_swish(x[:, :55]) + nn.mish(x[:, 55:]) @@ n(203, 110)",
    "lambda p, g, m: (p - .01 * jnp.sign(.9 * m + .1 * g), .99 * m + .01 * g) @@ n(5, 70001), n(5, 70001, seed=1), n(5, 70001, seed=2)",
    "lambda g: g * jnp.minimum(1., 1 / jnp.sqrt(jnp.sum(g.astype('float32') ** 2))).astype('bfloat16') @@ n(1023, 257, dtype='bfloat16')",
]


# ---- attention and caches ------------------------------------------------------------------------------------------------

def turned_halves(x, at, base=5e5):
    d = x.shape[-1] // 2
    angle = at[..., None, None] / base ** (jnp.arange(d) / d)
    a, b = x[..., :d], x[..., d:]
    return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), a * jnp.sin(angle) + b * jnp.cos(angle)], -1)


@row("n(3, 512), n(512, 16, 32, scale=.04), n(2, 512, 4, 32, scale=.04), n(512, 512, scale=.04), n(2, 3, 203, 4, 32), jnp.array([202, 17, 99])")
@row("n(1, 90), n(90, 6, 20, scale=.1), n(2, 90, 2, 20, scale=.1), n(120, 90, scale=.1), n(2, 1, 75, 2, 20), jnp.array([50])")
def token_of_each_row_at_its_own_place(x, wq, wkv, wo, cache, at):
    """Grouped heads decode one token; every row of the batch has its own length."""
    b, t = x.shape[0], cache.shape[2]
    q = turned_halves(jnp.einsum("bd,dhw->bhw", x, wq)[:, None], at[:, None])[:, 0]
    k = turned_halves(jnp.einsum("bd,dhw->bhw", x, wkv[0])[:, None], at[:, None])[:, 0]
    v = jnp.einsum("bd,dhw->bhw", x, wkv[1])
    cache = cache.at[0, jnp.arange(b), at].set(k).at[1, jnp.arange(b), at].set(v)
    q = q.reshape(b, cache.shape[3], -1, q.shape[-1])
    s = jnp.einsum("bkgw,btkw->bkgt", q, cache[0]) * q.shape[-1] ** -0.5
    s = jnp.where(jnp.arange(t) <= at[:, None, None, None], s, -1e9)
    y = jnp.einsum("bkgt,btkw->bkgw", nn.softmax(s), cache[1])
    return y.reshape(b, -1) @ wo, cache


@row("n(2, 91, 5, 16), n(2, 91, 5, 16), n(2, 91, 5, 16, seed=2), n(5, 32)")
@row("n(2, 91, 5, 16), n(2, 91, 5, 16), n(2, 91, 5, 16, seed=2), n(5, 32)", "grad({0}, (0, 3))")
def attention_with_bias_in_buckets_of_distance(q, k, v, table):
    d = jnp.abs(jnp.arange(91)[:, None] - jnp.arange(91))
    far = 8 + (jnp.log(jnp.maximum(d, 1) / 8) / jnp.log(16) * 8).astype(jnp.int32)
    bucket = jnp.where(d < 8, d, jnp.minimum(far, 15)) + 16 * (jnp.arange(91)[:, None] < jnp.arange(91))
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) + table[:, bucket]
    return jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(s), v)


@row("n(2, 96, 4, 24), n(2, 96, 4, 24), n(2, 96, 4, 24)")
@row("n(2, 96, 4, 24), n(2, 96, 4, 24), n(2, 96, 4, 24)", "grad({0}, (0, 1, 2))")
@row("n(1, 288, 4, 24, dtype='bfloat16'), n(1, 288, 4, 24, dtype='bfloat16'), n(1, 288, 4, 24, dtype='bfloat16')")
def window_of_current_and_previous_block(q, k, v):
    b, t, h, d = q.shape
    cut = lambda x: x.reshape(b, t // 24, 24, h, d)
    pair = lambda x: jnp.concatenate([jnp.pad(cut(x), ((0, 0), (1, 0), (0, 0), (0, 0), (0, 0)))[:, :-1], cut(x)], 2)
    s = jnp.einsum("bnqhd,bnkhd->bnhqk", cut(q), pair(k)).astype(jnp.float32) * d**-0.5
    i, j = jnp.arange(24)[:, None] + 24, jnp.arange(48)
    first = (jnp.arange(t // 24) > 0)[:, None, None, None] | (j >= 24)
    s = jnp.where((j <= i) & (j > i - 24) & first, s, -1e30)
    return jnp.einsum("bnhqk,bnkhd->bnqhd", nn.softmax(s).astype(q.dtype), pair(v)).reshape(q.shape)


@row("n(129, 3, 8, 30), n(129, 3, 8, 30), i(129, 129, 16)")
@row("n(129, 3, 8, 30), n(129, 3, 8, 30), i(129, 129, 16)", "grad({0}, (0, 1))")
def every_query_sees_its_chosen_sixteen(q, kv, chosen):
    k = kv[chosen]
    s = jnp.einsum("tbhd,tkbhd->tbhk", q, k) / 30**0.5
    return jnp.einsum("tbhk,tkbhd->tbhd", nn.softmax(s), k)


@row("n(7, 60, 2, 3, 16), n(7, 45, 2, 16)")
def keys_scored_by_squared_relu_without_softmax(q, k):
    s = jnp.einsum("btkgd,bskd->bkgts", q, k) / 45
    a = nn.relu(s) ** 2
    return jnp.einsum("bkgts,bskd->btkgd", a, k), (a > 0).mean((0, 3, 4))


@row("n(4, 70, 48), n(48, 144, scale=.1), n(3, 12, scale=.1)")
@row("n(4, 70, 48), n(48, 144, scale=.1), n(3, 12, scale=.1)", "grad({0}, (0, 1, 2))")
def heads_normalized_gated_and_causal(x, w, gate):
    q, k, v = jnp.split((x @ w).reshape(4, 70, 3, 48), 3, -1)
    unit = lambda y: y / (jnp.linalg.norm(y, axis=-1, keepdims=True) + 1e-5)
    s = 10 * jnp.einsum("bqhd,bkhd->bhqk", unit(q), unit(k))
    y = jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(jnp.where(jnp.tri(70, dtype=bool), s, -1e9)), v)
    g = nn.sigmoid(jnp.einsum("bthc,hc->bth", x.reshape(4, 70, 3, 16)[..., :12], gate))
    return (y * g[..., None]).reshape(4, 70, -1)


@row("n(5, 8, 64, dtype='bfloat16'), n(2, 5, 333, 8, 64, dtype='bfloat16'), abs(n(2, 5, 333, 8)) * .02, i(333, 5)")
def cache_in_eighths_with_scales_read(q, cache, scale, length):
    small = cache.astype("float8_e4m3fn")
    k, v = small[0].astype(jnp.bfloat16), small[1].astype(jnp.bfloat16)
    s = jnp.einsum("bhd,bthd->bht", q, k, preferred_element_type=jnp.float32) * scale[0].swapaxes(1, 2)
    p = nn.softmax(jnp.where(jnp.arange(333) <= length[:, None, None], s, -jnp.inf))
    return jnp.einsum("bht,bthd->bhd", (p * scale[1].swapaxes(1, 2)).astype(jnp.bfloat16), v)


# ---- mixtures, recurrences ------------------------------------------------------------------------------------------------

@row("n(150, 64), n(64, 6), n(6, 64, 180, scale=.1), n(6, 180, 64, scale=.1)")
@row("n(150, 64), n(64, 6), n(6, 64, 180, scale=.1), n(6, 180, 64, scale=.1)", "grad({0}, (0, 1, 2, 3))")
@row("n(11, 64, dtype='bfloat16'), n(64, 6, dtype='bfloat16'), n(6, 64, 180, scale=.1, dtype='bfloat16'), n(6, 180, 64, scale=.1, dtype='bfloat16')")
def all_experts_run_and_two_kept(x, router, up, down):
    top, at = lax.top_k((x @ router).astype(jnp.float32), 2)
    weight = (nn.one_hot(at, 6) * nn.softmax(top)[..., None]).sum(1)
    h = nn.silu(jnp.einsum("td,edf->etf", x, up))
    return jnp.einsum("etf,efd,te->td", h, down, weight.astype(x.dtype))


@row("n(90, 40), n(40, 5), n(5, 40, 77, scale=.1), n(5, 77, 40, scale=.1)")
def experts_pick_their_tokens(x, router, up, down):
    """The other way round: each expert takes its eighteen strongest tokens."""
    gate, at = lax.top_k(nn.softmax(x @ router).T, 18)
    y = jnp.einsum("ekf,efd->ekd", nn.gelu(jnp.einsum("ekd,edf->ekf", x[at], up)), down)
    return x.at[at.ravel()].add((gate[..., None] * y).reshape(-1, 40))


@row("n(3, 200, 32), n(32, 96, scale=.2), n(32, 32, scale=.2), n(32)")
@row("n(3, 200, 32), n(32, 96, scale=.2), n(32, 32, scale=.2), n(32)", "grad({0}, (1, 2, 3))")
def time_mix_by_scan_with_bonus(x, w, out, bonus):
    """Numerator and denominator carried with their largest exponent."""
    r, k, v = jnp.split(0.5 * (x + jnp.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1]) @ w, 3, -1)
    def step(s, t):
        a, b, m = s
        k, v = t
        m1 = jnp.maximum(m, k + bonus)
        y = (jnp.exp(m - m1) * a + jnp.exp(k + bonus - m1) * v) / (jnp.exp(m - m1) * b + jnp.exp(k + bonus - m1))
        m2 = jnp.maximum(m - 0.3, k)
        e1, e2 = jnp.exp(m - 0.3 - m2), jnp.exp(k - m2)
        return (e1 * a + e2 * v, e1 * b + e2, m2), y
    zero = jnp.zeros_like(x[:, 0])
    _, y = lax.scan(step, (zero, zero, zero - 1e9), (k.swapaxes(0, 1), v.swapaxes(0, 1)))
    return (nn.sigmoid(r) * y.swapaxes(0, 1)) @ out


@row("n(2, 150, 24), n(24, 60, scale=.2), n(24, 8), n(24, 24, scale=.2)")
@row("n(2, 150, 24), n(24, 60, scale=.2), n(24, 8), n(24, 24, scale=.2)", "grad({0}, (0, 1, 2))")
def states_by_scan_over_products(x, project, log_a, out):
    """Input, output and step chosen by the token; pairs composed by associative_scan."""
    b, c, d, _ = jnp.split(x @ project, (8, 16, 40), -1)
    d = nn.softplus(d)[..., None]
    decay = jnp.exp(-d * jnp.exp(0.2 * log_a))
    drive = d * b[..., None, :] * x[..., None]
    _, h = lax.associative_scan(lambda l, r: (l[0] * r[0], l[1] * r[0] + r[1]), (decay, drive), axis=1)
    return nn.silu(jnp.einsum("btds,bts->btd", h, c)) @ out


@row("n(17, 128), n(17, 128, 16), n(17, 128, 4), n(128, 4), n(128, 48, scale=.1), n(8, 128, scale=.3), n(128, 16), n(128)")
def one_step_of_stream_with_short_memory(x, state, tail, taps, project, dt, log_a, skip):
    tail = jnp.concatenate([tail[..., 1:], x[..., None]], -1)
    x = nn.silu((tail * taps).sum(-1))
    b, c, r, _ = jnp.split(x @ project, (16, 32, 40), -1)
    d = nn.softplus(r @ dt)
    state = state * jnp.exp(-d[..., None] * jnp.exp(0.1 * log_a)) + (d * x)[..., None] * b[:, None]
    return (state * c[:, None]).sum(-1) + skip * x, state, tail


@row("n(31, 120, 8), n(64, 8, 2, scale=.1), n(2, 64)")
def ring_of_complex_poles_over_series(x, b, angle):
    pole = jnp.exp(-jnp.exp(angle[0]) * 0.1 + 1j * jnp.pi * nn.sigmoid(angle[1]))
    u = x @ (b[..., 0] + 1j * b[..., 1]).T
    step = lambda h, u: (pole * h + u,) * 2
    _, h = lax.scan(step, jnp.zeros((31, 64), jnp.complex64), u.swapaxes(0, 1))
    return h.real.swapaxes(0, 1)[:, ::5]


@row("n(300, 12), n(12, 7, 11, scale=.3), n(12, 7)")
@row("n(300, 12), n(12, 7, 11, scale=.3), n(12, 7)", "grad({0}, (0, 1, 2))")
def spline_edges_summed_at_nodes(x, c, base):
    """Cubic pieces on a uniform grid by the recurrence, and a linear part through silu."""
    knots = jnp.linspace(-2.5, 2.5, 15)
    b = ((x[..., None] >= knots[:-1]) & (x[..., None] < knots[1:])).astype(x.dtype)
    for k in (1, 2, 3):
        left = (x[..., None] - knots[:-k - 1]) / (knots[k:-1] - knots[:-k - 1])
        right = (knots[k + 1:] - x[..., None]) / (knots[k + 1:] - knots[1:-k])
        b = left * b[..., :-1] + right * b[..., 1:]
    return jnp.einsum("nik,iok->no", b, c) + nn.silu(x) @ base


# ---- quantized ------------------------------------------------------------------------------------------------------------

@row("n(300, 500)")
@row("n(77, 130, dtype='bfloat16')")
def rows_to_four_bits_by_best_of_clips(w):
    """Each row tries twelve shrunk ranges and keeps that of least error."""
    w = w.astype(jnp.float32)
    top = jnp.abs(w).max(1, keepdims=True)
    def attempt(r):
        s = top * r / 7
        q = jnp.clip(jnp.round(w / s), -8, 7)
        return q, ((q * s - w) ** 2).mean(1), s
    q, e, s = lax.map(attempt, jnp.linspace(0.45, 1.0, 12))
    best = e.argmin(0)
    row_of = jnp.arange(w.shape[0])
    return q[best, row_of].astype(jnp.int8), s[best, row_of], e.min(0)


@row("n(40, 256), i(256, 256, 192).astype('uint8'), abs(n(4, 384)) * .02, i(16, 4, 384)")
def two_weights_of_each_byte_with_group_zeros(x, packed, scale, zero):
    w = jnp.stack([packed & 15, packed >> 4], -1).reshape(4, 64, 384).astype(jnp.int32) - zero[:, None]
    return x @ (w * scale[:, None]).reshape(256, 384)


@row("n(64, 200), n(200, 90, scale=.1)", "jax.value_and_grad({0}, (0, 1))")
def loss_of_layer_rounded_on_the_way(x, w):
    def rounded(w):
        s = jnp.abs(w).max(0) / 127
        return w + lax.stop_gradient(jnp.round(w / s) * s - w)
    return (nn.relu(x @ rounded(w)) ** 2).mean()


@row("(i(256, 60, 320) - 128).astype('int8'), (i(256, 320, 170) - 128).astype('int8'), i(1000, 170), n(170)")
def bytes_multiplied_requantized_and_clamped(x, w, bias, log_scale):
    acc = lax.dot(x, w, preferred_element_type=jnp.int32) + bias
    return jnp.clip(jnp.round(acc * jnp.exp2(-10 + 0.1 * log_scale)) - 3, -128, 127).astype(jnp.int8)


@row("n(128, 100), n(100, 150, scale=.1)")
def delayed_scales_from_history_of_maxima(x, w):
    def step(s, x):
        history, total = s
        scale = 448 / jnp.maximum(history.max(), 1e-6)
        small = jnp.clip(x * scale, -448, 448).astype(jnp.float8_e4m3fn)
        y = lax.dot(small.astype(jnp.bfloat16), w.astype(jnp.bfloat16)).astype(jnp.float32) / scale
        return (jnp.roll(history, 1).at[0].set(jnp.abs(x).max()), total + (y * y).sum()), y.mean(0)
    return lax.scan(step, (jnp.ones(16), 0.0), x.reshape(8, 16, 100))


# ---- losses ----------------------------------------------------------------------------------------------------------------

@row("n(6, 75, 30), i(29, 6, 12), i(6, 6) + 7", "jax.value_and_grad({0})")
@row("n(6, 75, 30), i(29, 6, 12), i(6, 6) + 7")
def sequence_loss_by_extended_labels(z, label, length):
    logp = nn.log_softmax(z)
    ext = jnp.full((6, 25), 29).at[:, 1::2].set(label)
    skip = jnp.pad(ext[:, 2:] != ext[:, :-2], ((0, 0), (2, 0))) & (ext != 29)
    emit = jnp.take_along_axis(logp, jnp.broadcast_to(ext[:, None], (6, 75, 25)), 2)
    def step(a, e):
        one = jnp.pad(a, ((0, 0), (1, 0)), constant_values=-1e9)[:, :-1]
        two = jnp.where(skip, jnp.pad(a, ((0, 0), (2, 0)), constant_values=-1e9)[:, :-2], -1e9)
        return jnp.logaddexp(jnp.logaddexp(a, one), two) + e, None
    first = jnp.where(jnp.arange(25) < 2, emit[:, 0], -1e9)
    a, _ = lax.scan(step, first, emit.swapaxes(0, 1)[1:])
    end = jnp.take_along_axis(a, jnp.stack([2 * length, 2 * length - 1], 1), 1)
    return -nn.logsumexp(end, 1).mean()


@row("n(90, 64), i(11, 90)", "jax.value_and_grad({0})")
def positives_pulled_by_supervised_contrast(x, y):
    x = x / jnp.linalg.norm(x, axis=1, keepdims=True)
    s = jnp.where(jnp.eye(90, dtype=bool), -1e9, x @ x.T / 0.1)
    same = (y[:, None] == y) & ~jnp.eye(90, dtype=bool)
    logp = nn.log_softmax(s)
    return -(jnp.where(same, logp, 0).sum(1) / jnp.maximum(same.sum(1), 1)).mean()


@row("n(50, 33), n(50, 33, seed=1), n(50, 33, seed=2)", "grad({0}, (0, 1, 2))")
def margin_with_semi_hard_negatives(a, p, q):
    near = ((a - p) ** 2).sum(1)
    far = ((a[:, None] - q) ** 2).sum(-1)
    hard = jnp.where(far > near[:, None], far, jnp.inf).min(1)
    hard = jnp.where(jnp.isinf(hard), far.max(1), hard)
    return nn.relu(near - hard + 0.4)


@row("n(4, 37, 41, 6), i(6, 4, 37, 41)", "jax.value_and_grad({0})")
def segmentation_by_focal_and_overlap(z, y):
    p, one = nn.softmax(z), nn.one_hot(y, 6)
    pt = (p * one).sum(-1)
    focal = -((1 - pt) ** 2 * jnp.log(pt + 1e-7)).mean()
    hit = (p * one).sum((1, 2))
    overlap = (hit + 1) / (p.sum((1, 2)) + one.sum((1, 2)) - hit + 1)
    return focal + 1 - overlap.mean()


# ---- optimizers ------------------------------------------------------------------------------------------------------------

@row("{'a': n(130, 70), 'b': n(70), 'c': n(3, 3, 8, 20)}, {'a': n(130, 70, seed=1), 'b': n(70, seed=1), 'c': n(3, 3, 8, 20, seed=1)}, jnp.int32(7)")
def moments_corrected_decayed_and_clipped(p, g, t):
    norm = jnp.sqrt(sum(jnp.vdot(x, x) for x in jax.tree.leaves(g)))
    g = jax.tree.map(lambda x: x * jnp.minimum(1, 1 / norm), g)
    rate = 1e-3 * jnp.minimum(t / 100, 0.5 * (1 + jnp.cos(jnp.pi * t / 1000)))
    def one(p, g):
        m, v = 0.1 * g, 0.001 * g * g
        u = m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
        return p - rate * (u + (0.01 * p if p.ndim > 1 else 0)), m, v
    return jax.tree.map(one, p, g)


@row("n(120, 200), n(120, 200, seed=1), n(120, 200, seed=2)")
@row("n(2, 65, 31), n(2, 65, 31, seed=1), n(2, 65, 31, seed=2)", "vmap({0})")
def orthogonal_step_by_five_quintics(p, g, m):
    m = 0.95 * m + g
    x = (g + 0.95 * m).astype(jnp.bfloat16)
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    x = x / (jnp.linalg.norm(x.astype(jnp.float32)) + 1e-7).astype(x.dtype)
    for _ in range(5):
        a = x @ x.T
        x = 3.4445 * x + (-4.775 * a + 2.0315 * (a @ a)) @ x
    x = (x.T if tall else x).astype(jnp.float32)
    return p * 0.999 - 0.02 * max(1, p.shape[0] / p.shape[1]) ** 0.5 * x, m


@row("n(55, 40), n(55, 40, seed=1), definite(0, 55), definite(0, 40)")
def preconditioners_rooted_by_eigenvectors(p, g, l, r):
    l, r = 0.99 * l + g @ g.T, 0.99 * r + g.T @ g
    def root(a):
        w, v = jnp.linalg.eigh(a)
        return (v * jnp.maximum(w, 1e-6) ** -0.25) @ v.T
    return p - 0.1 * root(l) @ g @ root(r), l, r


@row("n(60), n(200, 60), n(200)")
def memory_of_five_pairs_unrolled_in_scan(w, x, y):
    f = jax.value_and_grad(lambda w: (nn.softplus(-y * (x @ w))).mean() + 0.01 * w @ w)
    def direction(g, s, t):
        q, alphas = g, []
        for k in range(4, -1, -1):
            rho = 1 / (s[k] @ t[k] + 1e-8)
            alphas.append(rho * (s[k] @ q))
            q = q - alphas[-1] * t[k]
        q = q * (s[4] @ t[4]) / (t[4] @ t[4] + 1e-8)
        for k in range(5):
            q = q + s[k] * (alphas[4 - k] - (t[k] @ q) / (s[k] @ t[k] + 1e-8))
        return q
    def step(c, _):
        w, g, s, t = c
        new = w - jnp.where(jnp.any(s), 1.0, 0.5) * jnp.where(jnp.any(s[0]), direction(g, s, t), g)
        value, h = f(new)
        push = lambda a, v: jnp.concatenate([a[1:], v[None]])
        return (new, h, push(s, new - w), push(t, h - g)), value
    return lax.scan(step, (w, f(w)[1], jnp.zeros((5, 60)), jnp.zeros((5, 60))), length=15)


# ---- pictures --------------------------------------------------------------------------------------------------------------

@row("n(2, 20, 22, 12), n(3, 3, 12, 18, scale=.1), n(12, 16, scale=.3)")
@row("n(2, 20, 22, 12), n(3, 3, 12, 18, scale=.1), n(12, 16, scale=.3)", "grad({0}, (0, 1, 2))")
def taps_moved_by_predicted_offsets(x, offset, w):
    """Nine taps read where the picture itself says, linearly interpolated."""
    o = lax.conv_general_dilated(x, offset, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")).reshape(2, 20, 22, 9, 2)
    taps = jnp.stack(jnp.meshgrid(jnp.arange(-1, 2), jnp.arange(-1, 2), indexing="ij"), -1).reshape(9, 2)
    at = jnp.stack(jnp.meshgrid(jnp.arange(20), jnp.arange(22), indexing="ij"), -1)[:, :, None] + taps + jnp.tanh(o)
    base = jnp.floor(at)
    f = at - base
    def read(dy, dx):
        y, z = (base[..., 0] + dy).astype(jnp.int32), (base[..., 1] + dx).astype(jnp.int32)
        ok = (y >= 0) & (y < 20) & (z >= 0) & (z < 22)
        v = jax.vmap(lambda p, y, z: p[y.clip(0, 19), z.clip(0, 21)])(x, y, z)
        return v * (ok * jnp.abs(1 - dy - f[..., 0]) * jnp.abs(1 - dx - f[..., 1]))[..., None]
    return (read(0, 0) + read(0, 1) + read(1, 0) + read(1, 1)).max(3) @ w


def double_conv(x, k):
    for j in range(2):
        x = lax.conv_general_dilated(x, k[j], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = nn.silu((x - x.mean((1, 2), keepdims=True)) / (x.std((1, 2), keepdims=True) + 1e-3))
    return x


@row("n(2, 36, 44, 3), [n(3, 3, 3, 12, scale=.2), n(3, 3, 12, 12, scale=.1)], [n(3, 3, 12, 24, scale=.1), n(3, 3, 24, 24, scale=.1)], "
     "[n(3, 3, 36, 12, scale=.1), n(3, 3, 12, 12, scale=.1)]")
@row("n(2, 36, 44, 3), [n(3, 3, 3, 12, scale=.2), n(3, 3, 12, 12, scale=.1)], [n(3, 3, 12, 24, scale=.1), n(3, 3, 24, 24, scale=.1)], "
     "[n(3, 3, 36, 12, scale=.1), n(3, 3, 12, 12, scale=.1)]", "lambda *a: jax.grad(lambda *a: ({0}(*a) ** 2).mean(), (1, 2, 3))(*a)")
def one_level_down_and_up_with_skip(x, first, middle, last):
    a = double_conv(x, first)
    b = double_conv(lax.reduce_window(a, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), middle)
    up = jax.image.resize(b, (*a.shape[:3], b.shape[-1]), "bilinear")
    return double_conv(jnp.concatenate([a, up], -1), last)


@row("n(3, 28, 28, 40), n(7, 7, 1, 40, scale=.1), n(40, 160, scale=.1), n(160, 40, scale=.1), n(40)")
@row("n(1, 56, 56, 40), n(7, 7, 1, 40, scale=.1), n(40, 160, scale=.1), n(160, 40, scale=.1), n(40)")
def wide_kernel_block_with_layer_scale(x, k, up, down, gamma):
    y = lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=40)
    y = (y - y.mean(-1, keepdims=True)) * lax.rsqrt(y.var(-1, keepdims=True) + 1e-6)
    return x + 1e-2 * gamma * (nn.gelu(y @ up) @ down)


@row("key, n(24, 32, 32, 3), i(10, 24)")
def pictures_flipped_shifted_cut_and_mixed(key, x, y):
    k = random.split(key, 5)
    x = jnp.where(random.bernoulli(k[0], 0.5, (24, 1, 1, 1)), x[:, :, ::-1], x)
    pad = jnp.pad(x, ((0, 0), (4, 4), (4, 4), (0, 0)), mode="reflect")
    x = jax.vmap(lambda p, s: lax.dynamic_slice(p, (s[0], s[1], 0), (32, 32, 3)))(pad, random.randint(k[1], (24, 2), 0, 9))
    c = random.randint(k[2], (24, 2, 1, 1), 0, 32)
    hole = (jnp.abs(jnp.arange(32)[:, None] - c[:, 0]) < 5) & (jnp.abs(jnp.arange(32) - c[:, 1]) < 5)
    x = jnp.where(hole[..., None], 0, x)
    m, order = random.beta(k[3], 0.4, 0.4, (24, 1)), random.permutation(k[4], 24)
    one = nn.one_hot(y, 10)
    return m[..., None, None] * x + (1 - m[..., None, None]) * x[order], m * one + (1 - m) * one[order]


@row("n(6, 197, 48), n(48, 144, scale=.1), n(48, 48, scale=.1), n(6, 196)")
def dropped_patches_then_attention_with_register(x, w, out, score):
    keep = jnp.sort(lax.top_k(score, 98)[1], 1) + 1
    x = jnp.concatenate([x[:, :1], jnp.take_along_axis(x, keep[..., None], 1)], 1)
    q, k, v = jnp.moveaxis((x @ w).reshape(6, 99, 3, 4, 12), 2, 0)
    return x + nn.dot_product_attention(q, k, v).reshape(6, 99, 48) @ out
