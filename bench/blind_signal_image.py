"""blind_signal_image.py: rows of the long tail written before any of them was measured (snippets.py): transforms, filters,
sound, images, convolutions of all layouts, pooling, sparse products, compression. A docstring gives the shapes."""
import jax
import jax.numpy as jnp
from jax import lax, nn
from jax.experimental import sparse
from jax.scipy import ndimage, signal

from snippets import row


def conv(x, w, stride=1, pad="SAME", layout=("NHWC", "HWIO", "NHWC"), **more):
    return lax.conv_general_dilated(x, w, (stride,) * (x.ndim - 2), pad, dimension_numbers=layout, **more)


# ---- sound and signals -----------------------------------------------------------------------------------------------

@row("n(2, 4000)")
@row("n(2, 2000)", "grad({0})")
def log_spectrogram(x):
    f, t, z = signal.stft(x, nperseg=256, noverlap=192)
    return jnp.log(abs(z) ** 2 + 1e-6)


@row("n(3000)")
def phase_vocoder(x):
    """Stretch by 1.25: phases are accumulated along the frames."""
    z = jnp.fft.rfft(x[jnp.arange(44)[:, None] * 64 + jnp.arange(248)] * jnp.hanning(248))
    at = jnp.arange(0, 42, 0.8)
    k = at.astype(int)
    mag = abs(z[k]) * (1 - at % 1)[:, None] + abs(z[k + 1]) * (at % 1)[:, None]
    d = jnp.angle(z[k + 1]) - jnp.angle(z[k])
    y = jnp.fft.irfft(mag * jnp.exp(1j * jnp.cumsum(d, axis=0)), axis=1)
    return jnp.zeros(64 * 53 + 248).at[jnp.arange(len(y))[:, None] * 64 + jnp.arange(248)].add(y)


@row("n(40, 257)")
def chroma_and_flatness(x):
    p = x * x
    f = jnp.arange(1, 257) * 31.25
    bin = jnp.round(12 * jnp.log2(f / 440)).astype(int) % 12
    chroma = jax.ops.segment_sum(p[:, 1:].T, bin, 12).T
    flat = jnp.exp(jnp.log(p + 1e-9).mean(1)) / p.mean(1)
    c = jnp.cumsum(p, 1)
    return chroma / chroma.sum(1, keepdims=True), flat, jnp.argmax(c > 0.85 * c[:, -1:], axis=1), (p[:, 1:] @ f) / p.sum(1)


@row("n(8, 700), n(12, scale=.1)")
@row("n(8, 700), n(12, scale=.1)", "grad({0}, 1)")
def lattice_filter(x, k):
    """All-pole lattice with twelve reflection coefficients."""
    k = jnp.tanh(k)
    def step(b, x):
        new = []
        for m in reversed(range(12)):
            x = x - k[m] * b[m]
            new.append(b[m] + k[m] * x)
        return jnp.stack([x] + new[::-1][:11]), x
    return lax.scan(step, jnp.zeros((12, 8)), x.T)[1].T


@row("n(1, 3000, 1), n(31, 1, 16, scale=.2), n(3, 16, 32, scale=.1)")
@row("n(1, 3000, 1), n(31, 1, 16, scale=.2), n(3, 16, 32, scale=.1)", "grad({0}, (1, 2))")
def sound_encoder(x, w1, w2):
    one = lambda x, w, s, d: lax.conv_general_dilated(x, w, (s,), "SAME", rhs_dilation=(d,), dimension_numbers=("NWC", "WIO", "NWC"))
    y = nn.leaky_relu(one(x, w1, 8, 1))
    y = y + jnp.sin(y) ** 2
    return lax.reduce_window(one(y, w2, 1, 3), 0.0, lax.add, (1, 5, 1), (1, 5, 1), "VALID") / 5


@row("n(1024), n(1024, seed=1)")
def wiener_deconvolution(x, y):
    h = jnp.fft.rfft(y * jnp.exp(-jnp.arange(1024) / 50))
    return jnp.fft.irfft(jnp.fft.rfft(x) * h.conj() / (abs(h) ** 2 + 0.1)), signal.welch(x, nperseg=128)[1]


@row("n(500), n(64, scale=.3)")
def ladder_filter(x, cutoff):
    """Four one-pole stages with feedback and saturation; the cutoff moves each eight samples."""
    g = nn.sigmoid(jnp.repeat(cutoff, 8)[:500])
    def step(s, z):
        x, g = z
        u = jnp.tanh(x - 2.5 * s[3])
        out = []
        for k in range(4):
            u = s[k] + g * (u - s[k])
            out.append(u)
        return jnp.stack(out), u
    return lax.scan(step, jnp.zeros(4), (x, g))[1]


@row("n(64, 64)")
def two_level_haar_coder(x):
    """Two levels of a wavelet, quantization with a dead zone, and the way back."""
    def split(x):
        a, b, c, d = x[::2, ::2], x[::2, 1::2], x[1::2, ::2], x[1::2, 1::2]
        return (a + b + c + d) / 2, (a - b + c - d) / 2, (a + b - c - d) / 2, (a - b - c + d) / 2
    def merge(a, b, c, d):
        e = jnp.stack([(a + b + c + d), (a - b + c - d), (a + b - c - d), (a - b - c + d)]) / 2
        n = a.shape[0]
        return e.reshape(2, 2, n, n).transpose(2, 0, 3, 1).reshape(2 * n, 2 * n)
    quantized = lambda x: jnp.trunc(x / 0.4)
    low, *high = split(x)
    low, *higher = split(low)
    codes = [quantized(z) for z in (low, *higher, *high)]
    low, *rest = [z * 0.4 for z in codes]
    return merge(merge(low, *rest[:3]), *rest[3:]), sum((z != 0).sum() for z in codes)


def detail_and_spectrum(x):
    low = (x[::2] + x[1::2]) / 2
    return jnp.log1p((x[::2] - x[1::2]) ** 2).sum() + abs(jnp.fft.rfft(low, axis=1)).sum()


# ---- images ----------------------------------------------------------------------------------------------------------

@row("i(256, 48, 64, 3).astype('uint8')")
def jpeg_round_trip(x):
    x = x.astype(jnp.float32)
    y = x @ jnp.array([[0.299, -0.169, 0.5], [0.587, -0.331, -0.419], [0.114, 0.5, -0.081]]) - jnp.array([128.0, 0, 0])
    b = y.reshape(6, 8, 8, 8, 3).transpose(0, 2, 4, 1, 3)
    k = jnp.arange(8)
    d = jnp.cos(jnp.pi / 8 * (k + 0.5) * k[:, None]) * jnp.where(k == 0, 8**-0.5, 0.5)[:, None]
    q = 4.0 + 3 * (k[:, None] + k)
    codes = jnp.round(d @ b @ d.T / q).astype(jnp.int16)
    back = (d.T @ (codes * q) @ d).transpose(0, 3, 1, 4, 2).reshape(48, 64, 3)
    return codes.reshape(48, 3, 64)[:, :, jnp.argsort((k[:, None] + k).ravel())], jnp.abs(back - y).mean()


@row("n(2, 37, 41, 3), n(2, 2, 3)")
@row("n(2, 37, 41, 3), n(2, 2, 3)", "grad(lambda *x: {0}(*x) ** 2, (0, 1))")
def affine_warp(x, m):
    def one(x, m):
        m = jnp.eye(2, 3) + 0.1 * m
        g = jnp.stack(jnp.mgrid[:37, :41]).reshape(2, -1).astype(x.dtype)
        at = (m[:, :2] @ g + 5 * m[:, 2:]).reshape(2, 37, 41)
        return jax.vmap(lambda c: ndimage.map_coordinates(c, at, order=1, mode="reflect"), 2, 2)(x)
    return jax.vmap(one)(x, m)


@row("n(70, 80) > .8")
def geodesic_reconstruction(x):
    """Dilation within a mask until nothing changes; then holes are counted."""
    big = lax.reduce_window(x, False, lax.bitwise_or, (5, 5), (1, 1), "SAME")
    seed = big & (jnp.arange(70)[:, None] < 9)
    grow = lambda m: lax.reduce_window(m, False, lax.bitwise_or, (3, 3), (1, 1), "SAME") & big
    out = lax.while_loop(lambda s: (s[0] != s[1]).any(), lambda s: (s[1], grow(s[1])), (seed, grow(seed)))[1]
    return out, (out & ~x).sum(0)


@row("n(60, 64)")
def gradient_magnitude_edges(x):
    """Canny without hysteresis: blur, slopes, thinning along four directions."""
    k = jnp.exp(-0.5 * jnp.arange(-3, 4.0) ** 2)
    b = signal.convolve2d(x, jnp.outer(k, k) / k.sum() ** 2, mode="same")
    gy, gx = jnp.gradient(b)
    m = jnp.hypot(gx, gy)
    d = jnp.round(jnp.arctan2(gy, gx) / (jnp.pi / 4)).astype(int) % 4
    p = jnp.pad(m, 1)
    sides = [(p[1:-1, 2:], p[1:-1, :-2]), (p[2:, 2:], p[:-2, :-2]), (p[2:, 1:-1], p[:-2, 1:-1]), (p[2:, :-2], p[:-2, 2:])]
    keep = jnp.select([d == q for q in range(4)], [(m >= a) & (m >= b) for a, b in sides])
    return jnp.where(keep, m, 0)


@row("n(64, 66, 3)")
def gaussian_pyramid_blend(x):
    shrink = lambda z: jax.image.resize(z, (z.shape[0] // 2, z.shape[1] // 2, 3), "linear")
    levels = [x]
    for _ in range(3):
        levels.append(shrink(levels[-1]))
    out = levels[-1]
    for z, low in zip(levels[-2::-1], levels[:0:-1]):
        out = jax.image.resize(out, z.shape, "cubic") + 1.3 * (z - jax.image.resize(low, z.shape, "cubic"))
    return out


@row("i(256, 90, 100).astype('uint8')")
def local_binary_patterns(x):
    c = x[1:-1, 1:-1]
    code = jnp.zeros(c.shape, jnp.uint8)
    for k, (a, b) in enumerate([(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]):
        code |= (x[a:a + 88, b:b + 98] >= c).astype(jnp.uint8) << k
    return code, jnp.bincount(code.ravel(), length=256)


@row("n(40, 50), i(40, 90), i(50, 90)")
def hough_lines(x, r, c):
    a = jnp.arange(60) * jnp.pi / 60
    d = jnp.round(r[:, None] * jnp.sin(a) + c[:, None] * jnp.cos(a)).astype(int) + 50
    votes = jnp.zeros((120, 60)).at[d, jnp.arange(60)].add(abs(x[r, c])[:, None])
    return votes, lax.top_k(votes.ravel(), 5)


# ---- layers of convolutional networks --------------------------------------------------------------------------------

@row("n(2, 24, 20, 22), n(48, 3, 3, 3, scale=.2)")
@row("n(2, 24, 20, 22), n(48, 3, 3, 3, scale=.2)", "grad(lambda *x: {0}(*x) ** 2, (0, 1))")
def grouped_channels_first(x, w):
    return nn.relu(conv(x, w, 2, [(1, 1), (1, 1)], ("NCHW", "OIHW", "NCHW"), feature_group_count=8))


@row("n(2, 20, 21, 16), n(3, 3, 16, 16, scale=.1), n(3, 3, 16, 16, scale=.1), n(3, 3, 16, 16, scale=.1)")
@row("n(2, 20, 21, 16), n(3, 3, 16, 16, scale=.1), n(3, 3, 16, 16, scale=.1), n(3, 3, 16, 16, scale=.1)", "grad({0}, (0, 1, 2))")
def atrous_pyramid(x, a, b, c):
    y = jnp.concatenate([conv(x, w, rhs_dilation=(d, d)) for w, d in ((a, 1), (b, 3), (c, 6))], -1)
    return jnp.concatenate([nn.relu(y), jnp.broadcast_to(x.mean((1, 2), keepdims=True), x.shape)], -1)


@row("n(2, 9, 11, 24), n(4, 4, 24, 12, scale=.1)")
@row("n(2, 9, 11, 24), n(4, 4, 24, 12, scale=.1)", "grad(lambda *x: {0}(*x) ** 2, (0, 1))")
def upsampled_by_transpose(x, w):
    return nn.elu(lax.conv_transpose(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))


@row("n(1, 8, 14, 15, 6), n(3, 3, 3, 6, 12, scale=.1)")
@row("n(1, 8, 14, 15, 6), n(3, 3, 3, 6, 12, scale=.1)", "grad({0}, 1)")
def video_convolution(x, w):
    y = nn.relu(conv(x, w, 1, "SAME", ("NDHWC", "DHWIO", "NDHWC")))
    return lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 2, 1), (1, 2, 2, 2, 1), "VALID")


@row("n(3, 30, 33, 8)")
@row("n(3, 30, 33, 8)", "grad({0})")
def pools_of_many_kinds(x):
    pool = lambda x, start, f, w, s: lax.reduce_window(x, start, f, (1, w, w, 1), (1, s, s, 1), "SAME")
    a = pool(x, -jnp.inf, lax.max, 3, 2)
    b = pool(x, 0.0, lax.add, 3, 2) / pool(jnp.ones_like(x), 0.0, lax.add, 3, 2)
    return a - b + pool(x * x, 0.0, lax.add, 5, 2) ** 0.5


@row("n(2, 28, 28, 4), n(3, 3, 1, 8, scale=.3), n(8, 24, scale=.3)")
@row("n(2, 28, 28, 4, dtype='bfloat16'), n(3, 3, 1, 8, dtype='bfloat16'), n(8, 24, dtype='bfloat16')")
def separable_layer(x, depth, point):
    return nn.relu6(conv(x, depth, 2, feature_group_count=4) @ point)


# ---- sparse products -------------------------------------------------------------------------------------------------

@row("i(200, 900, 2), n(900), n(200, 16)")
@row("i(200, 900, 2), n(900), n(200, 16)", "grad(lambda i, v, x: {0}(i, v, x), (1, 2))")
def smoothed_on_graph(at, v, x):
    a = sparse.BCOO((nn.sigmoid(v), at), shape=(200, 200))
    for _ in range(3):
        x = 0.5 * x + 0.1 * (a @ x)
    return x


@row("n(60, 50), n(50, 9)")
def sparse_from_dense(x, y):
    a = sparse.BCOO.fromdense(jnp.where(abs(x) > 1.2, x, 0), nse=900)
    return a @ y, (a.T @ x).sum(0), sparse.bcoo_reduce_sum(a, axes=(1,)).todense()


ROWS = [
    "lambda x: image.resize(x, (40, 50, 3), 'nearest') @@ n(61, 63, 3)",
    "lambda x: image.resize(x, (90, 70, 3), 'lanczos3') @@ n(61, 63, 3)",
    "lambda x: image.resize(x, (2, 25, 60, 4), 'lanczos5', antialias=False) @@ n(2, 50, 40, 4)",
    "grad(lambda x: image.resize(x, (2, 31, 29, 4), 'bicubic') ** 2) @@ n(2, 50, 40, 4)",
    "lambda x: fft.fftshift(fft.fft2(x * jnp.hanning(45)[:, None])) @@ n(45, 60)",
    "lambda x: fft.irfftn(fft.rfftn(x) * .5, x.shape) @@ n(12, 15, 16)",
    "lambda x: fft.hfft(fft.ihfft(x, axis=0), axis=0) @@ n(100, 6)",
    "lambda x, y: js.signal.fftconvolve(x, y, mode='same') @@ n(40, 45), n(9, 11)",
    "lambda x, y: js.signal.correlate(x, y, mode='valid') @@ n(2000), n(63)",
    "lambda x: js.signal.detrend(x, axis=1) @@ n(12, 300)",
    "lambda x: js.fft.idctn(js.fft.dctn(x, norm='ortho') * (abs(x) > .3), norm='ortho') @@ n(31, 32)",
    "grad(lambda x: js.signal.csd(x[0], x[1], nperseg=64)[1]) @@ n(2, 512)",
    "grad(detail_and_spectrum) @@ n(32, 40)",
    "vmap(lambda x: js.ndimage.map_coordinates(x, jnp.stack([x * 3 + 20, x.T * 2 + 20]), order=0, mode='wrap')) @@ n(4, 40, 40)",
    "lambda x, w: lax.conv_general_dilated_patches(x, (3, 3), (2, 2), 'VALID')[:, :, ::2] * w @@ n(2, 5, 31, 29), n(14)",
    "lambda x, w: lax.conv_general_dilated_local(x, w, (1, 1), 'VALID', (3, 3), dimension_numbers=('NHWC', 'HWIO', 'NHWC')) "
    "@@ n(2, 12, 13, 3), n(10, 11, 27, 4)",
    "vmap(lambda x, w: lax.conv(x[None], w, (1, 1), 'SAME')[0]) @@ n(6, 3, 16, 18), n(6, 8, 3, 3, 3)",
    "lambda x: jnp.maximum(lax.cumlogsumexp(x, axis=1), nn.standardize(x, axis=1)) @@ n(40, 333)",
]
