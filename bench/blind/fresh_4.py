"""fresh_4.py: pictures, sound, waves, geometry, clouds of points, rays, robots' senses, layers and distributions as libraries write them,
transformations of functions, sparse matrices; one-liners of odd shapes and types."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    "lambda x: (x[:, 1:, :-1].astype('int16') - x[:, :-1, 1:]).clip(-9, 9).sum(0) @@ i(256, 5, 83, 91).astype('uint8')",
    "lambda x: image.resize(x.astype('float32'), (33, 71, 3), 'linear').round().astype('uint8') @@ i(256, 47, 53, 3).astype('uint8')",
    "lambda x, k: lax.conv(x, k, (3, 2), 'SAME').astype('bfloat16') @@ n(2, 5, 31, 44, dtype='bfloat16'), n(9, 5, 4, 3, dtype='bfloat16')",
    "lambda x, k: lax.conv_transpose(x, k, (2, 3), 'VALID', dimension_numbers=('NHWC', 'HWIO', 'NHWC')) @@ n(2, 13, 9, 6), n(3, 5, 6, 4)",
    "lambda x: fft.irfft(fft.rfft(x, axis=1) * jnp.linspace(1, 0, 101)[:, None], 200, axis=1)[:, ::7] @@ n(3, 200, 17)",
    "lambda x, w: jnp.abs(fft.fft(x.reshape(-1, 45) * w, axis=1)).astype('float16').max(0) @@ n(4050), jnp.hanning(45)",
    "lambda x: jnp.pad(x, ((0, 0), (7, 9)), mode='reflect')[:, 3:-5:4] * jnp.pad(x, ((0, 0), (7, 9)), mode='wrap')[:, 3:-5:4] @@ n(61, 301)",
    "lambda p, t: (lambda a, b, c: jnp.linalg.norm(jnp.cross(b - a, c - a), axis=1).sum() / 2)(*p[t].swapaxes(0, 1)) @@ n(201, 3), i(201, 999, 3)",
    "lambda d: nn.softplus(d).min(1) - jnp.sqrt((d ** 2).sum(-1, where=d > 0) + 1e-3) @@ n(3001, 5)",
    "vmap(vmap(lambda x, y: (x - y) @ (x - y), (None, 0)), (0, None)) @@ n(71, 6), n(67, 6)",
    "grad(lambda x, k: lax.conv_general_dilated(x, k, (1,), 'SAME', rhs_dilation=(4,)) ** 2, (0, 1)) @@ n(3, 8, 99), n(8, 8, 3)",
    "grad(lambda x: lax.reduce_window(x, 0., lax.add, (1, 3, 3, 1), (1, 2, 2, 1), 'SAME') ** 2) @@ n(2, 27, 31, 5)",
    "lambda x: jax.linearize(lambda v: v / jnp.linalg.norm(v, axis=-1, keepdims=True), x)[1](x[::-1]) @@ n(2111, 11)",
    "lambda x: jax.vjp(lambda v: lax.top_k(v, 3)[0], x)[1](jnp.ones((401, 3)))[0] @@ n(401, 33)",
    "lambda x, s: sparse.BCOO.fromdense(s, nse=700) @ x @@ n(53, 9), n(61, 53) * (n(61, 53) > .8)",
    "f64: lambda t: jnp.stack([jnp.cos(k * jnp.arccos(t)) for k in range(9)], -1).sum(0) @@ jnp.tanh(n(601, dtype='float64'))",
    "lambda z, n_: z ** n_ / (1 + jnp.abs(z) ** n_.real) @@ lax.complex(n(501), n(501, seed=1)), jnp.full(501, 3.).astype('complex64')",
    "lambda x: (x.view('uint32') >> 16).astype('uint16').view('bfloat16').astype('float32') - x @@ n(97, 103)",
    "lambda x: lax.bitcast_convert_type(x, 'uint8').reshape(-1, 4).sum(0, dtype='uint32') @@ n(31, 301)",
    "lambda q: jnp.round(q.astype('float32') * .037 + 3).clip(0, 15).astype('uint4').astype('int8').sum(1) @@ (i(255, 41, 203) - 127).astype('int8')",
    "lambda a: jnp.einsum('tij,tjk->ik', a, a[::-1])[None] + lax.associative_scan(jnp.matmul, a / 2) @@ n(33, 4, 4)",
    "lambda x: jax.named_call(lambda x: x / (1e-6 + x.sum((1, 2, 3), keepdims=True)), name='n')(abs(x)).max(4) @@ n(3, 7, 5, 9, 11)",
    "lambda x: jnp.sign(x) * jnp.log1p(jnp.abs(x)) + jnp.cbrt(x).mean(0, keepdims=True) @@ n(57, 133, dtype='float16')",
    "lambda y, x: jnp.linalg.lstsq(jnp.vander(x, 5), y)[0] @@ n(211, 3), n(211)",
    "lambda t: jnp.where((t[..., None] >= jnp.arange(7)) & (t[..., None] < jnp.arange(7) + 1), 1 - t[..., None] % 1, 0).sum(0) @@ abs(n(301, 5)) * 3",
    "lambda s, x: s @ jnp.swapaxes(x, 1, 2).reshape(-1, 29)[:83] @@ n(7, 83), n(5, 29, 31)",
    "lambda x: x.at[jnp.triu_indices(29, 3)].set(0).sum(0) + x[jnp.diag_indices(29)] @@ n(29, 29, 40)",
    "lambda m: jnp.where(m, 1., 0.).cumsum(1).cumsum(0)[9:, 9:] * (jnp.where(m, 2, 1).prod(1, dtype='uint32') % 7)[9:, None] @@ n(83, 57) > 0",
    "grad(lambda f, p: js.ndimage.map_coordinates(f, p, 1, mode='nearest') ** 2, (0, 1)) @@ n(31, 37), abs(n(2, 303)) * 9",
    "lambda x: jax.lax.scan(lambda c, x: (lax.cond(x[0] > 0, lambda: c + x, lambda: c * .5), c.max()), x[0], x)[1] @@ n(4000, 8)",
    "lambda a, b: lax.dot_general(a, b, (((0, 3), (1, 0)), ((1,), (2,)))) @@ n(7, 5, 13, 11), n(11, 7, 5, 17)",
    "lambda x, d: lax.batch_matmul(x.swapaxes(1, 2), x) / jnp.maximum(d, 1)[:, None, None] @@ n(41, 17, 9, dtype='bfloat16'), i(9, 41)",
    "lambda s, x: lax.platform_dependent(s, x, default=lambda s, x: jnp.matvec(s, x) + jnp.vecdot(x, x)[:, None]) @@ n(61, 9, 9), n(61, 9)",
    "lambda x, k: jnp.vectorize(lambda a, b: jnp.convolve(a, b, 'same'), signature='(n),(m)->(n)')(x, k) @@ n(4, 7, 60), n(7, 5)",
    "lambda x: x.reshape(3, 6, 5, 7, 4).transpose(0, 4, 2, 1, 3)[:, ::-1].reshape(12, -1).astype('float8_e5m2').astype('float32') @@ n(90, 28)",
    "lambda x, b: jnp.where(b[:, None, None], x, jnp.flip(x, (1, 2))).mean(0) * jnp.float16(.5) @@ n(23, 41, 43, dtype='float16'), n(23) > 0",
    "f64: vmap(lambda r, x: jnp.interp(x, jnp.arange(31.), r, left=0., right=1.)) @@ n(17, 31, dtype='float64'), abs(n(17, 203, dtype='float64')) * 11",
    "lambda p, h: (lambda q: q[..., :2] / (jnp.abs(q[..., 2:]) + .1))(jnp.einsum('bij,bnj->bni', h, jnp.concatenate([p, p[..., :1] * 0 + 1], -1)))"
    " @@ n(9, 207, 2), n(9, 3, 3)",
    "lambda x: lax.reduce(x.astype('bfloat16'), jnp.bfloat16(0), lax.add, (0, 2)) @@ n(33, 47, 29)",
    "lambda x, w: vmap(jnp.matmul, (3, None), 1)(x, w)[:, 0] @@ n(5, 7, 31, 9), n(31, 8)",
    "jax.jacrev(lambda p: jnp.stack([jnp.cos(p[0]) * p[1], jnp.sin(p[0]) * p[1], p[2] * p.sum()]).prod() * p) @@ n(161)",
    "lambda x: (lambda m: jnp.where(m, 0, x).sum(1) / jnp.maximum((~m).sum(1), 1))(jnp.abs(x - jnp.median(x, 1, keepdims=True)) > 1) @@ n(203, 45)",
    "lambda z: jnp.stack([z.real, z.imag], -1).reshape(-1, 6).max(1) + jnp.abs(z[::3]) @@ lax.complex(n(3003), n(3003, seed=1))",
    "lambda x: fft.ifftshift(fft.fft2(fft.fftshift(x, (1, 2))), (1, 2)).imag[:, ::2, 1::2] @@ n(3, 30, 42).astype('complex64')",
    "lambda x, y: jnp.where(jnp.isclose(x, y, atol=.3), 1, jnp.sign(x - y)).astype('int8').sum(1, dtype='int32') @@ n(131, 77), n(77)",
    "lambda k, x: x * random.bernoulli(k, .8, (1, 1, 40)) + random.truncated_normal(k, -1., 1., (7, 1, 40)) @@ key, n(7, 33, 40)",
    "lambda x: lax.fori_loop(0, 170, lambda k, s: s.at[k % 9].add(x[k] @ s / 99), jnp.eye(9)) @@ n(170, 9)",
    "lambda x, y: lax.conv_general_dilated(x.astype('int8'), y.astype('int8'), (1, 1), 'VALID', preferred_element_type='int32') @@"
    " i(90, 2, 3, 25, 27), i(90, 5, 3, 3, 3)",
    "lambda x: jnp.ravel(x, order='F')[5::3] * x.T.ravel()[5::3] + x[-1, -1] @@ n(113, 127)",
    "lambda a, b, c: jnp.linalg.multi_dot([a, b, c, a]) @@ n(61, 7), n(7, 303), n(303, 61)",
]


# ---- pictures -----------------------------------------------------------------------------------------------------------------

@row("i(256, 3, 48, 56, 3).astype('uint8'), random.key(0)")
def photos_cropped_turned_and_toned(x, key):
    def one(x, key):
        k = random.split(key, 4)
        y, z = random.randint(k[0], (2,), 0, 9)
        x = lax.dynamic_slice(x, (y, z, 0), (40, 40, 3)).astype(jnp.float32) / 255
        x = jnp.where(random.bernoulli(k[1]), x[:, ::-1], x)
        x = lax.switch(random.randint(k[2], (), 0, 4), [lambda v: v, lambda v: jnp.rot90(v), lambda v: v[::-1], lambda v: jnp.rot90(v, 3)], x)
        gray = x @ jnp.array([0.299, 0.587, 0.114])
        return gray[..., None] + random.uniform(k[3], (), minval=0.5, maxval=1.5) * (x - gray[..., None])
    return jax.vmap(one)(x, random.split(key, 3))


@row("nn.sigmoid(n(61, 67))")
def edges_thinned_along_gradient(x):
    k = jnp.array([1.0, 2, 1])
    smooth = lambda a, axis: sum(k[j] * jnp.roll(a, j - 1, axis) for j in range(3)) / 4
    gx, gy = jnp.gradient(smooth(smooth(x, 0), 1))
    m = jnp.hypot(gx, gy)
    way = jnp.round(jnp.arctan2(gy, gx) / jnp.pi * 4).astype(jnp.int32) % 4
    pairs = jnp.stack([jnp.maximum(jnp.roll(m, s, (0, 1)), jnp.roll(m, (-s[0], -s[1]), (0, 1))) for s in ((1, 0), (1, 1), (0, 1), (-1, 1))])
    other = jnp.take_along_axis(pairs, way[None], 0)[0]
    return jnp.where(m >= other, m, 0)


@row("nn.sigmoid(n(40, 44, 3)), nn.sigmoid(n(40, 44, 3, seed=1))")
@row("nn.sigmoid(n(40, 44, 3)), nn.sigmoid(n(40, 44, 3, seed=1))", "grad({0})")
def likeness_of_pictures_in_windows(a, b):
    box = lambda x: lax.reduce_window(x, 0.0, lax.add, (7, 7, 1), (1, 1, 1), "VALID") / 49
    ma, mb = box(a), box(b)
    va, vb, cov = box(a * a) - ma ** 2, box(b * b) - mb ** 2, box(a * b) - ma * mb
    return ((2 * ma * mb + 1e-4) * (2 * cov + 9e-4) / ((ma ** 2 + mb ** 2 + 1e-4) * (va + vb + 9e-4))).mean()


@row("i(256, 64, 72).astype('uint8')")
def picture_in_blocks_of_cosines(x):
    k = jnp.arange(8)
    c = jnp.cos(jnp.pi * (k + 0.5) * k[:, None] / 8) * jnp.where(k == 0, 8 ** -0.5, 0.5)[:, None]
    b = x.astype(jnp.float32).reshape(8, 8, 9, 8).transpose(0, 2, 1, 3) - 128
    q = 10 + 3 * (k[:, None] + k)
    coded = jnp.round(c @ b @ c.T / q).astype(jnp.int8)
    back = c.T @ (coded * q) @ c + 128
    return coded, jnp.clip(back, 0, 255).astype(jnp.uint8).transpose(0, 2, 1, 3).reshape(64, 72), (coded == 0).mean()


@row("i(256, 55, 59), i(256, 4, 3)")
def palette_chosen_with_carried_error(x, palette):
    levels = jnp.sort(palette[:, 0]).astype(jnp.float32)
    def line(error, r):
        def pixel(s, t):
            left, _ = s
            v = t[0] + t[1] + left
            out = levels[jnp.argmin(jnp.abs(levels - v))]
            e = v - out
            return (e * 7 / 16, e), (out, e)
        _, (out, e) = lax.scan(pixel, (0.0, 0.0), (r.astype(jnp.float32), error))
        return (5 * e + 3 * jnp.pad(e[1:], (0, 1)) + jnp.pad(e[:-1], (1, 0))) / 16, out.astype(jnp.uint8)
    return lax.scan(line, jnp.zeros(59), x)[1]


@row("nn.sigmoid(n(2, 50, 60))")
def background_levelled_by_local_range(x):
    low = -lax.reduce_window(-x, -jnp.inf, lax.max, (1, 9, 9), (1, 1, 1), "SAME")
    high = lax.reduce_window(x, -jnp.inf, lax.max, (1, 9, 9), (1, 1, 1), "SAME")
    flat = (x - low) / (high - low + 1e-3)
    total = jnp.pad(flat, ((0, 0), (1, 0), (1, 0))).cumsum(1).cumsum(2)
    mean = (total[:, 8:, 8:] - total[:, :-8, 8:] - total[:, 8:, :-8] + total[:, :-8, :-8]) / 64
    return flat[:, 4:-3, 4:-3] > mean * 0.9


@row("n(30, 34) > .7, n(30, 34)")
def blobs_numbered_and_measured(mask, value):
    start = jnp.where(mask, jnp.arange(1, 1021).reshape(30, 34), 0)
    def grow(s):
        near = lax.reduce_window(s[0], 0, lax.max, (3, 3), (1, 1), "SAME")
        return jnp.where(mask, near, 0), s[0]
    label, _ = lax.while_loop(lambda s: (s[0] != s[1]).any(), grow, grow((start, start)))
    size = jnp.bincount(label.ravel(), length=1021)
    mass = jax.ops.segment_sum(value.ravel(), label.ravel(), 1021)
    return label, lax.top_k(size[1:], 5), mass / jnp.maximum(size, 1)


@row("n(8, 12, 14, 4), n(8, 6)")
@row("n(8, 12, 14, 4), n(8, 6)", "grad({0}, (0, 1))")
def features_moved_by_learned_affinity(x, theta):
    a = jnp.eye(2, 3) + 0.1 * theta.reshape(8, 2, 3)
    y, z = jnp.meshgrid(jnp.linspace(-1, 1, 12), jnp.linspace(-1, 1, 14), indexing="ij")
    p = jnp.einsum("bij,jyx->biyx", a, jnp.stack([y, z, jnp.ones_like(y)]))
    at = (p + 1) / 2 * jnp.array([11.0, 13.0])[:, None, None]
    low = jnp.floor(lax.stop_gradient(at))
    f = at - low
    out = 0
    for dy in (0, 1):
        for dx in (0, 1):
            r, c = jnp.clip(low[:, 0] + dy, 0, 11).astype(jnp.int32), jnp.clip(low[:, 1] + dx, 0, 13).astype(jnp.int32)
            w = jnp.abs(1 - dy - f[:, 0]) * jnp.abs(1 - dx - f[:, 1])
            out = out + w[..., None] * x[jnp.arange(8)[:, None, None], r, c]
    return out


# ---- sound and waves -----------------------------------------------------------------------------------------------------------------

@row("n(2, 4096)")
def chroma_of_overlapping_frames(x):
    at = jnp.arange(29)[:, None] * 128 + jnp.arange(512)
    power = jnp.abs(jnp.fft.rfft(x[:, at] * jnp.hanning(512))) ** 2
    f = jnp.arange(1, 257) * 16000 / 512
    pitch = jnp.round(12 * jnp.log2(f / 440)).astype(jnp.int32) % 12
    chroma = jax.vmap(jax.vmap(lambda p: jax.ops.segment_sum(p, pitch, 12)))(power[..., 1:])
    flux = nn.relu(jnp.diff(jnp.log1p(power), axis=1)).sum(-1)
    return chroma / chroma.max(-1, keepdims=True), flux, flux.argmax(1)


@row("n(3, 1500), abs(n(3, 1500)) * .2 + .05")
def filter_of_two_states_with_moving_cutoff(x, cutoff):
    g = jnp.tan(jnp.minimum(cutoff, 1.2) / 2)
    def step(s, t):
        low, band = s
        x, g = t
        high = (x - (1.2 + g) * band - low) / (1 + 1.2 * g + g * g)
        b = band + g * high
        l = low + g * b
        return (l + g * b, b + g * high), l
    return lax.scan(step, (jnp.zeros(3), jnp.zeros(3)), (x.T, g.T))[1].T


@row("n(2048), n(2048, seed=1)")
def delay_found_by_whitened_correlation(a, b):
    fa, fb = jnp.fft.rfft(a, 4096), jnp.fft.rfft(b, 4096)
    cross = fa * fb.conj()
    r = jnp.fft.irfft(cross / (jnp.abs(cross) + 1e-6))
    r = jnp.concatenate([r[-200:], r[:200]])
    k = jnp.clip(r.argmax(), 1, 398)
    part = (r[k - 1] - r[k + 1]) / (2 * (r[k - 1] - 2 * r[k] + r[k + 1]) + 1e-9)
    return k - 200 + part, r


@row("n(5, 1200), random.key(0)")
def tape_echo_with_saturation_and_hiss(x, key):
    hiss = 0.01 * random.normal(key, x.shape)
    def step(s, t):
        line, low = s
        x, h = t
        out = line[:, 0]
        low = 0.7 * low + 0.3 * out
        return (jnp.concatenate([line[:, 1:], jnp.tanh(x + 0.6 * low + h)[:, None]], 1), low), x + 0.5 * out
    return lax.scan(step, (jnp.zeros((5, 97)), jnp.zeros(5)), (x.T, hiss.T))[1].T


@row("n(40, 256), n(16, 256)")
def atoms_picked_greedily(x, atoms):
    atoms = atoms / jnp.linalg.norm(atoms, axis=1, keepdims=True)
    def step(s, _):
        r, code = s
        c = r @ atoms.T
        k = jnp.abs(c).argmax(1)
        v = jnp.take_along_axis(c, k[:, None], 1)
        return (r - v * atoms[k], code.at[jnp.arange(40), k].add(v[:, 0])), (r * r).sum(1)
    return lax.scan(step, (x, jnp.zeros((40, 16))), None, length=7)


@row("n(4, 600, 2), i(600, 4, 90), n(5, 40, scale=.2)")
def lines_delayed_by_channel_and_summed(x, arrival, taps):
    z = lax.complex(x[..., 0], x[..., 1])
    window = (arrival[..., None] + jnp.arange(40)) % 600
    part = jnp.take_along_axis(z[:, None], window, 2)
    beam = jnp.einsum("cbk,tk->tcb", part, taps)
    return jnp.abs(beam.sum(1)), jnp.angle((beam[:, 1:] * beam[:, :-1].conj()).sum((0, 1)))


# ---- geometry, clouds, rays -------------------------------------------------------------------------------------------------------------

@row("n(150, 3), n(130, 3, seed=1)")
def cloud_fitted_to_cloud_by_pairs(a, b):
    def step(s, _):
        x, error = s
        near = ((x[:, None] - b) ** 2).sum(-1)
        y = b[near.argmin(1)]
        mx, my = x.mean(0), y.mean(0)
        u, _, v = jnp.linalg.svd((x - mx).T @ (y - my))
        flip = jnp.array([1.0, 1.0, 0.0]) + jnp.array([0, 0, 1.0]) * jnp.sign(jnp.linalg.det(u @ v))
        return ((x - mx) @ (u * flip) @ v + my, near.min(1).mean()), error
    return lax.scan(step, (a, 0.0), None, length=6)


@row("n(31, 8, 2), n(500, 2)")
def points_inside_any_polygon(polygon, p):
    a, b = polygon, jnp.roll(polygon, -1, 1)
    x, y = p[:, None, None, 0], p[:, None, None, 1]
    cross = (a[..., 1] > y) != (b[..., 1] > y)
    at = (b[..., 0] - a[..., 0]) * (y - a[..., 1]) / jnp.where(b[..., 1] == a[..., 1], 1, b[..., 1] - a[..., 1]) + a[..., 0]
    inside = (cross & (x < at)).sum(-1) % 2 == 1
    area = 0.5 * jnp.abs((a[..., 0] * b[..., 1] - b[..., 0] * a[..., 1]).sum(1))
    return inside.sum(0), inside.any(1), area


@row("n(24, 30, 3)", "vmap({0})")
def smallest_ball_around_points(x):
    def step(c, k):
        d = ((x - c) ** 2).sum(1)
        return c + (x[d.argmax()] - c) / (k + 2), d.max()
    c, path = lax.scan(step, x.mean(0), jnp.arange(60))
    return c, jnp.sqrt(path[-1])


@row("n(40, 50, 3), n(12, 3), abs(n(12)) + .2")
def spheres_lit_with_one_bounce(direction, centre, radius):
    d = direction / jnp.linalg.norm(direction, axis=-1, keepdims=True)
    def trace(o, d):
        oc = o[..., None, :] - centre
        b = (oc * d[..., None, :]).sum(-1)
        disc = b * b - (oc * oc).sum(-1) + radius ** 2
        t = -b - jnp.sqrt(jnp.maximum(disc, 0))
        t = jnp.where((disc > 0) & (t > 1e-3), t, 1e4)
        return t.min(-1), t.argmin(-1)
    light, o = 0.0, jnp.zeros_like(d)
    for k in range(2):
        t, which = trace(o, d)
        hit = t < 1e4
        p = o + t[..., None] * d
        normal = (p - centre[which]) / radius[which][..., None]
        light = light + jnp.where(hit, nn.relu(normal[..., 1]) * 0.5 ** k, 0.1)
        o = jnp.where(hit[..., None], p, o)
        d = jnp.where(hit[..., None], d - 2 * (d * normal).sum(-1, keepdims=True) * normal, d)
    return light


@row("n(300, 3), n(63, 32, scale=.3), n(32, 4, scale=.3)", "vmap(jax.value_and_grad(lambda x, a, b: {0}(x, a, b)[0]), (0, None, None))")
@row("n(20, 32, 3), n(63, 32, scale=.3), n(32, 4, scale=.3)", "lambda x, a, b: nn.sigmoid({0}(x, a, b)[..., 1:])")
def field_of_encoded_places(x, w1, w2):
    a = x[..., None, :] * 2.0 ** jnp.arange(10)[:, None]
    e = jnp.concatenate([x, jnp.sin(a).reshape(*x.shape[:-1], 30), jnp.cos(a).reshape(*x.shape[:-1], 30)], -1)
    return nn.softplus(e @ w1) @ w2


@row("nn.softplus(n(200, 48)), nn.sigmoid(n(200, 48, 3)), jnp.sort(abs(n(200, 48)), 1)", "jax.value_and_grad(lambda *a: {0}(*a).sum(), (0, 1))")
def colours_gathered_along_rays(density, colour, t):
    gap = jnp.diff(t, axis=1, append=t[:, -1:] + 0.1)
    alpha = 1 - jnp.exp(-density * gap)
    left = jnp.cumprod(jnp.concatenate([jnp.ones((200, 1)), 1 - alpha[:, :-1] + 1e-10], 1), 1)
    w = alpha * left
    return jnp.concatenate([(w[..., None] * colour).sum(1) + 1 - w.sum(1, keepdims=True), (w * t).sum(1, keepdims=True)], 1)


@row("n(60, 2), n(60, 2, seed=1), n(60, 2, seed=2)")
def curves_of_third_degree_flattened(a, b, c):
    t = jnp.linspace(0, 1, 33)[:, None, None]
    p = (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t * t * (1 - t) * c + t ** 3 * jnp.roll(a, -1, 0)
    d = jnp.diff(p, axis=0)
    length = jnp.linalg.norm(d, axis=-1)
    turn = jnp.arctan2(d[:-1, :, 0] * d[1:, :, 1] - d[:-1, :, 1] * d[1:, :, 0], (d[:-1] * d[1:]).sum(-1))
    return length.cumsum(0), jnp.abs(turn).max(0), p.min((0, 1)), p.max((0, 1))


@row("i(90, 160, 3), n(90, 3)")
def mesh_relaxed_with_normals(face, x):
    def step(x, _):
        a, b, c = x[face[:, 0]], x[face[:, 1]], x[face[:, 2]]
        n = jnp.cross(b - a, c - a)
        total = jnp.zeros((90, 4)).at[face].add(jnp.pad((a + b + c) / 3, ((0, 0), (0, 1)), constant_values=1)[:, None])
        normal = jnp.zeros((90, 3)).at[face].add(n[:, None])
        mean = total[:, :3] / jnp.maximum(total[:, 3:], 1)
        normal = normal / (jnp.linalg.norm(normal, axis=1, keepdims=True) + 1e-6)
        return jnp.where(total[:, 3:] > 0, x + 0.3 * (mean - x - ((mean - x) * normal).sum(1, keepdims=True) * normal), x), None
    return lax.scan(step, x, None, length=8)[0]


@row("n(360), n(60, 3), i(2, 40, 50)")
def scan_scored_against_map_from_many_poses(ranges, poses, grid):
    angle = jnp.arange(360) * jnp.pi / 180
    r = 5 + jnp.abs(ranges)
    a = angle + poses[:, 2:]
    x, y = poses[:, :1] + r * jnp.cos(a) + 20, poses[:, 1:2] + r * jnp.sin(a) + 25
    inside = (x >= 0) & (x < 40) & (y >= 0) & (y < 50)
    hit = grid[jnp.clip(x, 0, 39).astype(jnp.int32), jnp.clip(y, 0, 49).astype(jnp.int32)]
    score = jnp.where(inside, hit, 0).mean(1)
    return score, (nn.softmax(9 * score)[:, None] * poses).sum(0)


# ---- layers and distributions of libraries ----------------------------------------------------------------------------------------------------

@row("n(1, 9, 11, 12), n(3, 3, 1, 24, scale=.3), n(24, 12, scale=.2), n(24), n(24)", "jax.value_and_grad(lambda *a: ({0}(*a) ** 2).mean(), (0, 1, 2, 3))")
def depthwise_then_pointwise_with_stripes(x, kernel, mix, gain, shift):
    h = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", feature_group_count=12, dimension_numbers=("NHWC", "HWIO", "NHWC"))
    mean = h.mean((0, 1, 2))
    var = jnp.maximum((h * h).mean((0, 1, 2)) - mean ** 2, 0)
    h = jnp.clip((h - mean) * lax.rsqrt(var + 1e-3) * gain + shift, 0, 6)
    pool = jnp.concatenate([h.mean(1, keepdims=True) + h.mean(2, keepdims=True)])
    return x + (h * nn.hard_sigmoid(pool)) @ mix


@row("n(9, 14, 20), n(20, 60, scale=.2), n(14, 14), i(14, 9) + 1", "grad({0}, 1)")
def masked_encoder_pooled_by_attention(x, w, bias, length):
    ok = jnp.arange(14) < length[:, None]
    q, k, v = jnp.split(x @ w, 3, -1)
    s = jnp.where(ok[:, None], q @ k.mT / 20 ** 0.5 + bias, -1e9)
    h = x + nn.softmax(s) @ v
    score = jnp.where(ok, h.sum(-1), -1e9)
    return jnp.einsum("bt,btd->bd", nn.softmax(score), h)


@row("n(50, 7), n(7, 5), n(5), n(7, 12, scale=.4), n(12, 21, scale=.2)")
def couplings_then_log_density(x, w, b, a, c):
    logdet = jnp.zeros(50)
    for k in range(3):
        x = jnp.roll(x, 2, 1)
        h = jnp.tanh(x.at[:, 3:].set(0) @ a) @ c
        scale = jnp.tanh(h[:, 3:7])
        x = x.at[:, 3:].set(x[:, 3:] * jnp.exp(scale) + h[:, 10:14])
        logdet = logdet + scale.sum(1)
    z = nn.log_softmax(b + x @ w)
    return (-0.5 * x ** 2 - 0.919).sum(1) + logdet, nn.logsumexp(z - 0.5 * (x[:, :5] - b) ** 2, 1)


@row("n(80, 4, 3), n(80, 4, 3, seed=1), n(80, 4)")
def mixture_of_angles_and_scales(mean, raw, logits):
    kappa = nn.softplus(raw)
    log_bessel = jnp.log(jax.scipy.special.i0e(kappa)) + kappa
    lp = (kappa * jnp.cos(1.0 - mean) - log_bessel - jnp.log(2 * jnp.pi)).sum(-1)
    return nn.logsumexp(nn.log_softmax(logits) + lp, 1), nn.softmax(logits + lp)


@row("random.key(0), abs(n(60, 5)) + .3")
def draws_reparametrized_and_entropy(key, a):
    g = random.loggamma(key, a)
    x = nn.softmax(g)
    total = a.sum(1)
    lnb = jax.scipy.special.gammaln(a).sum(1) - jax.scipy.special.gammaln(total)
    psi = jax.scipy.special.digamma
    return x, lnb + (total - 5) * psi(total) - ((a - 1) * psi(a)).sum(1)


@row("n(33, 10, 3), n(33, 10, 5, seed=1), n(3, 5, 7, scale=.4)")
def vectors_and_matrices_that_turn_together(v, s, w):
    inner = jnp.einsum("nci,ndi->ncd", v, v)
    outer = v[..., :, None] * v[..., None, :] - jnp.eye(3) * (v * v).sum(-1)[..., None, None] / 3
    gate = nn.sigmoid(jnp.einsum("nca,iak->nck", s, w)[..., :1])
    cross = jnp.cross(v, jnp.roll(v, 1, 1))
    return gate * v + cross, jnp.einsum("ncij,ncj->nci", outer, v), nn.silu(inner).mean(-1)


@row("n(25, 6, 9), n(6, 9, 9, scale=.3)", "jax.value_and_grad(lambda x, w: {0}(x, w).mean(), 1)")
def layer_as_fixed_point_by_own_rule(x, w):
    def one(x, w):
        f = lambda z: jnp.tanh(z @ (w / (1 + jnp.abs(w).sum(1).max())) + x)
        z = lax.stop_gradient(lax.fori_loop(0, 20, lambda _, z: f(z), jnp.zeros_like(x)))
        z = f(z)
        return f(f(z))
    return jax.vmap(one, (1, 0), 1)(x, w)


@row("n(40, 6), n(6, 6, scale=.3), n(6, scale=.3)", "vmap(lambda x, a, b: jax.jvp(jax.grad(lambda x: {0}(x, a, b)), (x,), (jnp.ones(6),)), (0, None, None))")
@row("n(6), n(6, 6, scale=.3), n(6, scale=.3)", "jax.jacfwd(jax.hessian({0}))")
def energy_convex_by_squares(x, a, b):
    h = nn.softplus(x @ a + b)
    h = nn.softplus(h @ (a * a) + x * b)
    return h.sum() + 0.5 * x @ x


@row("i(200, 2, 1300), n(1300), n(200, 4)")
def ranks_settled_over_sparse_links(at, value, x):
    w = jnp.abs(value) / jnp.zeros(200).at[at[1]].add(jnp.abs(value)).clip(1e-6)[at[1]]
    def step(s):
        x, _, k = s
        y = 0.85 * jnp.zeros_like(x).at[at[0]].add(w[:, None] * x[at[1]]) + 0.15 / 200
        return y, jnp.abs(y - x).max(), k + 1
    y, gap, k = lax.while_loop(lambda s: (s[1] > 1e-5) & (s[2] < 80), step, (nn.softmax(x, 0), 1.0, 0))
    return y, k, lax.top_k(y.T, 3)[1]


@row("n(257, 64), i(64, 257, 6), n(50, 64)")
def rows_in_fixed_width_from_both_sides(value, column, x):
    v = value[:, :6]
    y = jnp.einsum("rk,brk->br", v, x[:, column])
    return y, jnp.zeros((50, 64)).at[:, column].add(v * y[..., None])


@row("i(2, 6, 5)")
def register_sequences_and_their_correlation(seed):
    def step(s, _):
        new = s[:, 4] ^ s[:, 1]
        return jnp.concatenate([new[:, None], s[:, :4]], 1), s[:, 4]
    start = seed.at[:, 0].set(1)
    bits = lax.scan(step, start, None, length=62)[1].T
    chips = 1 - 2 * bits.astype(jnp.float32)
    f = jnp.fft.rfft(chips[:, :31])
    return jnp.round(jnp.fft.irfft(f[:, None] * f.conj(), 31))


# ---- tokens, agents and loops, briefly ------------------------------------------------------------------------------------------------------------

@row("n(4, 33, 6, 20, dtype='bfloat16'), jnp.arange(33) + 900")
@row("n(48, 1, 6, 20, dtype='bfloat16'), i(900, 1)")
def halves_turned_with_stretched_waves(x, position):
    f = 1e4 ** (-jnp.arange(10) / 10)
    wave = 2 * jnp.pi / f
    f = jnp.where(wave > 500, f / 8, jnp.where(wave < 60, f, f * (1 - (wave - 60) / 440 * 7 / 8)))
    a = position[:, None] * f
    c, s = jnp.cos(a)[:, None], jnp.sin(a)[:, None]
    l, r = jnp.split(x.astype(jnp.float32), 2, -1)
    return jnp.concatenate([l * c - r * s, r * c + l * s], -1).astype(x.dtype)


@row("n(3, 96, 2, 24, dtype='float16'), n(3, 96, 2, 24, dtype='float16'), n(3, 1, 2, 24, dtype='float16'), i(90, 3)")
def cache_kept_as_bytes_with_new_entry(k, v, q, at):
    scale = jnp.abs(k).max(-1, keepdims=True) / 127
    k8 = jnp.round(k / scale).astype(jnp.int8)
    k8 = jax.vmap(lambda c, n, t: lax.dynamic_update_slice(c, n, (t, 0, 0)))(k8, jnp.clip(q * 40, -127, 127).astype(jnp.int8), at)
    s = jnp.einsum("bqhd,bthd->bhqt", q.astype(jnp.float32), k8.astype(jnp.float32) * scale)
    s = jnp.where(jnp.arange(96) <= at[:, None, None, None], s / 5, -1e9)
    return jnp.einsum("bhqt,bthd->bqhd", nn.softmax(s).astype(jnp.float16), v), k8


@row("n(60, 16), n(16, 5), n(5, 16, 24, scale=.2), n(5, 24, 16, scale=.2)", "jax.value_and_grad(lambda *a: {0}(*a)[0].mean(), (1, 2, 3))")
@row("n(1, 16), n(16, 5), n(5, 16, 24, scale=.2), n(5, 24, 16, scale=.2)")
def experts_with_twelve_places_each(x, router, up, down):
    p = nn.softmax(x @ router)
    best = p.argmax(-1)
    one = nn.one_hot(best, 5)
    place = jnp.cumsum(one, 0) * one - 1
    send = nn.one_hot(place.max(-1).astype(jnp.int32), 12)[:, None] * one[..., None]
    h = nn.gelu(jnp.einsum("nec,nd,edf->ecf", send, x, up))
    y = jnp.einsum("ecf,efd,nec->nd", h, down, send) * p.max(-1, keepdims=True)
    return x + y, 5 * (one.mean(0) * p.mean(0)).sum()


@row("random.key(7), n(100, 4, scale=.15)")
def poles_carried_by_linear_policy(key, state):
    w = jnp.array([0.1, 0.5, 1.0, 0.8])
    def step(s, key):
        x, v, a, r = s.T
        force = jnp.sign(s @ w) * 10 + random.normal(key, (100,))
        t = (force + 0.05 * r ** 2 * jnp.sin(a)) / 1.1
        acc = (9.8 * jnp.sin(a) - jnp.cos(a) * t) / (0.5 * (4 / 3 - 0.1 * jnp.cos(a) ** 2 / 1.1))
        new = jnp.stack([x + 0.02 * v, v + 0.02 * (t - 0.05 * acc * jnp.cos(a)), a + 0.02 * r, r + 0.02 * acc], 1)
        fell = (jnp.abs(new[:, 0]) > 2.4) | (jnp.abs(new[:, 2]) > 0.2)
        return jnp.where(fell[:, None], 0.05 * jnp.sin(s), new), fell.sum()
    return lax.scan(step, state, random.split(key, 60))


@row("n(90, 5), i(9, 90), abs(n(9, 5)) + .1")
def streams_summarized_as_they_come(x, group, scale):
    def step(s, t):
        count, mean, m2, top = s
        v, g = t
        c = count[g] + 1
        d = v - mean[g]
        new = mean[g] + d / c
        return (count.at[g].set(c), mean.at[g].set(new), m2.at[g].add(d * (v - new)), top.at[g].max(v / scale[g])), new.sum()
    return lax.scan(step, (jnp.zeros(9), jnp.zeros((9, 5)), jnp.zeros((9, 5)), jnp.zeros((9, 5))), (x, group))


@row("n(41, 6), n(41)", "jax.value_and_grad({0})")
def programs_of_switches_by_row(x, y):
    branches = [lambda v: v.sum(), lambda v: jnp.prod(jnp.cos(v)), lambda v: v @ v, lambda v: nn.logsumexp(v), lambda v: v[2] * 0 + 1.0]
    return sum(lax.switch(k % 5, branches, x[k]) * y[k] for k in range(10)) + jnp.tanh(x).sum()


@row("n(3, 50, 4, dtype='float64'), n(4, 4, dtype='float64', scale=.3)", "grad({0}, (0, 1))", double=True)
@row("n(3, 50, 4), n(4, 4, scale=.3)", "grad({0}, (0, 1))")
def states_remembered_every_ten_steps(x, w):
    @jax.checkpoint
    def ten(h, part):
        return lax.scan(lambda h, v: (jnp.tanh(h @ w + v), None), h, part)
    return lax.scan(ten, x[:, 0] * 0, x.swapaxes(0, 1).reshape(5, 10, 3, 4))[0]


@row("n(11, 40), n(40), n(40, 3)")
@row("n(3, 40, dtype='bfloat16'), n(40, dtype='bfloat16'), n(40, 3, dtype='bfloat16')", "grad({0}, (0, 1, 2))")
def rows_normalized_split_and_gated(x, gain, w):
    h = x.astype(jnp.float32)
    h = (h * lax.rsqrt((h * h).mean(-1, keepdims=True) + 1e-5)).astype(x.dtype) * gain
    a, b = jnp.split(h, 2, -1)
    return nn.softmax(nn.silu(a).repeat(2, -1) * h @ w, -1) * b.sum(-1, keepdims=True)


@row("n(90, 3), n(90, 4), n(4), n(), n()", "jax.value_and_grad(lambda *a: {0}(*a).sum(), (2, 3, 4))")
@row("n(9, 3), n(9, 4), n(4), n(), n()")
def counts_with_extra_zeros(raw, x, beta, shape, zero):
    y = jnp.floor(jnp.abs(raw[:, 0]) * 4)
    mean, r = jnp.exp(jnp.clip(x @ beta, -4, 4)), nn.softplus(shape) + 0.1
    g = jax.scipy.special.gammaln
    lp = g(y + r) - g(r) - g(y + 1) + r * jnp.log(r / (r + mean)) + y * jnp.log(mean / (r + mean))
    return jnp.where(y == 0, jnp.logaddexp(nn.log_sigmoid(zero), nn.log_sigmoid(-zero) + lp), nn.log_sigmoid(-zero) + lp)


@row("n(40, 40), n(40)")
@row("n(40, 40, dtype='float64'), n(40, dtype='float64')", double=True)
def symmetric_system_by_pivots_in_loop(a, b):
    m = jnp.concatenate([a @ a.T + 40 * jnp.eye(40), b[:, None]], 1)
    def clear(k, m):
        p = m[k] / m[k, k]
        return (m - m[:, k][:, None] * p).at[k].set(p)
    return lax.fori_loop(0, 40, clear, m)[:, -1]


@row("i(12, 60, 9), n(12, 5), n(9, 5)")
@row("i(12, 60, 9), n(12, 5), n(9, 5)", "grad({0}, (1, 2))")
def fields_crossed_by_second_order(category, table, place):
    e = table[category] + place
    total = e.sum(1)
    return jnp.tanh(0.5 * (total ** 2 - (e * e).sum(1))).sum(-1)
