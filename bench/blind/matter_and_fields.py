"""fresh_3.py: fields and waves on grids, weather, molecules, orbitals, quantum circuits, many bodies, automata, epidemics."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    # grids
    "lambda u: u + .1 * (jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) - 4 * u) @@ n(333, 517)",
    "lambda u: lax.fori_loop(0, 50, lambda _, u: u.at[1:-1, 1:-1].set((u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) / 4), u) @@ n(120, 130)",
    "lambda u, v: (u - u.mean() - .02 * (u * jnp.gradient(u, axis=0) + v * jnp.gradient(u, axis=1))) @@ n(140, 260), n(140, 260)",
    "lambda u, p: lax.scan(lambda s, _: ((2 * s[0] - s[1] + .2 * (jnp.roll(s[0], 1) - 2 * s[0] + jnp.roll(s[0], -1)), s[0]), s[0][::50]),"
    " (u, p), None, length=300)[1] @@ n(701), n(701)",
    "f64: lambda u: fft.ifft2(fft.fft2(u) / (1 + fft.fftfreq(90, 1 / 90)[:, None] ** 2 + fft.fftfreq(72, 1 / 72) ** 2)).real @@ n(90, 72, dtype='float64')",
    "lambda u: jnp.sqrt(sum(g * g for g in jnp.gradient(u))) @@ n(31, 42, 53)",
    "lambda u: lax.conv(u[None, None], jnp.array([[[[.05, .2, .05], [.2, -1, .2], [.05, .2, .05]]]]), (1, 1), 'SAME')[0, 0] @@ n(201, 303)",
    "lambda q: jnp.maximum(jnp.minimum(2 * (q[1:-1] - q[:-2]), .5 * (q[2:] - q[:-2])), 0) + q[1:-1] @@ n(5003, 4)",
    "grad(lambda k, u: (k[1:, :] * jnp.diff(u, axis=0) ** 2).sum() + (k[:, 1:] * jnp.diff(u, axis=1) ** 2).sum(), (0, 1)) @@ abs(n(81, 93)), n(81, 93)",
    "lambda t, p: 6.112 * jnp.exp(17.67 * t / (t + 243.5)) * .622 / (p - 6.112 * jnp.exp(17.67 * t / (t + 243.5))) @@ n(37, 73, 144, scale=9.), abs(n(37, 1, 1)) * 300 + 400",
    "lambda x: x.reshape(61, 24, 45, 60).mean(1) - x.reshape(61, 24, 45, 60).min(1) @@ n(1464, 45, 60, dtype='float16')",
    # bodies
    "lambda x: ((x[:, None] - x) / (((x[:, None] - x) ** 2).sum(-1, keepdims=True) + .01) ** 1.5).sum(1) @@ n(400, 3)",
    "grad(lambda x: jnp.triu(1 / jnp.sqrt(((x[:, None] - x) ** 2).sum(-1) + .1), 1)) @@ n(211, 3)",
    "lambda r: 4 * ((1 / r) ** 12 - (1 / r) ** 6) * (r < 2.5) @@ abs(n(90, 90)) + .8",
    "f64: lambda x, h: (lambda d: jnp.sqrt(((d - h * jnp.round(d / h)) ** 2).sum(-1)))(x[:, None] - x) @@ n(150, 3, dtype='float64'), 3.",
    # quanta
    "lambda s, u: jnp.einsum('ab,ibj->iaj', u, s.reshape(32, 2, 64)).reshape(-1) @@ n(4096) + 1j * n(4096, seed=1), n(2, 2) + 1j * n(2, 2, seed=1)",
    "lambda s, u: jnp.tensordot(u.reshape(2, 2, 2, 2), s, ((2, 3), (4, 1))).transpose(2, 1, 3, 4, 0, 5, 6, 7, 8) @@ n(*[2] * 9) + 0j, n(4, 4) + 1j * n(4, 4)",
    "lambda s: (jnp.abs(s.reshape([2] * 12)) ** 2).sum((0, 2, 3, 5, 7, 8, 9)) @@ n(4096) + 1j * n(4096, seed=1)",
    "lambda r: jnp.einsum('ijkj->ik', r.reshape(8, 16, 8, 16)) @@ n(128, 128) + 1j * n(128, 128, seed=2)",
    "lambda h, s: lax.fori_loop(0, 20, lambda k, s: s - .01j * (h @ s), s) @@ definite(0, 100).astype('complex64') / 100, n(100, 5) + 0j",
    "lambda h: jnp.linalg.eigh(h + h.swapaxes(1, 2))[0][:, :4] @@ n(20, 11, 11)",
    "lambda a, b: a @ b - b @ a @@ n(40, 16, 16) + 1j * n(40, 16, 16, seed=1), n(40, 16, 16) + 0j",
    # automata
    "lambda x: (lambda s: ((s == 3) | (x & (s == 2))))(sum(jnp.roll(x, (a, b), (0, 1)).astype('int8') for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b))"
    " @@ n(301, 407) > .4",
    "lambda x: lax.fori_loop(0, 40, lambda _, x: (jnp.roll(x, 1) ^ (x | jnp.roll(x, -1))), x) @@ i(2, 3001).astype('uint8')",
    # epidemics
    "lambda s: lax.scan(lambda s, _: ((lambda f: (s[0] - f, s[1] + f - .1 * s[1], s[2] + .1 * s[1]))(.3 * s[0] * s[1]), s[1]), s, None, length=160)[1]"
    " @@ (abs(n(50)) * 0 + .99, abs(n(50)) * .01, jnp.zeros(50))",
    "lambda y, t: ode.odeint(lambda y, t: jnp.stack([-.4 * y[0] * y[1], .4 * y[0] * y[1] - .1 * y[1]]), y, t) @@ jnp.array([.99, .01]), jnp.linspace(0, 40., 33)",
]


# ---- flows and waves -----------------------------------------------------------------------------------------------------

@row("n(60, 80), n(60, 80, seed=1), n(60, 80, seed=2)")
@row("n(181, 243), n(181, 243, seed=1), n(181, 243, seed=2)")
def smoke_carried_and_projected(u, v, d):
    """Backward tracing with map_coordinates, then twenty sweeps for the pressure."""
    at = jnp.stack(jnp.meshgrid(*map(jnp.arange, u.shape), indexing="ij")).astype(u.dtype)
    back = at - 0.5 * jnp.stack([u, v])
    u, v, d = (jax.scipy.ndimage.map_coordinates(f, back, 1, mode="wrap") for f in (u, v, d))
    r = lambda f, k, a: jnp.roll(f, k, a)
    div = (r(u, -1, 0) - r(u, 1, 0) + r(v, -1, 1) - r(v, 1, 1)) / 2
    sweep = lambda _, p: (r(p, 1, 0) + r(p, -1, 0) + r(p, 1, 1) + r(p, -1, 1) - div) / 4
    p = lax.fori_loop(0, 20, sweep, jnp.zeros_like(u))
    return u - (r(p, -1, 0) - r(p, 1, 0)) / 2, v - (r(p, -1, 1) - r(p, 1, 1)) / 2, d * 0.999


@row("abs(n(3, 90, 100)) * .1 + 1")
@row("abs(n(3, 90, 100)) * .1 + 1", "grad({0})")
def dam_break_by_rusanov_in_two_axes(q):
    def flux(q, k):
        h, m = q[0], q[k + 1]
        f = jnp.stack([m, q[1] * m / h, q[2] * m / h]).at[k + 1].add(4.9 * h * h)
        return f, jnp.abs(m / h) + jnp.sqrt(9.8 * h)
    def step(q, _):
        for k in (0, 1):
            f, c = flux(q, k)
            a = lambda x: jnp.roll(x, -1, -2 + k)
            face = 0.5 * (f + a(f)) - 0.5 * jnp.maximum(c, a(c)) * (a(q) - q)
            q = q - 0.02 * (face - jnp.roll(face, 1, -2 + k))
        return q, q[0].max()
    return lax.scan(step, q, length=10)[0]


@row("n(48, 96), abs(n(48)) + 1")
def vorticity_on_sphere_advected(z, cosine):
    """Stream function by a cyclic transform along longitude and tridiagonal systems along latitude."""
    def stream(z):
        f = jnp.fft.rfft(z, axis=1)
        m = jnp.arange(49.0)
        low, up = jnp.ones((49, 48)).at[:, 0].set(0), jnp.ones((49, 48)).at[:, -1].set(0)
        main = -2 - (m[:, None] / cosine) ** 2 * 0.01
        parts = jnp.stack([f.real.T, f.imag.T], -1)
        s = lax.linalg.tridiagonal_solve(low, main, up, parts)
        return jnp.fft.irfft((s[..., 0] + 1j * s[..., 1]).T, 96, axis=1)
    def step(z, _):
        p = stream(z)
        px, py = (jnp.roll(p, -1, 1) - jnp.roll(p, 1, 1)) / 2, jnp.gradient(p, axis=0)
        zx, zy = (jnp.roll(z, -1, 1) - jnp.roll(z, 1, 1)) / 2, jnp.gradient(z, axis=0)
        return z - 0.01 * (px * zy - py * zx + px), None
    return lax.scan(step, z, length=6)[0]


@row("n(2, 64, 64)")
@row("n(2, 45, 54)")
def two_layers_of_ocean_stepped_in_spectrum(q):
    """Potential vorticity of two coupled layers; forward steps of second order."""
    ny, nx = q.shape[1:]
    k, l = jnp.fft.rfftfreq(nx, 1 / nx), jnp.fft.fftfreq(ny, 1 / ny)[:, None]
    k2 = k * k + l * l
    det = k2 * (k2 + 18) + (k2 == 0)
    def tendency(f):
        p1, p2 = -((k2 + 9) * f[0] + 9 * f[1]) / det, -((k2 + 9) * f[1] + 9 * f[0]) / det
        p = jnp.stack([p1, p2])
        real = lambda x: jnp.fft.irfft2(x, s=(ny, nx))
        jac = real(-1j * l * p) * real(1j * k * f) + real(1j * k * p) * real(1j * l * f)
        return jnp.where(k2 < (nx / 3) ** 2, -jnp.fft.rfft2(jac), 0) - 1e-6 * k2**2 * f
    f = jnp.fft.rfft2(q)
    def step(s, _):
        f, old = s
        new = tendency(f)
        return (f + 1e-3 * (1.5 * new - 0.5 * old), new), None
    (f, _), _ = lax.scan(step, (f, tendency(f)), length=8)
    return jnp.fft.irfft2(f, s=(ny, nx))


@row("n(6, 300), abs(n(6)) + .2")
def heat_through_wall_with_radiation(t, k):
    def step(t, _):
        def inner(_, new):
            up = jnp.pad(new, ((0, 0), (1, 1)), mode="edge")
            flux = k[:, None] * (up[:, 2:] - 2 * new + up[:, :-2])
            return 0.5 * new + 0.5 * (t + 0.2 * flux).at[:, 0].add(-1e-3 * (1 + new[:, 0]) ** 4)
        return lax.fori_loop(0, 4, inner, t), t.mean(1)
    return lax.scan(step, t * 0.1, length=60)


@row("n(80, 80, scale=.1), n(80, 80, scale=.1)")
@row("n(25, 32, 32, scale=.1), n(25, 32, 32, scale=.1)", "vmap({0})")
def bacteria_and_food_make_fingers(b, f):
    lap = lambda u: sum(jnp.roll(u, s, a) for s in (1, -1) for a in (0, 1)) - 4 * u
    def step(s, _):
        b, f = s
        grow = nn.relu(b) * nn.relu(f + 0.5)
        flow = 0.1 * (jnp.roll(b, -1, 0) * lap(f))
        return (b + 0.1 * lap(b) * nn.relu(f + 0.5) + 0.05 * grow - 0.01 * flow, f + 0.2 * lap(f) - 0.05 * grow), grow.sum()
    return lax.scan(step, (b, f), length=25)


@row("n(150, 5), abs(n(150)) + 1")
@row("n(150, 5), abs(n(150)) + 1", "grad({0}, (0, 1))")
def shots_recorded_through_layered_earth(source, speed):
    """A line of 150 cells, five shots at once, absorbing ends, a receiver at each tenth cell."""
    c = (0.3 * speed / speed.max())[:, None] ** 2
    fade = jnp.minimum(1, 0.8 + 0.02 * jnp.minimum(jnp.arange(150), 149 - jnp.arange(150)))[:, None]
    def step(s, t):
        p, q = s
        lap = jnp.pad(p, ((1, 1), (0, 0)))
        new = 2 * p - q + c * (lap[2:] - 2 * p + lap[:-2])
        new = new.at[30].add(source[t])
        return (new * fade, p * fade), new[::10]
    return lax.scan(step, (jnp.zeros((150, 5)),) * 2, jnp.arange(150))[1]


@row("abs(n(40, 19)) + 1, abs(n(19, 4)), n(40)")
def column_of_clouds_and_rain(q, fall, t):
    """Saturation, condensation, autoconversion and sedimentation, level by level from above."""
    def level(rain, s):
        q, t = s
        sat = 2 * jnp.exp(0.06 * t)
        cloud = nn.relu(q - sat)
        auto = 0.1 * nn.relu(cloud - 0.3)
        rain = rain + auto + 0.2 * cloud * jnp.maximum(rain, 1e-6) ** 0.875
        evaporated = jnp.minimum(rain, 0.05 * nn.relu(sat - q))
        return (rain - evaporated) * 0.9, (q - cloud + evaporated, cloud - auto, rain)
    surface, columns = lax.scan(level, jnp.zeros(19), (q, t))
    return surface @ fall, columns


@row("n(41, 41, 3), n(41, 41, 3, seed=1), n(41, 41)")
def yee_cells_in_two_axes_with_dispersion(e, h, eps):
    def step(s, _):
        e, h, j = s
        dx = lambda f: jnp.roll(f, -1, 0) - f
        dy = lambda f: jnp.roll(f, -1, 1) - f
        h = h - 0.4 * jnp.stack([dy(e[..., 2]), -dx(e[..., 2]), dx(e[..., 1]) - dy(e[..., 0])], -1)
        bx = lambda f: f - jnp.roll(f, 1, 0)
        by = lambda f: f - jnp.roll(f, 1, 1)
        j = 0.97 * j + 0.01 * e
        curl = jnp.stack([by(h[..., 2]), -bx(h[..., 2]), bx(h[..., 1]) - by(h[..., 0])], -1)
        return (e + 0.4 * (curl - j) / (1 + jnp.abs(eps))[..., None], h, j), (e * e).sum()
    return lax.scan(step, (e, h, jnp.zeros_like(e)), length=20)[1]


@row("n(12, 12, 12)")
@row("n(9, 20, 33)")
def full_weighting_then_smoothed_volume(u):
    for a in range(3):
        u = (jnp.roll(u, 1, a) + 2 * u + jnp.roll(u, -1, a)) / 4
    coarse = u[::2, ::2, ::2]
    for a in range(3):
        coarse = jnp.repeat(coarse, 2, axis=a)
    return u - coarse[:u.shape[0], :u.shape[1], :u.shape[2]]


# ---- molecules -------------------------------------------------------------------------------------------------------------

@row("n(6, 3), abs(n(6)) + .3, n(4, 3), jnp.array([1., 6., 1., 8.])")
@row("n(15, 3), abs(n(15)) + .3, n(4, 3), jnp.array([1., 6., 1., 8.])")
@row("n(6, 3, dtype='float64'), abs(n(6, dtype='float64')) + .3, n(4, 3), jnp.array([1., 6., 1., 8.])", double=True)
def attraction_of_gaussians_to_nuclei(center, alpha, atom, charge):
    p = alpha[:, None] + alpha
    mid = (alpha[:, None, None] * center[:, None] + alpha[:, None] * center) / p[..., None]
    d2 = ((center[:, None] - center) ** 2).sum(-1)
    t = p[..., None] * ((mid[:, :, None] - atom) ** 2).sum(-1)
    f0 = jnp.where(t < 1e-6, 1 - t / 3, 0.5 * jnp.sqrt(jnp.pi / jnp.maximum(t, 1e-6)) * jax.scipy.special.erf(jnp.sqrt(jnp.maximum(t, 1e-6))))
    return -2 * jnp.pi / p * jnp.exp(-alpha[:, None] * alpha / p * d2) * (f0 * charge).sum(-1)


@row("n(7, 3), abs(n(7)) + .4")
@row("n(5, 3), abs(n(5)) + .4", "grad({0}, (0, 1))")
def repulsion_integrals_traced_with_density(c, a):
    p = a[:, None] + a
    mid = (a[:, None, None] * c[:, None] + a[:, None] * c) / p[..., None]
    k = jnp.exp(-a[:, None] * a / p * ((c[:, None] - c) ** 2).sum(-1))
    q = p[:, :, None, None] + p
    t = p[:, :, None, None] * p / q * ((mid[:, :, None, None] - mid) ** 2).sum(-1) + 1e-6
    f0 = 0.5 * jnp.sqrt(jnp.pi / t) * lax.erf(jnp.sqrt(t))
    g = 2 * jnp.pi**2.5 / (p[:, :, None, None] * p * jnp.sqrt(q)) * k[:, :, None, None] * k * f0
    d = k / k.sum()
    return jnp.einsum("ijkl,ij,kl->", g, d, d) - 0.5 * jnp.einsum("ijkl,ik,jl->", g, d, d)


@row("definite(0, 14) * .05, definite(0, 14) * .02 + jnp.eye(14), n(14, 14, 14, 14, scale=.01)")
def density_mixed_to_consistency_with_extrapolation(h, s, g):
    """Roothaan steps; the last four Fock matrices are combined so that the commutator is least."""
    g = g + g.transpose(1, 0, 2, 3)
    w, v = jnp.linalg.eigh(s)
    x = (v * w**-0.5) @ v.T
    def step(c, _):
        d, focks, errors = c
        f = h + jnp.einsum("ijkl,kl->ij", g, d) - 0.5 * jnp.einsum("ikjl,kl->ij", g, d)
        f = 0.5 * (f + f.T)
        e = x.T @ (f @ d @ s - s @ d @ f) @ x
        focks = jnp.concatenate([focks[1:], f[None]])
        errors = jnp.concatenate([errors[1:], e[None]])
        b = jnp.einsum("aij,bij->ab", errors, errors) + 1e-4 * jnp.eye(4)
        y = jnp.linalg.solve(b, jnp.ones(4))
        mixed = jnp.einsum("a,aij->ij", y / y.sum(), focks)
        o = (x @ jnp.linalg.eigh(x.T @ mixed @ x)[1])[:, :5]
        return (2 * o @ o.T, focks, errors), jnp.vdot(d, h + f)
    init = (jnp.zeros_like(h), jnp.broadcast_to(h, (4, 14, 14)), jnp.ones((4, 14, 14)))
    return lax.scan(step, init, length=10)[1]


@row("n(26, 26) * 0 + jnp.eye(26, k=1) + jnp.eye(26, k=-1), n(26)")
@row("n(9, 26, 26, scale=.1) + jnp.eye(26, k=1) + jnp.eye(26, k=-1), n(9, 26)", "vmap({0})")
def bonds_and_charges_of_pi_electrons(adjacent, site):
    h = -0.5 * (adjacent + adjacent.T) + jnp.diag(0.1 * site)
    e, c = jnp.linalg.eigh(h)
    occupied = 2 * (jnp.arange(26) < 13)
    order = jnp.einsum("io,jo,o->ij", c, c, occupied)
    response = jnp.where(e[:, None] != e, 1 / (e[:, None] - e + 1e-3), 0)
    return 2 * e[:13].sum(), jnp.diag(order), order * adjacent, jnp.einsum("io,jp,op->ij", c * c, c * c, response)


@row("n(108, 3), n(108, 3, scale=.1)")
@row("n(30, 3), n(30, 3, scale=.1)")
def argon_with_thermostat_and_virial(jitter, v):
    n = jitter.shape[0]
    grid = jnp.stack([jnp.arange(n) % 5, jnp.arange(n) // 5 % 5, jnp.arange(n) // 25], 1) * 1.2
    def energy(x):
        d = x[:, None] - x
        d = d - 6.0 * jnp.round(d / 6.0)
        r2 = (d * d).sum(-1) + 100 * jnp.eye(n)
        s = 1 / r2**3
        return jnp.where(r2 < 9, 2 * (s * s - s), 0).sum()
    force = jax.value_and_grad(energy)
    def step(s, _):
        x, v, g = s
        v = v - 0.002 * g
        x = x + 0.004 * v
        e, g = force(x)
        v = v - 0.002 * g
        t = (v * v).mean()
        return (x, v * jnp.sqrt(1 + 0.05 * (0.7 / t - 1)), g), (e, t, -(x * g).sum())
    x = grid + 0.03 * jitter
    return lax.scan(step, (x, v, force(x)[1]), length=10)[1]


@row("n(60, 3), i(60, 90, 2), i(60, 120, 3), n(60)")
@row("n(60, 3), i(60, 90, 2), i(60, 120, 3), n(60)", "grad({0})")
def bonds_angles_and_charges_of_topology(x, bond, angle, charge):
    r = jnp.sqrt(((x[bond[:, 0]] - x[bond[:, 1]]) ** 2).sum(1) + 1e-3)
    u, w = x[angle[:, 0]] - x[angle[:, 1]], x[angle[:, 2]] - x[angle[:, 1]]
    cosine = (u * w).sum(1) / jnp.sqrt((u * u).sum(1) * (w * w).sum(1) + 1e-3)
    d = jnp.sqrt(((x[:, None] - x) ** 2).sum(-1) + 0.05)
    return 50 * ((r - 1.1) ** 2).sum() + 20 * ((cosine + 0.33) ** 2).sum() + 0.5 * (charge[:, None] * charge * jnp.exp(-0.3 * d) / d).sum()


@row("n(80, 3), i(9, 80), n(9, 16), n(3, 16, 16, scale=.3), n(16)", "jax.value_and_grad({0})")
def energies_by_continuous_neighbours(x, kind, table, w, out):
    d = jnp.sqrt(((x[:, None] - x) ** 2).sum(-1) + 1e-4)
    window = jnp.where((d < 2) & ~jnp.eye(80, dtype=bool), 0.5 * (1 + jnp.cos(jnp.pi * d / 2)), 0)
    basis = jnp.sin(jnp.arange(1, 17) * jnp.pi * d[..., None] / 2) / (d[..., None] + 0.1) * window[..., None]
    h = table[kind]
    for k in range(3):
        h = h + nn.silu(jnp.einsum("ijf,jf->if", basis, h) @ w[k]) / 8
    return (h @ out).sum()


# ---- quanta ----------------------------------------------------------------------------------------------------------------

def circuit_turn(state, angle, qubit):
    c, s = jnp.cos(angle / 2), jnp.sin(angle / 2)
    return jnp.moveaxis(jnp.tensordot(jnp.array([[c, -s], [s, c]]), state, ((1,), (qubit,))), 0, qubit)


@row("n(4, 8)")
@row("n(4, 8)", "grad({0})")
@row("n(11, 2, 5)", "vmap({0})")
def energy_of_hardware_ansatz(angles):
    n = angles.shape[1]
    state = jnp.zeros([2] * n).at[(0,) * n].set(1.0)
    for layer in angles:
        for q in range(n):
            state = circuit_turn(state, layer[q], q)
        for q in range(n - 1):
            state = jnp.moveaxis(jnp.moveaxis(state, (q, q + 1), (0, 1)).at[1, 1].multiply(-1), (0, 1), (q, q + 1))
    sign = jnp.array([1.0, -1.0])
    p = state**2
    zz = sum((p * (sign.reshape([2 if k == q else 1 for k in range(n)]) * sign.reshape([2 if k == q + 1 else 1 for k in range(n)]))).sum()
             for q in range(n - 1))
    flips = sum((state * jnp.flip(state, q)).sum() for q in range(n))
    return -zz - 0.7 * flips


@row("n(16, 8, 2, 8, scale=.3), n(16, 8, 2, 8, scale=.3, seed=1), n(2, 2)")
@row("n(30, 20, 2, 20, scale=.2), n(30, 20, 2, 20, scale=.2, seed=1), n(2, 2)")
def overlap_and_site_values_of_product_chains(a, b, o):
    def right(e, s):
        new = jnp.einsum("xy,xpa,ypb->ab", e, *s)
        return new / jnp.linalg.norm(new), jnp.einsum("xy,xpa,pq,yqa->", e, s[0], o, s[1])
    e, values = lax.scan(right, jnp.eye(a.shape[1]), (a, b))
    return e, values


@row("n(2, 24, 24), n(24, 24)")
def density_matrix_with_damping_by_fourth_order(parts, h):
    rho = parts[0] + 1j * parts[1]
    rho = rho @ rho.T.conj()
    rho = rho / jnp.trace(rho)
    a = jnp.diag(jnp.sqrt(jnp.arange(1.0, 24)), 1).astype(jnp.complex64)
    h = (0.1 * (h + h.T)).astype(jnp.complex64)
    n = a.T @ a
    def f(r):
        return -1j * (h @ r - r @ h) + 0.1 * (a @ r @ a.T - 0.5 * (n @ r + r @ n))
    def step(r, _):
        k1 = f(r)
        k2 = f(r + 0.01 * k1)
        k3 = f(r + 0.01 * k2)
        return r + 0.02 / 6 * (k1 + 2 * k2 + 2 * k3 + f(r + 0.02 * k3)), jnp.trace(n @ r).real
    return lax.scan(step, rho, length=40)[1]


@row("n(5, 2, 3), n(300)")
@row("n(5, 2, 3), n(300)", "grad({0})")
def data_reuploaded_to_one_qubit(w, x):
    def classify(x):
        s = jnp.array([1.0 + 0j, 0])
        for layer in w:
            a = layer[0] * x + layer[1]
            z = jnp.exp(0.5j * a[0])
            s = jnp.stack([s[0] * z.conj(), s[1] * z])
            c, d = jnp.cos(a[1] / 2), jnp.sin(a[1] / 2)
            s = jnp.stack([c * s[0] - d * s[1], d * s[0] + c * s[1]]) * jnp.exp(1j * a[2])
        return jnp.abs(s[0]) ** 2
    return ((jax.vmap(classify)(x) - (x > 0)) ** 2).mean()


@row("n(6, 200), n(200)")
@row("n(6, 200, dtype='float64'), n(200, dtype='float64')", double=True)
def matching_solutions_shot_from_left(e, v):
    """Numerov's steps for six energies at once; sign changes count the nodes."""
    k = 2 * (e[:, ::40].mean(1)[:, None] - 0.05 * v)
    h2 = 0.01**2 / 12
    def step(s, k):
        y0, y1, k0, k1 = s
        y2 = (2 * (1 - 5 * h2 * k1) * y1 - (1 + h2 * k0) * y0) / (1 + h2 * k)
        return (y1, y2, k1, k), y2
    one = jnp.ones_like(e[:, 0])
    _, y = lax.scan(step, (0 * one, 1e-3 * one, k[:, 0], k[:, 1]), k.T[2:])
    return y[-1], (y[1:] * y[:-1] < 0).sum(0)


# ---- many bodies, automata, epidemics --------------------------------------------------------------------------------------

@row("n(64, 3), n(64, 3, scale=.3), abs(n(64)) + .1")
def stars_merge_when_they_touch(x, v, m):
    def step(s, _):
        x, v, m = s
        d = x - x[:, None]
        r2 = (d * d).sum(-1) + 0.02
        v = v + 0.005 * jnp.einsum("ijd,ij,j->id", d, r2**-1.5, m)
        x = x + 0.005 * v
        r2 = r2 + jnp.where(jnp.eye(64, dtype=bool) | (m[:, None] * m == 0), 1e3, 0)
        i, j = jnp.unravel_index(r2.argmin(), r2.shape)
        total = m[i] + m[j]
        touch = r2[i, j] < 0.05
        v = jnp.where(touch, v.at[i].set((m[i] * v[i] + m[j] * v[j]) / total), v)
        return (x, v, jnp.where(touch, m.at[i].set(total).at[j].set(0), m)), (m > 0).sum()
    return lax.scan(step, (x, v, m), length=30)


@row("n(256, 2), i(5, 256), n(5, 5)")
@row("n(256, 2), i(5, 256), n(5, 5)", "grad({0})")
def colored_particles_pull_and_push(x, kind, pull):
    def step(x, _):
        d = x - x[:, None]
        d = d - 6 * jnp.round(d / 6)
        r = jnp.sqrt((d * d).sum(-1) + 1e-4)
        f = jnp.where(r < 0.3, r / 0.3 - 1, jnp.where(r < 1, pull[kind[:, None], kind] * (1 - jnp.abs(2 * r - 1.3) / 0.7), 0))
        return x + 0.02 * (f[..., None] * d / r[..., None]).sum(1), None
    return lax.scan(step, x, length=4)[0]


@row("key, i(3, 90, 110)")
@row("key, i(3, 25, 21)")
def trees_burn_and_seed_by_chance(key, state):
    def step(s, key):
        a, b = random.split(key)
        fire = s == 2
        near = fire | jnp.roll(fire, 1, 0) | jnp.roll(fire, -1, 0) | jnp.roll(fire, 1, 1) | jnp.roll(fire, -1, 1)
        u = random.uniform(a, s.shape)
        new = jnp.where(fire, 0, jnp.where((s == 1) & (near | (u < 1e-3)), 2, jnp.where((s == 0) & (u < 0.03), 1, s)))
        return new, jnp.bincount(new.ravel(), length=3)
    return lax.scan(step, state, random.split(key, 30))


@row("i(256, 70, 130).astype('uint8'), i(2, 18)")
def table_of_outer_totals_applied(x, rule):
    """Generations: alive cells by birth and survival bits, others fade."""
    def step(_, x):
        alive = (x == 255).astype(jnp.uint8)
        total = lax.reduce_window(alive, jnp.uint8(0), lax.add, (3, 3), (1, 1), "SAME") - alive
        born = rule[total + 9 * alive.astype(jnp.int32)] == 1
        return jnp.where(born & ((x == 0) | (x == 255)), 255, jnp.where(x > 0, x - jnp.minimum(x, 60), 0)).astype(jnp.uint8)
    return lax.fori_loop(0, 12, step, x)


@row("key, abs(n(16, 16)) * .1, abs(n(16)) * 1000 + 500")
def towns_with_commuters_drawn_binomially(key, mix, size):
    def day(s, key):
        sus, exp, inf, rec = s
        k = random.split(key, 3)
        force = 1 - jnp.exp(-0.3 * (mix @ (inf / size)))
        a = random.binomial(k[0], sus, force)
        b = random.binomial(k[1], exp, 0.2)
        c = random.binomial(k[2], inf, 0.1)
        return (sus - a, exp + a - b, inf + b - c, rec + c), inf
    size = jnp.floor(size)
    return lax.scan(day, (size - 10, size * 0, size * 0 + 10, size * 0), random.split(key, 20))[1]


@row("n(3), abs(n(120)) * 50, abs(n(15))")
@row("n(3), abs(n(120)) * 50, abs(n(15))", "jax.value_and_grad(lambda *a: {0}(*a)[0], (0, 2))")
def reproduction_by_renewal_of_cases(walk, cases, delay):
    w = delay / delay.sum()
    rate = jnp.exp(jnp.interp(jnp.arange(120.0), jnp.array([0.0, 60, 119]), 0.3 * walk))
    def day(recent, s):
        r, c = s
        mean = r * recent @ w + 0.1
        return jnp.concatenate([c[None], recent[:-1]]), c * jnp.log(mean) - mean
    _, like = lax.scan(day, jnp.full(15, 20.0), (rate, cases))
    return like.sum(), rate


@row("key, n(300, 2), i(2, 300)")
def walkers_infect_within_reach(key, x, sick):
    def step(s, key):
        x, sick, age = s
        a, b = random.split(key)
        x = (x + 0.1 * random.normal(a, x.shape)) % 3
        close = (((x[:, None] - x) ** 2).sum(-1) < 0.01) & (sick == 1)
        hit = close.any(1) & (sick == 0) & (random.uniform(b, (300,)) < 0.5)
        age = jnp.where(sick == 1, age + 1, 0)
        return (x, jnp.where(hit, 1, jnp.where(age > 14, 2, sick)), age), jnp.stack([(sick == k).sum() for k in range(3)])
    return lax.scan(step, (x, sick * (jnp.arange(300) < 20), jnp.zeros(300, jnp.int32)), random.split(key, 40))[1]
