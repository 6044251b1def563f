"""methods.py: functions that snippets of the long tail call: images and sound, simulation, bodies, statistics, as users
write them by hand. Arrays are jax.Array; a docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, nn

from snippets.models import squared_distances


# ---- images and sound -------------------------------------------------------------------------------------------------

def batch_norm(x, scale, offset):
    mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
    return (x - mean) * lax.rsqrt(var + 1e-5) * scale + offset, mean, var


def group_norm(x, groups):
    """x: (batch, height, width, channels)."""
    b, h, w, c = x.shape
    return layer_norm(x.reshape(b, h, w, groups, c // groups), (1, 2, 4)).reshape(x.shape)


def patches(x, p):
    b, h, w, c = x.shape
    return x.reshape(b, h // p, p, w // p, p, c).transpose(0, 1, 3, 2, 4, 5).reshape(b, -1, p * p * c)


def pixel_shuffle(x, r):
    b, h, w, c = x.shape
    return x.reshape(b, h, w, r, r, c // r**2).transpose(0, 1, 3, 2, 4, 5).reshape(b, h * r, w * r, -1)


def grid_sample(x, grid):
    """Bilinear: x (height, width, channels), grid (..., 2) in pixels."""
    low = jnp.floor(grid).astype("int32")
    part = grid - low
    total = 0.0
    for dy in (0, 1):
        for dx in (0, 1):
            y, z = (jnp.clip(low[..., k] + d, 0, x.shape[k] - 1) for k, d in ((0, dy), (1, dx)))
            weight = jnp.where(dy, part[..., 0], 1 - part[..., 0]) * jnp.where(dx, part[..., 1], 1 - part[..., 1])
            total = total + x[y, z] * weight[..., None]
    return total


def hsv(rgb):
    high, low = rgb.max(-1), rgb.min(-1)
    r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    d = jnp.where(high == low, 1.0, high - low)
    h = jnp.where(high == r, (g - b) / d % 6, jnp.where(high == g, (b - r) / d + 2, (r - g) / d + 4)) / 6
    return jnp.stack([h, jnp.where(high == 0, 0.0, (high - low) / high), high], -1)


def blur(x, size=9, sigma=2.0):
    """Separable Gaussian of an image (height, width, channels)."""
    k = jnp.exp(-0.5 * ((jnp.arange(size) - size // 2) / sigma) ** 2)
    for axis in (0, 1):
        x = jnp.apply_along_axis(lambda v: jnp.convolve(v, k / k.sum(), mode="same"), axis, x)
    return x


def frames(x, size, hop):
    return x[jnp.arange(0, x.shape[0] - size + 1, hop)[:, None] + jnp.arange(size)]


def mel_spectrogram(x, bank, size=400, hop=160):
    window = 0.5 - 0.5 * jnp.cos(2 * jnp.pi * jnp.arange(size) / size)
    power = jnp.abs(jnp.fft.rfft(frames(x, size, hop) * window, 512)) ** 2
    return jnp.log10(jnp.maximum(power @ bank, 1e-10))


def overlap_add(parts, hop):
    count, size = parts.shape
    index = jnp.arange(count)[:, None] * hop + jnp.arange(size)
    return jnp.zeros((count - 1) * hop + size).at[index].add(parts)


# ---- simulation -------------------------------------------------------------------------------------------------------

def runge_kutta(f, y, h, steps):
    def step(_, y):
        a = f(y)
        b = f(y + h / 2 * a)
        c = f(y + h / 2 * b)
        return y + h / 6 * (a + 2 * b + 2 * c + f(y + h * c))
    return lax.fori_loop(0, steps, step, y)


def lorenz(y):
    return jnp.stack([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]])


def forces(x):
    """Lennard-Jones, of all pairs: x (n, 3)."""
    d = x[:, None] - x[None]
    r2 = (d * d).sum(-1) + jnp.eye(x.shape[0]) * 1e3
    s = (1 / r2) ** 3
    return (d * (24 * (2 * s * s - s) / r2)[..., None]).sum(1)


def laplacian(u):
    return jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) - 4 * u


def gray_scott(u, v, steps):
    def step(_, s):
        u, v = s
        r = u * v * v
        return u + 0.16 * laplacian(u) - r + 0.035 * (1 - u), v + 0.08 * laplacian(v) + r - 0.095 * v
    return lax.fori_loop(0, steps, step, (u, v))


def game_of_life(cells):
    near = sum(jnp.roll(cells, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - cells
    return ((near == 3) | ((near == 2) & (cells > 0))).astype(cells.dtype)


def mandelbrot(c, steps):
    def step(_, s):
        z, count = s
        z = jnp.where(jnp.abs(z) < 4, z * z + c, z)
        return z, count + (jnp.abs(z) < 2)
    return lax.fori_loop(0, steps, step, (jnp.zeros_like(c), jnp.zeros(c.shape, "int32")))[1]


def ising(key, spins, steps):
    i, j = jnp.indices(spins.shape)
    def sweep(spins, key):
        for parity, k in enumerate(jax.random.split(key)):
            near = sum(jnp.roll(spins, s, a) for s in (-1, 1) for a in (0, 1))
            flip = jax.random.uniform(k, spins.shape) < jnp.exp(-0.8 * spins * near)
            spins = jnp.where(flip & ((i + j) % 2 == parity), -spins, spins)
        return spins, spins.mean()
    return lax.scan(sweep, spins, jax.random.split(key, steps))


def lattice_boltzmann(f):
    """A step of D2Q9: f (9, height, width)."""
    c = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
    w = jnp.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)[:, None, None]
    e = jnp.array(c, "float32")
    rho = f.sum(0)
    u = jnp.einsum("qd,qhw->dhw", e, f) / rho
    eu = jnp.einsum("qd,dhw->qhw", e, u)
    equal = w * rho * (1 + 3 * eu + 4.5 * eu**2 - 1.5 * (u * u).sum(0))
    f = f - 0.6 * (f - equal)
    return jnp.stack([jnp.roll(f[q], s, (0, 1)) for q, s in enumerate(c)])


def hamiltonian(key, q, log_p, steps, leaps=8, size=0.05):
    """Hamiltonian Monte Carlo."""
    g = jax.grad(log_p)
    def step(q, key):
        a, b = jax.random.split(key)
        p = jax.random.normal(a, q.shape)
        def leap(s, _):
            q, p = s
            p = p + size / 2 * g(q)
            q = q + size * p
            return (q, p + size / 2 * g(q)), None
        (r, t), _ = lax.scan(leap, (q, p), None, length=leaps)
        change = log_p(r) - log_p(q) - 0.5 * (t @ t - p @ p)
        q = jnp.where(jnp.log(jax.random.uniform(b)) < change, r, q)
        return q, q
    return lax.scan(step, q, jax.random.split(key, steps))[1]


def metropolis(key, q, log_p, steps):
    def step(q, key):
        a, b = jax.random.split(key)
        r = q + 0.3 * jax.random.normal(a, q.shape)
        q = jnp.where(jnp.log(jax.random.uniform(b)) < log_p(r) - log_p(q), r, q)
        return q, q
    return lax.scan(step, q, jax.random.split(key, steps))[1]


def resample(key, weights):
    """Systematic resampling of a particle filter."""
    count = weights.shape[0]
    at = (jnp.arange(count) + jax.random.uniform(key)) / count
    return jnp.searchsorted(jnp.cumsum(weights / weights.sum()), at)


def value_iteration(rewards, moves, steps):
    """Of a Markov decision process: rewards (states, actions), moves (states, actions, states)."""
    def step(_, values):
        return (rewards + 0.9 * jnp.einsum("sat,t->sa", moves, values)).max(1)
    return lax.fori_loop(0, steps, step, jnp.zeros(rewards.shape[0]))


# ---- rigid bodies -----------------------------------------------------------------------------------------------------

def rotate(q, v):
    """By unit quaternions (..., 4), scalar first."""
    s, u = q[..., :1], q[..., 1:]
    t = 2 * jnp.cross(u, v)
    return v + s * t + jnp.cross(u, t)


def quaternion_product(p, q):
    a, b = p[..., 0], q[..., 0]
    u, v = p[..., 1:], q[..., 1:]
    return jnp.concatenate([(a * b - (u * v).sum(-1))[..., None], a[..., None] * v + b[..., None] * u + jnp.cross(u, v)], -1)


def quaternion_matrix(q):
    w, x, y, z = jnp.moveaxis(q, -1, 0)
    return jnp.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1).reshape(*q.shape[:-1], 3, 3)


def skew(w):
    zero = jnp.zeros_like(w[..., 0])
    return jnp.stack([zero, -w[..., 2], w[..., 1], w[..., 2], zero, -w[..., 0], -w[..., 1], w[..., 0], zero],
                     -1).reshape(*w.shape[:-1], 3, 3)


def rodrigues(w):
    angle = jnp.sqrt((w * w).sum(-1) + 1e-12)[..., None, None]
    k = skew(w) / angle
    return jnp.eye(3) + jnp.sin(angle) * k + (1 - jnp.cos(angle)) * k @ k


def forward_kinematics(angles, offsets):
    """Positions of the joints of a chain: angles (joints,), offsets (joints, 3)."""
    def step(state, joint):
        r, p = state
        r = r @ rodrigues(jnp.array([0.0, 0.0, 1.0]) * joint[0])
        p = p + r @ joint[1]
        return (r, p), p
    return lax.scan(step, (jnp.eye(3), jnp.zeros(3)), (angles, offsets))[1]


def align(a, b):
    """The rotation of Kabsch: a, b (n, 3)."""
    u, _, vt = jnp.linalg.svd((a - a.mean(0)).T @ (b - b.mean(0)))
    return vt.T @ jnp.diag(jnp.array([1.0, 1.0, jnp.linalg.det(vt.T @ u.T)])) @ u.T


def relax_contacts(a, b, steps):
    """Projected Gauss-Seidel."""
    def sweep(_, x):
        return lax.fori_loop(0, b.shape[0], lambda i, x: x.at[i].set(jnp.maximum(x[i] - (a[i] @ x - b[i]) / a[i, i], 0)), x)
    return lax.fori_loop(0, steps, sweep, jnp.zeros_like(b))


# ---- statistics -------------------------------------------------------------------------------------------------------

def k_means(x, centers, steps=3):
    def step(_, c):
        label = squared_distances(x, c).argmin(1)
        sums = jax.ops.segment_sum(x, label, c.shape[0])
        return sums / jnp.maximum(jax.ops.segment_sum(jnp.ones(x.shape[0]), label, c.shape[0]), 1)[:, None]
    return lax.fori_loop(0, steps, step, centers)


def mixture_step(x, mean, log_scale, weight):
    """Expectation and maximization of a mixture of diagonal normal distributions."""
    z = (x[:, None] - mean) * jnp.exp(-log_scale)
    r = nn.softmax(jnp.log(weight) - 0.5 * (z * z).sum(-1) - log_scale.sum(-1))
    total = r.sum(0)
    mean = r.T @ x / total[:, None]
    return mean, 0.5 * jnp.log(jnp.einsum("nk,nkd->kd", r, (x[:, None] - mean) ** 2) / total[:, None]), total / x.shape[0]


def gaussian_process(x, y, at):
    k = lambda a, b: jnp.exp(-0.5 * squared_distances(a, b))
    factor = jax.scipy.linalg.cho_factor(k(x, x) + 0.1 * jnp.eye(x.shape[0]), lower=True)
    cross = k(at, x)
    return cross @ jax.scipy.linalg.cho_solve(factor, y), 1 - (cross * jax.scipy.linalg.cho_solve(factor, cross.T).T).sum(1)


def black_scholes(s, k, t, v, r=0.02):
    a = (jnp.log(s / k) + (r + v * v / 2) * t) / (v * jnp.sqrt(t))
    cdf = jax.scipy.stats.norm.cdf
    return s * cdf(a) - k * jnp.exp(-r * t) * cdf(a - v * jnp.sqrt(t))


def binomial_option(s, steps=64):
    prices = jnp.maximum(s * jnp.exp(0.02 * (2 * jnp.arange(steps + 1) - steps)) - 100, 0)
    def step(v, _):
        return jnp.concatenate([0.99 * (0.52 * v[1:] + 0.48 * v[:-1]), v[-1:]]), None
    return lax.scan(step, prices, None, length=steps)[0][0]


def coupling(x, w1, w2):
    """A layer of RealNVP and its log-determinant."""
    a, b = jnp.split(x, 2, -1)
    s, t = jnp.split(jnp.tanh(a @ w1) @ w2, 2, -1)
    return jnp.concatenate([b * jnp.exp(jnp.tanh(s)) + t, a], -1), jnp.tanh(s).sum(-1)


def trees(x, feature, threshold, leaf, depth):
    """Decision trees in heap order: feature, threshold (trees, 2**depth - 1), leaf (trees, 2**depth)."""
    def one(feature, threshold, leaf):
        node = jnp.zeros(x.shape[0], "int32")
        for _ in range(depth):
            node = 2 * node + 1 + (jnp.take_along_axis(x, feature[node][:, None], 1)[:, 0] > threshold[node])
        return leaf[node - (2**depth - 1)]
    return jax.vmap(one)(feature, threshold, leaf).sum(0)
