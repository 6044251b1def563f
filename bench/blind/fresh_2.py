"""fresh_2.py: sampling and filters, processes, differential equations, fields, particles, molecules, quanta, matrices, control,
robots; one-liners of odd shapes and types."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    "f64: lambda a, b: jnp.linalg.solve(a + 9 * jnp.eye(9), b) @@ n(31, 9, 9, dtype='float64'), n(31, 9, 2, dtype='float64')",
    "lambda x: jnp.linalg.det(x @ x.mT + jnp.eye(4)) ** .5 @@ n(701, 4, 6)",
    "lambda a: jnp.linalg.slogdet(a)[1] + jnp.linalg.cond(a @ a.mT + jnp.eye(6), 'fro') @@ n(57, 6, 6)",
    "grad(lambda a, b: jax.scipy.linalg.solve_triangular(jnp.tril(a) + 9 * jnp.eye(23), b, lower=True), (0, 1)) @@ n(23, 23), n(23, 5)",
    "lambda c, x: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(c), True), x) @@ definite(11, 17), n(11, 17, 3)",
    "lambda x, t: jnp.polyval(x[::-1], t[:, None]) * jnp.exp(-t[:, None] ** 2) @@ n(7, 41), n(301)",
    "lambda u: u + .1 * (jnp.diff(u, 2, 0, prepend=u[:1], append=u[-1:]) + jnp.diff(u, 2, 1, prepend=u[:, :1], append=u[:, -1:])) @@ n(77, 91)",
    "lambda u: sum(jnp.roll(u, s, a) for a in range(3) for s in (1, -1)).astype('float16') - 6 * u @@ n(23, 29, 31, dtype='float16')",
    "f64: lambda x: jnp.fft.ifft2(jnp.fft.fft2(x) * jnp.exp(-jnp.arange(36) / 9.)).real @@ n(3, 45, 36, dtype='float64')",
    "vmap(jax.grad(lambda x, y: jnp.exp(-((x - y) ** 2).sum()) / (1 + x @ y)), (0, None)) @@ n(401, 7, scale=.3), n(7, scale=.1)",
    "jax.hessian(lambda x: nn.logsumexp(x) + .5 * (x[1:] * x[:-1]).sum()) @@ n(37)",
    "lambda r: (lambda d: jnp.where(d > 0, d ** -6 - d ** -3, 0).sum(1))(((r[:, None] - r) ** 2).sum(-1) + 9 * jnp.eye(90)) @@ n(90, 3, scale=3.)",
    "lambda k: random.gamma(k, 2.5, (37, 11)) / random.exponential(k, (11,)).clip(.1) @@ key",
    "lambda k: jnp.sort(random.permutation(k, 501)[:99]) + random.choice(k, 7, (99,), p=jnp.arange(1., 8) / 28) @@ key",
    "lambda k, m: random.multivariate_normal(k, m, jnp.eye(5) + .3, (211,)).mean(0) @@ key, n(5)",
    "lambda x: js.stats.norm.logcdf(x) + js.stats.t.logpdf(x, 4.) - js.stats.laplace.cdf(x) @@ n(83, 61)",
    "lambda x: js.special.logit(nn.sigmoid(x)) - js.special.ndtri(nn.sigmoid(x) * .98 + .01) @@ n(3001)",
    "lambda z, w: jnp.einsum('sab,sbc,sdc->sad', z, w, z.conj()) @@"
    " lax.complex(n(50, 4, 4), n(50, 4, 4, seed=1)), lax.complex(n(50, 4, 4), n(50, 4, 4))",
    "lambda x: jnp.trapezoid(jnp.sin(x) ** 2, dx=.01, axis=0) / jnp.ptp(x, axis=0) @@ n(501, 33)",
    "lambda y: ode.odeint(lambda y, t, a: jnp.stack([y[1], -a * y[0] - .1 * y[1]]), y, jnp.linspace(0., 2., 9), 3.) @@ n(2, 15)",
    "lambda x, c: jnp.bincount(jnp.argmin(jnp.abs(x[:, None] - c), 1), jnp.cos(x), length=19) @@ n(4001), n(19)",
    "f64: lambda x: (x ** 3).at[:, 0].set(x.sum(1)).astype('float32').astype('float64') - x @@ n(333, 47, dtype='float64')",
    "lambda a, s: lax.while_loop(lambda t: (jnp.abs(t[0] - t[1]) > 1e-4).any(), lambda t: ((t[0] + a / t[0]) / 2, t[0]), (s, s + 1))[0]"
    " @@ abs(n(2003)) + .2, abs(n(2003)) + 1",
    "lambda x: jnp.corrcoef(x.astype('float32'))[jnp.triu_indices(23, 1)] @@ n(23, 401, dtype='bfloat16')",
    "lambda a, b: jnp.cross(a[:, None], b[None]).sum(1) / 41 @@ n(61, 3), n(41, 3)",
    "lambda q: jnp.where(q[..., :1] < 0, -q, q) / jnp.linalg.norm(q, axis=-1, keepdims=True).mean(0) @@ n(5, 303, 4)",
    "lambda x: jnp.block([[x, x.T], [jnp.eye(39), -x @ x]]) @ jnp.ones(78) @@ n(39, 39)",
    "lambda t, x: jnp.einsum('ijk,...j,...k->...i', t, x, x) @@ n(5, 6, 6), n(7, 83, 6)",
    "vmap(lambda p, t: ((jnp.linalg.inv(p) @ t) * t).sum(0)) @@ definite(83, 3), n(83, 3, 7)",
    "lambda x, e: jax.jvp(jnp.linalg.inv, (x,), (e,)) @@ definite(41, 7), n(41, 7, 7)",
    "f64: jax.jacrev(lambda w: jax.scipy.linalg.expm(w - w.T)[0]) @@ n(5, 5, dtype='float64')",
    "lambda x, v: lax.scan(lambda s, _: ((s[0] + .01 * s[1], s[1] - .01 * jnp.sin(s[0])), None), (x, v), None, length=200)[0] @@ n(37, 3), n(37, 3)",
    "lambda x: (lambda f: jnp.stack([(f * k).sum(-1) for k in (1, -1, 1j)]))(fft.fft(x, axis=-1)[..., :8]).real @@ n(29, 5, 60)",
    "lambda r, l: jnp.exp(-(r / jnp.exp(l)[:, None, None]) ** 2).sum(-1).T @@ n(101, 33), n(6)",
    "lambda m, x: jnp.sqrt(((x - m) @ jnp.linalg.inv(jnp.cov(x.T)) * (x - m)).sum(1)) @@ n(6), n(1301, 6)",
    "lambda p: -(p * jnp.log2(p + 1e-12)).sum((1, 2)) @@ nn.softmax(n(67, 21, 17), (1, 2))",
    "lambda s, h: (lambda e: jnp.exp(-e + e.min()) / jnp.exp(-e + e.min()).sum())(-(s @ h) - (s[:, 1:] * s[:, :-1]).sum(1))"
    " @@ (i(1024, 1024)[:, None] >> jnp.arange(10) & 1) * 2. - 1, n(10)",
    "lambda u: (u[:, 1:-1] ** 2 - u[:, :-2] * u[:, 2:]).astype('bfloat16').max(0) @@ n(131, 211, dtype='bfloat16')",
    "lambda z: jnp.abs(jnp.vander(jnp.exp(1j * z), 24) @ jnp.ones(24)) / 24 @@ n(1003)",
    "lambda k: (lambda w: jnp.cumsum(w, 1) - jnp.linspace(0, 1, 90) * w.sum(1, keepdims=True))(random.normal(k, (53, 90))) @@ key",
    "lambda q, p: jnp.einsum('nij,nj->ni', 2 * q[:, 1:, None] * q[:, None, 1:] + (2 * q[:, :1, None] ** 2 - 1) * jnp.eye(3), p) @@ n(999, 4), n(999, 3)",
    "lambda x: jnp.where(jnp.abs(x) < .1, 1 - x * x / 6, jnp.sin(x) / jnp.where(x == 0, 1, x)).astype('float16') @@ n(77, 311, dtype='float16')",
    "grad(lambda x, c: jnp.min(((x[:, None] - c) ** 2).sum(-1), 1), 1) @@ n(507, 4), n(11, 4)",
    "lambda a, x, b: lax.fori_loop(0, 40, lambda _, x: .6 * x + .4 * (b - a @ x + jnp.diag(a) * x) / jnp.diag(a), x) @@ definite(0, 45), n(45), n(45)",
]


# ---- samplers --------------------------------------------------------------------------------------------------------------

@row("random.key(0), n(24, 5), n(60, 5), n(60)")
def langevin_of_regression_with_tails(key, w, x, y):
    logp = lambda w: -jnp.log1p((x @ w - y) ** 2 / 3).sum() * 2 - 0.5 * w @ w
    force = jax.vmap(jax.value_and_grad(logp))
    def step(s, key):
        w, lp, g = s
        k1, k2 = random.split(key)
        new = w + 0.01 * g + 0.02 ** 0.5 * random.normal(k1, w.shape)
        lp1, g1 = force(new)
        log_q = (-((w - new - 0.01 * g1) ** 2) + (new - w - 0.01 * g) ** 2).sum(1) / 0.04
        ok = jnp.log(random.uniform(k2, (24,))) < lp1 - lp + log_q
        pick = lambda a, b: jnp.where(ok.reshape(-1, *[1] * (a.ndim - 1)), a, b)
        return (pick(new, w), pick(lp1, lp), pick(g1, g)), ok.mean()
    (w, lp, _), ok = lax.scan(step, (w, *force(w)), random.split(key, 40))
    return w, lp, ok


@row("random.key(4), n(7, 3), n(120, 3), n(7)")
def draws_leapfrogged_under_dense_mass(key, q, data, tune):
    mass = jnp.cov(data.T) + 0.1 * jnp.eye(3)
    chol = jnp.linalg.cholesky(jnp.linalg.inv(mass))
    potential = lambda q: 0.5 * (q ** 4).sum() + jnp.sin(data @ q).mean()
    def one(key, q, t):
        eps = 0.1 * jnp.exp(0.1 * t)
        p = chol @ random.normal(key, (3,))
        def leap(_, s):
            q, p = s
            p = p - eps / 2 * jax.grad(potential)(q)
            q = q + eps * mass @ p
            return q, p - eps / 2 * jax.grad(potential)(q)
        energy = lambda q, p: potential(q) + 0.5 * p @ mass @ p
        q1, p1 = lax.fori_loop(0, 11, leap, (q, p))
        ok = random.exponential(key) > energy(q1, p1) - energy(q, p)
        return jnp.where(ok, q1, q)
    return jax.vmap(one)(random.split(key, 7), q, tune)


@row("random.key(0), abs(n(30)) + 1, i(25, 30)")
def rates_and_hyper_rate_by_gibbs(key, exposure, count):
    def sweep(s, key):
        beta, _ = s
        k1, k2 = random.split(key)
        rate = random.gamma(k1, 1.8 + count) / (exposure + beta)
        return (random.gamma(k2, 30 * 1.8 + 0.1) / (rate.sum() + 1), rate), beta
    return lax.scan(sweep, (jnp.float32(1), jnp.ones(30)), random.split(key, 20))


@row("random.key(2), n(400), n(45, scale=.4)")
def stratified_particles_of_growth_model(key, x, observed):
    def step(s, t):
        x, key = s
        key, k1, k2 = random.split(key, 3)
        x = x / 2 + 25 * x / (1 + x * x) + random.normal(k1, x.shape)
        w = nn.softmax(-0.5 * (t - x * x / 20) ** 2)
        u = (jnp.arange(400) + random.uniform(k2, (400,))) / 400
        return (x[jnp.searchsorted(jnp.cumsum(w), u).clip(0, 399)], key), (w @ x, 1 / (w * w).sum())
    return lax.scan(step, (x, key), observed)[1]


@row("random.key(8), n(40, 6)")
def ensemble_by_walk_and_snooker(key, x):
    logp = lambda x: -0.5 * (x[:, ::2] ** 2 * 3).sum(1) - ((x[:, 1::2] - x[:, ::2] ** 2) ** 2).sum(1)
    def move(x, key):
        k = random.split(key, 3)
        a, b = x[random.permutation(k[0], 40)], x[random.permutation(k[1], 40)]
        new = x + 0.7 * (a - b) + 1e-3 * random.normal(k[2], x.shape)
        ok = jnp.log(random.uniform(k[2], (40,))) < logp(new) - logp(x)
        return jnp.where(ok[:, None], new, x), logp(x).max()
    return lax.scan(move, x, random.split(key, 30))


@row("random.key(1), n(100, 2), n(3, 2), i(3, 100)")
def clusters_by_blocked_gibbs(key, x, mean, label):
    def sweep(s, key):
        mean, label = s
        k1, k2, k3 = random.split(key, 3)
        one = nn.one_hot(label, 3)
        count = one.sum(0)
        weight = random.dirichlet(k1, 1 + count)
        mean = (one.T @ x + random.normal(k2, (3, 2)) * jnp.sqrt(count + 1)[:, None]) / (count + 1)[:, None]
        logits = jnp.log(weight) - 0.5 * ((x[:, None] - mean) ** 2).sum(-1)
        return (mean, random.categorical(k3, logits)), weight
    return lax.scan(sweep, (mean, label), random.split(key, 15))


# ---- Bayesian models, processes ----------------------------------------------------------------------------------------------

@row("n(300), n(300, seed=1), n(300, 8), n(8, scale=9.), abs(n(8)) * 3 + 8",
     "vmap(jax.value_and_grad({0}, (0, 1, 2)), (0, 0, 0, None, None))")
@row("n(200), n(200), n(200, 8), n(8, scale=9.), abs(n(8)) * 3 + 8", "vmap(jax.hessian({0}, 2), (0, 0, 0, None, None))")
def schools_without_centre(mu, log_tau, z, effect, error):
    theta = 5 * mu + jnp.exp(log_tau) * z
    lp = -0.5 * ((effect - theta) / error) ** 2 - jnp.log(error) - 0.5 * z * z
    return lp.sum() - 0.5 * mu * mu + log_tau - jnp.log1p(jnp.exp(2 * log_tau) / 25)


@row("n(5), n(1200, 5), i(2, 1200), n(37), i(37, 1200), n()", "jax.value_and_grad({0}, (0, 3, 5))")
def logits_with_varying_intercepts(beta, x, y, offset, group, log_scale):
    eta = x @ beta + jnp.exp(log_scale) * offset[group]
    return (y * eta - nn.softplus(eta)).sum() - 0.5 * (beta ** 2).sum() - 0.5 * (offset ** 2).sum() - jnp.exp(log_scale)


@row("n(90, 2), n(90), n(4), n(31, 2, seed=3)")
def process_of_products_of_kernels(x, y, theta, new):
    s = jnp.exp(0.3 * theta)
    def kernel(a, b):
        d = jnp.abs(a[:, None] - b)
        return s[0] * jnp.exp(-2 * jnp.sin(d[..., 0] / s[1]) ** 2) * (1 + d[..., 1] / s[2]) * jnp.exp(-d[..., 1] / s[2])
    c = jnp.linalg.cholesky(kernel(x, x) + s[3] * jnp.eye(90))
    alpha = jax.scipy.linalg.cho_solve((c, True), y)
    v = jax.scipy.linalg.solve_triangular(c, kernel(x, new), lower=True)
    return kernel(new, x) @ alpha, s[0] - (v * v).sum(0), -0.5 * y @ alpha - jnp.log(jnp.diag(c)).sum()


@row("n(50, 1), jnp.sign(n(50)), n()", "jax.value_and_grad(lambda x, y, s: {0}(x, y, s), 2)")
def mode_of_latent_process_by_newton(x, y, s):
    k = jnp.exp(-((x - x.T) ** 2) * jnp.exp(s)) + 1e-3 * jnp.eye(50)
    def step(_, f):
        p = nn.sigmoid(f)
        w = p * (1 - p)
        b = w * f + (y + 1) / 2 - p
        r = jnp.sqrt(w)
        c = jnp.linalg.cholesky(jnp.eye(50) + r[:, None] * k * r)
        return k @ (b - r * jax.scipy.linalg.cho_solve((c, True), r * (k @ b)))
    f = lax.fori_loop(0, 6, step, jnp.zeros(50))
    return nn.log_sigmoid(y * f).sum() - 0.5 * f @ jnp.linalg.solve(k, f)


@row("n(700), abs(n(700)) + .2, n(3)", "jax.value_and_grad({0}, 2)")
def irregular_series_by_damped_process(y, gap, theta):
    decay, q, r = jnp.exp(-jnp.exp(0.2 * theta[0]) * gap), jnp.exp(theta[1]), jnp.exp(theta[2])
    def step(s, t):
        m, p = s
        y, a = t
        m, p = a * m, a * a * p + q * (1 - a * a)
        v = p + r
        g = p / v
        return (m + g * (y - m), p * (1 - g)), -0.5 * ((y - m) ** 2 / v + jnp.log(v))
    return lax.scan(step, (0.0, q), (y, decay))[1].sum()


@row("random.key(0), n(9, 4), n(9), n(4), n(4)", "jax.value_and_grad({0}, (3, 4))")
def variational_bound_with_antithetic_draws(key, x, y, mean, log_std):
    eps = random.normal(key, (16, 4))
    w = mean + jnp.exp(log_std) * jnp.concatenate([eps, -eps])
    loglik = -0.5 * ((w @ x.T - y) ** 2).sum(1)
    return (loglik - 0.5 * (w * w).sum(1)).mean() + log_std.sum()


@row("random.key(0), i(3, 150, 20), n(150, 4)")
def importance_of_columns_by_permutation(key, x, w):
    score = lambda x: (jnp.tanh(x[:, :4] - 1) * w).sum(1)
    base = score(x)
    def one(j, key):
        return ((score(x.at[:, j].set(random.permutation(key, x[:, j]))) - base) ** 2).mean()
    return jax.vmap(one)(jnp.arange(20), random.split(key, 20))


# ---- filters ----------------------------------------------------------------------------------------------------------------

@row("n(6, 80, 2), n(4, 4, scale=.1), n(2, 4)", "vmap({0}, (0, None, None))")
@row("n(1, 33, 2, dtype='float64'), n(4, 4, scale=.1), n(2, 4)", "vmap({0}, (0, None, None))", double=True)
def tracks_filtered_then_smoothed(z, a, h):
    a = jnp.eye(4) + a
    def step(s, z):
        m, p = s
        m, p = a @ m, a @ p @ a.T + 0.1 * jnp.eye(4)
        k = jnp.linalg.solve(h @ p @ h.T + jnp.eye(2), h @ p).T
        new = (m + k @ (z - h @ m), p - k @ h @ p)
        return new, (m, p, *new)
    _, (mp, pp, mf, pf) = lax.scan(step, (jnp.zeros(4), jnp.eye(4)), z)
    def back(s, t):
        mp, pp, m, p = t
        g = jnp.linalg.solve(pp, a @ p).T
        return (m + g @ (s[0] - mp), m), s[0]
    return lax.scan(back, (mf[-1], mf[-1]), (mp, pp, mf, pf), reverse=True)[1]


@row("n(50), n(3), abs(n(3, 3)) + .1, n(3)", "jax.value_and_grad({0}, (1, 2, 3))")
def regimes_switching_in_series(y, mean, turn, log_std):
    turn = jnp.log(turn / turn.sum(1, keepdims=True))
    like = -0.5 * ((y[:, None] - mean) / jnp.exp(log_std)) ** 2 - log_std
    step = lambda a, l: (nn.logsumexp(a[:, None] + turn, 0) + l, None)
    return nn.logsumexp(lax.scan(step, like[0], like[1:])[0])


@row("n(30, 40), n(30, 7), n(7, 40)")
@row("n(30, 40), n(30, 7), n(7, 40)", "grad({0}, (0, 2))")
def ensemble_updated_with_tapered_covariance(x, y, h):
    a = x - x.mean(0)
    distance = jnp.abs(jnp.arange(40)[:, None] - jnp.arange(40))
    c = a.T @ a / 29 * jnp.exp(-distance / 6.0)
    gain = jnp.linalg.solve(h @ c @ h.T + jnp.eye(7), h @ c).T
    return x + (y - x @ h.T) @ gain.T


@row("n(800, 3, scale=.1), n(800, 3) + jnp.array([0., 0., 9.8]), n(800, 3, seed=1)")
def attitude_from_gyro_by_gradient_steps(gyro, down, north):
    def step(q, t):
        w, a, m = t
        a = a / jnp.linalg.norm(a)
        f = jnp.array([2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[0] * q[1] + q[2] * q[3]), 2 * (0.5 - q[1] ** 2 - q[2] ** 2)]) - a
        g = jnp.array([-2 * q[2] * f[0] + 2 * q[1] * f[1], 2 * q[3] * f[0] + 2 * q[0] * f[1] - 4 * q[1] * f[2],
                       -2 * q[0] * f[0] + 2 * q[3] * f[1] - 4 * q[2] * f[2], 2 * q[1] * f[0] + 2 * q[2] * f[1]])
        rate = 0.5 * jnp.array([-q[1:] @ w, *(q[0] * w + jnp.cross(q[1:], w))])
        q = q + 0.01 * (rate - 0.1 * g / (jnp.linalg.norm(g) + 1e-6))
        return q / jnp.linalg.norm(q), m @ q[1:]
    return lax.scan(step, jnp.array([1.0, 0, 0, 0]), (gyro, down, north))


# ---- ordinary and stochastic equations -----------------------------------------------------------------------------------------

@row("abs(n(40, 3)) + .1", "vmap({0})")
@row("abs(n(5, 3)) + .1", "vmap(jax.jacfwd(lambda y: {0}(y)[0]))")
@row("abs(n(9, 3, dtype='float64')) + .1", "vmap({0})", double=True)
def food_chain_by_adaptive_pairs(y):
    def f(y):
        a, b = y[0] * y[1] / (1 + 3 * y[0]), y[1] * y[2] / (1 + 2 * y[1])
        return jnp.stack([y[0] * (1 - y[0]) - a, a - b - 0.4 * y[1], b - 0.01 * y[2]])
    def step(s, _):
        y, h, t = s
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + 0.75 * h * k2)
        new = y + h / 9 * (2 * k1 + 3 * k2 + 4 * k3)
        error = jnp.abs(h * (-5 / 72 * k1 + k2 / 12 + k3 / 9 - f(new) / 8)).max()
        ok = error < 1e-3
        return (jnp.where(ok, new, y), h * jnp.clip(0.9 * (1e-3 / (error + 1e-9)) ** (1 / 3), 0.3, 3), t + ok * h), ok
    return lax.scan(step, (y, 0.1, 0.0), None, length=40)[0]


@row("random.key(0), n(300), .3")
def mean_reversion_with_jumps(key, x, dt):
    def step(x, key):
        a, b, c = random.split(key, 3)
        jump = (random.uniform(b, x.shape) < 0.1) * random.laplace(c, x.shape)
        return x + dt * (0.5 - x) + 0.2 * dt ** 0.5 * random.normal(a, x.shape) + jump, jnp.quantile(x, 0.9)
    return lax.scan(step, x, random.split(key, 50))


@row("n(4), n(4, 20, scale=.3), n(20, 4, scale=.3), n(30, 4)", "jax.value_and_grad({0}, (0, 1, 2))")
def neural_field_fitted_by_fourth_order_steps(y, w1, w2, target):
    f = lambda y: jnp.tanh(y @ w1) @ w2 - 0.1 * y
    @jax.checkpoint
    def step(y, goal):
        k1 = f(y)
        k2 = f(y + 0.05 * k1)
        k3 = f(y + 0.05 * k2)
        y = y + (k1 + 2 * k2 + 2 * k3 + f(y + 0.1 * k3)) / 60
        return y, ((y - goal) ** 2).sum()
    return lax.scan(step, y, target)[1].mean()


@row("n(12, 6, scale=.2)", double=True)
def stiff_ring_by_backward_steps(y):
    f = lambda y: 50 * (jnp.roll(y, 1, 0) - 2 * y + jnp.roll(y, -1, 0)) - y ** 3
    def step(y, _):
        def newton(_, z):
            g = lambda z: z - (y + 0.05 * f(z.reshape(y.shape))).ravel()
            return z - jnp.linalg.solve(jax.jacfwd(g)(z), g(z))
        return lax.fori_loop(0, 2, newton, y.ravel()).reshape(y.shape), (y ** 2).sum()
    return lax.scan(step, y, None, length=4)


@row("n(64, 2), n(64, 2, seed=1)")
def charges_circling_in_tilted_field(x, v):
    field = lambda x: jnp.stack([-x[:, 0] + 0.2 * x[:, 1], -0.5 * x[:, 1] ** 3], 1)
    def push(s, _):
        x, v = s
        half = v + 0.05 * field(x)
        t = 0.05 * (1 + 0.1 * x[:, :1])
        c, q = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        v = jnp.concatenate([c * half[:, :1] + q * half[:, 1:], -q * half[:, :1] + c * half[:, 1:]], 1) + 0.05 * field(x)
        return (x + 0.1 * v, v), (v * v).sum(1).mean()
    return lax.scan(push, (x, v), None, length=100)


# ---- fields ---------------------------------------------------------------------------------------------------------------------

@row("n(64, 48), n(64, 48, seed=1)")
def two_species_with_drift_and_walls(u, v):
    lap = lambda f: sum(jnp.pad(f, 1, mode="edge")[1 + a:65 + a, 1 + b:49 + b] for a, b in ((0, 1), (0, -1), (1, 0), (-1, 0))) - 4 * f
    def step(_, s):
        u, v = s
        r = u * u * v / (1 + u * u)
        return u + 0.1 * (lap(u) + r - u), v + 0.1 * (4 * lap(v) + 0.7 - r) - 0.02 * (v - jnp.roll(v, 1, 0))
    return lax.fori_loop(0, 25, step, (u, v))


@row("n(3, 200, scale=.1) + jnp.array([[1.], [0.], [2.5]])")
@row("n(5, 3, 40, scale=.1) + jnp.array([[1.], [0.], [2.5]])", "vmap({0})")
def gas_in_tube_by_two_wave_fluxes(q):
    def flux(q):
        rho, m, e = q
        p = 0.4 * (e - m * m / rho / 2)
        return jnp.stack([m, m * m / rho + p, (e + p) * m / rho]), jnp.abs(m / rho) + jnp.sqrt(1.4 * jnp.maximum(p, 0.01) / rho)
    def step(q, _):
        f, c = flux(q)
        speed = jnp.maximum(c[1:], c[:-1])
        face = (f[:, 1:] + f[:, :-1]) / 2 - speed / 2 * (q[:, 1:] - q[:, :-1])
        return q.at[:, 1:-1].add(-0.2 / c.max() * (face[:, 1:] - face[:, :-1])), c.max()
    return lax.scan(step, q, None, length=60)


@row("n(40, 40), abs(n(40, 40)) + .5")
@row("n(11, 71), abs(n(11, 71)) + .5", "grad(lambda *a: {0}(*a) ** 2, (0, 1))")
def darcy_pressure_by_conjugate_gradients(rhs, k):
    kx, ky = (k[1:] + k[:-1]) / 2, (k[:, 1:] + k[:, :-1]) / 2
    def apply(p):
        fx, fy = kx * (p[1:] - p[:-1]), ky * (p[:, 1:] - p[:, :-1])
        out = 0.1 * p
        return out.at[1:].add(fx).at[:-1].add(-fx).at[:, 1:].add(fy).at[:, :-1].add(-fy)
    return jax.scipy.sparse.linalg.cg(apply, rhs, maxiter=40)[0]


@row("n(32, 32, 32)")
def spectrum_of_velocities_in_shells(u):
    power = jnp.abs(jnp.fft.rfftn(u)) ** 2
    k = jnp.fft.fftfreq(32, 1 / 32)
    r = jnp.sqrt(k[:, None, None] ** 2 + k[:, None] ** 2 + jnp.arange(17) ** 2)
    shell = jnp.clip(jnp.round(r).astype(jnp.int32), 0, 27)
    return jax.ops.segment_sum(power.ravel(), shell.ravel(), 28) / jnp.bincount(shell.ravel(), length=28)


@row("n(9, 60, 60) * .01 + .11, (n(60, 60) > 2)")
def lattice_fluid_with_bounces(f, wall):
    shifts = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
    c = jnp.array(shifts)
    w = jnp.array([16, 4, 4, 4, 4, 1, 1, 1, 1]) / 36
    back = jnp.array([0, 3, 4, 1, 2, 7, 8, 5, 6])
    def step(f, _):
        rho = f.sum(0)
        u = jnp.einsum("qa,qxy->axy", c, f) / rho
        cu = jnp.einsum("qa,axy->qxy", c, u)
        eq = w[:, None, None] * rho * (1 + 3 * cu + 4.5 * cu ** 2 - 1.5 * (u ** 2).sum(0))
        f = jnp.where(wall, f[back], f + (eq - f) / 0.8)
        return jnp.stack([jnp.roll(f[k], shift, (0, 1)) for k, shift in enumerate(shifts)]), None
    return lax.scan(step, f, None, length=6)[0]


@row("n(128).astype('complex64'), n(128)")
@row("n(3, 128).astype('complex64'), n(128)", "vmap({0}, (0, None))")
def packet_through_barrier_by_tridiagonal_steps(psi, v):
    a = 0.5j * 0.1
    off = jnp.full(128, -a).astype(jnp.complex64)
    main = 1 + 2 * a + a * v
    def step(psi, _):
        right = 2 * psi - (main * psi + jnp.pad(off[1:] * psi[1:], (0, 1)) + jnp.pad(off[1:] * psi[:-1], (1, 0)))
        psi = lax.linalg.tridiagonal_solve(off.at[0].set(0), main, off.at[-1].set(0), right[:, None])[:, 0]
        return psi, jnp.abs(psi[64:]).sum()
    return lax.scan(step, psi / jnp.linalg.norm(psi), None, length=20)


# ---- particles, molecules, quanta ------------------------------------------------------------------------------------------------

@row("n(64, 3, scale=2.), i(64, 64, 12), n(64)", "jax.value_and_grad({0})")
@row("n(10, 64, 3, scale=2.), i(64, 64, 12), n(64)", "vmap({0}, (0, None, None))")
def dimers_with_screened_charges(x, near, charge):
    d = x[near] - x[:, None]
    r = jnp.sqrt((d * d).sum(-1) + 0.1)
    smooth = jnp.where(r < 4, 0.5 * (1 + jnp.cos(jnp.pi * r / 4)), 0)
    pair = charge[:, None] * charge[near] * jnp.exp(-r) / r + 4 * (0.5 / r ** 12 - 0.5 / r ** 6) * 1e-2
    bond = jnp.sqrt(((x[::2] - x[1::2]) ** 2).sum(-1) + 1e-6)
    return 0.5 * (pair * smooth).sum() + ((bond - 1) ** 2).sum()


@row("n(50, 4, 3)", "vmap(jax.value_and_grad({0}))")
@row("n(9, 4, 3)", "vmap(jax.hessian({0}))")
def torsion_with_three_terms(x):
    b1, b2, b3 = x[1] - x[0], x[2] - x[1], x[3] - x[2]
    m, k = jnp.cross(b1, b2), jnp.cross(b2, b3)
    phi = jnp.arctan2(jnp.linalg.norm(b2) * b1 @ k, m @ k)
    return (jnp.array([1.4, 0.3, 2.0]) * (1 + jnp.cos(jnp.arange(1, 4) * phi))).sum()


@row("n(30, 3, scale=3.), n(16)", "jax.jacfwd({0})")
def angular_fingerprint_of_atoms(x, eta):
    d = x[:, None] - x
    r = jnp.sqrt((d ** 2).sum(-1) + 1e-3)
    cut = jnp.where(r < 5, jnp.cos(jnp.pi * r / 10) ** 2, 0) * (1 - jnp.eye(30))
    return jnp.einsum("ij,ijk->ik", cut, jnp.exp(-0.3 * (r[..., None] - jnp.abs(eta)) ** 2)).mean(0)


@row("n(2048).astype('complex64'), n(11)")
def spins_kicked_by_two_rotations(psi, angle):
    psi = psi / jnp.linalg.norm(psi)
    bit = jnp.arange(2048)
    zz = sum(1 - 2 * ((bit >> k ^ bit >> k + 1) & 1) for k in range(10))
    def kick(psi, _):
        psi = psi * jnp.exp(-0.3j * zz)
        for k in range(11):
            c, s = jnp.cos(angle[k]), jnp.sin(angle[k])
            psi = c * psi - 1j * s * jnp.flip(psi.reshape(2 ** k, 2, -1), 1).ravel()
        return psi, (jnp.abs(psi[1024:]) ** 2).sum()
    return lax.scan(kick, psi.astype(jnp.complex64), None, length=3)


@row("n(6, 6, 6, 6), n(6, 6), definite(0, 6)")
def field_of_electrons_made_consistent(eri, core, overlap):
    eri = eri + eri.transpose(1, 0, 2, 3)
    e, v = jnp.linalg.eigh(overlap)
    x = v / jnp.sqrt(e)
    def step(d, _):
        f = core + core.T + 0.01 * (jnp.einsum("abcd,cd->ab", eri, d) - 0.5 * jnp.einsum("acbd,cd->ab", eri, d))
        f = (f + f.T) / 2
        e, c = jnp.linalg.eigh(x.T @ f @ x)
        c = (x @ c)[:, :3]
        return 0.5 * d + c @ c.T, e[:3].sum()
    return lax.scan(step, jnp.zeros((6, 6)), None, length=8)[1]


@row("i(2, 48, 48) * 2 - 1, random.key(0), n(48, 48)")
def spins_in_random_field_by_checkerboard(s, key, h):
    black = (jnp.arange(48)[:, None] + jnp.arange(48)) % 2 == 0
    def half(s, t):
        key, mask = t
        near = sum(jnp.roll(s, k, a) for k in (1, -1) for a in (0, 1))
        flip = random.uniform(key, s.shape) < nn.sigmoid(-2 * 0.44 * s * (near + h))
        return jnp.where(mask & flip, -s, s), s.sum()
    masks = jnp.stack([black, ~black] * 10)
    return lax.scan(half, s, (random.split(key, 20), masks))


# ---- control and robots -----------------------------------------------------------------------------------------------------------

@row("n(6, 6, scale=.3), n(6, 2), n(5, 6)")
@row("n(6, 6, scale=.3), n(6, 2), n(5, 6)", "jax.jacrev(lambda a, b, x: {0}(a, b, x)[0], 1)")
def gains_over_horizon_then_rollouts(a, b, x):
    def back(p, _):
        k = jnp.linalg.solve(jnp.eye(2) + b.T @ p @ b, b.T @ p @ a)
        return jnp.eye(6) + a.T @ p @ (a - b @ k), k
    _, gains = lax.scan(back, jnp.eye(6), None, length=30)
    return lax.scan(lambda x, k: (x @ (a - b @ k).T, (x * x).sum(1)), x, gains[::-1])


@row("n(11, 7), n(11, 3)", "vmap({0})")
def arm_of_seven_joints_reaches(q, goal):
    def tip(q):
        r, p = jnp.eye(3), jnp.zeros(3)
        for k in range(7):
            c, s = jnp.cos(q[k]), jnp.sin(q[k])
            turn = jnp.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) if k % 2 else jnp.array([[1, 0, 0], [0, c, -s], [0, s, c]])
            r = r @ turn
            p = p + r @ jnp.array([0.0, 0.0, 0.3])
        return p
    def step(q, _):
        j, e = jax.jacfwd(tip)(q), goal - tip(q)
        return q + j.T @ jnp.linalg.solve(j @ j.T + 0.01 * jnp.eye(3), e), e @ e
    return lax.scan(step, q, None, length=8)


@row("n(40, 20, 2), n(4), n(4, seed=1)", "vmap(jax.value_and_grad({0}), (0, None, None))")
def unicycle_pushed_away_from_pillars(u, start, pillar):
    def step(x, u):
        x = x + 0.1 * jnp.array([x[3] * jnp.cos(x[2]), x[3] * jnp.sin(x[2]), u[0], u[1]])
        gap = (x[0] - pillar[:2]) ** 2 + (x[1] - pillar[2:]) ** 2
        return x, nn.softplus(4 * (0.5 - gap)).sum() + 0.01 * u @ u
    last, cost = lax.scan(step, start, u)
    return cost.sum() + (last[:2] ** 2).sum()


@row("n(13, 25), n(13, 25, seed=1), n(25, 3, scale=2.)")
def masses_on_springs_with_floor(x, v, rest):
    def step(s, _):
        x, v = s
        f = jnp.pad(x[:, 1:] - x[:, :-1] - 1, ((0, 0), (0, 1))) - jnp.pad(x[:, 1:] - x[:, :-1] - 1, ((0, 0), (1, 0)))
        v = 0.99 * v + 0.05 * (30 * f - 9.8)
        hit = x < rest[:, 0]
        return (jnp.where(hit, rest[:, 0], x + 0.05 * v), jnp.where(hit, -0.5 * v, v)), hit.sum()
    return lax.scan(step, (x, v), None, length=60)


# ---- matrices ---------------------------------------------------------------------------------------------------------------------

@row("n(60, 60), n(60)")
def tridiagonal_by_lanczos_then_function(a, b):
    a = a + a.T
    def step(s, _):
        q, before, beta = s
        w = a @ q - beta * before
        alpha = w @ q
        w = w - alpha * q
        new = jnp.linalg.norm(w)
        return (w / new, q, new), (alpha, new, q)
    _, (alpha, beta, q) = lax.scan(step, (b / jnp.linalg.norm(b), jnp.zeros(60), 0.0), None, length=15)
    e, v = jnp.linalg.eigh(jnp.diag(alpha) + jnp.diag(beta[:-1], 1) + jnp.diag(beta[:-1], -1))
    return q.T @ (v @ (jnp.exp(-0.1 * e) * v[0])), e


@row("n(21, 5, 5)", "vmap({0})")
def square_root_with_its_inverse(a):
    y, z = a @ a.T / 10 + jnp.eye(5), jnp.eye(5)
    scale = jnp.linalg.norm(y)
    def step(_, s):
        t = 1.5 * jnp.eye(5) - 0.5 * s[1] @ s[0]
        return s[0] @ t, t @ s[1]
    y, z = lax.fori_loop(0, 12, step, (y / scale, z))
    return y * jnp.sqrt(scale), z / jnp.sqrt(scale)


@row("n(300, 40), n(300, 40, seed=1), random.key(0)")
def sketch_then_least_squares(a, b, key):
    sign = random.rademacher(key, (300,), jnp.float32)
    bucket = random.randint(key, (300,), 0, 100)
    s = lambda x: jax.ops.segment_sum(sign[:, None] * x, bucket, 100)
    q, r = jnp.linalg.qr(s(a))
    x = jnp.linalg.solve(r, q.T @ s(b))
    return x, ((a @ x - b) ** 2).mean(0)


@row("n(40, 30), (n(40, 30) > -.3), n(40, 4), n(30, 4)")
def missing_entries_by_alternating_ridge(m, seen, u, v):
    def side(m, seen, v):
        g = jnp.einsum("ij,jr,js->irs", seen, v, v) + 0.1 * jnp.eye(4)
        return jnp.linalg.solve(g, jnp.einsum("ij,ij,jr->ir", m, seen, v)[..., None])[..., 0]
    def step(s, _):
        u = side(m, seen, s[1])
        v = side(m.T, seen.T, u)
        return (u, v), jnp.where(seen, u @ v.T - m, 0).std()
    return lax.scan(step, (u, v), None, length=5)


@row("n(70, 4), n(50, 4, seed=1)")
@row("n(6, 30, 2), n(6, 20, 2, seed=1)", "vmap(jax.grad({0}))")
def two_samples_compared_by_energies(x, y):
    mean = lambda a, b: jnp.sqrt(((a[:, None] - b) ** 2).sum(-1) + 1e-6).mean()
    return 2 * mean(x, y) - mean(x, x) - mean(y, y)
