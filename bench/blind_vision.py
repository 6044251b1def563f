"""blind_vision.py: rows of the long tail written before any of them was measured (snippets.py): augmentation, filters of
images, convolutional layers, diffusion, radiance fields, cameras, clouds of points. A docstring gives the shapes."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- augmentation ----------------------------------------------------------------------------------------------------

@row("random.split(key, 6), n(6, 36, 36, 3)")
def random_crop_and_flip(keys, images):
    def one(key, image):
        a, b, c = random.split(key, 3)
        padded = jnp.pad(image, ((4, 4), (4, 4), (0, 0)), mode="reflect")
        y, x = random.randint(a, (), 0, 9), random.randint(b, (), 0, 9)
        crop = lax.dynamic_slice(padded, (y, x, 0), (36, 36, 3))
        return jnp.where(random.bernoulli(c), crop[:, ::-1], crop)
    return jax.vmap(one)(keys, images)


@row("random.split(key, 4), nn.sigmoid(n(4, 33, 35, 3))")
def color_jitter(keys, images):
    gray = jnp.array([0.299, 0.587, 0.114])
    def one(key, x):
        b, c, s = random.uniform(key, (3,), minval=0.6, maxval=1.4)
        x = jnp.clip(x * b, 0, 1)
        x = jnp.clip((x - (x @ gray).mean()) * c + (x @ gray).mean(), 0, 1)
        g = (x @ gray)[..., None]
        return jnp.clip(g + (x - g) * s, 0, 1)
    return jax.vmap(one)(keys, images)


@row("n(3, 31, 37, 3), n(3)")
def rotated_images(images, angles):
    """Bilinear rotations about the center, one angle for each image."""
    y, x = jnp.meshgrid(jnp.arange(31.0) - 15, jnp.arange(37.0) - 18, indexing="ij")
    def one(image, a):
        at = jnp.cos(a) * y - jnp.sin(a) * x + 15, jnp.sin(a) * y + jnp.cos(a) * x + 18
        return jax.vmap(lambda c: jax.scipy.ndimage.map_coordinates(c, at, order=1), -1, -1)(image)
    return jax.vmap(one)(images, angles)


@row("key, n(8, 24, 24, 3), nn.one_hot(i(10, 8), 10)")
def cut_mix(key, images, labels):
    a, b, c = random.split(key, 3)
    other = random.permutation(a, 8)
    share = random.beta(b, 1.0, 1.0)
    size = jnp.sqrt(1 - share) * 24
    cy, cx = random.uniform(c, (2,), maxval=24)
    inside = (abs(jnp.arange(24) - cy) < size / 2)[:, None] & (abs(jnp.arange(24) - cx) < size / 2)
    share = 1 - inside.mean()
    return jnp.where(inside[..., None], images[other], images), share * labels + (1 - share) * labels[other]


@row("key, n(29, 31)")
def elastic_distortion(key, image):
    shift = random.normal(key, (2, 29, 31))
    k = jnp.exp(-0.5 * (jnp.arange(-6, 7) / 3.0) ** 2)
    smooth = jax.vmap(lambda v: jax.scipy.signal.convolve2d(v, jnp.outer(k, k) / k.sum() ** 2, mode="same"))(shift)
    y, x = jnp.indices((29, 31))
    return jax.scipy.ndimage.map_coordinates(image, [y + 8 * smooth[0], x + 8 * smooth[1]], order=1, mode="reflect")


@row("i(256, 5, 40, 42, 3).astype('uint8'), jnp.array([.485, .456, .406]), jnp.array([.229, .224, .225])")
@row("i(256, 4, 40, 42, 3).astype('uint8'), n(3), abs(n(3))", "lambda *a: {0}(*a).swapaxes(1, 3).astype('bfloat16')")
def normalized_bytes(images, mean, std):
    return (images.astype("float32") / 255 - mean) / std


@row("i(256, 45, 47, 3).astype('uint8')")
def posterize_solarize(image):
    a = image & jnp.uint8(0xE0)
    b = jnp.where(image < 128, image, 255 - image)
    low, high = image.min((0, 1)), image.max((0, 1))
    c = ((image - low).astype("float32") * 255 / jnp.maximum(high - low, 1)).astype("uint8")
    return a, b, c


@row("i(256, 61, 59).astype('uint8')")
def adaptive_equalization(image):
    """Each of 5 x 5 tiles has its own histogram; tables of tiles are chosen by pixel."""
    tiles = image[:60, :55].reshape(5, 12, 5, 11).swapaxes(1, 2).reshape(25, -1)
    counts = jax.vmap(lambda t: jnp.bincount(t, length=256))(tiles)
    counts = jnp.minimum(counts, 8)
    table = jnp.cumsum(counts, 1) * 255 // counts.sum(1, keepdims=True)
    return jnp.take_along_axis(table, tiles.astype("int32"), 1)


# ---- filters ---------------------------------------------------------------------------------------------------------

@row("n(67, 71)")
def unsharp(image, k=7):
    window = lambda v: lax.reduce_window(v, 0.0, lax.add, (k, k), (1, 1), "SAME") / k**2
    mean = window(image)
    return image + 1.5 * (image - mean), jnp.sqrt(nn.relu(window(image * image) - mean**2) + 1e-6)


@row("n(53, 57), n(53, 57, seed=1)")
@row("n(53, 57), n(53, 57, seed=1)", "grad({0})")
def guided_filter(guide, image, r=4):
    def box(v):
        s = jnp.pad(jnp.cumsum(jnp.cumsum(jnp.pad(v, r, mode="edge"), 0), 1), ((1, 0), (1, 0)))
        d = 2 * r + 1
        return (s[d:, d:] - s[:-d, d:] - s[d:, :-d] + s[:-d, :-d]) / d**2
    mg, mi = box(guide), box(image)
    a = (box(guide * image) - mg * mi) / (box(guide * guide) - mg * mg + 0.1)
    return box(a) * guide + box(mi - a * mg)


@row("n(43, 45)")
def median_3x3(image):
    """The middle of nine by a network of minima and maxima."""
    p = jnp.pad(image, 1, mode="edge")
    v = [p[i : i + 43, j : j + 45] for i in range(3) for j in range(3)]
    for a, b in ((1, 2), (4, 5), (7, 8), (0, 1), (3, 4), (6, 7), (1, 2), (4, 5), (7, 8), (0, 3), (5, 8), (4, 7), (3, 6),
                 (1, 4), (2, 5), (4, 7), (4, 2), (6, 4), (4, 2)):
        v[a], v[b] = jnp.minimum(v[a], v[b]), jnp.maximum(v[a], v[b])
    return v[4]


@row("n(40, 44) > 1.2")
def distance_transform(mask):
    """Squared distances to the nearest set pixel, by parabolas along rows and columns."""
    def along(f):
        at = jnp.arange(f.shape[1])
        return (f[:, None, :] + (at[:, None] - at) ** 2).min(-1)
    return along(along(jnp.where(mask, 0, 10000)).T).T


@row("n(39, 41) > .2")
def opening_closing(mask):
    grow = lambda m: lax.reduce_window(m, False, lax.bitwise_or, (3, 3), (1, 1), "SAME")
    shrink = lambda m: ~grow(~m)
    opened = grow(shrink(mask))
    return shrink(grow(opened)), grow(mask) ^ shrink(mask)


@row("n(31, 33) > -.4")
def flood_fill(free):
    grow = lambda m: lax.reduce_window(m, False, lax.bitwise_or, (3, 3), (1, 1), "SAME") & free
    start = jnp.zeros_like(free).at[15, 16].set(True)
    return lax.while_loop(lambda s: (s[0] != s[1]).any(), lambda s: (grow(s[0]), s[0]), (grow(start), start))[0]


@row("n(64, 60)")
def harris_corners(image):
    gy, gx = jnp.gradient(image)
    k = jnp.array([1.0, 4, 6, 4, 1]) / 16
    smooth = lambda v: jax.scipy.signal.convolve2d(v, jnp.outer(k, k), mode="same")
    a, b, c = smooth(gy * gy), smooth(gx * gx), smooth(gy * gx)
    r = a * b - c * c - 0.05 * (a + b) ** 2
    best = r == lax.reduce_window(r, -jnp.inf, lax.max, (5, 5), (1, 1), "SAME")
    return lax.top_k(jnp.where(best, r, -1).reshape(-1), 20)


@row("n(64, 64), n(64, 64, seed=1)")
def lucas_kanade(a, b):
    gy, gx = jnp.gradient(a)
    window = lambda v: lax.reduce_window(v, 0.0, lax.add, (7, 7), (4, 4), "VALID")
    t = b - a
    m = jnp.stack([window(gy * gy), window(gy * gx), window(gy * gx), window(gx * gx)], -1).reshape(15, 15, 2, 2)
    v = jnp.stack([window(gy * t), window(gx * t)], -1)
    return jnp.linalg.solve(m + 0.1 * jnp.eye(2), -v[..., None])[..., 0]


@row("n(48, 48)")
def oriented_gradients(image):
    gy, gx = jnp.gradient(image)
    bins = jnp.floor((jnp.arctan2(gy, gx) % jnp.pi) * 9 / jnp.pi).astype("int32") % 9
    cells = (nn.one_hot(bins, 9) * jnp.hypot(gy, gx)[..., None]).reshape(6, 8, 6, 8, 9).sum((1, 3))
    blocks = jnp.concatenate([cells[i : i + 5, j : j + 5] for i in (0, 1) for j in (0, 1)], -1)
    return blocks / jnp.sqrt((blocks**2).sum(-1, keepdims=True) + 1e-3)


@row("n(41, 43), n(90, 2, scale=9.)")
def integral_image_boxes(image, corners):
    s = jnp.pad(jnp.cumsum(jnp.cumsum(image, 0), 1), ((1, 0), (1, 0)))
    y, x = jnp.clip(corners.astype("int32") + 18, 0, 33).T
    return s[y + 8, x + 8] - s[y, x + 8] - s[y + 8, x] + s[y, x]


@row("nn.sigmoid(n(37, 41, 3))")
def srgb_to_lab(rgb):
    linear = jnp.where(rgb > 0.04045, ((rgb + 0.055) / 1.055) ** 2.4, rgb / 12.92)
    xyz = linear @ jnp.array([[0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], [0.1805, 0.0722, 0.9505]])
    f = jnp.where(xyz > 0.008856, jnp.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    return jnp.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


# ---- layers and diffusion --------------------------------------------------------------------------------------------

@row("n(2, 19, 21, 8), n(3, 3, 8, 18, scale=.1), n(3, 3, 8, 12)")
@row("n(2, 19, 21, 8), n(3, 3, 8, 18, scale=.1), n(3, 3, 8, 12)", "grad({0}, (1, 2))")
def deformable_convolution(x, w_offset, w):
    """Places of the nine taps are learned: a bilinear gather, then a product."""
    b, h, c, f = x.shape
    offset = lax.conv_general_dilated(x, w_offset, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    base = jnp.stack(jnp.meshgrid(jnp.arange(h), jnp.arange(c), indexing="ij"), -1)[:, :, None]
    taps = jnp.array([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)])
    at = base + taps + jnp.tanh(offset.reshape(b, h, c, 9, 2))
    low = jnp.floor(at).astype("int32")
    part = at - low
    total = 0.0
    for dy in (0, 1):
        for dx in (0, 1):
            y, z = jnp.clip(low[..., 0] + dy, 0, h - 1), jnp.clip(low[..., 1] + dx, 0, c - 1)
            weight = abs(1 - dy - part[..., 0]) * abs(1 - dx - part[..., 1])
            total = total + weight[..., None] * x[jnp.arange(b)[:, None, None, None], y, z]
    return jnp.einsum("bhctf,tfo->bhco", total, w.reshape(9, f, -1))


@row("n(2, 16, 18, 12), n(48, scale=.3), n(12, 36, scale=.2)")
@row("n(2, 16, 18, 12), n(48, scale=.3), n(12, 36, scale=.2)", "grad({0}, (0, 2))")
def diffusion_attention_block(x, time, w):
    h = x + nn.silu(time[:12] + time[12:24] * time[24:36])
    g = h.reshape(2, 16 * 18, 3, 4)
    g = (g - g.mean((1, 3), keepdims=True)) * lax.rsqrt(g.var((1, 3), keepdims=True) + 1e-5)
    q, k, v = jnp.split(g.reshape(2, 288, 12) @ w, 3, -1)
    return x + (nn.softmax(q @ k.swapaxes(1, 2) / 12**0.5) @ v).reshape(x.shape)


@row("n(2, 24, 24, 3), n(3, 3, 3, 16, scale=.2), n(3, 3, 16, 3, scale=.1)")
def heun_sampler(x, a, b):
    """Karras et al.: second-order steps from high to low noise with a small denoiser."""
    conv = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    sigma = jnp.append((80 ** (1 / 7) + jnp.arange(6) / 5 * (0.1 ** (1 / 7) - 80 ** (1 / 7))) ** 7, 0)
    def slope(x, s):
        c = lax.rsqrt(s * s + 0.25)
        denoised = 0.25 * c * c * x + s * 0.5 * c * conv(nn.silu(conv(c * x, a)), b)
        return (x - denoised) / s
    def step(x, s):
        now, then = s
        d = slope(x, now)
        y = x + (then - now) * d
        e = slope(y, jnp.maximum(then, 1e-3))
        return jnp.where(then > 0, x + (then - now) * (d + e) / 2, y), None
    return lax.scan(step, x * 80, (sigma[:-1], sigma[1:]))[0]


@row("key, n(6, 15, 15, 4), i(1000, 6), n(4, 4)")
@row("key, n(6, 15, 15, 4), i(1000, 6), n(4, 4)", "jax.grad({0}, 3)")
def noise_prediction_loss(key, x, t, w):
    signal = jnp.cumprod(1 - jnp.linspace(1e-4, 0.02, 1000))[t][:, None, None, None]
    noise = random.normal(key, x.shape)
    noisy = jnp.sqrt(signal) * x + jnp.sqrt(1 - signal) * noise
    snr = signal / (1 - signal)
    return (jnp.minimum(snr, 5) / snr * (jnp.tanh(noisy @ w) - noise) ** 2).mean()


@row("n(3, 30, 12), n(12, 12)")
def flow_matching_euler(x, w, guidance=3.0):
    def step(x, t):
        v = jnp.tanh(x @ w + t)
        free = jnp.tanh(x @ w)
        return x + 0.1 * (free + guidance * (v - free)), None
    return lax.scan(step, x, jnp.linspace(0, 1, 10))[0]


@row("n(4, 21, 23, 6), n(5, 7, 6, 9), n(9)")
@row("n(4, 21, 23, 6), n(5, 7, 6, 9), n(9)", "grad(lambda *a: {0}(*a) ** 3, (0, 1, 2))")
def convolution_pool_norm(x, w, b):
    y = lax.conv_general_dilated(x, w, (2, 1), ((2, 1), (3, 3)), dimension_numbers=("NHWC", "HWIO", "NHWC")) + b
    y = lax.reduce_window(nn.relu(y), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return (y - y.mean((0, 1, 2))) * lax.rsqrt(y.var((0, 1, 2)) + 1e-5)


@row("n(3, 25, 27, 8), i(25, 40, 4)")
def region_align(features, boxes):
    """Averages of 5 x 5 bins of 40 boxes of the first map, by bilinear samples."""
    y0, x0 = boxes[:, 0].astype("float32"), boxes[:, 1].astype("float32")
    ys = y0[:, None] + (boxes[:, 2, None] + 1) * (jnp.arange(5) + 0.5) / 5
    xs = x0[:, None] + (boxes[:, 3, None] + 1) * (jnp.arange(5) + 0.5) / 5
    at = jnp.broadcast_arrays(ys[:, :, None], xs[:, None, :])
    return jax.vmap(lambda c: jax.scipy.ndimage.map_coordinates(c, at, order=1, mode="nearest"), -1, -1)(features[0])


# ---- radiance fields, cameras, points --------------------------------------------------------------------------------

@row("nn.sigmoid(n(301, 3)), n(4, 1024, 2)")
@row("nn.sigmoid(n(301, 3)), n(4, 1024, 2)", "grad({0}, 1)")
def hash_grid(x, tables):
    """Instant-NGP: corners of cells at four resolutions are hashed into tables."""
    corners = jnp.array([(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    out = []
    for level, table in enumerate(tables):
        place = x * (8 * 1.6**level)
        low = jnp.floor(place).astype("uint32")
        at = low[:, None] + corners.astype("uint32")
        index = (at[..., 0] ^ at[..., 1] * jnp.uint32(2654435761) ^ at[..., 2] * jnp.uint32(805459861)) % 1024
        part = (place - low)[:, None]
        w = jnp.where(corners, part, 1 - part).prod(-1)
        out.append((w[..., None] * table[index]).sum(1))
    return jnp.concatenate(out, -1)


@row("nn.softmax(n(60, 31)), jnp.linspace(2., 6., 32), jnp.linspace(.01, .99, 33)")
def hierarchical_samples(weights, edges, u):
    """Inverse of the piecewise linear distribution along each ray."""
    cdf = jnp.pad(jnp.cumsum(weights, 1), ((0, 0), (1, 0)))
    at = jnp.clip(jax.vmap(lambda c: jnp.searchsorted(c, u, side="right"))(cdf), 1, 31)
    low, high = jnp.take_along_axis(cdf, at - 1, 1), jnp.take_along_axis(cdf, at, 1)
    return edges[at - 1] + (u - low) / jnp.maximum(high - low, 1e-6) * (edges[at] - edges[at - 1])


@row("n(70, 3), n(70, 3, seed=1), abs(n(70)), n(70, 3, seed=2)")
@row("n(70, 3), n(70, 3, seed=1), abs(n(70)), n(70, 3, seed=2)", "grad({0}, (0, 1, 3))")
def gaussian_splats(mean, scale, opacity, color):
    """Sorted by depth, blended front to back on 24 x 24 pixels."""
    order = jnp.argsort(mean[:, 2])
    mean, scale, opacity, color = (v[order] for v in (mean, scale, nn.sigmoid(opacity), color))
    grid = jnp.stack(jnp.meshgrid(jnp.linspace(-2, 2, 24), jnp.linspace(-2, 2, 24)), -1).reshape(-1, 1, 2)
    power = ((grid - mean[:, :2]) ** 2 * jnp.exp(-scale[:, :2])).sum(-1)
    alpha = opacity * jnp.exp(-0.5 * power)
    through = jnp.cumprod(jnp.pad(1 - alpha, ((0, 0), (1, 0)), constant_values=1)[:, :-1], 1)
    return (alpha * through) @ color


@row("n(5, 3, scale=.3), n(5, 3), n(200, 3) + jnp.array([0., 0., 9.]), jnp.array([3., 3, 1.6, 1, .1, -.05])")
@row("n(5, 3, scale=.3), n(5, 3), n(200, 3) + jnp.array([0., 0., 9.]), jnp.array([3., 3, 1.6, 1, .1, -.05])", "grad({0}, (0, 1, 3))")
def projected_points(rotation, translation, points, camera):
    angle = jnp.sqrt((rotation**2).sum(-1) + 1e-12)[:, None, None]
    axis = rotation[:, None] / angle
    p = points * jnp.cos(angle) + jnp.cross(axis, points) * jnp.sin(angle)
    p = p + axis * (axis * points).sum(-1, keepdims=True) * (1 - jnp.cos(angle)) + translation[:, None]
    xy = p[..., :2] / p[..., 2:]
    r2 = (xy * xy).sum(-1, keepdims=True)
    return xy * (1 + camera[4] * r2 + camera[5] * r2 * r2) * camera[:2] + camera[2:4]


@row("n(40, 2), n(40, 2, seed=1)")
def homography(a, b):
    """Direct linear transform; the null vector's outer product has no sign."""
    x, y, u, v = a[:, 0], a[:, 1], b[:, 0], b[:, 1]
    one, zero = jnp.ones(40), jnp.zeros(40)
    m = jnp.concatenate([jnp.stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u], 1),
                         jnp.stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v], 1)])
    h = jnp.linalg.eigh(m.T @ m)[1][:, 0]
    return jnp.outer(h, h)


@row("n(90, 3), n(120, 3, seed=1)")
@row("n(90, 3), n(120, 3, seed=1)", "grad({0})")
def chamfer(a, b):
    d = ((a[:, None] - b) ** 2).sum(-1)
    return d.min(0).mean() + d.min(1).mean()


@row("n(400, 3), n(400, 5)")
def voxel_means(points, features):
    cell = jnp.clip(jnp.floor((points + 3) * 8 / 6), 0, 7).astype("int32")
    at = (cell[:, 0] * 8 + cell[:, 1]) * 8 + cell[:, 2]
    return jax.ops.segment_sum(features, at, 512) / jnp.maximum(jnp.bincount(at, length=512), 1)[:, None]


ROWS = [
    "lambda x: jnp.flip(jnp.rot90(x, axes=(1, 2)), 3) @@ n(3, 40, 41, 3)",
    "lambda x: image.resize(x, (3, 50, 30, 3), 'bilinear', antialias=True) @@ n(3, 81, 47, 3)",
    (
        "lambda x: image.scale_and_translate(x, (29, 31, 3), (0, 1), jnp.array([1.3, .8]), jnp.array([2., -1.5]), "
        "method='linear') @@ n(27, 33, 3)"
    ),
    "lambda x: x.reshape(2, 3, 8, 5, 8, 3).transpose(0, 1, 3, 2, 4, 5).reshape(2, 15, 192) @@ n(2, 24, 40, 3)",
    "lambda x, m: jnp.where(m[..., None], x, x.mean((1, 2), keepdims=True)) @@ n(3, 33, 35, 4), n(3, 33, 35) > 0",
    "lambda x: jnp.pad(x, ((0, 0), (3, 2), (1, 4), (0, 0)), mode='symmetric') @@ n(2, 31, 29, 3)",
    "lambda x: jnp.concatenate([x[:, ::2, ::2], x[:, 1::2, ::2], x[:, ::2, 1::2], x[:, 1::2, 1::2]], -1) @@ n(2, 30, 34, 5)",
]
