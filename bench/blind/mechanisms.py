"""mechanisms.py: rigid bodies, contacts, robots, control, filters of state, geometry, drawing."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    "lambda q, v: (lambda w, u: v + 2 * (w * jnp.cross(u, v) + jnp.cross(u, jnp.cross(u, v))))(q[..., :1], q[..., 1:])"
    " @@ n(31, 77, 4, scale=.5), n(31, 77, 3)",
    "f64: lambda r: jnp.arccos(jnp.clip((jnp.trace(r, axis1=-2, axis2=-1) - 1) / 2, -.99, .99))"
    " @@ jnp.linalg.qr(n(501, 3, 3, dtype='float64'))[0]",
    "lambda p, r, t: jnp.einsum('bij,bpj->bpi', r, p) + t[:, None] @@ n(23, 211, 3), n(23, 3, 3), n(23, 3)",
    "jax.jacfwd(lambda q: jnp.cumsum(jnp.stack([jnp.cos(jnp.cumsum(q)), jnp.sin(jnp.cumsum(q))]), 1)[:, -1]) @@ n(11)",
    "vmap(jax.jacrev(lambda q: jnp.cumsum(jnp.stack([jnp.cos(jnp.cumsum(q)), jnp.sin(jnp.cumsum(q))]), 1)[:, -1])) @@ n(301, 7)",
    "lambda x, p: jnp.minimum(jnp.linalg.norm(jnp.maximum(abs(x[:, None]) - p, 0), axis=-1), .5).sum(1) @@ n(803, 3), abs(n(17, 3))",
    "lambda a, b: (lambda d: jnp.where(d < 1.2, 1.2 - d, 0).sum(1))(jnp.linalg.norm(a[:, None] - b[None] + 1e-3, axis=-1)) @@ n(211, 3), n(93, 3)",
    "lambda t, v: jnp.cross(v[t[:, 1]] - v[t[:, 0]], v[t[:, 2]] - v[t[:, 0]]).sum(0) @@ i(400, 1201, 3), n(400, 3)",
    "lambda c, t: jnp.einsum('tk,kbd->tbd', t[:, None] ** jnp.arange(6), c) @@ n(6, 13, 3), nn.sigmoid(n(101))",
    "lambda m, p: (lambda h: h[..., :3] / (1 + abs(h[..., 3:])))(jnp.concatenate([p, jnp.ones((1501, 1))], 1) @ m.T) @@ n(4, 4), n(1501, 3)",
    "grad(lambda x, k: jnp.maximum(.3 - jnp.linalg.norm(x[k[:, 0]] - x[k[:, 1]] + 1e-3, axis=1), 0) ** 2) @@ n(97, 3), i(97, 1001, 2)",
    "lambda a, b, q, r: lax.fori_loop(0, 25, lambda _, p: q + a.T @ (p - p @ b @ jnp.linalg.solve(r + b.T @ p @ b, b.T @ p)) @ a, q)"
    " @@ n(9, 9, scale=.3), n(9, 2), jnp.eye(9), jnp.eye(2)",
]


# ---- rigid bodies ---------------------------------------------------------------------------------------------------------------

def turned_about(axis, angle):
    k = jnp.cross(jnp.eye(3), axis)
    return jnp.eye(3) + jnp.sin(angle) * k + (1 - jnp.cos(angle)) * k @ k


TREE = (-1, 0, 1, 2, 0, 4, 5)


@row("n(7), n(7, 3), n(7, 3)")
@row("n(64, 7), n(7, 3), n(7, 3)", "vmap({0}, (0, None, None))")
@row("n(7), n(7, 3), n(7, 3)", "jax.jacfwd({0})")
def biped_poses_and_centre(q, axis, offset):
    """A body with two legs of three joints, in order of the parents."""
    axis = axis / jnp.linalg.norm(axis, axis=1, keepdims=True)
    rotation, place = [], []
    for j, parent in enumerate(TREE):
        r, p = (jnp.eye(3), jnp.zeros(3)) if parent < 0 else (rotation[parent], place[parent])
        rotation.append(r @ turned_about(axis[j], q[j]))
        place.append(p + r @ offset[j])
    p = jnp.stack(place)
    return p - p.mean(0)


@row("n(7), n(7), n(7), n(7, 3), n(7, 3)")
@row("n(40, 7), n(40, 7), n(40, 7), n(7, 3), n(7, 3)", "vmap({0}, (0, 0, 0, None, None))")
def biped_torques_from_lagrangian(q, v, a, axis, offset):
    """Inverse dynamics by derivatives of kinetic energy of point masses."""
    places = lambda q: biped_poses_and_centre(q, axis, offset)
    momentum = lambda q, v: jax.grad(lambda v: 0.5 * (jax.jvp(places, (q,), (v,))[1] ** 2).sum())(v)
    energy = lambda q: 0.5 * (jax.jvp(places, (q,), (v,))[1] ** 2).sum() - 9.81 * places(q)[:, 2].sum()
    _, change = jax.jvp(momentum, (q, v), (v, a))
    return change - jax.grad(energy)(q)


@row("n(8, 3), n(8, 3), n(8, 4), n(8, 3), abs(n(8, 3)) + .5")
@row("n(300, 3), n(300, 3), n(300, 4), n(300, 3), abs(n(300, 3)) + .5")
@row("n(8, 3), n(8, 3), n(8, 4), n(8, 3), abs(n(8, 3)) + .5", "jax.grad(lambda *s: {0}(*s)[0].sum(), (1, 3))")
def boxes_thrown_on_ground_with_penalty(x, v, q, w, half):
    """Eight corners of each box push back with stiffness, damping and capped friction."""
    q = q / jnp.linalg.norm(q, axis=-1, keepdims=True)
    signs = jnp.stack(jnp.meshgrid(*[jnp.array([-1.0, 1.0])] * 3), -1).reshape(8, 3)
    inertia = (half**2).sum(-1, keepdims=True) - half**2 + 0.1
    def rotate(q, u):
        t = 2 * jnp.cross(q[..., 1:], u)
        return u + q[..., :1] * t + jnp.cross(q[..., 1:], t)
    def step(s, _):
        x, v, q, w = s
        arm = rotate(q[:, None], signs * half[:, None])
        speed = v[:, None] + jnp.cross(w[:, None], arm)
        depth = jnp.maximum(-(x[:, None] + arm)[..., 2], 0)
        normal = jnp.clip(400 * depth - 8 * speed[..., 2] * (depth > 0), 0, 300)
        slip = speed[..., :2]
        friction = -0.6 * normal[..., None] * slip / jnp.sqrt((slip * slip).sum(-1, keepdims=True) + 0.01)
        force = jnp.concatenate([friction, normal[..., None]], -1)
        v = v + 0.004 * (force.sum(1) + jnp.array([0, 0, -9.81]))
        w = (w + 0.004 * jnp.cross(arm, force).sum(1) / inertia).clip(-20, 20)
        spin = jnp.concatenate([jnp.zeros_like(w[:, :1]), w], 1)
        q = q + 0.002 * jnp.concatenate([-(spin[:, 1:] * q[:, 1:]).sum(1, keepdims=True), spin[:, 1:] * q[:, :1] + jnp.cross(spin[:, 1:], q[:, 1:])], 1)
        return (x + 0.004 * v, v, q / jnp.linalg.norm(q, axis=1, keepdims=True), w), None
    return lax.scan(step, (x, v, q, w), None, length=20)[0]


@row("n(10, 12), n(12), abs(n(10))")
@row("n(50, 10, 12), n(50, 12), abs(n(50, 10))", "vmap({0})")
def impulses_by_accelerated_projection(jacobian, velocity, bound):
    """Boxed impulses of ten contacts by projected Nesterov steps with restarts."""
    a = jacobian @ jacobian.T + 0.01 * jnp.eye(10)
    b = jacobian @ velocity
    step = 1 / jnp.abs(a).sum(1).max()
    def one(s, _):
        f, y, t, old = s
        new = jnp.clip(y - step * (a @ y + b), 0, bound)
        cost = 0.5 * new @ a @ new + b @ new
        t1 = jnp.where(cost > old, 1.0, (1 + jnp.sqrt(1 + 4 * t * t)) / 2)
        y = jnp.where(cost > old, new, new + (t - 1) / t1 * (new - f))
        return (new, y, t1, cost), cost
    zero = jnp.zeros(10)
    (f, *_), costs = lax.scan(one, (zero, zero, 1.0, 0.0), None, length=30)
    return velocity + jacobian.T @ f, costs


@row("n(40, 3), n(39)")
@row("n(9, 40, 3), n(9, 39)", "vmap({0})")
@row("n(40, 3), n(39)", "grad({0})")
def elastic_rod_with_twist_relaxed(x, twist):
    """Stretching, bending by curvature binormals and twisting of a rod, ten steps downhill by derivatives."""
    def energy(x):
        e = x[1:] - x[:-1]
        l = jnp.sqrt((e * e).sum(1) + 1e-6)
        t = e / l[:, None]
        kb = 2 * jnp.cross(t[:-1], t[1:]) / (1.2 + (t[:-1] * t[1:]).sum(1))[:, None]
        turn = jnp.diff(twist)
        return 5 * ((l - 1) ** 2).sum() + (kb * kb).sum() + 0.5 * (turn**2).sum() + 0.1 * ((kb[:, 2] - turn) ** 2).sum()
    step = lambda x, _: (x - 0.02 * jnp.clip(jax.grad(energy)(x), -5, 5), energy(x))
    return lax.scan(step, x * 0.3 + jnp.arange(40.0)[:, None], None, length=10)[1]


# ---- control and estimates -------------------------------------------------------------------------------------------------------

@row("n(6, 6, scale=.4), n(6, 2), n(6), n(2, 30, scale=.1)")
@row("n(20, 6, 6, scale=.4), n(20, 6, 2), n(20, 6), n(20, 2, 30, scale=.1)", "vmap({0})")
def inputs_bounded_by_splitting_over_horizon(a, b, x0, start):
    """ADMM of a linear regulator with boxed inputs; the linear part is a Riccati sweep without stored gains."""
    def regulate(target):
        def back(s, r):
            p, q = s
            h = jnp.eye(2) * 1.1 + b.T @ p @ b
            k, f = jnp.linalg.solve(h, b.T @ p @ a), jnp.linalg.solve(h, b.T @ q - r)
            m = a - b @ k
            return (jnp.eye(6) + a.T @ p @ m, m.T @ q + k.T @ r), (k, f)
        _, (k, f) = lax.scan(back, (jnp.eye(6), jnp.zeros(6)), target.T, reverse=True)
        def go(x, kf):
            u = -kf[0] @ x - kf[1]
            return a @ x + b @ u, u
        return lax.scan(go, x0, (k, f))[1].T
    def step(s, _):
        z, y = s
        u = regulate(z - y)
        z = jnp.clip(u + y, -0.3, 0.3)
        return (z, y + u - z), jnp.abs(u - z).max()
    return lax.scan(step, (start, jnp.zeros_like(start)), None, length=8)


@row("n(5), n(60, 2), n(60, 3)")
@row("n(33, 5), n(33, 60, 2), n(33, 60, 3)", "vmap({0})")
@row("n(5, dtype='float64'), n(60, 2, dtype='float64'), n(60, 3, dtype='float64')", double=True)
def cubature_points_of_turning_vehicle(x, control, seen):
    """A cubature filter: place, heading, speed and turn; ranges to three beacons are measured."""
    kind = x.dtype
    beacon = jnp.array([[5.0, 0], [0, 6], [-4, -4]], kind)
    unit = jnp.concatenate([jnp.eye(5, dtype=kind), -jnp.eye(5, dtype=kind)]) * 5**0.5
    def move(x, u):
        return x + 0.1 * jnp.stack([x[3] * jnp.cos(x[2]), x[3] * jnp.sin(x[2]), x[4], u[0] - 0.1 * x[3], u[1] - x[4]])
    look = lambda x: jnp.sqrt(((x[:2] - beacon) ** 2).sum(1) + 0.01)
    def step(s, t):
        m, p = s
        u, y = t
        pts = jax.vmap(move, (0, None))(m + unit @ jnp.linalg.cholesky(p).T, u)
        m = pts.mean(0)
        p = (pts - m).T @ (pts - m) / 10 + 0.01 * jnp.eye(5, dtype=kind)
        pts = m + unit @ jnp.linalg.cholesky(p).T
        z = jax.vmap(look)(pts)
        e = z - z.mean(0)
        s_ = e.T @ e / 10 + 0.2 * jnp.eye(3, dtype=kind)
        k = jnp.linalg.solve(s_, e.T @ (pts - m) / 10).T
        return (m + k @ (5 + y - z.mean(0)), p - k @ s_ @ k.T + 1e-4 * jnp.eye(5, dtype=kind)), m
    return lax.scan(step, (x, jnp.eye(5, dtype=kind)), (control, seen))[1]


@row("n(200, 3), n(200, 3)")
@row("n(12, 200, 3), n(12, 200, 3)", "vmap({0})")
def errors_of_attitude_filtered_multiplicatively(gyro, pull):
    def hat(w):
        return jnp.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) * w[jnp.array([[0, 2, 1], [2, 0, 0], [1, 0, 0]])]
    def product(p, q):
        return jnp.concatenate([(p[0] * q[0] - p[1:] @ q[1:])[None], p[0] * q[1:] + q[0] * p[1:] + jnp.cross(p[1:], q[1:])])
    def step(s, t):
        q, bias, p = s
        w, a = t[0] - bias, t[1] / (jnp.linalg.norm(t[1]) + 1e-3)
        q = product(q, jnp.concatenate([jnp.ones(1), 0.005 * w]))
        q = q / jnp.linalg.norm(q)
        f = jnp.block([[jnp.eye(3) - 0.01 * hat(w), -0.01 * jnp.eye(3)], [jnp.zeros((3, 3)), jnp.eye(3)]])
        p = f @ p @ f.T + 1e-4 * jnp.eye(6)
        down = 2 * jnp.array([q[1] * q[3] - q[0] * q[2], q[2] * q[3] + q[0] * q[1], q[0] ** 2 + q[3] ** 2 - 0.5])
        h = jnp.concatenate([hat(down), jnp.zeros((3, 3))], 1)
        k = p @ h.T @ jnp.linalg.inv(h @ p @ h.T + 0.1 * jnp.eye(3))
        d = k @ (a - down)
        q = product(q, jnp.concatenate([jnp.ones(1), 0.5 * d[:3]]))
        return (q / jnp.linalg.norm(q), bias + d[3:], (jnp.eye(6) - k @ h) @ p), q
    return lax.scan(step, (jnp.array([1.0, 0, 0, 0]), jnp.zeros(3), jnp.eye(6)), (gyro, pull))[1]


@row("random.key(0), n(5, 30, 2, scale=.2), n(4)")
@row("random.key(0), n(1, 9, 2, scale=.2), n(4)")
def elite_plans_of_hovering_craft(key, mean, x0):
    """Cross-entropy planning with three rounds: 128 samples, 12 elites, for several starts of the search."""
    def cost(plan):
        def step(x, u):
            u = jnp.tanh(u)
            x = x + 0.1 * jnp.stack([x[1], u[0] - 0.2 * x[1] * jnp.abs(x[1]), x[3], u[1] + 0.3 * jnp.sin(x[0])])
            return x, (x * x).sum() + 0.1 * (u * u).sum()
        return lax.scan(step, x0, plan)[1].sum()
    def search(key, mean):
        def round_(s, key):
            mean, std = s
            plans = mean + std * random.normal(key, (128, *mean.shape))
            value, index = lax.top_k(-jax.vmap(cost)(plans), 12)
            elite = plans[index]
            return (elite.mean(0), elite.std(0) + 0.01), -value[0]
        return lax.scan(round_, (mean, jnp.ones_like(mean)), random.split(key, 3))
    return jax.vmap(search)(random.split(key, mean.shape[0]), mean)


# ---- geometry, drawing ----------------------------------------------------------------------------------------------------------

@row("n(40, 3, 2), n(40, 3), n(40, 3, seed=2)")
@row("n(40, 3, 2), n(40, 3), n(40, 3, seed=2)", "grad({0}, (0, 2))")
@row("n(9, 3, 2, dtype='bfloat16'), n(9, 3, dtype='bfloat16'), n(9, 3, seed=2, dtype='bfloat16')")
def triangles_drawn_in_order_of_depth(corner, depth, colour):
    """Soft coverage by signed edges, blended from back to front over 48 x 64 pixels by a scan."""
    ys, xs = jnp.meshgrid(jnp.linspace(-2, 2, 48), jnp.linspace(-2, 2, 64), indexing="ij")
    order = jnp.argsort(-depth.mean(1).astype(jnp.float32))
    def draw(picture, t):
        c, rgb = t
        inside = 1.0
        for k in range(3):
            a, b = c[k], c[(k + 1) % 3]
            inside = inside * nn.sigmoid(8 * ((b[0] - a[0]) * (ys - a[1]) - (b[1] - a[1]) * (xs - a[0])))
        return picture + inside[..., None] * (rgb - picture), None
    return lax.scan(draw, jnp.zeros((48, 64, 3)), (corner[order].astype(jnp.float32), colour[order].astype(jnp.float32)))[0]


@row("n(3000, 3), n(3000, 3, seed=1)")
@row("n(500, 3), n(500, 3, seed=1)", "grad(lambda o, d: {0}(o, d)[0], (0, 1))")
def rays_meet_torus_by_newton_on_quartic(origin, direction):
    d = direction / jnp.linalg.norm(direction, axis=1, keepdims=True)
    def value(t):
        p = origin + t[:, None] * d
        q = (p * p).sum(1) + 1 - 0.09
        return q * q - 4 * (p[:, 0] ** 2 + p[:, 1] ** 2), 4 * q * (p * d).sum(1) - 8 * (p[:, :2] * d[:, :2]).sum(1)
    def step(_, t):
        f, g = value(t)
        return jnp.clip(t - f / jnp.where(jnp.abs(g) < 0.1, 0.1, g), -5, 5)
    t = lax.fori_loop(0, 12, step, jnp.zeros(origin.shape[0]))
    return t, jnp.abs(value(t)[0]) < 1e-3


@row("n(400, 2)")
@row("n(400, 2, dtype='float64')", double=True)
@row("n(12, 60, 2)", "vmap({0})")
def smallest_circles_of_neighbours_and_their_centres(p):
    """Each point with its two nearest: circumcircle, area, and whether another point lies inside."""
    d = ((p[:, None] - p) ** 2).sum(-1)
    _, near = lax.top_k(-d, 3)
    a, b, c = p, p[near[:, 1]], p[near[:, 2]]
    u, v = b - a, c - a
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    safe = jnp.where(jnp.abs(area) < 1e-6, 1, area)
    uu, vv = (u * u).sum(1), (v * v).sum(1)
    centre = jnp.stack([v[:, 1] * uu - u[:, 1] * vv, u[:, 0] * vv - v[:, 0] * uu], 1) / (2 * safe[:, None])
    r2 = (centre * centre).sum(1)
    inside = (((p[:, None] - (a + centre)) ** 2).sum(-1) < 0.999 * r2).sum(0)
    return jnp.sqrt(r2), area / 2, inside


@row("n(24, 24, 24)")
@row("n(24, 24, 24)", "grad(lambda u: {0}(u)[1])")
@row("n(11, 37, 41, dtype='float16')")
def level_set_volume_area_and_crossings(u):
    u = u.astype(jnp.float32)
    h = nn.sigmoid(4 * u)
    g = jnp.gradient(u)
    size = jnp.sqrt(sum(d * d for d in g) + 1e-6)
    crossing = sum((jnp.diff(u > 0, axis=a)).sum() for a in range(3))
    bend = sum(jnp.gradient(d / size, axis=a) for a, d in enumerate(g))
    return crossing, (h * (1 - h) * 4 * size).sum() + h.sum(), bend[2:-2, 2:-2, 2:-2]


@row("n(4, 8, 8, 2, scale=.2), n(4, 50, 70, 3)")
@row("n(1, 8, 8, 2, scale=.2), n(1, 50, 70, 3)", "grad({0}, (0, 1))")
def pictures_bent_by_lattice_of_cubic_splines(lattice, picture):
    b, h, w, _ = picture.shape
    def weights(size, count):
        t = jnp.linspace(0, count - 3.001, size)
        k, f = jnp.floor(t).astype(jnp.int32), t - jnp.floor(t)
        basis = jnp.stack([(1 - f) ** 3, 3 * f**3 - 6 * f**2 + 4, -3 * f**3 + 3 * f**2 + 3 * f + 1, f**3], 1) / 6
        return jnp.zeros((size, count)).at[jnp.arange(size)[:, None], k[:, None] + jnp.arange(4)].add(basis, mode="drop")
    move = jnp.einsum("yi,xj,bijc->bcyx", weights(h, 8), weights(w, 8), lattice) * 10
    ys, xs = jnp.meshgrid(jnp.arange(h), jnp.arange(w), indexing="ij")
    def sample(image, m):
        at = [ys + m[0], xs + m[1]]
        return jnp.stack([jax.scipy.ndimage.map_coordinates(image[..., c], at, order=1, mode="nearest") for c in range(3)], -1)
    return jax.vmap(sample)(picture, move)


@row("n(500, 3), i(500, 900, 2), abs(n(900))")
@row("n(500, 3, dtype='float64'), i(500, 900, 2), abs(n(900, dtype='float64'))", double=True)
def springs_implicit_by_matrix_free_gradients(x, pair, rest):
    """One implicit step: Hessian products by forward over reverse within conjugate gradients of 15 steps."""
    def energy(x):
        d = x[pair[:, 0]] - x[pair[:, 1]]
        return 2 * ((jnp.sqrt((d * d).sum(1) + 0.01) - rest) ** 2).sum()
    force = jax.grad(energy)
    apply = lambda v: v + 0.01 * jax.jvp(force, (x,), (v,))[1]
    b = -0.1 * force(x)
    def step(s, _):
        v, r, p, rr = s
        ap = apply(p)
        alpha = rr / ((p * ap).sum() + 1e-12)
        r = r - alpha * ap
        new = (r * r).sum()
        return (v + alpha * p, r, r + new / rr * p, new), new
    return lax.scan(step, (jnp.zeros_like(x), b, b, (b * b).sum()), None, length=15)
