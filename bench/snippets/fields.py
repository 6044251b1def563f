"""fields.py: functions that snippets of the long tail call: equations on grids, finance, signals and images, as users
write them from textbooks. Arrays are jax.Array; a docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, random


# ---- equations and finance ---------------------------------------------------------------------------------------------

def heat_implicit(u, steps=20, r=0.4):
    n = u.shape[0]
    lower = jnp.full(n, -r).at[0].set(0.0)
    upper = jnp.full(n, -r).at[-1].set(0.0)
    return lax.fori_loop(0, steps, lambda _, u: lax.linalg.tridiagonal_solve(lower, jnp.full(n, 1 + 2 * r), upper, u[:, None])[:, 0], u)


def thomas(a, b, c, d):
    """A tridiagonal system by two scans: all (n, batch)."""
    def forward(s, row):
        a, b, c, d = row
        w = b - a * s[0]
        new = (c / w, (d - a * s[1]) / w)
        return new, new
    zero = jnp.zeros_like(b[0])
    _, (cp, dp) = lax.scan(forward, (zero, zero), (a, b, c, d))
    return lax.scan(lambda x, row: ((lambda y: (y, y))(row[1] - row[0] * x)), zero, (cp, dp), reverse=True)[1]


def godunov(q, steps=20):
    """Shallow water by Rusanov fluxes: q (2, n) of depth and momentum."""
    def flux(q):
        return jnp.stack([q[1], q[1] ** 2 / q[0] + 4.9 * q[0] ** 2])
    def step(_, q):
        left, right = q, jnp.roll(q, -1, 1)
        speed = jnp.maximum(*(abs(s[1] / s[0]) + jnp.sqrt(9.81 * s[0]) for s in (left, right)))
        f = 0.5 * (flux(left) + flux(right)) - 0.5 * speed * (right - left)
        return q - 0.01 * (f - jnp.roll(f, 1, 1))
    return lax.fori_loop(0, steps, step, q)


def weno5(u):
    a, b, c, d, e = (jnp.roll(u, k, -1) for k in (2, 1, 0, -1, -2))
    parts = (2 * a - 7 * b + 11 * c) / 6, (-b + 5 * c + 2 * d) / 6, (2 * c + 5 * d - e) / 6
    smooth = (13 / 12 * (a - 2 * b + c) ** 2 + (a - 4 * b + 3 * c) ** 2 / 4, 13 / 12 * (b - 2 * c + d) ** 2 + (b - d) ** 2 / 4,
              13 / 12 * (c - 2 * d + e) ** 2 + (3 * c - 4 * d + e) ** 2 / 4)
    weight = [w / (1e-6 + s) ** 2 for w, s in zip((0.1, 0.6, 0.3), smooth)]
    f = sum(w * p for w, p in zip(weight, parts)) / sum(weight)
    return u - 0.1 * (f - jnp.roll(f, 1, -1))


def multigrid(u, f, levels=4):
    """A V-cycle for Poisson's equation in one dimension with periodic ends."""
    def smooth(u, f, h):
        for _ in range(2):
            u = u + 0.4 * (0.5 * (jnp.roll(u, 1) + jnp.roll(u, -1) - h * h * f) - u)
        return u
    def cycle(u, f, h, level):
        u = smooth(u, f, h)
        if level:
            rest = f - (jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1)) / h**2
            coarse = cycle(jnp.zeros(u.shape[0] // 2), rest.reshape(-1, 2).mean(1), 2 * h, level - 1)
            u = u + jnp.repeat(coarse, 2)
        return smooth(u, f, h)
    return cycle(u, f, 1.0 / u.shape[0], levels)


def schroedinger(psi, v, steps=20):
    """Split steps: psi (n,) complex64, v (n,)."""
    k = 2 * jnp.pi * jnp.fft.fftfreq(psi.shape[0])
    half, full = jnp.exp(-0.05j * v), jnp.exp(-0.05j * k**2)
    return lax.fori_loop(0, steps, lambda _, p: half * jnp.fft.ifft(full * jnp.fft.fft(half * p)), psi)


def particle_mesh(x, cells=64):
    """Cloud in cell: particles (n, 2) in [0, 1) to a density, its potential and forces."""
    place = x * cells
    low = jnp.floor(place).astype("int32")
    part = place - low
    rho = jnp.zeros((cells, cells))
    for dx in (0, 1):
        for dy in (0, 1):
            w = (part[:, 0] if dx else 1 - part[:, 0]) * (part[:, 1] if dy else 1 - part[:, 1])
            rho = rho.at[(low[:, 0] + dx) % cells, (low[:, 1] + dy) % cells].add(w)
    k = jnp.fft.fftfreq(cells)
    square = k[:, None] ** 2 + k**2
    phi = jnp.real(jnp.fft.ifft2(jnp.fft.fft2(rho) * jnp.where(square > 0, -1 / jnp.where(square > 0, square, 1), 0)))
    return jnp.stack(jnp.gradient(phi))[:, low[:, 0], low[:, 1]]


def heston(key, paths=2000, steps=50):
    def step(s, k):
        price, v = s
        a, b = random.normal(k, (2, paths))
        v_next = jnp.maximum(v + 0.04 * (0.04 - v) + 0.05 * jnp.sqrt(v) * (0.7 * a + 0.71 * b), 0)
        return (price * jnp.exp(-0.5 * v * 0.02 + jnp.sqrt(v * 0.02) * a), v_next), None
    price, _ = lax.scan(step, (jnp.full(paths, 100.0), jnp.full(paths, 0.04)), random.split(key, steps))[0]
    return jnp.maximum(price - 100, 0).mean()


def longstaff_schwartz(paths):
    """An American put by regression: paths (steps, n)."""
    def back(cash, s):
        basis = jnp.stack([jnp.ones_like(s), s, s * s], 1)
        weight = (s < 1).astype(s.dtype)
        coefficients = jnp.linalg.solve(basis.T @ (weight[:, None] * basis) + 1e-3 * jnp.eye(3), basis.T @ (weight * cash))
        return jnp.where((1 - s > basis @ coefficients) & (s < 1), 1 - s, cash * 0.99), None
    return lax.scan(back, jnp.maximum(1 - paths[-1], 0), paths[:-1], reverse=True)[0].mean()


# ---- signals and images -------------------------------------------------------------------------------------------------

def goertzel(x, bins):
    c = 2 * jnp.cos(2 * jnp.pi * bins / x.shape[0])
    s1, s2 = lax.scan(lambda s, v: ((v + c * s[0] - s[1], s[0]), None), (jnp.zeros_like(c), jnp.zeros_like(c)), x)[0]
    return s1**2 + s2**2 - c * s1 * s2


def levinson(r):
    """Linear prediction: autocorrelation r (order + 1,)."""
    n = r.shape[0]
    def step(k, s):
        a, e = s
        reflection = -(a * jnp.where(jnp.arange(n) <= k, r[(k + 1 - jnp.arange(n)) % n], 0)).sum() / e
        return a + reflection * jnp.where(jnp.arange(n) <= k + 1, a[(k + 1 - jnp.arange(n)) % n], 0), e * (1 - reflection**2)
    return lax.fori_loop(0, n - 1, step, (jnp.zeros(n).at[0].set(1.0), r[0]))


def griffin_lim(magnitude, steps=3, size=256, hop=64):
    """magnitude (129, frames)."""
    frames = magnitude.shape[1]
    window = jnp.hanning(size)
    at = jnp.arange(frames)[:, None] * hop + jnp.arange(size)
    def inverse(s):
        parts = jnp.fft.irfft(s.T) * window
        return jnp.zeros(frames * hop + size).at[at].add(parts)
    def step(_, s):
        t = jnp.fft.rfft(inverse(s)[at] * window).T
        return magnitude * t / jnp.maximum(abs(t), 1e-6)
    return inverse(lax.fori_loop(0, steps, step, magnitude.astype("complex64")))


def haar(x, levels=5):
    out = []
    for _ in range(levels):
        out.append((x[..., ::2] - x[..., 1::2]) / 2**0.5)
        x = (x[..., ::2] + x[..., 1::2]) / 2**0.5
    return jnp.concatenate([x, *out[::-1]], -1)


def walsh(x):
    """The Walsh-Hadamard transform of the last dimension, a power of two."""
    n, h = x.shape[-1], 1
    while h < n:
        y = x.reshape(*x.shape[:-1], n // (2 * h), 2, h)
        x = jnp.stack([y[..., 0, :] + y[..., 1, :], y[..., 0, :] - y[..., 1, :]], -2).reshape(x.shape)
        h *= 2
    return x


def cosine_blocks(image):
    """JPEG's transform and quantization of blocks of 8 x 8: image (h, w)."""
    h, w = image.shape
    blocks = image.reshape(h // 8, 8, w // 8, 8).transpose(0, 2, 1, 3)
    k = jnp.arange(8)
    basis = jnp.cos(jnp.pi * (2 * k[:, None] + 1) * k / 16)
    table = 1.0 + k[:, None] + k
    return jnp.round(jnp.einsum("xu,abxy,yv->abuv", basis, blocks, basis) / table) * table


def sobel_edges(image):
    k = jnp.array([[1, 0, -1], [2, 0, -2], [1, 0, -1.0]])
    gx, gy = (jax.scipy.signal.convolve2d(image, f, mode="same") for f in (k, k.T))
    strength = jnp.hypot(gx, gy)
    angle = jnp.round(jnp.arctan2(gy, gx) * 4 / jnp.pi).astype("int32") % 4
    neighbours = jnp.stack([jnp.maximum(jnp.roll(strength, s, (0, 1)), jnp.roll(strength, (-s[0], -s[1]), (0, 1)))
                            for s in ((0, 1), (1, 1), (1, 0), (1, -1))])
    return jnp.where(strength >= jnp.take_along_axis(neighbours, angle[None], 0)[0], strength, 0)


def bilateral(image, radius=2):
    total, weight = 0.0, 0.0
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            other = jnp.roll(image, (dy, dx), (0, 1))
            w = jnp.exp(-(dy * dy + dx * dx) / 4.5 - (image - other) ** 2 / 0.02)
            total, weight = total + w * other, weight + w
    return total / weight


def otsu(image, bins=256):
    counts = jnp.histogram(image, bins)[0].astype("float32")
    p = counts / counts.sum()
    w, m = jnp.cumsum(p), jnp.cumsum(p * jnp.arange(bins))
    return jnp.argmax((m[-1] * w - m) ** 2 / (w * (1 - w) + 1e-12))


def equalize(image):
    """Values 0 to 255 by their cumulative histogram: image uint8."""
    counts = jnp.bincount(image.reshape(-1), length=256)
    return (jnp.cumsum(counts) * 255 // image.size).astype("uint8")[image]


def warp_affine(image, matrix):
    h, w = image.shape
    y, x = jnp.meshgrid(jnp.arange(h), jnp.arange(w), indexing="ij")
    at = jnp.tensordot(matrix[:, :2], jnp.stack([y, x]).astype("float32"), 1) + matrix[:, 2, None, None]
    return jax.scipy.ndimage.map_coordinates(image, at, order=1, mode="nearest")


def erode(mask, steps=3):
    for _ in range(steps):
        mask = lax.reduce_window(mask, True, lax.bitwise_and, (3, 3), (1, 1), "SAME")
    return mask
