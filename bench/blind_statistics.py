"""blind_statistics.py: rows of the long tail written before any of them was measured (snippets.py): samplers, state-space
models, Gaussian processes, variational bounds, resampling, survival, bandits, tables of counts."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random
from jax.scipy import special, stats
from jax.scipy.linalg import cho_solve, solve_triangular

from snippets import row


# ---- samplers --------------------------------------------------------------------------------------------------------

def hierarchy(z, y):
    """Eight schools, not centred: log density of (mu, log tau, eight effects)."""
    theta = z[0] + jnp.exp(z[1]) * z[2:]
    return (stats.norm.logpdf(y, theta, 1.5).sum() + stats.norm.logpdf(z[2:]).sum()
            + stats.norm.logpdf(z[0], 0, 5) + stats.norm.logpdf(z[1], 0, 1))


@row("key, n(10), n(8)")
@row("random.split(key, 16), n(16, 10), n(8)", "vmap({0}, (0, 0, None))")
def hmc_eight_schools(k, z, y):
    """Fifteen transitions of ten leapfrog steps."""
    value = jax.value_and_grad(hierarchy)
    def transition(s, k):
        z, l, g = s
        a, b = random.split(k)
        p = random.normal(a, z.shape)
        def leap(_, s):
            z, p, l, g = s
            p = p + 0.05 * g
            z = z + 0.1 * p
            l, g = value(z, y)
            return z, p + 0.05 * g, l, g
        new, q, m, h = lax.fori_loop(0, 10, leap, (z, p, l, g))
        ok = jnp.log(random.uniform(b)) < m - l - 0.5 * (q @ q - p @ p)
        s = jax.tree.map(lambda u, v: jnp.where(ok, u, v), (new, m, h), (z, l, g))
        return s, (s[0], ok)
    return lax.scan(transition, (z, *value(z, y)), random.split(k, 15))[1]


@row("key, n(3)")
def iterative_tree_of_nuts(k, z):
    """One trajectory of at most 2^5 leapfrogs that stops at a U-turn, with momenta kept at the levels of the tree."""
    energy = lambda z: 0.5 * (z[0] ** 2 + 4 * z[1] ** 2) + 0.1 * z[2] ** 4
    force = jax.grad(lambda z: -energy(z))
    def body(s):
        step, z, p, levels, places, weight, pick, k, _ = s
        p = p + 0.1 * force(z)
        z = z + 0.2 * p
        p = p + 0.1 * force(z)
        level = lax.population_count(step)
        even = step % 2 == 0
        levels = jnp.where(even, levels.at[level].set(p), levels)
        places = jnp.where(even, places.at[level].set(z), places)
        d = z - places
        turned = ((d @ p < 0) | ((d * levels).sum(1) < 0)) & (jnp.arange(6) < level) & ~even
        k, u = random.split(k)
        w = jnp.exp(-energy(z) - 0.5 * p @ p)
        pick = jnp.where(random.uniform(u) < w / (weight + w), z, pick)
        return step + 1, z, p, levels, places, weight + w, pick, k, turned.any()
    a, b = random.split(k)
    start = (0, z, random.normal(a, (3,)), jnp.zeros((6, 3)), jnp.zeros((6, 3)), jnp.float32(0), z, b, False)
    out = lax.while_loop(lambda s: (s[0] < 32) & ~s[-1], body, start)
    return out[0], out[6]


@row("key, n(3, 60), i(3, 60)")
def gibbs_mixture(k, x, z):
    """Ten sweeps over assignments, means and weights of a mixture of five normals in three dimensions."""
    def sweep(s, k):
        z, _ = s
        a, b, c = random.split(k, 3)
        one = nn.one_hot(z, 5)
        count = one.sum(0)
        mean = (x @ one) / (count + 0.1) + random.normal(a, (3, 5)) / jnp.sqrt(count + 0.1)
        w = jnp.log(random.dirichlet(b, count + 1))
        l = w - 0.5 * ((x[:, :, None] - mean[:, None]) ** 2).sum(0)
        return (random.categorical(c, l), mean), count
    return lax.scan(sweep, (z, jnp.zeros((3, 5))), random.split(k, 10))


@row("key, n(30)")
def smc_stochastic_volatility(k, y):
    """300 particles, systematic resampling when the effective size is small."""
    def step(s, z):
        h, w = s
        y, k = z
        a, b = random.split(k)
        h = 0.95 * h + 0.3 * random.normal(a, h.shape)
        w = w + stats.norm.logpdf(y, 0, jnp.exp(h / 2))
        p = nn.softmax(w)
        small = 1 / (p * p).sum() < 150
        at = jnp.searchsorted(jnp.cumsum(p), (jnp.arange(300) + random.uniform(b)) / 300).clip(0, 299)
        h, w = lax.cond(small, lambda: (h[at], jnp.zeros(300)), lambda: (h, w))
        return (h, w), ((p * h).sum(), nn.logsumexp(w) - jnp.log(300.0), small)
    return lax.scan(step, (random.normal(k, (300,)), jnp.zeros(300)), (y, random.split(k, len(y))))[1]


@row("key, n(64, 4)")
def nested_sampling(k, live):
    """Sixty deaths of live points; each is replaced by a walk of eight steps inside the contour."""
    like = lambda x: -0.5 * ((x / jnp.array([1, 0.5, 2, 1])) ** 2).sum(-1)
    def death(s, k):
        live, l = s
        worst = l.argmin()
        a, b = random.split(k)
        start = live[random.randint(a, (), 0, 64)]
        def walk(x, k):
            y = x + 0.3 * random.normal(k, (4,))
            return jnp.where((like(y) > l[worst]) & (abs(y) < 3).all(), y, x), None
        x = lax.scan(walk, start, random.split(b, 8))[0]
        return (live.at[worst].set(x), l.at[worst].set(like(x))), l[worst]
    (live, l), dead = lax.scan(death, (live, like(live)), random.split(k, 60))
    return nn.logsumexp(dead - jnp.arange(60) / 64), live.mean(0)


@row("key, n(200, 8), n(200) > 0")
def albert_chib_probit(k, x, y):
    """Gibbs sampling of a probit regression with truncated normals."""
    root = jnp.linalg.cholesky(jnp.linalg.inv(x.T @ x + 0.1 * jnp.eye(8)))
    def sweep(b, k):
        u, v = random.split(k)
        m = x @ b
        t = random.truncated_normal(u, jnp.where(y, -m, -8.0), jnp.where(y, 8.0, -m))
        return root @ (root.T @ (x.T @ (m + t)) + random.normal(v, (8,))), m.mean()
    return lax.scan(sweep, jnp.zeros(8), random.split(k, 12))


@row("key, n(50, 2), n(50, 2, seed=1)")
def differential_evolution_chains(k, x, y):
    """Five sweeps of chains that move along differences of two other chains."""
    density = lambda x: -((1 - x[:, 0]) ** 2) - 5 * (x[:, 1] - x[:, 0] ** 2) ** 2
    def sweep(x, k):
        a, b, c = random.split(k, 3)
        r = random.permutation(a, 50)
        new = x + 0.8 * (x[r] - x[jnp.roll(r, 1)]) + 1e-3 * random.normal(b, x.shape) + 0 * y
        ok = jnp.log(random.uniform(c, (50,))) < density(new) - density(x)
        return jnp.where(ok[:, None], new, x), ok.mean()
    return lax.scan(sweep, x + y, random.split(k, 5))


# ---- processes and filters -------------------------------------------------------------------------------------------

@row("n(80, 3), n(80), n(5)")
@row("n(80, 3), n(80), n(5)", "grad({0}, 2)")
@row("n(40, 3), n(40), n(5)", "lambda x, y, p: jax.hessian({0}, 2)(x, y, p)")
def evidence_of_ard(x, y, p):
    """Squared exponential kernel with a length for each dimension."""
    z = x * jnp.exp(p[:3])
    s = (z * z).sum(1)
    k = jnp.exp(p[3] - 0.5 * (s[:, None] + s - 2 * z @ z.T)) + (jnp.exp(p[4]) + 1e-3) * jnp.eye(len(x))
    l = jnp.linalg.cholesky(k)
    a = solve_triangular(l, y, lower=True)
    return -0.5 * a @ a - jnp.log(jnp.diag(l)).sum()


@row("n(60, 2), i(2, 60)")
def laplace_classification(x, y):
    """Gaussian process classifier: six Newton steps for the mode."""
    k = jnp.exp(-0.5 * ((x[:, None] - x) ** 2).sum(-1)) + 1e-4 * jnp.eye(60)
    def step(f, _):
        p = nn.sigmoid(f)
        r = jnp.sqrt(p * (1 - p))
        l = jnp.linalg.cholesky(jnp.eye(60) + r[:, None] * k * r)
        b = r * r * f + y - p
        a = b - r * cho_solve((l, True), r * (k @ b))
        return k @ a, -0.5 * a @ f + nn.log_sigmoid((2 * y - 1) * f).sum() - jnp.log(jnp.diag(l)).sum()
    return lax.scan(step, jnp.zeros(60), length=6)


@row("n(24, 2), n(24), n(500, 2), key")
def posterior_paths(x, y, at, k):
    """Matheron's rule with 128 random features: four paths at 500 points."""
    a, b, c = random.split(k, 3)
    w, phase = random.normal(a, (2, 128)), random.uniform(b, (128,)) * 2 * jnp.pi
    feature = lambda x: jnp.cos(x @ w + phase) / 8
    kernel = lambda x, y: jnp.exp(-0.5 * ((x[:, None] - y) ** 2).sum(-1))
    prior = random.normal(c, (128, 4))
    v = jnp.linalg.solve(kernel(x, x) + 0.01 * jnp.eye(24), y[:, None] - feature(x) @ prior)
    return feature(at) @ prior + kernel(at, x) @ v


@row("n(9, 14), n(9, 9), n(14, 9)")
@row("n(8, 9, 14), n(9, 9), n(14, 9)", "vmap({0}, (0, None, None))")
def discrete_smoother_in_logs(x, transition, emission):
    """Forward and backward messages of a hidden Markov model: posterior of nine states at nine times."""
    t = nn.log_softmax(transition)
    b = x @ emission
    forward = lambda a, o: (nn.logsumexp(a[:, None] + t, axis=0) + o,) * 2
    backward = lambda a, o: (nn.logsumexp(t + a + o, axis=1),) * 2
    f = lax.scan(forward, jnp.zeros(9), b)[1]
    g = lax.scan(backward, jnp.zeros(9), b, reverse=True)[1]
    g = jnp.concatenate([g[1:], jnp.zeros((1, 9))])
    return nn.softmax(f + g)


@row("n(50, 2), n(4)")
@row("n(32, 50, 2), n(32, 4)", "vmap({0})")
@row("n(50, 2), n(4)", "grad(lambda y, p: {0}(y, p)[0].sum(), 1)")
def constant_velocity_filter(y, p):
    """Kalman filter of a target in the plane with Joseph's update: measurements (times, 2)."""
    f = jnp.eye(4) + 0.1 * jnp.eye(4, k=2)
    q, r = 0.01 * jnp.exp(p[0]) * jnp.eye(4), jnp.exp(p[1]) * jnp.eye(2)
    h = jnp.eye(2, 4)
    def step(s, y):
        m, c = s
        m, c = f @ m, f @ c @ f.T + q
        g = jnp.linalg.solve(h @ c @ h.T + r, h @ c).T
        m = m + g @ (y - h @ m)
        j = jnp.eye(4) - g @ h
        c = j @ c @ j.T + g @ r @ g.T
        return (m, c), (m, jnp.diag(c))
    return lax.scan(step, (p, jnp.eye(4)), y)[1]


@row("n(64, 3, 3, scale=.3), n(64, 3), definite(64, 3) / 9, n(64, 3, seed=2), definite(64, 3) / 5")
def parallel_kalman(a, b, c, eta, j):
    """Elements of the associative filter: (A, b, C, eta, J), combined in a prefix scan."""
    def join(x, y):
        a, b, c, e, j = x
        p, q, r, f, k = y
        m = p @ jnp.linalg.inv(jnp.eye(3) + c @ k)
        w = a.mT @ jnp.linalg.inv(jnp.eye(3) + k @ c)
        v = lambda m, u: jnp.einsum("...ij,...j->...i", m, u)
        return m @ a, v(m, b + v(c, f)) + q, m @ c @ p.mT + r, v(w, f - v(k, b)) + e, w @ k @ a + j
    return lax.associative_scan(join, (a, b, c, eta, j))[1:3]


@row("n(40), n(2, 3)")
def switching_filter(y, p):
    """Hamilton's filter of two regimes with an autoregression."""
    t = nn.softmax(p[:, :2])
    def step(s, z):
        y, before = z
        w = (s @ t) * stats.norm.pdf(y, p[:, 2] * before, jnp.array([0.5, 1.5]))
        return w / w.sum(), jnp.log(w.sum())
    s, l = lax.scan(step, jnp.array([0.5, 0.5]), (y[1:], y[:-1]))
    return s, l.sum()


# ---- variational bounds and densities --------------------------------------------------------------------------------

@row("n(20), n(100, 10), i(2, 100), key")
@row("n(20), n(100, 10), i(2, 100), key", "jax.value_and_grad({0})")
def bound_of_logistic_regression(q, x, y, k):
    m, s = q[:10], nn.softplus(q[10:])
    w = m + s * random.normal(k, (16, 10))
    logits = w @ x.T
    like = (y * logits - nn.softplus(logits)).sum(-1).mean()
    return like - (0.5 * (m * m + s * s) - jnp.log(s) - 0.5).sum()


@row("n(70, 6), n(4, 6), n(4, 6, seed=1), n(4)")
@row("n(70, 6), n(4, 6), n(4, 6, seed=1), n(4)", "grad({0}, (1, 2, 3))")
def student_mixture_density(x, loc, scale, w):
    d = (x[:, None] - loc) * jnp.exp(-scale)
    t = special.gammaln(3.0) - special.gammaln(2.5) - 0.5 * jnp.log(5 * jnp.pi) - 3 * jnp.log1p(d * d / 5) - scale
    return nn.logsumexp(nn.log_softmax(w) + t.sum(-1), axis=1)


@row("abs(n(300, 3)) + .1, i(9, 300).astype('float32')")
@row("abs(n(300, 3)) + .1, i(9, 300).astype('float32')", "grad({0})")
def zero_inflated_counts(p, y):
    mean, shape, zero = p.T
    logits = -2 + zero
    nb = (special.gammaln(y + shape) - special.gammaln(shape) - special.gammaln(y + 1)
          + shape * jnp.log(shape / (shape + mean)) + y * jnp.log(mean / (shape + mean)))
    return jnp.where(y == 0, jnp.logaddexp(nn.log_sigmoid(logits), nn.log_sigmoid(-logits) + nb), nn.log_sigmoid(-logits) + nb)


@row("n(15), n(8, 8)")
def lkj_from_unconstrained(z, x):
    """A correlation matrix's Cholesky factor of six variables from fifteen numbers, and its log density."""
    r = jnp.zeros((6, 6)).at[jnp.tril_indices(6, -1)].set(jnp.tanh(z))
    rest = jnp.concatenate([jnp.ones((6, 1)), jnp.cumprod(jnp.sqrt(1 - r * r), axis=1)[:, :-1]], 1)
    l = (r + jnp.eye(6)) * rest
    return l @ x[:6], (jnp.log(jnp.diag(l)) * (6 - jnp.arange(6))).sum()


# ---- resampling, survival, bandits -----------------------------------------------------------------------------------

@row("key, n(150, 4), n(150)")
def bootstrap_regression(k, x, y):
    def fit(k):
        at = random.randint(k, (150,), 0, 150)
        a = x[at]
        return jnp.linalg.solve(a.T @ a + 1e-3 * jnp.eye(4), a.T @ y[at])
    w = jax.vmap(fit)(random.split(k, 60))
    return jnp.percentile(w, jnp.array([2.5, 50, 97.5]), axis=0)


@row("abs(n(400)), i(2, 400), i(3, 400)")
def kaplan_meier_and_log_rank(time, event, group):
    order = jnp.argsort(time)
    e, g = event[order], nn.one_hot(group[order], 3)
    risk = g[::-1].cumsum(0)[::-1]
    total = risk.sum(1)
    curve = jnp.cumprod(1 - e / total)
    observed, expected = (g * e[:, None]).sum(0), (risk * (e / total)[:, None]).sum(0)
    return curve, ((observed - expected) ** 2 / jnp.maximum(expected, 1e-6)).sum()


@row("abs(n(120)), n(120), i(2, 120)")
def concordance(time, score, event):
    usable = (time[:, None] < time) & (event[:, None] > 0)
    agree = jnp.where(score[:, None] > score, 1.0, jnp.where(score[:, None] == score, 0.5, 0.0))
    return (usable * agree).sum() / usable.sum()


@row("key, nn.sigmoid(n(7))")
def exp3(k, mean):
    def play(w, k):
        a, b = random.split(k)
        p = 0.9 * nn.softmax(w) + 0.1 / 7
        arm = random.choice(a, 7, p=p)
        reward = random.bernoulli(b, mean[arm])
        return w.at[arm].add(0.1 * reward / p[arm] / 7), (arm, reward)
    return lax.scan(play, jnp.zeros(7), random.split(k, 80))


@row("key, n(25), n(25, seed=1)")
def beta_bandit_races(k, a, b):
    a, b = 1 + abs(a) * 9, 1 + abs(b) * 9
    draws = random.beta(k, a, b, (200, 25))
    return jnp.bincount(draws.argmax(1), length=25) / 200, draws.max(1).mean()


ROWS = [
    "lambda x: jnp.unique(x, return_counts=True, size=50, fill_value=-1) @@ i(60, 1500)",
    "lambda x: jnp.unique(x, axis=0, return_inverse=True, size=40, fill_value=9) @@ i(3, 200, 3)",
    "lambda x, w: jnp.histogram(x, bins=37, range=(-3, 3), weights=w, density=True)[0] @@ n(3000), abs(n(3000, seed=1))",
    "lambda x, y: jnp.histogram2d(x, y, bins=(13, 17))[0] @@ n(900), n(900, seed=1)",
    "lambda x: jnp.quantile(x, jnp.array([.05, .5, .95]), axis=0, method='nearest') @@ n(201, 31)",
    "lambda x: jnp.nanquantile(jnp.where(abs(x) > 2, jnp.nan, x), .75, axis=1) @@ n(40, 120)",
    "lambda k, a: random.gamma(k, a) @@ key, abs(n(700)) + .2",
    "grad(lambda a, k: random.gamma(k, a)) @@ abs(n(90)) + .5, key",
    "lambda k, a: random.dirichlet(k, a, (50,)) @@ key, abs(n(6)) + .3",
    "lambda k, r: random.poisson(k, r) @@ key, abs(n(600)) * 8",
    "lambda k, p: random.binomial(k, 20, p) @@ key, nn.sigmoid(n(300))",
    "lambda k, m, c: random.multivariate_normal(k, m, c, (100,)) @@ key, n(12), definite(0, 12)",
    "lambda k, w: random.choice(k, 500, (64,), replace=False, p=nn.softmax(w)) @@ key, n(500)",
    "lambda x, y: jnp.corrcoef(js.stats.rankdata(x), js.stats.rankdata(y)) @@ n(333), n(333, seed=1)",
    "lambda x, d: js.stats.gaussian_kde(d)(x) @@ n(100), n(250, seed=1)",
    "lambda x: jnp.cov(x - x.mean(1, keepdims=True), aweights=jnp.exp(x[0])) @@ n(15, 400)",
    "vmap(lambda x, m, c: js.stats.multivariate_normal.logpdf(x, m, c), (None, 0, 0)) @@ n(60, 5), n(7, 5), definite(7, 5)",
    "lambda x, a, b: js.stats.beta.logpdf(nn.sigmoid(x), abs(a) + 1, abs(b) + 1) @@ n(50, 20), n(20), n(20, seed=1)",
    "grad(lambda x, k: js.stats.vonmises.logpdf(x, abs(k) + .1), (0, 1)) @@ n(400), n(400, seed=1)",
    "lambda x, g: js.special.logsumexp(jax.ops.segment_max(x, g, 20)) + jnp.bincount(g, x[:, 0], length=20) @@ n(500, 1), i(20, 500)",
    "f64: lambda x: js.stats.norm.isf(nn.sigmoid(x)) + js.stats.t.logpdf(x, 3.5) @@ n(350, dtype='float64')",
    "f64: lambda x, y: (lambda c: linalg.slogdet(c)[1] + jnp.trace(c))(jnp.exp(-abs(x[:, None] - x)) + jnp.diag(y ** 2 + "
    ".1)) @@ n(45, dtype='float64'), n(45, dtype='float64')",
]
