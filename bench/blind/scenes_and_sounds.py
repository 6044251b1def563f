"""fresh_4.py: rendering, shapes and meshes, maps of the earth, photographs, sound and transforms."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    # rendering and geometry
    "lambda p, r: jnp.minimum(jnp.linalg.norm(p, axis=-1) - r, jnp.linalg.norm(jnp.maximum(jnp.abs(p) - .4, 0), axis=-1) - .1) @@ n(120, 90, 3), .7",
    "lambda n_, l: jnp.clip(n_ @ l, 0, 1) + jnp.clip((2 * (n_ @ l)[..., None] * n_ - l)[..., 2], 0, 1) ** 20 @@ n(201, 133, 3, scale=.5), n(3, scale=.5)",
    "lambda c: jnp.where(c <= .0031308, 12.92 * c, 1.055 * jnp.maximum(c, .0031308) ** (1 / 2.4) - .055) @@ abs(n(256, 333, 3))",
    "lambda c: (c * (2.51 * c + .03)) / (c * (2.43 * c + .59) + .14) @@ abs(n(480, 270, 3, dtype='float16'))",
    "lambda x, y: jnp.mod(jnp.sin(x * 12.9898 + y * 78.233) * 43758.547, 1.) @@ n(300, 1), n(1, 400)",
    "lambda o, d: (lambda b, c: jnp.where(b * b > c, -b - jnp.sqrt(jnp.maximum(b * b - c, 0)), jnp.inf).min(1))"
    "((d @ o.T), (o * o).sum(1) - .2) @@ n(40, 3), n(5003, 3)",
    "lambda p, q: jnp.einsum('nij,nj->ni', (lambda w, x, y, z: jnp.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),"
    " 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)"
    ".reshape(-1, 3, 3))(*q.T), p) @@ n(777, 3), n(777, 4, scale=.5)",
    "lambda v, m: (lambda h: h[:, :3] / (jnp.abs(h[:, 3:]) + .1))(jnp.c_[v, jnp.ones(len(v))] @ m.T) @@ n(35947, 3), n(4, 4)",
    "lambda v, f: jnp.abs(jnp.einsum('ni,ni->n', v[f[:, 0]], jnp.cross(v[f[:, 1]], v[f[:, 2]])).sum()) / 6 @@ n(1000, 3), i(1000, 1996, 3)",
    "grad(lambda v, f: jnp.linalg.norm(jnp.cross(v[f[:, 1]] - v[f[:, 0]], v[f[:, 2]] - v[f[:, 0]]), axis=1), (0,)) @@ n(642, 3), (i(640, 1280, 1) + jnp.arange(3))",
    "lambda a, b: jnp.sqrt(jnp.maximum((a * a).sum(1)[:, None] + (b * b).sum(1) - 2 * a @ b.T, 0)).min(1).max() @@ n(900, 3), n(1100, 3)",
    "f64: lambda p, q: 6371 * jnp.arccos(jnp.clip(jnp.sin(p[:, :1]) * jnp.sin(q[:, 0]) + jnp.cos(p[:, :1]) * jnp.cos(q[:, 0])"
    " * jnp.cos(p[:, 1:] - q[:, 1]), -1, 1)) @@ n(97, 2, dtype='float64'), n(203, 2, dtype='float64')",
    # pictures
    "lambda x, p: js.ndimage.map_coordinates(x, p, order=1, mode='nearest') @@ n(120, 130), abs(n(2, 90, 80)) * 40",
    "lambda x: jnp.tensordot(x.astype('float32'), jnp.array([.299, .587, .114]), 1).astype('uint8') @@ i(256, 4, 240, 321, 3).astype('uint8')",
    "lambda x: (x[:, ::2, ::2].astype('uint16') + x[:, 1::2, ::2] + x[:, ::2, 1::2] + x[:, 1::2, 1::2] + 2 >> 2).astype('uint8') @@ i(256, 3, 480, 640).astype('uint8')",
    "lambda x: jnp.stack([jnp.histogram(x[..., c], 64, (0, 256))[0] for c in range(3)]) @@ i(256, 200, 180, 3)",
    "lambda x: lax.reduce_window(x, 0, lax.max, (5, 5), (1, 1), 'SAME') - lax.reduce_window(x, 255, lax.min, (5, 5), (1, 1), 'SAME') @@ i(256, 300, 411)",
    "lambda x: jnp.hypot(lax.conv(x, jnp.array([[[[1., 0, -1], [2, 0, -2], [1, 0, -1]]]]), (1, 1), 'SAME'),"
    " lax.conv(x, jnp.array([[[[1., 2, 1], [0, 0, 0], [-1, -2, -1]]]]), (1, 1), 'SAME')) @@ n(4, 1, 127, 211)",
    "lambda x: jnp.rot90(x, 1, (1, 2))[:, :, ::-1].mean((0, 3)) @@ n(6, 150, 170, 3)",
    # sound
    "lambda f, a: (a[:, None] * jnp.sin(2 * jnp.pi * f[:, None] * jnp.arange(16000) / 16000)).sum(0) @@ abs(n(12)) * 900, abs(n(12))",
    "lambda x: jnp.cumsum(x) % 1. * 2 - 1 @@ abs(n(44100)) * .01",
    "lambda x: jnp.abs(fft.rfft(x.reshape(-1, 735) * jnp.hanning(735))).astype('float16') @@ n(44100)",
    "lambda x, h: fft.irfft(fft.rfft(x, 12000) * fft.rfft(h, 12000))[:9999] @@ n(9000), n(1000)",
    "lambda x: js.signal.stft(x, nperseg=300)[2] @@ n(2, 7000)",
    "lambda x: js.fft.dct(x.reshape(-1, 80), norm='ortho')[:, :13] @@ n(16000)",
    "lambda x: jnp.sign(x) * jnp.log1p(255 * jnp.abs(x)) / 5.545 * 127 @@ n(2, 22051, scale=.2)",
    "lambda x: fft.ifft(jnp.where(jnp.arange(4001) < 2001, 2, 0) * fft.fft(x)) @@ n(4001)",
    "grad(lambda x: jnp.log(jnp.abs(fft.rfft(x)) + .1)) @@ n(3, 2187)",
]


# ---- rendering -----------------------------------------------------------------------------------------------------------

def city(p):
    """Distance to a plane with rounded towers, repeated."""
    q = jnp.stack([jnp.mod(p[0] + 1, 2) - 1, p[1], jnp.mod(p[2] + 1, 2) - 1])
    height = 0.5 + 0.3 * jnp.sin(jnp.floor((p[0] + 1) / 2) * 1.7 + jnp.floor((p[2] + 1) / 2))
    box = jnp.abs(q) - jnp.stack([0.4, height, 0.4])
    tower = jnp.sqrt((jnp.maximum(box, 0) ** 2).sum() + 1e-8) + jnp.minimum(box.max(), 0) - 0.05
    return jnp.minimum(tower, p[1] + 0.5)


@row("n(3), n(35, 50, 2, scale=.01)")
@row("n(3), n(9, 11, 2, scale=.01)")
def towers_marched_with_fog_and_normals(eye, jitter):
    h, w, _ = jitter.shape
    at = jnp.stack(jnp.meshgrid(jnp.linspace(1, -1, h), jnp.linspace(-1, 1, w), indexing="ij"), -1) + jitter
    ray = jnp.concatenate([at[..., 1:], at[..., :1], jnp.ones((h, w, 1))], -1)
    ray = ray / jnp.linalg.norm(ray, axis=-1, keepdims=True)
    eye = eye * 0.1 + jnp.array([0, 1.5, -3.0])
    def pixel(d):
        cond = lambda s: (s[1] > 1e-3) & (s[0] < 20) & (s[2] < 64)
        t, _, k = lax.while_loop(cond, lambda s: (s[0] + s[1], city(eye + (s[0] + s[1]) * d), s[2] + 1), (0.0, city(eye), 0))
        normal = jax.grad(city)(eye + t * d)
        light = nn.relu(normal @ jnp.array([0.6, 0.6, -0.5]))
        return jnp.exp(-0.1 * t) * (0.2 + 0.8 * light), k
    return jax.vmap(jax.vmap(pixel))(ray)


@row("n(2), n(70, 90)")
def mandelbulb_distances_by_derivative(turn, z):
    x, y = jnp.meshgrid(jnp.linspace(-1.2, 1.2, 90), jnp.linspace(-1.2, 1.2, 70))
    c = jnp.stack([x * jnp.cos(turn[0]), y, 0.3 * z + x * jnp.sin(turn[0])])
    def step(_, s):
        v, dr = s
        r = jnp.sqrt((v * v).sum(0)) + 1e-6
        theta, phi = 8 * jnp.arccos(v[2] / r), 8 * jnp.arctan2(v[1], v[0])
        new = r**8 * jnp.stack([jnp.sin(theta) * jnp.cos(phi), jnp.sin(theta) * jnp.sin(phi), jnp.cos(theta)]) + c
        out = r > 2
        return jnp.where(out, v, new), jnp.where(out, dr, 8 * r**7 * dr + 1)
    v, dr = lax.fori_loop(0, 6, step, (c, jnp.ones_like(x)))
    r = jnp.sqrt((v * v).sum(0)) + 1e-6
    return 0.5 * jnp.log(r) * r / dr


@row("n(150, 2) * 20 + 32, n(150, 3, scale=.2), n(150, 3), n(150), n(48, 64, 3)")
@row("n(150, 2) * 20 + 32, n(150, 3, scale=.2), n(150, 3), n(150), n(48, 64, 3)", "lambda *a: jax.grad(lambda *a: ((({0}(*a) - a[-1]) ** 2).mean()), (0, 1, 2, 3))(*a)")
def blurred_ellipses_over_each_other(mean, shape, color, opacity, target):
    l = jnp.exp(jnp.stack([shape[:, 0], shape[:, 1]], 1)) * 0.2
    y, x = jnp.mgrid[:48, :64]
    dx, dy = x - mean[:, 0, None, None], y - mean[:, 1, None, None]
    u, v = l[:, 0, None, None] * dx, l[:, 1, None, None] * dy + shape[:, 2, None, None] * dx
    a = nn.sigmoid(opacity)[:, None, None] * jnp.exp(-0.5 * (u * u + v * v))
    through = jnp.cumprod(jnp.concatenate([jnp.ones((1, 48, 64)), 1 - a[:-1]]), 0)
    return jnp.einsum("nhw,nc->hwc", a * through, nn.sigmoid(color))


@row("n(400, 48, 3, scale=.2), n(400, 3), n(63, 64, scale=.1), n(64, 64, scale=.1), n(64, 4, scale=.1)")
@row("n(400, 48, 3, scale=.2), n(400, 3), n(63, 64, scale=.1), n(64, 64, scale=.1), n(64, 4, scale=.1)", "grad({0}, (2, 3, 4))")
def colors_along_rays_from_small_field(x, d, w1, w2, w3):
    f = jnp.exp2(jnp.arange(10))[:, None] * x[..., None, :]
    code = jnp.concatenate([x, jnp.sin(f).reshape(400, 48, 30), jnp.cos(f).reshape(400, 48, 30)], -1)
    y = nn.relu(nn.relu(code @ w1) @ w2) @ w3
    sigma, rgb = nn.softplus(y[..., 0]), nn.sigmoid(y[..., 1:] + d[:, None])
    t = jnp.cumsum(sigma, 1) * 0.05
    w = jnp.exp(-(t - sigma * 0.05)) - jnp.exp(-t)
    return jnp.concatenate([(w[..., None] * rgb).sum(1), w.sum(1, keepdims=True)], 1)


@row("key, n(30, 40, 3), n(7, 3), abs(n(7)) * .3 + .2, abs(n(7, 3))")
def paths_bounced_three_times_with_roulette(key, d, center, radius, albedo):
    d = d.reshape(-1, 3)
    d = d / jnp.linalg.norm(d, axis=1, keepdims=True)
    def bounce(s, key):
        o, d, weight, light = s
        oc = o[:, None] - center * 2
        b = jnp.einsum("nkd,nd->nk", oc, d)
        disc = b * b - (oc * oc).sum(-1) + radius**2
        t = jnp.where((disc > 0) & (-b - jnp.sqrt(jnp.abs(disc)) > 1e-3), -b - jnp.sqrt(jnp.abs(disc)), jnp.inf)
        k, near = t.argmin(1), t.min(1)
        hit = jnp.isfinite(near)
        light = light + jnp.where(hit, 0, 1)[:, None] * weight * (0.5 + 0.5 * d[:, 1:2])
        o = jnp.where(hit[:, None], o + jnp.where(hit, near, 0)[:, None] * d, o)
        normal = (o - 2 * center[k]) / radius[k][:, None]
        new = normal + random.ball(key, 3, shape=(1200,))
        d = jnp.where(hit[:, None], new / (jnp.linalg.norm(new, axis=1, keepdims=True) + 1e-3), d)
        return (o, d, jnp.where(hit[:, None], weight * nn.sigmoid(albedo[k]), 0), light), hit.mean()
    (_, _, _, light), share = lax.scan(bounce, (jnp.zeros_like(d), d, jnp.ones_like(d), jnp.zeros_like(d)), random.split(key, 3))
    return light.reshape(30, 40, 3), share


@row("n(3)")
def terrain_lit_with_horizon_shadows(sun):
    y, x = jnp.mgrid[:96, :96] / 96
    h = sum(jnp.sin(2**k * (3 * x + k) + jnp.cos(2**k * 4 * y)) / 2**k for k in range(6))
    gy, gx = jnp.gradient(h)
    lit = (1 - sun[0] * gx - sun[1] * gy) / jnp.sqrt(1 + gx**2 + gy**2)
    slope = 0.02 + 0.01 * jnp.abs(sun[2])
    horizon = lax.cummax(h + slope * jnp.arange(96), axis=1, reverse=True) - slope * jnp.arange(96)
    return jnp.where(horizon > h + 1e-3, 0.3, 1.0) * lit


@row("i(8, 60, 60), n(8, 3)")
def palette_scaled_by_two_along_edges(x, palette):
    """Each pixel becomes four; corners follow equal neighbours."""
    p = jnp.pad(x, 1, mode="edge")
    up, left, right, down = p[:-2, 1:-1], p[1:-1, :-2], p[1:-1, 2:], p[2:, 1:-1]
    ok = (up != down) & (left != right)
    corner = lambda a, b: jnp.where(ok & (a == b), b, x)
    big = jnp.stack([jnp.stack([corner(left, up), corner(up, right)], -1), jnp.stack([corner(left, down), corner(down, right)], -1)], 1)
    return palette[big.reshape(120, 120)]


# ---- shapes ----------------------------------------------------------------------------------------------------------------

@row("n(20, 30, 3)")
@row("n(3, 50, 41, 3)", "vmap({0})")
def height_of_cloth_with_fundamental_forms(x):
    """First and second forms of a parametrized patch, Gaussian and mean curvature."""
    u, v = jnp.gradient(x, axis=0), jnp.gradient(x, axis=1)
    uu, uv, vv = jnp.gradient(u, axis=0), jnp.gradient(u, axis=1), jnp.gradient(v, axis=1)
    normal = jnp.cross(u, v)
    normal = normal / (jnp.linalg.norm(normal, axis=-1, keepdims=True) + 1e-6)
    dot = lambda a, b: (a * b).sum(-1)
    e, f, g = dot(u, u), dot(u, v), dot(v, v)
    l, m, n = dot(uu, normal), dot(uv, normal), dot(vv, normal)
    det = e * g - f * f + 1e-3
    return (l * n - m * m) / det, (e * n - 2 * f * m + g * l) / (2 * det)


@row("n(500, 3), i(500, 900, 3), n(500)")
def heat_kernel_of_mesh_then_directions(v, f, u):
    """Cotangent flow by thirty Jacobi steps, then unit gradients in the faces and their divergence."""
    a, b, c = v[f[:, 0]], v[f[:, 1]], v[f[:, 2]]
    n = jnp.cross(b - a, c - a)
    area = jnp.linalg.norm(n, axis=1, keepdims=True) + 0.1
    n = n / area
    def gradient(u):
        return (u[f[:, 0], None] * jnp.cross(n, c - b) + u[f[:, 1], None] * jnp.cross(n, a - c) + u[f[:, 2], None] * jnp.cross(n, b - a)) / area
    def divergence(g):
        part = lambda e: (jnp.cross(n, e) * g).sum(1)
        out = jnp.zeros(500).at[f[:, 0]].add(part(c - b)).at[f[:, 1]].add(part(a - c))
        return out.at[f[:, 2]].add(part(b - a))
    u = lax.fori_loop(0, 30, lambda _, u: u - 1e-3 * divergence(gradient(u)), u)
    g = gradient(u)
    return divergence(-g / (jnp.linalg.norm(g, axis=1, keepdims=True) + 1e-6))


@row("n(40, 2), n(40, 2)")
@row("n(200, 2), n(200, 2)")
def segments_cross_each_other(p, q):
    turn = lambda a, b, c: (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])
    p1, q1 = p[:, None], q[:, None]
    cross = (turn(p1, q1, p) * turn(p1, q1, q) < 0) & (turn(p, q, p1) * turn(p, q, q1) < 0)
    d, e = q1 - p1, q - p
    t = ((p - p1)[..., 0] * e[..., 1] - (p - p1)[..., 1] * e[..., 0]) / (d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0] + 1e-9)
    return cross.sum(1), jnp.where(cross[..., None], p1 + t[..., None] * d, 0).sum(1)


@row("n(60, 2), n(1000, 2)")
@row("n(60, 2), n(1000, 2)", "jax.value_and_grad(lambda p, x: (jnp.abs({0}(p, x)) * 1e-3).sum())")
def signed_distance_to_closed_outline(p, x):
    angle = jnp.linspace(0, 2 * jnp.pi, 61)[:-1]
    p = jnp.stack([jnp.cos(angle), jnp.sin(angle)], 1) * (1 + 0.1 * p[:, :1])
    q = jnp.roll(p, -1, 0)
    e, w = q - p, x[:, None] - p
    t = jnp.clip((w * e).sum(-1) / (e * e).sum(-1), 0, 1)
    d = jnp.sqrt(((w - t[..., None] * e) ** 2).sum(-1).min(1) + 1e-9)
    inside = ((p[:, 1] > x[:, 1:]) != (q[:, 1] > x[:, 1:])) & (x[:, :1] < e[:, 0] * w[..., 1] / (e[:, 1] + 1e-9) + p[:, 0])
    return jnp.where(inside.sum(1) % 2 == 1, -d, d)


@row("n(17, 17, 17)")
@row("n(9, 21, 30)")
def cells_crossed_by_surface_with_vertices(f):
    """One vertex a cell: the mean of the crossings of its twelve edges."""
    total, count = jnp.zeros((*(s - 1 for s in f.shape), 3)), jnp.zeros([s - 1 for s in f.shape])
    cut = lambda g, o: g[tuple(slice(k, k + s - 1) for k, s in zip(o, f.shape))]
    for axis in range(3):
        for b in range(2):
            for c in range(2):
                low = [b, c]
                low.insert(axis, 0)
                high = list(low)
                high[axis] = 1
                u, v = cut(f, low), cut(f, high)
                hit = (u > 0) != (v > 0)
                t = jnp.where(hit, u / jnp.where(hit, u - v, 1), 0)
                total = total + jnp.where(hit[..., None], jnp.array(low, f.dtype) + t[..., None] * (jnp.arange(3) == axis), 0)
                count = count + hit
    return total / jnp.maximum(count, 1)[..., None], count > 0


@row("n(300, 3), n(300, 3, scale=.1), n(3)")
def scan_matched_with_trimmed_pairs(p, noise, w):
    a, b, c = 0.1 * w
    turn = jnp.array([[1, -c, b], [c, 1, -a], [-b, a, 1]])
    q = p @ turn.T + 0.05 * noise
    def step(x, _):
        d = ((x[:, None] - q) ** 2).sum(-1)
        j, e = d.argmin(1), d.min(1)
        keep = (e <= jnp.quantile(e, 0.8))[:, None]
        mx, mq = (keep * x).sum(0) / keep.sum(), (keep * q[j]).sum(0) / keep.sum()
        u, s, vt = jnp.linalg.svd((keep * (x - mx)).T @ (q[j] - mq))
        r = (u * jnp.array([1, 1, jnp.sign(jnp.linalg.det(u @ vt))])) @ vt
        return (x - mx) @ r + mq, (e * keep[:, 0]).sum()
    return lax.scan(step, p, length=6)


# ---- maps --------------------------------------------------------------------------------------------------------------------

@row("n(4000), n(4000)[::-1]")
@row("n(333, dtype='float64'), n(333, dtype='float64')[::-1]", double=True)
def places_to_transverse_mercator_series(lat, lon):
    e2 = 0.00669438
    n2 = e2 / (1 - e2) * jnp.cos(lat) ** 2
    nu = 6378137 / jnp.sqrt(1 - e2 * jnp.sin(lat) ** 2)
    t, a = jnp.tan(lat) ** 2, lon * jnp.cos(lat) * 0.05
    m = 6378137 * ((1 - e2 / 4 - 3 * e2**2 / 64) * lat - (3 * e2 / 8 + 3 * e2**2 / 32) * jnp.sin(2 * lat) + 15 * e2**2 / 256 * jnp.sin(4 * lat))
    east = 0.9996 * nu * (a + (1 - t + n2) * a**3 / 6 + (5 - 18 * t + t * t + 72 * n2) * a**5 / 120)
    north = 0.9996 * (m + nu * jnp.tan(lat) * (a * a / 2 + (5 - t + 9 * n2 + 4 * n2**2) * a**4 / 24))
    return east + 500000, north


@row("n(120, 150)")
@row("n(801, 603)")
def slope_aspect_and_hillshade(z):
    p = jnp.pad(z, 1, mode="edge")
    east, west, south, north = p[1:-1, 2:], p[1:-1, :-2], p[2:, 1:-1], p[:-2, 1:-1]
    gx = (p[:-2, 2:] + 2 * east + p[2:, 2:] - p[:-2, :-2] - 2 * west - p[2:, :-2]) / 8
    gy = (p[2:, :-2] + 2 * south + p[2:, 2:] - p[:-2, :-2] - 2 * north - p[:-2, 2:]) / 8
    slope, aspect = jnp.arctan(jnp.hypot(gx, gy)), jnp.arctan2(gy, -gx)
    return jnp.clip(255 * (0.7 * jnp.cos(slope) + 0.7 * jnp.sin(slope) * jnp.cos(2.3 - aspect)), 0, 255).astype(jnp.uint8), slope


@row("n(60, 75)")
def water_gathers_downhill(z):
    """Each cell gives to its lowest neighbour; sums flow along for forty rounds."""
    z = z + jnp.linspace(0, 8, 75)
    p = jnp.pad(z, 1, constant_values=1e3)
    around = jnp.stack([p[1 + a:61 + a, 1 + b:76 + b] for a in (-1, 0, 1) for b in (-1, 0, 1)])
    k = around.argmin(0)
    y, x = jnp.mgrid[:60, :75]
    target = ((y + k // 3 - 1) * 75 + x + k % 3 - 1).ravel()
    still = target == jnp.arange(4500)
    def round_(_, s):
        moving, total = s
        moving = jnp.zeros(4500).at[target].add(jnp.where(still, 0, moving))
        return moving, total + moving
    return lax.fori_loop(0, 40, round_, (jnp.ones(4500), jnp.ones(4500)))[1].reshape(60, 75)


# ---- photographs -------------------------------------------------------------------------------------------------------------

@row("abs(n(4, 60, 80, 3)) * .3")
def exposures_merged_by_quality(x):
    """Contrast, saturation and exposedness weigh the pictures; weights and pictures blended in two scales."""
    gray = x.mean(-1)
    edge = jnp.abs(4 * gray - sum(jnp.roll(gray, s, a) for s in (1, -1) for a in (1, 2)))
    w = (edge + 1e-2) * (x.std(-1) + 1e-2) * jnp.exp(-((x - 0.5) ** 2).sum(-1) / 0.08) + 1e-6
    w = w / w.sum(0)
    half = lambda f: jax.image.resize(f, (4, 30, 40, f.shape[-1]), "linear")
    double = lambda f: jax.image.resize(f, (*f.shape[:-3], 60, 80, f.shape[-1]), "linear")
    low, wl = half(x), half(w[..., None])
    return (w[..., None] * (x - double(low))).sum(0) + double((wl * low).sum(0, keepdims=True))[0]


@row("abs(n(90, 120, 3)) * .3")
@row("abs(n(31, 43, 3)) * .3")
def haze_removed_by_dark_channel(x):
    dark = lambda f: lax.reduce_window(f.min(-1), jnp.inf, lax.min, (7, 7), (1, 1), "SAME")
    d = dark(x)
    brightest = lax.top_k(d.ravel(), 10)[1]
    air = x.reshape(-1, 3)[brightest].mean(0)
    t = jnp.maximum(1 - 0.95 * dark(x / air), 0.1)
    return (x - air) / t[..., None] + air


@row("n(64, 64), n(9, 9)")
@row("n(200, 150), n(9, 9)")
def sharpened_by_iterated_ratios(x, k):
    x, k = jnp.abs(x), jnp.abs(k) / jnp.abs(k).sum()
    blur = lambda f, k: jax.scipy.signal.convolve2d(f, k, mode="same")
    step = lambda e, _: (e * blur(x / (blur(e, k) + 1e-3), k[::-1, ::-1]), None)
    return lax.scan(step, jnp.full_like(x, 0.5), length=6)[0]


@row("n(3, 50, 60)")
def frames_of_video_stabilized_and_stacked(frame):
    """Shifts by correlation of gradients, parabola for the fraction, shift in the spectrum."""
    f = jnp.fft.rfft2(frame)
    c = jnp.fft.irfft2(f * f[0].conj(), s=(50, 60))
    flat = c.reshape(3, -1).argmax(1)
    y, x = flat // 60, flat % 60
    at = lambda dy, dx: c[jnp.arange(3), (y + dy) % 50, (x + dx) % 60]
    fraction = lambda a, b, d: 0.5 * (a - d) / (a - 2 * b + d + 1e-6)
    sy = y + jnp.clip(fraction(at(-1, 0), at(0, 0), at(1, 0)), -0.5, 0.5)
    sx = x + jnp.clip(fraction(at(0, -1), at(0, 0), at(0, 1)), -0.5, 0.5)
    ky, kx = jnp.fft.fftfreq(50)[:, None], jnp.fft.rfftfreq(60)
    move = jnp.exp(2j * jnp.pi * (ky * sy[:, None, None] + kx * sx[:, None, None]))
    return jnp.median(jnp.fft.irfft2(f * move, s=(50, 60)), 0)


# ---- sound -------------------------------------------------------------------------------------------------------------------

@row("abs(n(40)) + .2, n(8, 40)")
@row("abs(n(40)) + .2, n(8, 40)", "grad({0}, (0, 1))")
def harmonics_with_moving_pitch(pitch, amplitude):
    """Controls at 40 frames rise to 4000 samples; partials above the limit are silent."""
    f = jax.image.resize(pitch * 400, (4000,), "linear")
    a = jax.image.resize(nn.softplus(amplitude), (8, 4000), "linear")
    k = jnp.arange(1, 9)[:, None]
    phase = jnp.cumsum(2 * jnp.pi * k * f / 16000, 1)
    return (a * (k * f < 8000) * jnp.sin(phase)).sum(0)


@row("n(8000), n(4)")
@row("n(16, 500), n(16, 4)", "vmap({0})")
def rooms_of_combs_and_all_passes(x, g):
    out = 0.0
    for k, d in enumerate((113, 127, 149, 157)):
        n = x.size // d
        def comb(s, v):
            new = v + 0.7 * nn.tanh(g[k]) * s
            return new, new
        y = lax.scan(comb, jnp.zeros(d), x[:n * d].reshape(n, d))[1].ravel()
        out = out + jnp.pad(y, (0, x.size - n * d))
    return 0.5 * out + jnp.pad(out, (37, 0))[:x.size] - 0.25 * jnp.pad(out, (74, 0))[:x.size]


@row("n(12000), n(84, 300), n(84, 300, seed=1)")
def constant_q_bins_by_kernel(x, real, imag):
    frames = x[jnp.arange(0, 11700, 150)[:, None] + jnp.arange(300)]
    spectrum = jnp.fft.fft(frames)
    kernel = jnp.fft.fft((real + 1j * imag) * jnp.hanning(300))
    power = jnp.abs(spectrum @ kernel.conj().T) ** 2
    chroma = power.reshape(-1, 7, 12).sum(1)
    return chroma / (jnp.linalg.norm(chroma, axis=1, keepdims=True) + 1e-6), 10 * jnp.log10(power + 1e-3).max(0)


@row("n(9600)")
@row("n(5, 3200)", "vmap({0})")
def onsets_picked_from_spectral_flux(x):
    frames = x[jnp.arange(0, x.size - 256, 80)[:, None] + jnp.arange(256)] * jnp.hanning(256)
    m = jnp.log1p(10 * jnp.abs(jnp.fft.rfft(frames)))
    flux = nn.relu(m[1:] - m[:-1]).sum(1)
    local = lax.reduce_window(flux, -jnp.inf, lax.max, (7,), (1,), "SAME")
    mean = jnp.convolve(flux, jnp.ones(15) / 15, mode="same")
    auto = jnp.fft.irfft(jnp.abs(jnp.fft.rfft(flux - flux.mean(), 2 * flux.size)) ** 2)[:60]
    return (flux == local) & (flux > mean * 1.1), auto / (auto[0] + 1e-6)


@row("n(2, 6000)")
def voice_whitened_by_line_prediction(x):
    """Frames of 200, order ten by the recursion, residual and spectral envelope."""
    f = x.reshape(2, 30, 200) * jnp.hamming(200)
    r = jnp.stack([(f[..., :200 - k] * f[..., k:]).sum(-1) for k in range(11)], -1)
    a = jnp.zeros((2, 30, 11)).at[..., 0].set(1)
    e = r[..., 0]
    for k in range(1, 11):
        c = -(a[..., :k] * r[..., k:0:-1]).sum(-1) / (e + 1e-6)
        a = a.at[..., :k + 1].add(c[..., None] * jnp.flip(a[..., :k + 1], -1))
        e = e * (1 - c * c)
    return e, jnp.sqrt(e)[..., None] / jnp.abs(jnp.fft.rfft(a, 64))
