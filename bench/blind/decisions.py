"""fresh_5.py: Bayesian inference, finance, control and robots, reinforcement learning, searches without gradients, linear algebra."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    # probability
    "lambda x, m, l: -.5 * (js.linalg.solve_triangular(l, (x - m).T, lower=True) ** 2).sum(0) - jnp.log(jnp.diag(l)).sum()"
    " @@ n(1501, 17), n(17), linalg.cholesky(definite(0, 17))",
    "lambda x, a, b: js.stats.beta.logpdf(nn.sigmoid(x), a, b).sum(0) @@ n(3001, 3), abs(n(3)) + 1, abs(n(3)) + 2",
    "lambda x: js.stats.gamma.logpdf(x[:, None], jnp.linspace(.5, 5, 21)).sum(0) @@ abs(n(777)) + .01",
    "grad(lambda a, x: js.stats.dirichlet.logpdf(x.T, a), (0,)) @@ abs(n(6)) + .5, nn.softmax(n(301, 6))",
    "lambda x, y: js.stats.norm.cdf((x[:, None] - y) / .3).mean(1) @@ n(801), n(603)",
    "grad(lambda m, s, x: nn.logsumexp(js.stats.norm.logpdf(x[:, None], m, nn.softplus(s)), 1), (0, 1)) @@ n(7), n(7), n(2003)",
    "lambda k, p: random.categorical(k, p, shape=(40, 300)).sum(0) @@ key, n(300, 17)",
    "lambda k, a: random.gamma(k, a, (30, 50)).mean(0) @@ key, abs(n(50)) + .5",
    "lambda k, c: random.multivariate_normal(k, jnp.zeros(9), c, (2001,)).std(0) @@ key, definite(0, 9)",
    "lambda x, y: jnp.exp(-.5 * ((x[:, None] - y) ** 2 / .49).sum(-1)) + 1e-4 * jnp.eye(300) @@ n(300, 4), n(300, 4)",
    "f64: lambda k, y: js.linalg.cho_solve(js.linalg.cho_factor(k), y) @@ definite(0, 131).astype('float64'), n(131, 3, dtype='float64')",
    "lambda k: linalg.slogdet(k)[1] @@ definite(41, 13)",
    "lambda w: 1 / (nn.softmax(w, 0) ** 2).sum(0) @@ n(1000, 45)",
    "lambda x: (x[:, 1:] * x[:, :-1]).mean(1) / x.var(1) @@ n(64, 1001)",
    # money
    "lambda s, k, t: (lambda d: s * js.stats.norm.cdf(d) - k * jnp.exp(-.03 * t) * js.stats.norm.cdf(d - .2 * jnp.sqrt(t)))"
    "((jnp.log(s / k) + .05 * t) / (.2 * jnp.sqrt(t))) @@ abs(n(9001)) + .5, abs(n(9001, seed=1)) + .5, abs(n(9001, seed=2)) + .1",
    "lambda p: jnp.diff(jnp.log(p), axis=0).std(0) * 252 ** .5 @@ abs(n(1260, 500)) + 1",
    "lambda p: (p / lax.cummax(p) - 1).min(0) @@ abs(n(2520, 30)) + 1",
    "lambda r, w: jnp.sqrt(jnp.einsum('bi,ij,bj->b', w, jnp.cov(r.T), w)) @@ n(500, 60), nn.softmax(n(201, 60))",
    "lambda k: jnp.exp(jnp.cumsum(-.02 * .01 + .2 * .1 * random.normal(k, (100, 5000)), 0)).mean(1) @@ key",
    "lambda c, t: (lambda d: (c * d).sum(1))(jnp.exp(-.04 * t)) @@ n(301, 60), jnp.arange(60.) / 2",
    # control and agents
    "lambda a, b, x, u: lax.scan(lambda x, u: (lambda y: (y, y))(a @ x + b @ u), x, u)[1] @@ n(12, 12, scale=.2), n(12, 3), n(12), n(200, 3)",
    "lambda r, d: lax.scan(lambda g, t: ((lambda h: (h, h))(t[0] + .99 * (1 - t[1]) * g)), jnp.zeros(16), (r, d), reverse=True)[1] @@ n(128, 16), i(2, 128, 16)",
    "lambda q, a, r: .5 * ((r + .97 * q[1].max(1) - jnp.take_along_axis(q[0], a[:, None], 1)[:, 0]) ** 2).mean() @@ n(2, 513, 18), i(18, 513), n(513)",
    "grad(lambda z, a, w: (w * nn.log_softmax(z)[jnp.arange(300), a]) - .01 * (nn.softmax(z) * nn.log_softmax(z)).sum(1), (0,)) @@ n(300, 7), i(7, 300), n(300)",
    "lambda p, q: .995 * p + .005 * q @@ n(7, 400, 300), n(7, 400, 300)",
    "lambda t: jnp.stack([jnp.cumsum(jnp.cos(jnp.cumsum(t, 1)), 1), jnp.cumsum(jnp.sin(jnp.cumsum(t, 1)), 1)], -1) @@ n(500, 7)",
    "jax.jacfwd(lambda t: jnp.stack([jnp.cos(jnp.cumsum(t)).sum(), jnp.sin(jnp.cumsum(t)).sum(), t.sum()])) @@ n(7)",
    # matrices
    "lambda a: linalg.svd(a, compute_uv=False) @@ n(9, 40, 23)",
    "lambda a: linalg.qr(a)[1] @@ n(25, 30, 14)",
    "lambda a, x: lax.scan(lambda x, _: ((lambda y: y / linalg.norm(y))(a @ x), None), x, None, length=60)[0] @@ definite(0, 201), n(201)",
    "lambda a, b: jnp.kron(a, b) @ jnp.ones(33 * 14) @@ n(33, 33), n(14, 14)",
    "lambda a: linalg.matrix_power(a, 11) @@ n(50, 6, 6, scale=.4)",
    "lambda a, b: jnp.trace(a @ b, axis1=1, axis2=2) - jnp.einsum('bij,bji->b', b, a) @@ n(77, 19, 19), n(77, 19, 19, seed=1)",
]


# ---- Bayesian inference ----------------------------------------------------------------------------------------------------

@row("key, n(30, 8), n(200, 8), i(2, 200)")
@row("key, n(4, 8), n(200, 8), i(2, 200)")
def chains_of_logistic_posterior(key, q, x, y):
    """Leapfrog of eight steps, all chains at once, step size from acceptance."""
    logp = lambda q: (y * (x @ q) - nn.softplus(x @ q)).sum() - 0.5 * q @ q
    value_and_force = jax.vmap(jax.value_and_grad(logp))
    def draw(s, key):
        q, eps = s
        k1, k2 = random.split(key)
        p = random.normal(k1, q.shape)
        v0, g = value_and_force(q)
        def leap(_, s):
            q, p, g, _ = s
            p = p + 0.5 * eps * g
            q = q + eps * p
            v, g = value_and_force(q)
            return q, p + 0.5 * eps * g, g, v
        q1, p1, _, v1 = lax.fori_loop(0, 8, leap, (q, p, g, v0))
        a = jnp.exp(jnp.minimum(0, v1 - v0 - 0.5 * ((p1 * p1).sum(1) - (p * p).sum(1))))
        ok = random.uniform(k2, a.shape) < a
        return (jnp.where(ok[:, None], q1, q), eps * jnp.exp(0.1 * (a.mean() - 0.8))), a.mean()
    return lax.scan(draw, (q, 0.02), random.split(key, 15))


@row("key, n(500), n(60)")
@row("key, n(50), n(365)")
def volatility_seen_by_resampled_cloud(key, h, y):
    def step(s, t):
        h, logw = s
        y, key = t
        a, b = random.split(key)
        w = nn.softmax(logw)
        few = 1 / (w * w).sum() < h.size / 2
        u = (random.uniform(a) + jnp.arange(h.size)) / h.size
        pick = jnp.clip(jnp.searchsorted(jnp.cumsum(w), u), 0, h.size - 1)
        h, logw = lax.cond(few, lambda: (h[pick], jnp.zeros_like(h)), lambda: (h, logw))
        h = -0.1 + 0.95 * (h + 0.1) + 0.3 * random.normal(b, h.shape)
        new = logw - 0.5 * (h + y * y * jnp.exp(-h))
        return (h, new), (nn.logsumexp(new) - nn.logsumexp(logw), few)
    return lax.scan(step, (h, jnp.zeros_like(h)), (y, random.split(key, y.size)))[1]


@row("key, n(120, 3), n(120), n(6), n(50, 3)", "jax.value_and_grad(lambda *a: {0}(*a)[0], 3)")
@row("key, n(120, 3), n(120), n(6), n(50, 3)")
def process_with_half_integer_kernel_and_draws(key, x, y, theta, new):
    scale = jnp.exp(0.3 * theta)
    def k(a, b):
        r = jnp.sqrt((((a[:, None] - b) / scale[:3]) ** 2).sum(-1) + 1e-8) * 5**0.5
        return scale[3] * (1 + r + r * r / 3) * jnp.exp(-r)
    l = jnp.linalg.cholesky(k(x, x) + (0.1 + scale[4]) * jnp.eye(120))
    alpha = jax.scipy.linalg.cho_solve((l, True), y - theta[5])
    evidence = -0.5 * (y - theta[5]) @ alpha - jnp.log(jnp.diag(l)).sum()
    v = jax.scipy.linalg.solve_triangular(l, k(x, new), lower=True)
    c = jnp.linalg.cholesky(k(new, new) - v.T @ v + 1e-2 * jnp.eye(50))
    return evidence, theta[5] + k(new, x) @ alpha + random.normal(key, (9, 50)) @ c.T


@row("key, (n(10), n(10, scale=.1)), n(400, 10), n(400)")
def surrogate_fitted_by_adam_on_the_bound(key, q, x, y):
    def bound(q, key):
        eps = random.normal(key, (8, 10))
        w = q[0] + jnp.exp(q[1]) * eps
        residual = y - w @ x.T
        like = -2.5 * jnp.log1p(residual**2 / 4).sum(1)
        return -(like - 0.5 * (w * w).sum(1)).mean() - q[1].sum()
    def step(s, t):
        q, m, v = s
        k, key = t
        value, g = jax.value_and_grad(bound)(q, key)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
        fix = jnp.sqrt(1 - 0.999 ** (k + 1.0)) / (1 - 0.9 ** (k + 1.0))
        return (jax.tree.map(lambda q, m, v: q - 0.05 * fix * m / (jnp.sqrt(v) + 1e-8), q, m, v), m, v), value
    zero = jax.tree.map(jnp.zeros_like, q)
    return lax.scan(step, (q, zero, zero), (jnp.arange(25), random.split(key, 25)))


@row("key, n(200, 2)")
@row("key, n(33, 5)")
def samples_moved_between_two_wells(key, x):
    """Unadjusted Langevin steps with a decreasing schedule, a histogram of the first coordinate."""
    logp = lambda x: nn.logsumexp(jnp.stack([-2 * ((x - 1) ** 2).sum(), -2 * ((x + 1) ** 2).sum()]))
    def step(x, t):
        eps, key = t
        return x + eps * jax.vmap(jax.grad(logp))(x) + jnp.sqrt(2 * eps) * random.normal(key, x.shape), None
    x, _ = lax.scan(step, x, (0.1 / (1 + jnp.arange(50.0)), random.split(key, 50)))
    return x, jnp.histogram(x[:, 0], 20, (-3, 3), density=True)[0]


@row("key, i(40, 300, 2), n(40)")
def strengths_from_matches_by_gibbs(key, match, theta):
    """Bradley and Terry's model with latent exponentials."""
    wins = jnp.bincount(match[:, 0], length=40)
    def sweep(s, key):
        a, b = random.split(key)
        z = random.exponential(a, (300,)) / (s[match[:, 0]] + s[match[:, 1]])
        rate = 1.0 + jnp.zeros(40).at[match[:, 0]].add(z).at[match[:, 1]].add(z)
        new = random.gamma(b, 2.0 + wins) / rate
        return new, jnp.log(new)
    return lax.scan(sweep, jnp.exp(theta), random.split(key, 20))[1].mean(0)


@row("n(80, 5), n(80), n(2, 5)")
def two_priors_compared_by_annealed_path(x, y, w):
    """Power posteriors of a linear model in closed form; the evidence by quadrature over the temperatures."""
    t = jnp.linspace(0, 1, 21) ** 4
    def expected(t):
        p = t * x.T @ x + jnp.diag(jnp.exp(w[0]))
        c = jnp.linalg.inv(p)
        m = c @ (t * x.T @ y)
        r = y - x @ m
        return -0.5 * (r @ r + jnp.trace(x @ c @ x.T))
    return jnp.trapezoid(jax.vmap(expected)(t), t)


@row("n(5, 300)")
def diagnostics_by_ranks_and_by_autocovariance(x):
    z = jax.scipy.stats.norm.ppf((jax.scipy.stats.rankdata(x.ravel()) - 0.375) / (1500 + 0.25)).reshape(5, 300)
    z = jnp.concatenate([z[:, :150], z[:, 150:]])
    w, b = z.var(1, ddof=1).mean(), 150 * z.mean(1).var(ddof=1)
    f = jnp.fft.rfft(z - z.mean(1, keepdims=True), 300)
    rho = 1 - (w - jnp.fft.irfft(f * f.conj()).real[:, :150].mean(0) / 150) / (w + b / 150)
    pairs = rho.reshape(-1, 2).sum(1)
    return jnp.sqrt((149 / 150 * w + b / 150) / w), 1500 / (2 * lax.cummin(jnp.where(pairs > 0, pairs, 0)).sum() - 1 + 1e-2)


# ---- money -----------------------------------------------------------------------------------------------------------------

@row("key, n(5)")
@row("key, n(5)", "lambda k, p: jax.grad(lambda p: {0}(k, p))(p)")
def autocallable_note_with_memory(key, p):
    s = jnp.exp(0.1 * p[0]) * jnp.exp(jnp.cumsum((0.2 + 0.05 * nn.tanh(p[1])) * 0.5 * random.normal(key, (4000, 6)) - 0.02, 1))
    called = nn.sigmoid((s - 1) * 40)
    alive = jnp.cumprod(jnp.concatenate([jnp.ones((4000, 1)), 1 - called], 1), 1)
    coupon = 1 + (0.08 + 0.01 * nn.tanh(p[2])) * jnp.arange(1, 7)
    early = (alive[:, :-1] * called * coupon * jnp.exp(-0.015 * jnp.arange(1, 7))).sum(1)
    return (early + alive[:, -1] * jnp.where(s[:, -1] < 0.7, s[:, -1], 1) * jnp.exp(-0.09)).mean()


@row("n(3), n(11, 9), jnp.linspace(.7, 1.3, 9)", "jax.value_and_grad({0})")
@row("n(3), n(11, 9), jnp.linspace(.7, 1.3, 9)")
def total_variance_of_slices_without_arbitrage(p, market, k):
    k = jnp.log(k)
    t = jnp.linspace(0.1, 2, 11)[:, None]
    theta, rho, eta = 0.04 * t, nn.tanh(p[0]), nn.softplus(p[1])
    phi = eta / (theta**0.5 * (1 + theta) ** 0.5)
    w = theta / 2 * (1 + rho * phi * k + jnp.sqrt((phi * k + rho) ** 2 + 1 - rho**2))
    slope = jnp.gradient(w, axis=1) / jnp.gradient(k)
    g = (1 - k * slope / (2 * w)) ** 2 - slope**2 / 4 * (1 / w + 0.25)
    return ((w - 0.04 * t * (1 + 0.1 * market)) ** 2).sum() + 1e2 * (nn.relu(-g).sum() + nn.relu(-jnp.diff(w, axis=0)).sum())


@row("n(750, 40), abs(n(40))")
def weights_by_hierarchical_bisection(r, size):
    """Leaves ordered by the second eigenvector, then the budget split by cluster variances, level by level."""
    c = jnp.cov(r.T) + 0.01 * jnp.diag(size)
    order = jnp.argsort(jnp.linalg.eigh(jnp.corrcoef(r.T))[1][:, -2])
    c = c[order][:, order]
    w = jnp.ones(40)
    spans = [(0, 40)]
    while spans:
        lo, hi = spans.pop()
        mid = (lo + hi) // 2
        def risk(a, b):
            v = 1 / jnp.diag(c)[a:b]
            return (v / v.sum()) @ c[a:b, a:b] @ (v / v.sum())
        left = 1 - risk(lo, mid) / (risk(lo, mid) + risk(mid, hi))
        w = w.at[lo:mid].multiply(left).at[mid:hi].multiply(1 - left)
        spans += [s for s in ((lo, mid), (mid, hi)) if s[1] - s[0] > 1]
    return jnp.zeros(40).at[order].set(w)


@row("n(1000), n(2)", "jax.value_and_grad({0}, 1)")
@row("n(20, 400), n(20, 2)", "vmap({0})")
def intensities_of_trades_excited_by_trades(gap, p):
    gap = jnp.abs(gap) + 0.01
    mu, decay = jnp.exp(p[0]), jnp.exp(p[1])
    def step(s, dt):
        after = s * jnp.exp(-decay * dt)
        lam = mu + 0.5 * after
        return after + 1, jnp.log(lam) - mu * dt - 0.5 / decay * (s - after)
    return lax.scan(step, 1.0, gap)[1].sum()


@row("n(300)")
def grid_of_crossing_averages_tested(walk):
    price = jnp.exp(jnp.cumsum(0.01 * jnp.concatenate([walk, -walk, walk * 0.5])))
    total = jnp.pad(jnp.cumsum(price), (1, 0))
    mean = lambda n: jnp.where(jnp.arange(900) >= n, (total[1:] - total[jnp.maximum(jnp.arange(900) + 1 - n, 0)]) / n, price)
    def run(fast, slow):
        hold = jnp.sign(mean(fast) - mean(slow))[:-1]
        gain = hold * jnp.diff(jnp.log(price)) - 1e-4 * jnp.abs(jnp.diff(hold, prepend=0))
        return gain.mean() / (gain.std() + 1e-6) * 252**0.5
    return jax.vmap(jax.vmap(run, (None, 0)), (0, None))(jnp.arange(2, 14), jnp.arange(20, 120, 10))


# ---- control ---------------------------------------------------------------------------------------------------------------

@row("n(4), n(30, 1)")
@row("n(12, 4), n(12, 30, 1)", "vmap({0})")
def cart_swung_up_by_iterated_quadratics(x, u):
    def f(x, u):
        s, c = jnp.sin(x[1]), jnp.cos(x[1])
        a = (u[0] + 0.1 * s * (x[3] ** 2 * 0.5 + 9.8 * c)) / (1 + 0.1 * s * s)
        b = -(u[0] * c + 0.05 * x[3] ** 2 * s * c + 1.1 * 9.8 * s) / (0.5 * (1 + 0.1 * s * s))
        return x + 0.05 * jnp.stack([x[2], x[3], a, b])
    def sweep(u, _):
        _, xs = lax.scan(lambda x, u: (f(x, u), x), x, u)
        a, b = jax.vmap(jax.jacfwd(f, (0, 1)))(xs, u)
        def back(s, t):
            p, v = s
            a, b, x, u = t
            h = 0.1 * jnp.eye(1) + b.T @ p @ b
            k, d = jnp.linalg.solve(h, b.T @ p @ a), jnp.linalg.solve(h, 0.1 * u + b.T @ v)
            return (0.1 * jnp.eye(4) + a.T @ p @ (a - b @ k), 0.1 * x + a.T @ v - k.T @ (0.1 * u + b.T @ v)), (k, d)
        _, (k, d) = lax.scan(back, (jnp.eye(4), xs[-1]), (a, b, xs, u), reverse=True)
        def forward(y, t):
            x, u, k, d = t
            new = jnp.clip(u - 0.3 * d - k @ (y - x), -5, 5)
            return f(y, new), new
        return lax.scan(forward, x, (xs, u, k, d))[1], (xs * xs).sum()
    return lax.scan(sweep, 0.1 * u, length=4)


@row("key, n(6), n(20, 2)")
@row("key, n(6), n(100, 2)")
def car_steered_by_weighted_rollouts(key, x, plan):
    """Five hundred perturbed plans for a bicycle model past three discs."""
    def f(x, u):
        v = x[3] + 0.1 * u[0]
        return jnp.stack([x[0] + 0.1 * v * jnp.cos(x[2]), x[1] + 0.1 * v * jnp.sin(x[2]), x[2] + 0.1 * v * jnp.tan(0.5 * jnp.tanh(u[1])), v, x[0], x[1]])
    disc = jnp.array([[1.0, 0.5], [2, -0.5], [3, 0.2]])
    noise = 0.5 * random.normal(key, (500, *plan.shape))
    def roll(u):
        _, xs = lax.scan(lambda x, u: (f(x, u),) * 2, 0.1 * x, u)
        hit = (((xs[:, None, :2] - disc) ** 2).sum(-1) < 0.16).sum()
        return ((xs[:, :2] - jnp.array([4.0, 0])) ** 2).sum() + 10 * hit + 0.1 * (u * u).sum()
    w = nn.softmax(-jax.vmap(roll)(plan + noise) / 5)
    return plan + jnp.einsum("k,ktu->tu", w, noise), roll(plan)


@row("n(300, 2), n(300, 2), n(3)")
@row("n(40, 2), n(40, 2), n(3)", "grad({0}, (0, 2))")
def pose_and_landmarks_kept_in_one_covariance(odometry, seen, x):
    def step(s, t):
        m, p = s
        u, z = t
        c, d = jnp.cos(m[2]), jnp.sin(m[2])
        f = jnp.eye(7).at[0, 2].set(-0.1 * d * u[0]).at[1, 2].set(0.1 * c * u[0])
        m = m.at[:3].add(0.1 * jnp.stack([c * u[0], d * u[0], u[1]]))
        p = f @ p @ f.T + 1e-2 * jnp.diag(jnp.array([1.0, 1, 1, 0, 0, 0, 0]))
        def measure(m):
            e = m[3:].reshape(2, 2) - m[:2]
            return jnp.sqrt((e * e).sum(1) + 1e-2)
        h = jax.jacfwd(measure)(m)
        k = jnp.linalg.solve(h @ p @ h.T + 0.1 * jnp.eye(2), h @ p).T
        return (m + k @ (jnp.abs(z) - measure(m)), p - k @ h @ p), m[:3]
    start = jnp.concatenate([0.1 * x, jnp.array([1.0, 0, 0, 1])])
    return lax.scan(step, (start, jnp.eye(7)), (odometry, seen))[1]


@row("n(25, 12, 12), n(25, 12)")
@row("n(3, 50, 50), n(3, 50)")
def boxed_quadratics_by_operator_splitting(a, c):
    n = c.shape[1]
    p = a @ a.swapaxes(1, 2) / n + 0.1 * jnp.eye(n)
    inverse = jnp.linalg.inv(p + jnp.eye(n))
    def step(s, _):
        z, y = s
        x = jnp.einsum("bij,bj->bi", inverse, z - y - c)
        z = jnp.clip(1.6 * x - 0.6 * z + y, -0.5, 0.5)
        return (z, y + 1.6 * x + (1 - 1.6) * z - z), jnp.abs(x - z).max()
    return lax.scan(step, (jnp.zeros_like(c), jnp.zeros_like(c)), length=30)


# ---- agents ----------------------------------------------------------------------------------------------------------------

@row("key, n(256, 3), n(3, 64, scale=.3), n(64, 5, scale=.2)")
@row("key, n(8, 3), n(3, 64, scale=.3), n(64, 5, scale=.2)")
def pendulums_driven_by_discrete_policy(key, s, w1, w2):
    def step(s, key):
        k1, k2 = random.split(key)
        angle = jnp.arctan2(s[:, 1], s[:, 0])
        a = random.categorical(k1, nn.relu(s @ w1) @ w2)
        v = jnp.clip(s[:, 2] + 0.15 * jnp.sin(angle) * 5 + 0.15 * (a - 2), -8, 8)
        cost = angle**2 + 0.1 * v**2 + 0.001 * (a - 2) ** 2
        angle = angle + 0.05 * v
        end = random.bernoulli(k2, 0.02, v.shape)
        s = jnp.stack([jnp.cos(angle), jnp.sin(angle), jnp.where(end, 0, v)], 1)
        return s, (-cost, a, end)
    return lax.scan(step, s, random.split(key, 50))


@row("(n(24, 128, scale=.2), n(128, 51 * 4, scale=.1)), n(32, 24), i(4, 32), n(32), n(32, 24, seed=1)", "lambda p, *a: jax.value_and_grad({0})(p, p, *a)")
def returns_as_quantiles_with_double_choice(p, old, s, a, r, s1):
    q = lambda p, s: (nn.relu(s @ p[0]) @ p[1]).reshape(-1, 4, 51)
    best = q(p, s1).mean(-1).argmax(-1)
    goal = lax.stop_gradient(r[:, None] + 0.99 * jnp.take_along_axis(q(old, s1), best[:, None, None], 1)[:, 0])
    now = jnp.take_along_axis(q(p, s), a[:, None, None], 1)[:, 0]
    d = goal[:, None] - now[..., None]
    tau = (jnp.arange(51) + 0.5) / 51
    huber = jnp.where(jnp.abs(d) < 1, 0.5 * d * d, jnp.abs(d) - 0.5)
    return (jnp.abs(tau[:, None] - (d < 0)) * huber).sum(1).mean()


@row("n(128, 32), n(129, 32), i(2, 128, 32), n(128, 32, seed=3), n(128, 32, seed=4)")
@row("n(20, 7), n(21, 7), i(2, 20, 7), n(20, 7, seed=3), n(20, 7, seed=4)")
def normalized_advantages_and_clipped_losses(r, v, done, new, old):
    def back(a, t):
        r, v, v1, d = t
        a = r + 0.99 * v1 * (1 - d) - v + 0.99 * 0.95 * (1 - d) * a
        return a, a
    _, a = lax.scan(back, jnp.zeros(r.shape[1]), (r, v[:-1], v[1:], done), reverse=True)
    n = (a - a.mean()) / (a.std() + 1e-8)
    ratio = jnp.exp(0.1 * (new - old))
    return jnp.minimum(ratio * n, jnp.clip(ratio, 0.8, 1.2) * n).mean(), a + v[:-1], (jnp.abs(ratio - 1) > 0.2).mean()


@row("key, n(6, 7, 4), n(4)")
def bandits_with_linear_posterior_draws(key, x, w):
    """Seven arms with contexts; the inverse is kept by rank-one updates."""
    def step(s, t):
        inv, b = s
        k, key = t
        k1, k2 = random.split(key)
        arms = x[k % 6]
        draw = inv @ b + jnp.linalg.cholesky(inv + 1e-5 * jnp.eye(4)) @ random.normal(k1, (4,))
        j = (arms @ draw).argmax()
        a = arms[j]
        reward = a @ w + 0.1 * random.normal(k2)
        v = inv @ a
        return (inv - jnp.outer(v, v) / (1 + a @ v), b + reward * a), (arms @ w).max() - a @ w
    return lax.scan(step, (jnp.eye(4), jnp.zeros(4)), (jnp.arange(80), random.split(key, 80)))


@row("n(12, 4, 12), n(12, 4)")
@row("n(150, 5, 150), n(150, 5)")
def soft_values_and_occupancies_of_known_world(p, r):
    p = nn.softmax(3 * p)
    backup = lambda v: 0.2 * nn.logsumexp((r + 0.95 * p @ v) / 0.2, 1)
    v = lax.while_loop(lambda s: (jnp.abs(s[0] - s[1]).max() > 1e-2) & (s[2] < 200), lambda s: (backup(s[0]), s[0], s[2] + 1),
                       (backup(0 * r[:, 0]), 0 * r[:, 0], 0))[0]
    pi = nn.softmax((r + 0.95 * p @ v) / 0.2)
    move = jnp.einsum("sa,sat->st", pi, p)
    return v, jnp.linalg.solve(jnp.eye(len(r)) - 0.95 * move.T, jnp.ones(len(r)) / len(r))


# ---- searches --------------------------------------------------------------------------------------------------------------

@row("key, n(40, 12)")
@row("key, n(300, 12)")
def population_bred_by_tournament_and_blend(key, x):
    cost = lambda x: 10 * ((x[:, 1:] - x[:, :-1] ** 2) ** 2).sum(1) + ((1 - x) ** 2).sum(1)
    def generation(x, key):
        k = random.split(key, 4)
        n = x.shape[0]
        f = cost(x)
        rival = random.randint(k[0], (2, n, 3), 0, n)
        parent = jnp.take_along_axis(rival, f[rival].argmin(-1)[..., None], -1)[..., 0]
        a, b = x[parent[0]], x[parent[1]]
        child = a + random.uniform(k[1], x.shape, minval=-0.25, maxval=1.25) * (b - a)
        child = child + (random.uniform(k[2], x.shape) < 0.1) * 0.1 * random.normal(k[3], x.shape)
        return child.at[0].set(x[f.argmin()]), f.min()
    return lax.scan(generation, x, random.split(key, 30))


@row("key, n(9), n(500, 9)")
def step_size_path_of_small_strategy(key, m, data):
    """Weights by rank, cumulative path for the step, diagonal covariance."""
    f = lambda w: (jnp.abs(data @ w.T) ** 1.5).mean(0)
    weight = jnp.log(5.5) - jnp.log(jnp.arange(1.0, 6))
    weight = weight / weight.sum()
    def step(s, key):
        m, sigma, path, d = s
        z = random.normal(key, (10, 9))
        order = jnp.argsort(f(m + sigma * jnp.sqrt(d) * z))[:5]
        y = weight @ z[order]
        path = 0.7 * path + 0.9 * y
        d = 0.8 * d + 0.2 * d * (weight @ z[order] ** 2)
        return (m + sigma * jnp.sqrt(d) * y, sigma * jnp.exp(0.3 * (jnp.linalg.norm(path) / 3 - 1)), path, d), sigma
    return lax.scan(step, (m, 0.5, jnp.zeros(9), jnp.ones(9)), random.split(key, 40))


@row("key, n(25, 2), n(25), n(400, 2)")
def next_point_by_expected_improvement(key, x, y, grid):
    def posterior(length):
        k = lambda a, b: jnp.exp(-((a[:, None] - b) ** 2).sum(-1) / (2 * length**2))
        l = jnp.linalg.cholesky(k(x, x) + 1e-2 * jnp.eye(25))
        v = jax.scipy.linalg.solve_triangular(l, jnp.column_stack([k(x, grid), y]), lower=True)
        mean, std = v[:, :-1].T @ v[:, -1], jnp.sqrt(jnp.maximum(1 - (v[:, :-1] ** 2).sum(0), 1e-4))
        return mean, std, -0.5 * v[:, -1] @ v[:, -1] - jnp.log(jnp.diag(l)).sum()
    mean, std, e = jax.vmap(posterior)(jnp.linspace(0.2, 2, 7))
    w = nn.softmax(e)
    z = (y.min() - mean) / std
    gain = w @ (std * (z * jax.scipy.stats.norm.cdf(z) + jax.scipy.stats.norm.pdf(z)))
    return grid[gain.argmax()], gain, random.choice(key, 400, (5,), p=gain / gain.sum())
