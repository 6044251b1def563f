"""blind_kinds.py: rows of the long tail written before any of them was measured (snippets.py): unusual types, sizes and ranks:
small and wide integers, halves, eighths, doubles, complex numbers, booleans; primes, tiny axes, many axes; hashes, number
theory."""
import jax
import jax.numpy as jnp
from jax import lax

from snippets import row

ROWS = [
    # integers
    "lambda a, b: (a * b + a, a // jnp.maximum(b, 1), a % jnp.maximum(b, 1))"
    " @@ i(256, 511, 127).astype('uint8'), i(9, 127).astype('uint8')",
    "lambda a, b: (a - b, jnp.abs(a), jnp.sign(a) * b, a >> 2)"
    " @@ (i(256, 40009) - 128).astype('int8'), i(7, 40009).astype('int8')",
    "lambda a, b: jnp.minimum(a, b) * jnp.int16(3) ^ (a << 3)"
    " @@ i(30000, 300, 101).astype('int16'), i(30000, 300, 1).astype('int16')",
    "lambda a, b: a.astype(jnp.int32) @ b.astype(jnp.int32)"
    " @@ (i(255, 127, 256) - 127).astype('int8'), i(99, 256, 65).astype('int8')",
    "lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32).sum(0)"
    " @@ (i(255, 200, 300) - 127).astype('int8'), i(99, 300, 101).astype('int8')",
    "lambda a, b: jnp.einsum('bij,bjk->bki', a, b) % 1009 @@ i(1009, 30, 20, 13), i(1009, 30, 13, 17)",
    "lambda x: (x.sum(0), x.max(1), x.min(), x.mean(1), x.prod(0)) @@ i(256, 127, 1009).astype('uint8')",
    "lambda x: (x * jnp.uint32(2654435761)) >> 20 @@ i(1 << 30, 100003).astype('uint32')",
    "f64: lambda a, b: (a * b) // 1000003 + lax.clz(a)"
    " @@ i(1 << 30, 20011).astype('int64'), i(1 << 30, 20011)[::-1].astype('int64') + 1",
    "f64: lambda x: x @ x.T @@ i(1000, 101, 67).astype('int64')",
    # halves, eighths, doubles
    "lambda x: jax.nn.softmax(x, 0) @@ n(127, 1009).astype('float16')",
    "lambda x: (x.var(1), x.std(0), x.mean((0, 2))) @@ n(37, 127, 53).astype('bfloat16')",
    "grad(lambda x, w: jax.nn.gelu(x @ w), (0, 1)) @@ n(61, 127).astype('bfloat16'), n(127, 89).astype('bfloat16')",
    "lambda x: jnp.cumsum(x, 1) / jnp.arange(1, 1010).astype('float16') @@ n(53, 1009).astype('float16')",
    "lambda x: x.astype(jnp.float8_e5m2).astype(jnp.float32).reshape(-1, 5).sum(1) @@ n(127, 1000)",
    "lambda a, b: jnp.dot(a.astype(jnp.float8_e4m3fn), b.astype(jnp.float8_e4m3fn), preferred_element_type=jnp.float32)"
    " @@ n(67, 128), n(128, 31)",
    "f64: lambda x: jnp.log1p(jnp.exp(-jnp.abs(x))) + jnp.tanh(x) ** 3 @@ n(211, 499, dtype='float64')",
    "f64: lambda a, b: jnp.linalg.solve(a, b) @@ definite(17, 13).astype('float64'), n(17, 13, 3, dtype='float64')",
    "f64: grad(lambda x: jnp.einsum('ij,jk,kl->il', x, jnp.sin(x), x)) @@ n(101, 101, dtype='float64', scale=.1)",
    "f64: lambda x: (jnp.median(x, 0), x.argmin(1), jnp.ptp(x)) @@ n(127, 331, dtype='float64')",
    "f64: lambda x: js.special.gammaln(1 + jnp.abs(x)) - js.special.erf(x) @@ n(20011, dtype='float64')",
    # complex
    "lambda z, w: (z * jnp.conj(w)).sum(1) / jnp.abs(z).max(1)"
    " @@ lax.complex(n(127, 401), n(127, 401, seed=1)), lax.complex(n(401), n(401))",
    "lambda z: jnp.log(z) * jnp.sqrt(z) + jnp.angle(z) @@ lax.complex(n(20011), n(20011, seed=1))",
    "f64: lambda z: jnp.einsum('bij,bjk->bik', z, jnp.conj(z))"
    " @@ lax.complex(n(19, 23, 23, dtype='float64'), n(19, 23, 23, dtype='float64'))",
    "f64: lambda z: jnp.polyval(jnp.array([1, 2j, -1, .5]), z) / (1 + z * z)"
    " @@ lax.complex(n(5003, dtype='float64'), n(5003, dtype='float64', seed=1))",
    "lambda z: jnp.abs(jnp.fft.fft2(z)) ** 2 @@ lax.complex(n(5, 59, 64), n(5, 59, 64, seed=1))",
    # booleans
    "lambda a, b, c: ((a & b) | (~a & c)).sum(0) @@ i(2, 503, 211) > 0, i(2, 503, 211) > 0, i(3, 211) > 0",
    "lambda x: (jnp.any(x > 3, 0), jnp.all(x > -3, 1), jnp.logical_xor.reduce(x > 0, 1)) @@ n(311, 307)",
    "lambda x, y: (x[:, None] != y).mean(-1) @@ i(4, 101, 61), i(4, 97, 61)",
    # axes of one to five, many axes, primes
    "lambda x: jnp.linalg.norm(x, axis=-1, keepdims=True) * jnp.cross(x, jnp.roll(x, 1, 0)) @@ n(10007, 3)",
    "lambda x, m: x @ m.T + m[:, 0] @@ n(30011, 3), n(3, 3)",
    "lambda x: (x.argmin(-1), x.argmax(0), jnp.sort(x, -1), x.max(-1)) @@ n(5003, 5)",
    "lambda x: jax.nn.softmax(x, -1) * x.mean(-1, keepdims=True) @@ n(101, 103, 2)",
    "lambda x: x.reshape(-1, 1) * jnp.array([1., 2, 3, 4]) - x.sum() @@ n(9973, 1)",
    "lambda x: x.sum((0, 2, 4)) + x.max((1, 3)).sum() @@ n(7, 11, 13, 5, 3)",
    "lambda x, y: (x * y).mean((1, 3)) @@ n(5, 7, 11, 3, 13, 2), n(7, 1, 3, 1, 2)",
    "lambda x: x.transpose(5, 1, 3, 0, 4, 2).var(2) @@ n(6, 5, 7, 4, 3, 11)",
    "lambda a, b, c, d: a + b * c - d @@ n(97, 1, 53), n(1, 41, 53), n(41, 1), n(97, 41, 1)",
    "lambda x: (jnp.percentile(x, 90., axis=1), jnp.quantile(x, jnp.array([.1, .5]), axis=0)) @@ n(113, 131)",
    "lambda x: (jnp.nanmean(x, 1), jnp.nanmax(x, 0), jnp.median(x, 1), jnp.average(x, 0)) @@ n(127, 211)",
    "lambda a, b, s: (jnp.dot(a, b), jnp.outer(a, b) * s, jnp.cross(a, b), s / (1 + a @ a)) @@ n(3), n(3, seed=1), n()",
    "jax.hessian(lambda x: jnp.sum(x ** 4) * jnp.prod(x) + jnp.sin(x[0] * x[2])) @@ n(3)",
    "vmap(jax.jacobian(lambda x: jnp.array([x[0] * x[1], jnp.sin(x[2]) * x[0], x @ x, x[3] ** 3]))) @@ n(1009, 4)",
    "lambda x, s: jnp.einsum('abcde,ce,bd->ad', x, s, s[:, :3]) @@ n(19, 5, 5, 3, 7), n(5, 7)",
    "lambda x: jnp.einsum('nij,njk,nkl,nlm->nim', x, x, x, x) @@ n(1511, 3, 3)",
    "lambda x, y: jnp.kron(x, y).sum(0) + jnp.tensordot(x, y, 0).max((1, 3)).ravel()[0] @@ n(31, 29), n(17, 19)",
    "lambda x: jnp.histogram(x, bins=37)[0] + jnp.bincount(jnp.abs(x * 9).astype(jnp.int32), length=37) @@ n(7919)",
]


# ---- colors, fixed point, codes ---------------------------------------------------------------------------------------------

@row("i(256, 251, 199, 3).astype('uint8')")
def luma_and_chroma_in_integers(rgb):
    r, g, b = jnp.moveaxis(rgb.astype(jnp.int32), -1, 0)
    y = (66 * r + 129 * g + 25 * b + 128 >> 8) + 16
    u, v = (-38 * r - 74 * g + 112 * b + 128 >> 8) + 128, (112 * r - 94 * g - 18 * b + 128 >> 8) + 128
    return jnp.clip(jnp.stack([y, u, v], -1), 0, 255).astype(jnp.uint8)


@row("i(1 << 16, 127, 401).astype('uint16')")
def rgb565_to_bytes(x):
    x = x.astype(jnp.uint32)
    r, g, b = x >> 11, x >> 5 & 63, x & 31
    return jnp.stack([r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2], -1).astype(jnp.uint8)


@row("i(65536, 10007) - 32768, i(65536, 10007)[::-1] - 32768")
def fixed_point_q15(a, b):
    product = jnp.clip(a * b + (1 << 14) >> 15, -32768, 32767)
    return product.astype(jnp.int16), (jnp.cumsum(product) >> 4).astype(jnp.int16)


@row("i(1 << 24, 20011).astype('uint32')")
def gray_code_there_and_back(x):
    g = x ^ x >> 1
    back = g
    for s in (1, 2, 4, 8, 16):
        back = back ^ back >> s
    return g, back, lax.population_count(g)


@row("i(1024, 10007, 3).astype('uint32')")
def morton_order_of_points(p):
    for s, m in ((16, 0x30000FF), (8, 0x300F00F), (4, 0x30C30C3), (2, 0x9249249)):
        p = (p | p << s) & jnp.uint32(m)
    code = p[:, 0] | p[:, 1] << 1 | p[:, 2] << 2
    return code, jnp.argsort(code)


@row("i(256, 4001), i(256, 4001)[::-1]")
def hilbert_index(x, y):
    d = jnp.zeros_like(x)
    for k in range(7, -1, -1):
        s = 1 << k
        rx, ry = (x & s > 0).astype(jnp.int32), (y & s > 0).astype(jnp.int32)
        d = d + s * s * (3 * rx ^ ry)
        x, y = jnp.where((ry == 0) & (rx == 1), 255 - x, x), jnp.where((ry == 0) & (rx == 1), 255 - y, y)
        x, y = jnp.where(ry == 0, y, x), jnp.where(ry == 0, x, y)
    return d


# ---- hashes, checksums, generators ----------------------------------------------------------------------------------------

@row("i(256, 127, 61)")
def fnv_hash_of_rows(text):
    def step(h, c):
        return (h ^ c.astype(jnp.uint32)) * jnp.uint32(16777619), None
    return lax.scan(step, jnp.full(127, 2166136261, jnp.uint32), text.T)[0]


@row("i(1 << 30, 1009, 5).astype('uint32')")
def murmur3_words(blocks):
    rot = lambda x, r: x << r | x >> 32 - r
    h = jnp.full(blocks.shape[0], 42, jnp.uint32)
    for k in range(5):
        h = rot(h ^ rot(blocks[:, k] * jnp.uint32(0xCC9E2D51), 15) * jnp.uint32(0x1B873593), 13) * 5 + jnp.uint32(0xE6546B64)
    h = (h ^ h >> 16) * jnp.uint32(0x85EBCA6B)
    h = (h ^ h >> 13) * jnp.uint32(0xC2B2AE35)
    return h ^ h >> 16


@row("i(256, 64, 101).astype('uint8')")
def crc32_with_table(data):
    table = jnp.arange(256, dtype=jnp.uint32)
    for _ in range(8):
        table = jnp.where(table & 1, table >> 1 ^ jnp.uint32(0xEDB88320), table >> 1)
    step = lambda c, b: (table[(c ^ b) & 255] ^ c >> 8, None)
    return ~lax.scan(step, jnp.full(64, 0xFFFFFFFF, jnp.uint32), data.T.astype(jnp.uint32))[0]


@row("i(1 << 30, 4, 503).astype('uint32') + 1")
def xoshiro_streams(s):
    def step(s, _):
        a, b, c, d = s
        out = (a + d << 7 | a + d >> 25) + a
        t, c, d = b << 9, c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        c, d = c ^ t, d << 11 | d >> 21
        return (a, b, c, d), out
    return (lax.scan(step, tuple(s), None, length=50)[1] >> 8).astype(jnp.float32) / (1 << 24)


@row("i(1 << 30, 2003).astype('uint64')", double=True)
def permuted_congruential(state):
    def step(s, _):
        s1 = s * jnp.uint64(6364136223846793005) + jnp.uint64(1442695040888963407)
        x, r = ((s >> 18 ^ s) >> 27).astype(jnp.uint32), (s >> 59).astype(jnp.uint32)
        return s1, x >> r | x << (-r & 31)
    return lax.scan(step, state, None, length=20)[1]


@row("jnp.arange(5003, dtype='uint32')")
def philox_by_hand(counter):
    x, k = [counter, counter * 0, counter * 0 + 7, counter * 0], (jnp.uint32(11), jnp.uint32(13))
    def mul(a, b):
        a0, a1, b0, b1 = a & 0xFFFF, a >> 16, b & 0xFFFF, b >> 16
        mid = a1 * b0 + (a0 * b0 >> 16)
        return a1 * b1 + (mid >> 16) + ((mid & 0xFFFF) + a0 * b1 >> 16), a * b
    for _ in range(7):
        (h0, l0), (h1, l1) = mul(x[0], jnp.uint32(0xD2511F53)), mul(x[2], jnp.uint32(0xCD9E8D57))
        x, k = [h1 ^ x[1] ^ k[0], l1, h0 ^ x[3] ^ k[1], l0], (k[0] + jnp.uint32(0x9E3779B9), k[1] + jnp.uint32(0xBB67AE85))
    return jnp.stack(x, -1)


# ---- numbers and strings -------------------------------------------------------------------------------------------------

@row("jnp.arange(2, 20011)")
def sieve_and_totients(n):
    def strike(k, prime):
        p = k + 2
        return jnp.where((n % p == 0) & (n > p), False, prime)
    prime = lax.fori_loop(0, 140, strike, jnp.ones(n.shape, bool))
    return prime, jnp.cumsum(prime)


@row("i(100000, 2003) + 1")
def collatz_lengths(n):
    def one(n):
        go = lambda s: (s[0] > 1) & (s[1] < 200)
        return lax.while_loop(go, lambda s: (jnp.where(s[0] % 2, 3 * s[0] + 1, s[0] // 2) & 0x7FFFFFF, s[1] + 1), (n, 0))[1]
    return jax.vmap(one)(n)


@row("i(5000, 1009) + 1, i(5000, 1009)[::-1] * 2 + 1")
def gcd_and_jacobi_symbols(a, n):
    def jacobi(a, n):
        def body(s):
            a, n, r = s
            even, flip = a % 2 == 0, (n % 8 == 3) | (n % 8 == 5)
            swap = jnp.where((a % 4 == 3) & (n % 4 == 3), -r, r)
            return jnp.where(even, a // 2, n % a), jnp.where(even, n, a), jnp.where(even, jnp.where(flip, -r, r), swap)
        a, n, r = lax.while_loop(lambda s: s[0] != 0, body, (a % n, n, 1))
        return jnp.where(n == 1, r, 0)
    return jnp.gcd(a, n), jnp.lcm(a, n), jax.vmap(jacobi)(a, n)


@row("i(1 << 20, 4001)")
def integer_square_roots(x):
    root = jnp.zeros_like(x)
    for b in range(10, -1, -1):
        t = root | 1 << b
        root = jnp.where(t * t <= x, t, root)
    return root, x - root * root


@row("i(4, 200, 31), i(4, 200, 31)[::-1]")
def jaro_similarity(a, b):
    def one(a, b):
        def step(used, k):
            ok = (b == a[k]) & ~used & (jnp.abs(jnp.arange(31) - k) <= 14)
            j = jnp.argmax(ok)
            return used.at[j].set(used[j] | ok.any()), ok.any()
        used, hit = lax.scan(step, jnp.zeros(31, bool), jnp.arange(31))
        m = hit.sum()
        t = jnp.sum((a[jnp.argsort(~hit, stable=True)] != b[jnp.argsort(~used, stable=True)]) & (jnp.arange(31) < m)) / 2
        return jnp.where(m > 0, (2 * m / 31 + (m - t) / jnp.maximum(m, 1)) / 3, 0)
    return jax.vmap(one)(a, b)


@row("i(5, 53), i(5, 300, 53)")
def common_subsequence_lengths(a, b):
    def one(b):
        def step(prev, ch):
            best = jnp.maximum(prev[1:], jnp.where(b == ch, prev[:-1] + 1, 0))
            return jnp.concatenate([jnp.zeros(1, jnp.int32), lax.cummax(best)]), None
        return lax.scan(step, jnp.zeros(54, jnp.int32), a)[0][-1]
    return jax.vmap(one)(b)


@row("i(1 << 30, 300, 4).astype('uint32'), i(1 << 30, 211, 4).astype('uint32')")
def hamming_and_tanimoto_of_fingerprints(a, b):
    both = lax.population_count(a[:, None] & b).sum(-1)
    apart = lax.population_count(a[:, None] ^ b).sum(-1)
    return apart.argmin(1), both / jnp.maximum(both + apart, 1)


@row("i(2, 64, 127).astype('int8')")
def convolutional_code(bits):
    p = jnp.pad(bits, ((0, 0), (2, 0)))
    a, b = p[:, 2:] ^ p[:, 1:-1] ^ p[:, :-2], p[:, 2:] ^ p[:, :-2]
    coded = jnp.stack([a, b], -1).reshape(64, -1)
    return coded, jnp.cumsum(coded, 1) & 1, coded.reshape(64, 2, 127).swapaxes(1, 2)
