"""blind_algebra.py: rows of the long tail written before any of them was measured (snippets.py): dense and sparse algebra,
programs with constraints, transport, finance, astronomy. A docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random
from jax.experimental import sparse

from snippets import row


# ---- dense algebra ---------------------------------------------------------------------------------------------------

@row("definite(0, 45)")
@row("definite(30, 6)", "vmap({0})")
def cholesky_by_columns(a):
    n = a.shape[0]
    def column(j, l):
        c = a[:, j] - l @ l[j]
        return l.at[:, j].set(jnp.where(jnp.arange(n) >= j, c / jnp.sqrt(c[j]), 0))
    return lax.fori_loop(0, n, column, jnp.zeros_like(a))


@row("n(29, 29)")
def pivoted_elimination(a):
    def step(k, s):
        a, sign = s
        p = jnp.where(jnp.arange(29) >= k, abs(a[:, k]), -1).argmax()
        a = a.at[jnp.stack([k, p])].set(a[jnp.stack([p, k])])
        m = jnp.where(jnp.arange(29) > k, a[:, k] / a[k, k], 0)
        return a - jnp.outer(m, a[k]), jnp.where(p == k, sign, -sign)
    a, sign = lax.fori_loop(0, 29, step, (a, 1.0))
    return sign, jnp.log(abs(jnp.diag(a))).sum()


@row("definite(0, 24)")
@row("definite(12, 8)", "vmap({0})")
def jacobi_eigenvalues(a):
    """Cyclic rotations, two sweeps."""
    n = a.shape[0]
    pairs = jnp.array([(p, q) for p in range(n) for q in range(p + 1, n)])
    def rotate(a, pq):
        p, q = pq
        t = 0.5 * jnp.arctan2(2 * a[p, q], a[q, q] - a[p, p])
        c, s = jnp.cos(t), jnp.sin(t)
        x, y = a[p], a[q]
        a = a.at[p].set(c * x - s * y).at[q].set(s * x + c * y)
        x, y = a[:, p], a[:, q]
        return a.at[:, p].set(c * x - s * y).at[:, q].set(s * x + c * y), None
    return jnp.sort(jnp.diag(lax.scan(rotate, a, jnp.tile(pairs, (2, 1)))[0]))


@row("n(70, 20)")
def householder(a):
    def step(k, s):
        r, q = s
        x = jnp.where(jnp.arange(70) >= k, r[:, k], 0)
        v = x.at[k].add(jnp.sign(x[k]) * jnp.linalg.norm(x))
        v = v / jnp.linalg.norm(v)
        return r - 2 * jnp.outer(v, v @ r), q - 2 * jnp.outer(q @ v, v)
    r, q = lax.fori_loop(0, 20, step, (a, jnp.eye(70)))
    return abs(r[:20]), q[:, :20] @ r[:20]


@row("n(400, 300), n(300, 12)")
def randomized_range(a, probe):
    q = jnp.linalg.qr(a @ probe)[0]
    q = jnp.linalg.qr(a @ (a.T @ q))[0]
    return jnp.linalg.svd(q.T @ a, compute_uv=False)


@row("n(90, 3, 3), n(90, 3)")
@row("n(90, 3, 3), n(90, 3)", "grad({0})")
def cramers_rule(a, b):
    d = jnp.einsum("ni,ni->n", a[:, :, 0], jnp.cross(a[:, :, 1], a[:, :, 2]))
    x = jnp.einsum("ni,ni->n", b, jnp.cross(a[:, :, 1], a[:, :, 2]))
    y = jnp.einsum("ni,ni->n", a[:, :, 0], jnp.cross(b, a[:, :, 2]))
    z = jnp.einsum("ni,ni->n", a[:, :, 0], jnp.cross(a[:, :, 1], b))
    return jnp.stack([x, y, z], 1) / (d + jnp.sign(d) * 0.1)[:, None]


@row("definite(500, 3)")
@row("definite(500, 3).astype('float64')", double=True)
def symmetric_eigenvalues_3x3(a):
    """By trigonometry."""
    q = jnp.trace(a, axis1=1, axis2=2) / 3
    b = a - q[:, None, None] * jnp.eye(3)
    p = jnp.sqrt((b * b).sum((1, 2)) / 6)
    r = jnp.clip(jnp.linalg.det(b / p[:, None, None]) / 2, -1, 1)
    angle = jnp.arccos(r) / 3
    return q[:, None] + 2 * p[:, None] * jnp.cos(angle[:, None] + jnp.array([0, 2, 4]) * jnp.pi / 3)


@row("n(32, 32) / 9")
def matrix_sign_and_root(a):
    """Denman and Beavers, from a definite matrix."""
    a = a @ a.T + jnp.eye(32)
    step = lambda _, s: (0.5 * (s[0] + jnp.linalg.inv(s[1])), 0.5 * (s[1] + jnp.linalg.inv(s[0])))
    return lax.fori_loop(0, 6, step, (a, jnp.eye(32)))


@row("n(8, 8), n(9, 9), n(8, 9)")
def sylvester_by_kronecker(a, b, c):
    m = jnp.kron(jnp.eye(9), a + 4 * jnp.eye(8)) + jnp.kron(b.T + 4 * jnp.eye(9), jnp.eye(8))
    return jnp.linalg.solve(m, c.T.reshape(-1)).reshape(9, 8).T


@row("n(60), n(60)")
def toeplitz_by_fft(c, x):
    circle = jnp.concatenate([c, jnp.zeros(1), c[1:][::-1]])
    product = lambda v: jnp.fft.irfft(jnp.fft.rfft(circle, 120) * jnp.fft.rfft(v, 120), 120)[:60] + 30 * v
    return jax.scipy.sparse.linalg.cg(product, x, maxiter=20)[0]


@row("n(500), jnp.arange(12.), n(500)")
def weighted_polynomial_fit(x, powers, y):
    v = jnp.tanh(x)[:, None] ** powers
    q, r = jnp.linalg.qr(v)
    return jax.scipy.linalg.solve_triangular(r + 1e-2 * jnp.eye(12), q.T @ y)


@row("n(50, 50, scale=.1), n(50)")
@row("n(50, 50, scale=.1), n(50)", "grad({0}, (0, 1))")
def fixed_point(a, b):
    """An implicit layer: its gradient solves a linear system, by custom_vjp."""
    @jax.custom_vjp
    def solve(a, b):
        return lax.fori_loop(0, 30, lambda _, x: jnp.tanh(a @ x + b), jnp.zeros(50))
    def forward(a, b):
        x = solve(a, b)
        return x, (a, b, x)
    def backward(saved, g):
        a, b, x = saved
        d = 1 - x * x
        u = jnp.linalg.solve(jnp.eye(50) - (d[:, None] * a).T, g)
        return jnp.outer(d * u, x), d * u
    solve.defvjp(forward, backward)
    return solve(a, b)


@row("n(30, 30), n(30)")
def root_by_custom_solve(a, b):
    """lax.custom_linear_solve around Jacobi's iteration, and its gradient."""
    a = a @ a.T / 30 + 8 * jnp.eye(30)
    def solve(matvec, b):
        return lax.fori_loop(0, 20, lambda _, x: x + (b - matvec(x)) / 9.5, jnp.zeros_like(b))
    run = lambda b: lax.custom_linear_solve(lambda x: a @ x, b, solve, symmetric=True)
    return jax.value_and_grad(lambda b: (run(b) ** 2).sum())(b)


# ---- sparse ----------------------------------------------------------------------------------------------------------

@row("n(120, 90) * (n(120, 90, seed=1) > 1), n(90, 8)")
@row("n(120, 90) * (n(120, 90, seed=1) > 1), n(90, 8)", "grad({0}, 1)")
def sparse_layers(a, x):
    m = sparse.BCOO.fromdense(a, nse=2000)
    h = jnp.tanh(m @ x)
    return m.T @ h


@row("jnp.sort(i(300, 2500)), i(300, 2500)[::-1], n(2500), n(300)")
def coordinate_power_iteration(rows, columns, values, x):
    def step(_, x):
        y = jax.ops.segment_sum(values * x[columns], rows, 300, indices_are_sorted=True)
        return y / jnp.linalg.norm(y) + 0.01
    return lax.fori_loop(0, 12, step, x)


@row("n(250, 9), i(250, 250, 9), n(250)")
def ellpack_jacobi(values, columns, b):
    step = lambda _, x: (b - 0.1 * (values * x[columns]).sum(1)) / 2
    return lax.fori_loop(0, 25, step, jnp.zeros(250))


@row("n(12, 5, 8, 8), i(10, 12, 5), n(80, 6)")
def block_sparse_product(blocks, at, x):
    return jnp.einsum("rkij,rkjc->ric", blocks, x.reshape(10, 8, 6)[at]).reshape(96, 6)


@row("n(7, 200), n(200)")
def banded_product(bands, x):
    padded = jnp.pad(x, 3)
    return sum(bands[k] * padded[k : k + 200] for k in range(7))


@row("n(5, 33, 40) * (n(5, 33, 40, seed=1) > .8), n(5, 40, 7)")
def batched_sparse(a, x):
    m = sparse.BCOO.fromdense(a, nse=330, n_batch=1)
    return sparse.bcoo_dot_general(m, x, dimension_numbers=(([2], [1]), ([0], [0])))


# ---- programs with constraints, transport ----------------------------------------------------------------------------

@row("n(20, 45), abs(n(20)) + 20, abs(n(45))")
def interior_point(a, b, c):
    """A linear program by a primal-dual method with a fixed number of steps."""
    def step(_, s):
        x, y, z = s
        mu = 0.2 * (x @ z) / 45
        rp, rd, rc = b - a @ x, c - a.T @ y - z, mu - x * z
        d = x / z
        dy = jnp.linalg.solve((a * d) @ a.T + 1e-3 * jnp.eye(20), rp + a @ (d * rd - rc / z))
        dz = rd - a.T @ dy
        dx = rc / z - d * dz
        length = lambda v, dv: jnp.minimum(1, 0.9 / jnp.maximum((-dv / v).max(), 1e-6))
        t, u = length(x, dx), length(z, dz)
        return x + t * dx, y + u * dy, z + u * dz
    x, _, z = lax.fori_loop(0, 8, step, (jnp.ones(45), jnp.zeros(20), jnp.ones(45)))
    return x, c @ x


@row("definite(0, 30), n(30), n(40, 30)")
def quadratic_program(p, q, a):
    """ADMM as in OSQP: one factorization, then solves in a scan."""
    l = jnp.linalg.cholesky(p + 1e-3 * jnp.eye(30) + a.T @ a)
    def step(s, _):
        x, z, y = s
        x = jax.scipy.linalg.cho_solve((l, True), a.T @ (z - y) - q)
        ax = 1.6 * (a @ x) - 0.6 * z
        new = jnp.clip(ax + y, -0.1, 0.1)
        return (x, new, y + ax - new), abs(a @ x - new).max()
    return lax.scan(step, (jnp.zeros(30), jnp.zeros(40), jnp.zeros(40)), None, length=20)[1]


@row("abs(n(9, 14)), abs(n(9)), abs(n(14))")
def simplex_tableau(a, b, c):
    """Dantzig's rule in a while loop."""
    t = jnp.zeros((10, 24)).at[:9, :14].set(a + 0.1).at[:9, 14:23].set(jnp.eye(9)).at[:9, 23].set(b + 1).at[9, :14].set(-c)
    def pivot(s):
        t, k = s
        j = t[9, :23].argmin()
        ratio = jnp.where(t[:9, j] > 1e-6, t[:9, 23] / t[:9, j], jnp.inf)
        i = ratio.argmin()
        line = t[i] / t[i, j]
        return (t - jnp.outer(t[:, j], line)).at[i].set(line), k + 1
    return lax.while_loop(lambda s: (s[0][9, :23].min() < -1e-5) & (s[1] < 40), pivot, (t, 0))[0][9]


@row("n(70, 3), n(60, 3, seed=1)")
@row("n(70, 3), n(60, 3, seed=1)", "grad({0})")
def entropic_transport(x, y, eps=0.5):
    cost = ((x[:, None] - y) ** 2).sum(-1)
    def step(s, _):
        f, g = s
        f = -eps * nn.logsumexp((g - cost) / eps - jnp.log(60.0), 1)
        return (f, -eps * nn.logsumexp((f[:, None] - cost) / eps - jnp.log(70.0), 0)), None
    f, g = lax.scan(step, (jnp.zeros(70), jnp.zeros(60)), None, length=12)[0]
    return f.mean() + g.mean()


@row("n(40, 40), n(36, 36, seed=1)")
def gromov_wasserstein(a, b):
    a, b = a + a.T, b + b.T
    def step(_, t):
        c = (a * a).mean(1)[:, None] + (b * b).mean(1) - 2 * a @ t @ b
        k = jnp.exp(-(c - c.min()) / 2)
        scale = lambda _, s: ((1 / 40) / (k @ s[1]), (1 / 36) / (k.T @ ((1 / 40) / (k @ s[1]))))
        u, v = lax.fori_loop(0, 10, scale, (jnp.ones(40), jnp.ones(36)))
        return u[:, None] * k * v
    return lax.fori_loop(0, 4, step, jnp.full((40, 36), 1 / 1440)) * 1440


@row("n(65, 30), n(65, 30, seed=1), n(24, 30)")
def sliced_wasserstein(x, y, directions):
    d = directions / jnp.linalg.norm(directions, axis=1, keepdims=True)
    return ((jnp.sort(x @ d.T, 0) - jnp.sort(y @ d.T, 0)) ** 2).mean()


@row("n(301, 17)")
@row("n(301, 17)", "grad(lambda x: {0}(x) ** 2)")
def sparsemax(x):
    z = -jnp.sort(-x, 1)
    k = jnp.arange(1, 18)
    total = jnp.cumsum(z, 1)
    size = (1 + k * z > total).sum(1, keepdims=True)
    return nn.relu(x - (jnp.take_along_axis(total, size - 1, 1) - 1) / size)


# ---- finance, astronomy ----------------------------------------------------------------------------------------------

@row("abs(n(700)) + 1, abs(n(700, seed=1)) + 1, abs(n(700, seed=2)) + .2")
def implied_volatility(s, k, vol, t=0.5):
    """Newton's steps on prices of calls, back to the volatility."""
    def price(v):
        d = (jnp.log(s / k) + 0.5 * v * v * t) / (v * t**0.5)
        return s * jax.scipy.stats.norm.cdf(d) - k * jax.scipy.stats.norm.cdf(d - v * t**0.5)
    target = price(jnp.clip(vol, 0.2, 1.0))
    def step(_, v):
        value, slope = jax.jvp(price, (v,), (jnp.ones_like(v),))
        return jnp.clip(v - (value - target) / (slope + 0.01), 0.05, 2)
    return lax.fori_loop(0, 6, step, jnp.full(700, 0.5))


@row("jnp.array([1., .2, .01])")
@row("jnp.array([1., .2, .01])", "jax.value_and_grad({0})")
def american_put_lattice(p):
    """Backward through 60 steps of a binomial tree with a fixed width."""
    s, vol, rate = p
    dt = 1 / 60
    u = jnp.exp(vol * dt**0.5)
    q = (jnp.exp(rate * dt) - 1 / u) / (u - 1 / u)
    j = jnp.arange(61)
    def back(v, k):
        spot = s * u ** (2 * j - k)
        hold = jnp.exp(-rate * dt) * (q * jnp.roll(v, -1) + (1 - q) * v)
        return jnp.maximum(hold, 1.05 - spot), None
    return lax.scan(back, nn.relu(1.05 - s * u ** (2 * j - 60)), jnp.arange(59, -1, -1))[0][0]


@row("key, jnp.array([1., .2, .3])")
@row("key, jnp.array([1., .2, .3])", "lambda k, p: jax.grad(lambda p: {0}(k, p))(p)")
def asian_basket(key, p, paths=400, steps=25):
    z = random.normal(key, (steps, paths, 3)) @ jnp.array([[1, 0.5, 0.2], [0, 0.8, 0.3], [0, 0, 0.9]])
    log = jnp.cumsum(0.2 * p * z - 0.02 * p * p, 0)
    return nn.relu(jnp.exp(log).mean((0, 2)) - 1).mean()


@row("n(100), n(100, seed=1)")
def implicit_option_grid(v, jump):
    """Crank and Nicolson in one dimension with early exercise, 20 steps."""
    x = jnp.linspace(-2, 2, 100)
    payoff = nn.relu(1 - jnp.exp(x))
    low, up = jnp.full(100, -0.4).at[0].set(0), jnp.full(100, -0.4).at[-1].set(0)
    def step(_, v):
        rhs = v + 0.4 * (jnp.roll(v, 1) - 2 * v + jnp.roll(v, -1))
        new = lax.linalg.tridiagonal_solve(low, jnp.full(100, 1.81), up, rhs[:, None])[:, 0]
        return jnp.maximum(new, payoff)
    return lax.fori_loop(0, 20, step, payoff + 0.01 * abs(v) + 0.001 * jump)


@row("n(250, 12), n(12)")
def risk_parity(returns, w):
    cov = jnp.cov(returns.T) + 0.01 * jnp.eye(12)
    def step(_, w):
        w = w * jnp.sqrt((1 / 12) / (abs(w * (cov @ w)) + 1e-3))
        return w / jnp.sqrt(w @ cov @ w)
    w = lax.fori_loop(0, 20, step, nn.softmax(w))
    tail = -jnp.sort(returns @ w)[:12].mean()
    return w / w.sum(), tail


@row("n(60, 80), n(80)")
def backtest(prices, signal):
    p = 100 + jnp.cumsum(prices, 0)
    r = jnp.diff(p, axis=0) / p[:-1]
    fast, slow = (lax.reduce_window(p, 0.0, lax.add, (k, 1), (1, 1), ((k - 1, 0), (0, 0))) / k for k in (5, 20))
    held = jnp.sign(fast - slow)[:-1] * nn.sigmoid(signal)
    value = jnp.cumprod(1 + held * r, 0)
    return value[-1], (1 - value / lax.cummax(value)).max(0)


@row("abs(n(2000)), nn.sigmoid(n(2000))")
@row("abs(n(2000)), nn.sigmoid(n(2000))", "grad({0}, (0, 1))")
def kepler(mean, eccentricity):
    e = 0.9 * eccentricity
    def step(_, x):
        f, d = x - e * jnp.sin(x) - mean, 1 - e * jnp.cos(x)
        return x - f / (d - 0.5 * f * e * jnp.sin(x) / d)
    x = mean + e * jnp.sin(mean)
    for _ in range(4):
        x = step(0, x)
    return 2 * jnp.arctan2(jnp.sqrt(1 + e) * jnp.sin(x / 2), jnp.sqrt(1 - e) * jnp.cos(x / 2))


@row("n(90, 3), n(90, 3, scale=.1), abs(n(90))")
def leapfrog_stars(x, v, m):
    def pull(x):
        d = x - x[:, None]
        return (m[:, None] * d * ((d * d).sum(-1, keepdims=True) + 0.05) ** -1.5).sum(1)
    def step(s, _):
        x, v, a = s
        v = v + 0.005 * a
        x = x + 0.01 * v
        a = pull(x)
        return (x, v + 0.005 * a, a), 0.5 * (m[:, None] * v * v).sum()
    return lax.scan(step, (x, v, pull(x)), None, length=8)[1]


@row("abs(n(3)), jnp.linspace(.01, 2., 150)")
@row("abs(n(3)), jnp.linspace(.01, 2., 150)", "jax.jacrev({0})")
def luminosity_distance(p, z):
    """Integrals of the expansion rate by Gauss and Legendre."""
    nodes = jnp.array([-0.9602899, -0.7966665, -0.5255324, -0.1834346, 0.1834346, 0.5255324, 0.7966665, 0.9602899])
    weights = jnp.array([0.1012285, 0.222381, 0.3137066, 0.3626838, 0.3626838, 0.3137066, 0.222381, 0.1012285])
    at = z[:, None] * (nodes + 1) / 2
    e = jnp.sqrt(p[0] * (1 + at) ** 3 + p[1] * (1 + at) ** 2 + p[2] + 0.1)
    return (1 + z) * z / 2 * (weights / e).sum(1)


@row("abs(n(250)) * 50, n(250), jnp.linspace(.1, 3., 120)")
def lomb_scargle(t, y, w):
    c, s = jnp.cos(w[:, None] * t), jnp.sin(w[:, None] * t)
    tau = jnp.arctan2(2 * (s * c).sum(1), (c * c - s * s).sum(1)) / 2
    c, s = jnp.cos(w[:, None] * t - tau[:, None]), jnp.sin(w[:, None] * t - tau[:, None])
    return 0.5 * ((c @ y) ** 2 / (c * c).sum(1) + (s @ y) ** 2 / (s * s).sum(1))
