"""fresh_draws.py: samplers, filters of particles, Bayesian models, Gaussian processes, solvers of ordinary and stochastic equations,
sensitivities."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    "lambda k: jnp.sort(random.beta(k, .7, jnp.linspace(.5, 3, 29), (31, 29)), 0) @@ key",
    "lambda k: random.poisson(k, jnp.exp(n(61, 17))).sum(1) @@ key",
    "lambda k: (random.binomial(k, 20., nn.sigmoid(n(403))), random.geometric(k, .3, (403,))) @@ key",
    "lambda k: random.randint(k, (301, 33), -100, 100, 'int16').sum(1) + random.bits(k, (301,), 'uint8') @@ key",
    "lambda k, w: random.choice(k, w, (60,), replace=False, p=nn.softmax(w[:, 0])) @@ key, n(311, 3)",
    "lambda k, l: jax.vmap(random.categorical, (0, 0))(random.split(k, 57), l) @@ key, n(57, 83)",
    "lambda k: random.truncated_normal(k, -1., jnp.linspace(.1, 2, 211), (37, 211)).astype('float16') @@ key",
    "lambda k: random.orthogonal(k, 9, (11,)) @@ key",
    "lambda k, x: jnp.where(random.bernoulli(k, .9, x.shape), x / .9, 0).astype('bfloat16') @@ key, n(203, 301, dtype='bfloat16')",
    "f64: lambda k: random.normal(k, (41, 203), 'float64').cumsum(1)[:, ::7] @@ key",
    "lambda k: random.dirichlet(k, jnp.full(13, .3), (101,)).max(1) @@ key",
    "lambda k, x: x[jax.vmap(lambda k: random.permutation(k, 203))(random.split(k, 7))] @@ key, n(203, 3)",
    "lambda k: random.t(k, 3., (2011,)) + random.laplace(k, (2011,)) + random.gumbel(k, (2011,)) @@ key",
    "lambda k: random.ball(k, 5, 2., (303,)) @@ key",
    "lambda k: lax.scan(lambda k, _: (random.fold_in(k, 3), random.uniform(k)), k, None, length=50)[1] @@ key",
    "lambda x: ode.odeint(lambda y, t: jnp.stack([1.5 * y[0] - y[0] * y[1], y[0] * y[1] - 3 * y[1]]), x, jnp.linspace(0., 3., 13)) @@ abs(n(2)) + 1",
    "jax.grad(lambda a: ode.odeint(lambda y, t, a: -a * y + jnp.sin(t), jnp.ones(3), jnp.linspace(0., 1., 4), a)[-1].sum()) @@ abs(n(3))",
]


# ---- Markov chains -------------------------------------------------------------------------------------------------------------

@row("random.key(2), n(20, 3, scale=.1), n(90, 3), i(6, 90)")
@row("random.key(2), n(3, 3, scale=.1), n(2000, 3), i(6, 2000)")
def hamiltonian_chains_of_counts(key, beta, x, y):
    """Poisson regression; the number of steps is drawn for each move, so steps beyond it are masked."""
    logp = lambda b: (y * (x @ b) - jnp.exp(x @ b)).sum() - 0.5 * b @ b
    force = jax.vmap(jax.grad(logp))
    def move(b, key):
        k1, k2, k3 = random.split(key, 3)
        p0 = random.normal(k1, b.shape)
        count = random.randint(k2, (), 3, 9)
        def leap(s, j):
            q, p = s
            h = p + 0.005 * force(q)
            q1 = q + 0.01 * h
            p1 = h + 0.005 * force(q1)
            on = j < count
            return (jnp.where(on, q1, q), jnp.where(on, p1, p)), None
        (q, p), _ = lax.scan(leap, (b, p0), jnp.arange(8))
        gain = jax.vmap(logp)(q) - jax.vmap(logp)(b) + 0.5 * ((p0 * p0).sum(1) - (p * p).sum(1))
        ok = jnp.log(random.uniform(k3, gain.shape)) < gain
        return jnp.where(ok[:, None], q, b), ok.mean()
    return lax.scan(move, beta, random.split(key, 8))


@row("random.key(5), n(40, 40), n(40)")
@row("random.key(5), n(40, 40, dtype='float64'), n(40, dtype='float64')", double=True)
def scan_of_gaussian_field_by_conditionals(key, a, x):
    """Gibbs over a precision matrix, one coordinate after the other, eight sweeps."""
    q = a @ a.T / 40 + jnp.eye(40, dtype=a.dtype)
    noise = random.normal(key, (8, 40), a.dtype)
    def sweep(x, z):
        def one(j, x):
            mean = -(q[j] @ x - q[j, j] * x[j]) / q[j, j]
            return x.at[j].set(mean + z[j] / jnp.sqrt(q[j, j]))
        x = lax.fori_loop(0, 40, one, x)
        return x, x
    return lax.scan(sweep, x, noise)[1]


@row("random.key(1), n(12), n(200)")
@row("random.split(random.key(1), 9), n(9, 12), n(200)", "vmap({0}, (0, 0, None))")
def slice_doubled_then_shrunk(key, x, data):
    logp = lambda x: -0.5 * (x * x).sum() - jnp.log1p((data[:, None] - x) ** 2).sum() / 300
    def coordinate(j, s):
        x, key = s
        key, k1, k2 = random.split(key, 3)
        at = lambda v: logp(x.at[j].set(v))
        level = logp(x) - random.exponential(k1)
        low = x[j] - random.uniform(k2)
        low, high, _ = lax.while_loop(
            lambda s: (s[2] < 6) & ((at(s[0]) > level) | (at(s[1]) > level)),
            lambda s: (2 * s[0] - s[1], 2 * s[1] - s[0], s[2] + 1), (low, low + 1, 0))
        def shrink(s):
            low, high, _, key, k = s
            key, now = random.split(key)
            v = low + (high - low) * random.uniform(now)
            ok = at(v) > level
            return jnp.where(ok | (v > x[j]), low, v), jnp.where(ok | (v <= x[j]), high, v), jnp.where(ok, v, x[j]), key, jnp.where(ok, 99, k + 1)
        new = lax.while_loop(lambda s: s[4] < 20, shrink, (low, high, x[j], key, 0))[2]
        return x.at[j].set(new), key
    return lax.fori_loop(0, 12, coordinate, (x, key))[0]


@row("random.key(0), n(300), n(40, scale=.5)")
@row("random.key(0), n(4001), n(15, scale=.5)")
def particles_of_volatility_with_residual_resampling(key, h, y):
    def step(s, t):
        h, key = s
        key, k1, k2 = random.split(key, 3)
        h = 0.95 * h + 0.3 * random.normal(k1, h.shape)
        logw = -0.5 * (h + t * t * jnp.exp(-h))
        w = nn.softmax(logw)
        whole = jnp.floor(w * h.size)
        rest = w * h.size - whole
        at = (jnp.arange(h.size) + random.uniform(k2)) / h.size
        left = jnp.searchsorted(jnp.cumsum(rest) / rest.sum(), at)
        slots = jnp.repeat(jnp.arange(h.size), whole.astype(jnp.int32), total_repeat_length=h.size)
        index = jnp.where(jnp.arange(h.size) < whole.sum(), slots, left.clip(0, h.size - 1))
        return (h[index], key), (nn.logsumexp(logw), w @ h, 1 / (w * w).sum())
    return lax.scan(step, (h, key), y)[1]


@row("random.key(7), n(64, 2)")
@row("random.key(7), n(64, 2, dtype='float64')", double=True)
def tempered_cloud_with_adapted_steps(key, x):
    """Particles moved from a normal to two rings; each temperature is found by bisection on the effective size."""
    logl = lambda x: -8 * jnp.minimum((jnp.linalg.norm(x - 1, axis=-1) - 1) ** 2, (jnp.linalg.norm(x + 1, axis=-1) - 1) ** 2)
    def stage(s, key):
        x, t = s
        k1, k2, k3 = random.split(key, 3)
        l = logl(x)
        size = lambda d: (lambda w: 1 / (w * w).sum())(nn.softmax(d * l))
        def halve(_, b):
            mid = (b[0] + b[1]) / 2
            big = size(mid) > 32
            return jnp.where(big, mid, b[0]), jnp.where(big, b[1], mid)
        d, _ = lax.fori_loop(0, 20, halve, (jnp.zeros((), x.dtype), 1 - t))
        x = x[random.categorical(k1, d * l, shape=(64,))]
        spread = jnp.linalg.cholesky(jnp.cov(x.T) + 1e-4 * jnp.eye(2, dtype=x.dtype))
        new = x + random.normal(k2, x.shape, x.dtype) @ spread.T
        logp = lambda x: (t + d) * logl(x) - 0.5 * (x * x).sum(-1)
        ok = jnp.log(random.uniform(k3, (64,), x.dtype)) < logp(new) - logp(x)
        return (jnp.where(ok[:, None], new, x), t + d), (d, ok.mean())
    return lax.scan(stage, (x, jnp.zeros((), x.dtype)), random.split(key, 9))


@row("random.key(3), i(2, 30, 70), n(70), n(30)")
def item_responses_by_augmented_normals(key, y, ability, difficulty):
    """Probit model of answers: truncated normals, then both sides by their conditionals."""
    def sweep(s, key):
        ability, difficulty = s
        k = random.split(key, 3)
        mean = ability - difficulty[:, None]
        u = random.uniform(k[0], y.shape, minval=1e-4, maxval=1 - 1e-4)
        p = jax.scipy.stats.norm.cdf(-mean)
        z = mean + jax.scipy.special.ndtri(jnp.clip(jnp.where(y == 1, p + u * (1 - p), u * p), 1e-5, 1 - 1e-5))
        ability = (z + difficulty[:, None]).sum(0) / 31 + random.normal(k[1], (70,)) / 31**0.5
        difficulty = (ability - z).sum(1) / 71 + random.normal(k[2], (30,)) / 71**0.5
        return (ability, difficulty), jnp.corrcoef(ability, y.mean(0))[0, 1]
    return lax.scan(sweep, (ability, difficulty), random.split(key, 10))


# ---- models --------------------------------------------------------------------------------------------------------------------

@row("n(2), n(40, 4), i(30, 600), i(10, 600)", "jax.value_and_grad({0}, (0, 1))")
@row("n(2), n(40, 4), i(30, 600), i(10, 600)", "jax.hessian({0}, 0)")
def team_strengths_with_home_advantage(theta, strength, pair, goals):
    home, away = pair, 39 - pair
    attack, defence, form, _ = (strength - strength.mean(0)).T
    rate = jnp.stack([theta[0] * 0.1 + attack[home] - defence[away], attack[away] - defence[home] + 0.1 * form[home]]) * 0.3
    dependence = jnp.log1p(jnp.exp(-goals * nn.softplus(theta[1])))
    return (goals * rate[0] - jnp.exp(rate[0]) - jnp.exp(rate[1]) + dependence).sum() - (strength**2).sum()


@row("n(70, 3), n(70), n(5)", "jax.value_and_grad({0}, 2)")
@row("n(70, 3, dtype='float64'), n(70, dtype='float64'), n(5, dtype='float64')", "jax.value_and_grad({0}, 2)", double=True)
@row("n(25, 3), n(25), n(5)", "jax.hessian({0}, 2)")
def student_process_evidence_with_lengths(x, y, theta):
    d = ((x[:, None] - x) / jnp.exp(theta[:3] * 0.3)) ** 2
    r = jnp.sqrt(d.sum(-1) + 1e-9)
    k = jnp.exp(theta[3]) * (1 + r + r * r / 3) * jnp.exp(-r) + (0.05 + jnp.exp(theta[4])) * jnp.eye(y.size, dtype=y.dtype)
    c = jnp.linalg.cholesky(k)
    a = jax.scipy.linalg.solve_triangular(c, y, lower=True)
    nu = 5.0
    return -0.5 * (nu + y.size) * jnp.log1p((a @ a) / (nu - 2)) - jnp.log(jnp.diag(c)).sum()


@row("n(9, 7), n(11, 5), n(99), n(3)", "jax.value_and_grad({0}, 3)")
@row("n(21, 2), n(32, 2), n(672), n(3)")
def process_on_grid_by_kronecker_eigenvectors(u, v, y, theta):
    k = lambda a, l: jnp.exp(-((a[:, None] - a) ** 2).sum(-1) / jnp.exp(l)) + 1e-3 * jnp.eye(a.shape[0])
    (wa, qa), (wb, qb) = jnp.linalg.eigh(k(u, theta[0])), jnp.linalg.eigh(k(v, theta[1]))
    w = wa[:, None] * wb + jnp.exp(theta[2])
    t = qa.T @ y.reshape(u.shape[0], -1) @ qb
    return -0.5 * (t * t / w).sum() - 0.5 * jnp.log(w).sum()


@row("random.key(0), n(6), n(31, 6)", "jax.value_and_grad(lambda k, m, s: {0}(k, m, s), (1, 2))")
def bound_with_low_rank_guide_and_banana(key, mean, factor):
    """31 draws through a guide with three columns and a diagonal, on a twisted target."""
    low, diag = factor[:3] * 0.3, jnp.exp(factor[3])
    e1, e2 = random.normal(key, (31, 3)), random.normal(random.fold_in(key, 1), (31, 6))
    z = mean + e1 @ low + e2 * diag
    logp = -0.5 * (z[:, 0] ** 2 + (z[:, 1:] - 0.3 * z[:, :-1] ** 2).clip(-9, 9).sum(1) ** 2 + 0.1 * (z * z).sum(1))
    cov = low.T @ low + jnp.diag(diag**2)
    return logp.mean() + 0.5 * jnp.linalg.slogdet(cov)[1] + 0 * factor.sum()


@row("n(300, 5), i(4, 300), n(4, 5), n(4, 15)", "grad({0}, (2, 3))")
@row("n(300, 5), i(4, 300), n(4, 5), n(4, 15)")
def quadratic_discriminant_by_packed_factors(x, y, mean, packed):
    l = jnp.zeros((4, 5, 5)).at[:, *jnp.tril_indices(5)].set(packed * 0.3) + 2 * jnp.eye(5)
    z = jax.vmap(lambda l, m: jax.scipy.linalg.solve_triangular(l, (x - m).T, lower=True))(l, mean)
    logits = -0.5 * (z * z).sum(1).T - jnp.log(jnp.abs(jnp.diagonal(l, axis1=1, axis2=2))).sum(1)
    return -jnp.take_along_axis(nn.log_softmax(logits), y[:, None], 1).mean()


@row("n(20, 3), i(20, 500), i(3, 500), n(500)")
def hierarchy_by_expectation_and_moments(effects, group, kind, y):
    """Random effects by EM: means and variances of 20 groups in three kinds."""
    hot = nn.one_hot(group, 20)[:, :, None] * nn.one_hot(kind, 3)[:, None]
    count, total = hot.sum(0), (hot * y[:, None, None]).sum(0)
    def step(s, _):
        mu, tau, sigma = s
        precision = count / sigma + 1 / tau
        m = (total / sigma + mu / tau) / precision
        mu = m.mean(0)
        tau = ((m - mu) ** 2 + 1 / precision).mean(0)
        sigma = (y * y - 2 * y * m[group, kind]).mean() + (count * (m * m + 1 / precision)).sum() / y.size
        return (mu, tau, sigma), m.std()
    return lax.scan(step, (effects.mean(0), jnp.ones(3), 1.0), None, length=25)


# ---- equations in time ---------------------------------------------------------------------------------------------------------

def oscillating_chemistry(y, a=2.0, b=5.4):
    u, v = y[..., 0], y[..., 1]
    return jnp.stack([a + u * u * v - (b + 1) * u, b * u - u * u * v], -1)


@row("abs(n(30, 2)) + .5")
@row("abs(n(2)) + .5")
@row("abs(n(1001, 2, dtype='float64')) + .5", double=True)
def each_trajectory_with_its_own_step(y):
    """Bogacki and Shampine's pair in one while loop; trajectories that are done wait."""
    f = oscillating_chemistry
    def more(s):
        return (s[1] < 1).any() & (s[3] < 200)
    def step(s):
        y, t, h, k = s
        h = jnp.minimum(h, 1 - t)
        e = h[..., None]
        k1 = f(y)
        k2 = f(y + e / 2 * k1)
        k3 = f(y + 0.75 * e * k2)
        new = y + e * (2 * k1 + 3 * k2 + 4 * k3) / 9
        error = jnp.abs(e * (-5 * k1 / 72 + k2 / 12 + k3 / 9 - f(new) / 8)).max(-1) / 1e-3
        ok = (error <= 1) & (t < 1)
        h = h * jnp.clip(0.9 * (error + 1e-9) ** (-1 / 3), 0.3, 4)
        return jnp.where(ok[..., None], new, y), jnp.where(ok, t + e[..., 0], t), jnp.maximum(h, 1e-4), k + 1
    zero = jnp.zeros(y.shape[:-1], y.dtype)
    y, t, _, k = lax.while_loop(more, step, (y, zero, zero + 0.05, 0))
    return y, t, k


@row("abs(n(40, 3)) + .1")
@row("abs(n(3, dtype='float64')) + .1", double=True)
@row("abs(n(5, 3)) + .1", "lambda y: jax.jvp({0}, (y,), (jnp.ones_like(y),))")
def diagonal_stages_with_frozen_jacobian(y):
    """SDIRK of two stages, three Newton steps each with one inverse a step, stiff kinetics of three species."""
    y = jnp.atleast_2d(y)
    def f(y):
        a, b, c = y
        return jnp.stack([-0.04 * a + 9 * b * c, 0.04 * a - 9 * b * c - 20 * b * b, 20 * b * b])
    g, h = 1 - 0.5**0.5, 0.02
    def one(y, _):
        inverse = jnp.linalg.inv(jnp.eye(3, dtype=y.dtype) - h * g * jax.jacfwd(f)(y))
        def stage(base):
            newton = lambda _, k: k - inverse @ (k - f(base + h * g * k))
            return lax.fori_loop(0, 3, newton, f(y))
        k1 = stage(y)
        k2 = stage(y + h * (1 - g) * k1)
        y = y + h * ((1 - g) * k1 + g * k2)
        return y, y.sum()
    return jax.vmap(lambda y: lax.scan(one, y, None, length=25))(y)


@row("n(24), n(24, 24, scale=.2)", "jax.value_and_grad(lambda y, w: ({0}(y, w) ** 2).sum(), 1)")
@row("n(24, 40), n(24, 24, scale=.2)", "jax.value_and_grad(lambda y, w: ({0}(y, w) ** 2).sum(), 1)")
def adjoint_of_midpoint_steps_by_custom_rule(y, w):
    """Forward by 30 midpoint steps, backward by solving the adjoint equation with the state run back."""
    f = lambda y, w: jnp.tanh(w @ y) - 0.1 * y
    def go(y, w, h):
        def step(y, _):
            return y + h * f(y + h / 2 * f(y, w), w), None
        return lax.scan(step, y, None, length=30)[0]
    @jax.custom_vjp
    def flow(y, w):
        return go(y, w, 0.05)
    def forward(y, w):
        end = flow(y, w)
        return end, (end, w)
    def backward(saved, a):
        y, w = saved
        def step(s, _):
            y, a, g = s
            _, pull = jax.vjp(f, y, w)
            ay, aw = pull(a)
            return (y - 0.05 * f(y, w), a + 0.05 * ay, g + 0.05 * aw), None
        (_, a, g), _ = lax.scan(step, (y, a, jnp.zeros_like(w)), None, length=30)
        return a, g
    flow.defvjp(forward, backward)
    return flow(y, w)


@row("random.key(0), n(500, 2)")
@row("random.key(0), n(7, 2)")
@row("random.key(0), n(60, 2, dtype='float64')", double=True)
def stochastic_runge_kutta_of_noisy_predators(key, x):
    """Strong order 1 with derivatives replaced by supporting values, noise drawn beforehand."""
    drift = lambda x: jnp.stack([x[:, 0] * (1 - x[:, 1]), x[:, 1] * (x[:, 0] - 1)], 1) * 0.5
    noise = lambda x: 0.2 * jnp.sqrt(1 + x * x)
    dw = random.normal(key, (40, *x.shape), x.dtype) * 0.1
    def step(x, w):
        a, b = drift(x), noise(x)
        support = x + 0.01 * a + 0.1 * b
        x = jnp.tanh((x + 0.01 * a + b * w + (noise(support) - b) * (w * w - 0.01) / 0.2) / 4) * 4
        return x, x.mean(0)
    return lax.scan(step, x, dw)


@row("n(3, 50), n(3)", "jax.jacfwd({0}, 1)")
@row("n(3, 50), n(3)", "jax.jacrev({0}, 1)")
@row("n(3, 50), n(3)", "jax.hessian(lambda y, p: {0}(y, p).sum(), 1)")
def sensitivities_of_infected_to_rates(y, p):
    s, i, r = nn.softmax(y, 0)
    beta, gamma, wane = nn.sigmoid(p)
    def step(x, _):
        s, i, r = x
        new, well, lost = 0.3 * beta * s * i, 0.1 * gamma * i, 0.05 * wane * r
        return (s - new + lost, i + new - well, r + well - lost), i.mean()
    return lax.scan(step, (s, i, r), None, length=60)[1]


@row("n(12, 3), n(12, 3, seed=1), abs(n(12)) + .5")
@row("n(4, 3, dtype='float64'), n(4, 3, dtype='float64', seed=1), abs(n(4, dtype='float64')) + .5", double=True)
def stars_by_fourth_order_composition(x, v, m):
    """Yoshida's three leapfrogs with softened pulls, and the energy after each."""
    def pull(x):
        d = x[None] - x[:, None]
        r = ((d * d).sum(-1) + 0.05) ** -1.5
        return jnp.einsum("ijk,ij,j->ik", d, r, m)
    c = 2 ** (1 / 3)
    weights = 1 / (2 - c), -c / (2 - c), 1 / (2 - c)
    def step(s, _):
        x, v = s
        for w in weights:
            x = x + 0.005 * w * v
            v = v + 0.01 * w * pull(x)
            x = x + 0.005 * w * v
        return (x, v), 0.5 * (m[:, None] * v * v).sum()
    return lax.scan(step, (x, v), None, length=30)


@row("n(31), n(31, seed=2)")
@row("n(8, 31), n(8, 31, seed=2)", "vmap({0})")
def boundary_value_by_newton_and_tridiagonal(u, load):
    """u'' = exp(u) - load on a line, Newton with Thomas elimination by scans."""
    h2 = 1 / 32**2
    def solve(diag, rhs):
        def down(s, t):
            c, d = s
            q, r = t
            w = 1 / (q - c)
            return (w, (r - d) * w), (w, (r - d) * w)
        _, (c, d) = lax.scan(down, (0.0, 0.0), (diag, rhs))
        def up(x, t):
            x = t[1] - t[0] * x
            return x, x
        return lax.scan(up, 0.0, (c, d), reverse=True)[1]
    def newton(u, _):
        lap = jnp.pad(u, 1)[2:] + jnp.pad(u, 1)[:-2] - 2 * u
        residual = lap - h2 * (jnp.exp(u) - load)
        step = solve(-2 - h2 * jnp.exp(u), -residual)
        return u + step, jnp.abs(residual).max()
    return lax.scan(newton, u * 0.1, None, length=6)
