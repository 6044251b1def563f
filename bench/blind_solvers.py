"""blind_solvers.py: rows of the long tail written before any of them was measured (snippets.py): loops with small and medium
states: roots, Krylov methods, eigenvalues, splitting methods, mixtures, chains, sequences, graphs, lattices."""
import jax
import jax.numpy as jnp
from jax import lax, nn

from snippets import row


# ---- roots and linear systems ----------------------------------------------------------------------------------------------

@row("n(1000) * 3")
@row("n(1000) * 3", function="vmap({0})")
def newton_until_small(c):
    f = lambda x: x**3 + 2 * x - c
    def body(s):
        x, k = s
        return x - f(x) / (3 * x * x + 2), k + 1
    return lax.while_loop(lambda s: (jnp.abs(f(s[0])).max() > 1e-3) & (s[1] < 30), body, (jnp.zeros_like(c), 0))


@row("jnp.abs(n(2000))")
def secant_roots(c):
    f = lambda x: x * jnp.exp(x) - c
    def body(_, s):
        a, b = s
        fa, fb = f(a), f(b)
        return b, jnp.where(jnp.abs(fb - fa) > 1e-7, b - fb * (b - a) / jnp.where(fb == fa, 1.0, fb - fa), b)
    return lax.fori_loop(0, 12, body, (jnp.zeros_like(c), jnp.ones_like(c)))[1]


@row("n(50, 50, scale=.08), n(50)")
def anderson_acceleration(w, b):
    g = lambda x: jnp.tanh(w @ x + b)
    def body(k, s):
        xs, fs = s
        r = fs - xs
        alpha = jnp.linalg.solve(r @ r.T + 1e-5 * jnp.eye(5), jnp.ones(5))
        x = alpha / alpha.sum() @ fs
        return xs.at[k % 5].set(x), fs.at[k % 5].set(g(x))
    xs = jnp.stack([b * 0.2 * k for k in range(5)])
    return lax.fori_loop(0, 15, body, (xs, jax.vmap(g)(xs)))[1][0]


@row("definite(0, 80) / 80 + n(80, 80, scale=.02), n(80)")
def gmres_with_givens_free_least_squares(a, b):
    beta = jnp.linalg.norm(b)
    def arnoldi(k, s):
        q, h = s
        v = a @ q[k]
        c = jnp.where(jnp.arange(21) <= k, q @ v, 0)
        v = v - c @ q
        return q.at[k + 1].set(v / (jnp.linalg.norm(v) + 1e-12)), h.at[:, k].set(c.at[k + 1].set(jnp.linalg.norm(v)))
    q, h = lax.fori_loop(0, 20, arnoldi, (jnp.zeros((21, 80)).at[0].set(b / beta), jnp.zeros((21, 20))))
    return jnp.linalg.lstsq(h, jnp.zeros(21).at[0].set(beta))[0] @ q[:20]


@row("definite(0, 120) / 120, n(120)")
@row("definite(8, 40) / 40, n(8, 40)", function="vmap({0})")
def stabilized_bicg(a, b):
    def body(s):
        x, r, p, v, rho, alpha, om, k = s
        rho1 = b @ r
        p = r + rho1 / rho * alpha / om * (p - om * v)
        v = a @ p
        alpha = rho1 / (b @ v)
        h = r - alpha * v
        t = a @ h
        om = t @ h / (t @ t)
        return x + alpha * p + om * h, h - om * t, p, v, rho1, alpha, om, k + 1
    zero = jnp.zeros_like(b)
    out = lax.while_loop(lambda s: (s[1] @ s[1] > 1e-4) & (s[-1] < 20), body, (zero, b, zero, zero, 1.0, 1.0, 1.0, 0))
    return out[0], out[-1]


@row("definite(0, 200), n(200)")
def power_iteration_with_deflation(a, v):
    def one(a, _):
        u = lax.fori_loop(0, 20, lambda _, u: (lambda w: w / jnp.linalg.norm(w))(a @ u), v)
        lam = u @ a @ u
        return a - lam * jnp.outer(u, u), (lam, u)
    return lax.scan(one, a, None, length=3)[1]


@row("definite(6, 12)", function="vmap({0})")
@row("definite(0, 32)")
def qr_algorithm_with_shifts(a):
    eye = jnp.eye(a.shape[0])
    def body(_, a):
        q, r = jnp.linalg.qr(a - a[-1, -1] * eye)
        return r @ q + a[-1, -1] * eye
    return jnp.sort(jnp.diagonal(lax.fori_loop(0, 15, body, a)))


@row("definite(500, 3)", function="vmap({0})")
def jacobi_rotations_of_three(a):
    for p, q in ((0, 1), (0, 2), (1, 2)) * 3:
        t = 0.5 * jnp.arctan2(2 * a[p, q], a[q, q] - a[p, p])
        g = jnp.eye(3).at[p, p].set(jnp.cos(t)).at[q, q].set(jnp.cos(t)).at[p, q].set(jnp.sin(t)).at[q, p].set(-jnp.sin(t))
        a = g.T @ a @ g
    return jnp.diagonal(a)


# ---- splitting and interior points ---------------------------------------------------------------------------------------------

@row("n(100, 60), n(100)")
def admm_of_lasso(a, b):
    chol = jax.scipy.linalg.cho_factor(a.T @ a + jnp.eye(60))
    def step(s, _):
        z, u = s
        x = jax.scipy.linalg.cho_solve(chol, a.T @ b + z - u)
        z = jnp.sign(x + u) * nn.relu(jnp.abs(x + u) - 3.0)
        return (z, u + x - z), jnp.linalg.norm(x - z)
    return lax.scan(step, (jnp.zeros(60), jnp.zeros(60)), None, length=50)


@row("n(64, 100), n(32, 64)")
@row("n(64, 100), n(32, 64)", function="grad({0}, 0)")
def learned_ista(d, y):
    step = 1 / 300.0
    soft = lambda x: jnp.sign(x) * nn.relu(jnp.abs(x) - 0.05)
    return lax.scan(lambda z, _: (soft(z - step * (z @ d.T - y) @ d),) * 2, jnp.zeros((32, 100)), None, length=25)[0]


@row("jnp.abs(n(15, 30)), jnp.abs(n(15)) + 5, n(30, seed=2)")
def simplex_pivots(a, b, c):
    t = jnp.block([[a, jnp.eye(15), b[:, None]], [-c[None], jnp.zeros((1, 16))]])
    def pivot(s):
        t, k = s
        j = jnp.argmin(t[-1, :-1])
        ratio = jnp.where(t[:-1, j] > 1e-6, t[:-1, -1] / jnp.where(t[:-1, j] > 1e-6, t[:-1, j], 1), jnp.inf)
        i = jnp.argmin(ratio)
        r = t[i] / t[i, j]
        return (t - t[:, j][:, None] * r).at[i].set(r), k + 1
    return lax.while_loop(lambda s: (s[0][-1, :-1].min() < -1e-5) & (s[1] < 40), pivot, (t, 0))


@row("n(40, 8), jnp.abs(n(40)) + 1, n(8)")
@row("n(32, 40, 8), jnp.abs(n(32, 40)) + 1, n(32, 8)", function="vmap({0})")
def log_barrier_path(a, b, c):
    f = lambda x, t: t * c @ x - jnp.sum(jnp.log(jnp.maximum(b - a @ x, 1e-9))) + 0.5 * x @ x
    def outer(x, t):
        def newton(_, x):
            d = jnp.linalg.solve(jax.hessian(f)(x, t), -jax.grad(f)(x, t))
            ratio = a @ d / (b - a @ x)
            return x + jnp.minimum(1.0, 0.9 / jnp.maximum(ratio.max(), 1e-6)) * d
        return lax.fori_loop(0, 4, newton, x), f(x, t)
    return lax.scan(outer, jnp.zeros(8), 2.0 ** jnp.arange(5))


@row("n(60, 60), n(60)")
def dykstra_box_and_plane(q, x):
    a = q[0]
    def body(_, s):
        x, p, r = s
        y = jnp.clip(x + p, -0.5, 0.5)
        p = x + p - y
        z = y + r
        x = z - a * (a @ z - 1) / (a @ a)
        return x, p, y + r - x
    return lax.fori_loop(0, 100, body, (x, x * 0, x * 0))[0]


# ---- mixtures, chains, sequences ---------------------------------------------------------------------------------------------

@row("n(600, 3), n(5, 3, seed=1)")
def full_covariance_em(x, mean):
    def step(s, _):
        mean, cov, pi = s
        chol = jnp.linalg.cholesky(cov)
        z = jax.vmap(lambda l, m: jax.scipy.linalg.solve_triangular(l, (x - m).T, lower=True))(chol, mean)
        lp = -0.5 * (z**2).sum(1) - jnp.log(jnp.diagonal(chol, axis1=1, axis2=2)).sum(1)[:, None] + jnp.log(pi)[:, None]
        r = nn.softmax(lp, 0)
        nk = r.sum(1) + 1e-3
        mean = r @ x / nk[:, None]
        d = x - mean[:, None]
        cov = jnp.einsum("kn,kni,knj->kij", r, d, d) / nk[:, None, None] + 0.01 * jnp.eye(3)
        return (mean, cov, nk / nk.sum()), nn.logsumexp(lp, 0).mean()
    return lax.scan(step, (mean, jnp.stack([jnp.eye(3)] * 5), jnp.ones(5) / 5), None, length=10)


@row("n(2000, 8), n(12, 8, seed=1)")
def lloyd_until_still(x, c):
    def step(s):
        c, _, k = s
        at = jnp.argmin(jnp.sum(c * c, 1) - 2 * x @ c.T, 1)
        one = nn.one_hot(at, 12)
        new = one.T @ x / jnp.maximum(one.sum(0), 1)[:, None]
        return new, jnp.abs(new - c).max(), k + 1
    return lax.while_loop(lambda s: (s[1] > 1e-3) & (s[2] < 25), step, (c, jnp.inf, 0))


@row("n(1000, 6)")
def k_means_plus_plus_seeding(x):
    def pick(s, key):
        d, _ = s
        c = x[jax.random.categorical(key, jnp.log(d + 1e-9))]
        return (jnp.minimum(d, ((x - c) ** 2).sum(1)), c), c
    return lax.scan(pick, (jnp.ones(1000), x[0]), jax.random.split(jax.random.key(3), 16))[1]


@row("n(8, 8), n(8, 20), i(20, 10, 60)")
@row("n(8, 8), n(8, 20), i(20, 10, 60)", function="grad({0}, (0, 1))")
def scaled_hidden_markov_likelihood(a, b, obs):
    a, b = nn.softmax(a), nn.softmax(b)
    def one(obs):
        def step(p, o):
            p = (p @ a) * b[:, o]
            return p / p.sum(), jnp.log(p.sum())
        return lax.scan(step, jnp.full(8, 0.125), obs)[1].sum()
    return jax.vmap(one)(obs)


@row("n(16, 40, 9), n(9, 9), i(9, 16, 40)", function="jax.grad({0}, (0, 1))")
def linear_chain_crf_negative_log(emit, trans, tags):
    def one(e, y):
        z = lax.scan(lambda a, e: (nn.logsumexp(a[:, None] + trans, axis=0) + e, None), e[0], e[1:])[0]
        gold = jnp.take_along_axis(e, y[:, None], 1).sum() + trans[y[:-1], y[1:]].sum()
        return nn.logsumexp(z) - gold
    return jax.vmap(one)(emit, tags).mean()


@row("n(8, 60, 30), i(29, 8, 15) + 1", function="jax.value_and_grad({0})")
def ctc_in_log_space(logits, labels):
    ext = jnp.zeros((8, 31), jnp.int32).at[:, 1::2].set(labels)
    skip = jnp.where((ext != 0) & (ext != jnp.roll(ext, 2, 1)), 0.0, -1e5).at[:, :2].set(-1e5)
    lp = jnp.take_along_axis(nn.log_softmax(logits), ext[:, None], 2)
    def step(a, e):
        b = jnp.pad(a, ((0, 0), (1, 0)), constant_values=-1e5)[:, :-1]
        c = jnp.pad(a, ((0, 0), (2, 0)), constant_values=-1e5)[:, :-2] + skip
        return nn.logsumexp(jnp.stack([a, b, c]), axis=0) + e, None
    a0 = jnp.full((8, 31), -1e5).at[:, :2].set(lp[:, 0, :2])
    a = lax.scan(step, a0, lp[:, 1:].swapaxes(0, 1))[0]
    return -jnp.logaddexp(a[:, -1], a[:, -2]).mean()


@row("n(16, 64, 3), n(16, 50, 3, seed=1)", function="vmap({0})")
def dynamic_time_warping(x, y):
    cost = jnp.sqrt(((x[:, None] - y) ** 2).sum(-1))
    def row_of(prev, c):
        def cell(left, v):
            c, up, diag = v
            out = c + jnp.minimum(left, jnp.minimum(up, diag))
            return out, out
        diag = jnp.concatenate([jnp.array([1e9]), prev[:-1]])
        return lax.scan(cell, 1e9, (c, prev, diag))[1], None
    return lax.scan(row_of, jnp.cumsum(cost[0]), cost[1:])[0][-1]


@row("i(4, 100), i(4, 30, 80)")
def smith_waterman_scores(q, refs):
    def one(r):
        def step(prev, ch):
            d = jnp.concatenate([jnp.zeros(1), prev[:-1]]) + jnp.where(r == ch, 2.0, -1.0)
            h = jnp.maximum(0.0, jnp.maximum(d, prev - 1))
            idx = jnp.arange(80)
            h = lax.cummax(h + idx) - idx
            return jnp.maximum(h, 0), h.max()
        return lax.scan(step, jnp.zeros(80), q)[1].max()
    return jax.vmap(one)(refs)


# ---- graphs and lattices -----------------------------------------------------------------------------------------------------

@row("jnp.abs(n(3000)), i(300, 3000), i(300, 3000)[::-1]")
def edge_relaxations(w, a, b):
    def go(s):
        d, _, k = s
        new = d.at[b].min(d[a] + w)
        return new, jnp.any(new < d), k + 1
    return lax.while_loop(lambda s: s[1] & (s[2] < 50), go, (jnp.full(300, jnp.inf).at[0].set(0), True, 0))


@row("jnp.abs(n(100, 100)) + .1")
def dijkstra_by_argmin(w):
    def visit(_, s):
        d, done = s
        u = jnp.argmin(jnp.where(done, jnp.inf, d))
        return jnp.minimum(d, d[u] + w[u]), done.at[u].set(True)
    return lax.fori_loop(0, 100, visit, (jnp.full(100, jnp.inf).at[0].set(0), jnp.zeros(100, bool)))[0]


@row("i(1000, 5000), i(1000, 5000)[::-1]")
def page_rank_over_edges(src, dst):
    deg = jnp.zeros(1000).at[src].add(1)
    def go(s):
        r, _, k = s
        flow = jax.ops.segment_sum((r / jnp.maximum(deg, 1))[src], dst, 1000)
        new = 0.15 / 1000 + 0.85 * (flow + jnp.sum(jnp.where(deg == 0, r, 0)) / 1000)
        return new, jnp.abs(new - r).sum(), k + 1
    return lax.while_loop(lambda s: (s[1] > 1e-5) & (s[2] < 60), go, (jnp.full(1000, 1e-3), 1.0, 0))


@row("n(8, 48, 48) < .25")
def percolation_clusters(open_):
    label = jnp.where(open_, jnp.arange(48 * 48).reshape(48, 48) + 1, 0)
    def spread(s):
        l, _ = s
        p = jnp.pad(l, ((0, 0), (1, 1), (1, 1)))
        m = jnp.maximum(jnp.maximum(p[:, 2:, 1:-1], p[:, :-2, 1:-1]), jnp.maximum(p[:, 1:-1, 2:], p[:, 1:-1, :-2]))
        new = jnp.where(open_, jnp.maximum(l, m), 0)
        return new, jnp.any(new != l)
    l = lax.while_loop(lambda s: s[1], spread, (label, True))[0]
    return l, jnp.any((l[:, 0, :, None] == l[:, -1, None]) & (l[:, 0, :, None] > 0), (1, 2))


@row("i(2, 4, 64, 64) * 2 - 1")
def ising_checkerboard(s):
    black = (jnp.indices((64, 64)).sum(0) % 2).astype(bool)
    def sweep(s, key):
        for k, mask in ((0, black), (1, ~black)):
            near = jnp.roll(s, 1, 1) + jnp.roll(s, -1, 1) + jnp.roll(s, 1, 2) + jnp.roll(s, -1, 2)
            u = jax.random.uniform(jax.random.fold_in(key, k), s.shape)
            s = jnp.where(mask & (u < jnp.exp(-0.88 * s * near)), -s, s)
        return s, s.mean((1, 2))
    return lax.scan(sweep, s, jax.random.split(jax.random.key(1), 6))
