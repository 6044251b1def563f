"""blind_physics.py: rows of the long tail written before any of them was measured (snippets.py): mechanics of bodies and
contacts, Lie groups, molecules, fields on grids, differential equations. A docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, random

from snippets import row


def cross_matrix(w):
    z = jnp.zeros_like(w[..., 0])
    x, y, q = w[..., 0], w[..., 1], w[..., 2]
    return jnp.stack([jnp.stack([z, -q, y], -1), jnp.stack([q, z, -x], -1), jnp.stack([-y, x, z], -1)], -2)


def quat_mul(a, b):
    s, u, t, v = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    return jnp.concatenate([s * t - (u * v).sum(-1, keepdims=True), s * v + t * u + jnp.cross(u, v)], -1)


def quat_turn(q, v):
    t = 2 * jnp.cross(q[..., 1:], v)
    return v + q[..., :1] * t + jnp.cross(q[..., 1:], t)


# ---- Lie groups ------------------------------------------------------------------------------------------------------

def so3_exponential(w):
    a2 = w @ w
    small = a2 < 1e-8
    safe = jnp.where(small, 1.0, a2)
    a = jnp.sqrt(safe)
    s = jnp.where(small, 1 - a2 / 6, jnp.sin(a) / a)
    c = jnp.where(small, 0.5 - a2 / 24, (1 - jnp.cos(a)) / safe)
    k = cross_matrix(w)
    return jnp.eye(3) + s * k + c * k @ k


@row("n(200, 6)", "vmap({0})")
@row("n(50, 6)", "vmap(jax.jacfwd({0}))")
@row("n(50, 6)", "vmap(jax.jacrev({0}))")
def se3_exponential(x):
    w, v = x[:3], x[3:]
    a2 = w @ w + 1e-12
    a = jnp.sqrt(a2)
    k = cross_matrix(w)
    left = jnp.eye(3) + (1 - jnp.cos(a)) / a2 * k + (a - jnp.sin(a)) / (a2 * a) * k @ k
    return jnp.block([[so3_exponential(w), (left @ v)[:, None]], [jnp.zeros((1, 3)), jnp.ones((1, 1))]])


@row("n(300, 3)", "vmap({0})")
@row("n(60, 3)", "vmap(jax.jacfwd({0}))")
def so3_there_and_back(w):
    r = so3_exponential(w)
    cos = jnp.clip((jnp.trace(r) - 1) / 2, -0.99999, 0.99999)
    a = jnp.arccos(cos)
    return a / (2 * jnp.sin(a)) * jnp.array([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])


@row("n(40, 3), n(40, 3, 3), n(40, 3, seed=1), n(3, seed=4)")
@row("n(40, 3), n(40, 3, 3), n(40, 3, seed=1), n(3, seed=4)", "grad({0}, (0, 3))")
def imu_preintegration(gyro, basis, acceleration, bias):
    """Rotation, velocity and position from 40 measurements of an inertial sensor, and the rotation's Jacobian."""
    def step(s, z):
        r, v, p, j = s
        w, b, a = z
        turn = so3_exponential((w - 0.1 * bias) * 0.01)
        f = r @ (a + 1e-3 * b @ bias)
        return (r @ turn, v + f * 0.01, p + v * 0.01 + f * 5e-5, turn.T @ j - 0.01 * jnp.eye(3)), None
    r, v, p, j = lax.scan(step, (jnp.eye(3), jnp.zeros(3), jnp.zeros(3), jnp.zeros((3, 3))), (gyro, basis, acceleration))[0]
    return jnp.concatenate([r.ravel(), v, p, j.ravel()])


@row("n(4), n(25, 3), n(25, 2, seed=1)")
def perspective_gauss_newton(q, points, pixels):
    """A pose from 25 points by four steps over the tangent space."""
    def residual(d, pose):
        r, t = pose
        x = points @ (r @ so3_exponential(d[:3])).T + t + d[3:] + jnp.array([0, 0, 6.0])
        return (x[:, :2] / x[:, 2:] - pixels * 0.1).ravel()
    def step(pose, _):
        j = jax.jacfwd(residual)(jnp.zeros(6), pose)
        f = residual(jnp.zeros(6), pose)
        d = -jnp.linalg.solve(j.T @ j + 0.01 * jnp.eye(6), j.T @ f)
        return (pose[0] @ so3_exponential(d[:3]), pose[1] + d[3:]), f @ f
    return lax.scan(step, (so3_exponential(q[1:]), jnp.zeros(3)), length=4)


@row("n(7, 4), n(7, 3), n(7, 3, seed=1)")
@row("n(64, 7, 4), n(64, 7, 3), n(64, 7, 3, seed=1)", "vmap({0})")
def tree_kinematics(q, offset, omega):
    """Poses and velocities of a tree of seven bodies, unrolled as MJX does: quaternions (bodies, 4)."""
    q = q / jnp.linalg.norm(q, axis=-1, keepdims=True)
    parent = [-1, 0, 1, 0, 3, 0, 5]
    turn, at, spin, speed = [], [], [], []
    for body, p in enumerate(parent):
        if p < 0:
            turn, at, spin, speed = [q[0]], [offset[0]], [omega[0]], [jnp.zeros(3)]
            continue
        arm = quat_turn(turn[p], offset[body])
        turn.append(quat_mul(turn[p], q[body]))
        at.append(at[p] + arm)
        spin.append(spin[p] + quat_turn(turn[p], omega[body]))
        speed.append(speed[p] + jnp.cross(spin[p], arm))
    return jnp.stack(turn), jnp.stack(at), jnp.stack(spin), jnp.stack(speed)


# ---- mechanics and contact -------------------------------------------------------------------------------------------

@row("definite(0, 20), n(30, 20), n(20), n(30)")
@row("definite(9, 12), n(9, 16, 12), n(9, 12), n(9, 16)", "vmap({0})")
def newton_for_constraints(mass, jacobian, free, reference):
    """Accelerations under one-sided constraints, as MJX's Newton solver: three steps with a line search of eight."""
    def cost(a):
        r = jacobian @ a - reference
        return 0.5 * (a - free) @ mass @ (a - free) + 5 * (jnp.minimum(r, 0) ** 2).sum()
    def step(a, _):
        r = jacobian @ a - reference
        active = (r < 0) * 10.0
        g = mass @ (a - free) + jacobian.T @ (active * r)
        d = -jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(mass + (jacobian.T * active) @ jacobian), True), g)
        s = 0.5 ** jnp.arange(8)
        return a + s[jax.vmap(lambda s: cost(a + s * d))(s).argmin()] * d, None
    return lax.scan(step, free, length=3)[0]


@row("n(128, 3), n(128, 4), abs(n(128)) + .2, abs(n(128, seed=3)) + .3")
@row("n(128, 3), n(128, 4), abs(n(128)) + .2, abs(n(128, seed=3)) + .3", "grad(lambda *x: {0}(*x)[0], (0, 1))")
def plane_and_cylinder(at, q, radius, half):
    q = q / jnp.linalg.norm(q, axis=-1, keepdims=True)
    axis = quat_turn(q, jnp.array([0, 0, 1.0]))
    axis = axis * jnp.where(axis[:, 2:] > 0, -1.0, 1.0)
    side = jnp.array([0, 0, -1.0]) + axis * axis[:, 2:]
    side = side / jnp.maximum(jnp.linalg.norm(side, axis=-1, keepdims=True), 1e-6)
    foot = at + axis * half[:, None] + side * radius[:, None]
    depth = foot[:, 2]
    return jnp.maximum(-depth, 0), foot, depth < 0


@row("n(5), n(5, seed=1)")
@row("n(30, 5), n(30, 5, seed=1)", "vmap({0})")
def chain_by_automatic_lagrange(q, v):
    """Accelerations of five links: mass matrix by hessian, Coriolis terms by jvp."""
    def energy(q, v):
        x = lambda q: jnp.cumsum(jnp.stack([jnp.sin(q), -jnp.cos(q)], -1), 0)
        dx = jax.jvp(x, (q,), (v,))[1]
        return 0.5 * (dx**2).sum() - 9.8 * x(q)[:, 1].sum()
    mass = jax.hessian(energy, 1)(q, v)
    momentum = lambda q: jax.grad(energy, 1)(q, v)
    return jnp.linalg.solve(mass, jax.grad(energy)(q, v) - jax.jvp(momentum, (q,), (v,))[1])


@row("n(60, 3), n(60, 3), i(60, 118, 2)")
def position_based_steps(x, v, edge):
    """Distance constraints solved all at once, five sweeps in each of ten steps."""
    rest = 0.9
    def sweep(_, x):
        d = x[edge[:, 0]] - x[edge[:, 1]]
        l = jnp.sqrt((d * d).sum(-1, keepdims=True) + 1e-9)
        fix = 0.5 * (l - rest) * d / l / 4
        return x.at[edge[:, 0]].add(-fix).at[edge[:, 1]].add(fix)
    def step(s, _):
        x, v = s
        y = lax.fori_loop(0, 5, sweep, x + 0.01 * v)
        y = jnp.where(y[:, 2:] < -1, y.at[:, 2].set(-1.0), y)
        return (y, (y - x) / 0.01 * 0.99 + jnp.array([0, 0, -0.098])), None
    return lax.scan(step, (x, v), length=10)[0]


# ---- molecules -------------------------------------------------------------------------------------------------------

@row("n(108, 3, scale=3)")
@row("n(108, 3, scale=3)", "grad({0})")
def shifted_lennard_jones(x, box=9.0):
    d = x[:, None] - x
    d = d - box * jnp.round(d / box)
    r2 = jnp.where(jnp.eye(108, dtype=bool), 1.0, (d * d).sum(-1))
    s6 = 1 / jnp.maximum(r2, 0.7) ** 3
    return 2 * jnp.where((r2 < 9) & ~jnp.eye(108, dtype=bool), s6 * s6 - s6 + 0.00137, 0).sum()


@row("n(400, 3, scale=4)")
def neighbor_list(x):
    """Sixteen nearest within a cutoff, padded by the number of atoms, as jax-md's dense lists."""
    d = x[:, None] - x
    r2 = ((d - 12 * jnp.round(d / 12)) ** 2).sum(-1)
    near = (r2 < 4) & ~jnp.eye(400, dtype=bool)
    at = jnp.sort(jnp.where(near, jnp.arange(400), 400), axis=1)[:, :16]
    return at, (near.sum(1) > 16).any()


@row("n(250, 3, scale=3), i(251, 250, 12)")
@row("n(250, 3, scale=3), i(251, 250, 12)", "grad(lambda x, i: {0}(x, i))")
def morse_over_neighbors(x, at):
    d = x[:, None] - x[jnp.minimum(at, 249)]
    r = jnp.sqrt((d * d).sum(-1) + 1e-3)
    e = (1 - jnp.exp(-1.5 * (r - 1))) ** 2 - 1
    return 0.5 * jnp.where(at < 250, e * jnp.where(r < 4, (1 - r / 4) ** 2, 0), 0).sum()


@row("n(64, 3, scale=2), n(64, 3), key")
def baoab_steps(x, v, k):
    """Langevin dynamics of 64 particles with soft spheres: 20 steps."""
    def energy(x):
        r = jnp.sqrt(((x[:, None] - x) ** 2).sum(-1) + jnp.eye(64))
        return 20 * (jnp.maximum(1 - r, 0) ** 2).sum() + 0.1 * (x * x).sum()
    def step(s, k):
        x, v, f = s
        v = v + 0.005 * f
        x = x + 0.005 * v
        v = 0.99 * v + 0.141 * random.normal(k, v.shape)
        x = x + 0.005 * v
        f = -jax.grad(energy)(x)
        return (x, v + 0.005 * f, f), energy(x)
    return lax.scan(step, (x, v, -jax.grad(energy)(x)), random.split(k, 20))


@row("n(216, 3, scale=3)")
def radial_distribution(x):
    d = x[:, None] - x
    r = jnp.sqrt(((d - 10 * jnp.round(d / 10)) ** 2).sum(-1))
    edges = jnp.linspace(0.1, 5, 50)
    count = jnp.histogram(r, edges)[0]
    return count / (4 / 3 * jnp.pi * jnp.diff(edges**3) * 216 * 0.216)


@row("n(40, 3), i(40, 60, 3)")
@row("n(40, 3), i(40, 60, 3)", "grad(lambda x, t: {0}(x, t))")
@row("n(12, 3), i(12, 15, 3)", "lambda x, t: jax.hessian({0})(x, t)")
def angle_energy(x, triple):
    a, b, c = x[triple[:, 0]], x[triple[:, 1]], x[triple[:, 2]]
    u, v = a - b, c - b
    cos = (u * v).sum(-1) / jnp.sqrt((u * u).sum(-1) * (v * v).sum(-1) + 1e-2)
    return 5 * ((cos + 0.33) ** 2).sum()


@row("n(100, 3), n(100)")
@row("n(100, 3), n(100)", "grad({0}, (0, 1))")
def reaction_field(x, charge):
    r = jnp.sqrt(((x[:, None] - x) ** 2).sum(-1) + 0.01)
    pair = charge[:, None] * charge * (1 / r + 0.01 * r**2 - 0.3) * jax.lax.erfc(0.3 * r)
    return jnp.where(jnp.tri(100, k=-1, dtype=bool), pair, 0).sum()


# ---- fields ----------------------------------------------------------------------------------------------------------

@row("abs(n(9, 48, 48)) + .5")
def d2q9_steps(f):
    """Lattice Boltzmann with nine speeds, four steps, and a wall at the bottom."""
    c = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
    w = jnp.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)[:, None, None]
    e = jnp.array(c, jnp.float32)
    def step(f, _):
        rho = f.sum(0)
        u = jnp.einsum("qd,qxy->dxy", e, f) / rho
        eu = jnp.einsum("qd,dxy->qxy", e, u)
        f = f - 0.8 * (f - rho * w * (1 + 3 * eu + 4.5 * eu**2 - 1.5 * (u * u).sum(0)))
        f = jnp.stack([jnp.roll(f[q], c[q], (0, 1)) for q in range(9)])
        back = f[jnp.array([0, 3, 4, 1, 2, 7, 8, 5, 6])]
        return jnp.where(jnp.arange(48) == 0, back, f), None
    return lax.scan(step, f, length=4)[0]


@row("abs(n(3, 400)) * .1 + jnp.array([1., 0, 2.5])[:, None]")
def euler_hllc(u):
    """Finite volumes for a gas in one dimension: MUSCL with minmod, HLL fluxes, 20 steps."""
    def flux(u):
        v = u[1] / u[0]
        p = 0.4 * (u[2] - 0.5 * u[0] * v * v)
        return jnp.stack([u[1], u[1] * v + p, (u[2] + p) * v]), v, jnp.sqrt(1.4 * p / u[0])
    def step(u, _):
        a, b = u - jnp.roll(u, 1, 1), jnp.roll(u, -1, 1) - u
        slope = jnp.where(a * b > 0, jnp.where(abs(a) < abs(b), a, b), 0)
        left, right = u + slope / 2, jnp.roll(u - slope / 2, -1, 1)
        (fl, vl, cl), (fr, vr, cr) = flux(left), flux(right)
        s, t = jnp.minimum(vl - cl, vr - cr), jnp.maximum(vl + cl, vr + cr)
        f = jnp.where(s > 0, fl, jnp.where(t < 0, fr, (t * fl - s * fr + s * t * (right - left)) / (t - s)))
        return u - 0.1 * (f - jnp.roll(f, 1, 1)), None
    return lax.scan(step, u, length=20)[0]


@row("n(64, 64), n(64, 64, seed=1)")
@row("n(64, 64), n(64, 64, seed=1)", "grad({0}, (0, 1))")
def swift_hohenberg(u, r):
    """Five semi-implicit steps in Fourier space."""
    k = jnp.fft.fftfreq(64, 0.5) * 2 * jnp.pi
    k2 = k[:, None] ** 2 + k[:33] ** 2
    step = lambda _, u: jnp.fft.irfft2(jnp.fft.rfft2(u + 0.1 * (0.3 * u + 0.05 * r * u - u**3)) / (1 + 0.1 * (1 - k2) ** 2))
    return lax.fori_loop(0, 5, step, u)


@row("n(24, 26, 28)")
@row("n(24, 26, 28)", "lambda x: jax.jvp({0}, (x,), (jnp.sin(x),))")
def nineteen_point_laplacian(u):
    p = jnp.pad(u, 1, mode="edge")
    out = -24 * u
    for a in (-1, 0, 1):
        for b in (-1, 0, 1):
            for c in (-1, 0, 1):
                if 0 < abs(a) + abs(b) + abs(c) < 3:
                    out = out + (3 - abs(a) - abs(b) - abs(c)) * p[1 + a:25 + a, 1 + b:27 + b, 1 + c:29 + c]
    return out / 6


@row("n(120, 130), abs(n(120, 130))")
def perona_malik(u, edge):
    def step(u, _):
        total = 0.0
        for axis in (0, 1):
            d = jnp.diff(u, axis=axis)
            f = d * jnp.exp(-(d**2)) * 0.2
            pad = [(1, 1) if k == axis else (0, 0) for k in (0, 1)]
            total = total + jnp.diff(jnp.pad(f, pad), axis=axis)
        return u + total / (1 + edge), None
    return lax.scan(step, u, length=6)[0]


@row("n(100, 100), n(100, 100, seed=1), abs(n(100, 100, seed=2)) * .1 + .2")
@row("n(60, 60), n(60, 60, seed=1), abs(n(60, 60, seed=2)) * .1 + .2", "grad(lambda *x: {0}(*x)[1], 2)")
def acoustic_shots(u, before, c):
    """Twelve steps of an acoustic wave with an absorbing edge; the traces of a row."""
    n = u.shape[0]
    d = jnp.minimum(jnp.arange(n), jnp.arange(n)[::-1])
    damp = jnp.exp(-((0.05 * jnp.maximum(8 - jnp.minimum(d[:, None], d), 0)) ** 2))
    def step(s, _):
        u, b = s
        p = jnp.pad(u, 1)
        lap = p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * u
        return (damp * (2 * u - damp * b + c**2 * lap), u), u[5]
    return lax.scan(step, (u, before), length=12)


# ---- differential equations ------------------------------------------------------------------------------------------

@row("n(500, 4, scale=.3)")
def henon_heiles_yoshida(s):
    """Symplectic, of fourth order, 25 steps for 500 orbits."""
    force = lambda x: -jnp.stack([x[:, 0] + 2 * x[:, 0] * x[:, 1], x[:, 1] + x[:, 0] ** 2 - x[:, 1] ** 2], 1)
    w = 1.3512072
    def step(s, _):
        x, v = s
        for a, b in ((w, w), (1 - 2 * w, 1 - 2 * w), (w, w)):
            x = x + 0.5 * a * 0.05 * v
            v = v + b * 0.05 * force(x)
            x = x + 0.5 * a * 0.05 * v
        return (x, v), None
    return lax.scan(step, (s[:, :2], s[:, 2:]), length=25)[0]


@row("n(80), abs(n(80, 3)) + .1, key")
def order_one_and_a_half_sde(x, p, k):
    """Cox-Ingersoll-Ross paths with full truncation, 100 steps."""
    def step(x, dw):
        y = jnp.maximum(x, 0)
        return x + p[:, 0] * (p[:, 1] - y) * 0.01 + p[:, 2] * jnp.sqrt(y) * dw * 0.1, x
    return lax.scan(step, abs(x), random.normal(k, (100, 80)))


@row("n(30, 3, scale=.1), abs(n(30)) + 1")
def adaptive_cash_karp(y, rate):
    """Each of thirty systems has its own step size, under vmap of a while loop."""
    def solve(y, rate):
        f = lambda y: jnp.array([rate * (y[1] - y[0]), y[0] * (2 - y[2]) - y[1], y[0] * y[1] - y[2]])
        def body(s):
            t, y, h, count = s
            k1 = f(y)
            k2 = f(y + h * k1 / 5)
            k3 = f(y + h * (3 * k1 + 9 * k2) / 40)
            k4 = f(y + h * (0.3 * k1 - 0.9 * k2 + 1.2 * k3))
            new = y + h * (k1 * 19 / 54 - k3 * 10 / 27 + k4 * 55 / 54)
            error = jnp.abs(h * (k1 - 2 * k2 + k4)).max() / 5 + 1e-9
            ok = error < 1e-3
            grow = jnp.clip(0.9 * (1e-3 / error) ** 0.25, 0.2, 3)
            return jnp.where(ok, t + h, t), jnp.where(ok, new, y), jnp.minimum(h * grow, 2 - t + 1e-3), count + 1
        return lax.while_loop(lambda s: (s[0] < 2) & (s[3] < 60), body, (0.0, y, jnp.float32(0.05), 0))[1::2]
    return jax.vmap(solve)(y, rate)


ROWS = [
    "vmap(jax.jacfwd(so3_exponential)) @@ n(77, 3)",
    "jax.hessian(lambda w: jnp.trace(so3_exponential(w) @ so3_exponential(2 * w))) @@ n(3)",
    "lambda a, b: vmap(lambda a, b: so3_there_and_back(.4 * a) - so3_there_and_back(.4 * b))(a, b) @@ n(129, 3), n(129, 3, seed=1)",
    "lambda x: jax.vjp(lambda x: vmap(se3_exponential)(x), x)[1](jnp.ones((33, 4, 4)))[0] @@ n(33, 6)",
    "lambda q, v: quat_turn(q / linalg.norm(q, axis=-1, keepdims=True), v) @@ n(40, 25, 4), n(40, 25, 3)",
    "vmap(jax.jacfwd(quat_mul)) @@ n(50, 4), n(50, 4, seed=1)",
    "lambda x, v: (x + .01 * v * jnp.sqrt(1 / (1 + (v ** 2).sum(1, keepdims=True))), v - .01 * jnp.cross(v, x)) @@ n(1000, 3), n(1000, 3)",
    "lambda x, i, m: (jax.ops.segment_sum(m[:, None] * x, i, 32) / jax.ops.segment_sum(m, i, 32)[:, None]) @@ n(2000, 3), "
    "i(32, 2000), abs(n(2000))",
    "vmap(lambda a, b: jax.jacfwd(lambda a: a @ b @ a.T)(a)) @@ n(12, 3, 3), n(12, 3, 3, seed=1)",
    "lambda x, v: ode.odeint(lambda s, t: jnp.stack([s[1], -jnp.sin(s[0]) - .1 * s[1]]), jnp.stack([x, v]), jnp.linspace(0., "
    "2, 9)) @@ n(7), n(7)",
    "lambda u: (lambda g: jnp.stack([g[2][1] - g[1][2], g[0][2] - g[2][0], g[1][0] - g[0][1]]))([jnp.gradient(c) for c in "
    "u]) @@ n(3, 19, 21, 23)",
    "lambda q: vmap(lambda q: linalg.eigh(jnp.outer(q, q) + jnp.eye(4))[1][:, -1])(q / linalg.norm(q, axis=1, keepdims=True)) @@ n(31, 4)",
]
