"""mechanics.py: functions that snippets of the long tail call: Lie groups, simulators of bodies, samplers, solvers and filters,
as users of JAX write them in their own projects. Arrays are jax.Array; a docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
import jax.scipy.optimize
from jax import lax, nn, random


# ---- Lie groups and bodies ---------------------------------------------------------------------------------------------

def quaternion_exp(w):
    """Rotation vectors (..., 3) to unit quaternions (..., 4), smooth at zero."""
    square = (w * w).sum(-1, keepdims=True)
    small = square < 1e-8
    angle = jnp.sqrt(jnp.where(small, 1.0, square))
    s = jnp.where(small, 0.5 - square / 48, jnp.sin(angle / 2) / angle)
    return jnp.concatenate([jnp.where(small, 1 - square / 8, jnp.cos(angle / 2)), s * w], -1)


def quaternion_log(q):
    norm = jnp.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * jnp.arctan2(norm, q[..., :1])
    return q[..., 1:] * jnp.where(norm < 1e-6, 2.0, angle / jnp.maximum(norm, 1e-6))


def left_jacobian(w):
    """Of SO(3): w (3)."""
    x, y, z = w
    k = jnp.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    t = jnp.sqrt(w @ w + 1e-12)
    return jnp.eye(3) + (1 - jnp.cos(t)) / t**2 * k + (t - jnp.sin(t)) / t**3 * k @ k


def adjoint(r, t):
    """Of SE(3): r (n, 3, 3), t (n, 3); result (n, 6, 6)."""
    zero = jnp.zeros(t.shape[0])
    x, y, z = t.T
    hat = jnp.stack([zero, -z, y, z, zero, -x, -y, x, zero], -1).reshape(-1, 3, 3)
    top = jnp.concatenate([r, hat @ r], -1)
    return jnp.concatenate([top, jnp.concatenate([jnp.zeros_like(r), r], -1)], 1)


def rotation_6d(x):
    """Gram-Schmidt of two columns: x (n, 6) to (n, 3, 3)."""
    a = x[:, :3] / jnp.linalg.norm(x[:, :3], axis=1, keepdims=True)
    b = x[:, 3:] - (a * x[:, 3:]).sum(1, keepdims=True) * a
    b = b / jnp.linalg.norm(b, axis=1, keepdims=True)
    return jnp.stack([a, b, jnp.cross(a, b)], -1)


def euler_matrix(angles):
    """Yaw, pitch and roll (n, 3) to (n, 3, 3)."""
    def one(a):
        (cz, cy, cx), (sz, sy, sx) = jnp.cos(a), jnp.sin(a)
        z = jnp.array([[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]])
        y = jnp.array([[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]])
        x = jnp.array([[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]])
        return z @ y @ x
    return jax.vmap(one)(angles)


def pose_graph(poses, source, target, measured, steps=5):
    """Gauss-Newton on a planar pose graph: poses (n, 3), measured (edges, 3)."""
    def residual(flat):
        p = flat.reshape(-1, 3)
        a, b = p[source], p[target]
        c, s = jnp.cos(a[:, 2]), jnp.sin(a[:, 2])
        d = b - a
        local = jnp.stack([c * d[:, 0] + s * d[:, 1], -s * d[:, 0] + c * d[:, 1], d[:, 2]], 1)
        return (local - measured).reshape(-1)
    def step(_, flat):
        j = jax.jacfwd(residual)(flat)
        return flat - jnp.linalg.solve(j.T @ j + 0.1 * jnp.eye(flat.size), j.T @ residual(flat))
    return lax.fori_loop(0, steps, step, poses.reshape(-1)).reshape(-1, 3)


def chain_energy(q, v, lengths):
    """Kinetic and potential energy of a planar chain: all (links)."""
    angle, rate = jnp.cumsum(q), jnp.cumsum(v)
    x = jnp.cumsum(lengths * jnp.sin(angle))
    speed = jnp.cumsum(lengths * rate * jnp.cos(angle)) ** 2 + jnp.cumsum(lengths * rate * jnp.sin(angle)) ** 2
    return 0.5 * speed.sum() - 9.8 * x.sum()


def lagrangian_acceleration(q, v, lengths):
    """Accelerations from the energy by automatic differentiation."""
    l = lambda q, v: chain_energy(q, v, lengths)
    mass = jax.hessian(l, 1)(q, v) + 1e-2 * jnp.eye(q.size)
    coriolis = jax.jacfwd(jax.grad(l, 1), 0)(q, v) @ v
    return jnp.linalg.solve(mass, jax.grad(l, 0)(q, v) - coriolis)


def composite_inertia(q, masses):
    """Joint-space inertia of a chain by a reverse scan over 6-d spatial inertias: q (links, 3), masses (links, 6, 6)."""
    def transform(w):
        r = jax.scipy.linalg.expm(jnp.cross(jnp.eye(3), w))
        return jnp.zeros((6, 6)).at[:3, :3].set(r).at[3:, 3:].set(r).at[3:, :3].set(jnp.cross(r, jnp.array([0.0, 0.0, 1.0])))
    x = jax.vmap(transform)(q)
    def step(total, row):
        x, m = row
        total = x.T @ total @ x + m
        return total, total[2, 2]
    return lax.scan(step, jnp.zeros((6, 6)), (x, masses), reverse=True)[1]


def projected_gauss_seidel(a, b, sweeps=10):
    """A linear complementarity problem, row by row: a (n, n), b (n)."""
    def row(i, x):
        return x.at[i].set(jnp.maximum(0.0, x[i] - (a[i] @ x + b[i]) / a[i, i]))
    return lax.fori_loop(0, sweeps, lambda _, x: lax.fori_loop(0, b.size, row, x), jnp.zeros_like(b))


def capsule_contacts(a, b, radius):
    """Closest points of all pairs of segments: a, b (n, 3) ends."""
    d = b - a
    def pair(p, u, q, v):
        w = p - q
        uu, uv, vv, uw, vw = u @ u, u @ v, v @ v, u @ w, v @ w
        s = jnp.clip((uv * vw - vv * uw) / jnp.maximum(uu * vv - uv * uv, 1e-6), 0.0, 1.0)
        t = jnp.clip((uv * s + vw) / jnp.maximum(vv, 1e-6), 0.0, 1.0)
        s = jnp.clip((uv * t - uw) / jnp.maximum(uu, 1e-6), 0.0, 1.0)
        return jnp.linalg.norm(w + s * u - t * v + 1e-9) - 2 * radius
    return jax.vmap(jax.vmap(pair, (None, None, 0, 0)), (0, 0, None, None))(a, d, a, d)


def box_corners_contact(position, q, half):
    """Depth below the floor of the corners of boxes: position (n, 3), q (n, 4), half (n, 3)."""
    signs = jnp.array([[x, y, z] for x in (-1.0, 1) for y in (-1.0, 1) for z in (-1.0, 1)])
    q = q / jnp.linalg.norm(q, axis=1, keepdims=True)
    v = signs[None] * half[:, None]
    t = 2 * jnp.cross(q[:, None, 1:], v)
    world = v + q[:, None, :1] * t + jnp.cross(q[:, None, 1:], t) + position[:, None]
    deepest, which = lax.top_k(-world[..., 2], 4)
    return jnp.where(deepest > 0, deepest, 0.0), jnp.take_along_axis(world, which[..., None], 1)


def smoothed_particles(x, v, h=0.4):
    """Densities and pressure forces of a fluid of particles: x, v (n, 2)."""
    d = x[:, None] - x
    r2 = (d * d).sum(-1)
    density = jnp.where(r2 < h * h, (h * h - r2) ** 3, 0.0).sum(1)
    p = 2.0 * (density - 0.1)
    r = jnp.sqrt(r2 + 1e-9)
    w = jnp.where(r < h, (h - r) ** 2 / r, 0.0) * (p[:, None] + p) / (2 * density)
    return v + 0.001 * (w[..., None] * d).sum(1)


# ---- samplers ----------------------------------------------------------------------------------------------------------

def langevin(key, x, log_p, steps=30, size=0.01):
    gradient = jax.vmap(jax.grad(log_p))
    def step(x, key):
        return x + size * gradient(x) + jnp.sqrt(2 * size) * random.normal(key, x.shape), None
    return lax.scan(step, x, random.split(key, steps))[0]


def annealed_importance(key, x, rungs=20):
    """Log weights from a unit Gaussian to a mixture: x (particles, d)."""
    start = lambda x: -0.5 * (x * x).sum(-1)
    target = lambda x: jnp.logaddexp(-0.5 * ((x - 1.5) ** 2).sum(-1), -0.5 * ((x + 1.5) ** 2).sum(-1))
    def step(carry, row):
        x, weight = carry
        key, beta = row
        weight = weight + (target(x) - start(x)) / rungs
        log_p = lambda x: (1 - beta) * start(x) + beta * target(x)
        k1, k2 = random.split(key)
        proposal = x + 0.5 * random.normal(k1, x.shape)
        accept = jnp.log(random.uniform(k2, x.shape[:1])) < log_p(proposal) - log_p(x)
        return (jnp.where(accept[:, None], proposal, x), weight), None
    rows = random.split(key, rungs), jnp.linspace(0, 1, rungs)
    return lax.scan(step, (x, jnp.zeros(x.shape[0])), rows)[0][1]


def elliptical_slice(key, f, factor, tries=10):
    """Several tries at once in place of a loop; f (d), factor (d, d) the prior's Cholesky factor."""
    log_p = lambda f: -jnp.logaddexp(0, -f).sum()
    k1, k2, k3 = random.split(key, 3)
    other, level = factor @ random.normal(k1, f.shape), log_p(f) + jnp.log(random.uniform(k2))
    angles = random.uniform(k3, (tries,), maxval=6.28) * 0.5 ** jnp.arange(tries)
    points = f * jnp.cos(angles)[:, None] + other * jnp.sin(angles)[:, None]
    good = jax.vmap(log_p)(points) > level
    return points[jnp.argmax(good)]


def stretch_moves(key, walkers, log_p, steps=20):
    """The affine-invariant ensemble of emcee: walkers (even, d)."""
    half = walkers.shape[0] // 2
    def move(key, a, b):
        k1, k2, k3 = random.split(key, 3)
        z = (random.uniform(k1, (half,)) + 1) ** 2 / 2
        new = b[random.randint(k2, (half,), 0, half)]
        new = new + z[:, None] * (a - new)
        gain = (a.shape[1] - 1) * jnp.log(z) + jax.vmap(log_p)(new) - jax.vmap(log_p)(a)
        return jnp.where((jnp.log(random.uniform(k3, (half,))) < gain)[:, None], new, a)
    def step(w, key):
        k1, k2 = random.split(key)
        first = move(k1, w[:half], w[half:])
        return jnp.concatenate([first, move(k2, w[half:], first)]), None
    return lax.scan(step, walkers, random.split(key, steps))[0]


def gibbs_regression(key, x, y, steps=15):
    """Bayesian linear regression with an unknown variance: x (n, d)."""
    gram, moment = x.T @ x, x.T @ y
    def step(carry, key):
        k1, k2 = random.split(key)
        factor = jnp.linalg.cholesky(gram / carry + jnp.eye(x.shape[1]))
        mean = jax.scipy.linalg.cho_solve((factor, True), moment / carry)
        w = mean + jax.scipy.linalg.solve_triangular(factor.T, random.normal(k1, mean.shape))
        variance = (((y - x @ w) ** 2).sum() / 2 + 1) / random.gamma(k2, x.shape[0] / 2 + 2.0)
        return variance, w
    return lax.scan(step, jnp.ones(()), random.split(key, steps))[1].mean(0)


def bootstrap_filter(key, observed, particles=500):
    """A particle filter of stochastic volatility with systematic resampling: observed (time)."""
    def step(x, row):
        key, y = row
        k1, k2 = random.split(key)
        x = 0.95 * x + 0.2 * random.normal(k1, x.shape)
        weight = nn.softmax(-0.5 * (x + y * y * jnp.exp(-x)))
        at = (jnp.arange(particles) + random.uniform(k2)) / particles
        return x[jnp.searchsorted(jnp.cumsum(weight), at).clip(0, particles - 1)], (weight * x).sum()
    return lax.scan(step, jnp.zeros(particles), (random.split(key, len(observed)), observed))[1]


def stick_breaking(v):
    """(..., k) logits to probabilities (..., k + 1)."""
    z = nn.sigmoid(v - jnp.log(jnp.arange(v.shape[-1], 0, -1)))
    left = jnp.cumprod(1 - z, -1)
    one = jnp.ones(v.shape[:-1] + (1,))
    return jnp.concatenate([z, one], -1) * jnp.concatenate([one, left], -1)


def pathfinder_draws(key, mean, s, y, count=100):
    """Draws from the Gaussian of an L-BFGS history: s, y (pairs, d)."""
    middle = jnp.linalg.solve(s @ y.T + 5 * jnp.eye(s.shape[0]), s)
    cov = jnp.eye(mean.size) + y.T @ middle * 0.01
    factor = jnp.linalg.cholesky(cov @ cov.T + jnp.eye(mean.size))
    return mean + random.normal(key, (count, mean.size)) @ factor.T


# ---- solvers -----------------------------------------------------------------------------------------------------------

def dormand_prince(f, y, h=0.02, steps=20):
    """Fixed steps of the fifth order; returns the last state and the estimated error."""
    table = (
        (1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9), (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656), (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    )
    error = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
    def step(y, _):
        k = [f(y)]
        for row in table:
            new = y + h * sum(a * b for a, b in zip(row, k))
            k.append(f(new))
        return new, jnp.abs(sum(a * b for a, b in zip(error, k))).max()
    return lax.scan(step, y, length=steps)


def implicit_midpoint(f, y, h=0.1, steps=10, newton=3):
    """Newton's method inside a scan: y (d)."""
    def step(y, _):
        def refine(_, z):
            residual = lambda z: z - y - h * f((y + z) / 2)
            return z - jnp.linalg.solve(jax.jacfwd(residual)(z), residual(z))
        z = lax.fori_loop(0, newton, refine, y)
        return z, z
    return lax.scan(step, y, length=steps)[1]


def adaptive_heun(f, y, until=1.0, tolerance=1e-3):
    """A while loop with rejected steps: y (d)."""
    def step(s):
        t, y, h, count = s
        a = f(y)
        b = f(y + h * a)
        error = jnp.abs(h / 2 * (b - a)).max() / tolerance + 1e-9
        good = error < 1
        y = jnp.where(good, y + h / 2 * (a + b), y)
        return t + jnp.where(good, h, 0.0), y, jnp.minimum(h * jnp.clip(0.9 * error**-0.5, 0.3, 3.0), until - t), count + 1
    return lax.while_loop(lambda s: (s[0] < until - 1e-4) & (s[3] < 300), step, (0.0, y, 0.01, 0))[1]


def milstein(key, x, steps=50, h=0.02):
    """Geometric Brownian motion: x (paths)."""
    def step(x, key):
        w = jnp.sqrt(h) * random.normal(key, x.shape)
        return x + 0.05 * x * h + 0.3 * x * w + 0.045 * x * (w * w - h), x
    return lax.scan(step, x, random.split(key, steps))[1]


def predator_prey(y):
    a, b = y[..., 0], y[..., 1]
    return jnp.stack([1.5 * a - a * b, a * b - 3 * b], -1)


def van_der_pol(y, mu=3.0):
    return jnp.stack([y[..., 1], mu * (1 - y[..., 0] ** 2) * y[..., 1] - y[..., 0]], -1)


def brusselator(y):
    """y (2, n) on a ring."""
    u, v = y
    around = lambda z: jnp.roll(z, 1) + jnp.roll(z, -1) - 2 * z
    return jnp.stack([1 + u * u * v - 4 * u + 0.5 * around(u), 3 * u - u * u * v + 0.5 * around(v)])


def gmres_poisson(b, steps=10):
    """A matrix-free Laplacian: b (n, n)."""
    def apply(u):
        p = jnp.pad(u, 1)
        return 4.1 * u - p[2:, 1:-1] - p[:-2, 1:-1] - p[1:-1, 2:] - p[1:-1, :-2]
    return jax.scipy.sparse.linalg.gmres(apply, b, maxiter=1, restart=steps, solve_method="batched")[0]


def preconditioned_cg(a, b, steps=20):
    """Jacobi's preconditioner: a (n, n), b (n, k)."""
    d = 1 / jnp.diag(a)[:, None]
    def step(_, s):
        x, r, p, rho = s
        q = a @ p
        alpha = rho / (p * q).sum(0)
        x, r = x + alpha * p, r - alpha * q
        new = (r * d * r).sum(0)
        return x, r, d * r + new / rho * p, new
    return lax.fori_loop(0, steps, step, (jnp.zeros_like(b), b, d * b, (b * d * b).sum(0)))[0]


def lanczos(a, v, steps=12):
    """The tridiagonal coefficients, with full orthogonalization: a (n, n), v (n)."""
    def step(carry, i):
        basis, v = carry
        basis = basis.at[i].set(v)
        w = a @ v
        alpha = w @ v
        w = w - basis.T @ (basis @ w)
        beta = jnp.linalg.norm(w)
        return (basis, w / beta), (alpha, beta)
    return lax.scan(step, (jnp.zeros((steps, v.size)), v / jnp.linalg.norm(v)), jnp.arange(steps))[1]


def power_svd(key, a, rank=5, rounds=3):
    """Randomized range finder."""
    q = random.normal(key, (a.shape[1], rank + 5))
    for _ in range(rounds):
        q = jnp.linalg.qr(a.T @ jnp.linalg.qr(a @ q)[0])[0]
    return jnp.linalg.svd(a @ q, full_matrices=False)[1][:rank]


def proximal_matrix_completion(x, mask, steps=5):
    def step(_, m):
        u, s, v = jnp.linalg.svd(jnp.where(mask, x, m), full_matrices=False)
        return (u * jnp.maximum(s - 1.0, 0)) @ v
    return lax.fori_loop(0, steps, step, jnp.zeros_like(x))


def chambolle(image, steps=15, weight=0.2):
    """Total variation denoising by the dual: image (h, w)."""
    def divergence(p):
        return p[0] - jnp.pad(p[0][:-1], ((1, 0), (0, 0))) + p[1] - jnp.pad(p[1][:, :-1], ((0, 0), (1, 0)))
    def step(_, p):
        u = image + weight * divergence(p)
        g = jnp.stack([jnp.diff(u, axis=0, append=u[-1:]), jnp.diff(u, axis=1, append=u[:, -1:])])
        return (p + 0.25 * g) / (1 + 0.25 * jnp.sqrt((g * g).sum(0) + 1e-8))
    return image + weight * divergence(lax.fori_loop(0, steps, step, jnp.zeros((2,) + image.shape)))


def nesterov_logistic(w, x, y, steps=25):
    loss = lambda w: nn.softplus(-y * (x @ w)).mean()
    def step(k, s):
        w, z = s
        new = z - 0.5 * jax.grad(loss)(z)
        return new, new + k / (k + 3.0) * (new - w)
    return lax.fori_loop(0, steps, step, (w, w))[0]


def nelder_mead(f, simplex, steps=40):
    """simplex (d + 1, d)."""
    def step(_, s):
        s = s[jnp.argsort(jax.vmap(f)(s))]
        centre, worst = s[:-1].mean(0), s[-1]
        tries = centre + jnp.array([1.0, 2.0, 0.5, -0.5])[:, None] * (centre - worst)
        values = jax.vmap(f)(tries)
        best = jnp.argmin(values)
        shrunk = s[0] + 0.5 * (s - s[0])
        return jnp.where(values[best] < f(worst), s.at[-1].set(tries[best]), shrunk)
    return lax.fori_loop(0, steps, step, simplex)


def differential_evolution(key, p, f, steps=20):
    """p (population, d)."""
    def step(p, key):
        k1, k2, k3 = random.split(key, 3)
        a, b, c = (p[random.permutation(k, p.shape[0])] for k in random.split(k1, 3))
        trial = jnp.where(random.bernoulli(k2, 0.7, p.shape), a + 0.6 * (b - c), p)
        return jnp.where((jax.vmap(f)(trial) < jax.vmap(f)(p))[:, None], trial, p), None
    return lax.scan(step, p, random.split(key, steps))[0]


def rauch_tung_striebel(a, q, means, covs):
    """Smooths filtered states backwards: a, q (d, d), means (time, d), covs (time, d, d)."""
    def step(later, row):
        m, p = row
        predicted = a @ p @ a.T + q
        gain = jnp.linalg.solve(predicted, a @ p).T
        m = m + gain @ (later[0] - a @ m)
        p = p + gain @ (later[1] - predicted) @ gain.T
        return (m, p), m
    return lax.scan(step, (means[-1], covs[-1]), (means[:-1], covs[:-1]), reverse=True)[1]


def ornstein_kernel_posterior(x, y, at):
    """Matérn 3/2 regression and its predictive variance: x (n, d), at (m, d)."""
    def kernel(a, b):
        r = jnp.sqrt(((a[:, None] - b) ** 2).sum(-1) + 1e-10) * 3**0.5
        return (1 + r) * jnp.exp(-r)
    factor = jax.scipy.linalg.cho_factor(kernel(x, x) + 0.1 * jnp.eye(x.shape[0]))
    k = kernel(at, x)
    return k @ jax.scipy.linalg.cho_solve(factor, y), 1 - (k.T * jax.scipy.linalg.cho_solve(factor, k.T)).sum(0)
