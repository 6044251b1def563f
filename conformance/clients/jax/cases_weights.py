"""Products of few rows with matrices of few bits, as users of quantized models write them: each spelling, odd sizes, and what is no
such product."""
import jax
import jax.numpy as jnp
import numpy

from jax_case import case

F32, BF16 = jnp.float32, jnp.bfloat16


def arrays(m, k, n, group=None, low=-128, high=128, dtype=numpy.int8):
    random = numpy.random.RandomState(m * k + n)
    x, q = random.standard_normal((m, k)).astype("float32"), random.randint(low, high, (k, n)).astype(dtype)
    return x, q, random.random_sample((k // group, n) if group else n).astype("float32") + 0.5


def scaled_columns(x, q, s):
    return [x @ (q.astype(F32) * s), (x @ q.astype(F32)) * s, x @ (s * q.astype(F32)), x @ (q.T.astype(F32) * s[:, None]).T,
            (q.T.astype(F32) * s[:, None]) @ x.T, x @ (q.astype(F32) * 0.25), x.astype(BF16) @ q.astype(BF16)]


def scaled_groups(x, q, s):
    (k, n), groups = q.shape, len(s)
    parts = q.reshape(groups, -1, n).astype(F32) * s[:, None]
    transposed = (q.T.reshape(n, groups, -1).astype(F32) * s.T[:, :, None]).reshape(n, k)
    return [x @ parts.reshape(k, n), x @ (q.astype(F32) * jnp.repeat(s, k // groups, 0)), x @ transposed.T,
            jnp.einsum("mgk,gkn->mn", x.reshape(len(x), groups, -1), parts)]


def shifted(x, q, s, z):
    return [x @ ((q.astype(F32) - z.astype(F32)) * s), x @ ((q.astype(jnp.int32) - z.astype(jnp.int32)).astype(F32) * s),
            x @ (q.astype(F32) * s + s), x @ ((q - z).astype(F32) * s), x @ ((q.astype(jnp.int16) - 7).astype(F32) * s)]


@case(rtol=1e-4, atol=2e-3)
def scales_of_columns():
    return [jax.jit(scaled_columns)(*arrays(*shape)) for shape in ((1, 64, 64), (3, 96, 77), (16, 513, 65), (17, 64, 64))]


@case(rtol=1e-4, atol=2e-3)
def scales_of_groups():
    return [jax.jit(scaled_groups)(*arrays(*shape)) for shape in ((1, 128, 64, 32), (2, 1056, 67, 48), (5, 96, 80, 8), (16, 256, 64, 128))]


@case(rtol=1e-4, atol=2e-2)
def zero_points_and_offsets():
    z = numpy.arange(77).astype(numpy.uint8)
    return [jax.jit(shifted)(*arrays(m, 96, 77, low=0, high=256, dtype=numpy.uint8), z) for m in (1, 4, 16)]


@case(rtol=1e-4, atol=2e-3)
def numbers_of_fewer_bits():
    types = (jnp.int4, jnp.uint4, jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.float8_e4m3b11fnuz, jnp.float16, jnp.int16)
    x, q, s = arrays(4, 96, 72, low=0, high=8)
    return [jax.jit(lambda x, q, s: [x @ (q.astype(F32) * s), x @ (q.T.astype(F32) * s[:, None]).T])(x, jnp.asarray(q).astype(t), s) for t in types]


@case(rtol=1e-4, atol=1e-3)
def scales_that_are_no_numbers():
    x, q, s = arrays(2, 64, 80, low=-3, high=4)
    s[:6] = numpy.inf, numpy.nan, -numpy.inf, 3e38, 1e-42, 0
    return jax.jit(lambda x, q, s: x @ (q.astype(F32) * s))(x, q, s)


@case(rtol=1e-4, atol=1e-3)
def matrices_of_a_batch_and_in_blocks():
    x, q, s = arrays(5, 64, 128)
    batch = lambda x, q, s: [jnp.einsum("bmk,bkn->bmn", x, q.astype(F32) * s[:, None]), jnp.einsum("bmk,bnk->mbn", x, q.mT.astype(F32) * s[:, :, None])]
    blocks = lambda x, q, s: [x @ (q.reshape(2, 32, 4, 32).astype(F32) * s[:8].reshape(2, 1, 4, 1)).reshape(64, 128),
                              jnp.einsum("mk,khd->mhd", x, q.reshape(64, 4, 32).astype(F32) * s[:4, None])]
    three = [numpy.stack([a, a[::-1], -a]) for a in (x, q // 2, s)]
    return [jax.jit(batch)(*three), jax.jit(blocks)(x, q, s)]


@case(rtol=1e-4, atol=1e-3)
def a_loop_keeps_its_weights():
    x, q, s = arrays(1, 64, 64)
    step = lambda x, _: (jnp.tanh(x @ (q.astype(F32) * s) / 100), x.sum())
    return jax.jit(lambda x: jax.lax.scan(step, x, length=5))(x)


@case(rtol=1e-4, atol=1e-3)
def halves_of_bytes():
    """Weights of 4 bits, two in a byte, as clients unpack them, with a scale for each column and group of 32."""
    k, n, random = 256, 192, numpy.random.default_rng(0)
    def split(parts, axis):
        return jnp.stack(parts, axis).reshape(k, n)
    def signed(p):
        return (p << 4).astype("int8") >> 4
    bitcast = jax.lax.bitcast_convert_type
    spellings = [("int8", (k, n // 2), lambda p: bitcast(p, "int4").reshape(k, n)),
                 ("uint8", (k // 2, n), lambda p: bitcast(p, "uint4").transpose(0, 2, 1).reshape(k, n).astype("int8") - 8),
                 ("uint8", (n, k // 2), lambda p: bitcast(p, "float4_e2m1fn").reshape(n, k).T),
                 ("int8", (k // 2, n), lambda p: split([signed(p), p >> 4], 1)),
                 ("uint8", (k // 2, n), lambda p: split([p >> 4, p & 15], 1).astype("int32") - 8),
                 ("uint8", (k // 2, n), lambda p: jnp.concatenate([p & 15, p >> 4]).astype("float32") - 8),
                 ("uint8", (k, n // 2), lambda p: jnp.concatenate([p % 16, p // 16], 1)),
                 ("uint8", (k, n // 2), lambda p: split([((p & 15) ^ 8).astype("int8") - 8, ((p >> 4) ^ 8).astype("int8") - 8], 2)),
                 ("uint8", (k // 2, n), lambda p: split([jnp.where(h > 7, h.astype("int32") - 16, h) for h in (p & 15, p >> 4)], 1))]
    scales, out = jnp.asarray(random.uniform(.5, 2, (k // 32, 1, n)), "float32"), []
    for dtype, shape, unpack in spellings:
        packed = jnp.asarray(random.integers(0, 256, shape).astype("uint8")).astype(dtype)
        f = jax.jit(lambda x, p: x @ (unpack(p).astype("float32").reshape(k // 32, 32, n) * scales).reshape(k, n))
        out += [f(jnp.asarray(random.standard_normal((rows, k)), "float32"), packed) for rows in (1, 5)]
    return out


@case(rtol=1e-4, atol=1e-3)
def fields_of_words():
    """Weights of 4 or 8 bits, several in a word of 32 bits, along either dimension, in other orders, with zero points that are packed too."""
    k, n, random = 256, 192, numpy.random.default_rng(0)
    shifts, bytewise = numpy.arange(0, 32, 4, dtype="int32"), numpy.arange(0, 32, 8, dtype="int32")
    mixed = shifts.reshape(2, 4).T.reshape(-1)
    zeros = lambda z: ((z[:, :, None] >> shifts) & 15).reshape(-1, n) + 1
    spellings = [((k // 8, n), lambda w, z: ((w[:, None] >> shifts[:, None]) & 15).reshape(-1, 32, n) - zeros(z)[:, None]),
                 ((k // 8, n), lambda w, z: jnp.stack([(w >> 4 * i) & 15 for i in range(8)], 1) - 8),
                 ((k, n // 8), lambda w, z: (w[..., None] >> mixed) & 15),
                 ((k, n // 8), lambda w, z: ((w[..., None] << (28 - shifts)) >> 28)),
                 ((n, k // 8), lambda w, z: ((w[..., None].astype("uint32") >> shifts[::-1].astype("uint32")) % 16).reshape(n, k).T),
                 ((k // 4, n), lambda w, z: ((w[:, None] >> bytewise[:, None]) & 255).astype("int32") - 128),
                 ((k // 4, n), lambda w, z: jax.lax.bitcast_convert_type(w, "int8").transpose(0, 2, 1))]
    scales, out = jnp.asarray(random.uniform(.5, 2, (k // 32, 1, n)), "float32"), []
    z = jnp.asarray(random.integers(-2 ** 31, 2 ** 31, (k // 32, n // 8)), "int32")
    for shape, unpack in spellings:
        f = jax.jit(lambda x, w: x @ (unpack(w, z).astype("float32").reshape(k // 32, 32, n) * scales).reshape(k, n))
        w = jnp.asarray(random.integers(-2 ** 31, 2 ** 31, shape), "int32")
        out += [f(jnp.asarray(random.standard_normal((rows, k)), "float32"), w) for rows in (1, 5)]
    return out


@case(rtol=1e-4, atol=1e-3)
def numbers_of_tables():
    """Weights that are indices of a table of 16 or 256 numbers, a constant or an argument."""
    k, n, random = 128, 192, numpy.random.default_rng(0)
    small, large = (numpy.sort(random.standard_normal(count)).astype("float32") for count in (16, 256))
    halves = lambda p: jnp.stack([p >> 4, p & 15], -1).reshape(k, n)
    spellings = [((k, n // 2), small, lambda p, t: t[halves(p)]), ((k, n // 2), small, lambda p, t: jnp.asarray(small)[halves(p)]),
                 ((k, n // 2), small, lambda p, t: jnp.take(t, halves(p).astype("int32"), mode="clip").astype(BF16).astype(F32)),
                 ((k, n), large, lambda p, t: t[p]), ((k, n), large, lambda p, t: t[p ^ 128]),
                 ((k // 2, n), small, lambda p, t: jnp.concatenate([t[p & 15], t[p >> 4]])),
                 ((k, n // 2), small[::-1].copy(), lambda p, t: t[15 - halves(p).astype("int32")]),
                 ((k, n // 2), small, lambda p, t: jnp.where(halves(p) > 8, t[halves(p)], halves(p)))]
    scales, out = jnp.asarray(random.uniform(.5, 2, (k // 64, 1, n)), "float32"), []
    for shape, table, unpack in spellings:
        p = jnp.asarray(random.integers(0, 256, shape).astype("uint8"))
        f = jax.jit(lambda x, p, t: x @ (unpack(p, t).astype("float32").reshape(k // 64, 64, n) * scales).reshape(k, n))
        out += [f(jnp.asarray(random.standard_normal((rows, k)), "float32"), p, table) for rows in (1, 5)]
    return out


@case(rtol=1e-4, atol=1e-3)
def layers_of_stacks():
    """Loops over layers read each layer's matrix, scales and zero points in stacks of them: whole, packed, at any index."""
    layers, width, groups, random = 5, 96, 3, numpy.random.default_rng(0)
    x = random.standard_normal((4, width)).astype("float32")
    q, z = (random.integers(-8, 8, (layers, *shape)).astype("int8") for shape in ((width, width), (groups, width)))
    s = (random.uniform(.5, 1.5, (layers, groups, width)) / 40).astype("float32")
    packed = (q[:, :, 0::2] & 15) | (q[:, :, 1::2] << 4)
    grouped = lambda q, s, z: ((q.reshape(groups, -1, width).astype(F32) - z[:, None].astype(F32)) * s[:, None]).reshape(width, width)
    unpack = lambda p: jax.lax.bitcast_convert_type(p, "int4").reshape(width, width)
    scan = lambda layer: jax.jit(lambda x, *stacks: jax.lax.scan(lambda x, w: (jnp.tanh(layer(x, *w)), None), x, stacks)[0])
    plain = lambda x, q, s, z: x @ grouped(q, s, z)
    at_any = lambda x, q, s, z: jax.lax.fori_loop(-2, layers + 3, lambda i, x: jnp.tanh(x @ grouped(q[i], s[i], z[i])), x)
    several = lambda x, q, i: x @ jax.lax.dynamic_slice(q, (i, 0, 0), (2, width, width)).reshape(-1, width)[width // 2:3 * width // 2].astype(F32)
    wide = (random.standard_normal((layers, width, width)) / 9).astype("float32")
    out = [scan(lambda x, q, s, z: plain(x, unpack(q), s, z))(x, packed, s, z), jax.jit(several)(x, q, 2), jax.jit(several)(x, q, 9)]
    for rows in (1, 4, 96):
        rows = numpy.resize(x, (rows, width))
        out += [scan(plain)(rows, q, s, z), jax.jit(at_any)(rows, q, s, z), scan(lambda x, w: x @ w)(rows, wide),
                scan(lambda x, w: x @ w.T)(rows, wide), jax.grad(lambda x: scan(lambda x, w: x @ w)(x, wide).sum())(rows)]
    return out


def spellings_of_weights():
    """Name -> (a function of activations and arguments, these arguments, the matrix that they mean), as users and the packages qwix and
    AQT write products with quantized matrices."""
    k, n, group, random = 512, 768, 32, numpy.random.default_rng(0)
    q8, q4 = (random.integers(-2 ** (bits - 1), 2 ** (bits - 1), (k, n)) for bits in (8, 4))
    f8, codes = jnp.asarray(random.standard_normal((k, n)), jnp.float8_e4m3fn), random.integers(0, 16, (k, n))
    columns = jnp.asarray(random.uniform(.5, 1.5, n) / 64, BF16)
    grouped = jnp.asarray(random.uniform(.5, 1.5, (k // group, n)) / 64, BF16)
    powers, zeros = random.integers(-7, -3, (k // group, n)), random.integers(-8, 8, (k // group, n))
    fp4, table = jnp.asarray(q4, jnp.float4_e2m1fn), numpy.sort(random.standard_normal(16)).astype("float32")
    groups = lambda a: jnp.reshape(a, (k // group, group, n))
    spread = lambda s: numpy.repeat(numpy.asarray(s, "float64"), group, 0)
    flat = lambda a: a.reshape(k, n)
    bytes_of = jnp.asarray((q4[0::2] & 15) | (q4[1::2] & 15) << 4, "uint8")
    signed = lambda p: (p << 4).astype("int8") >> 4
    int8, int4 = jnp.asarray(q8, "int8"), jnp.asarray(q4, "int4")
    exponents = jnp.asarray(2.0 ** powers, jnp.float8_e8m0fnu)
    mixed = lambda x, w: jax.lax.dot_general(x, w, (((1,), (0,)), ((), ())), preferred_element_type=F32)
    blocks = lambda x, w, s: x @ flat(groups(w).astype(BF16) * s[:, None].astype(BF16))
    rounded = lambda w, s: flat((groups(w).astype(BF16).astype(F32) * s.astype(F32)[:, None]).astype(BF16))
    return {
        "a scale a column": (lambda x, w, s: x @ (w.astype(BF16) * s), (int8, columns), q8 * numpy.float64(columns)),
        "a scale of sums": (lambda x, w, s: mixed(x, w.astype(BF16)) * s, (int8, columns), q8 * numpy.float64(columns)),
        "integers in the product": (lambda x, w, s: mixed(x, w) * s, (int8, columns), q8 * numpy.float64(columns)),
        "int4 in the product": (lambda x, w, s: mixed(x, w) * s, (int4, columns), q4 * numpy.float64(columns)),
        "groups": (lambda x, w, s: x @ flat(groups(w).astype(BF16) * s[:, None]), (int8, grouped), q8 * spread(grouped)),
        "groups, rounded products": (lambda x, w, s: x @ rounded(w, s), (int8, grouped), q8 * spread(grouped)),
        "int4, zero points": (lambda x, w, s, z: x @ flat((groups(w).astype(BF16) - z[:, None].astype(BF16)) * s[:, None]),
                              (int4, grouped, jnp.asarray(zeros, "int8")), (q4 - spread(zeros)) * spread(grouped)),
        "packed": (lambda x, p, s: x @ flat(groups(flat(jnp.stack([signed(p), p.astype("int8") >> 4], 1))).astype(BF16) * s[:, None]),
                   (bytes_of, grouped), q4 * spread(grouped)),
        "float8": (lambda x, w, s: x @ (w.astype(BF16) * s), (f8, columns), numpy.float64(f8) * numpy.float64(columns)),
        "mxfp8": (blocks, (f8, exponents), numpy.float64(f8) * spread(2.0 ** powers)),
        "mxfp4": (blocks, (fp4, exponents), numpy.float64(fp4) * spread(2.0 ** powers)),
        "scales of ldexp": (lambda x, w, e: x @ flat(groups(w).astype(BF16) * jnp.ldexp(jnp.ones_like(e, F32), e)[:, None].astype(BF16)),
                            (int8, jnp.asarray(powers, "int32")), q8 * spread(2.0 ** powers)),
        "table, two in a byte": (lambda x, p, s: x @ flat(groups(flat(jnp.asarray(table)[jnp.stack([p & 15, p >> 4], 1)])).astype(BF16) * s[:, None]),
                                 (bytes_of, grouped), table[q4 & 15] * spread(grouped)),
        "table, 4 bits": (lambda x, w, s: x @ (flat(jnp.take(jnp.asarray(table), w.reshape(-1), mode="clip")).astype(BF16) * s),
                          (jnp.asarray(codes, "uint4"), columns), table[codes] * numpy.float64(columns))}


@case(compare=False)
def weights_are_read_as_they_are():
    """No spelling makes a copy of its matrix: the temporaries are smaller than a quarter of a byte a number."""
    for name, (f, arguments, matrix) in spellings_of_weights().items():
        for rows in (1, 5, 16):
            x = jnp.asarray(numpy.random.default_rng(rows).standard_normal((rows, len(matrix))), BF16)
            compiled = jax.jit(f).lower(x, *arguments).compile()
            temporaries = compiled.memory_analysis().temp_size_in_bytes
            assert temporaries < matrix.size // 4, f"{name}, {rows} rows: {temporaries} bytes of temporaries"
            exact = numpy.float64(x) @ matrix
            error = numpy.abs(numpy.float64(compiled(x, *arguments)) - exact).max() / numpy.abs(exact).max()
            assert error < 0.02, f"{name}, {rows} rows: {error}"


@case(compare=False)
def integers_of_two_sizes_are_multiplied():
    """Activations that are quantized dynamically: exact products with integers of fewer bits, which are not widened."""
    random = numpy.random.default_rng(0)
    for left, right in (("int8", "int8"), ("int4", "int4"), ("int8", "int4"), ("int4", "int8"), ("int8", "uint4")):
        q = random.integers(0, 8, (512, 768)) - (0 if right[0] == "u" else 4)
        for rows in (1, 4, 16, 64):
            x = random.integers(-8, 8, (rows, 512)) * (15 if left == "int8" else 1)
            f = jax.jit(lambda x, w: jax.lax.dot_general(x, w, (((1,), (0,)), ((), ())), preferred_element_type="int32"))
            compiled = f.lower(jnp.asarray(x, left), jnp.asarray(q, right)).compile()
            numpy.testing.assert_array_equal(compiled(jnp.asarray(x, left), jnp.asarray(q, right)), x @ q)
            temporaries = compiled.memory_analysis().temp_size_in_bytes
            assert temporaries < q.size // 4, f"{left}, {right}, {rows} rows: {temporaries} bytes of temporaries"
