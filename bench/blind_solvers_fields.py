"""blind_solvers_fields.py: rows of the long tail written before any of them was measured (snippets.py): loops over time and over
guesses: particles, fluids, fields on grids, multigrid, stiff and stochastic equations, control, implicit derivatives."""
import jax
import jax.numpy as jnp
from jax import lax, nn

from snippets import row


# ---- particles -------------------------------------------------------------------------------------------------------------

@row("n(400), n(40)")
def bootstrap_filter_systematic(x, ys):
    def step(x, inp):
        y, key = inp
        k1, k2 = jax.random.split(key)
        x = 0.9 * x + 0.5 * jnp.sin(x) + 0.3 * jax.random.normal(k1, x.shape)
        w = nn.softmax(-0.5 * (y - x) ** 2)
        at = jnp.searchsorted(jnp.cumsum(w), (jnp.arange(400) + jax.random.uniform(k2)) / 400)
        return x[jnp.minimum(at, 399)], (w @ x, 1 / jnp.sum(w * w))
    return lax.scan(step, x, (ys, jax.random.split(jax.random.key(0), 40)))[1]


@row("n(100, 3), n(100, 3, seed=1), jnp.abs(n(100))")
def softened_gravity_leapfrog(x, v, m):
    def acc(x):
        d = x[None] - x[:, None]
        return jnp.einsum("ij,ijk->ik", m * ((d * d).sum(-1) + 0.01) ** -1.5, d)
    def step(s, _):
        x, v = s
        v = v + 0.005 * acc(x)
        x = x + 0.01 * v
        return (x, v + 0.005 * acc(x)), 0.5 * jnp.sum(m[:, None] * v * v)
    return lax.scan(step, (x, v * 0.1), None, length=10)


@row("n(64, 2), i(64, 150), i(64, 150)[::-1], jnp.abs(n(150))")
@row("n(64, 2), i(64, 150), i(64, 150)[::-1], jnp.abs(n(150))", function="grad({0}, 3)")
def damped_spring_network(x, a, b, rest):
    def step(s, _):
        x, v = s
        d = x[b] - x[a]
        l = jnp.sqrt((d * d).sum(1) + 1e-6)
        f = (l - rest)[:, None] * d / l[:, None]
        v = 0.99 * (v + 0.02 * jnp.zeros_like(x).at[a].add(f).at[b].add(-f))
        return (x + 0.02 * v, v), None
    return lax.scan(step, (x, x * 0), None, length=30)[0][0]


@row("n(20, 20, 3, scale=.05)")
def cloth_by_verlet(noise):
    grid = jnp.stack(jnp.meshgrid(jnp.arange(20.0), jnp.arange(20.0), indexing="ij") + [jnp.zeros((20, 20))], -1) + noise
    def relax(x, axis):
        a, b = (x[:-1], x[1:]) if axis == 0 else (x[:, :-1], x[:, 1:])
        d = b - a
        l = jnp.linalg.norm(d, axis=-1, keepdims=True)
        c = 0.25 * d * (1 - 1 / l)
        pad = lambda c, lo: jnp.pad(c, [(lo, 1 - lo) if k == axis else (0, 0) for k in range(3)])
        return x + pad(c, 0) - pad(c, 1)
    def step(s, _):
        x, old = s
        new = x + 0.99 * (x - old) + jnp.array([0, 0, -0.002])
        for _ in range(3):
            new = relax(relax(new, 0), 1).at[0].set(grid[0])
        return (new, x), new[-1, 10]
    return lax.scan(step, (grid, grid), None, length=10)


@row("jax.random.uniform(key, (200, 2)), n(200, 2, scale=.1)")
def smoothed_particle_fluid(x, v):
    h = 0.12
    def step(s, _):
        x, v = s
        d = x[:, None] - x
        r = jnp.sqrt((d * d).sum(-1) + 1e-9)
        q = nn.relu(1 - r / h)
        rho = (q**3).sum(1)
        p = 2 * (rho - 3)
        f = jnp.einsum("ij,ijk->ik", (p[:, None] + p) / (2 * rho) * q * q / r, d) + 0.1 * ((q / rho) @ v - v)
        v = v + 0.002 * f + jnp.array([0, -0.005])
        v = jnp.where((x < 0) & (v < 0) | (x > 1) & (v > 0), -0.5 * v, v)
        return (x + 0.01 * v, v), rho.mean()
    return lax.scan(step, (x, v), None, length=8)


# ---- fields -----------------------------------------------------------------------------------------------------------------

def _laplacian(u):
    return jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) - 4 * u


@row("n(96, 96, scale=.1)")
def lid_driven_cavity(w):
    def step(s, _):
        w, psi = s
        def relax(_, p):
            near = p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2]
            return p.at[1:-1, 1:-1].set(0.25 * (near + w[1:-1, 1:-1]))
        psi = lax.fori_loop(0, 10, relax, psi)
        w = w.at[0].set(-2 * psi[1]).at[-1].set(-2 * psi[-2] - 0.2).at[:, 0].set(-2 * psi[:, 1]).at[:, -1].set(-2 * psi[:, -2])
        u, v = jnp.gradient(psi)[1], -jnp.gradient(psi)[0]
        gx, gy = jnp.gradient(w)
        return (w - 0.1 * (u * gx + v * gy) + 0.1 * _laplacian(w), psi), None
    return lax.scan(step, (w, w * 0), None, length=10)[0]


@row("jnp.exp(-jnp.linspace(-3, 3, 300) ** 2) + 1")
@row("jnp.exp(-jnp.linspace(-3, 3, 100) ** 2) + 1", function="jax.jacfwd({0})")
def shallow_water_lax_friedrichs(h):
    def flux(h, q):
        return q, q * q / h + 0.5 * h * h
    def step(s, _):
        right = tuple(jnp.roll(a, -1) for a in s)
        f = [0.5 * (a + b) - 0.8 * (y - x) for a, b, x, y in zip(flux(*s), flux(*right), s, right)]
        return tuple(a - 0.2 * (g - jnp.roll(g, 1)) for a, g in zip(s, f)), None
    return lax.scan(step, (h, h * 0), None, length=60)[0][0]


@row("nn.sigmoid(n(128, 128)), nn.sigmoid(n(128, 128, seed=1)) * .5")
def gray_scott_with_feed_map(u, v):
    feed = jnp.linspace(0.02, 0.06, 128)
    def step(_, s):
        u, v = s
        r = u * v * v
        return u + 0.16 * _laplacian(u) - r + feed * (1 - u), v + 0.08 * _laplacian(v) + r - (feed + 0.06) * v
    return lax.fori_loop(0, 25, step, (u, v))


@row("n(100, 100)")
def level_set_reinitialized(phi):
    s = phi / jnp.sqrt(phi * phi + 1)
    def step(p, _):
        sides = []
        for axis in (0, 1):
            back = p - jnp.roll(p, 1, axis)
            ahead = jnp.roll(p, -1, axis) - p
            up = jnp.maximum(nn.relu(back) ** 2, nn.relu(-ahead) ** 2)
            sides.append(jnp.where(s > 0, up, jnp.maximum(nn.relu(-back) ** 2, nn.relu(ahead) ** 2)))
        return p - 0.3 * s * (jnp.sqrt(sides[0] + sides[1]) - 1), None
    return lax.scan(step, phi, None, length=20)[0]


@row("n(255)")
@row("n(20, 127)", function="vmap({0})")
def multigrid_cycles_on_line(f):
    res = lambda u, f: f - (2 * u - jnp.pad(u, 1)[2:] - jnp.pad(u, 1)[:-2])
    def cycle(u, f):
        if u.size < 3:
            return f / 2
        u = u + 0.33 * res(u, f)
        r = res(u, f)
        e = cycle(jnp.zeros(u.size // 2), r[:-2:2] + 2 * r[1:-1:2] + r[2::2])
        fine = jnp.zeros(u.size).at[1::2].set(e)
        fine = fine.at[::2].set(0.5 * (jnp.pad(e, (1, 0)) + jnp.pad(e, (0, 1))))
        u = u + fine
        return u + 0.33 * res(u, f)
    return lax.fori_loop(0, 5, lambda _, u: cycle(u, f), f * 0)


@row("n(256)")
def split_step_schrodinger(x):
    psi = jnp.exp(-jnp.linspace(-4, 4, 256) ** 2) + 0j
    k = jnp.fft.fftfreq(256) * 64 * jnp.pi
    half, full = jnp.exp(-0.005j * x), jnp.exp(-0.005j * k * k * 0.01)
    step = lambda p, _: ((q := half * jnp.fft.ifft(full * jnp.fft.fft(half * p))), jnp.sum(jnp.abs(q) ** 2))
    return lax.scan(step, psi, None, length=40)


@row("n(128)")
def exponential_integrator_kdv(u):
    k = 1j * jnp.fft.rfftfreq(128) * 128
    e = jnp.exp(-k**3 * 1e-5)
    keep = jnp.arange(65) < 42
    non = lambda v: -1e-4 * 3 * k * keep * jnp.fft.rfft(jnp.fft.irfft(v) ** 2)
    def step(v, _):
        w = e * (v + non(v))
        return 0.5 * w + 0.5 * (e * v + non(w)), None
    return jnp.fft.irfft(lax.scan(step, jnp.fft.rfft(u), None, length=30)[0])


# ---- stiff, stochastic, boundary values ----------------------------------------------------------------------------------------

@row("jnp.abs(n(64, 3)) + .5", function="vmap({0})")
def implicit_euler_brusselator(y):
    f = lambda y: jnp.array([1 + y[0] ** 2 * y[1] - 4 * y[0], 3 * y[0] - y[0] ** 2 * y[1], y[0] - 50 * y[2]])
    def step(y, _):
        g = lambda z: z - y - 0.02 * f(z)
        z = lax.fori_loop(0, 3, lambda _, z: z - jnp.linalg.solve(jax.jacfwd(g)(z), g(z)), y)
        return z, z
    return lax.scan(step, y, None, length=20)[1]


@row("n(200), n(4)")
@row("n(200), n(4)", function="grad({0}, 1)")
def milstein_heston_paths(x, p):
    kappa, theta, sigma = jnp.exp(p[0] * 0.1), 0.04, 0.3
    z = jax.random.normal(jax.random.key(2), (50, 2, 200))
    def step(s, z):
        lx, v = s
        root = jnp.sqrt(jnp.maximum(v, 1e-6))
        zv = p[1] * 0.1 * z[0] + z[1]
        v1 = v + kappa * (theta - v) * 0.02 + sigma * root * 0.141 * zv + 0.25 * sigma**2 * 0.02 * (zv * zv - 1)
        return (lx - 0.5 * v * 0.02 + root * 0.141 * z[0], jnp.maximum(v1, 1e-6)), None
    lx, _ = lax.scan(step, (0.01 * x, jnp.full(200, 0.04)), z)[0]
    return nn.relu(jnp.exp(lx) - 1).mean()


@row("n(100)", function="vmap({0})")
def shooting_for_boundary_value(target):
    def fly(slope):
        step = lambda s, _: ((s[0] + 0.02 * s[1], s[1] - 0.02 * jnp.sin(s[0])), None)
        return lax.scan(step, (0.0, slope), None, length=50)[0][0]
    def newton(_, s):
        f, df = jax.jvp(fly, (s,), (1.0,))
        return s - (f - target) / df
    return lax.fori_loop(0, 6, newton, target)


# ---- control, learning, implicit derivatives --------------------------------------------------------------------------------------

@row("n(6, 6, scale=.3), n(6, 2), n(32, 6)")
def finite_horizon_regulator(a, b, x):
    def back(p, _):
        k = jnp.linalg.solve(0.1 * jnp.eye(2) + b.T @ p @ b, b.T @ p @ a)
        return jnp.eye(6) + a.T @ p @ (a - b @ k), k
    ks = lax.scan(back, jnp.eye(6), None, length=30)[1]
    return lax.scan(lambda x, k: (x @ (a - b @ k).T, jnp.sum(x * x)), x, ks[::-1])


@row("n(4), n(20, 1, scale=.1)")
def ilqr_of_cart_pole(x0, us):
    def f(x, u):
        s, c = jnp.sin(x[1]), jnp.cos(x[1])
        a = (u[0] + 0.1 * s * (0.5 * x[3] ** 2 + 9.8 * c)) / (1 + 0.1 * s * s)
        return x + 0.05 * jnp.array([x[2], x[3], a, -2 * (a * c + 9.8 * s)])
    def iteration(us, _):
        xs = lax.scan(lambda x, u: (f(x, u), x), x0, us)[1]
        fx, fu = jax.vmap(jax.jacfwd(f, (0, 1)))(xs, us)
        def back(s, t):
            v, p = s
            a, b, x, u = t
            quu = 0.1 * jnp.eye(1) + b.T @ p @ b
            k, g = -jnp.linalg.solve(quu, b.T @ p @ a), -jnp.linalg.solve(quu, 0.1 * u + b.T @ v)
            v = x + a.T @ v + k.T @ (0.1 * u + b.T @ v) + a.T @ p @ b @ g
            return (v, jnp.eye(4) + a.T @ p @ (a + b @ k)), (k, g)
        ks, gs = lax.scan(back, (xs[-1], jnp.eye(4)), (fx, fu, xs, us), reverse=True)[1]
        def roll(x, t):
            k, g, xo, u = t
            u = jnp.clip(u + 0.3 * g + k @ (x - xo), -5, 5)
            return f(x, u), u
        return lax.scan(roll, x0, (ks, gs, xs, us))[1], jnp.sum(xs * xs)
    return lax.scan(iteration, us, None, length=4)


@row("n(4), n(15, 2)")
def model_predictive_by_gradient(x, us):
    def cost(us, x):
        step = lambda x, u: ((x := jnp.concatenate([x[:2] + 0.1 * x[2:], x[2:] + 0.1 * jnp.tanh(u)])), x @ x + 0.01 * u @ u)
        return lax.scan(step, x, us)[1].sum()
    def control(s, _):
        x, us = s
        us = lax.fori_loop(0, 8, lambda _, u: u - 0.05 * jax.grad(cost)(u, x), us)
        x = jnp.concatenate([x[:2] + 0.1 * x[2:], x[2:] + 0.1 * jnp.tanh(us[0])])
        return (x, jnp.roll(us, -1, 0).at[-1].set(0)), x
    return lax.scan(control, (x, us), None, length=8)[1]


@row("n(64, 2), n(2, 24), n(24, 2, scale=.2)", function="jax.value_and_grad({0}, (1, 2))")
def continuous_flow_with_trace(x, w1, w2):
    def f(x):
        return jnp.tanh(x @ w1) @ w2
    def step(s, _):
        x, ld = s
        tr = jax.vmap(lambda x: jnp.trace(jax.jacfwd(f)(x)))(x)
        mid = x + 0.05 * f(x)
        return (x + 0.1 * f(mid), ld + 0.1 * tr), None
    z, ld = lax.scan(step, (x, jnp.zeros(64)), None, length=10)[0]
    return jnp.mean(0.5 * (z * z).sum(1) - ld)


@row("n(32, 40), n(40, 40, scale=.05), n(40, 40, scale=.1, seed=1)", function="grad({0}, (0, 1, 2))")
def deep_equilibrium_with_adjoint(x, w, u):
    f = lambda w, inp, z: jnp.tanh(z @ w + inp)
    @jax.custom_vjp
    def solve(w, inp):
        return lax.fori_loop(0, 20, lambda _, z: f(w, inp, z), jnp.zeros_like(inp))
    def forward(w, inp):
        z = solve(w, inp)
        return z, (w, inp, z)
    def backward(saved, g):
        w, inp, z = saved
        vz = jax.vjp(lambda z: f(w, inp, z), z)[1]
        a = lax.fori_loop(0, 20, lambda _, a: g + vz(a)[0], g)
        return jax.vjp(lambda w, inp: f(w, inp, z), w, inp)[1](a)
    solve.defvjp(forward, backward)
    return solve(w, x @ u) ** 2


@row("n(80, 10), n(80), n(10)", function="jax.jacrev({0}, 2)")
def implicit_ridge_weights(a, b, log_penalty):
    matvec = lambda w: a.T @ (a @ w) + jnp.exp(log_penalty) * w
    solve = lambda mv, r: jax.scipy.sparse.linalg.cg(mv, r, maxiter=15)[0]
    return lax.custom_linear_solve(matvec, a.T @ b, solve, symmetric=True)
