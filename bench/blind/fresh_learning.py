"""fresh_learning.py: training steps of small networks, optimizers, losses and metrics, graphs, experts, denoisers, state spaces,
recommenders."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    "grad(lambda w, x: nn.celu(x @ w[0] + .1) @ w[1], 0) @@ (n(37, 91), n(91, 5)), n(211, 37)",
    "lambda p, g: jax.tree.map(lambda a, b: a - .1 * jnp.sign(b) * jnp.abs(a).mean(), p, g)"
    " @@ [n(31, 7), {'b': n(7), 'c': n()}], [n(31, 7), {'b': n(7), 'c': n()}]",
    "lambda p: jnp.sqrt(sum(jnp.vdot(x, x) for x in jax.tree.leaves(p))) @@ {'a': n(301, 33), 'b': [n(33), n(7, 5, 3)], 'c': n(1)}",
    "lambda p: jax.flatten_util.ravel_pytree(p)[0][::-1] * 2 @@ {'a': n(31, 33), 'b': [n(33), n(7, 5, 3)], 'c': n(1, dtype='float16')}",
    "lambda x, y: jax.jit(lambda a, b: a * .9 + b, donate_argnums=0)(x, y) @@ n(503, 401), n(503, 401)",
    "lambda x, g, b: (lambda m: (x - m) * lax.rsqrt(((x - m) ** 2).mean((2, 3), keepdims=True) + 1e-5) * g + b)(x.mean((2, 3), keepdims=True))"
    " @@ n(3, 13, 21, 19), n(13, 1, 1), n(13, 1, 1)",
    "grad(lambda x, g: nn.silu(x.reshape(4, 9, 9, 3, 8) / jnp.sqrt((x.reshape(4, 9, 9, 3, 8) ** 2).mean((1, 2, 4), keepdims=True))) * g, (0, 1))"
    " @@ n(4, 9, 9, 24), n(8)",
    "lambda p, y: jnp.mean(jnp.where(y > 0, -jnp.log(p), -jnp.log1p(-p)) * jnp.abs(y - p) ** 2) @@ nn.sigmoid(n(3001, 9)), i(2, 3001, 9)",
    "lambda s, y: (lambda o: (jnp.cumsum(y[o]) / jnp.arange(1, 2004) * y[o]).sum() / y.sum())(jnp.argsort(-s)) @@ n(2003), i(2, 2003)",
    "vmap(lambda s, y: (lambda r: (2. ** y[r] / jnp.log2(jnp.arange(2, 13))).sum())(lax.top_k(s, 11)[1])) @@ n(101, 47), i(4, 101, 47)",
    "lambda a, b: jnp.zeros((13, 13)).at[a, b].add(1)[:, :, None] / jnp.bincount(a, length=13)[:, None, None].clip(1)"
    " @@ i(13, 5003), i(13, 5003)[::-1]",
    "grad(lambda z, w: jnp.log(jnp.exp(z @ w.T / 5).sum(1)) - (z * w).sum(1)[:5].sum(), (0, 1)) @@ n(61, 24), n(61, 24, seed=1)",
    "lambda e, i, w: (e[i] * w[..., None]).sum(1) / w.sum(1, keepdims=True)"
    " @@ n(4001, 32, dtype='bfloat16'), i(4001, 53, 21), abs(n(53, 21, dtype='bfloat16')) + .1",
    "grad(lambda e, i: jnp.tanh(e[i].mean(1)) ** 2) @@ n(1201, 17), i(1201, 83, 9)",
    "lambda x, i: jax.ops.segment_max(x, i, 101) - jax.ops.segment_min(x, i, 101) @@ n(2003, 7), jnp.concatenate([jnp.arange(101), i(101, 1902)])",
    "lambda x, w, g: lax.ragged_dot(x, w, g).sum(1)"
    " @@ n(301, 24, dtype='bfloat16'), n(5, 24, 31, dtype='bfloat16'), jnp.array([60, 0, 141, 99, 1], 'int32')",
    "lambda a, b, x: lax.associative_scan(lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (nn.sigmoid(a), x * b), axis=0)[1]"
    " @@ n(333, 41), n(41), n(333, 41)",
    "lambda x, h: lax.scan(lambda h, x: (nn.sigmoid(x[:, :20]) * h + jnp.tanh(x[:, 20:]),) * 2, h, x)[1] @@ n(101, 7, 40), n(7, 20)",
]


# ---- optimizers -----------------------------------------------------------------------------------------------------------------

@row("n(70, 41), n(70, 41, seed=1), n(70, 41, seed=2), jnp.float32(7)")
@row("n(70, 41, dtype='bfloat16'), n(70, 41, seed=1, dtype='bfloat16'), n(70, 41, seed=2), jnp.float32(7)")
@row("n(6, 30, 30), n(6, 30, 30, seed=1), n(6, 30, 30, seed=2), jnp.float32(7)", "vmap({0}, (0, 0, 0, None))")
def polar_momentum_with_variance_of_rows(w, g, m, t):
    """Nesterov momentum, six Newton-Schulz steps in half precision, then Adam's scale by neurons."""
    m = 0.95 * m + g.astype(jnp.float32)
    x = (0.95 * m + g).astype(jnp.bfloat16)
    x = x / (jnp.linalg.norm(x.astype(jnp.float32)) + 1e-6).astype(x.dtype)
    wide = x.shape[0] > x.shape[1]
    x = x.T if wide else x
    def step(_, x):
        a = x @ x.T
        return 3.4445 * x + (-4.775 * a + 2.0315 * a @ a).astype(x.dtype) @ x
    x = lax.fori_loop(0, 6, step, x)
    x = (x.T if wide else x).astype(jnp.float32)
    v = (x * x).mean(1, keepdims=True) / (1 - 0.9**t)
    return (w - 0.02 * (x / (jnp.sqrt(v) + 1e-8) + 0.1 * w)).astype(w.dtype), m


@row("n(26, 33), n(26, 33, seed=1), definite(0, 26), definite(0, 33)")
@row("n(4, 16, 16), n(4, 16, 16, seed=1), definite(4, 16), definite(4, 16)", "vmap({0})")
def preconditioned_on_both_sides_by_fourth_roots(w, g, left, right):
    """Shampoo: roots by eigenvectors, grafted to the norm of the gradient."""
    left, right = 0.95 * left + g @ g.T, 0.95 * right + g.T @ g
    def root(a):
        e, q = jnp.linalg.eigh(a + 1e-4 * jnp.eye(a.shape[0]))
        return (q * jnp.maximum(e, 1e-4) ** -0.25) @ q.T
    d = root(left) @ g @ root(right)
    return w - 0.1 * d * jnp.linalg.norm(g) / (jnp.linalg.norm(d) + 1e-8), left, right


@row("n(203), n(9, 203), n(9, 203, seed=1)")
@row("n(20011), n(5, 20011), n(5, 20011, seed=1)")
@row("n(203, dtype='float64'), n(9, 203, dtype='float64'), n(9, 203, dtype='float64', seed=1)", double=True)
def compact_form_of_limited_memory(g, s, y):
    """The direction by products with two thin matrices and a small system, in place of two loops."""
    y = y * 0.1 + s
    sy = s @ y.T
    r = jnp.triu(sy) + 1e-3 * jnp.eye(s.shape[0], dtype=g.dtype)
    d = jnp.diag(jnp.diag(sy))
    gamma = sy[-1, -1] / (y[-1] @ y[-1])
    a, b = jax.scipy.linalg.solve_triangular(r, s @ g), y @ g
    p = jax.scipy.linalg.solve_triangular(r, (d + gamma * y @ y.T) @ a - gamma * b, trans=1)
    return gamma * g + s.T @ p - gamma * y.T @ a


@row("n(20, 40), n(40, 3), n(300, 20), i(3, 300), random.key(0)")
@row("n(8, 9), n(9, 3), n(2000, 8), i(3, 2000), random.key(0)")
def curvature_by_sampled_labels_then_clipped_step(w1, w2, x, y, key):
    """Sophia-G: squared gradients under labels drawn from the model, every other step within a scan."""
    loss = lambda p, y: -jnp.take_along_axis(nn.log_softmax(nn.gelu(x @ p[0]) @ p[1]), y[:, None], 1).mean()
    def step(s, t):
        p, m, h = s
        k, now = t
        value, g = jax.value_and_grad(loss)(p, y)
        def renew(h):
            draw = random.categorical(now, nn.gelu(x @ p[0]) @ p[1])
            return jax.tree.map(lambda h, g: 0.9 * h + 0.1 * x.shape[0] * g * g, h, jax.grad(loss)(p, draw))
        h = lax.cond(k % 2 == 0, renew, lambda h: h, h)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        p = jax.tree.map(lambda p, m, h: p - 0.01 * jnp.clip(m / jnp.maximum(0.05 * h, 1e-9), -1, 1), p, m, h)
        return (p, m, h), value
    zero = jax.tree.map(jnp.zeros_like, (w1, w2))
    return lax.scan(step, ((w1 * 0.2, w2 * 0.2), zero, zero), (jnp.arange(8), random.split(key, 8)))[1]


@row("{'w': n(30, 20), 'b': n(20), 's': n()}, {'w': n(30, 20, seed=1), 'b': n(20, seed=1), 's': n()}")
@row("{'w': n(700, 301), 'b': n(301), 's': n()}, {'w': n(700, 301, seed=1), 'b': n(301, seed=1), 's': n()}")
def warmed_then_clipped_then_averaged_steps(p, g):
    """Five steps of a chain: norm clip, momentum with bias correction, decay of matrices alone, cosine rate, running average."""
    def step(s, t):
        p, m, v, mean = s
        q = jax.tree.map(lambda g, p: g + 0.1 * jnp.sin(p), g, p)
        size = jnp.sqrt(sum((x * x).sum() for x in jax.tree.leaves(q)))
        q = jax.tree.map(lambda x: x * jnp.minimum(1, 1 / size), q)
        m = jax.tree.map(lambda m, x: 0.9 * m + 0.1 * x, m, q)
        v = jax.tree.map(lambda v, x: 0.99 * v + 0.01 * x * x, v, q)
        rate = 0.01 * jnp.where(t < 2, t / 2, 0.5 + 0.5 * jnp.cos(t))
        p = jax.tree.map(lambda p, m, v: p - rate * (m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.99**t)) + 1e-8) + 0.1 * p * (p.ndim > 1)), p, m, v)
        return (p, m, v, jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b, mean, p)), size
    zero = jax.tree.map(jnp.zeros_like, p)
    return lax.scan(step, (p, zero, zero, p), jnp.arange(1.0, 6.0))


# ---- blocks ----------------------------------------------------------------------------------------------------------------------

@row("n(2, 15, 17, 24), n(2, 48), n(24, 24, scale=.1), n(3, 3, 24, 24, scale=.1), n(3, 3, 24, 24, scale=.1), n(48, 48, scale=.1)")
@row("n(2, 15, 17, 24), n(2, 48), n(24, 24, scale=.1), n(3, 3, 24, 24, scale=.1), n(3, 3, 24, 24, scale=.1), n(48, 48, scale=.1)", "grad({0}, (0, 3, 5))")
@row("n(1, 32, 32, 24, dtype='bfloat16'), n(1, 48, dtype='bfloat16'), n(24, 24, scale=.1, dtype='bfloat16'), n(3, 3, 24, 24, scale=.1, dtype='bfloat16'),"
     " n(3, 3, 24, 24, scale=.1, dtype='bfloat16'), n(48, 48, scale=.1, dtype='bfloat16')")
def denoiser_block_scaled_and_shifted_by_time(x, t, skip, k1, k2, embed):
    conv = lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    def norm(x):
        y = x.astype(jnp.float32).reshape(*x.shape[:3], 6, 4)
        m, v = y.mean((1, 2, 4), keepdims=True), y.var((1, 2, 4), keepdims=True)
        return ((y - m) * lax.rsqrt(v + 1e-5)).reshape(x.shape).astype(x.dtype)
    scale, shift = jnp.split((nn.silu(t) @ embed)[:, None, None], 2, -1)
    h = conv(nn.silu(norm(x)), k1)
    h = conv(nn.silu(norm(h) * (1 + scale) + shift), k2)
    return x @ skip + h


@row("n(3, 50, 40), n(40, 6), n(6, 40, 64, scale=.1), n(6, 64, 40, scale=.1)", "jax.value_and_grad(lambda *s: {0}(*s).sum(), (0, 1, 2))")
@row("n(3, 50, 40), n(40, 6), n(6, 40, 64, scale=.1), n(6, 64, 40, scale=.1)")
@row("n(1, 400, 40, dtype='bfloat16'), n(40, 6, dtype='bfloat16'), n(6, 40, 64, scale=.1, dtype='bfloat16'), n(6, 64, 40, scale=.1, dtype='bfloat16')")
def tokens_to_places_of_experts_by_cumulative_sum(x, router, w1, w2):
    """Switch routing with a capacity: tokens beyond it pass by; places by scatter and gather."""
    b, t, d = x.shape
    flat = x.reshape(-1, d)
    p = nn.softmax((flat @ router).astype(jnp.float32))
    e = p.argmax(-1)
    place = (jnp.cumsum(nn.one_hot(e, 6, dtype=jnp.int32), 0) * nn.one_hot(e, 6, dtype=jnp.int32)).sum(-1) - 1
    room = b * t // 6 + 3
    slots = jnp.zeros((6, room, d), x.dtype).at[e, place].set(flat, mode="drop")
    out = jnp.einsum("ecf,efd->ecd", nn.relu(jnp.einsum("ecd,edf->ecf", slots, w1)) ** 2, w2)
    back = out.at[e, place].get(mode="fill", fill_value=0) * p.max(-1, keepdims=True).astype(x.dtype)
    return (flat + back).reshape(x.shape)


@row("n(2, 128, 3, 16), n(2, 128, 3, 16), n(2, 128, 3, 20), nn.sigmoid(n(2, 128, 3) + 2)")
@row("n(2, 128, 3, 16), n(2, 128, 3, 16), n(2, 128, 3, 20), nn.sigmoid(n(2, 128, 3) + 2)", "grad({0}, (0, 1, 2, 3))")
@row("n(1, 512, 2, 32, dtype='bfloat16'), n(1, 512, 2, 32, dtype='bfloat16'), n(1, 512, 2, 64, dtype='bfloat16'), nn.sigmoid(n(1, 512, 2) + 2)")
def decayed_linear_attention_in_chunks(q, k, v, decay):
    """Chunks of 32: decays within by differences of cumulative logarithms, a state carried between."""
    b, t, h, d = q.shape
    cut = lambda x: jnp.moveaxis(x.astype(jnp.float32).reshape(b, t // 32, 32, *x.shape[2:]), 1, 0)
    def chunk(state, c):
        q, k, v, g = c
        g = jnp.cumsum(jnp.log(g), 1)
        inner = jnp.where(jnp.tril(jnp.ones((32, 32), bool))[:, :, None], jnp.exp(jnp.minimum(g[:, :, None] - g[:, None], 0)), 0)
        s = jnp.einsum("bqhd,bkhd->bqkh", q, k) * inner
        out = jnp.einsum("bqkh,bkhe->bqhe", s, v) + jnp.einsum("bqhd,bhde,bqh->bqhe", q, state, jnp.exp(g))
        last = g[:, -1]
        state = state * jnp.exp(last)[..., None, None] + jnp.einsum("bkhd,bkhe,bkh->bhde", k, v, jnp.exp(last[:, None] - g))
        return state, out
    _, out = lax.scan(chunk, jnp.zeros((b, h, d, v.shape[-1])), tuple(map(cut, (q, k, v, decay))))
    return jnp.moveaxis(out, 0, 1).reshape(b, t, h, -1)


@row("n(2, 300, 24), abs(n(24, 16)) + .1, n(24, 16), n(24, 16), n(24)")
@row("n(2, 300, 24), abs(n(24, 16)) + .1, n(24, 16), n(24, 16), n(24)", "grad({0}, (0, 1, 2))")
@row("n(1, 1025, 6), abs(n(6, 16)) + .1, n(6, 16), n(6, 16), n(6)")
def structured_states_as_kernel_and_transform(x, rate, re, im, skip):
    """Diagonal complex states: the kernel by powers of poles, the convolution by transforms."""
    t = x.shape[1]
    a = -rate + 1j * jnp.arange(16) * jnp.pi
    c = (re + 1j * im) * (jnp.exp(a * 0.01) - 1) / a
    kernel = 2 * jnp.einsum("dn,dnt->td", c, jnp.exp(a[..., None] * 0.01 * jnp.arange(t))).real
    f = jnp.fft.rfft(x, 2 * t, axis=1) * jnp.fft.rfft(kernel, 2 * t, axis=0)
    return nn.gelu(jnp.fft.irfft(f, 2 * t, axis=1)[:, :t] + skip * x)


@row("n(120, 16), i(120, 700), i(120, 700)[::-1], n(700, 5), n(37, 32, scale=.2), n(32, 16, scale=.2), n(16, 16, scale=.2)")
@row("n(120, 16), i(120, 700), i(120, 700)[::-1], n(700, 5), n(37, 32, scale=.2), n(32, 16, scale=.2), n(16, 16, scale=.2)", "grad({0}, (0, 3, 4))")
@row("n(2000, 16), i(2000, 9000), i(2000, 9000)[::-1], n(9000, 5), n(37, 32, scale=.2), n(32, 16, scale=.2), n(16, 16, scale=.2)")
def messages_of_edges_gated_with_degrees(x, source, target, edge, w1, w2, w3):
    n = x.shape[0]
    h = jnp.concatenate([x[source], x[target], edge], 1)
    m = nn.silu(h @ w1) @ w2
    gate = nn.sigmoid(m[:, :1])
    total = jnp.zeros_like(x).at[target].add(gate * m)
    norm = jnp.zeros(n).at[target].add(gate[:, 0])
    degree = jnp.bincount(target, length=n)
    x = x + nn.relu(total / (norm[:, None] + 1e-3)) @ w3 * jnp.log1p(degree)[:, None]
    return x / jnp.sqrt((x * x).mean(0) + 1e-5)


# ---- losses and recommenders ------------------------------------------------------------------------------------------------------

@row("n(300, 12), n(500, 12), i(300, 900), i(500, 900), n(900)", "jax.value_and_grad({0}, (0, 1))")
@row("n(300, 12), n(500, 12), i(300, 900), i(500, 900), n(900)", "jax.hessian(lambda u, v, a, b, y: {0}(u[:2], v[:3], a[:90] % 2, b[:90] % 3, y[:90]), 0)")
def ratings_with_factored_tastes(u, v, a, b, y):
    guess = (u[a, :-1] * v[b, :-1]).sum(1) + u[a, -1] + v[b, -1]
    return (jnp.where(jnp.abs(guess - y) < 1, (guess - y) ** 2 / 2, jnp.abs(guess - y) - 0.5)).mean() + 1e-3 * (u * u).mean()


@row("n(64, 5), n(64, 5, seed=1), i(9, 64)", "jax.value_and_grad({0}, (0, 1))")
@row("n(64, 5, dtype='bfloat16'), n(64, 5, seed=1, dtype='bfloat16'), i(9, 64)", "jax.value_and_grad({0}, (0, 1))")
def distances_within_and_between_kinds_with_margin(a, b, kind):
    """A lifted structure loss over cosines of two views."""
    unit = lambda x: x.astype(jnp.float32) / jnp.linalg.norm(x.astype(jnp.float32), axis=1, keepdims=True)
    d = 1 - unit(a) @ unit(b).T
    same = kind[:, None] == kind
    far = nn.logsumexp(jnp.where(same, -jnp.inf, 0.5 - d), 1)
    return (jnp.where(same, nn.relu(d + far[:, None]), 0).sum(1) / same.sum(1)).mean()


@row("n(30, 24, 20), i(2, 30, 24, 20)", "jax.value_and_grad({0})")
@row("n(3, 101, 99), i(2, 3, 101, 99)")
def boundary_and_overlap_of_masks(logits, mask):
    """Cross entropy weighted by distance to the border (three erosions), and a soft overlap."""
    m = mask.astype(jnp.float32)
    weight = jnp.ones_like(m)
    inner, outer = m, m
    for _ in range(3):
        inner = lax.reduce_window(inner, jnp.inf, lax.min, (1, 3, 3), (1, 1, 1), "SAME")
        outer = lax.reduce_window(outer, -jnp.inf, lax.max, (1, 3, 3), (1, 1, 1), "SAME")
        weight = weight + outer - inner
    loss = (nn.softplus(logits) - m * logits) * weight
    p = nn.sigmoid(logits)
    return (loss.mean((1, 2)) - 2 * (p * m).sum((1, 2)) / (p + m).sum((1, 2))).sum()


@row("n(40, 30), n(40, 30, seed=1), i(2, 40, 30)", "jax.value_and_grad({0})")
@row("n(9, 400), n(9, 400, seed=1), i(2, 9, 400)")
def advantages_normalized_then_clipped_and_entropic(logp, value, done):
    """Rewards from values; returns by a reversed scan; the clipped loss of a policy."""
    reward = jnp.sin(3 * value)
    def back(s, t):
        r, v, d, nxt = t
        s = r + 0.99 * (1 - d) * nxt - v + 0.94 * (1 - d) * s
        return s, s
    following = jnp.concatenate([value[1:], value[-1:]])
    _, adv = lax.scan(back, jnp.zeros(value.shape[1]), (reward, value, done.astype(jnp.float32), following), reverse=True)
    adv = lax.stop_gradient((adv - adv.mean()) / (adv.std() + 1e-6))
    ratio = jnp.exp(jnp.clip(logp - lax.stop_gradient(logp) * 0.9, -2, 2))
    return -jnp.minimum(ratio * adv, jnp.clip(ratio, 0.8, 1.2) * adv).mean() + 0.01 * (ratio * logp).mean()


@row("random.key(0), n(9, 16), n(16, 32, scale=.3), n(32, 16, scale=.3)")
@row("random.key(0), n(200, 16), n(16, 32, scale=.3), n(32, 16, scale=.3)")
def samples_by_ancestral_steps_with_thresholds(key, x, w1, w2):
    """24 steps of a denoiser that predicts the clean signal, clipped at a quantile of its size."""
    alpha = jnp.cumprod(1 - jnp.linspace(1e-3, 0.2, 24))
    def step(x, t):
        k, a, b = t
        clean = jnp.tanh(x @ w1 + a) @ w2
        top = jnp.maximum(jnp.quantile(jnp.abs(clean), 0.95, axis=1, keepdims=True), 1)
        clean = jnp.clip(clean, -top, top) / top
        noise = (x - jnp.sqrt(a) * clean) / jnp.sqrt(1 - a)
        sigma = 0.5 * jnp.sqrt((1 - b) / (1 - a) * (1 - a / b))
        x = jnp.sqrt(b) * clean + jnp.sqrt(jnp.maximum(1 - b - sigma**2, 0)) * noise
        return x + sigma * random.normal(k, x.shape), None
    before = jnp.concatenate([jnp.ones(1) * 0.9999, alpha[:-1]])
    return lax.scan(step, x, (random.split(key, 24), alpha[::-1], before[::-1]))[0]
