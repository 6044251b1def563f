"""algorithms.py: functions that snippets of the long tail call: integers and bits, dynamic programming, control, geometry,
bodies, as users write them from textbooks. Arrays are jax.Array; a docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, random


# ---- integers and bits -------------------------------------------------------------------------------------------------

def rotate_left(x, k):
    return (x << k) | (x >> (32 - k))


def murmur(x):
    x = x.astype("uint32")
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        x = (x ^ (x >> shift)) * jnp.uint32(factor)
    return x ^ (x >> 16)


def fnv(data):
    """Rows of bytes to 32-bit hashes."""
    return lax.scan(lambda h, b: ((h ^ b.astype("uint32")) * jnp.uint32(16777619), None),
                    jnp.full(data.shape[0], 2166136261, "uint32"), data.T)[0]


def xorshift(x, steps=16):
    def step(_, x):
        x = x ^ (x << 13)
        x = x ^ (x >> 17)
        return x ^ (x << 5)
    return lax.fori_loop(0, steps, step, x.astype("uint32"))


def chacha(state):
    """Ten double rounds on the 16 words of each column: state (16, n) uint32."""
    def quarter(s, a, b, c, d):
        for x, y, z, k in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[x] = s[x] + s[y]
            s[z] = rotate_left(s[z] ^ s[x], k)

    def double(_, s):
        s = list(s)
        for k in range(4):
            quarter(s, k, 4 + k, 8 + k, 12 + k)
        for k in range(4):
            quarter(s, k, 4 + (k + 1) % 4, 8 + (k + 2) % 4, 12 + (k + 3) % 4)
        return tuple(s)
    return state + jnp.stack(lax.fori_loop(0, 10, double, tuple(state)))


def sha_schedule(words):
    """The 64 words of SHA-256's schedule of each row: words (n, 16) uint32."""
    w = [words[:, k] for k in range(16)]
    for k in range(16, 64):
        a, b = w[k - 15], w[k - 2]
        s0 = rotate_left(a, 25) ^ rotate_left(a, 14) ^ (a >> 3)
        s1 = rotate_left(b, 15) ^ rotate_left(b, 13) ^ (b >> 10)
        w.append(w[k - 16] + s0 + w[k - 7] + s1)
    return jnp.stack(w, 1)


def crc32(data):
    def byte(crc, b):
        crc = crc ^ b.astype("uint32")
        for _ in range(8):
            crc = jnp.where(crc & 1, (crc >> 1) ^ jnp.uint32(0xEDB88320), crc >> 1)
        return crc, None
    return ~lax.scan(byte, jnp.full(data.shape[0], 0xFFFFFFFF, "uint32"), data.T)[0]


def morton(x, y):
    def spread(v):
        v = v.astype("uint32") & 0xFFFF
        for shift, mask in ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
            v = (v | (v << shift)) & jnp.uint32(mask)
        return v
    return spread(x) | (spread(y) << 1)


def bit_reverse(x):
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        x = ((x >> shift) & jnp.uint32(mask)) | ((x & jnp.uint32(mask)) << shift)
    return rotate_left(x, 16)


def collatz(n, steps=60):
    def step(s):
        k, n, count = s
        return k + 1, jnp.where(n % 2 == 0, n // 2, 3 * n + 1), count + (n > 1)
    return lax.while_loop(lambda s: s[0] < steps, step, (0, n, jnp.zeros_like(n)))[2]


def modular_power(x, e, m):
    def step(s):
        x, e, r = s
        return x * x % m, e >> 1, jnp.where(e & 1, r * x % m, r)
    return lax.while_loop(lambda s: (s[1] > 0).any(), step, (x % m, e, jnp.ones_like(x)))[2]


def gcd(a, b):
    def step(s):
        a, b = s
        return jnp.where(b == 0, a, b), jnp.where(b == 0, 0, a % jnp.where(b == 0, 1, b))
    return lax.while_loop(lambda s: (s[1] != 0).any(), step, (a, b))[0]


def sieve(limit=5000):
    def step(k, prime):
        return jnp.where((jnp.arange(limit) >= k * k) & (jnp.arange(limit) % k == 0), False, prime)
    return lax.fori_loop(2, 71, step, jnp.ones(limit, bool).at[:2].set(False))


def hamming_matrix(a, b):
    """Codes of 32-bit words: a (n, words), b (m, words)."""
    return lax.population_count(a[:, None] ^ b[None]).sum(-1)


def bloom(keys, bits=4096):
    table = jnp.zeros(bits, bool)
    for k in range(3):
        table = table.at[murmur(keys + k) % bits].set(True)
    return table


# ---- dynamic programming ------------------------------------------------------------------------------------------------

def smith_waterman(a, b, gap=2):
    """Local alignment by anti-diagonal-free rows: a (n,), b (m,)."""
    def row(previous, symbol):
        match = previous[:-1] + jnp.where(b == symbol, 3, -3)
        best = jnp.maximum(jnp.maximum(match, previous[1:] - gap), 0)
        def cell(left, v):
            v = jnp.maximum(v, left - gap)
            return v, v
        now = jnp.concatenate([jnp.zeros(1, best.dtype), lax.scan(cell, jnp.array(0, best.dtype), best)[1]])
        return now, now.max()
    return lax.scan(row, jnp.zeros(b.shape[0] + 1, "int32"), a)[1].max()


def longest_common(a, b):
    def row(previous, symbol):
        match = jnp.where(b == symbol, previous[:-1] + 1, 0)
        now = jnp.concatenate([jnp.zeros(1, "int32"), lax.cummax(jnp.maximum(match, previous[1:]))])
        return now, None
    return lax.scan(row, jnp.zeros(b.shape[0] + 1, "int32"), a)[0][-1]


def knapsack(weights, values, capacity=500):
    def item(best, wv):
        w, v = wv
        at = jnp.arange(capacity + 1)
        return jnp.where(at >= w, jnp.maximum(best, best[jnp.maximum(at - w, 0)] + v), best), None
    return lax.scan(item, jnp.zeros(capacity + 1), (weights, values))[0]


def nussinov(pairs):
    """Base pairs of a sequence: pairs (n, n) of 0 and 1; the table by its diagonals."""
    n = pairs.shape[0]
    def span(d, t):
        i = jnp.arange(n)
        j = jnp.minimum(i + d, n - 1)
        paired = t[jnp.minimum(i + 1, n - 1), jnp.maximum(j - 1, 0)] + pairs[i, j]
        split = jnp.max(t[i] + jnp.roll(t, -1, 0)[:, j].T, 1)
        return t.at[i, j].set(jnp.where(i + d < n, jnp.maximum(paired, split), t[i, j]))
    return lax.fori_loop(1, n, span, jnp.zeros((n, n)))


def bellman_ford(weights, source, target, nodes=300, rounds=20):
    start = jnp.full(nodes, jnp.inf).at[0].set(0.0)
    return lax.fori_loop(0, rounds, lambda _, d: jnp.minimum(d, jax.ops.segment_min(d[source] + weights, target, nodes)), start)


def label_components(source, target, nodes=500):
    def step(s):
        label, _ = s
        new = label.at[target].min(label[source]).at[source].min(label[target])
        return new, (new != label).any()
    return lax.while_loop(lambda s: s[1], step, (jnp.arange(nodes), True))[0]


def hungarian_greedy(cost):
    def step(cost, _):
        at = jnp.argmin(cost)
        i, j = at // cost.shape[1], at % cost.shape[1]
        return cost.at[i, :].set(jnp.inf).at[:, j].set(jnp.inf), (i, j)
    return lax.scan(step, cost, None, cost.shape[0])[1]


def auction(benefit, rounds=30, eps=0.01):
    def step(price, _):
        value, index = lax.top_k(benefit - price, 2)
        bid = value[:, 0] - value[:, 1] + eps
        return price + jax.ops.segment_max(bid, index[:, 0], benefit.shape[1], indices_are_sorted=False).clip(0), None
    return lax.scan(step, jnp.zeros(benefit.shape[1]), None, rounds)[0]


# ---- control, estimation, optimization ----------------------------------------------------------------------------------

def riccati(a, b, q, r, steps=40):
    def step(p, _):
        k = jnp.linalg.solve(r + b.T @ p @ b, b.T @ p @ a)
        p = q + a.T @ p @ (a - b @ k)
        return p, k
    return lax.scan(step, q, None, steps)


def ilqr_rollout(x, us, a, b):
    return lax.scan(lambda x, u: ((lambda y: (y, y))(x + 0.05 * (jnp.sin(a @ x) + b @ u))), x, us)[1]


def path_integral(key, x, us, samples=256, temperature=0.5):
    """MPPI of a double integrator: x (4,), us (steps, 2)."""
    noise = random.normal(key, (samples, *us.shape))
    def cost(us):
        def step(x, u):
            x = jnp.concatenate([x[:2] + 0.1 * x[2:], x[2:] + 0.1 * u])
            return x, (x * x).sum() + 0.01 * (u * u).sum()
        return lax.scan(step, x, us)[1].sum()
    costs = jax.vmap(cost)(us + noise)
    weight = jax.nn.softmax(-(costs - costs.min()) / temperature)
    return us + jnp.tensordot(weight, noise, 1)


def extended_kalman(x, p, y):
    """A bearing and range filter of a point: x (4,), p (4, 4), y (steps, 2)."""
    f = jnp.eye(4).at[0, 2].set(0.1).at[1, 3].set(0.1)
    def seen(x):
        return jnp.stack([jnp.hypot(x[0], x[1]), jnp.arctan2(x[1], x[0])])
    def step(state, y):
        x, p = state
        x, p = f @ x, f @ p @ f.T + 0.01 * jnp.eye(4)
        h = jax.jacfwd(seen)(x)
        s = h @ p @ h.T + 0.1 * jnp.eye(2)
        k = jnp.linalg.solve(s, h @ p).T
        return (x + k @ (y - seen(x)), (jnp.eye(4) - k @ h) @ p), x
    return lax.scan(step, (x, p), y)[1]


def unscented(mean, cov, f):
    n = mean.shape[0]
    root = jnp.linalg.cholesky(n * cov)
    points = jnp.concatenate([mean + root.T, mean - root.T])
    out = jax.vmap(f)(points)
    centred = out - out.mean(0)
    return out.mean(0), centred.T @ centred / (2 * n)


def admm_lasso(a, y, rho=1.0, steps=30):
    factor = jax.scipy.linalg.cho_factor(a.T @ a + rho * jnp.eye(a.shape[1]))
    def step(s, _):
        x, z, u = s
        x = jax.scipy.linalg.cho_solve(factor, a.T @ y + rho * (z - u))
        z = jnp.sign(x + u) * jnp.maximum(abs(x + u) - 0.1 / rho, 0)
        return (x, z, u + x - z), None
    return lax.scan(step, (jnp.zeros(a.shape[1]),) * 3, None, steps)[0][1]


def frank_wolfe(q, c, steps=50):
    def step(x, k):
        s = jax.nn.one_hot(jnp.argmin(q @ x + c), x.shape[0])
        return x + 2 / (k + 2) * (s - x), None
    return lax.scan(step, jnp.full(c.shape, 1 / c.shape[0]), jnp.arange(steps))[0]


def simplex_projection(v):
    u = jnp.sort(v, -1)[..., ::-1]
    total = jnp.cumsum(u, -1) - 1
    k = jnp.arange(1, v.shape[-1] + 1)
    count = (u * k > total).sum(-1, keepdims=True)
    return jnp.maximum(v - jnp.take_along_axis(total, count - 1, -1) / count, 0)


def newton_rosenbrock(x, steps=50):
    """Newton's method with a line search on Rosenbrock's function."""
    def f(x):
        return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()
    def step(x, _):
        d = -jnp.linalg.solve(jax.hessian(f)(x) + 1e-3 * jnp.eye(x.shape[0]), jax.grad(f)(x))
        scale = 0.5 ** jnp.arange(8.0)
        return x + scale[jnp.argmin(jax.vmap(lambda t: f(x + t * d))(scale))] * d, None
    return lax.scan(step, x, None, steps)[0]


# ---- geometry and bodies --------------------------------------------------------------------------------------------------

def se3_exp(xi):
    """xi (6,) to (4, 4)."""
    w, v = xi[:3], xi[3:]
    t = jnp.sqrt((w * w).sum() + 1e-12)
    k = jnp.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    a, b, c = jnp.sin(t) / t, (1 - jnp.cos(t)) / t**2, (t - jnp.sin(t)) / t**3
    rotation, left = jnp.eye(3) + a * k + b * k @ k, jnp.eye(3) + b * k + c * k @ k
    return jnp.block([[rotation, (left @ v)[:, None]], [jnp.zeros((1, 3)), jnp.ones((1, 1))]])


def so3_log(r):
    t = jnp.arccos(jnp.clip((jnp.trace(r) - 1) / 2, -1 + 1e-6, 1 - 1e-6))
    return t / (2 * jnp.sin(t)) * jnp.stack([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])


def slerp(p, q, t):
    d = jnp.clip((p * q).sum(-1, keepdims=True), -1, 1)
    q, d = jnp.where(d < 0, -q, q), jnp.minimum(abs(d), 0.9995)
    angle = jnp.arccos(d)
    return (jnp.sin((1 - t) * angle) * p + jnp.sin(t * angle) * q) / jnp.sin(angle)


def ray_triangles(origin, direction, a, b, c):
    """The nearest hit of each ray: rays (n, 3), triangles (m, 3)."""
    e1, e2 = b - a, c - a
    p = jnp.cross(direction[:, None], e2)
    det = (e1 * p).sum(-1)
    inverse = 1 / jnp.where(abs(det) < 1e-8, 1e-8, det)
    s = origin[:, None] - a
    u = (s * p).sum(-1) * inverse
    q = jnp.cross(s, e1)
    v = (direction[:, None] * q).sum(-1) * inverse
    t = (e2 * q).sum(-1) * inverse
    hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)
    return jnp.min(jnp.where(hit, t, jnp.inf), 1)


def sphere_trace(origin, direction, steps=32):
    """Marches rays (n, 3) to a union of a sphere, a box and a torus."""
    def distance(p):
        ball = jnp.linalg.norm(p, axis=-1) - 1
        q = abs(p - 2) - 0.7
        box = jnp.linalg.norm(jnp.maximum(q, 0), axis=-1) + jnp.minimum(q.max(-1), 0)
        ring = jnp.hypot(jnp.hypot(p[..., 0], p[..., 2]) - 2, p[..., 1]) - 0.3
        return jnp.minimum(jnp.minimum(ball, box), ring)
    t = lax.fori_loop(0, steps, lambda _, t: t + distance(origin + t[:, None] * direction), jnp.zeros(origin.shape[0]))
    point = origin + t[:, None] * direction
    return t, jax.vmap(jax.grad(distance))(point)


def inside_polygon(points, corners):
    x, y = points[:, 0, None], points[:, 1, None]
    ax, ay = corners.T
    bx, by = jnp.roll(corners, -1, 0).T
    return ((((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay + 1e-12) + ax)).sum(1) % 2).astype(bool)


def haversine(a, b):
    d = jnp.radians(b[None] - a[:, None])
    h = jnp.sin(d[..., 0] / 2) ** 2 + jnp.cos(jnp.radians(a[:, None, 0])) * jnp.cos(jnp.radians(b[:, 0])) * jnp.sin(d[..., 1] / 2) ** 2
    return 12742 * jnp.arcsin(jnp.sqrt(h))


def mesh_normals(vertices, faces):
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normal = jnp.cross(b - a, c - a)
    total = jnp.zeros_like(vertices)
    for k in range(3):
        total = total.at[faces[:, k]].add(normal)
    return total / (jnp.linalg.norm(total, axis=1, keepdims=True) + 1e-9)


def articulated(q, v, tau, steps=10):
    """A planar chain of pendulums: mass matrix from Jacobians, semi-implicit Euler: q, v, tau (joints,)."""
    def tips(q):
        angle = jnp.cumsum(q)
        return jnp.cumsum(jnp.stack([jnp.sin(angle), -jnp.cos(angle)], -1), 0)
    def energy(q):
        return 9.81 * tips(q)[:, 1].sum()
    def step(s, _):
        q, v = s
        j = jax.jacfwd(tips)(q)
        mass = jnp.einsum("kdi,kdj->ij", j, j) + 0.01 * jnp.eye(q.shape[0])
        a = jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(mass), tau - jax.grad(energy)(q) - 0.1 * v)
        v = v + 0.01 * a
        return (q + 0.01 * v, v), None
    return lax.scan(step, (q, v), None, steps)[0]


def contact_solver(j, mass, v, steps=20):
    """Projected Gauss-Seidel of contacts one after another: j (contacts, dofs), mass (dofs, dofs)."""
    a = j @ jnp.linalg.solve(mass, j.T) + 1e-4 * jnp.eye(j.shape[0])
    b = j @ v
    def contact(k, f):
        return f.at[k].set(jnp.maximum(f[k] - (a[k] @ f + b[k]) / a[k, k], 0))
    return lax.fori_loop(0, steps, lambda _, f: lax.fori_loop(0, j.shape[0], contact, f), jnp.zeros(j.shape[0]))


def cloth(x, v, steps=10):
    """Springs between neighbours of a grid (h, w, 3), Verlet's method."""
    def force(x):
        f = jnp.zeros_like(x).at[..., 2].add(-0.1)
        for axis in (0, 1):
            d = jnp.diff(x, axis=axis)
            pull = (1 - 1 / (jnp.linalg.norm(d, axis=-1, keepdims=True) + 1e-6)) * d * 10
            ahead, behind = [(0, 0)] * 3, [(0, 0)] * 3
            ahead[axis], behind[axis] = (0, 1), (1, 0)
            f = f + jnp.pad(pull, ahead) - jnp.pad(pull, behind)
        return f
    def step(_, s):
        x, v = s
        v = (v + 0.01 * force(x)) * 0.99
        return x + 0.01 * v, v
    return lax.fori_loop(0, steps, step, (x, v))


def boids(x, v):
    d = x[None] - x[:, None]
    r2 = (d * d).sum(-1) + jnp.eye(x.shape[0]) * 1e9
    near = (r2 < 1.0)[..., None]
    count = jnp.maximum(near.sum(1), 1)
    v = v + 0.01 * (near * d).sum(1) / count + 0.05 * (jnp.where(near, v[None], 0).sum(1) / count - v) - 0.02 * (d / r2[..., None]).sum(1)
    return x + 0.1 * v, v
