"""fresh_numbers.py: integers of all widths, halves and eighths, complex numbers, bits, codes, fixed and floating formats by hand,
number theory, many tiny programs of scalars."""
import jax.numpy as jnp
from jax import lax

from snippets import row

ROWS = [
    # integers
    "lambda a, b: (a.astype('int16') * b - b.astype('int16') >> 3).astype('int8').sum(1)"
    " @@ (i(256, 301, 77) - 128).astype('int8'), (i(256, 77) - 128).astype('int8')",
    "lambda a, b: jnp.where(a > b, a - b, b - a).astype('uint16').sum((0, 2)) @@ i(256, 9, 211, 31).astype('uint8'), i(256, 211, 1).astype('uint8')",
    "lambda a, b: lax.dot_general(a, b, (((0,), (1,)), ((), ())), preferred_element_type='int32') >> 7"
    " @@ (i(256, 300, 91) - 128).astype('int8'), (i(256, 53, 300) - 128).astype('int8')",
    "lambda a, b: lax.dot_general(a, b, (((2,), (1,)), ((0,), (0,))), preferred_element_type='int32').max(-1)"
    " @@ (i(256, 11, 1, 130) - 128).astype('int8'), (i(256, 11, 130, 70) - 128).astype('int8')",
    "lambda a: (a.cumsum(0), a.cumprod(1), lax.cummax(a, reverse=True)) @@ i(200, 61, 97).astype('uint8')",
    "lambda a, s: (lax.shift_right_arithmetic(a, s), lax.shift_right_logical(a, s), lax.shift_left(a, s))"
    " @@ (i(65536, 9001) - 32768).astype('int16'), i(16, 9001).astype('int16')",
    "lambda a: (lax.population_count(a), lax.clz(a)) @@ i(256, 303, 41).astype('uint8')",
    "f64: lambda a, b: (a % b, lax.rem(a, b), jnp.gcd(a, b)) @@ i(1 << 30, 1501).astype('int64') * 977 + 5, i(99991, 1501).astype('int64') + 1",
    "f64: lambda a: (a * jnp.uint64(6364136223846793005) + jnp.uint64(1442695040888963407)) >> jnp.uint64(33) @@ i(1 << 30, 8191).astype('uint64')",
    "lambda a, b: jnp.lcm(a, b).max(0) @@ i(90, 37, 51) + 1, i(80, 51) + 1",
    "lambda a: a[::-1, ::3].astype('int32') @ jnp.arange(34) @@ i(1000, 501, 100).astype('int16')",
    "lambda a: jnp.bitwise_xor.reduce(a, 1) | jnp.bitwise_and.reduce(a[:, 5:], 1) @@ i(1 << 30, 803, 33)",
    "lambda a: jnp.packbits(a, axis=0) @@ i(2, 203, 75).astype('uint8')",
    "lambda a: jnp.unpackbits(a, bitorder='little').reshape(-1, 7).sum(1) @@ i(256, 7 * 131).astype('uint8')",
    "lambda a, b: jnp.isin(a, b).sum(0) @@ i(5000, 401, 3), i(5000, 77)",
    "lambda a: jnp.sort(a, 0)[5::9].astype('int32') * 2 @@ (i(65536, 333, 21) - 32768).astype('int16')",
    "lambda a: jnp.argsort(a.astype('int8'), descending=True)[:50] @@ i(127, 3001)",
    "lambda a, b: lax.sort((a, b, -b), num_keys=2)[2] @@ i(9, 2011).astype('uint8'), n(2011, dtype='float16')",
    "lambda x: lax.bitcast_convert_type(x, 'uint8').reshape(-1, 4).sum(0) @@ n(701, 3)",
    "lambda x: lax.bitcast_convert_type(lax.bitcast_convert_type(x, 'uint16') & jnp.uint16(0x7fff), 'bfloat16').max(1)"
    " @@ n(99, 501, dtype='bfloat16')",
    "f64: lambda x: lax.bitcast_convert_type(x, 'uint32')[..., 1] >> 20 @@ n(55, 303, dtype='float64')",
    # small floats
    "lambda x: jnp.float16(1) / (1 + jnp.exp(-x)) - x.mean(0) @@ n(203, 117, dtype='float16')",
    "lambda x, y: jnp.arctan2(x, y) + jnp.hypot(x, y) @@ n(5003, dtype='bfloat16'), n(5003, dtype='bfloat16', seed=2)",
    "lambda x, w: lax.conv(x, w, (1, 1), 'SAME').astype('bfloat16') @@ n(2, 6, 25, 27, dtype='bfloat16'), n(11, 6, 3, 3, dtype='bfloat16')",
    "lambda x: x.astype('float8_e5m2').astype('float8_e4m3fn').astype('float16').sum(0) @@ n(301, 203)",
    "lambda x, y: (x.astype('float32') * y.astype('float32')).astype('float8_e4m3fn')"
    " @@ n(77, 501, dtype='float8_e5m2'), n(501, dtype='float8_e4m3fn')",
    "lambda x: jnp.where(x > 0, x, x * .1).astype('float8_e4m3fn').T @@ n(301, 211, dtype='bfloat16')",
    "lambda x: jnp.nextafter(x, jnp.float16(9)) - x @@ n(8009, dtype='float16')",
    "lambda x: (jnp.frexp(x)[1], jnp.ldexp(x, 3), jnp.modf(x)[0]) @@ n(4001)",
    "lambda x: jnp.round(x * 8) / 8 - jnp.trunc(x) + jnp.fmod(x, jnp.bfloat16(.7)) @@ n(61, 203, dtype='bfloat16')",
    "lambda x: lax.reduce_precision(x, 5, 2) - lax.reduce_precision(x, 4, 3) @@ n(20021)",
    "f64: lambda x: (x - x.astype('float32').astype('float64')).sum(0) + x.astype('bfloat16').astype('float64').max(0)"
    " @@ n(211, 83, dtype='float64')",
    "lambda x: jnp.logaddexp2(x[:, 1:], x[:, :-1]).astype('float16') @@ n(53, 400, dtype='float16')",
    "lambda x, i: x.at[i].multiply(jnp.bfloat16(1.5), unique_indices=True) @@ n(5001, 7, dtype='bfloat16'), jnp.arange(0, 5000, 7)",
    "lambda a, b: lax.dot(a, b, preferred_element_type='float32').astype('float16') @@ n(33, 501, dtype='float16'), n(501, 47, dtype='float16')",
    # complex
    "lambda z: jnp.where(jnp.abs(z) > 1, 1 / z, z).sum(0) @@ n(501, 33, dtype='complex64') + 1j * n(501, 33, seed=1)",
    "lambda z: (z ** 3 - 1) / (3 * z ** 2) @@ n(7003, dtype='complex64') + 1j * n(7003, seed=1) + 2",
    "lambda z, w: (z[:, :, None] * w).mean(1).imag @@ n(41, 30) + 1j * n(41, 30, seed=3), n(30, 19) - 1j * n(30, 19, seed=1)",
    "lambda z: jnp.cosh(z) / jnp.cos(z.real) + jnp.arctan(z * .3) @@ n(2003) * .5 + 1j * n(2003, seed=1)",
    "lambda z: jnp.sort(z, 1) * z.conj()[:, ::-1] @@ (n(23, 101) + 1j * n(23, 101, seed=1))",
    "f64: lambda z: jnp.prod(z, 1) + jnp.cumsum(z, 1)[:, -3] @@ n(203, 17, dtype='float64') * .2 + 1 + 1j * n(203, 17, dtype='float64', seed=1)",
    "grad(lambda x: jnp.abs(jnp.exp(1j * x) + x.mean(0)) ** 3) @@ n(151, 67)",
    "lambda z: jnp.linalg.norm(z, axis=0) + jnp.vdot(z[:, 0], z[:, 1]).real @@ n(301, 29) + 1j * n(301, 29, seed=1)",
    # scalars
    "lambda a, b, c: (-b + jnp.sqrt(b * b + a * c)) / (2 * a) @@ jnp.float32(1.5), jnp.float32(4), jnp.float32(2)",
    "lambda a, b: (a ^ b) * 31 + (a & b) % 17 @@ jnp.int32(12345), jnp.int32(777)",
    "jax.value_and_grad(lambda x: jnp.sin(x) * jnp.exp(-x * x) + lax.lgamma(x)) @@ jnp.float32(1.3)",
    "jax.grad(jax.grad(jax.grad(lambda x: jnp.tanh(x) / (1 + x * x)))) @@ jnp.float32(.4)",
    "f64: lambda x: lax.fori_loop(0, 30, lambda k, s: s + x ** k / jnp.exp(lax.lgamma(k + 1.)), 0.) @@ np.float64(1.7)",
    "lambda n0: lax.while_loop(lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2, 3 * s[0] + 1, s[0] // 2), s[1] + 1), (n0, 0))"
    " @@ jnp.int32(837799 // 8)",
    "lambda x: lax.switch((x * 10).astype('int32') % 3, [jnp.sin, jnp.cos, jnp.tanh], x) @@ jnp.float32(.77)",
]


# ---- codes of bits -----------------------------------------------------------------------------------------------------------

@row("i(1 << 16, 3001).astype('uint16')")
def halves_decoded_by_hand(u):
    """Float16 bits to float32 by integer steps, subnormals by multiplication."""
    u = u.astype(jnp.uint32) & jnp.uint32(0xBFFF)
    sign, body = (u >> 15) << 31, u & 0x7FFF
    value = lax.bitcast_convert_type((body << 13) + jnp.uint32(112 << 23), jnp.float32)
    value = jnp.where(body < 1024, body.astype(jnp.float32) * 2.0**-24, value)
    return lax.bitcast_convert_type(lax.bitcast_convert_type(value, jnp.uint32) | sign, jnp.float32)


@row("n(4003)")
@row("n(53, 97, dtype='bfloat16')")
@row("n(53, 97, dtype='float16')")
def eighths_encoded_by_hand(x):
    """To e4m3 codes by rounding of the integers behind float32, to the nearest, ties to even."""
    u = lax.bitcast_convert_type(x.astype(jnp.float32) * 2.0**-120, jnp.uint32)
    sign, body = u >> 24 & 128, u & 0x7FFFFFFF
    code = (body + 0x7FFFF + (body >> 20 & 1)) >> 20
    return (sign | jnp.minimum(code, 126)).astype(jnp.uint8)


@row("i(256, 601, 5).astype('uint8')")
def posits_of_eight_bits(p):
    """Regime by leading bits, one bit of exponent."""
    p = p.astype(jnp.int32)
    sign = p > 127
    body = jnp.where(sign, 256 - p, p) & 127
    first = body >> 6
    run = lax.clz(jnp.where(first == 1, ~body & 127, body) << 25 | (1 << 24))
    k = jnp.where(first == 1, run - 1, -run)
    rest = (body << (run + 1)) & 127
    value = jnp.exp2((2 * k + (rest >> 6)).astype(jnp.float32)) * (1 + (rest & 63) / 64)
    return jnp.where(sign, -value, value)


@row("i(65536, 2003).astype('uint16'), i(65536, 2003)[::-1].astype('uint16')")
def products_of_sixteen_bits_by_bytes(a, b):
    lo = lambda x: x & jnp.uint16(255)
    hi = lambda x: x >> jnp.uint16(8)
    mid = (hi(a) * lo(b)).astype(jnp.uint32) + hi(b) * lo(a)
    return (hi(a) * hi(b)).astype(jnp.uint32) * 65536 + mid * 256 + lo(a) * lo(b), (a * b).astype(jnp.uint32) ^ mid


@row("i(1 << 30, 501, 8).astype('uint32'), i(1 << 30, 501, 8)[::-1].astype('uint32')")
@row("i(1 << 30, 11, 40).astype('uint32'), i(1 << 30, 11, 40)[::-1].astype('uint32')")
def long_numbers_added_with_carry_lookahead(a, b):
    """Words, lowest first; carries by an associative scan of (generate, propagate)."""
    a, b = a << 2 | 3, b << 2 | 1
    s = a + b
    generate, spread = s < a, s == jnp.uint32(0xFFFFFFFF)
    join = lambda x, y: (y[0] | (y[1] & x[0]), x[1] & y[1])
    carry, _ = lax.associative_scan(join, (generate, spread), axis=1)
    return s + jnp.pad(carry[:, :-1], ((0, 0), (1, 0))).astype(jnp.uint32), carry[:, -1]


@row("i(1 << 16, 77, 6), i(1 << 16, 77, 6)[::-1]")
def long_numbers_multiplied_in_columns(a, b):
    """Six digits of 16 bits: halves of the products are added by columns, then carries run."""
    a, b = a.astype(jnp.uint32), b.astype(jnp.uint32)
    product = a[:, :, None] * b[:, None]
    low, high = product & 0xFFFF, product >> 16
    columns = jnp.zeros((77, 13), jnp.uint32)
    for j in range(6):
        columns = columns.at[:, j:j + 6].add(low[:, j]).at[:, j + 1:j + 7].add(high[:, j])
    def carry(c, digit):
        total = digit + c
        return total >> 16, total & 0xFFFF
    last, digits = lax.scan(carry, jnp.zeros(77, jnp.uint32), columns.T)
    return digits.T, last


@row("i(1 << 30, 257).astype('uint32')")
@row("i(1 << 30, 32, 19).astype('uint32').T")
def bits_of_words_reversed_interleaved_and_ranked(x):
    for s, m in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF), (16, 0x0000FFFF)):
        x = (x >> s & jnp.uint32(m)) | (x & jnp.uint32(m)) << s
    low = x & -x.astype(jnp.int32).astype(jnp.uint32)
    return x, low, jnp.where(x == 0, 32, 31 - lax.clz(low)), x & (x - 1)


@row("i(251, 16, 16), i(251, 16)")
@row("i(251, 40, 40), i(251, 40)")
def system_solved_modulo_prime(a, b):
    """Elimination modulo 251, with the first pivot that is not zero."""
    n = a.shape[0]
    def power(x, e):
        out = jnp.ones_like(x)
        for bit in f"{e:b}":
            out = out * out % 251
            out = out * x % 251 if bit == "1" else out
        return out
    def column(j, m):
        at = jnp.where((jnp.arange(n) >= j) & (m[:, j] != 0), 0, 1).argmin()
        m = m.at[jnp.array([0, 1])].set(m[jnp.array([0, 1])])
        top, old = m[at], m[j]
        m = m.at[at].set(old).at[j].set(top * power(top[j], 249) % 251)
        factor = jnp.where(jnp.arange(n) == j, 0, m[:, j])
        return (m - factor[:, None] * m[j]) % 251
    return lax.fori_loop(0, n, column, jnp.concatenate([a, b[:, None]], 1))[:, -1]


@row("i(2, 61, 93)")
@row("i(2, 12, 30, 44)", "vmap({0})")
def rank_over_bits_of_packed_rows(a):
    """Elimination over GF(2): rows packed into words of 31 bits."""
    r, c = a.shape
    words = jnp.pad(a, ((0, 0), (0, -c % 31))).reshape(r, -1, 31)
    m = (words << jnp.arange(31)).sum(-1)
    def column(s, j):
        m, rank = s
        bit = m[:, j // 31] >> (j % 31) & 1
        open_ = (jnp.arange(r) >= rank) & (bit == 1)
        at, found = open_.argmax(), open_.any()
        pivot = m[at]
        m = jnp.where(found, m.at[at].set(m[rank]).at[rank].set(pivot), m)
        bit = m[:, j // 31] >> (j % 31) & 1
        clear = found & (bit == 1) & (jnp.arange(r) != rank)
        return (jnp.where(clear[:, None], m ^ pivot, m), rank + found), found
    (m, rank), pivots = lax.scan(column, (m, 0), jnp.arange(c))
    return rank, pivots, m


@row("n(301), n(301, seed=1)")
@row("n(41, 67), n(41, 67, seed=1)", "grad(lambda a, b: {0}(a, b)[0])")
def pairs_of_floats_multiplied_exactly(a, b):
    """Double-float product and sum by splitting."""
    def split(x):
        c = 4097.0 * x
        high = c - (c - x)
        return high, x - high
    def two_product(x, y):
        p = x * y
        (xh, xl), (yh, yl) = split(x), split(y)
        return p, ((xh * yh - p) + xh * yl + xl * yh) + xl * yl
    p, e = two_product(a, b)
    q, f = two_product(p, a)
    s = q + e
    return s, f + (e - (s - q))


@row("n(2003), n(2003, seed=1)")
def intervals_multiplied_and_divided(m, r):
    low, high = m - jnp.abs(r), m + jnp.abs(r)
    shifted = jnp.roll(low, 1), jnp.roll(high, 1)
    products = jnp.stack([x * y for x in (low, high) for y in shifted])
    low2, high2 = jnp.nextafter(products.min(0), -jnp.float32(1e9)), jnp.nextafter(products.max(0), jnp.float32(1e9))
    safe = (low2 > 0) | (high2 < 0)
    return jnp.where(safe, 1 / jnp.where(safe, high2, 1), -1e3), jnp.where(safe, 1 / jnp.where(safe, low2, 1), 1e3)


@row("i(1 << 16, 3, 401).astype('uint16')")
def fixed_point_sines_by_table_and_line(phase):
    table = jnp.round(jnp.sin(jnp.arange(257) * (jnp.pi / 128)) * 32767).astype(jnp.int32)
    at, rest = (phase >> 8).astype(jnp.int32), (phase & 255).astype(jnp.int32)
    s = table[at] + ((table[at + 1] - table[at]) * rest + 128 >> 8)
    return s.astype(jnp.int16), (s[0] * s[1] >> 15).astype(jnp.int16)


@row("i(1 << 28, 703) + 9")
def square_and_cube_roots_by_bits(x):
    def square(k, s):
        bit = 1 << (14 - k)
        new = s | bit
        return jnp.where(new * new <= x, new, s)
    def cube(k, s):
        new = s | 1 << (9 - k)
        return jnp.where(new * new * new <= x, new, s)
    r, c = (lax.fori_loop(0, steps, f, jnp.zeros_like(x)) for steps, f in ((15, square), (10, cube)))
    return r, c, x - r * r


@row("i(10, 303, 12)")
def check_digits_of_cards_and_books(d):
    double = d.at[:, ::2].multiply(2)
    luhn = -(double - 9 * (double > 9)).sum(1) % 10
    book = (d * jnp.where(jnp.arange(12) % 2, 3, 1)).sum(1)
    damm = lax.scan(lambda s, x: ((s * 2 + x * 7 + (s ^ x)) % 10, None), jnp.zeros(303, jnp.int32), d.T)[0]
    return luhn, -book % 10, damm


@row("n(6, 1007, scale=.3)")
@row("n(1, 9001, scale=.3)")
def adaptive_differences_of_four_bits(x):
    """A coder of four bits with growing and shrinking steps, and what it decodes."""
    def step(s, t):
        guess, size = s
        code = jnp.clip(jnp.round((t - guess) / size), -8, 7)
        guess = guess + code * size
        size = jnp.clip(size * jnp.where(jnp.abs(code) > 4, 1.6, 0.9), 1e-3, 1)
        return (guess, size), (code.astype(jnp.int8), guess)
    return lax.scan(step, (jnp.zeros(x.shape[0]), jnp.full(x.shape[0], 0.1)), x.T)[1]


@row("i(1 << 20, 1001)")
@row("i(1 << 20, 7, 130)", "vmap({0})")
def numbers_to_roman_and_digit_sums(x):
    values = jnp.array([1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1])
    def take(rest, v):
        return rest % v, rest // v
    _, count = lax.scan(take, x % 4000, values)
    def digits(s):
        return s[0] // 10, s[1] + s[0] % 10
    return count, lax.while_loop(lambda s: (s[0] > 0).any(), digits, (x, jnp.zeros_like(x)))[1]
