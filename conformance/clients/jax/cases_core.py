"""JAX's core: arrays, types, indexing, matrix products, control flow, transformations."""
import jax
import jax.numpy as jnp
import numpy
from jax import lax

from jax_case import case


def normal(*shape, seed=0, dtype="float32"):
    return numpy.random.RandomState(seed).standard_normal(shape).astype(dtype)


@case()
def round_trip():
    """Arrays of every type and of odd shapes survive a round trip."""
    types = ("bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float16", "bfloat16", "float32",
             "complex64", "float8_e4m3fn", "float8_e5m2", "int4", "uint4")
    return [jnp.asarray(numpy.arange(6).reshape(2, 3) % 7).astype(name) for name in types] + [
        jnp.asarray(numpy.zeros((0, 3), "float32")), jnp.asarray(numpy.float32(3)),
        jnp.asarray(numpy.arange(24, dtype="float32").reshape(2, 3, 4).transpose(2, 0, 1))]


@case(x64=True)
def round_trip_64():
    return [jnp.asarray(numpy.arange(-3, 3)).astype(name) for name in ("int64", "uint64", "float64", "complex128")]


@case()
def elementwise():
    x, y = jnp.asarray(normal(5, 67)), jnp.asarray(normal(5, 67, seed=1))
    positive = jnp.abs(x) + 0.1
    return [jax.jit(f)(x, y, positive) for f in (
        lambda x, y, p: x + y * 2 - x / p, lambda x, y, p: jnp.exp(x) + jnp.log(p) + jnp.log1p(p) + jnp.expm1(y),
        lambda x, y, p: jnp.sin(x) * jnp.cos(y) + jnp.tan(x), lambda x, y, p: jnp.tanh(x) + jax.nn.sigmoid(y),
        lambda x, y, p: jnp.sqrt(p) + lax.rsqrt(p) + jnp.cbrt(x), lambda x, y, p: p ** y,
        lambda x, y, p: jnp.arctan2(x, y), lambda x, y, p: jnp.floor(x) + jnp.ceil(y) + jnp.round(x),
        lambda x, y, p: jnp.where(x > y, x, y), lambda x, y, p: jnp.clip(x, -0.5, 0.5),
        lambda x, y, p: lax.erf(x) + lax.erf_inv(jnp.tanh(y) * 0.9), lambda x, y, p: jnp.sign(x) * jnp.fmod(y, p))]


def small_floats():
    """Every number of floats of 8 bits, by type."""
    for name in ("float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz"):
        yield lax.bitcast_convert_type(jnp.arange(256, dtype="uint8"), name)


@case(rtol=0, atol=0, platform="cpu")
def error_function_of_small_floats():
    return [jax.jit(lax.erf)(x) for x in small_floats()]


@case(compare=False, platform="cpu")
def functions_of_small_floats():
    """The function of f32, rounded once; JAX's own CPU has no such functions."""
    for x in small_floats():
        for function in (lax.erf, lax.erfc, lax.bessel_i1e):
            expected = function(x.astype("float32")).astype(x.dtype)
            numpy.testing.assert_array_equal(jax.jit(function)(x).astype("float32"), expected.astype("float32"))


@case()
def kernels_that_differ_in_constants():
    """Numbers, positions of slices and indices of updates: what is equal but for these shares a kernel."""
    apart = lax.optimization_barrier
    x, rows = jnp.asarray(normal(64, 96)), jnp.asarray(normal(8, 33, 47, seed=1))

    def numbers(x):
        found = []
        for i in range(5):
            x = apart(jnp.tanh(x * (1 + i) + i * 0.5) - jnp.maximum(x, 0.1 * i))
            found += [x, apart(jnp.where(x > i * 0.1, x, i * 1.0)), apart(x / (i + 3.0)), apart((x * 50).astype("int32") + i)]
        return found

    def slices(x, rows):
        found = [apart(jnp.sin(rows[i])) for i in range(8)] + [apart(x[i::4] + 1) for i in range(4)]
        for i in range(4):
            found += [apart(x[:, i * 24:(i + 1) * 24].T * 2), apart(x[i * 10:i * 10 + 9, i * 20:i * 20 + 17] + 1),
                      apart(x[i * 16:i * 16 + 16, 5] * 2), apart(x[5, i * 20:i * 20 + 20] * 2), apart(x[:, i::4] * 2),
                      apart(jnp.pad(x[:, i * 24:i * 24 + 20], 2, constant_values=i)),
                      apart(x[i * 16:i * 16 + 16].sum(0)), apart(x[:, i * 20:i * 20 + 20].sum(1))]
        return found

    def updates(x):
        for i in range(5):
            x = apart(x.at[i * 7:i * 7 + 5, 3:9].multiply(jnp.sin(x[i:i + 5, i:i + 6])))
            x = apart(x.at[i * 7, i * 9:i * 9 + 32].add(i + 1.5))
            x = apart(x.at[:, i * 16:i * 16 + 16].set(x[:16, :64].T))
        return x

    def loop(x):
        def step(carry, _):
            for i in range(3):
                carry = apart(jnp.sin(carry) + i)
            return carry, carry[1:3]
        return lax.scan(step, x, None, length=5)
    return [jax.jit(numbers)(x), jax.jit(slices)(x, rows), jax.jit(updates)(x), jax.jit(loop)(x)]


@case()
def integers():
    x = jnp.asarray(numpy.random.RandomState(0).randint(-100, 100, (7, 33)), "int32")
    y = jnp.asarray(numpy.random.RandomState(1).randint(1, 30, (7, 33)), "int32")
    return [x // y, x % y, lax.div(x, y), lax.rem(x, y), x & y, x | y, x ^ y, ~x, x << 3, x >> 2,
            lax.shift_right_logical(x, y % 31), lax.population_count(x), lax.clz(x), jnp.abs(x), x.astype("uint8")]


@case()
def special_values():
    x = jnp.asarray(numpy.array([0.0, -0.0, 1, -1, numpy.inf, -numpy.inf, numpy.nan, 1e-30, 3e38], "float32"))
    return [jnp.isnan(x), jnp.isfinite(x), jnp.maximum(x, 0), jnp.minimum(x, 0), jnp.sign(x), x == x, x < 0,
            jnp.exp(x), jnp.tanh(x), jnp.sqrt(x), 1 / x, jnp.sort(x), jnp.argmax(x), x.astype("int32")[:6]]


@case()
def complex_numbers():
    x = jnp.asarray(normal(4, 9) + 1j * normal(4, 9, seed=1))
    return [x * x.conj(), jnp.abs(x), jnp.angle(x), jnp.exp(x), jnp.log(x), jnp.sqrt(x), x.real, x.imag, x @ x.T,
            x / (x + 2)]


@case(rtol=1e-2, atol=1e-2)
def narrow_floats():
    out = []
    for name in ("bfloat16", "float16"):
        x, y = jnp.asarray(normal(9, 40)).astype(name), jnp.asarray(normal(40, 11, seed=1)).astype(name)
        out += [x @ y, x.sum(axis=1), jnp.tanh(x) + x * 2, x.astype("float32"),
                jnp.matmul(x, y, preferred_element_type="float32")]
    return out


@case(rtol=1e-4, atol=1e-4)
def matrix_products():
    pairs = [((3, 5), (5, 7)), ((1, 300), (300, 1)), ((129, 65), (65, 33)), ((257, 512), (512, 255)), ((4, 8, 16), (4, 16, 5)),
             ((2, 3, 8, 16), (2, 3, 16, 5)), ((16,), (16,)), ((16,), (16, 3)), ((3, 16), (16,))]
    out = [jnp.matmul(jnp.asarray(normal(*a)), jnp.asarray(normal(*b, seed=1))) for a, b in pairs]
    x, y = jnp.asarray(normal(6, 4, 5)), jnp.asarray(normal(7, 5, 4, seed=1))
    return out + [jnp.einsum("abc,dcb->ad", x, y), jnp.einsum("abc,dcb->bda", x, y), jnp.einsum("abc->cb", x),
                  jnp.tensordot(x, y, axes=((1,), (2,)))]


@case(rtol=1e-4, atol=1e-4)
def matrix_products_with_oneself():
    x, y = jnp.asarray(normal(6, 4)), jnp.asarray(normal(6, 9, seed=1))
    return jax.jit(lambda x, y: (y + 1, (x @ x.T).T, y * 2, jnp.einsum("bi,bj->ji", y, y)))(x, y)


@case()
def matrix_products_integer():
    x = jnp.asarray(numpy.random.RandomState(0).randint(-128, 127, (9, 31)), "int8")
    return [lax.dot(x, x.T, preferred_element_type="int32"), x.astype("int32") @ x.astype("int32").T]


@case(x64=True, rtol=1e-12, atol=1e-12)
def double_precision():
    x = jnp.asarray(normal(33, 65, dtype="float64"))
    return [x @ x.T, jnp.exp(x), jnp.sin(x), jnp.tanh(x), x.sum(axis=0), jnp.log(jnp.abs(x)), jnp.cumsum(x, axis=1)]


@case(rtol=1e-4, atol=1e-5)
def reductions():
    x = jnp.asarray(normal(17, 23, 31))
    return [f(x, axis=axis) for f in (jnp.sum, jnp.max, jnp.min, jnp.mean, jnp.var, jnp.argmax, jnp.any, jnp.prod)
            for axis in (0, 1, 2, None) if not (f is jnp.argmax and axis is None)] + [
        jax.nn.logsumexp(x, axis=-1), jax.nn.softmax(x, axis=1), jnp.cumsum(x, axis=1), jnp.cumprod(x * 0.5, axis=2),
        jnp.cumsum(x, axis=0), lax.cummax(x, axis=1)]


@case(x64=True)
def place_of_the_first_nan():
    rows = numpy.random.RandomState(3).randn(3, 1000)
    rows[0, [610, 77, 901]] = rows[1, [999, 998]] = numpy.nan
    return [f(jnp.asarray(rows, dtype), axis=axis) for f in (jnp.argmax, jnp.argmin) for axis in (None, 0, 1)
            for dtype in ("float16", "float32", "float64")]


@case()
def shapes():
    x = jnp.asarray(normal(4, 6, 5))
    return [x.reshape(8, 15), x.transpose(2, 0, 1), jnp.pad(x, ((1, 2), (0, 0), (3, 1))), x[::-1, 1:5:2], jnp.tile(x, (2, 1, 1)),
            jnp.concatenate([x, x * 2], axis=1), jnp.stack([x, x], axis=-1), jnp.split(x, 3, axis=1), jnp.repeat(x, 2, axis=0),
            jnp.broadcast_to(x[:, :1], (4, 3, 5)), lax.pad(x, 0.0, ((1, -1, 2), (0, 0, 0), (-1, 2, 0))), jnp.roll(x, 2, axis=1),
            jnp.triu(x[0]), jnp.eye(4, 5), jnp.arange(7), jnp.linspace(0, 1, 9), jnp.meshgrid(jnp.arange(3), jnp.arange(4))]


@case()
def indexing():
    x = jnp.asarray(normal(9, 7))
    rows = jnp.asarray([3, 1, 1, 8, -2])
    return [x[rows], x[rows, jnp.asarray([0, 1, 2, 3, 4])], x[:, rows % 7], x.at[rows].add(1.0), x.at[rows].set(2.0),
            x.at[rows, 2].max(0.5), x.at[1:3].multiply(3.0), jnp.take(x, rows, axis=0, mode="clip"),
            jnp.take_along_axis(x, jnp.argsort(x, axis=1), axis=1), lax.dynamic_slice(x, (2, 1), (3, 4)),
            lax.dynamic_update_slice(x, jnp.ones((2, 2)), (8, 6)), jax.ops.segment_sum(x, jnp.arange(9) % 3, 3), x[x.shape[0] - 1]]


@case(rtol=1e-6)
def gradients_of_one_element_of_each_row():
    """Out of bounds, of narrow and wide indices, along any dimension, with numbers that are not finite."""
    x, weights, scale = jnp.asarray(normal(4, 6, 9)), jnp.asarray(normal(4, 1, 9)), jnp.asarray(normal(4, 6, 9)).at[1, 2].set(jnp.inf)
    rows = numpy.random.RandomState(3).randint(-9, 9, (4, 1, 9))

    def gradient(indices, weights):
        return jax.grad(lambda x: jnp.sum(jnp.take_along_axis(x * scale, indices, 1) * weights))(x)
    out = [jax.jit(gradient)(jnp.asarray(rows.astype(kind)), weights) for kind in ("int8", "uint8", "int32", "uint32", "int64")]
    losses = jax.grad(lambda x: -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x), jnp.asarray(rows[:, 0, :6, None]), -1)))
    return out + [jax.jit(gradient)(jnp.asarray(rows), jnp.ones((4, 1, 9))), jax.jit(losses)(x)]


@case(rtol=1e-6)
def windows_across_bounds():
    """A window that is partly out of bounds is dropped, or filled, as a whole."""
    x, y = jnp.asarray(normal(10)), jnp.asarray(normal(6, 3, seed=1))
    at = jnp.asarray([[-2], [-1], [0], [7], [8], [11]])
    numbers = lax.ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(), scatter_dims_to_operand_dims=(0,))
    gather = lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(), start_index_map=(0,))
    fill = lambda x: lax.gather(x, at, gather, (3,), mode="fill", fill_value=7)
    return [lax.scatter_add(x, at, y, numbers, mode="drop"), lax.scatter(x, at, y, numbers, mode="clip"), fill(x),
            jax.vjp(fill, x)[1](y)[0], jax.jvp(fill, (x,), (x,))[1]]


@case()
def sorting():
    x = jnp.asarray(normal(5, 101))
    keys = jnp.asarray(numpy.random.RandomState(0).randint(0, 9, 200), "int32")
    return [jnp.sort(x, axis=1), jnp.argsort(x, axis=1), jnp.sort(x, axis=0), lax.top_k(x, 7), jnp.sort(keys), jnp.argsort(keys),
            lax.sort((keys, jnp.arange(200)), num_keys=1), jnp.unique(keys, size=9), jnp.searchsorted(jnp.sort(x[0]), x[1]),
            jnp.median(x, axis=1), jnp.sort(x.astype("float16"), axis=1), -jnp.sort(-x, axis=1)]


@case(rtol=1e-4, atol=1e-5)
def control_flow():
    def collatz(n):
        return lax.while_loop(lambda s: s[0] > 1, lambda s: (jnp.where(s[0] % 2, 3 * s[0] + 1, s[0] // 2), s[1] + 1), (n, 0))[1]

    def step(carry, x):
        carry = jnp.tanh(carry @ jnp.eye(5) * 0.9 + x)
        return carry, carry.sum()

    inputs = jnp.asarray(normal(40, 5))
    branches = [lambda x: x + 1, lambda x: x * 2, lambda x: -x]
    return [jax.jit(collatz)(27), jax.jit(lambda x: lax.scan(step, jnp.zeros(5), x))(inputs),
            jax.jit(lambda x: lax.fori_loop(0, 10, lambda i, v: v * 0.5 + i, x))(inputs),
            [jax.jit(lambda i, x: lax.switch(i, branches, x))(i, inputs) for i in (0, 1, 2, 9)],
            [jax.jit(lambda p, x: lax.cond(p, lambda x: x.sum(), lambda x: x.max(), x))(p, inputs) for p in (True, False)],
            jax.vmap(collatz)(jnp.arange(1, 20)), lax.map(lambda x: x.sum(), inputs), lax.associative_scan(jnp.add, inputs),
            jax.jit(lambda x: lax.scan(step, jnp.zeros(5), x, reverse=True, unroll=4))(inputs)]


@case()
def loops_that_exchange():
    """Elements and arrays change places in loops that end after any number of iterations."""
    def swap(i, c):
        a, b, d = c
        return a.at[i].set(a[-i]).at[-i].set(a[i]), b.at[i].set(d[i] + 1), d.at[2 * i].set(b[2 * i])

    def rotate(i, c):
        return c[1], c[2], c[0].at[i].add(1)

    def leap(i, c):
        return c[1], 0.5 * c[1] - c[0] + jnp.roll(c[1], 1)

    def stencil(i, c):
        return (jnp.roll(c[0], 1) * 0.5 + c[0],)

    def run(body, arrays, trips):
        return jax.jit(lambda c, n: lax.fori_loop(0, n, body, c))(arrays, trips), jax.jit(
            lambda c: lax.fori_loop(0, trips, body, c))(arrays)

    x = [jnp.asarray(normal(8192, seed=i)) for i in range(3)]
    return [run(body, tuple(x[:count]), trips) for body, count in ((swap, 3), (rotate, 3), (leap, 2), (stencil, 1))
            for trips in (0, 1, 2, 3, 7)]


@case(rtol=1e-4, atol=1e-4)
def transformations():
    def f(x):
        return (jnp.sin(x) @ jnp.cos(x).T).sum() + jnp.log1p(x ** 2).mean()

    x = jnp.asarray(normal(6, 6))
    return [jax.grad(f)(x), jax.jit(jax.value_and_grad(f))(x), jax.jvp(f, (x,), (x,)), jax.hessian(f)(x),
            jax.vmap(jax.grad(lambda r: jnp.sum(jnp.tanh(r) ** 3)))(x), jax.jacfwd(lambda r: r ** 2)(x[0]), jax.linearize(f, x)[0],
            jax.grad(jax.checkpoint(f))(x), jax.grad(lambda x: lax.scan(lambda c, r: (jnp.tanh(c + r), c), x[0], x)[0].sum())(x)]


@case()
def random_numbers():
    key = jax.random.key(42)
    a, b, c = jax.random.split(key, 3)
    return [jax.random.bits(key, (9,)), jax.random.uniform(a, (33, 3)), jax.random.randint(b, (50,), -5, 90),
            jax.random.permutation(c, 31), jax.random.bernoulli(a, 0.3, (40,)), jax.random.choice(b, 10, (5,), replace=False),
            jax.random.fold_in(key, 7)]


@case(rtol=1e-4, atol=1e-4)
def random_distributions():
    key = jax.random.key(1)
    return [jax.random.normal(key, (1000,)), jax.random.exponential(key, (50,)), jax.random.gamma(key, 2.0, (50,)),
            jax.random.categorical(key, jnp.asarray(normal(5, 9))), jax.random.truncated_normal(key, -1, 1, (50,)),
            jax.random.poisson(key, 3.0, (20,))]


@case(rtol=1e-4, atol=1e-4)
def transforms():
    x = jnp.asarray(normal(3, 60))
    y = jnp.asarray(normal(2, 8, 12) + 1j * normal(2, 8, 12, seed=1))
    return [jnp.fft.fft(x), jnp.fft.ifft(y), jnp.fft.rfft(x), jnp.fft.irfft(jnp.fft.rfft(x)), jnp.fft.fft2(y), jnp.fft.fft(x[:, :17])]


@case(rtol=1e-3, atol=1e-3)
def linear_algebra():
    a = jnp.asarray(normal(8, 8)) + 4 * jnp.eye(8)
    spd = a @ a.T + jnp.eye(8)
    b = jnp.asarray(normal(8, 3, seed=1))
    return [jnp.linalg.cholesky(spd), jnp.linalg.solve(a, b), jnp.linalg.inv(a), jnp.linalg.det(a), jnp.linalg.slogdet(spd),
            jax.scipy.linalg.solve_triangular(a, b, lower=True), jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(spd), True), b),
            jnp.abs(jnp.linalg.qr(a)[1])]


@case(rtol=1e-3, atol=1e-3, platform="cpu")
def decompositions():
    a = jnp.asarray(normal(7, 7)) + 3 * jnp.eye(7)
    return [jnp.linalg.svd(a, compute_uv=False), jnp.linalg.eigh(a + a.T)[0], jnp.sort(jnp.abs(jnp.linalg.eigvals(a))),
            jnp.linalg.pinv(a), jnp.linalg.lstsq(a, a[:, 0])[0], jax.scipy.linalg.expm(a * 0.1)]


@case(compare=False)
def equal_products_cancel():
    """Fused multiply-adds must not break symmetry: |z|^2 is real, and equal arguments have equal gradients."""
    z = (normal(1000) + 1j * normal(1000, seed=1)).astype("complex64")
    assert not numpy.any(numpy.asarray(jax.jit(lambda v: v * v.conj())(z)).imag)
    x, y = normal(1000), normal(1000, seed=1)
    assert not numpy.any(numpy.asarray(jax.jit(lambda a, b, c, d: a * b - c * d)(x, y, y, x)))
    gradients = jax.jit(jax.vmap(jax.grad(lambda p: 0.26 * (p[0] ** 2 + p[1] ** 2) - 0.48 * p[0] * p[1])))
    both = numpy.asarray(gradients(numpy.stack([x, x], 1)))
    numpy.testing.assert_array_equal(both[:, 0], both[:, 1])
