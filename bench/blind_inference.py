"""blind_inference.py: rows of the long tail written before any of them was measured (snippets.py): Markov chains, particles,
variational methods, Gaussian processes, statistics by resampling and by ranks. A docstring gives the shapes."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


def banana(x):
    return -0.5 * (x[..., 0] ** 2 + 4 * (x[..., 1] - 0.5 * x[..., 0] ** 2) ** 2) - 0.5 * (x[..., 2:] ** 2).sum(-1)


# ---- Markov chains ---------------------------------------------------------------------------------------------------

@row("key, n(32, 4)")
def adjusted_langevin(key, x, step=0.2, draws=25):
    """MALA of many chains: x (chains, dim)."""
    value = jax.vmap(jax.value_and_grad(banana))
    log_move = lambda to, at, g: -((to - at - step * g) ** 2).sum(-1) / (4 * step)
    def draw(s, key):
        x, (p, g) = s
        a, b = random.split(key)
        y = x + step * g + (2 * step) ** 0.5 * random.normal(a, x.shape)
        q, h = value(y)
        take = jnp.log(random.uniform(b, p.shape)) < q - p + log_move(x, y, h) - log_move(y, x, g)
        keep = lambda new, old: jnp.where(take.reshape(-1, *[1] * (new.ndim - 1)), new, old)
        return (keep(y, x), (keep(q, p), keep(h, g))), take.mean()
    return lax.scan(draw, (x, value(x)), random.split(key, draws))[1]


@row("key, n(5)")
@row("random.split(key, 7), n(7, 5)", "vmap({0})")
def no_u_turn_doubling(key, x, depth=5):
    """Leapfrog steps in growing numbers until the path turns back; the sample is chosen by multinomial weights."""
    force = jax.grad(banana)
    a, key = random.split(key)
    momentum = random.normal(a, x.shape)
    energy = lambda x, p: banana(x) - 0.5 * (p * p).sum()
    def more(s):
        q, p, _, _, k, _ = s
        return (k < 2**depth) & (((q - x) * p).sum() >= 0) & (energy(q, p) > energy(x, momentum) - 100)
    def leap(s):
        q, p, chosen, weight, k, key = s
        p = p + 0.05 * force(q)
        q = q + 0.1 * p
        p = p + 0.05 * force(q)
        key, now = random.split(key)
        new = jnp.logaddexp(weight, energy(q, p))
        chosen = jnp.where(jnp.log(random.uniform(now)) < energy(q, p) - new, q, chosen)
        return q, p, chosen, new, k + 1, key
    return lax.while_loop(more, leap, (x, momentum, x, energy(x, momentum), 0, key))[2]


@row("key, n(3), n(80, 3), i(2, 80)")
def slice_coordinates(key, w, x, y):
    """Slice sampling of a logistic regression's weights, one coordinate after the other."""
    log = lambda w: (nn.log_sigmoid((2 * y - 1) * (x @ w))).sum() - 0.5 * (w * w).sum()
    def coordinate(j, s):
        w, key = s
        key, a, b = random.split(key, 3)
        level = log(w) + jnp.log(random.uniform(a))
        low = lax.while_loop(lambda v: log(w.at[j].set(v)) > level, lambda v: v - 0.5, w[j] - 0.3)
        high = lax.while_loop(lambda v: log(w.at[j].set(v)) > level, lambda v: v + 0.5, w[j] + 0.3)
        def shrink(t):
            low, high, _, key = t
            key, now = random.split(key)
            v = random.uniform(now, minval=low, maxval=high)
            return jnp.where(v < w[j], v, low), jnp.where(v < w[j], high, v), v, key
        found = lax.while_loop(lambda t: log(w.at[j].set(t[2])) < level, shrink, shrink((low, high, w[j], b)))
        return w.at[j].set(found[2]), key
    return lax.scan(lambda s, _: (lax.fori_loop(0, 3, coordinate, s), s[0]), (w, key), None, length=8)[1]


@row("key, n(90)")
def gibbs_normal(key, y, draws=60):
    """Mean and precision in turn."""
    def draw(s, key):
        a, b = random.split(key)
        mean = y.mean() + random.normal(a) / jnp.sqrt(s[1] * 90)
        precision = random.gamma(b, 47.0) / (2 + 0.5 * ((y - mean) ** 2).sum())
        return (mean, precision), (mean, precision)
    return lax.scan(draw, (0.0, 1.0), random.split(key, draws))[1]


@row("key, i(30, 5, 17)")
def collapsed_topics(key, words, topics=4):
    """Latent Dirichlet allocation: each word's topic is drawn anew from counts without it: words (documents, length)."""
    docs = jnp.repeat(jnp.arange(5), 17)
    words = words.reshape(-1)
    z = random.randint(key, words.shape, 0, topics)
    by_doc = jnp.zeros((5, topics)).at[docs, z].add(1)
    by_word = jnp.zeros((30, topics)).at[words, z].add(1)
    def draw(k, s):
        z, by_doc, by_word = s
        d, w = docs[k], words[k]
        by_doc, by_word = by_doc.at[d, z[k]].add(-1), by_word.at[w, z[k]].add(-1)
        logits = jnp.log(by_doc[d] + 0.1) + jnp.log(by_word[w] + 0.1) - jnp.log(by_word.sum(0) + 3)
        new = random.categorical(random.fold_in(key, k), logits)
        return z.at[k].set(new), by_doc.at[d, new].add(1), by_word.at[w, new].add(1)
    return lax.fori_loop(0, 85, draw, (z, by_doc, by_word))[1:]


@row("key, n(6, 3)")
def replica_exchange(key, x):
    """Parallel tempering: neighbours in temperature swap."""
    beta = 0.6 ** jnp.arange(6)
    def step(s, key):
        x, k = s
        a, b, c = random.split(key, 3)
        y = x + 0.5 * random.normal(a, x.shape)
        x = jnp.where((jnp.log(random.uniform(b, (6,))) < beta * (banana(y) - banana(x)))[:, None], y, x)
        partner = jnp.clip(jnp.where((jnp.arange(6) + k) % 2 == 0, jnp.arange(6) + 1, jnp.arange(6) - 1), 0, 5)
        gain = (beta - beta[partner]) * (banana(x[partner]) - banana(x))
        draws = random.uniform(c, (6,))
        swap = jnp.log(jnp.minimum(draws, draws[partner])) < gain
        return (jnp.where(swap[:, None], x[partner], x), k + 1), x[0]
    return lax.scan(step, (x, 0), random.split(key, 30))[1]


@row("key, n(256, 2)")
def tempered_particles(key, x):
    """Sequential Monte Carlo over temperatures, with systematic resampling and one move each."""
    def stage(x, s):
        step, key = s
        a, b, c = random.split(key, 3)
        w = nn.softmax(step * banana(x))
        at = jnp.searchsorted(jnp.cumsum(w), (jnp.arange(256) + random.uniform(a)) / 256)
        x = x[jnp.minimum(at, 255)]
        y = x + 0.4 * random.normal(b, x.shape)
        return jnp.where((jnp.log(random.uniform(c, (256,))) < banana(y) - banana(x))[:, None], y, x), 1 / (w * w).sum()
    return lax.scan(stage, x, (jnp.full(9, 0.1), random.split(key, 9)))


@row("key, n(20), jnp.linspace(-1., 1., 64)")
def approximate_bayes(key, y, grid):
    """Simulations whose summaries are near the data's; weights by a kernel."""
    draws = grid[:, None] + random.normal(key, (64, 20))
    summary = lambda v: jnp.stack([v.mean(-1), v.std(-1), jnp.median(v, -1)], -1)
    far = ((summary(draws) - summary(y)) ** 2).sum(-1)
    w = jnp.exp(-far / 0.1)
    return (w * grid).sum() / w.sum(), jnp.sort(far)[:9]


# ---- variational methods and flows -----------------------------------------------------------------------------------

@row("key, n(6), n(6), n(70, 6), n(70)")
@row("key, n(6), n(6), n(70, 6), n(70)", "lambda key, m, s, x, y: jax.grad(partial({0}, key), (0, 1))(m, s, x, y)")
def mean_field_bound(key, mean, log_scale, x, y):
    w = mean + jnp.exp(log_scale) * random.normal(key, (16, 6))
    fit = -0.5 * ((y - w @ x.T) ** 2).sum(-1)
    prior = -0.5 * (w * w).sum(-1)
    return (fit + prior).mean() + log_scale.sum()


@row("n(40, 3)")
def stein_particles(x):
    """Stein variational gradient descent with the median's bandwidth."""
    def step(x, _):
        d = ((x[:, None] - x) ** 2).sum(-1)
        k = jnp.exp(-d / (jnp.median(d) / jnp.log(40.0) + 1e-6))
        h = jnp.median(d) / jnp.log(40.0) + 1e-6
        force = k @ jax.vmap(jax.grad(banana))(x) + 2 / h * (x * k.sum(1, keepdims=True) - k @ x)
        return x + 0.05 * force / 40, None
    return lax.scan(step, x, None, length=6)[0]


@row("n(300, 2), n(4, 2), n(4, 2, seed=1), n(4)")
@row("n(300, 2), n(4, 2), n(4, 2, seed=1), n(4)", "grad(lambda *a: {0}(*a)[1], (1, 2, 3))")
def planar_flow(z, u, w, b):
    def layer(s, p):
        z, log = s
        u, w, b = p
        u = u + (nn.softplus(w @ u) - 1 - w @ u) * w / (w @ w)
        a = jnp.tanh(z @ w + b)
        return (z + a[:, None] * u, log + jnp.log(abs(1 + (1 - a * a) * (w @ u)))), None
    return lax.scan(layer, (z, jnp.zeros(300)), (u, w, b))[0]


@row("n(201) * 3, n(8), n(8, seed=1), n(7)")
@row("n(201) * 3, n(8), n(8, seed=1), n(7)", "grad(lambda *a: {0}(*a)[0], (0, 1, 3))")
def rational_quadratic(x, widths, heights, slopes, bound=3.0):
    """Neural spline flows: monotone pieces within [-bound, bound]."""
    edges = lambda v: jnp.pad(jnp.cumsum(nn.softmax(v)), (1, 0)) * 2 * bound - bound
    xs, ys, d = edges(widths), edges(heights), jnp.pad(nn.softplus(slopes), 1, constant_values=1.0)
    k = jnp.clip(jnp.searchsorted(xs, x) - 1, 0, 7)
    w, h = xs[k + 1] - xs[k], ys[k + 1] - ys[k]
    t, s = (x - xs[k]) / w, h / w
    bottom = s + (d[k + 1] + d[k] - 2 * s) * t * (1 - t)
    inside = ys[k] + h * (s * t * t + d[k] * t * (1 - t)) / bottom
    slope = s * s * (d[k + 1] * t * t + 2 * s * t * (1 - t) + d[k] * (1 - t) ** 2) / bottom**2
    out = abs(x) > bound
    return jnp.where(out, x, inside), jnp.where(out, 0, jnp.log(slope))


@row("n(50, 6), n(6, 24, scale=.4), n(24, 12, scale=.4)")
@row("n(50, 6), n(6, 24, scale=.4), n(24, 12, scale=.4)", "lambda x, *w: vmap(jax.jacfwd(lambda x: {0}(x[None], *w)[0][0]))(x)")
def masked_autoregressive(x, a, b):
    """MADE: masks make each output depend on inputs before it."""
    inputs, hidden = jnp.arange(6), jnp.arange(24) % 5
    h = nn.relu(x @ (a * (hidden >= inputs[:, None])))
    shift, scale = jnp.split(h @ (b * (jnp.tile(inputs, 2) > hidden[:, None])), 2, 1)
    return (x - shift) * jnp.exp(-jnp.tanh(scale)), -jnp.tanh(scale).sum(1)


@row("n(9, 9, scale=.3), n(64, 9)")
def lu_flow(w, x):
    """Glow's invertible mixing by its triangular factors, there and back."""
    lower, upper = jnp.tril(w, -1) + jnp.eye(9), jnp.triu(w, 1) + jnp.diag(jnp.exp(jnp.diag(w)))
    y = x @ (lower @ upper).T
    z = jax.scipy.linalg.solve_triangular(lower, y.T, lower=True, unit_diagonal=True)
    return y, jax.scipy.linalg.solve_triangular(upper, z).T, jnp.diag(w).sum()


# ---- Gaussian processes ----------------------------------------------------------------------------------------------

@row("n(61, 3), n(61), n(3)")
@row("n(61, 3), n(61), n(3)", "grad({0}, (0, 2))")
def matern_evidence(x, y, log_length):
    d = (x[:, None] - x) * jnp.exp(-log_length)
    r = jnp.sqrt(5 * (d * d).sum(-1) + 1e-12)
    l = jnp.linalg.cholesky((1 + r + r * r / 3) * jnp.exp(-r) + 0.1 * jnp.eye(61))
    a = jax.scipy.linalg.solve_triangular(l, y, lower=True)
    return 0.5 * a @ a + jnp.log(jnp.diag(l)).sum()


@row("n(400, 2), n(400), n(23, 2)")
def inducing_points(x, y, z):
    """Sparse regression: posterior mean at the inducing inputs, and the bound of Titsias."""
    k = lambda a, b: jnp.exp(-0.5 * ((a[:, None] - b) ** 2).sum(-1))
    l = jnp.linalg.cholesky(k(z, z) + 1e-3 * jnp.eye(23))
    a = jax.scipy.linalg.solve_triangular(l, k(z, x), lower=True) / 0.5
    b = jnp.linalg.cholesky(jnp.eye(23) + a @ a.T)
    c = jax.scipy.linalg.solve_triangular(b, a @ y, lower=True) / 0.5
    return c, -jnp.log(jnp.diag(b)).sum() + 0.5 * c @ c - 0.5 * (400 - (a * a).sum() * 0.25) / 0.25


@row("n(12, 2), n(12), n(300, 2)")
def expected_improvement(x, y, candidates):
    k = lambda a, b: jnp.exp(-((a[:, None] - b) ** 2).sum(-1))
    factor = jax.scipy.linalg.cho_factor(k(x, x) + 1e-2 * jnp.eye(12), lower=True)
    cross = k(candidates, x)
    mean = cross @ jax.scipy.linalg.cho_solve(factor, y)
    sd = jnp.sqrt(jnp.maximum(1 - (cross * jax.scipy.linalg.cho_solve(factor, cross.T).T).sum(1), 1e-9))
    u = (mean - y.max()) / sd
    return sd * (u * jax.scipy.stats.norm.cdf(u) + jax.scipy.stats.norm.pdf(u))


@row("key, n(300, 4), n(64)")
def random_features(key, x, weight):
    a, b = random.split(key)
    z = jnp.cos(x @ random.normal(a, (4, 64)) + random.uniform(b, (64,), maxval=2 * jnp.pi)) * (2 / 64) ** 0.5
    return z @ weight, z.T @ z


@row("abs(n(50)), n(3, 50), jnp.linspace(0., 5., 50)")
def markov_process_regression(noise, y, t):
    """A Matern process as a filter in time, for three series at once."""
    dt = jnp.diff(t, prepend=0)
    def one(y):
        def step(s, x):
            m, p = s
            dt, y, r = x
            a = jnp.exp(-dt) * jnp.array([[1 + dt, dt], [-dt, 1 - dt]])
            m, p = a @ m, a @ (p - jnp.eye(2)) @ a.T + jnp.eye(2)
            g = p[:, 0] / (p[0, 0] + r + 0.1)
            return (m + g * (y - m[0]), p - jnp.outer(g, p[0])), m[0]
        return lax.scan(step, (jnp.zeros(2), jnp.eye(2)), (dt, y, noise))[1]
    return jax.vmap(one)(y)


# ---- statistics ------------------------------------------------------------------------------------------------------

@row("key, n(97, 2)")
def bootstrap_correlation(key, x):
    at = random.randint(key, (300, 97), 0, 97)
    a, b = x[at, 0], x[at, 1]
    a, b = a - a.mean(1, keepdims=True), b - b.mean(1, keepdims=True)
    r = (a * b).sum(1) / jnp.sqrt((a * a).sum(1) * (b * b).sum(1))
    return jnp.quantile(r, jnp.array([0.025, 0.5, 0.975]))


@row("key, n(53), n(41, seed=1)")
def permutation_test(key, a, b):
    both = jnp.concatenate([a, b])
    mixed = jax.vmap(lambda k: random.permutation(k, both))(random.split(key, 200))
    null = mixed[:, :53].mean(1) - mixed[:, 53:].mean(1)
    return (abs(null) >= abs(a.mean() - b.mean())).mean(), null.std()


@row("n(201), n(173, seed=1)")
def rank_sum(a, b):
    ranks = jax.scipy.stats.rankdata(jnp.concatenate([a, b]))
    u = ranks[:201].sum() - 201 * 202 / 2
    return u, (u - 201 * 173 / 2) / jnp.sqrt(201 * 173 * 375 / 12)


@row("n(333), n(301, seed=1)")
def kolmogorov_smirnov(a, b):
    a, b = jnp.sort(a), jnp.sort(b)
    at = jnp.concatenate([a, b])
    f = jnp.searchsorted(a, at, side="right") / 333 - jnp.searchsorted(b, at, side="right") / 301
    d = abs(f).max()
    k = jnp.arange(1, 30)
    return d, 2 * ((-1.0) ** (k - 1) * jnp.exp(-2 * k * k * d * d * 158)).sum()


@row("n(131), n(131, seed=1)")
def kendall_tau(a, b):
    return jnp.triu(jnp.sign(a[:, None] - a) * jnp.sign(b[:, None] - b), 1).sum() / (131 * 65)


@row("n(61, 4), n(61, 3, seed=1)")
def distance_correlation(x, y):
    def centered(v):
        d = jnp.sqrt(((v[:, None] - v) ** 2).sum(-1) + 1e-12)
        return d - d.mean(0) - d.mean(1, keepdims=True) + d.mean()
    a, b = centered(x), centered(y)
    return (a * b).mean() / jnp.sqrt((a * a).mean() * (b * b).mean())


@row("n(400), jnp.linspace(-3, 3, 151)")
@row("n(400), jnp.linspace(-3, 3, 151)", "grad({0})")
def kernel_density(x, grid):
    h = 1.06 * x.std() * 400**-0.2
    return jnp.exp(-0.5 * ((grid[:, None] - x) / h) ** 2).mean(1) / (h * 2.5066)


@row("abs(n(150)), i(2, 150), n(150, 3), n(3)")
def cox_likelihood(time, event, x, beta):
    order = jnp.argsort(-time)
    risk = (x @ beta)[order]
    return (event[order] * (lax.cumlogsumexp(risk) - risk)).sum()


@row("n(250, 6), jnp.sign(n(250, seed=1)) * .5 + .5")
def newton_logistic(x, y):
    def step(_, w):
        p = nn.sigmoid(x @ w)
        return w + jnp.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + jnp.eye(6), x.T @ (y - p) - w)
    return lax.fori_loop(0, 6, step, jnp.zeros(6))


@row("n(180, 5), n(180)")
def huber_regression(x, y):
    def step(_, w):
        r = y - x @ w
        k = jnp.minimum(1, 1.345 * jnp.median(abs(r)) / jnp.maximum(abs(r), 1e-6))
        return jnp.linalg.solve((x * k[:, None]).T @ x, x.T @ (k * y))
    return lax.fori_loop(0, 9, step, jnp.zeros(5))


@row("n(160, 24), n(160)")
def lasso_coordinates(x, y):
    square = (x * x).sum(0)
    def coordinate(j, s):
        w, r = s
        c = x[:, j] @ r + square[j] * w[j]
        new = jnp.sign(c) * nn.relu(abs(c) - 8) / square[j]
        return w.at[j].set(new), r + x[:, j] * (w[j] - new)
    return lax.fori_loop(0, 10, lambda _, s: lax.fori_loop(0, 24, coordinate, s), (jnp.zeros(24), y))[0]


@row("n(301, 5), nn.softmax(n(3)), n(3, 5), jnp.ones((3, 5))")
def mixture_fit(x, weight, mean, var):
    def step(_, s):
        weight, mean, var = s
        log = jnp.log(weight) - 0.5 * (((x[:, None] - mean) ** 2) / var + jnp.log(var)).sum(-1)
        r = nn.softmax(log, -1)
        total = r.sum(0)[:, None]
        mean = r.T @ x / total
        return r.mean(0), mean, jnp.einsum("nk,nkd->kd", r, (x[:, None] - mean) ** 2) / total + 1e-3
    return lax.fori_loop(0, 12, step, (weight, mean, var))


ROWS = [
    "lambda x: ((x - x.mean()) ** 3).mean() / x.std() ** 3 + ((x - x.mean()) ** 4).mean() / x.var() ** 2 @@ n(5003)",
    "lambda x: jnp.quantile(x, jnp.linspace(0, 1, 11), axis=1) @@ n(19, 211)",
    "lambda x: jnp.nanmedian(jnp.where(x > 1, jnp.nan, x), 0) @@ n(101, 23)",
    "lambda x, w: (jnp.sort(x), jnp.cumsum(w[jnp.argsort(x)]) / w.sum()) @@ n(777), abs(n(777))",
    "lambda x: (lambda m: 60 / 61 * ((m - m.mean()) ** 2).sum())((x.sum() - x) / 60) @@ n(61)",
    "lambda x: fft.irfft(abs(fft.rfft(x - x.mean(), 2048)) ** 2)[:100] / x.var() / 1000 @@ n(1000)",
    "lambda k, a: random.dirichlet(k, a, (77,)).cumsum(1) @@ key, jnp.arange(1., 9)",
    "lambda x: jnp.histogramdd(x, 6)[0] @@ n(900, 3)",
    "lambda x, y: jnp.histogram2d(x, y, (13, 17), range=((-3, 3), (-3, 3)))[0] @@ n(2001), n(2001, seed=1)",
    "lambda p: js.stats.beta.logpdf(p, 2.5, 4.5).sum() + js.stats.expon.logpdf(p).sum() @@ nn.sigmoid(n(1501))",
    "grad(lambda x, d: js.stats.t.logpdf(x, d), (0, 1)) @@ n(801), abs(n(801)) + 2",
    "grad(lambda k, t: js.stats.nbinom.logpmf(k, t, .4), 1) @@ i(20, 501), abs(n(501)) + 1",
]
