"""blind_bodies.py: rows of the long tail written before any of them was measured (snippets.py): rigid bodies and contacts,
cloth, molecules, rotations, robots, control. A docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


def hamilton(a, b):
    """Products of quaternions (..., 4), the real part first."""
    w, v = a[..., :1], a[..., 1:]
    x, u = b[..., :1], b[..., 1:]
    return jnp.concatenate([w * x - (v * u).sum(-1, keepdims=True), w * u + x * v + jnp.cross(v, u)], -1)


def turned(q, v):
    t = 2 * jnp.cross(q[..., 1:], v)
    return v + q[..., :1] * t + jnp.cross(q[..., 1:], t)


def hat(w):
    z = jnp.zeros_like(w[..., 0])
    x, y, v = w[..., 0], w[..., 1], w[..., 2]
    return jnp.stack([z, -v, y, v, z, -x, -y, x, z], -1).reshape(*w.shape[:-1], 3, 3)


# ---- rotations -------------------------------------------------------------------------------------------------------

@row("n(400, 4), n(400, 3)")
@row("n(400, 4), n(400, 3)", "grad(lambda q, w: {0}(q, w) ** 3)")
def integrated_attitude(q, w, h=0.01):
    q = q / jnp.linalg.norm(q, axis=1, keepdims=True)
    spin = jnp.concatenate([jnp.zeros_like(w[:, :1]), w], 1)
    q = q + 0.5 * h * hamilton(q, spin)
    return q / jnp.linalg.norm(q, axis=1, keepdims=True)


@row("n(300, 3, 3)")
def rotation_to_quaternion(m):
    """Shepperd's method: the largest of four decides."""
    r = jnp.linalg.qr(m)[0]
    t = jnp.trace(r, axis1=1, axis2=2)
    d = jnp.stack([1 + t] + [1 - t + 2 * r[:, k, k] for k in range(3)], 1)
    off = jnp.stack([r[:, 2, 1] - r[:, 1, 2], r[:, 0, 2] - r[:, 2, 0], r[:, 1, 0] - r[:, 0, 1]], 1)
    sym = r + r.swapaxes(1, 2)
    table = jnp.concatenate([jnp.concatenate([d[:, :1], off], 1)[:, None],
                             jnp.concatenate([off[:, :, None], jnp.where(jnp.eye(3) > 0, d[:, 1:, None], sym)], 2)], 1)
    best = jnp.argmax(d, 1)
    q = table[jnp.arange(300), best]
    return abs(q / jnp.linalg.norm(q, axis=1, keepdims=True))


@row("n(6, 4), nn.softmax(n(90, 6))")
def averaged_rotations(q, w):
    """Means of rotations as the first eigenvector, as outer products that have no sign."""
    q = q / jnp.linalg.norm(q, axis=1, keepdims=True)
    m = jnp.einsum("bk,ki,kj->bij", w, q, q)
    v = jnp.linalg.eigh(m)[1][..., -1]
    return v[:, :, None] * v[:, None]


@row("n(120, 6, scale=.5)")
@row("n(120, 6, scale=.5)", "vmap(jax.jacfwd(lambda x: {0}(x[None])[0]))")
def twist_exponential(x):
    """Rigid motions (n, 4, 4) of twists (n, 6), stable near zero."""
    w, v = x[:, :3], x[:, 3:]
    s = (w * w).sum(1)[:, None, None] + 1e-8
    t = jnp.sqrt(s)
    k = hat(w)
    a, b, c = jnp.sin(t) / t, (1 - jnp.cos(t)) / s, (t - jnp.sin(t)) / (s * t)
    r = jnp.eye(3) + a * k + b * k @ k
    p = (jnp.eye(3) + b * k + c * k @ k) @ v[..., None]
    last = jnp.broadcast_to(jnp.array([0, 0, 0, 1.0]), (x.shape[0], 1, 4))
    return jnp.concatenate([jnp.concatenate([r, p], 2), last], 1)


@row("n(500, 4), n(500, 4, seed=1), nn.sigmoid(n(500))")
@row("n(500, 4), n(500, 4, seed=1), nn.sigmoid(n(500))", "grad({0}, (0, 2))")
def spherical_blend(a, b, t):
    a, b = (v / jnp.linalg.norm(v, axis=1, keepdims=True) for v in (a, b))
    d = (a * b).sum(1, keepdims=True)
    b, d = jnp.where(d < 0, -b, b), jnp.clip(abs(d), 0, 0.9999)
    angle = jnp.arccos(d)
    t = t[:, None]
    return (jnp.sin((1 - t) * angle) * a + jnp.sin(t * angle) * b) / jnp.sin(angle)


@row("n(80, 5, 3), n(80, 5, 3, seed=1)")
def kabsch_batched(a, b):
    a, b = a - a.mean(1, keepdims=True), b - b.mean(1, keepdims=True)
    u, _, v = jnp.linalg.svd(jnp.einsum("bni,bnj->bij", a, b))
    sign = jnp.sign(jnp.linalg.det(u @ v))
    r = (u.at[:, :, 2].multiply(sign[:, None])) @ v
    return jnp.sqrt(((a @ r - b) ** 2).sum((1, 2)) / 5)


# ---- rigid bodies, contacts, cloth -----------------------------------------------------------------------------------

@row("n(7), n(7), n(7, 3)")
@row("n(7), n(7), n(7, 3)", "jax.jacfwd({0})")
@row("n(33, 7), n(33, 7), n(7, 3)", "vmap({0}, (0, 0, None))")
def newton_euler(q, v, axes):
    """Torques of a chain of seven bodies: velocities outward, forces inward by two scans."""
    axes = axes / jnp.linalg.norm(axes, axis=1, keepdims=True)
    c, s, k = jnp.cos(q)[:, None, None], jnp.sin(q)[:, None, None], hat(axes)
    r = jnp.eye(3) + s * k + (1 - c) * k @ k
    link = jnp.array([0.0, 0.0, 0.4])
    def out(state, x):
        w, a, acc = state
        r, axis, v = x
        w_new = r.T @ w + axis * v
        a_new = r.T @ a + jnp.cross(r.T @ w, axis * v)
        acc = r.T @ acc + jnp.cross(a_new, link) + jnp.cross(w_new, jnp.cross(w_new, link))
        return (w_new, a_new, acc), (a_new, acc, w_new)
    start = jnp.zeros(3), jnp.zeros(3), jnp.array([0, 0, 9.81])
    _, (a, acc, w) = lax.scan(out, start, (r, axes, v))
    force, torque = 2 * acc, 0.1 * a + jnp.cross(w, 0.1 * w)
    def back(s, x):
        f, t = s
        r, axis, force, torque = x
        f_new = f + force
        t_new = t + torque + jnp.cross(link, force + f)
        return (r @ f_new, r @ t_new), axis @ t_new
    return lax.scan(back, (jnp.zeros(3), jnp.zeros(3)), (r, axes, force, torque), reverse=True)[1]


@row("n(9), n(9)")
@row("n(9), n(9)", "jax.jit(lambda q, v: jax.linearize(partial({0}, q), v)[1](v))")
def pendulum_accelerations(q, v):
    """The mass matrix as a Hessian of the kinetic energy, then a solve."""
    def kinetic(q, v):
        xy = jnp.cumsum(jnp.stack([jnp.cos(q) * v, jnp.sin(q) * v]), 1)
        return 0.5 * (xy * xy).sum()
    m = jax.hessian(kinetic, 1)(q, v)
    bias = jax.jvp(jax.grad(kinetic, 1), (q, v), (v, jnp.zeros(9)))[1] - jax.grad(kinetic)(q, v)
    gravity = 9.81 * jnp.sin(q) * jnp.arange(9, 0, -1)
    return jnp.linalg.solve(m + 1e-3 * jnp.eye(9), -bias - gravity)


@row("n(60, 3), n(60, 3, seed=1)")
@row("n(60, 3), n(60, 3, seed=1)", "grad(lambda *a: {0}(*a)[0] ** 2)")
def bouncing_balls(x, v, radius=0.3):
    """Penalty forces of pairs and of the floor, five small steps."""
    def step(_, s):
        x, v = s
        d = x[:, None] - x
        r = jnp.sqrt((d * d).sum(-1) + 1e-6)
        push = nn.relu(2 * radius - r) * 50
        f = (push / r)[..., None] * d
        floor = nn.relu(radius - x[:, 2]) * 100
        v = v + 0.01 * (f.sum(1) + floor[:, None] * jnp.array([0, 0, 1.0]) - jnp.array([0, 0, 9.81]))
        return x + 0.01 * v, v
    return lax.fori_loop(0, 5, step, (x, v))


@row("definite(0, 24), n(24, seed=1), abs(n(8))")
def friction_cone_solver(a, b, mu):
    """Projected Gauss-Seidel by contacts: a normal and two tangents each, clipped to the cone."""
    def contact(k, f):
        at = k * 3
        block = lax.dynamic_slice(a, (at, 0), (3, 24))
        r = lax.dynamic_slice(b, (at,), (3,)) + block @ f
        diag = jnp.diagonal(lax.dynamic_slice(block, (0, at), (3, 3)))
        new = lax.dynamic_slice(f, (at,), (3,)) - r / diag
        normal = nn.relu(new[0])
        tangent = new[1:] * jnp.minimum(1, mu[k] * normal / (jnp.linalg.norm(new[1:]) + 1e-6))
        return lax.dynamic_update_slice(f, jnp.concatenate([normal[None], tangent]), (at,))
    return lax.fori_loop(0, 12, lambda _, f: lax.fori_loop(0, 8, contact, f), jnp.zeros(24))


@row("definite(5, 12), n(5, 12)")
def complementarity_newton(a, b):
    """Newton's steps on the smoothed Fischer-Burmeister function, five problems at once."""
    def one(a, b):
        def residual(z):
            w = a @ z + b
            return z + w - jnp.sqrt(z * z + w * w + 1e-4)
        return lax.fori_loop(0, 8, lambda _, z: z - jnp.linalg.solve(jax.jacfwd(residual)(z), residual(z)), jnp.ones(12))
    return jax.vmap(one)(a, b)


@row("n(200, 3), n(200, 4), abs(n(200, 3)) + .2, n(3)")
def box_support_points(center, q, half, direction):
    """The corner of each box that is farthest in a direction; overlaps of pairs along it."""
    q = q / jnp.linalg.norm(q, axis=1, keepdims=True)
    local = turned(q * jnp.array([1, -1, -1, -1]), jnp.broadcast_to(direction, (200, 3)))
    corner = center + turned(q, jnp.sign(local) * half)
    high = corner @ direction
    low = 2 * center @ direction - high
    return corner, (low[:, None] < high) & (low < high[:, None])


@row("n(25, 4, 3), n(25, 4, 3, seed=1)")
def separating_axes(a, b):
    """Tetrahedra against tetrahedra: every face normal and every product of edges."""
    edge = lambda t: t[:, jnp.array([1, 2, 3, 2, 3, 3])] - t[:, jnp.array([0, 0, 0, 1, 1, 2])]
    ea, eb = edge(a), edge(b)
    axes = jnp.concatenate([jnp.cross(ea[:, :3], jnp.roll(ea[:, :3], 1, 1)), jnp.cross(eb[:, :3], jnp.roll(eb[:, :3], 1, 1)),
                            jnp.cross(ea[:, :, None], eb[:, None]).reshape(25, 36, 3)], 1)
    pa, pb = a @ axes.swapaxes(1, 2), b @ axes.swapaxes(1, 2)
    gap = jnp.maximum(pa.min(1) - pb.max(1), pb.min(1) - pa.max(1))
    return (gap / (jnp.linalg.norm(axes, axis=-1) + 1e-6)).max(1)


@row("n(21, 21, 3, scale=.1), n(21, 21, 3, scale=.1)")
@row("n(21, 21, 3, scale=.1), n(21, 21, 3, scale=.1)", "grad(lambda *a: {0}(*a)[0] ** 2)")
def hanging_cloth(x, v):
    """Springs along rows, columns and diagonals; the corners stay: eight steps."""
    grid = jnp.stack(jnp.meshgrid(jnp.arange(21.0), jnp.arange(21.0)), -1)
    x = x + jnp.concatenate([grid, jnp.zeros((21, 21, 1))], -1)
    def spring(x, dy, dx, rest):
        y = x[dy:, dx:] - x[: 21 - dy, : 21 - dx]
        r = jnp.linalg.norm(y, axis=-1, keepdims=True) + 1e-6
        f = 20 * (r - rest) / r * y
        return jnp.zeros_like(x).at[: 21 - dy, : 21 - dx].add(f).at[dy:, dx:].add(-f)
    def step(_, s):
        x, v = s
        f = spring(x, 0, 1, 1.0) + spring(x, 1, 0, 1.0) + spring(x, 1, 1, 2**0.5) + jnp.array([0, 0, -1.0])
        v = (0.99 * v + 0.02 * f).at[0, 0].set(0).at[0, -1].set(0)
        return x + 0.02 * v, v
    return lax.fori_loop(0, 8, step, (x, v))


@row("n(80, 3), n(80, 3, scale=.1)")
def rope_constraints(x, v):
    """Position-based dynamics: even and odd pairs in turn."""
    def satisfy(_, p):
        for first in (0, 1):
            a, b = p[first:-1:2], p[first + 1 :: 2]
            d = b - a
            r = jnp.linalg.norm(d, axis=1, keepdims=True) + 1e-6
            move = 0.5 * (r - 0.1) / r * d
            p = p.at[first:-1:2].add(move).at[first + 1 :: 2].add(-move)
        return p.at[0].set(0)
    p = lax.fori_loop(0, 10, satisfy, x + 0.01 * v)
    return p, (p - x) / 0.01


@row("n(60, 3), i(60, 90, 4), n(90, 3, 3) * .1 + jnp.eye(3)")
@row("n(60, 3), i(60, 90, 4), n(90, 3, 3) * .1 + jnp.eye(3)", "grad({0})")
def elastic_tetrahedra(x, tets, inverse):
    """Neo-Hookean energy of a mesh."""
    p = x[tets]
    f = (p[:, 1:] - p[:, :1]).swapaxes(1, 2) @ inverse
    j = jnp.linalg.det(f)
    return (0.5 * ((f * f).sum((1, 2)) - 3) - j + 0.5 * (j - 1) ** 2).sum()


@row("n(300, 2) * .2 + .5, n(300, 2), n(300, 2, 2, scale=.1)")
def material_points(x, v, c, cells=24):
    """A step of MLS-MPM: quadratic weights to a grid and back."""
    place = jnp.clip(x, 0.1, 0.9) * cells
    low = jnp.floor(place - 0.5).astype("int32")
    t = place - low
    w = jnp.stack([0.5 * (1.5 - t) ** 2, 0.75 - (t - 1) ** 2, 0.5 * (t - 0.5) ** 2], 1)
    offset = jnp.array([(i, j) for i in range(3) for j in range(3)])
    weight = w[:, offset[:, 0], 0] * w[:, offset[:, 1], 1]
    at = low[:, None] + offset
    momentum = v[:, None] + jnp.einsum("nij,nkj->nki", c, (at - place[:, None]) / cells)
    mass = jnp.zeros((cells, cells)).at[at[..., 0], at[..., 1]].add(weight)
    grid = jnp.zeros((cells, cells, 2)).at[at[..., 0], at[..., 1]].add(weight[..., None] * momentum)
    grid = grid / jnp.maximum(mass, 1e-6)[..., None] - jnp.array([0, 0.01])
    back = grid[at[..., 0], at[..., 1]]
    v = (weight[..., None] * back).sum(1)
    return x + 0.01 * v, v, 4 * jnp.einsum("nk,nki,nkj->nij", weight, back, at - place[:, None])


# ---- molecules -------------------------------------------------------------------------------------------------------

@row("n(64, 3) * 3, n(64, 3)")
def nose_hoover(x, v):
    """Lennard-Jones atoms in a periodic box with a thermostat."""
    def force(x):
        d = x[:, None] - x
        d = d - 8 * jnp.round(d / 8)
        r2 = jnp.maximum((d * d).sum(-1), 0.7) + 100 * jnp.eye(64)
        s = r2**-3
        return ((48 * s * s - 24 * s) / r2)[..., None] * d * (r2 < 9)[..., None]
    def step(s, _):
        x, v, xi = s
        v = v + 0.001 * (force(x).sum(1) - xi * v)
        return (x + 0.002 * v, v, xi + 0.002 * ((v * v).sum() / 192 - 1)), (v * v).sum()
    return lax.scan(step, (x, v, 0.0), None, length=6)[1]


@row("n(250, 3) * 3")
def cell_list(x):
    """Atoms sorted into cells; a fixed number for each."""
    cell = jnp.clip(jnp.floor((x + 9) / 3), 0, 5).astype("int32") @ jnp.array([36, 6, 1])
    order = jnp.argsort(cell, stable=True)
    start = jnp.searchsorted(cell[order], jnp.arange(216))
    slot = jnp.arange(250) - start[cell[order]]
    return jnp.full((216, 12), 250).at[cell[order], slot].set(order, mode="drop")


@row("n(90, 3), i(90, 90, 12)")
@row("n(90, 3), i(90, 90, 12)", "grad({0})")
def neighbour_energy(x, near):
    d = x[near] - x[:, None]
    r2 = (d * d).sum(-1) + 0.5
    return jnp.where(near != jnp.arange(90)[:, None], r2**-6 - r2**-3, 0).sum()


@row("n(50, 3), i(50, 70, 4), abs(n(70)), n(70, seed=1)")
@row("n(50, 3), i(50, 70, 4), abs(n(70)), n(70, seed=1)", "grad({0})")
def torsion_energy(x, at, k, phase):
    p = x[at]
    b1, b2, b3 = (p[:, m + 1] - p[:, m] + 0.01 * (m + 1) * jnp.array([1.0, 2, -1]) for m in range(3))
    n1, n2 = jnp.cross(b1, b2), jnp.cross(b2, b3)
    m = jnp.cross(n1, b2 / (jnp.linalg.norm(b2, axis=1, keepdims=True) + 1e-3))
    angle = jnp.arctan2((m * n2).sum(1) + 1e-3, (n1 * n2).sum(1) + 1e-3)
    return (k * (1 + jnp.cos(3 * angle - phase))).sum()


@row("n(40, 3), n(40)")
@row("n(40, 3), n(40)", "grad({0})")
def ewald_reciprocal(x, charge, size=6.0):
    modes = range(-3, 4)
    k = 2 * jnp.pi / size * jnp.array([(a, b, c) for a in modes for b in modes for c in modes if a or b or c])
    k2 = (k * k).sum(1)
    s = (charge * jnp.exp(1j * (k @ x.T))).sum(1)
    return (jnp.exp(-k2 / 4) / k2 * abs(s) ** 2).sum() * 2 * jnp.pi / size**3


@row("n(30, 3), n(16, 8), n(8)")
@row("n(30, 3), n(16, 8), n(8)", "grad({0})")
def symmetry_functions(x, w, out):
    """Behler and Parrinello: radial functions with a cutoff, then a small network."""
    d = jnp.sqrt(((x[:, None] - x) ** 2).sum(-1) + jnp.eye(30))
    cut = jnp.where(d < 3, 0.5 * (jnp.cos(jnp.pi * d / 3) + 1), 0) * (1 - jnp.eye(30))
    g = (jnp.exp(-4 * (d[..., None] - jnp.linspace(0.3, 3, 16)) ** 2) * cut[..., None]).sum(1)
    return (jnp.tanh(g @ w) @ out).sum()


# ---- robots and control ----------------------------------------------------------------------------------------------

@row("n(4, 4, scale=.4), n(4, 2), jnp.eye(4), jnp.eye(2)")
def discrete_riccati(a, b, q, r):
    def step(p):
        gain = jnp.linalg.solve(r + b.T @ p[0] @ b, b.T @ p[0] @ a)
        new = q + a.T @ p[0] @ (a - b @ gain)
        return new, abs(new - p[0]).max(), p[2] + 1
    return lax.while_loop(lambda p: (p[1] > 1e-3) & (p[2] < 100), step, (q, 1.0, 0))[0]


@row("key, n(30, 2), n(4)")
def cross_entropy_control(key, plan, start):
    """Plans of a unicycle drawn anew around the best of them."""
    def rollout(plan):
        def step(s, u):
            s = s + 0.1 * jnp.stack([s[3] * jnp.cos(s[2]), s[3] * jnp.sin(s[2]), u[0], u[1]])
            return s, (s[:2] ** 2).sum() + 0.01 * (u * u).sum()
        return lax.scan(step, start, plan)[1].sum()
    def improve(s, key):
        mean, sd = s
        plans = mean + sd * random.normal(key, (48, 30, 2))
        best = plans[lax.top_k(-jax.vmap(rollout)(plans), 8)[1]]
        return (best.mean(0), best.std(0) + 0.01), None
    return lax.scan(improve, (plan, jnp.ones((30, 2))), random.split(key, 4))[0]


@row("n(6), n(3)")
@row("n(40, 6), n(40, 3)", "vmap({0})")
def inverse_kinematics(q, target):
    """Damped least squares on a planar chain in space."""
    def reach(q):
        a = jnp.cumsum(q)
        return jnp.stack([jnp.cos(a).sum(), jnp.sin(a).sum(), jnp.sin(q).sum()])
    def step(_, q):
        j = jax.jacrev(reach)(q)
        return q + j.T @ jnp.linalg.solve(j @ j.T + 0.1 * jnp.eye(3), target - reach(q))
    return lax.fori_loop(0, 8, step, q)


@row("n(3), n(10, 3, 2), key")
def localization(pose, moves, key):
    """Particles of a robot's pose; ranges to four beacons weigh them."""
    beacons = jnp.array([[3.0, 0], [0, 3], [-3, 0], [0, -3]])
    particles = pose + random.normal(key, (90, 3))
    def step(p, s):
        u, key = s
        a, b = random.split(key)
        p = p + 0.1 * jnp.stack([jnp.cos(p[:, 2]) * u[0, 0], jnp.sin(p[:, 2]) * u[0, 0], 0 * p[:, 2] + u[1, 0]], 1)
        p = p + 0.05 * random.normal(a, p.shape)
        r = jnp.linalg.norm(p[:, None, :2] - beacons, axis=-1)
        log = -((r - 3 - 0.1 * u[0, 1]) ** 2).sum(1)
        p = p[random.categorical(b, log, shape=(90,))]
        return p, p.mean(0)
    return lax.scan(step, particles, (moves, random.split(key, 10)))[1]


@row("n(30, 30) > -.8, abs(n(30, 30)) + .1")
def fast_marching(free, cost):
    """Arrival times by sweeps until nothing changes."""
    big = 1e3
    start = jnp.full((30, 30), big).at[4, 5].set(0)
    def sweep(s):
        t, _, k = s
        p = jnp.pad(t, 1, constant_values=big)
        near = jnp.minimum(jnp.minimum(p[2:, 1:-1], p[:-2, 1:-1]), jnp.minimum(p[1:-1, 2:], p[1:-1, :-2]))
        new = jnp.where(free, jnp.minimum(t, near + cost), t)
        return new, t, k + 1
    return lax.while_loop(lambda s: (s[0] != s[1]).any() & (s[2] < 200), sweep, sweep((start, start, 0)))[0] / big


@row("n(50, 3), n(50, 3), i(50, 5)")
def flocking(x, v, leaders):
    d = x[:, None] - x
    r2 = (d * d).sum(-1)
    near = (r2 < 2).astype("float32")
    mean = near @ v / near.sum(1, keepdims=True)
    apart = (d / (r2[..., None] + 0.1)).sum(1)
    v = v + 0.1 * (mean - v) + 0.05 * apart + 0.1 * (x[leaders].mean(0) - x)
    return x + 0.1 * v, v / jnp.maximum(1, jnp.linalg.norm(v, axis=1, keepdims=True))
