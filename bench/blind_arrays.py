"""blind_arrays.py: rows of the long tail written before any of them was measured (snippets.py): idioms of NumPy: indexing,
masks, padding, rearranging, products of all kinds, sorting, bits, dates, bytes, small types, complex and 64-bit numbers."""
import jax
import jax.numpy as jnp
from jax import lax

from snippets import row


# ---- dates, bytes, bits ----------------------------------------------------------------------------------------------

@row("i(60000, 2500) - 10000")
def civil_dates(days):
    """Year, month and day of days since 1970."""
    z = days + 719468
    era = z // 146097
    doe = z - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    month = jnp.where(mp < 10, mp + 3, mp - 9)
    return jnp.stack([yoe + era * 400 + (month <= 2), month, doy - (153 * mp + 2) // 5 + 1, (days + 4) % 7])


@row("i(20000, 600), i(20000, 40)")
def business_days_between(days, holidays):
    """From a first day to others, without weekends and sorted holidays."""
    holidays = jnp.sort(holidays)
    holidays = jnp.where((holidays + 3) % 7 < 5, holidays, 1 << 20)
    weeks, rest = jnp.divmod(days, 7)
    return weeks * 5 + jnp.minimum(rest, 5) - jnp.searchsorted(holidays, days)


@row("(i(26, 4000) + 97).astype('uint8')")
def capitalized_words(text):
    """Letters e are taken as spaces."""
    space = text == 101
    first = jnp.concatenate([jnp.array([True]), space[:-1]]) & ~space
    out = jnp.where(space, 32, jnp.where(first, text - 32, text)).astype(jnp.uint8)
    word = jnp.cumsum(first)
    return out, jnp.bincount(word, length=300)[1:], jnp.argmax(jnp.where(first, 1, 0)[::-1])


@row("i(10, 500, 7)")
def digits_to_numbers_and_back(d):
    value = jnp.polyval(d.T, 10)
    digits = value[:, None] // 10 ** jnp.arange(6, -1, -1) % 10
    text = (digits + 48).astype(jnp.uint8)
    lead = jnp.cumsum(digits > 0, axis=1) == 0
    return value, jnp.where(lead, jnp.uint8(32), text)


@row("i(256, 3000).astype('uint8')")
def base64(data):
    a, b, c = data.reshape(-1, 3).astype(jnp.int32).T
    six = jnp.stack([a >> 2, (a & 3) << 4 | b >> 4, (b & 15) << 2 | c >> 6, c & 63], 1).ravel()
    table = jnp.concatenate([jnp.arange(65, 91), jnp.arange(97, 123), jnp.arange(48, 58), jnp.array([43, 47])])
    return table[six].astype(jnp.uint8)


@row("(i(4, 2000) * 7 + 65).astype('uint8'), (i(4, 5) * 7 + 65).astype('uint8')")
def find_pattern(text, pattern):
    hit = jnp.all(text[jnp.arange(1996)[:, None] + jnp.arange(5)] == pattern, axis=1)
    return jnp.nonzero(hit, size=12, fill_value=-1)[0], hit.sum()


@row("i(3, 5000)")
def run_lengths(x):
    """Values, starts and lengths of runs, padded to 4096."""
    change = jnp.concatenate([jnp.array([True]), x[1:] != x[:-1]])
    start = jnp.flatnonzero(change, size=4096, fill_value=5000)
    return x.at[start].get(mode="fill", fill_value=-1), start, jnp.diff(start, append=5000)


@row("n(2000)")
@row("n(40, 50)", "lambda x: {0}(x.astype('bfloat16').astype('float32'))")
def parts_of_floats(x):
    u = lax.bitcast_convert_type(x, jnp.uint32)
    exponent = (u >> 23 & 255).astype(jnp.int32) - 127
    mantissa = lax.bitcast_convert_type((u & 0x7fffff) | 0x3f800000, jnp.float32)
    return u >> 31, exponent, mantissa, jnp.ldexp(mantissa, exponent)


# ---- indexing and rearranging ----------------------------------------------------------------------------------------

@row("n(60, 70), i(60, 300), i(70, 300), n(300)")
@row("n(60, 70), i(60, 300), i(70, 300), n(300)", "grad(lambda a, r, c, v: {0}(a, r, c, v) ** 2, (0, 3))")
def updates_of_all_kinds(a, r, c, v):
    a = a.at[r, c].add(v)
    a = a.at[r[:50], c[:50]].multiply(0.5)
    a = a.at[3, ::2].set(v[:35])
    a = a.at[::7].min(0.8)
    return a.at[-5:, 10:20].max(v[:10])


@row("n(31, 33, 5), i(31, 40), i(33, 40)")
@row("n(31, 33, 5), i(31, 40), i(33, 40)", "grad(lambda x, r, c: {0}(x, r, c))")
def mixed_indices(x, r, c):
    return x[r, :, 2].T @ x[r, c, -1] + x[r[:31][:, None], c, 0].sum() + x[..., None, 1][r[0], c[1]]


@row("n(900, 4)")
def rows_by_mask(x):
    """Rows that pass, compacted and padded, then put back."""
    good = (x > -0.5).all(1)
    at = jnp.where(good, size=256, fill_value=900)[0]
    y = x.at[at].get(mode="fill", fill_value=0)
    y = (y - y.mean(0)) / y.std(0)
    return x.at[at].set(y, mode="drop"), good.sum()


@row("n(13, 200), i(200, 13, 9), n(13, 9)")
def along_axis(x, at, v):
    y = jnp.put_along_axis(x, at, v, axis=1, inplace=False)
    order = jnp.argsort(-y, axis=1)[:, :20]
    return jnp.take_along_axis(y, order, axis=1), jnp.take_along_axis(y.cumsum(1), at, axis=1)


@row("n(3, 4, 5, 6, 7)")
def axes_moved(x):
    a = jnp.moveaxis(x, (0, 2), (-1, 0))
    b = jnp.rollaxis(x, 3, 1).swapaxes(1, 4)
    return a.reshape(5, -1)[:, ::3], jnp.ravel(b, order="F")[:1000], jnp.expand_dims(x.squeeze().sum(2), (0, 3))


@row("n(24, 36)")
@row("n(24, 36)", "grad(lambda x: {0}(x) ** 3)")
def tiles_of_image(x):
    """Tiles of 6 x 4, each turned by a half and put back in a checkerboard."""
    t = x.reshape(4, 6, 9, 4).swapaxes(1, 2)
    odd = (jnp.arange(4)[:, None] + jnp.arange(9)) % 2
    t = jnp.where(odd[:, :, None, None] == 1, t[:, :, ::-1, ::-1], t)
    return t.swapaxes(1, 2).reshape(24, 36)


@row("n(21, 23)")
def pads_joined(x):
    modes = [jnp.pad(x, ((3, 2), (1, 4)), mode=m) for m in ("reflect", "symmetric", "edge", "wrap", "mean", "maximum", "linear_ramp")]
    return jnp.stack(modes), jnp.pad(x, 2, constant_values=((1, 2), (3, 4))), jnp.pad(x, ((0, 0), (5, 0)), mode="empty")[:, 5:]


@row("n(17, 19), n(17, 5), n(4, 19), n(4, 5)")
@row("n(17, 19), n(17, 5), n(4, 19), n(4, 5)", "grad(lambda *x: jnp.sin({0}(*x)), (0, 3))")
def blocks_and_pieces(a, b, c, d):
    m = jnp.block([[a, b], [c, d]])
    top, bottom = jnp.array_split(m, 2)
    return jnp.concatenate(
        [jnp.tile(top, (1, 2)).ravel(), jnp.repeat(bottom, 3, axis=0).ravel(), jnp.kron(d, jnp.ones((2, 3))).ravel()])


@row("n(700), i(9, 700)")
def values_by_group(x, g):
    """Rank, cumulative sum and difference from the previous value within groups, in the given order."""
    order = jnp.lexsort((jnp.arange(700), g))
    y, h = x[order], g[order]
    first = jnp.searchsorted(h, h)
    total = jnp.cumsum(y)
    inside = total - jnp.where(first > 0, total[first - 1], 0)
    lag = jnp.where(jnp.arange(700) == first, 0, y - jnp.roll(y, 1))
    back = jnp.argsort(order)
    return (jnp.arange(700) - first)[back], inside[back], lag[back]


@row("i(50, 400), i(50, 300), n(300)")
def table_join(left, right, value):
    """The value of the first equal key, or -1."""
    order = jnp.argsort(right, stable=True)
    at = jnp.searchsorted(right[order], left).clip(0, 299)
    found = right[order][at] == left
    return jnp.where(found, value[order[at]], -1), found.mean(), jnp.isin(right, left)


@row("i(12, 900), i(7, 900), n(900)")
def pivot_table(r, c, v):
    one = jnp.ravel_multi_index((r, c), (12, 7), mode="clip")
    total = jnp.bincount(one, v, length=84).reshape(12, 7)
    count = jnp.bincount(one, length=84).reshape(12, 7)
    mean = total / jnp.maximum(count, 1)
    return mean, jnp.c_[mean, mean.sum(1)], jnp.unravel_index(mean.argmax(), (12, 7))


@row("n(600)")
def rolling_statistics(x):
    """Windows of 20: mean, deviation, maximum, and an exponential mean."""
    w = x[jnp.arange(581)[:, None] + jnp.arange(20)]
    c = jnp.concatenate([jnp.zeros(1), x.cumsum()])
    smooth = lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (jnp.full(600, 0.9), 0.1 * x))[1]
    return (c[20:] - c[:-20]) / 20, w.std(1), w.max(1), smooth, lax.cummax(x) - x


@row("n(3, 5, 4), n(5, 4, 6, seed=1), n(6, 3, seed=2), n(4, 4, seed=3)")
@row("n(3, 5, 4), n(5, 4, 6, seed=1), n(6, 3, seed=2), n(4, 4, seed=3)", "grad({0}, (0, 1, 2, 3))")
@row("n(3, 5, 4), n(5, 4, 6, seed=1), n(6, 3, seed=2), n(4, 4, seed=3)", "jax.jacrev({0}, 2)")
def contracted_network(a, b, c, d):
    x = jnp.einsum("abc,bcd,de,cf->aef", a, b, c, d, optimize=True)
    return jnp.einsum("aaf->f", x) + jnp.tensordot(a, b, ((1, 2), (0, 1))).sum(0)[:4] + jnp.einsum("abc,abd,cd->d", a, a, d)


# ---- small types and wide types --------------------------------------------------------------------------------------

@row("n(50, 60, dtype='float16'), n(60, dtype='float16')")
@row("n(50, 60, dtype='bfloat16'), n(60, dtype='bfloat16')")
def low_precision_chain(x, s):
    y = jnp.tanh(x) * s + jnp.exp(-abs(x))
    y = y / y.sum(1, keepdims=True, dtype=jnp.float32).astype(x.dtype)
    return jnp.sort(y, axis=1)[:, -5:], y.argmax(0), jnp.cumsum(y, axis=1), y.max(1) - y.min(1)


@row("(i(255, 3000) - 127).astype('int8'), (i(255, 3000) - 127).astype('int8')[::-1]")
def saturating_bytes(a, b):
    wide = a.astype(jnp.int16) + b.astype(jnp.int16)
    half = ((a.astype(jnp.int16) * b.astype(jnp.int16) + 64) >> 7).clip(-128, 127).astype(jnp.int8)
    return wide.clip(-128, 127).astype(jnp.int8), half, a - b, jnp.abs(a), (a & 15) ^ (b >> 4)


@row("n(41, 43, scale=3)")
def through_small_floats(x):
    types = (jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.float8_e4m3b11fnuz, jnp.float16, jnp.bfloat16)
    return [x.astype(t).astype(jnp.float32) - x for t in types]


@row("i(1000, 800).astype('uint16'), (i(1000, 800) + 1).astype('uint16')")
def short_division(a, b):
    return a // b, a % b, jnp.gcd(a, b), (a * b).astype(jnp.uint8), jnp.left_shift(a, b % 16), jnp.right_shift(b, 3)


@row("n(30, 31), n(30, 31, seed=1)")
@row("n(30, 31), n(30, 31, seed=1)", "lambda a, b: jax.grad(lambda a, b: abs({0}(a, b)).sum(), (0, 1))(a, b)")
def complex_functions(a, b):
    z = lax.complex(a, b)
    w = jnp.exp(0.3 * z) / (1 + z * z.conj()) + jnp.sqrt(z) * jnp.log(z + 3)
    return w @ w.conj().T + jnp.angle(z).sum() + jnp.tanh(z).sum(1)


@row("i(1 << 30, 500).astype('int64'), i(1 << 30, 500).astype('int64')[::-1]", double=True)
def wide_integers(a, b):
    m = (1 << 61) - 1
    h = (a * 0x5851F42D4C957F2D + b) ^ ((a << 20) >> 7)
    return h & m, h // (b + 1), h % 1000003, jnp.sort(h), lax.population_count(h), (h >> 40).astype(jnp.int32)


@row("n(25, 26, dtype='float64'), n(26, dtype='float64')", double=True)
@row("n(25, 26, dtype='float64'), n(26, dtype='float64')", "grad(lambda a, x: {0}(a, x)[0], (0, 1))", double=True)
def double_least_squares(a, x):
    q, r = jnp.linalg.qr(a.T)
    z = jax.scipy.linalg.solve_triangular(r, q.T @ x)
    return z, jnp.linalg.norm(a.T @ z - x), jnp.linalg.cond(a)


ROWS = [
    "lambda x: x[::-2, 1::3] @ x[1::3, ::-2].T.T @@ n(90, 90)",
    "lambda x, i: x.take(i, axis=1, mode='wrap') + x.take(i, 1, mode='clip') @@ n(40, 50), i(200, 60) - 70",
    "lambda x: jnp.rot90(jnp.flipud(x), 3) - jnp.fliplr(x).T @@ n(71, 73)",
    "lambda x, k: jnp.roll(x, (k[0], -k[1], 5), (0, 1, 2)) @@ n(20, 21, 22), i(9, 2)",
    "vmap(jnp.roll) @@ n(50, 120), i(120, 50)",
    "lambda x: jnp.select([x < -1, x < 0, x < 1], [x ** 2, -x, jnp.sqrt(abs(x))], 7.) @@ n(2003)",
    "lambda x, i: jnp.choose(i, [x, -x, x * x, jnp.cos(x)], mode='wrap') @@ n(37, 41), i(9, 37, 41)",
    "lambda x, y: jnp.stack(jnp.meshgrid(x, y, x[:5], indexing='ij')).sum(0) @@ n(21), n(19)",
    "lambda x: jnp.digitize(x, jnp.linspace(-2, 2, 33)) @@ n(4000)",
    "lambda x, y: jnp.searchsorted(x.sort(), y, side='right', method='sort') @@ n(1000), n(3000, seed=1)",
    "lambda x: jnp.lexsort((x[:, 2], x[:, 0], x[:, 1])) @@ i(5, 600, 3)",
    "lambda x: jnp.partition(x, 10, axis=1)[:, :10] @@ n(20, 300)",
    "lambda x: jnp.vander(x, 9) @ jnp.tri(9, 9, 2) @@ n(80)",
    "lambda x, y: jnp.intersect1d(x, y, size=64, fill_value=-1) @@ i(300, 200), i(400, 250)",
    "lambda x: jnp.trapezoid(jnp.cumprod(1 + x * .01, axis=0), dx=.1, axis=0) @@ n(100, 30)",
    "lambda x: jnp.apply_along_axis(lambda r: jnp.convolve(r, r[:7], 'same'), 1, x) @@ n(25, 90)",
    "lambda a, b: jnp.kron(a, b) - jnp.kron(b, a) @@ n(13, 7), n(11, 9)",
    "lambda a, b: jnp.einsum('...ij,...jk,...ki->...', a, b, a) @@ n(4, 9, 11, 11), n(9, 11, 11)",
    "jax.jacfwd(lambda x: jnp.einsum('i,j,k->ijk', x, x, jnp.sin(x)).sum((0, 1))) @@ n(17)",
    "lambda x: (jnp.frexp(x)[0], jnp.nextafter(x, 9), jnp.modf(x)[1], jnp.copysign(x, -x), jnp.heaviside(x, .5)) @@ n(901)",
    "f64: lambda x: jnp.cumsum(x.reshape(20, -1), 0).astype('float32') - jnp.nancumsum(x).reshape(20, -1) @@ n(2000, dtype='float64')",
    "f64: lambda z: jnp.polyval(jnp.poly(z), z + 1) @@ n(7, dtype='complex128')",
]
