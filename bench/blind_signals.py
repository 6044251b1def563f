"""blind_signals.py: rows of the long tail written before any of them was measured (snippets.py): sound, filters, wavelets,
splines, polynomials, special functions. A docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


def framed(x, size, hop):
    return x[..., jnp.arange(0, x.shape[-1] - size + 1, hop)[:, None] + jnp.arange(size)]


# ---- sound -----------------------------------------------------------------------------------------------------------

@row("n(2, 4801), abs(n(129, 26))")
@row("n(2, 4801), abs(n(129, 26))", "grad({0})")
def cepstra(x, bank):
    power = abs(jnp.fft.rfft(framed(x, 256, 100) * jnp.hamming(256))) ** 2
    mel = jnp.log(power @ bank + 1e-6)
    k = jnp.arange(26)
    basis = jnp.cos(jnp.pi * (k[:, None] + 0.5) * jnp.arange(13) / 26)
    return mel @ basis


@row("n(3000)")
def resampled(x, up=3, down=4, taps=61):
    """Polyphase resampling by a windowed sinc: one dilated, strided convolution."""
    k = jnp.arange(taps) - taps // 2
    h = jnp.sinc(k / max(up, down)) * jnp.kaiser(taps, 8.0) * up / max(up, down)
    y = lax.conv_general_dilated(x[None, None], h[None, None], (down,), [(30, 30)], lhs_dilation=(up,))
    return y[0, 0]


@row("n(1, 1, 2048), n(1, 16, 1, 41, scale=.1), n(16, 16, 3, scale=.1)")
@row("n(1, 1, 2048), n(1, 16, 1, 41, scale=.1), n(16, 16, 3, scale=.1)", "grad({0}, (1, 2))")
def dilated_stack(x, first, w):
    """A WaveNet-like stack with growing dilation."""
    y = lax.conv_general_dilated(x, first[0], (4,), "SAME")
    for d in (1, 2, 4, 8):
        z = lax.conv_general_dilated(jnp.pad(y, ((0, 0), (0, 0), (2 * d, 0))), w, (1,), "VALID", rhs_dilation=(d,))
        y = y + jnp.tanh(z) * nn.sigmoid(z[:, ::-1])
    return y


@row("n(4000), n(4000, seed=1)")
@row("n(4000), n(4000, seed=1)", "grad({0})")
def multiscale_spectral_loss(x, y):
    total = 0.0
    for size in (64, 128, 512):
        a, b = (abs(jnp.fft.rfft(framed(v, size, size // 2) * jnp.hanning(size))) + 1e-3 for v in (x, y))
        total = total + abs(a - b).mean() + abs(jnp.log(a) - jnp.log(b)).mean()
    return total


@row("n(2000)")
def yin_pitch(x, size=400, lags=120):
    frames = framed(x, size + lags, 200)
    lagged = frames[:, jnp.arange(lags)[:, None] + jnp.arange(size)]
    d = ((frames[:, None, :size] - lagged) ** 2).sum(-1)
    normal = d * jnp.arange(1, lags + 1) / (jnp.cumsum(d, 1) + 1e-6)
    return normal, jnp.argmin(normal[:, 20:], 1) + 20


@row("n(3, 700), n(3, 3, scale=.2), n(3, 3, scale=.2)")
def cascaded_biquads(x, b, a):
    """Sections of second order in turn, for three channels: transposed direct form II."""
    def section(x, p):
        b, a = p
        def step(s, v):
            y = b[0] * v + s[0]
            return (b[1] * v - a[1] * y + s[1], b[2] * v - a[2] * y), y
        return lax.scan(step, (jnp.zeros(3), jnp.zeros(3)), x.T)[1].T
    for k in range(3):
        x = section(x, (b[k], a[k]))
    return x


@row("n(900), n(900, seed=1)")
def adaptive_filter(x, d, taps=24):
    """Normalized least mean squares: the weights follow the error."""
    def step(s, v):
        w, buffer = s
        buffer = jnp.roll(buffer, 1).at[0].set(v[0])
        e = v[1] - w @ buffer
        return (w + 0.5 * e * buffer / (buffer @ buffer + 1), buffer), e
    return lax.scan(step, (jnp.zeros(taps), jnp.zeros(taps)), (x, d))[1]


@row("n(250), n(250, seed=1)")
def recursive_least_squares(x, d, taps=8):
    def step(s, v):
        w, p, buffer = s
        buffer = jnp.roll(buffer, 1).at[0].set(v[0])
        k = p @ buffer / (0.99 + buffer @ p @ buffer)
        e = v[1] - w @ buffer
        return (w + k * e, (p - jnp.outer(k, buffer @ p)) / 0.99, buffer), e
    return lax.scan(step, (jnp.zeros(taps), 10 * jnp.eye(taps), jnp.zeros(taps)), (x, d))[1]


@row("key, n(1600)")
def karplus_strong(key, drive):
    delay = random.uniform(key, (97,), minval=-1.0)
    def step(s, v):
        line, at = s
        new = 0.498 * (line[at] + line[(at + 1) % 97]) + 0.01 * v
        return (line.at[at].set(new), (at + 1) % 97), new
    return lax.scan(step, (delay, 0), drive)[1]


@row("n(1500)")
@row("n(1500)", "grad({0})")
def compressor(x):
    level = 20 * jnp.log10(abs(x) + 1e-4)
    def step(e, v):
        e = jnp.where(v > e, 0.3 * e + 0.7 * v, 0.98 * e + 0.02 * v)
        return e, e
    envelope = lax.scan(step, -80.0, level)[1]
    return x * 10 ** (-0.75 * nn.relu(envelope + 12) / 20)


@row("abs(n(90, 60)), abs(n(90, 5)), abs(n(5, 60))")
def spectrogram_factors(v, w, h):
    """Multiplicative updates for the Kullback-Leibler divergence."""
    def step(_, s):
        w, h = s
        h = h * (w.T @ (v / (w @ h + 1e-6))) / w.sum(0)[:, None]
        return w * ((v / (w @ h + 1e-6)) @ h.T) / h.sum(1), h
    return lax.fori_loop(0, 15, step, (w + 0.1, h + 0.1))


@row("n(4, 600, dtype='complex64'), n(4, 33)")
def beamformer(x, delays):
    """Delay and sum by phases, then adaptive weights: x (microphones, t), delays (microphones, directions)."""
    steer = jnp.exp(-1j * delays)
    cov = x @ x.conj().T / 600 + 0.1 * jnp.eye(4)
    w = jnp.linalg.solve(cov, steer)
    return 1 / jnp.real((steer.conj() * w).sum(0)), abs(steer.conj().T @ x[:, :50])


@row("n(1024), n(1024, seed=1)")
def coherence(x, y):
    a, b = (jnp.fft.rfft(framed(v, 128, 64) * jnp.hanning(128)) for v in (x, y))
    return abs((a * b.conj()).mean(0)) ** 2 / ((abs(a) ** 2).mean(0) * (abs(b) ** 2).mean(0))


@row("n(5, 512)")
def analytic_envelope(x):
    h = jnp.zeros(512).at[0].set(1).at[256].set(1).at[1:256].set(2)
    z = jnp.fft.ifft(jnp.fft.fft(x) * h)
    return abs(z), jnp.diff(jnp.unwrap(jnp.angle(z)), axis=1)


@row("n(3, 700)")
def savitzky_golay(x, half=6):
    k = jnp.arange(-half, half + 1.0)
    weights = jnp.linalg.pinv(jnp.vander(k, 4))[-1]
    return jax.vmap(lambda r: jnp.convolve(r, weights, mode="same"))(x)


# ---- wavelets --------------------------------------------------------------------------------------------------------

@row("n(3, 1024)")
@row("n(3, 1024)", "grad(lambda x: {0}(x) ** 2)")
def daubechies(x, levels=4):
    s = 3**0.5
    low = jnp.array([1 + s, 3 + s, 3 - s, 1 - s]) / (4 * 2**0.5)
    high = low[::-1] * jnp.array([1, -1, 1, -1])
    out = []
    for _ in range(levels):
        y = jnp.pad(x, ((0, 0), (0, 2)), mode="wrap")[:, None]
        both = lax.conv_general_dilated(y, jnp.stack([low, high])[:, None], (2,), "VALID")
        x, detail = both[:, 0], both[:, 1]
        out.append(detail)
    return jnp.concatenate([x, *out[::-1]], 1)


@row("n(64, 96)")
def lifted_cdf53(image):
    """One level of reversible wavelets of integers by lifting, along both axes."""
    def lift(x):
        even, odd = x[:, ::2], x[:, 1::2]
        odd = odd - ((even + jnp.roll(even, -1, 1)) >> 1)
        return jnp.concatenate([even + ((odd + jnp.roll(odd, 1, 1) + 2) >> 2), odd], 1)
    return lift(lift(jnp.round(image * 50).astype("int32")).T).T


@row("n(600), jnp.linspace(2., 40., 21)")
def morlet_scalogram(x, scales):
    w = 2 * jnp.pi * jnp.fft.fftfreq(600)
    bank = jnp.exp(-0.5 * (scales[:, None] * w - 6) ** 2) * (w > 0) * jnp.sqrt(scales)[:, None]
    return abs(jnp.fft.ifft(jnp.fft.fft(x) * bank))


@row("n(777)")
def undecimated_denoise(x, levels=4):
    """A trous: details below a threshold vanish."""
    details = []
    for k in range(levels):
        d = 1 << k
        smooth = (jnp.roll(x, d) + 2 * x + jnp.roll(x, -d)) / 4
        detail = x - smooth
        limit = jnp.median(abs(detail)) / 0.6745 * 1.5
        details.append(jnp.sign(detail) * nn.relu(abs(detail) - limit))
        x = smooth
    return x + sum(details)


# ---- splines, interpolation, polynomials -----------------------------------------------------------------------------

@row("jnp.cumsum(abs(n(50)) + .1), n(50), abs(n(999)) * 10")
@row("jnp.cumsum(abs(n(50)) + .1), n(50), abs(n(999)) * 10", "grad({0}, 1)")
def natural_spline(x, y, at):
    h, slope = jnp.diff(x), jnp.diff(y) / jnp.diff(x)
    lower, upper = jnp.append(h[:-1], 0).at[0].set(0), jnp.append(0, h[1:]).at[-1].set(0)
    main = 2 * (h[:-1] + h[1:])
    m = lax.linalg.tridiagonal_solve(lower[:-1], main, jnp.append(h[1:-1], 0), 6 * jnp.diff(slope)[:, None])[:, 0]
    m = jnp.pad(m, 1) + 0 * upper[0]
    k = jnp.clip(jnp.searchsorted(x, at) - 1, 0, 48)
    a, b, w = x[k + 1] - at, at - x[k], h[k]
    return (m[k] * a**3 + m[k + 1] * b**3) / (6 * w) + (y[k] / w - m[k] * w / 6) * a + (y[k + 1] / w - m[k + 1] * w / 6) * b


@row("jnp.linspace(0., 1., 20), n(16, 2), nn.sigmoid(n(400))")
def de_boor(knots, control, t):
    """A cubic B-spline's basis by recursion: knots (20,), control (16, 2)."""
    t = 0.2 + 0.5 * t
    basis = ((t[:, None] >= knots[:-1]) & (t[:, None] < knots[1:])).astype("float32")
    for k in range(1, 4):
        left = (t[:, None] - knots[: -k - 1]) / (knots[k:-1] - knots[: -k - 1])
        right = (knots[k + 1 :] - t[:, None]) / (knots[k + 1 :] - knots[1:-k])
        basis = left * basis[:, :-1] + right * basis[:, 1:]
    return basis @ control


@row("n(60, 4, 2), jnp.linspace(0., 1., 33)")
def bezier_lengths(p, t):
    t = t[:, None, None]
    d = 3 * ((1 - t) ** 2 * (p[:, 1] - p[:, 0]) + 2 * t * (1 - t) * (p[:, 2] - p[:, 1]) + t * t * (p[:, 3] - p[:, 2]))
    return jnp.trapezoid(jnp.linalg.norm(d, axis=-1), dx=1 / 32, axis=0)


@row("n(7, 90), nn.sigmoid(n(500)) * 80")
def catmull_rom(values, at):
    k = jnp.floor(at).astype("int32")
    t = at - k
    p = values[:, jnp.clip(k[:, None] + jnp.arange(-1, 3), 0, 89)]
    a, b, c, d = (p[..., j] for j in range(4))
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)


@row("n(12, 14, 16), nn.sigmoid(n(700, 3)) * 10")
@row("n(12, 14, 16), nn.sigmoid(n(700, 3)) * 10", "grad({0}, (0, 1))")
def trilinear(volume, at):
    low = jnp.floor(at).astype("int32")
    part = at - low
    total = 0.0
    for a in (0, 1):
        for b in (0, 1):
            for c in (0, 1):
                w = abs(1 - jnp.array([a, b, c]) - part).prod(1)
                total += w * volume[low[:, 0] + a, low[:, 1] + b, low[:, 2] + c]
    return total


@row("n(25), jnp.linspace(-.97, .96, 333)")
def barycentric(values, at):
    """Interpolation at Chebyshev points."""
    k = jnp.arange(25)
    x = jnp.cos(jnp.pi * k / 24)
    w = (-1.0) ** k * jnp.where((k == 0) | (k == 24), 0.5, 1)
    r = w / (at[:, None] - x)
    return r @ values / r.sum(1)


@row("n(30), jnp.linspace(-1., 1., 701)")
@row("n(30), jnp.linspace(-1., 1., 701)", "grad({0}, (0, 1))")
def clenshaw(c, x):
    def step(s, c):
        return (c + 2 * x * s[0] - s[1], s[0]), None
    b1, b2 = lax.scan(step, (jnp.zeros(701), jnp.zeros(701)), c[1:], reverse=True)[0]
    return c[0] + x * b1 - b2


@row("n(9, dtype='complex64'), n(8, dtype='complex64', seed=1)")
def durand_kerner(coefficients, roots):
    """All roots of a polynomial at once."""
    c = jnp.concatenate([jnp.ones(1, "complex64"), coefficients[1:]])
    def step(_, z):
        d = z[:, None] - z + jnp.eye(8)
        return z - jnp.polyval(c, z) / d.prod(1)
    return jnp.sort_complex(lax.fori_loop(0, 60, step, roots))


@row("jnp.linspace(-1., 1., 501)")
def legendre_table(x, degree=24):
    def step(s, k):
        new = ((2 * k + 1) * x * s[1] - k * s[0]) / (k + 1)
        return (s[1], new), new
    return lax.scan(step, (jnp.ones_like(x), x), jnp.arange(1.0, degree))[1]


@row("n(40, 3)")
@row("n(40, 3)", "grad({0})")
def spherical_harmonics(v):
    x, y, z = (v / jnp.linalg.norm(v, axis=1, keepdims=True)).T
    return jnp.stack([0.282095 + 0 * x, 0.488603 * y, 0.488603 * z, 0.488603 * x, 1.092548 * x * y, 1.092548 * y * z,
                      0.315392 * (3 * z * z - 1), 1.092548 * x * z, 0.546274 * (x * x - y * y)], 1)


@row("n(30), n(200, scale=2.)")
def hermite_functions(c, x):
    def step(s, n):
        new = jnp.sqrt(2 / (n + 1)) * x * s[1] - jnp.sqrt(n / (n + 1)) * s[0]
        return (s[1], new), s[1]
    return c @ lax.scan(step, (jnp.zeros(200), jnp.exp(-x * x / 2)), jnp.arange(30.0))[1]


@row("abs(n(301)) * 3 + .1")
def elliptic_by_means(m):
    a, b = jnp.ones_like(m), jnp.exp(-m)
    for _ in range(6):
        a, b = (a + b) / 2, jnp.sqrt(a * b)
    return jnp.pi / (2 * a)


@row("abs(n(401)) * 5")
def lambert_w(x):
    def step(_, w):
        e = jnp.exp(w)
        f = w * e - x
        return w - f / (e * (w + 1) - (w + 2) * f / (2 * w + 2))
    return lax.fori_loop(0, 8, step, jnp.log1p(x))


@row("abs(n(201)) + 1.2")
def zeta_by_euler_maclaurin(s):
    k = jnp.arange(1, 41.0)
    direct = (k ** -s[:, None]).sum(1)
    return direct + 40 ** (1 - s) / (s - 1) - 0.5 * 40**-s + s * 40 ** (-s - 1) / 12


@row("n(801, dtype='float64')", double=True)
def exponential_integral(x):
    x = abs(x) + 1
    step = lambda k, f: k / (1 + k / (x + f))
    return jnp.exp(-x) / (x + lax.fori_loop(0, 60, lambda i, f: step(60.0 - i, f), jnp.zeros_like(x)))


ROWS = [
    "f64: lambda x: js.special.gammainc(abs(x) + 1, abs(x) + 2) @@ n(301, dtype='float64')",
    "lambda x, y: js.special.betaln(abs(x) + 1, abs(y) + .5) @@ n(901), n(901, seed=1)",
    "lambda x: js.special.polygamma(1, abs(x) + 1) @@ n(301)",
    "lambda x: js.special.spence(abs(x)) @@ n(501)",
    "lambda x: js.special.expi(abs(x) + .1) @@ n(501)",
    "lambda x: js.special.i1(x) / js.special.i0(x) @@ n(701)",
    "f64: lambda x: js.special.erfc(x) * jnp.exp(x * x) @@ n(501, dtype='float64')",
    "grad(lambda x, y: js.special.rel_entr(abs(x), abs(y)), (0, 1)) @@ n(601), n(601, seed=1)",
    "lambda x: fft.ihfft(x) @@ n(7, 90)",
    "lambda x: fft.irfftn(fft.rfftn(x)[:, :, :5], (6, 10, 12)) @@ n(6, 10, 12)",
    "lambda x: js.signal.welch(x, nperseg=128)[1] @@ n(3, 2000)",
    "lambda x: js.signal.detrend(x) @@ n(5, 401)",
    "lambda x: js.fft.idct(js.fft.dct(x, norm='ortho') * jnp.exp(-jnp.arange(90) / 30), norm='ortho') @@ n(11, 90)",
    "lambda p, q: jnp.polymul(p, q) + jnp.polyder(jnp.polyint(jnp.polymul(p, q))) @@ n(31), n(17)",
    "lambda x, y: jnp.polyfit(x, y, 5) @@ jnp.linspace(-1., 1., 101), n(101)",
    "lambda x: js.signal.correlate(x[:700], x[650:733], mode='valid') @@ n(900)",
    "f64: lambda x: fft.fft(x, axis=0) @@ n(45, 7, dtype='complex128')",
    "lambda x: jnp.gradient(x, axis=1)[:, ::3] * jnp.sinc(x[:, ::3]) @@ n(33, 301)",
]
