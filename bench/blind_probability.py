"""blind_probability.py: rows of the long tail written before any of them was measured (snippets.py): Markov chains, hidden
Markov models, particle filters, copulas, prices of options, the bootstrap, Bayesian regression, Gaussian processes, variational
inference, mixtures, survival, time series, point processes, bandits, portfolios, entropies. A docstring gives the shapes."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random
from jax.scipy import special, stats
from jax.scipy.linalg import cho_factor, cho_solve, solve_triangular

from snippets import row


# ---- Markov chains ---------------------------------------------------------------------------------------------------

@row("key, n(40, 40), abs(n(40)) + .5")
def crank_nicolson_proposals(key, root, y, beta=0.2):
    """Preconditioned Crank-Nicolson for a log-normal field, prior covariance root @ root.T / 40, y its Poisson-like data."""
    fit = lambda f: (y * f - jnp.exp(f)).sum()
    def step(s, key):
        f, now = s
        a, b = random.split(key)
        new = jnp.sqrt(1 - beta**2) * f + beta * (root @ random.normal(a, (40,))) / 40**0.5
        then = fit(new)
        take = jnp.log(random.uniform(b)) < then - now
        return (jnp.where(take, new, f), jnp.where(take, then, now)), take
    (f, _), took = lax.scan(step, (jnp.zeros(40), fit(jnp.zeros(40))), random.split(key, 60))
    return f, took.mean()


@row("random.split(key, 40), i(6, 112)")
def coal_mining_change_point(keys, counts):
    """Gibbs sampling of two rates and the year at which one gives way to the other."""
    years = jnp.arange(112)
    total = jnp.cumsum(counts)
    def sweep(at, key):
        a, b, c = random.split(key, 3)
        early = random.gamma(a, 1.0 + total[at]) / (at + 2.0)
        late = random.gamma(b, 1.0 + total[-1] - total[at]) / (112.0 - at)
        log = total * jnp.log(early) - early * (years + 1) + (total[-1] - total) * jnp.log(late) - late * (111 - years)
        return random.categorical(c, log), (early, late, at)
    return lax.scan(sweep, 50, keys)[1]


@row("n(4, 250, 12)")
def split_r_hat_and_effective_size(draws):
    """Of (chains, draws, parameters), with autocovariances by the FFT."""
    m, count, d = draws.shape
    x = draws.reshape(m, 2, count // 2, d).reshape(2 * m, count // 2, d)
    within = x.var(1, ddof=1).mean(0)
    between = x.mean(1).var(0, ddof=1)
    r_hat = jnp.sqrt((count // 2 - 1) / (count // 2) + between / within)
    c = draws - draws.mean(1, keepdims=True)
    f = jnp.fft.rfft(c, 2 * count, axis=1)
    rho = jnp.fft.irfft(f * jnp.conj(f), axis=1)[:, :count].mean(0)
    rho = rho / rho[0]
    pairs = rho[: count // 2 * 2].reshape(-1, 2, d).sum(1)
    kept = jnp.cumprod(jnp.where(pairs > 0, 1.0, 0.0), 0) * lax.cummin(pairs, axis=0)
    return r_hat, m * count / (2 * kept.sum(0) - 1)


# ---- hidden states ---------------------------------------------------------------------------------------------------

@row("nn.softmax(n(5, 5)), abs(n(5)) * 4 + 1, i(9, 20, 120)")
def poisson_baum_welch(transition, rate, counts):
    """One step of EM for 20 sequences with shared parameters: transition (5, 5), rate (5,)."""
    def one(y):
        like = jnp.exp(stats.poisson.logpmf(y[:, None], rate))
        def ahead(a, l):
            a = (a @ transition) * l
            return a / a.sum(), (a / a.sum(), a.sum())
        _, (alpha, scale) = lax.scan(ahead, jnp.full(5, 0.2), like)
        def behind(b, s):
            l, c = s
            return transition @ (l * b) / c, b
        _, beta = lax.scan(behind, jnp.ones(5), (like, scale), reverse=True)
        xi = jnp.einsum("ti,ij,tj,tj->ij", alpha[:-1], transition, like[1:], beta[1:] / scale[1:, None])
        return alpha * beta, xi, jnp.log(scale).sum()
    gamma, xi, log = jax.vmap(one)(counts)
    xi = xi.sum(0)
    return xi / xi.sum(1, keepdims=True), jnp.einsum("stk,st->k", gamma, counts) / gamma.sum((0, 1)), log.sum()


@row("nn.log_softmax(n(3, 3)), nn.log_softmax(n(3, 12)), n(80, 3)", "jax.value_and_grad({0}, (0, 1))")
def semi_markov_likelihood(transition, duration, score):
    """States last 1 to 12 steps: the recursion keeps the last 12 forward messages."""
    total = jnp.pad(jnp.cumsum(score, 0), ((12, 0), (0, 0)))
    def step(past, t):
        inside = total[t + 12] - lax.dynamic_slice(total, (t, 0), (12, 3))
        begun = past + inside + duration.T[::-1]
        end = nn.logsumexp(begun, axis=0)
        enter = nn.logsumexp(end[:, None] + transition, axis=0)
        return jnp.concatenate([past[1:], enter[None]]), nn.logsumexp(end)
    start = jnp.full((12, 3), -1e4).at[-1].set(-jnp.log(3.0))
    return lax.scan(step, start, jnp.arange(80))[1][-1]


@row("key, n(25), jnp.array([.9, .3, .5])")
def backward_simulated_paths(key, y, theta):
    """A stratified particle filter of 64 particles, then 16 paths drawn backwards."""
    phi, sigma, noise = theta
    a, b = random.split(key)
    def forward(s, inputs):
        x, w = s
        key, y = inputs
        k1, k2 = random.split(key)
        places = (jnp.arange(64) + random.uniform(k1, (64,))) / 64
        at = jnp.clip(jnp.searchsorted(jnp.cumsum(w), places), 0, 199)
        x = phi * x[at] + sigma * random.normal(k2, (64,))
        w = nn.softmax(stats.norm.logpdf(y, x, noise))
        return (x, w), (x, w)
    _, (xs, ws) = lax.scan(forward, (jnp.zeros(64), jnp.full(64, 1 / 64)), (random.split(a, 25), y))
    def back(later, inputs):
        x, w, key = inputs
        log = jnp.log(w + 1e-20) - (later[:, None] - phi * x) ** 2 / (2 * sigma**2)
        later = x[random.categorical(key, log, axis=1)]
        return later, later
    return lax.scan(back, jnp.zeros(16), (xs, ws, random.split(b, 25)), reverse=True)[1]


@row("key, n(64, 30), n(12, 8), i(30, 8)")
def ensemble_kalman_cycle(key, ensemble, observed, where):
    """Analysis with perturbed observations, a taper by distance, then a step of an advected, damped model: 64 members."""
    distance = jnp.abs(where[:, None] - jnp.arange(30))
    taper = jnp.exp(-((jnp.minimum(distance, 30 - distance) / 6.0) ** 2))
    def cycle(x, inputs):
        key, y = inputs
        d = x - x.mean(0)
        seen = d[:, where]
        gain = taper.T * (d.T @ seen) / 63
        inner = taper[:, where] * (seen.T @ seen) / 63 + 0.5 * jnp.eye(8)
        innovation = y + 0.7 * random.normal(key, (64, 8)) - x[:, where]
        x = x + jnp.linalg.solve(inner, innovation.T).T @ gain.T
        return 0.95 * jnp.roll(x, 1, 1) - 0.02 * x * jnp.roll(x, -1, 1), (x.mean(0), x.std(0))
    return lax.scan(cycle, ensemble, (random.split(key, 12), observed))[1]


# ---- copulas and prices ----------------------------------------------------------------------------------------------

@row("n(6, 6, scale=.3), nn.sigmoid(n(400, 6))", "jax.value_and_grad({0})")
def gaussian_copula_likelihood(free, u):
    root = jnp.tril(free, -1) + jnp.eye(6)
    root = root / jnp.linalg.norm(root, axis=1, keepdims=True)
    z = special.ndtri(jnp.clip(u, 1e-5, 1 - 1e-5))
    white = solve_triangular(root, z.T, lower=True)
    return (-0.5 * (white**2).sum(0) + 0.5 * (z**2).sum(1) - jnp.log(jnp.diag(root)).sum()).mean()


@row("key, jnp.float32(1.7)")
def clayton_copula_losses(key, theta):
    """Defaults of 50 names by Marshall and Olkin's method, and the tranches of 2000 scenarios."""
    a, b = random.split(key)
    frailty = random.gamma(a, 1 / theta, (2000, 1))
    u = (1 - jnp.log(random.uniform(b, (2000, 50), minval=1e-6)) / frailty) ** (-1 / theta)
    loss = (u < jnp.linspace(0.01, 0.1, 50)).mean(1) * 0.6
    edges = jnp.array([0.0, 0.03, 0.07, 0.15, 1.0])
    return jnp.clip(loss[:, None] - edges[:-1], 0, jnp.diff(edges)).mean(0) / jnp.diff(edges)


@row("90 + 2 * jnp.arange(12.), jnp.float32(.25)")
@row("90 + 2 * jnp.arange(12.), jnp.float32(.25)", "lambda s, v: vmap(jax.grad(lambda s: {0}(s[None], v)[0]))(s)")
def trinomial_barrier(spot, vol, steps=80, strike=100.0, barrier=120.0, rate=0.03):
    """Up-and-out calls on Boyle's lattice, by induction from the end."""
    dt = 1.0 / steps
    up = jnp.exp(vol * jnp.sqrt(2 * dt))
    a, b = jnp.exp(rate * dt / 2), jnp.exp(vol * jnp.sqrt(dt / 2))
    pu, pd = ((a - 1 / b) / (b - 1 / b)) ** 2, ((b - a) / (b - 1 / b)) ** 2
    ladder = up ** jnp.arange(-steps, steps + 1)
    def price(s):
        alive = s * ladder < barrier
        value = jnp.where(alive, nn.relu(s * ladder - strike), 0)
        def back(v, _):
            inner = jnp.exp(-rate * dt) * (pu * v[2:] + (1 - pu - pd) * v[1:-1] + pd * v[:-2])
            return jnp.where(alive, jnp.pad(inner, 1), 0), None
        return lax.scan(back, value, None, length=steps)[0][steps]
    return jax.vmap(price)(spot)


@row("key, jnp.array([100., .2, .03])")
@row("key, jnp.array([100., .2, .03])", "jax.value_and_grad({0}, 1)")
def asian_call_with_control(key, market, strike=100.0):
    """Arithmetic average of 50 dates, antithetic paths, with the geometric average as control variate."""
    spot, vol, rate = market
    z = random.normal(key, (1000, 50))
    z = jnp.concatenate([z, -z])
    dt = 1 / 50
    log = jnp.log(spot) + jnp.cumsum((rate - vol**2 / 2) * dt + vol * dt**0.5 * z, 1)
    arithmetic = jnp.exp(-rate) * nn.relu(jnp.exp(log).mean(1) - strike)
    geometric = jnp.exp(-rate) * nn.relu(jnp.exp(log.mean(1)) - strike)
    mean = jnp.log(spot) + (rate - vol**2 / 2) * dt * 51 / 2
    sd = vol * jnp.sqrt(dt * 51 * 101 / 300)
    d = (mean - jnp.log(strike)) / sd
    exact = jnp.exp(-rate) * (jnp.exp(mean + sd**2 / 2) * stats.norm.cdf(d + sd) - strike * stats.norm.cdf(d))
    c = jnp.cov(arithmetic, geometric)
    return arithmetic.mean() - c[0, 1] / c[1, 1] * (geometric.mean() - exact)


@row("jnp.linspace(.15, .35, 9)", double=True)
def crank_nicolson_put(vols, points=121, steps=40, strike=1.0, rate=0.02):
    """European puts on a grid of log prices, tridiagonal systems for each volatility."""
    x = jnp.linspace(-1.5, 1.5, points)
    dx, dt = x[1] - x[0], 1 / steps
    def price(vol):
        a, b = vol**2 / (2 * dx**2), (rate - vol**2 / 2) / (2 * dx)
        low, mid, high = (a - b) * dt / 2, -(2 * a + rate) * dt / 2, (a + b) * dt / 2
        inside = jnp.ones(points).at[jnp.array([0, -1])].set(0.0)
        lower, upper = -low * inside, -high * inside
        def step(v, _):
            rhs = v + inside * (low * jnp.roll(v, 1) + mid * v + high * jnp.roll(v, -1))
            return lax.linalg.tridiagonal_solve(lower, 1 - mid * inside, upper, rhs[:, None])[:, 0], None
        v, _ = lax.scan(step, nn.relu(strike - jnp.exp(x)), None, length=steps)
        return jnp.interp(0.0, x, v)
    return jax.vmap(price)(vols)


@row("jnp.linspace(80., 120., 41), jnp.array([1.5, .06, .5, -.6, .05])")
@row("jnp.linspace(80., 120., 7), jnp.array([1.5, .06, .5, -.6, .05])", "jax.jacrev({0}, 1)")
def heston_cosine_calls(strikes, theta, spot=100.0, t=1.0):
    """The COS method: the characteristic function at 96 frequencies."""
    kappa, mean, xi, rho, v0 = theta
    a, b = -2.5, 2.5
    k = jnp.arange(96)
    u = k * jnp.pi / (b - a)
    iu = 1j * u
    d = jnp.sqrt((kappa - rho * xi * iu) ** 2 + xi**2 * (iu + u**2))
    g = (kappa - rho * xi * iu - d) / (kappa - rho * xi * iu + d)
    e = jnp.exp(-d * t)
    phi = kappa * mean / xi**2 * ((kappa - rho * xi * iu - d) * t - 2 * jnp.log((1 - g * e) / (1 - g)))
    phi = jnp.exp(phi + v0 / xi**2 * (kappa - rho * xi * iu - d) * (1 - e) / (1 - g * e))
    wave = u + (k == 0)
    chi = (jnp.cos(u * -a) - jnp.exp(a) + u * jnp.sin(u * -a)) / (1 + u**2)
    psi = jnp.where(k == 0, -a, jnp.sin(u * -a) / wave)
    coefficient = 2 / (b - a) * (psi - chi) * jnp.where(k == 0, 0.5, 1.0)
    x = jnp.log(spot / strikes)
    put = strikes * (jnp.real(phi * jnp.exp(1j * u * (x[:, None] - a))) @ coefficient)
    return put + spot - strikes


@row("jnp.linspace(.5, 1.5, 200), jnp.array([.3, -.4, .6])", "jax.jacfwd({0}, 1)")
def sabr_smile(strike, theta, forward=1.03, t=2.0, beta=0.5):
    alpha, rho, nu = theta
    log, mid = jnp.log(forward / strike), (forward * strike) ** ((1 - beta) / 2)
    z = nu / alpha * mid * log
    chi = jnp.log((jnp.sqrt(1 - 2 * rho * z + z * z) + z - rho) / (1 - rho))
    ratio = jnp.where(jnp.abs(z) < 1e-4, 1.0, z / jnp.where(jnp.abs(z) < 1e-4, 1.0, chi))
    bend = 1 + ((1 - beta) ** 2 / 24) * log**2 + ((1 - beta) ** 4 / 1920) * log**4
    drift = (1 - beta) ** 2 / 24 * alpha**2 / mid**2 + rho * beta * nu * alpha / (4 * mid) + (2 - 3 * rho**2) / 24 * nu**2
    return alpha / (mid * bend) * ratio * (1 + drift * t)


# ---- resampling and regression ---------------------------------------------------------------------------------------

@row("key, n(500, scale=.01) + .0005")
def stationary_bootstrap_of_sharpe(key, returns):
    """Blocks of geometric lengths, 200 resamples, the interval and the drawdown of each."""
    a, b = random.split(key)
    fresh = random.bernoulli(a, 0.05, (500, 200))
    starts = random.randint(b, (500, 200), 0, 500)
    step = lambda at, s: (lambda to: (to, to))(jnp.where(s[0], s[1], (at + 1) % 500))
    at = lax.scan(step, starts[0], (fresh, starts))[1]
    r = returns[at]
    wealth = jnp.cumsum(r, 0)
    sharpe = r.mean(0) / r.std(0) * 252**0.5
    return jnp.percentile(sharpe, jnp.array([2.5, 50.0, 97.5])), (lax.cummax(wealth) - wealth).max(0)


@row("n(200, 6), n(200), (jnp.arange(64)[:, None] >> jnp.arange(6) & 1) > 0")
def all_subsets_by_g_prior(x, y, masks):
    """Posterior of 64 linear models, inclusion probabilities and averaged weights."""
    x, y = x - x.mean(0), y - y.mean()
    gram, xy = x.T @ x, x.T @ y
    def model(m):
        a = jnp.where(m[:, None] & m, gram, jnp.eye(6))
        w = jnp.linalg.solve(a, jnp.where(m, xy, 0))
        r2 = w @ xy / (y @ y)
        return 0.5 * (199 - m.sum()) * jnp.log(201.0) - 99.5 * jnp.log(1 + 200 * (1 - r2)), w * 200 / 201
    log, w = jax.vmap(model)(masks)
    p = nn.softmax(log)
    return p @ masks, p @ w, lax.top_k(p, 5)


@row("n(300, 12), n(300), n(26)", "jax.value_and_grad({0}, 2)")
def horseshoe_log_density(x, y, free):
    """Non-centered: free holds raw weights, log local scales, the log global scale and the log noise."""
    raw, local, tau, noise = free[:12], free[12:24], free[24], free[25]
    half_cauchy = lambda v: jnp.log(2 / jnp.pi) - jnp.log1p(jnp.exp(2 * v)) + v
    slab = 4 * jnp.exp(2 * local) / (4 + jnp.exp(2 * (local + tau)))
    w = raw * jnp.sqrt(slab) * jnp.exp(tau)
    fit = stats.norm.logpdf(y, x @ w, jnp.exp(noise)).sum()
    return fit + stats.norm.logpdf(raw).sum() + half_cauchy(local).sum() + half_cauchy(tau) - jnp.exp(noise) + noise


# ---- Gaussian processes ----------------------------------------------------------------------------------------------

@row("jnp.sort(n(120)), n(120), jnp.linspace(-3., 3., 50), n(6, scale=.2)")
@row("jnp.sort(n(60)), n(60), jnp.linspace(-3., 3., 50), n(6, scale=.2)", "jax.value_and_grad(lambda *a: {0}(*a)[2], 3)")
def locally_periodic_process(x, y, at, log_theta):
    """Periodic times squared exponential plus rational quadratic; prediction, its deviation and the evidence."""
    p, a, l, s, q, noise = jnp.exp(log_theta)
    def kernel(u, v):
        d = u[:, None] - v
        wave = jnp.exp(-2 * jnp.sin(jnp.pi * d / p) ** 2 - 0.5 * (d / (3 * a)) ** 2)
        return wave + s * (1 + d**2 / (2 * q * l**2)) ** -q
    root = jnp.linalg.cholesky(kernel(x, x) + (0.1 + noise) * jnp.eye(len(x)))
    alpha = cho_solve((root, True), y)
    cross = kernel(at, x)
    v = solve_triangular(root, cross.T, lower=True)
    return cross @ alpha, jnp.sqrt(1 + s - (v**2).sum(0)), -0.5 * y @ alpha - jnp.log(jnp.diag(root)).sum()


@row("n(40, 3), n(40, 3, seed=1), n(40), n(17, 3, seed=2)")
def process_with_slopes(x, slope, y, at):
    """Observed values and gradients: blocks of the kernel are derivatives of it."""
    k = lambda a, b: jnp.exp(-0.5 * ((a - b) ** 2).sum())
    pair = lambda f, a, b: jax.vmap(lambda u: jax.vmap(lambda v: f(u, v))(b))(a)
    kx, ky, kxy = jax.grad(k), jax.grad(k, 1), jax.jacfwd(jax.grad(k), 1)
    across = pair(ky, x, x).reshape(40, 120)
    twice = pair(kxy, x, x).swapaxes(1, 2).reshape(120, 120)
    m = jnp.block([[pair(k, x, x), across], [across.T, twice]]) + 1e-1 * jnp.eye(160)
    w = cho_solve(cho_factor(m), jnp.concatenate([y, slope.ravel()]))
    mean = lambda a: jax.vmap(lambda b: k(a, b))(x) @ w[:40] + (jax.vmap(lambda b: ky(a, b))(x).ravel() @ w[40:])
    return jax.vmap(jax.value_and_grad(mean))(at)


@row("n(70, 2), i(3, 70), n(70), n(3, 2), n(2, 8)", "grad(lambda *a: {0}(*a)[0], (3, 4))")
def coregionalized_deep_kernel(x, task, y, mix, w):
    h = jnp.tanh(x @ w)
    coupling = mix @ mix.T + 0.5 * jnp.eye(3)
    k = jnp.exp(-0.5 * ((h[:, None] - h) ** 2).sum(-1)) * coupling[task[:, None], task]
    inverse = jnp.linalg.inv(k + 0.3 * jnp.eye(70))
    alpha = inverse @ y
    var = 1 / jnp.diag(inverse)
    return stats.norm.logpdf(alpha * var, 0, jnp.sqrt(var)).mean(), y - alpha * var


# ---- variational inference and mixtures ------------------------------------------------------------------------------

@row("key, n(8), n(8, 8, scale=.1), n(150, 8), i(2, 150)", "jax.value_and_grad({0}, (1, 2))")
def full_rank_elbo(key, mean, free, x, y):
    root = jnp.tril(free, -1) + jnp.diag(nn.softplus(jnp.diag(free)))
    z = mean + random.normal(key, (10, 8)) @ root.T
    log = (y * nn.log_sigmoid(z @ x.T) + (1 - y) * nn.log_sigmoid(-z @ x.T)).sum(1) + stats.norm.logpdf(z).sum(1)
    return log.mean() + jnp.log(jnp.diag(root)).sum()


@row("key, n(32, 20), n(20, 12, scale=.3), n(6, 20, scale=.3)", "grad({0}, (2, 3))")
def importance_weighted_bound(key, x, encoder, decoder, samples=8):
    mean, log_sd = jnp.split(x @ encoder, 2, -1)
    e = random.normal(key, (samples, *mean.shape))
    z = mean + jnp.exp(log_sd) * e
    log = stats.norm.logpdf(x, jnp.tanh(z @ decoder), 0.7).sum(-1) + (-0.5 * z**2 + 0.5 * e**2 + log_sd).sum(-1)
    return (nn.logsumexp(log, axis=0) - jnp.log(samples)).mean()


@row("n(400, 3), n(4, 3, seed=1), nn.softmax(n(4))")
def mixture_of_regressions(data, w, share):
    """Ten EM steps: columns of data are a constant's partner, a covariate and the response."""
    x, y = jnp.concatenate([jnp.ones((400, 1)), data[:, :2]], 1), data[:, 2]
    def step(s, _):
        w, share, sd = s
        log = jnp.log(share) + stats.norm.logpdf(y[:, None], x @ w.T, sd)
        r = nn.softmax(log, axis=1)
        a = jnp.einsum("nk,ni,nj->kij", r, x, x) + 0.1 * jnp.eye(3)
        w = jnp.linalg.solve(a, jnp.einsum("nk,ni,n->ki", r, x, y)[..., None])[..., 0]
        sd = jnp.sqrt((r * (y[:, None] - x @ w.T) ** 2).sum(0) / r.sum(0) + 1e-2)
        return (w, r.mean(0), sd), nn.logsumexp(log, axis=1).sum()
    return lax.scan(step, (w, share, jnp.ones(4)), None, length=10)


# ---- survival, series, events ----------------------------------------------------------------------------------------

@row("n(5, scale=.2), n(300, 4), abs(n(300)) + .05, i(2, 300)", "jax.hessian({0})")
def weibull_accelerated_failure(theta, x, time, event):
    shape = jnp.exp(theta[0])
    z = shape * (jnp.log(time) - x @ theta[1:])
    return -(event * (jnp.log(shape) - jnp.log(time) + z) - jnp.exp(z)).mean()


@row("i(60, 400) + 1, i(3, 400)")
def cumulative_incidence(time, cause):
    """Aalen and Johansen: causes 1 and 2 compete, 0 is censored."""
    risk = (time[:, None] >= jnp.arange(1, 61)).sum(0)
    events = jnp.stack([jnp.bincount(jnp.where(cause == c, time, 0), length=61)[1:] for c in (1, 2)])
    hazard = events / jnp.maximum(risk, 1)
    survival = jnp.cumprod(1 - hazard.sum(0))
    before = jnp.concatenate([jnp.ones(1), survival[:-1]])
    green = jnp.cumsum(events.sum(0) / jnp.maximum(risk * (risk - events.sum(0)), 1))
    return jnp.cumsum(before * hazard, axis=1), survival, survival * jnp.sqrt(green)


@row("jnp.array([.5, -.2, .4, .1, -.3]), n(400)", "jax.value_and_grad({0})")
@row("n(300, 5, scale=.2), n(300, 400)", "vmap({0})")
def arma_likelihood(theta, y):
    """Conditional, ARMA(2, 2) with the logarithm of the noise last."""
    def step(s, y):
        (y1, y2), (e1, e2) = s
        e = y - theta[0] * y1 - theta[1] * y2 - theta[2] * e1 - theta[3] * e2
        return ((y, y1), (e, e1)), e
    zero = jnp.zeros((), y.dtype)
    e = lax.scan(step, ((zero, zero), (zero, zero)), y)[1]
    return 0.5 * jnp.exp(-2 * theta[4]) * (e**2).mean() + theta[4]


@row("jnp.array([-3., -2., -1.5, 2.]), n(600, scale=.5, dtype='float64')", "jax.value_and_grad({0})", double=True)
@row("n(16, 4, scale=.3) - 1, n(16, 300, scale=.5)", "vmap({0})")
def leveraged_garch(free, r):
    """GJR-GARCH(1, 1) with Student's errors."""
    omega, alpha, gamma, dof = jnp.exp(free[0]), nn.sigmoid(free[1]) / 2, nn.sigmoid(free[2]) / 2, 2 + jnp.exp(free[3])
    beta = 0.95 - alpha - gamma / 2
    def step(h, r):
        h = omega + (alpha + gamma * (r < 0)) * r * r + beta * h
        return h, h
    h = lax.scan(step, r.var(), r[:-1])[1]
    return -stats.t.logpdf(r[1:] / jnp.sqrt(h), dof).mean() + 0.5 * jnp.log(h).mean()


@row("n(300, 4)")
def vector_autoregression(y, lags=3, ahead=12):
    """Least squares of a VAR(3), impulse responses by Cholesky's ordering and decomposed variances."""
    x = jnp.concatenate([y[lags - k - 1 : 300 - k - 1] for k in range(lags)] + [jnp.ones((300 - lags, 1))], 1)
    b = jnp.linalg.solve(x.T @ x, x.T @ y[lags:])
    e = y[lags:] - x @ b
    root = jnp.linalg.cholesky(e.T @ e / (300 - lags))
    companion = jnp.zeros((12, 12)).at[:4].set(b[:12].T).at[jnp.arange(4, 12), jnp.arange(8)].set(1)
    response = lax.scan(lambda p, _: (companion @ p, p[:4, :4] @ root), jnp.eye(12), None, length=ahead)[1]
    part = jnp.cumsum(response**2, 0)
    return response, part / part.sum(-1, keepdims=True)


@row("jnp.cumsum(jnp.abs(n(300))), jnp.array([-1., -1., .5])", "jax.value_and_grad({0}, 1)")
def hawkes_likelihood(times, log_theta):
    mu, alpha, beta = jnp.exp(log_theta)
    decay = jnp.exp(-beta * jnp.diff(times))
    mix = lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1])
    excited = jnp.concatenate([jnp.zeros(1), lax.associative_scan(mix, (decay, decay))[1]])
    compensator = mu * times[-1] - alpha / beta * jnp.expm1(-beta * (times[-1] - times)).sum()
    return jnp.log(mu + alpha * excited).sum() - compensator


@row("nn.sigmoid(n(250, 2) * 2)")
def ripley_k_and_pairs(points):
    """Edge-corrected by translation, at 20 radii."""
    d = jnp.abs(points[:, None] - points)
    weight = 1 / (1 - d).prod(-1)
    r = jnp.linalg.norm(d, axis=-1) + 10 * jnp.eye(250)
    radii = jnp.linspace(0.01, 0.25, 20)
    k = ((r[..., None] < radii) * weight[..., None]).sum((0, 1)) / (250 * 249)
    return jnp.sqrt(k / jnp.pi) - radii, jnp.diff(k)


# ---- bandits, portfolios, entropies ----------------------------------------------------------------------------------

@row("random.split(key, 20), nn.sigmoid(n(20, 10))")
def upper_confidence_races(keys, means):
    """UCB1 for 100 rounds after each arm was pulled once; regret of 20 problems."""
    def one(key, mean):
        draws = (random.uniform(key, (110, 10)) < mean).astype(jnp.float32)
        def pull(s, inputs):
            t, reward = inputs
            total, count = s
            arm = (total / count + jnp.sqrt(2 * jnp.log(t) / count)).argmax()
            return (total.at[arm].add(reward[arm]), count.at[arm].add(1)), mean.max() - mean[arm]
        return lax.scan(pull, (draws[0], jnp.ones(10)), (jnp.arange(10.0, 110), draws[10:]))[1].cumsum()
    return jax.vmap(one)(keys, means)


@row("n(250, 30, scale=.01)")
def shrunk_long_only_portfolio(r):
    """Ledoit and Wolf's shrinkage to a scaled identity, then projected gradients onto the simplex."""
    x = r - r.mean(0)
    s = x.T @ x / 250
    scale = jnp.trace(s) / 30
    d2 = ((s - scale * jnp.eye(30)) ** 2).sum()
    b2 = ((x**2).sum(1) ** 2).mean() / 250 - (s**2).sum() / 250
    share = jnp.clip(b2 / d2, 0, 1)
    cov = (1 - share) * s + share * scale * jnp.eye(30)
    def project(v):
        u = jnp.sort(v)[::-1]
        c = (jnp.cumsum(u) - 1) / jnp.arange(1, 31)
        return nn.relu(v - c[(u > c).sum() - 1])
    step = lambda _, w: project(w - 0.3 / scale * (cov @ w - 0.05 * r.mean(0)))
    return share, lax.fori_loop(0, 40, step, jnp.full(30, 1 / 30))


@row("n(12), n(2000, 12, scale=.02), jnp.float32(.01)", "jax.value_and_grad({0}, (0, 2))")
def expected_shortfall(free, returns, threshold, level=0.95):
    loss = -returns @ nn.softmax(free)
    return threshold + nn.softplus((loss - threshold) * 200).mean() / 200 / (1 - level) + 0.1 * (nn.softmax(free) ** 2).sum()


@row("n(300, 3), n(280, 3, seed=1)")
def nearest_neighbour_entropies(x, y, k=4):
    """Kozachenko and Leonenko's entropy of x, its divergence from y, in three dimensions."""
    within = ((x[:, None] - x) ** 2).sum(-1) + 1e6 * jnp.eye(300)
    across = ((x[:, None] - y) ** 2).sum(-1)
    rho = 0.5 * jnp.log(-lax.top_k(-within, k)[0][:, -1])
    nu = 0.5 * jnp.log(-lax.top_k(-across, k)[0][:, -1])
    entropy = 3 * rho.mean() + jnp.log(4 * jnp.pi / 3) + special.digamma(300.0) - special.digamma(float(k))
    return entropy, 3 * (nu - rho).mean() + jnp.log(280 / 299)


@row("n(400), jnp.roll(n(400), 1) + n(400, seed=1)")
def ksg_information(x, y, k=3):
    big = 1e6 * jnp.eye(400)
    dx, dy = jnp.abs(x[:, None] - x) + big, jnp.abs(y[:, None] - y) + big
    radius = -lax.top_k(-jnp.maximum(dx, dy), k)[0][:, -1:]
    nx, ny = (dx < radius).sum(1), (dy < radius).sum(1)
    return special.digamma(float(k)) + special.digamma(400.0) - (special.digamma(nx + 1.0) + special.digamma(ny + 1.0)).mean()


@row("n(60, 5), n(60, 5, 5), n(5), n(5, 5, seed=1)")
def divergences_of_normals(mean, free, other, free_other):
    root = lambda f: jnp.tril(f, -1) + (jnp.exp(jnp.diagonal(f, axis1=-2, axis2=-1) / 4)[..., None] * jnp.eye(5))
    a, b = root(free), root(free_other)
    def one(m, a):
        v = solve_triangular(b, jnp.column_stack([a, other - m]), lower=True)
        return 0.5 * ((v**2).sum() - 5) + jnp.log(jnp.diag(b)).sum() - jnp.log(jnp.diag(a)).sum()
    return jax.vmap(one)(mean, a)


ROWS = [
    "lambda p, q: (js.special.rel_entr(p, (p + q) / 2) + js.special.rel_entr(q, (p + q) / 2)).sum(-1) / 2"
    " @@ nn.softmax(n(500, 20)), nn.softmax(n(500, 20, seed=1))",
    "lambda c: -(lambda p: p * jnp.log(p / (p.sum(0) * p.sum(1, keepdims=True)) + 1e-9))((c + 1.) / (c + 1.).sum()).sum() @@ i(40, 33, 17)",
    "lambda k, a: (lambda w: (w @ a, (w @ a).std(0)))(random.dirichlet(k, jnp.ones(120), (40,))) @@ key, n(120, 4)",
    "f64: lambda r: jnp.linalg.solve(jnp.cov(r.T), jnp.ones(25)) / jnp.linalg.solve(jnp.cov(r.T), jnp.ones(25)).sum()"
    " @@ n(400, 25, dtype='float64')",
]
