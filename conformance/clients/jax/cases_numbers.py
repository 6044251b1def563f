"""Numbers that a compiler loses by computing in wider types than the program says, or by rewriting what it computes: each
case compares a compiled function with NumPy, operation by operation."""
import jax
import jax.numpy as jnp
import numpy
from jax import lax

from jax_case import case

NARROW = (jnp.bfloat16, numpy.float16)
FLOATS = (numpy.float16, numpy.float32, numpy.float64)


def random(dtype, count=1000, seed=0):
    return numpy.random.RandomState(seed).standard_normal(count).astype(dtype)


def check(function, *arguments, want=None, **options):
    """`want`: what the function gives when NumPy computes it."""
    with numpy.errstate(all="ignore"):
        want = numpy.asarray(function(*arguments) if want is None else want)
    got = numpy.asarray(jax.jit(function, **options)(*arguments))
    assert got.dtype == want.dtype, (got.dtype, want.dtype)
    wide = numpy.float64 if want.dtype.kind not in "c" else want.dtype
    numpy.testing.assert_array_equal(got.astype(wide), want.astype(wide))


ROUNDED = {
    "x + y - x": lambda x, y: (x + y) - x, "y - ((x + y) - x)": lambda x, y: y - ((x + y) - x), "x y y + x": lambda x, y: (x * y) * y + x,
    "x / y * y": lambda x, y: (x / y) * y, "x y - x y": lambda x, y: (x * y) * y - x * (y * y), "x * 3 / 3": lambda x, y: x * x.dtype.type(3) / x.dtype.type(3),
    "2 x + y": lambda x, y: (x + x) * x.dtype.type(0.5) + y, "abs": lambda x, y: abs(x + y) - abs(x), "negated": lambda x, y: -(x + y) + x,
}


@case(compare=False, platform="cpu")
def narrow_results_are_rounded():
    for dtype in NARROW:
        x, y = random(dtype), random(dtype, seed=1)
        special = numpy.array([0, -0.0, 1, 1e19, -1e19, numpy.inf, -numpy.inf, numpy.nan, 60000, 6e-8], numpy.float64).astype(dtype)
        for function in ROUNDED.values():
            for n in (7, 1000):
                check(function, x[:n], y[:n])
            check(function, numpy.repeat(special, len(special))[:80], numpy.tile(special, len(special))[:80])
        check(lambda x: (x * x) / x, numpy.array([300 if dtype == numpy.float16 else 1e30], dtype))


@case(compare=False, platform="cpu")
def narrow_compensated_sums():
    def kahan(values):
        def body(i, carry):
            total, lost = carry
            term = values[i] - lost
            more = total + term
            return more, (more - total) - term
        return lax.fori_loop(0, len(values), body, (values.dtype.type(0),) * 2)[0]

    def step(p, lost, update):
        term = update - lost
        more = p + term
        return more, (more - p) - term

    for dtype in NARROW:
        values = numpy.full(4096, 0.01, dtype)
        assert abs(float(jax.jit(kahan)(values)) - 4096 * float(values[0])) < 0.2
        p, lost, update = jnp.ones(64, dtype), jnp.zeros(64, dtype), jnp.full(64, 1e-3, dtype)
        for _ in range(500):
            p, lost = jax.jit(step)(p, lost, update)
        assert abs(float(p[0]) - 1.5) < 0.02, p[0]
        total = lax.scan(lambda total, x: (total + x, total * x), dtype(0), values)[0]
        with_numpy = dtype(0)
        for value in values:
            with_numpy = with_numpy + value
        assert float(total) == float(with_numpy), (total, with_numpy)


def compensation(x, y):
    return y - ((x + y) - x)


@case(compare=False)
def excess_precision():
    x, y = jnp.ones(4, "bfloat16"), jnp.full(4, 0.0123, "bfloat16")
    with_option = lambda value: jax.jit(compensation, compiler_options={"xla_allow_excess_precision": value})(x, y)
    for rounded in (False, "false"):
        numpy.testing.assert_allclose(with_option(rounded).astype("float32"), -0.0032959, rtol=1e-4)
    for wide in (True, "True"):
        numpy.testing.assert_array_equal(with_option(wide).astype("float32"), 0)


@case(compare=False, platform="cpu")
def scores_of_attention_are_rounded():
    product = lambda q, k: jnp.einsum("bik,bjk->bij", q, k)
    weigh = lambda scores, v: jnp.einsum("bij,bjk->bik", jax.nn.softmax(scores.astype("float32")).astype(v.dtype), v)
    attention = lambda q, k, v: weigh(product(q, k), v)
    q, k, v = (3 * random(jnp.bfloat16, 2 * 256 * 32, seed).reshape(2, 256, 32) for seed in range(3))
    want = jax.jit(weigh)(jax.jit(product)(q, k), v).astype("float32")
    error = float(jnp.abs(jax.jit(attention)(q, k, v).astype("float32") - want).max())
    assert error < 0.05, error
    gradient = lambda f: jax.jit(jax.grad(lambda q: f(q, k, v).astype("float32").sum()))(q).astype("float32")
    apart = gradient(lambda q, k, v: weigh(lax.optimization_barrier(product(q, k)), v))
    assert float(jnp.abs(gradient(attention) - apart).max()) < 0.02 * float(jnp.abs(apart).max())


@case(compare=False, platform="tpu")
def excess_precision_is_the_default_of_tpus():
    x, y = jnp.ones(4, "bfloat16"), jnp.full(4, 0.0123, "bfloat16")
    numpy.testing.assert_array_equal(jax.jit(compensation)(x, y).astype("float32"), 0)


@case(compare=False, platform="cpu")
def reductions_of_narrow_types_are_rounded_once():
    total = lambda x, *dimensions: lax.reduce(x, numpy.zeros((), x.dtype), lax.add, dimensions)
    for dtype in NARROW:
        x = numpy.random.RandomState(0).randint(1, 200, (16, 16)).astype(dtype)
        arrays = [x, x[::-1], x[:, ::-1], x.T, x.T[::-1]]
        want = sum(a.astype(numpy.float32) for a in arrays).astype(dtype)
        check(lambda *a: total(jnp.stack(a), 0), *arrays, want=want)
        check(lambda x: total(jnp.broadcast_to(x[None], (3, 16, 16)), 0, 1), x, want=(3 * x.astype(numpy.float32).sum(0)).astype(dtype))


@case(compare=False, platform="cpu")
def a_conversion_and_its_inverse_round():
    x = random(numpy.float32)
    for dtype in NARROW:
        check(lambda x: x - x.astype(dtype).astype(numpy.float32), x)


@case(compare=False, platform="cpu")
def products_are_rounded_before_they_are_added():
    x = numpy.array([1 / 3, -1e-3, 1e-3, 0.1, 0.7], numpy.float32)
    check(lambda x: numpy.float32(1) - x * numpy.float32(3), x)
    check(lambda x: x * numpy.float32(1e3) + numpy.float32(1), x)
    assert not numpy.isnan(jax.jit(lambda x: jnp.sqrt(1 - 3 * x))(x[:1]))


@case(compare=False, x64=True)
def logarithms_of_powers():
    for dtype in FLOATS:
        x = numpy.array([-2, -1.5, -numpy.inf], dtype)
        for log in (jnp.log, jnp.log2):
            for exponent in (3, 2.5, 0.5, 1 / 3, -1):
                y = numpy.full(3, exponent, dtype)
                power = numpy.array([numpy.nan, numpy.nan, numpy.inf if exponent in (2.5, 0.5) or 0 < exponent < 1 else numpy.nan])
                if exponent == -1:
                    power[2] = -numpy.inf  # the logarithm of -0
                for function in (lambda x, y: log(lax.pow(x, y)), lambda x, y: log(lax.pow(x, jnp.full(3, exponent, dtype)))):
                    check(function, x, y, want=power.astype(dtype))
        check(lambda x: jnp.log(lax.pow(x, numpy.full(3, 3, numpy.int32))), x, want=numpy.full(3, numpy.nan, dtype))
        check(lambda x: lax.scan(lambda c, v: (c, jnp.log(lax.pow(v, dtype(3)))), 0, x)[1], x, want=numpy.full(3, numpy.nan, dtype))


@case(compare=False, x64=True)
def powers_with_exponent_zero():
    for dtype in FLOATS:
        x = numpy.array([numpy.inf, -numpy.inf, numpy.nan, 1, -200, 200], dtype)
        for inner in (jnp.exp, jnp.exp2, jnp.sqrt, lambda x: lax.pow(x, dtype(3))):
            check(lambda x: lax.pow(inner(x), dtype(0)), x, want=numpy.ones(6, dtype))
            check(lambda x, y: lax.pow(inner(x), y), x, numpy.zeros(6, dtype), want=numpy.ones(6, dtype))


@case(compare=False, x64=True, platform="cpu")
def constants_one_after_another():
    for dtype, large in ((numpy.float16, 300), (numpy.float32, 1e30), (numpy.float64, 1e200)):
        c, e, most = dtype(large), dtype(1 / large), dtype(numpy.finfo(dtype).max * 0.9)
        x = numpy.array([0, -0.0, numpy.inf, -numpy.inf, 1, most, -most, 1 / most], dtype)
        for function in (lambda x: x * c * c, lambda x: x * e * e, lambda x: x / c / c, lambda x: x / e / e, lambda x: x * c / e, lambda x: x * c * e,
                         lambda x: x * dtype(64) * dtype(1 / 64), lambda x: x * dtype(2) * dtype(-4), lambda x: x + most + most, lambda x: most - x - most,
                         lambda x: (x * dtype(2)) + (x * dtype(2)), lambda x: x + dtype(0), lambda x: x - dtype(-0.0)):
            with numpy.errstate(all="ignore"):
                want = function(x)
            got = numpy.asarray(jax.jit(function)(x))
            numpy.testing.assert_array_equal(numpy.isnan(got), numpy.isnan(want))
            numpy.testing.assert_array_equal(numpy.isinf(got), numpy.isinf(want))
            numpy.testing.assert_array_equal(numpy.signbit(got)[want == want], numpy.signbit(want)[want == want])


@case(compare=False)
def sums_of_constants_keep_what_they_round():
    x = numpy.array([-1e-9, -1e-12, 1e-9], numpy.float32)
    one = numpy.float32(1)
    check(lambda x: (x + one) - one, x)
    assert not numpy.isnan(jax.jit(lambda x: jnp.arccosh(1 + x))(x)).any()
    assert not numpy.isnan(jax.jit(lambda x: jnp.arcsin((x + 2) - 1))(x - x)).any()


@case(compare=False, x64=True)
def decompositions_of_what_is_not_finite_end():
    for dtype in ("float32", "float64", "complex64", "complex128"):
        for value in (numpy.inf, numpy.nan):
            for m, n in ((3, 3), (5, 3)):
                a = (numpy.arange(m * n) % 7).reshape(m, n).astype(dtype)
                a[0, 0] = value
                calls = [lambda a: jnp.linalg.svd(a, full_matrices=False), lambda a: jnp.linalg.svd(a, compute_uv=False), jnp.linalg.pinv]
                calls += [lambda a: jnp.linalg.lstsq(a, jnp.ones(m, dtype))[0]] if m >= n else []
                calls += [jnp.linalg.eigh] if m == n else []
                for call in calls:
                    assert all(numpy.isnan(leaf).all() for leaf in jax.tree.leaves(jax.jit(call)(a)))


def complex_points(dtype):
    """Points on, beside and far from the cuts, and those with an infinity or a NaN."""
    real = numpy.finfo(dtype).dtype.type
    info = numpy.finfo(dtype)
    sizes = [0, 1e-30, 1e-8, 0.3, 0.5, 1 - info.eps, 1, 1 + info.eps, 1.5, 2, 3, 1e5, 3498384, float(info.max) ** 0.5, float(info.max) * 0.4, numpy.inf]
    parts = numpy.array([sign * size for size in sizes for sign in (1, -1)] + [numpy.nan], real)
    points = numpy.empty((len(parts), len(parts)), dtype)
    points.real, points.imag = parts[:, None], parts[None]
    return points.ravel()


def nearly_same(got, want, tolerance, names):
    """NaN and infinities in the same places, equal signs, also of zeros, and numbers within the tolerance of |want|."""
    for part in ("real", "imag"):
        g, w = getattr(got, part).astype(numpy.float64), getattr(want, part).astype(numpy.float64)
        tiny = numpy.finfo(getattr(got, part).dtype).tiny
        with numpy.errstate(all="ignore"):
            w = w.astype(getattr(got, part).dtype).astype(numpy.float64)
            near = abs(g - w) <= tolerance * abs(w) + tiny
        wrong = ~((numpy.isnan(g) & numpy.isnan(w)) | (g == w) | near)
        wrong |= (numpy.signbit(g) != numpy.signbit(w)) & (g == g) & (w == w)
        assert not wrong.any(), [(names[i], got[i], want[i]) for i in numpy.flatnonzero(wrong)[:5]] + [int(wrong.sum())]


@case(compare=False, x64=True, platform="cpu")     # for tpu JAX lowers them to formulas of its own
def complex_functions_on_their_cuts():
    for dtype in (numpy.complex64, numpy.complex128):
        z = complex_points(dtype)
        for name in ("sqrt", "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "log"):
            with numpy.errstate(all="ignore"):
                want = getattr(numpy, name)(z.astype(numpy.complex128))
            nearly_same(numpy.asarray(jax.jit(getattr(jnp, name))(z)), want, 1e-5 if dtype == numpy.complex64 else 1e-13, z)


@case(compare=False)
def large_sums_of_narrow_types_are_rounded_once():
    for dtype in NARROW:
        x = numpy.random.RandomState(0).rand(1 << 21).astype(dtype) * dtype(0.01)
        total = jax.jit(lambda x: lax.reduce(x, dtype(0), lax.add, (0,)))(x)
        assert float(total) == float(numpy.asarray(x.astype(numpy.float64).sum()).astype(dtype)), total


@case(compare=False, platform="cpu")
def sums_with_updated_zeros():
    """Gradients of reads in a loop: sums with arrays that are zero but for a window. -0 + 0 is 0, outside of the window, too."""
    x = numpy.where(numpy.arange(40) % 3, numpy.linspace(-1, 1, 40), -0.0).astype(numpy.float32)
    terms = numpy.array([-0.0, 2, -0.0, 0.5], numpy.float32)

    def reads(x, at, term):
        return x + lax.dynamic_update_slice(jnp.zeros_like(x), jnp.stack([term, -term]), (at,))

    def scattered(x, at, term):
        return x + jnp.zeros_like(x).at[at].add(term)

    def want(function, x):
        for at, term in enumerate(terms):
            update = numpy.zeros_like(x)
            if function is reads:
                update[at:at + 2] = term, -term
            else:
                update[at] += term
            x = x + update
        return x

    for function in (reads, scattered):
        for start in (x, numpy.zeros_like(x)):
            got = numpy.asarray(jax.jit(lambda x: lax.fori_loop(0, 4, lambda i, x: function(x, i, jnp.asarray(terms)[i]), x))(start))
            numpy.testing.assert_array_equal(got, want(function, start))
            numpy.testing.assert_array_equal(numpy.signbit(got), numpy.signbit(want(function, start)))
