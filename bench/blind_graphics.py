"""blind_graphics.py: rows of the long tail written before any of them was measured (snippets.py): ray marching, shading, meshes
and skinning, filters of images, colour spaces, radiance fields, optical flow and warps, cameras, clouds of points, detection,
augmentation, stereo, superpixels, textures. A docstring gives the shapes."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


def normalize(v):
    return v / jnp.linalg.norm(v, axis=-1, keepdims=True)


def scene(p):
    """Signed distance of a rounded box, blended with a torus above a floor."""
    q = jnp.abs(p - jnp.array([0.6, 0.2, 0.0])) - jnp.array([0.4, 0.3, 0.5])
    box = jnp.linalg.norm(jnp.maximum(q, 0.0) + 1e-9) + jnp.minimum(q.max(), 0.0) - 0.1
    t = p - jnp.array([-0.7, 0.1, 0.2])
    ring = jnp.hypot(t[0], t[2] + 1e-9) - 0.6
    torus = jnp.hypot(ring, t[1]) - 0.2
    h = jnp.clip(0.5 + (torus - box) / 0.6, 0, 1)
    return jnp.minimum(torus + (box - torus) * h - 0.3 * h * (1 - h), p[1] + 0.8)


# ---- marching and shading --------------------------------------------------------------------------------------------

@row("jnp.array([0.2, 0.8, -3.5])", "lambda e: {0}(e, 90, 120)")
def march_scene(eye, height, width):
    y, x = jnp.meshgrid(jnp.linspace(0.75, -0.75, height), jnp.linspace(-1, 1, width), indexing="ij")
    rays = normalize(jnp.stack([x, y - 0.1, jnp.full_like(x, 1.6)], -1)).reshape(-1, 3)
    sun = normalize(jnp.array([0.6, 1.0, -0.5]))

    def pixel(ray):
        depth = lax.fori_loop(0, 28, lambda _, t: t + scene(eye + t * ray), 0.0)
        p = eye + depth * ray
        normal = normalize(jax.grad(scene)(p))
        color = 0.15 + 0.85 * jnp.maximum(normal @ sun, 0.0)
        return jnp.where(depth < 12.0, color * jnp.exp(-0.1 * depth), 0.7)

    return jax.vmap(pixel)(rays).reshape(height, width)


@row("n(300, 3), jnp.array([.5, .7, -.5])")
def soft_shadow_and_occlusion(points, sun):
    def one(p):
        normal = normalize(jax.grad(scene)(p))
        def step(s, _):
            t, shade = s
            h = scene(p + t * sun)
            return (t + jnp.clip(h, 0.03, 0.25), jnp.minimum(shade, 8 * h / t)), None
        (_, shade), _ = lax.scan(step, (0.05, 1.0), None, length=20)
        d = 0.05 * jnp.arange(1, 6)
        near = jax.vmap(lambda d: d - scene(p + d * normal))(d)
        return jnp.clip(shade, 0, 1), 1 - jnp.clip((near * 0.5 ** jnp.arange(5)).sum(), 0, 1)
    return jax.vmap(one)(points)


@row("abs(n(24, 24, 24)), n(400, 3, scale=.2)", "grad(lambda *a: {0}(*a)[0])")
def absorbed_through_fog(density, direction):
    """Beer's law through a grid of densities, trilinear at 24 places of each ray."""
    ray = normalize(direction + jnp.array([0.0, 0.0, 1.0]))
    def step(s, k):
        light, through = s
        place = 11.5 + ray * (k - 12) * 0.9
        sigma = jax.scipy.ndimage.map_coordinates(density, list(place.T), order=1, mode="constant")
        alpha = 1 - jnp.exp(-0.3 * sigma)
        return (light + through * alpha * (0.4 + 0.6 * jnp.exp(-0.05 * k)), through * (1 - alpha)), None
    start = jnp.zeros(direction.shape[0]), jnp.ones(direction.shape[0])
    return lax.scan(step, start, jnp.arange(24.0))[0]


@row("n(30000, 3), n(30000, 3, seed=1), n(3, seed=2), nn.sigmoid(n(30000, 2))")
@row("n(40, 3), n(40, 3, seed=1), n(3, seed=2), nn.sigmoid(n(40, 2))", "grad({0}, (0, 3))")
def microfacets(normal, view, light, material):
    """Cook and Torrance's shading with the GGX distribution, Smith's shadowing and Schlick's Fresnel term."""
    normal, view, light = normalize(normal), normalize(view), normalize(light)
    half = normalize(view + light)
    rough, metal = material[:, 0] ** 2 + 0.05, material[:, 1]
    nh, nv = jnp.clip((normal * half).sum(-1), 0, 1), jnp.clip((normal * view).sum(-1), 1e-3, 1)
    nl, vh = jnp.clip(normal @ light, 1e-3, 1), jnp.clip((view * half).sum(-1), 0, 1)
    d = rough**2 / (jnp.pi * (nh**2 * (rough**2 - 1) + 1) ** 2)
    k = (rough + 1) ** 2 / 8
    g = nv / (nv * (1 - k) + k) * nl / (nl * (1 - k) + k)
    base = jnp.array([0.9, 0.6, 0.2])
    f0 = 0.04 * (1 - metal)[:, None] + base * metal[:, None]
    f = f0 + (1 - f0) * ((1 - vh) ** 5)[:, None]
    return (f * (d * g / (4 * nv * nl))[:, None] + (1 - f) * (1 - metal)[:, None] * base / jnp.pi) * nl[:, None]


@row("n(128, 3), n(128, 3, seed=1), n(1800, 3, seed=2), n(1800, 3, seed=3)")
def first_boxes_hit(corner, size, origin, direction):
    """Slab test of each ray with each box."""
    low, high = corner - jnp.abs(size) / 4, corner + jnp.abs(size) / 4
    inverse = 1 / jnp.where(jnp.abs(direction) < 1e-6, 1e-6, direction)
    a, b = (low - origin[:, None]) * inverse[:, None], (high - origin[:, None]) * inverse[:, None]
    enter, leave = jnp.minimum(a, b).max(-1), jnp.maximum(a, b).min(-1)
    t = jnp.where((enter <= leave) & (leave > 0), jnp.maximum(enter, 0), jnp.inf)
    return jnp.where(jnp.isfinite(t.min(1)), t.argmin(1), -1), jnp.minimum(t.min(1), 100.0)


# ---- meshes ----------------------------------------------------------------------------------------------------------

@row("n(400, 3), i(400, 760, 3), n(400, 2, seed=1)")
@row("n(60, 3), (jnp.arange(100)[:, None] + jnp.array([0, 1, 7])) % 60, n(60, 1, seed=1)", "grad(lambda *a: {0}(*a) ** 2, (0, 2))")
def cotangent_laplacian(vertices, faces, signal):
    a, b, c = vertices[faces[:, 0]], vertices[faces[:, 1]], vertices[faces[:, 2]]
    def cot(u, v):
        cross = jnp.cross(u, v)
        return (u * v).sum(-1) / jnp.sqrt((cross * cross).sum(-1) + 1e-2)
    w = 0.5 * jnp.stack([cot(b - a, c - a), cot(c - b, a - b), cot(a - c, b - c)], 1)
    out = jnp.zeros_like(signal)
    for k in range(3):
        s, t = faces[:, (k + 1) % 3], faces[:, (k + 2) % 3]
        flow = w[:, k, None] * (signal[t] - signal[s])
        out = out.at[s].add(flow).at[t].add(-flow)
    return out


@row("n(1000, 3), i(1000, 3000, 2)")
def taubin_smoothing(vertices, edges):
    degree = jnp.zeros(vertices.shape[0]).at[edges.ravel()].add(1.0)
    def pull(v, amount):
        near = jax.ops.segment_sum(v[edges[:, 1]], edges[:, 0], v.shape[0])
        near += jax.ops.segment_sum(v[edges[:, 0]], edges[:, 1], v.shape[0])
        return v + amount * (near / jnp.maximum(degree, 1)[:, None] - v)
    return lax.fori_loop(0, 8, lambda _, v: pull(pull(v, 0.5), -0.53), vertices)


@row("n(1200, 3), nn.softmax(3 * n(1200, 22)), n(22, 3, scale=.4), n(22, 3, seed=4)")
@row("n(90, 3), nn.softmax(3 * n(90, 5)), n(5, 3, scale=.4), n(5, 3, seed=4)", "grad(lambda *a: {0}(*a) ** 2, (1, 2))")
def linear_blend_skinning(rest, weights, pose, joints):
    """A chain of joints: rotations compose along it, then each vertex blends its transforms."""
    def rotation(w):
        angle = jnp.sqrt(w @ w + 1e-8)
        x, y, z = w / angle
        k = jnp.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return jnp.eye(3) + jnp.sin(angle) * k + (1 - jnp.cos(angle)) * k @ k
    local = jax.vmap(rotation)(pose)
    offset = jnp.diff(joints, axis=0, prepend=jnp.zeros((1, 3)))
    def link(world, part):
        r, t = part
        here = world @ jnp.block([[r, t[:, None]], [jnp.zeros((1, 3)), jnp.ones((1, 1))]])
        return here, here
    world = lax.scan(link, jnp.eye(4), (local, offset))[1]
    back = world.at[:, :3, 3].add(-jnp.einsum("jab,jb->ja", world[:, :3, :3], joints))
    blend = jnp.einsum("vj,jab->vab", weights, back[:, :3])
    return jnp.einsum("vab,vb->va", blend[..., :3], rest) + blend[..., 3]


@row("n(30, 3, 2), abs(n(30, 3)), nn.sigmoid(n(30, 3, 3))")
def z_buffer(corner, depth, color):
    """Triangles drawn one after the other on 56 x 64 pixels, colors interpolated."""
    y, x = jnp.meshgrid(jnp.linspace(-2, 2, 56), jnp.linspace(-2, 2, 64), indexing="ij")
    edge = lambda a, b: (x - a[0]) * (b[1] - a[1]) - (y - a[1]) * (b[0] - a[0])
    def draw(s, triangle):
        near, picture = s
        (a, b, c), d, shade = triangle
        w = jnp.stack([edge(b, c), edge(c, a), edge(a, b)], -1)
        area = w.sum(-1, keepdims=True)
        w = w / jnp.where(jnp.abs(area) < 1e-5, 1e-5, area)
        z = w @ d
        show = (w >= 0).all(-1) & (z < near)
        return (jnp.where(show, z, near), jnp.where(show[..., None], w @ shade, picture)), None
    return lax.scan(draw, (jnp.full(x.shape, 9.0), jnp.zeros((*x.shape, 3))), (corner, depth, color))[0]


@row("n(17, 19, 3)")
def catmull_clark_of_grid(p):
    """One refinement of a grid of control points that wraps around: faces, edges, vertices interleaved."""
    right, down = jnp.roll(p, -1, 1), jnp.roll(p, -1, 0)
    face = (p + right + down + jnp.roll(right, -1, 0)) / 4
    across = (p + right + face + jnp.roll(face, 1, 0)) / 4
    along = (p + down + face + jnp.roll(face, 1, 1)) / 4
    f = (face + jnp.roll(face, 1, 0) + jnp.roll(face, 1, 1) + jnp.roll(face, (1, 1), (0, 1))) / 4
    r = (4 * p + right + down + jnp.roll(p, 1, 0) + jnp.roll(p, 1, 1)) / 8
    vertex = (f + 2 * r + p) / 4
    top = jnp.stack([vertex, across], 2).reshape(17, 38, 3)
    return jnp.stack([top, jnp.stack([along, face], 2).reshape(17, 38, 3)], 1).reshape(34, 38, 3)


# ---- filters of images -----------------------------------------------------------------------------------------------

@row("nn.sigmoid(n(60, 64))")
def non_local_means(image):
    """Weights by the distance of 3 x 3 patches, within a window of 7 x 7."""
    box = lambda v: lax.reduce_window(v, 0.0, lax.add, (3, 3), (1, 1), "SAME")
    total, weight = jnp.zeros_like(image), jnp.zeros_like(image)
    for dy in range(-3, 4):
        for dx in range(-3, 4):
            moved = jnp.roll(image, (dy, dx), (0, 1))
            w = jnp.exp(-box((moved - image) ** 2) / 0.3)
            total, weight = total + w * moved, weight + w
    return total / weight


@row("n(3, 50, 54)")
def canny_edges(images, low=0.5, high=1.0):
    def one(image):
        k = jnp.array([1.0, 4, 6, 4, 1]) / 16
        image = jnp.apply_along_axis(lambda v: jnp.convolve(v, k, mode="same"), 0, image)
        image = jnp.apply_along_axis(lambda v: jnp.convolve(v, k, mode="same"), 1, image)
        p = jnp.pad(image, 1, mode="edge")
        gx = p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:] - p[:-2, :-2] - 2 * p[1:-1, :-2] - p[2:, :-2]
        gy = p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:] - p[:-2, :-2] - 2 * p[:-2, 1:-1] - p[:-2, 2:]
        size = jnp.hypot(gx, gy)
        sector = jnp.round(jnp.arctan2(gy, gx) * 4 / jnp.pi).astype(int) % 4
        ahead = jnp.stack([jnp.roll(size, s, (0, 1)) for s in ((0, -1), (-1, -1), (-1, 0), (-1, 1))])
        behind = jnp.stack([jnp.roll(size, s, (0, 1)) for s in ((0, 1), (1, 1), (1, 0), (1, -1))])
        pick = lambda v: jnp.take_along_axis(v, sector[None], 0)[0]
        thin = jnp.where((size >= pick(ahead)) & (size >= pick(behind)), size, 0)
        weak = thin > low
        grow = lambda e: lax.reduce_window(e, False, lax.bitwise_or, (3, 3), (1, 1), "SAME") & weak
        return lax.fori_loop(0, 10, lambda _, e: grow(e), thin > high)
    return jax.vmap(one)(images)


@row("i(256, 72, 90).astype('uint8')")
def top_hat_and_black_hat(image):
    """Gray morphology with a square of 5."""
    low = lambda v: lax.reduce_window(v, jnp.uint8(255), lax.min, (5, 5), (1, 1), "SAME")
    high = lambda v: lax.reduce_window(v, jnp.uint8(0), lax.max, (5, 5), (1, 1), "SAME")
    return image - high(low(image)), low(high(image)) - image, high(image) - low(image)


@row("n(2, 64, 96, 3)")
def laplacian_pyramid_round_trip(images):
    k = jnp.array([1.0, 4, 6, 4, 1]) / 16
    kernel = jnp.tile((k[:, None] * k)[:, :, None, None], (1, 1, 1, 3))
    def down(x):
        layout = ("NHWC", "HWIO", "NHWC")
        return lax.conv_general_dilated(x, kernel, (2, 2), "SAME", dimension_numbers=layout, feature_group_count=3)
    up = lambda x: jax.image.resize(x, (x.shape[0], x.shape[1] * 2, x.shape[2] * 2, 3), "bilinear")
    levels, x = [], images
    for _ in range(3):
        small = down(x)
        levels.append(x - up(small))
        x = small
    for level in reversed(levels):
        x = up(x) + jnp.sign(level) * nn.relu(jnp.abs(level) - 0.1)
    return x


@row("i(256, 90, 80, 3).astype('uint8'), (i(180, 70, 60, 3) + 40).astype('uint8')")
def histogram_matching(source, target):
    """Each channel gets the distribution of the target's channel."""
    def channel(a, b):
        have = jnp.cumsum(jnp.bincount(a.ravel(), length=256)) / a.size
        want = jnp.cumsum(jnp.bincount(b.ravel(), length=256)) / b.size
        table = jnp.interp(have, want, jnp.arange(256.0))
        return table[a]
    return jax.vmap(channel, -1, -1)(source, target)


@row("i(1024, 64, 80).astype('uint16')")
def demosaic_and_tone_map(raw):
    """A Bayer pattern of ten bits: bilinear colors, white balance, Reinhard's curve."""
    x = raw.astype(jnp.float32) / 1023
    y, c = jnp.indices(x.shape)
    red, blue = (y % 2 == 0) & (c % 2 == 0), (y % 2 == 1) & (c % 2 == 1)
    kernel = jnp.array([[1.0, 2, 1], [2, 4, 2], [1, 2, 1]])
    conv = lambda v: jax.scipy.signal.convolve2d(v, kernel, mode="same")
    fill = lambda m: conv(x * m) / conv(m.astype(jnp.float32))
    rgb = jnp.stack([fill(red), fill(~(red | blue)), fill(blue)], -1)
    rgb = rgb * rgb[..., 1].mean() / rgb.mean((0, 1))
    light = rgb @ jnp.array([0.2126, 0.7152, 0.0722])
    scaled = 0.18 / jnp.exp(jnp.log(light + 1e-4).mean()) * light
    rgb = rgb * (scaled / (1 + scaled) / (light + 1e-4))[..., None]
    return jnp.clip(rgb, 1e-4, 1) ** (1 / 2.2)


@row("nn.sigmoid(n(70, 90))")
def seam_to_carve(image):
    """The cheapest path from top to bottom, and the image without it."""
    energy = jnp.abs(jnp.gradient(image, axis=0)) + jnp.abs(jnp.gradient(image, axis=1))
    def down(cost, e):
        p = jnp.pad(cost, 1, constant_values=jnp.inf)
        near = jnp.stack([p[:-2], p[1:-1], p[2:]])
        return e + near.min(0), near.argmin(0) - 1
    last, back = lax.scan(down, energy[0], energy[1:])
    at, path = lax.scan(lambda at, b: (at + b[at], at), last.argmin(), back, reverse=True)
    seam = jnp.append(at, path)
    columns = jnp.arange(89)
    return jnp.take_along_axis(image, columns + (columns >= seam[:, None]), 1), seam


# ---- colors ----------------------------------------------------------------------------------------------------------

@row("nn.sigmoid(n(64, 64, 3))")
def boosted_chroma_in_oklab(rgb):
    m = jnp.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
    k = jnp.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
    lab = jnp.cbrt(rgb**2.2 @ m.T) @ k.T
    lab = lab * jnp.array([1.0, 1.3, 1.3])
    linear = (lab @ jnp.linalg.inv(k).T) ** 3 @ jnp.linalg.inv(m).T
    return jnp.clip(linear, 1e-4, 1) ** (1 / 2.2)


# ---- radiance fields -------------------------------------------------------------------------------------------------

@row("n(64, 33, 3), abs(n(64, 33, 3, scale=.01))", "grad({0}, (0, 1))")
def integrated_positional_encoding(mean, variance):
    scale = 2.0 ** jnp.arange(8)
    y = (mean[..., None, :] * scale[:, None]).reshape(*mean.shape[:-1], -1)
    v = (variance[..., None, :] * scale[:, None] ** 2).reshape(*mean.shape[:-1], -1)
    return jnp.exp(-0.5 * v)[..., None, :] * jnp.stack([jnp.sin(y), jnp.cos(y)], -2)


@row("n(3, 32, 32, 12), jnp.tanh(n(900, 3)), n(12, 4)")
@row("n(3, 32, 32, 12), jnp.tanh(n(900, 3)), n(12, 4)", "grad(lambda *a: {0}(*a) ** 2, (0, 2))")
def triplane_features(planes, points, w):
    pairs = jnp.stack([points[:, [0, 1]], points[:, [0, 2]], points[:, [1, 2]]])
    at = (pairs + 1) * 15.5
    low = jnp.clip(jnp.floor(at).astype(int), 0, 30)
    part = at - low
    def look(plane, low, part):
        x, y = low.T
        fx, fy = part[:, :1], part[:, 1:]
        near = plane[x, y] * (1 - fx) + plane[x + 1, y] * fx
        return near * (1 - fy) + (plane[x, y + 1] * (1 - fx) + plane[x + 1, y + 1] * fx) * fy
    return nn.softplus(jax.vmap(look)(planes, low, part).sum(0) @ w)


@row("n(80, 24), jnp.sort(jnp.abs(n(80, 25)), 1)", "grad({0}, (0, 1))")
def distortion_loss(raw, edges):
    """Mip-NeRF 360: weights of the samples are pulled together."""
    delta = jnp.diff(edges, axis=1)
    tau = nn.softplus(raw) * delta
    before = jnp.cumsum(tau, 1) - tau
    w = jnp.exp(-before) * -jnp.expm1(-tau)
    middle = (edges[:, 1:] + edges[:, :-1]) / 2
    pairs = jnp.abs(middle[:, :, None] - middle[:, None])
    return (jnp.einsum("ri,rj,rij->r", w, w, pairs) + (w * w * delta).sum(1) / 3).mean()


# ---- flow, warps, stereo ---------------------------------------------------------------------------------------------

@row("n(40, 48), n(40, 48, seed=1)")
def horn_schunck(a, b, smoothness=0.5):
    gy, gx = jnp.gradient((a + b) / 2)
    gt = b - a
    k = jnp.array([[1.0, 2, 1], [2, 0, 2], [1, 2, 1]]) / 12
    mean = lambda v: jax.scipy.signal.convolve2d(v, k, mode="same")
    def step(_, flow):
        u, v = mean(flow[0]), mean(flow[1])
        t = (gx * u + gy * v + gt) / (smoothness + gx**2 + gy**2)
        return jnp.stack([u - gx * t, v - gy * t])
    return lax.fori_loop(0, 20, step, jnp.zeros((2, 40, 48)))


@row("n(2, 20, 22, 16), n(2, 20, 22, 16, seed=1)")
def local_cost_volume(a, b, r=3):
    """Correlation of features with those displaced by up to three pixels."""
    p = jnp.pad(b, ((0, 0), (r, r), (r, r), (0, 0)))
    shifts = [(y, x) for y in range(2 * r + 1) for x in range(2 * r + 1)]
    return nn.leaky_relu(jnp.stack([(a * p[:, y : y + 20, x : x + 22]).mean(-1) for y, x in shifts], -1), 0.1)


@row("n(12, 2), n(12, 2, scale=.1, seed=1), n(31, 33)")
def thin_plate_warp(control, shift, image):
    radial = lambda a, b: (lambda d: 0.5 * d * jnp.log(d + 1e-6))(((a[:, None] - b) ** 2).sum(-1))
    p = jnp.c_[jnp.ones(12), control]
    m = jnp.block([[radial(control, control) + 0.1 * jnp.eye(12), p], [p.T, jnp.zeros((3, 3))]])
    w = jnp.linalg.solve(m, jnp.r_[control + shift, jnp.zeros((3, 2))])
    grid = jnp.stack(jnp.meshgrid(jnp.linspace(-1, 1, 31), jnp.linspace(-1, 1, 33), indexing="ij"), -1).reshape(-1, 2)
    to = radial(grid, control) @ w[:12] + jnp.c_[jnp.ones(len(grid)), grid] @ w[12:]
    at = (to + 1) * jnp.array([15.0, 16.0])
    return jax.scipy.ndimage.map_coordinates(image, list(at.T), order=1, mode="nearest").reshape(31, 33)


@row("i(256, 48, 100).astype('uint8'), i(256, 48, 100)[::-1].astype('uint8')")
def block_matching_disparity(left, right, most=16):
    """Sums of absolute differences in windows of 7 x 7, the best of 16 disparities and a test of uniqueness."""
    def cost(d):
        diff = jnp.abs(left.astype(jnp.int32) - jnp.roll(right, d, 1).astype(jnp.int32))
        return lax.reduce_window(diff, 0, lax.add, (7, 7), (1, 1), "SAME")
    volume = jax.vmap(cost)(jnp.arange(most))
    best = volume.argmin(0)
    two = -lax.top_k(-jnp.moveaxis(volume, 0, -1), 2)[0]
    return jnp.where(two[..., 0] * 20 < two[..., 1] * 19, best, -1)


@row("abs(n(60, 50, 20)), jnp.float32(.3), jnp.float32(1.2)")
def semi_global_aggregation(cost, small, large):
    """Costs (rows, columns, disparities) collected from left, right, top and bottom."""
    def along(c):
        def step(prev, here):
            p = jnp.pad(prev, ((0, 0), (1, 1)), constant_values=jnp.inf)
            low = prev.min(1, keepdims=True)
            best = jnp.minimum(jnp.minimum(prev, low + large), jnp.minimum(p[:, :-2], p[:, 2:]) + small)
            out = here + best - low
            return out, out
        return lax.scan(step, jnp.zeros(c.shape[1:]), c)[1]
    total = along(cost) + along(cost[::-1])[::-1]
    turned = cost.swapaxes(0, 1)
    total += (along(turned) + along(turned[::-1])[::-1]).swapaxes(0, 1)
    best = total.argmin(-1)
    return best, jnp.take_along_axis(total, best[..., None], -1)[..., 0]


# ---- cameras and points ----------------------------------------------------------------------------------------------

@row("n(1500, 3) + jnp.array([0., 0., 4.]), jnp.array([.02, -.01, .003, -.001])")
@row("n(120, 3) + jnp.array([0., 0., 4.]), jnp.array([.02, -.01, .003, -.001])", "vmap(jax.jacfwd({0}, (0, 1)), (0, None))")
def fisheye_projection(point, k):
    x, y, z = point[..., 0], point[..., 1], point[..., 2]
    r = jnp.sqrt(x * x + y * y + 1e-9)
    t = jnp.arctan2(r, z)
    t = t * (1 + k[0] * t**2 + k[1] * t**4 + k[2] * t**6 + k[3] * t**8)
    return jnp.stack([320 + 280 * t * x / r, 240 + 280 * t * y / r], -1)


@row("n(150, 4, 2), n(4, 3, 4, seed=1)")
def triangulated_points(seen, cameras):
    """Linear least squares for each point in four views, and how far it is from its rays."""
    rows = (seen[..., None] * cameras[:, 2:3] - cameras[:, :2]).reshape(-1, 8, 4)
    a, b = rows[..., :3], -rows[..., 3]
    x = jnp.linalg.solve(jnp.einsum("nki,nkj->nij", a, a) + 1e-2 * jnp.eye(3), jnp.einsum("nki,nk->ni", a, b)[..., None])[..., 0]
    return x, jnp.linalg.norm(jnp.einsum("nki,ni->nk", a, x) - b, axis=1)


@row("n(300, 3), n(400, 3, seed=1)")
def point_to_plane_step(source, target):
    """Normals of the target by its eight nearest points, then one step of the iterative closest point method."""
    d = ((target[:, None] - target) ** 2).sum(-1)
    near = target[lax.top_k(-d, 8)[1]]
    near = near - near.mean(1, keepdims=True)
    normal = jnp.linalg.eigh(jnp.einsum("nki,nkj->nij", near, near))[1][:, :, 0]
    match = ((source[:, None] - target) ** 2).sum(-1).argmin(1)
    nrm, gap = normal[match], target[match] - source
    j = jnp.concatenate([jnp.cross(source, nrm), nrm], 1)
    return jnp.linalg.solve(j.T @ j + 1e-2 * jnp.eye(6), j.T @ (gap * nrm).sum(-1))


@row("n(2, 256, 3), n(2, 256, 6), n(9, 16, scale=.3)", "grad({0}, 2)")
def ball_query_grouping(points, features, w):
    """PointNet++: 16 neighbours within a radius of 64 centers, a shared layer, a maximum."""
    def one(p, f):
        center = p[::4]
        d = ((center[:, None] - p) ** 2).sum(-1)
        at = jnp.sort(jnp.where(d < 0.64, jnp.arange(256), 256), 1)[:, :16]
        at = jnp.where(at == 256, at[:, :1], at)
        return nn.relu(jnp.concatenate([p[at] - center[:, None], f[at]], -1) @ w).max(1)
    return jax.vmap(one)(points, features)


# ---- detection and augmentation --------------------------------------------------------------------------------------

@row("nn.sigmoid(n(5, 60, 4)), nn.sigmoid(n(5, 60, seed=1))")
def soft_suppression(boxes, scores, sigma=0.5):
    """Gaussian soft NMS of (center, size) boxes, 20 rounds."""
    def one(b, s):
        low, high = b[:, :2] - b[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2
        area = (high - low).prod(-1)
        def pick(s, _):
            k = s.argmax()
            both = jnp.maximum(jnp.minimum(high, high[k]) - jnp.maximum(low, low[k]), 0).prod(-1)
            iou = both / (area + area[k] - both)
            return (s * jnp.exp(-(iou**2) / sigma)).at[k].set(-1), (k, s[k])
        return lax.scan(pick, s, None, length=20)[1]
    return jax.vmap(one)(boxes, scores)


@row("n(700, 4), n(700, 4, seed=1)", "grad({0})")
def complete_iou_loss(a, b):
    corners = lambda x: (x[:, :2] - jnp.exp(x[:, 2:]) / 2, x[:, :2] + jnp.exp(x[:, 2:]) / 2)
    (al, ah), (bl, bh) = corners(a), corners(b)
    both = nn.relu(jnp.minimum(ah, bh) - jnp.maximum(al, bl)).prod(-1)
    iou = both / ((ah - al).prod(-1) + (bh - bl).prod(-1) - both)
    hull = ((jnp.maximum(ah, bh) - jnp.minimum(al, bl)) ** 2).sum(-1)
    v = 4 / jnp.pi**2 * (jnp.arctan(jnp.exp(a[:, 2] - a[:, 3])) - jnp.arctan(jnp.exp(b[:, 2] - b[:, 3]))) ** 2
    alpha = lax.stop_gradient(v / (1 - iou + v + 1e-7))
    return (1 - iou + ((a[:, :2] - b[:, :2]) ** 2).sum(-1) / hull + alpha * v).mean()


@row("random.split(key, 8), nn.sigmoid(n(8, 28, 30, 3)), i(5, 8)")
def one_of_five_augmentations(keys, images, which):
    def erased(key, x):
        y0, x0 = random.randint(key, (2,), 0, 20)
        y, c = jnp.indices(x.shape[:2])
        return jnp.where(((y >= y0) & (y < y0 + 8) & (c >= x0) & (c < x0 + 9))[..., None], 0.5, x)
    def sheared(key, x):
        y, c = jnp.indices(x.shape[:2])
        at = jnp.clip(c + jnp.round((y - 14) * random.uniform(key, minval=-0.3, maxval=0.3)).astype(int), 0, 29)
        return x[y, at]
    choices = [
        lambda key, x: jnp.roll(x, random.randint(key, (2,), -3, 4), (0, 1)), erased, sheared,
        lambda key, x: jnp.clip(x + 0.1 * random.normal(key, x.shape), 0, 1),
        lambda key, x: jnp.where(x < random.uniform(key), x, 1 - x)]
    return jax.vmap(lambda k, x, w: lax.switch(w, choices, k, x))(keys, images, which)


# ---- superpixels and textures ----------------------------------------------------------------------------------------

@row("nn.sigmoid(n(48, 48, 3))")
def superpixels(image, rounds=4):
    """SLIC with 36 centers: distances in color and place, means by segments."""
    y, x = jnp.mgrid[:48, :48] / 8.0
    points = jnp.concatenate([image * 3, y[..., None], x[..., None]], -1).reshape(-1, 5)
    start = points.reshape(6, 8, 6, 8, 5)[:, 4, :, 4].reshape(36, 5)
    def step(center, _):
        d = (points**2).sum(1)[:, None] - 2 * points @ center.T + (center**2).sum(1)
        label = d.argmin(1)
        count = jax.ops.segment_sum(jnp.ones(len(points)), label, 36)
        return jax.ops.segment_sum(points, label, 36) / jnp.maximum(count, 1)[:, None], d.min(1).mean()
    return lax.scan(step, start, None, length=rounds)


@row("n(1, 32, 32, 3), n(3, 3, 3, 16, scale=.2), n(3, 3, 16, 32, scale=.1), n(16, 16), n(32, 32)", "jax.value_and_grad({0})")
def texture_loss(x, w1, w2, g1, g2):
    """Gram matrices of two layers' features against those of an example."""
    conv = lambda x, w, s: nn.relu(lax.conv_general_dilated(x, w, (s, s), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
    gram = lambda f: jnp.einsum("bhwc,bhwd->cd", f, f) / (f.shape[1] * f.shape[2])
    a = conv(x, w1, 1)
    b = conv(a, w2, 2)
    return ((gram(a) - g1) ** 2).mean() + ((gram(b) - g2) ** 2).mean()


@row("n(33, 33, 2)", "lambda s: {0}(s, 5)")
def fractal_gradient_noise(slope, octaves):
    """Perlin's noise on 96 x 96 pixels, octaves added; slopes wrap around."""
    slope = normalize(slope)
    y, x = jnp.mgrid[0:4:96j, 0:4:96j]
    def noise(y, x):
        y0, x0 = jnp.floor(y).astype(int), jnp.floor(x).astype(int)
        fy, fx = y - y0, x - x0
        dot = lambda i, j: (slope[(y0 + i) % 33, (x0 + j) % 33] * jnp.stack([fy - i, fx - j], -1)).sum(-1)
        fade = lambda t: t**3 * (t * (6 * t - 15) + 10)
        u, v = fade(fy), fade(fx)
        return (dot(0, 0) * (1 - v) + dot(0, 1) * v) * (1 - u) + (dot(1, 0) * (1 - v) + dot(1, 1) * v) * u
    return sum(0.5**k * noise(y * 2**k, x * 2**k) for k in range(octaves))


ROWS = [
    "lambda x: (x.astype('float32') / 255) ** 2.2 @ jnp.array([[.393, .349, .272], [.769, .686, .534], [.189, .168, .131]])"
    " @@ i(256, 60, 80, 3).astype('uint8')",
    "lambda x: jnp.floor(x * 4 + jnp.tile(jnp.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16, (16, 20)))"
    " @@ nn.sigmoid(n(64, 80))",
    "lambda p, m: (lambda h: h[..., :3] / (5 + jnp.abs(h[..., 3:])))(jnp.pad(p, ((0, 0), (0, 1)), constant_values=1) @ m.T)"
    " @@ n(5000, 3), n(4, 4) + 3",
]
