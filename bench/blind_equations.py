"""blind_equations.py: rows of the long tail written before any of them was measured (snippets.py): partial, ordinary and
stochastic differential equations, their grids, solvers and adjoints. A docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random
from jax.experimental import ode

from snippets import row


def shift(u, k, axis):
    return jnp.roll(u, -k, axis)


def laplace(u):
    return sum(jnp.roll(u, s, a) for a in range(u.ndim) for s in (1, -1)) - 2 * u.ndim * u


# ---- grids -----------------------------------------------------------------------------------------------------------

@row("n(61, 67)")
@row("n(61, 67)", "grad(lambda u: {0}(u) ** 2)")
def wave_with_walls(u, steps=15):
    """Leapfrog; the border is fixed at zero: interior written in place."""
    def step(s, _):
        now, before = s
        inner = now[1:-1, 1:-1]
        lap = now[2:, 1:-1] + now[:-2, 1:-1] + now[1:-1, 2:] + now[1:-1, :-2] - 4 * inner
        return (jnp.zeros_like(now).at[1:-1, 1:-1].set(2 * inner - before[1:-1, 1:-1] + 0.2 * lap), now), None
    return lax.scan(step, (u, u), None, length=steps)[0][0]


@row("n(17, 19, 23), abs(n(17, 19, 23))")
def heat_with_conductivity(u, k, steps=8):
    def step(_, u):
        total = 0.0
        for a in range(3):
            flux = 0.5 * (k + shift(k, 1, a)) * (shift(u, 1, a) - u)
            total = total + flux - shift(flux, -1, a)
        return u + 0.05 * total
    return lax.fori_loop(0, steps, step, u)


@row("n(47, 43)")
def alternating_directions(u, r=0.7):
    """Peaceman and Rachford: tridiagonal systems along rows, then along columns."""
    def half(u):
        m, n = u.shape
        rhs = u + 0.5 * r * (jnp.pad(u[1:], ((0, 1), (0, 0))) - 2 * u + jnp.pad(u[:-1], ((1, 0), (0, 0))))
        low = jnp.full(n, -r / 2).at[0].set(0)
        up = jnp.full(n, -r / 2).at[-1].set(0)
        return lax.linalg.tridiagonal_solve(low, jnp.full(n, 1 + r), up, rhs.T)
    for _ in range(3):
        u = half(half(u))
    return u


@row("n(1000)")
@row("n(1000)", "jax.jit(lambda u: jax.jvp({0}, (u,), (u,))[1])")
def burgers_limited(u, steps=20):
    """MUSCL with minmod and Rusanov fluxes."""
    minmod = lambda a, b: jnp.where(a * b > 0, jnp.where(abs(a) < abs(b), a, b), 0)
    def step(_, u):
        slope = minmod(u - shift(u, -1, 0), shift(u, 1, 0) - u)
        left, right = u + slope / 2, shift(u - slope / 2, 1, 0)
        flux = 0.25 * (left**2 + right**2) - 0.5 * jnp.maximum(abs(left), abs(right)) * (right - left)
        return u - 0.1 * (flux - shift(flux, -1, 0))
    return lax.fori_loop(0, steps, step, u)


@row("n(64, 64)")
def vorticity_spectral(w, steps=4):
    """Navier-Stokes in two dimensions with two thirds of the modes, by Heun's steps."""
    k = jnp.fft.fftfreq(64, 1 / 64)
    kx, ky = k[:, None], jnp.fft.rfftfreq(64, 1 / 64)[None]
    square = kx**2 + ky**2
    safe = jnp.where(square == 0, 1, square)
    mask = (abs(kx) < 21) & (abs(ky) < 21)
    def slope(w):
        real = lambda v: jnp.fft.irfft2(v, (64, 64))
        psi = w / safe
        u, v = real(1j * ky * psi), real(-1j * kx * psi)
        return mask * -jnp.fft.rfft2(u * real(1j * kx * w) + v * real(1j * ky * w)) - 1e-3 * square * w
    def step(_, w):
        a = slope(w)
        return w + 0.005 * (a + slope(w + 0.01 * a))
    return jnp.fft.irfft2(lax.fori_loop(0, steps, step, jnp.fft.rfft2(w)), (64, 64))


@row("n(256)")
def kuramoto_sivashinsky(u, steps=20):
    """Exponential time differencing with coefficients from contour integrals."""
    k = jnp.fft.rfftfreq(256, 1 / 256) / 16
    linear, h = k**2 - k**4, 0.1
    circle = jnp.exp(1j * jnp.pi * (jnp.arange(16) + 0.5) / 16)
    z = h * linear[:, None] + circle
    q = h * jnp.real(((jnp.exp(z / 2) - 1) / z).mean(1))
    e, half = jnp.exp(h * linear), jnp.exp(h * linear / 2)
    force = lambda v: -0.5j * k * jnp.fft.rfft(jnp.fft.irfft(v) ** 2)
    def step(_, v):
        a = half * v + q * force(v)
        return e * v + 2 * q * half * force(a)
    return jnp.fft.irfft(lax.fori_loop(0, steps, step, jnp.fft.rfft(0.1 * u)))


@row("1 + .1 * n(3, 40, 44)")
def shallow_water_staggered(q, steps=10):
    """Depth in cells, velocities on faces: q (3, h, w)."""
    def step(_, q):
        h, u, v = q
        u = u - 0.05 * (shift(h, 1, 1) - h) + 0.01 * v
        v = v - 0.05 * (shift(h, 1, 0) - h) - 0.01 * u
        fu, fv = 0.5 * (h + shift(h, 1, 1)) * u, 0.5 * (h + shift(h, 1, 0)) * v
        return jnp.stack([h - 0.05 * (fu - shift(fu, -1, 1) + fv - shift(fv, -1, 0)), u, v])
    return lax.fori_loop(0, steps, step, q)


@row("1 + .05 * n(9, 30, 50), n(30, 50) > 1.6")
def channel_with_obstacles(f, wall):
    """Lattice Boltzmann with bounce-back and a body force, ten steps."""
    c = [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)]
    w = jnp.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)[:, None, None]
    back = jnp.array([0, 3, 4, 1, 2, 7, 8, 5, 6])
    e = jnp.array(c, "float32")
    def step(_, f):
        rho = f.sum(0)
        u = jnp.einsum("qd,qyx->dyx", e, f) / rho + jnp.array([0, 1e-3])[:, None, None]
        cu = jnp.einsum("qd,dyx->qyx", e, u)
        new = f + (rho * w * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * (u * u).sum(0)) - f) / 0.8
        new = jnp.where(wall, f[back], new)
        return jnp.stack([jnp.roll(new[q], c[q], (0, 1)) for q in range(9)])
    return lax.fori_loop(0, 10, step, f / 9)


@row("n(33, 33)")
def multigrid_square(f):
    """V-cycles of red-black smoothing with full weighting, zero on the border."""
    def smooth(u, f, h):
        i, j = jnp.indices(u.shape)
        inside = (i > 0) & (j > 0) & (i < u.shape[0] - 1) & (j < u.shape[1] - 1)
        for color in (0, 1):
            near = sum(jnp.roll(u, s, a) for s in (1, -1) for a in (0, 1))
            u = jnp.where(inside & ((i + j) % 2 == color), 0.25 * (near - h * h * f), u)
        return u
    def cycle(u, f, h):
        u = smooth(u, f, h)
        if u.shape[0] > 5:
            r = f - laplace(u) / h**2
            r = jnp.pad(r[1:-1, 1:-1], 1)
            coarse = (4 * r + 2 * laplace(r) + 8 * r)[::2, ::2] / 12
            e = cycle(jnp.zeros_like(coarse), coarse, 2 * h)
            u = u + jax.image.resize(e, u.shape, "linear")
        return smooth(u, f, h)
    return cycle(jnp.zeros_like(f), f, 1 / 32)


@row("n(48, 50)")
def successive_relaxation(f):
    """Relaxation until the residual is small."""
    i, j = jnp.indices(f.shape)
    def sweep(s):
        u, k, _ = s
        old = u
        for color in (0, 1):
            u = jnp.where((i + j) % 2 == color, u + 1.5 * (0.25 * (laplace(u) - f + 0.1 * f.mean()) - 0.05 * u), u)
        return u, k + 1, abs(u - old).max()
    return lax.while_loop(lambda s: (s[1] < 60) & (s[2] > 1e-3), sweep, (jnp.zeros_like(f), 0, 1.0))[0]


@row("n(2, 35, 37)")
def pressure_projection(v):
    """Chorin: a velocity becomes free of divergence by conjugate gradients."""
    div = lambda v: shift(v[0], 1, 0) - v[0] + shift(v[1], 1, 1) - v[1]
    p = jax.scipy.sparse.linalg.cg(lambda p: 0.01 * p - laplace(p), -div(v), maxiter=25)[0]
    return v - jnp.stack([p - shift(p, -1, 0), p - shift(p, -1, 1)])


@row("n(2, 41, 39), n(41, 39)")
@row("n(2, 41, 39), n(41, 39)", "grad(lambda *a: {0}(*a)[0], (0, 1))")
def semi_lagrangian(v, dye):
    """Each cell takes the value from where its particle was."""
    at = jnp.indices(dye.shape) - 0.7 * v
    back = lambda c: jax.scipy.ndimage.map_coordinates(c, at, order=1, mode="wrap")
    return back(dye), back(v[0]), back(v[1])


@row("n(3, 20, 22, 24), n(3, 20, 22, 24, seed=1)")
def yee_curl_steps(e, b, steps=4):
    """Maxwell's equations on staggered cells."""
    def curl(f, s):
        d = lambda c, a: s * (jnp.roll(f[c], -s, a) - f[c])
        return jnp.stack([d(2, 1) - d(1, 2), d(0, 2) - d(2, 0), d(1, 0) - d(0, 1)])
    step = lambda _, s: ((lambda b: (s[0] + 0.3 * curl(b, -1), b))(s[1] - 0.3 * curl(s[0], 1)))
    return lax.fori_loop(0, steps, step, (e, b))


@row("n(50, 52)")
def cahn_hilliard(c, steps=10):
    step = lambda _, c: c + 0.01 * laplace(c**3 - c - 0.5 * laplace(c))
    return lax.fori_loop(0, steps, step, 0.1 * c)


@row("n(40, 42), n(40, 42, seed=1)")
def fitzhugh_nagumo(u, v, steps=12):
    def step(s, _):
        u, v = s
        return (u + 0.1 * (laplace(u) + u - u**3 - v), v + 0.01 * (u - 0.5 * v)), u.mean()
    return lax.scan(step, (u, v), None, length=steps)


@row("n(120), n(120, seed=1)")
def porous_newton(u, f):
    """One implicit step of a nonlinear diffusion by Newton's method with a dense Jacobian."""
    residual = lambda v: v - u - 0.1 * laplace(v**3 / 3 + v) - 0.01 * f
    return lax.fori_loop(0, 3, lambda _, v: v - jnp.linalg.solve(jax.jacfwd(residual)(v), residual(v)), u)


@row("n(300), 1 + abs(n(300))")
def finite_elements(u, k):
    """Stiffness and mass by gathers and scatters of elements in one dimension."""
    at = jnp.arange(299)[:, None] + jnp.arange(2)
    local = k[:-1, None, None] * jnp.array([[1.0, -1], [-1, 1]]) + jnp.array([[2.0, 1], [1, 2]]) / 6
    return jnp.zeros(300).at[at].add(jnp.einsum("eij,ej->ei", local, u[at]))


@row("n(150, 2), i(150, 260, 3), n(150)")
@row("n(150, 2), i(150, 260, 3), n(150)", "grad({0}, (0, 2))")
def triangle_energy(x, triangles, u):
    """Dirichlet's energy on a mesh of triangles."""
    p, v = x[triangles], u[triangles]
    e = jnp.stack([p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]], -1)
    area = e[:, 0, 0] * e[:, 1, 1] - e[:, 0, 1] * e[:, 1, 0]
    d = jnp.stack([v[:, 1] - v[:, 0], v[:, 2] - v[:, 0]], -1)
    g = jnp.stack([d[:, 0] * e[:, 1, 1] - d[:, 1] * e[:, 1, 0], d[:, 1] * e[:, 0, 0] - d[:, 0] * e[:, 0, 1]], -1)
    return (0.5 * (g * g).sum(-1) / (abs(area) + 0.1)).sum()


@row("n(33)")
def chebyshev_collocation(u):
    """A differentiation matrix, its square, and a boundary value problem."""
    x = jnp.cos(jnp.pi * jnp.arange(33) / 32)
    c = jnp.ones(33).at[0].set(2).at[-1].set(2) * (-1.0) ** jnp.arange(33)
    d = jnp.outer(c, 1 / c) / (x[:, None] - x + jnp.eye(33))
    d = d - jnp.diag(d.sum(1))
    return jnp.linalg.solve((d @ d)[1:-1, 1:-1] - 10 * jnp.eye(31), jnp.exp(u[1:-1]))


# ---- ordinary and stochastic equations -------------------------------------------------------------------------------

@row("n(3), jnp.array([10., 28., 2.667])")
@row("n(20, 3), jnp.array([10., 28., 2.667])", "vmap(jax.jacrev({0}), (0, None))")
def lorenz_path(y, p):
    def slope(y):
        return jnp.stack([p[0] * (y[1] - y[0]), y[0] * (p[1] - y[2]) - y[1], y[0] * y[1] - p[2] * y[2]])
    def step(y, _):
        a = slope(y)
        b = slope(y + 0.005 * a)
        return y + 0.01 * b, None
    return lax.scan(step, y, None, length=30)[0]


@row("abs(n(12, 3))")
def robertson_rosenbrock(y):
    """A stiff reaction by linearly implicit steps of second order."""
    def slope(y):
        a, b, c = -0.04 * y[0] + 1e2 * y[1] * y[2], 0.0, 30 * y[1] ** 2
        return jnp.stack([a, -a - c + b, c])
    def step(_, y):
        g = 1 - 0.5**0.5
        w = jnp.eye(3) - g * 0.1 * jax.jacfwd(slope)(y)
        k1 = jnp.linalg.solve(w, slope(y))
        k2 = jnp.linalg.solve(w, slope(y + 0.1 * k1) - 2 * k1)
        return y + 0.15 * k1 + 0.05 * k2
    return jax.vmap(lambda y: lax.fori_loop(0, 12, step, y))(y)


@row("abs(n(40)) + .5, abs(n(40)) + .5")
def adaptive_bogacki(y, z):
    """Orders 3 and 2 with control of the step, each system at its own pace under vmap."""
    def slope(y):
        return jnp.stack([y[0] * (1 - y[1]), y[1] * (y[0] - 1)])
    def one(y):
        def step(s):
            t, h, y, n = s
            a = slope(y)
            b = slope(y + h / 2 * a)
            c = slope(y + 0.75 * h * b)
            new = y + h * (2 * a + 3 * b + 4 * c) / 9
            err = h * abs(-5 * a / 72 + b / 12 + c / 9 - slope(new) / 8).max() / 1e-3
            ok = err < 1
            return jnp.where(ok, t + h, t), h * jnp.clip(0.9 * err ** (-1 / 3), 0.3, 2), jnp.where(ok, new, y), n + 1
        return lax.while_loop(lambda s: (s[0] < 2) & (s[3] < 200), step, (0.0, 0.1, y, 0))[2]
    return jax.vmap(one)(jnp.stack([y, z], 1))


@row("n(6), n(6, 6, scale=.4)")
@row("n(6), n(6, 6, scale=.4)", "grad({0}, (0, 1))")
def neural_ode_adjoint(y, w):
    return ode.odeint(lambda y, t: jnp.tanh(w @ y) - 0.1 * y, y, jnp.linspace(0.0, 1.0, 5), rtol=1e-3, atol=1e-3)


@row("key, n(200, 2)")
def stochastic_heun(key, x):
    """Stratonovich noise that depends on the state."""
    def step(x, key):
        dw = 0.1 * random.normal(key, x.shape)
        drift, noise = lambda x: x - x**3, lambda x: 0.5 * jnp.cos(x)
        y = x + 0.01 * drift(x) + noise(x) * dw
        return x + 0.005 * (drift(x) + drift(y)) + 0.5 * (noise(x) + noise(y)) * dw, None
    return lax.scan(step, x, random.split(key, 40))[0]


@row("key, abs(n(64)) + 5.")
def gillespie(key, start):
    """Births and deaths, event by event, until a time: each trajectory has its own loop."""
    def one(key, n):
        def event(s):
            t, n, key = s
            key, a, b = random.split(key, 3)
            total = 2.0 + 0.4 * n
            return t + random.exponential(a) / total, n + jnp.where(random.uniform(b) * total < 2, 1.0, -1.0), key
        return lax.while_loop(lambda s: s[0] < 3, event, (0.0, n, key))[1]
    return jax.vmap(one)(random.split(key, 64), jnp.floor(start))


@row("key, abs(n(24)) * 10")
def tau_leaping(key, n):
    def step(n, key):
        births, deaths = random.poisson(key, jnp.full(24, 0.5)), random.poisson(random.fold_in(key, 1), 0.05 * n)
        return nn.relu(n + births - deaths), None
    return lax.scan(step, n, random.split(key, 8))[0]


@row("n(90), n(90, 90, scale=.1), n(90, seed=1)")
def kuramoto(theta, w, omega):
    step = lambda t, _: (t + 0.02 * (omega + (w * jnp.sin(t - t[:, None])).sum(1)), abs(jnp.exp(1j * t).mean()))
    return lax.scan(step, theta, None, length=20)


@row("n(100), n(100, 100, scale=.2), abs(n(100)) + 10")
def spiking_neurons(v, w, drive):
    def step(s, _):
        v, g = s
        v = v + 0.1 * (-v + drive + g)
        fired = v > 8
        return (jnp.where(fired, 0.0, v), 0.8 * g + w @ fired), fired.sum()
    return lax.scan(step, (v, jnp.zeros(100)), None, length=60)


@row("n(5, 4)")
def hodgkin_huxley(s):
    """Membranes with three gates each, forward Euler by scan: s (neurons, 4)."""
    def step(s, _):
        v, m, h, n = s
        am, bm = 0.1 * (25 - v) / (jnp.exp((25 - v) / 10) - 1), 4 * jnp.exp(-v / 18)
        ah, bh = 0.07 * jnp.exp(-v / 20), 1 / (jnp.exp((30 - v) / 10) + 1)
        an, bn = 0.01 * (10 - v) / (jnp.exp((10 - v) / 10) - 1), 0.125 * jnp.exp(-v / 80)
        dv = 10 - 120 * m**3 * h * (v - 115) - 36 * n**4 * (v + 12) - 0.3 * (v - 10.6)
        rate = lambda x, a, b: x + 0.01 * (a * (1 - x) - b * x)
        return (v + 0.01 * dv, rate(m, am, bm), rate(h, ah, bh), rate(n, an, bn)), v
    v, m, h, n = s.T
    return lax.scan(step, (v, nn.sigmoid(m), nn.sigmoid(h), nn.sigmoid(n)), None, length=150)[1]


@row("key, jnp.array([50, 3, 0])")
def epidemic_chain(key, start):
    def day(s, key):
        a, b = random.split(key)
        sick, well = s[1], s[0]
        new = random.binomial(a, well.astype("float32"), 1 - jnp.exp(-0.4 * sick / 53)).astype("int32")
        healed = random.binomial(b, sick.astype("float32"), 0.1).astype("int32")
        return jnp.stack([well - new, sick + new - healed, s[2] + healed]), s
    return lax.scan(day, start, random.split(key, 12))[1]


ROWS = [
    (
        "lambda u: lax.conv_general_dilated(u[None, None], jnp.array([[0., 1, 0], [1, -4, 1], [0, 1, 0]])[None, None], (1, "
        "1), 'SAME')[0, 0] @@ n(83, 89)"
    ),
    "lambda u: (u[2:] - 2 * u[1:-1] + u[:-2]) / .01 - u[1:-1] ** 3 @@ n(701)",
    "lambda u: jnp.stack(jnp.gradient(u, .1)) @@ n(13, 15, 17)",
    (
        "lambda u: fft.ifftn(fft.fftn(u) / (1 + sum(jnp.meshgrid(*(fft.fftfreq(m) ** 2 for m in u.shape), "
        "indexing='ij')))).real @@ n(12, 15, 16)"
    ),
    (
        "f64: lambda u: lax.fori_loop(0, 10, lambda _, u: u + .1 * (jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1)), u) @@ "
        "n(2003, dtype='float64')"
    ),
    (
        "lambda y: ode.odeint(lambda y, t: jnp.stack([y[1], -jnp.sin(y[0]) + .1 * jnp.cos(t)]), y, jnp.linspace(0., 4., "
        "17)) @@ n(2)"
    ),
    (
        "lambda u: lax.scan(lambda u, _: ((lambda f: u - .2 * (f - jnp.roll(f, 1)))(jnp.where(u > 0, u, jnp.roll(u, -1)) "
        "** 2 / 2), u.max()), u, length=25) @@ n(501)"
    ),
    "jax.jacfwd(lambda u: jnp.convolve(u, jnp.array([1., -2, 1]), mode='same') - u ** 3) @@ n(61)",
]
