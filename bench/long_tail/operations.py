"""operations.py: operations, shapes, types and compositions of the long tail, combined systematically. PARTS are functions that return
names of snippets."""
from snippets import rows

ODD, WIDE, LONG = "37, 53", "5, 1021", "20011"
UNARY = (
    "exp log tanh sin cos tan sqrt cbrt log1p expm1 arctan arcsinh arccosh sinh cosh exp2 log2 square sign floor rint "
    "reciprocal isfinite sinc i0"
).split()
SMOOTH = ("tanh", "exp", "log1p", "sinh", "arctan")
ACTIVATIONS = (
    "relu", "gelu", "silu", "softplus", "sigmoid", "elu", "selu", "celu", "mish", "leaky_relu", "log_sigmoid", "softmax",
    "log_softmax", "standardize", "hard_tanh", "soft_sign", "squareplus", "glu",
)
FLOAT8 = ("float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz")


def elementwise():
    return (
        rows("lambda x: jnp.{0}(abs(x) + 1) @@ n({1})", UNARY, (ODD, LONG))
        + rows(
            "lambda x: jnp.{0}(x.T) * x[0, 0] @@ n({1}, dtype='{2}')",
            ("exp", "tanh", "sqrt", "sin"),
            (ODD,),
            ("bfloat16", "float16"),
        )
        + rows(
            "lambda x: lax.{0}(abs(x) * 0.3) @@ n({1})",
            ("erf", "erfc", "erf_inv", "lgamma", "digamma", "bessel_i0e", "bessel_i1e", "logistic", "rsqrt"),
            (ODD, LONG),
        )
        + rows(
            "lambda x, y: jnp.{0}(x, y) @@ n({1}), n({1}, seed=1)",
            ("arctan2", "logaddexp", "hypot", "remainder", "floor_divide", "copysign", "maximum", "heaviside"),
            (ODD, LONG),
        )
        + rows("lambda x, y: x {0} (y | 1) @@ i(1000, {1}), i(99, {1})", ("//", "%", "**", ">>", "&"), (ODD, LONG))
        + rows(
            "lambda x: x.astype('{1}') * 3 @@ n({0}, dtype='{2}')",
            (LONG,),
            ("float32", "int8", "bfloat16"),
            ("float32", "float16") + FLOAT8,
        )
        + rows(
            "lambda x, y: jnp.{0}(x) * y @@ n({1}, dtype='complex64'), n({1}, dtype='complex64')",
            ("exp", "sqrt", "abs", "log", "tanh"),
            (ODD,),
        )
        + rows(
            "f64: lambda x: jnp.{0}(abs(x) + 1) @@ n({1}, dtype='float64')",
            ("exp", "log", "sin", "tanh", "cbrt", "arctan"),
            (LONG,),
        )
    )


def gradients():
    return (
        rows("grad(jnp.{0}) @@ n({1})", SMOOTH, (ODD, LONG))
        + rows("grad(nn.{0}) @@ n({1})", ACTIVATIONS, ("38, 54",))
        + rows("lambda x: nn.{0}(x) @@ n({1})", ACTIVATIONS, ("38, 54", "16, 1000"))
        + rows("grad(lambda w, x: jnp.{0}(x.T @ w)) @@ n(10), n(10, 5003)", SMOOTH)
        + rows("grad(lambda w, x: nn.{0}(x @ w)) @@ n(10), n(20011, 10)", ("softplus", "sigmoid", "log_sigmoid", "gelu", "tanh"))
        + rows("lambda w, x: jnp.log1p(jnp.tanh(x @ w) ** 2) @@ n({0}), n(50021, {0})", ("3", "10", "33"))
        + rows("grad(lambda x, y: jnp.logaddexp(x.T, y)) @@ n({0}), n({1})", ("37, 53",), ("53, 37", "37", "1"))
        + rows("{0}(lambda x: jnp.tanh(x * jnp.arange(7.)).sum()) @@ n(7)", ("jax.hessian", "jax.jacfwd", "jax.jacrev"))
        + [
            "grad(lambda w, x, y: -nn.log_sigmoid(jnp.where(y > 0, 1, -1) * (x @ w))) @@ n(10), n(20011, 10), i(2, 20011)",
            "lambda w, x, y: lax.fori_loop(0, 50, lambda k, w: w - 0.1 * x.T @ (nn.sigmoid(x @ w) - y) / 1003, w) @@ n(7), n(1003, 7), n(1003)",
            "grad(lambda x: jnp.prod(x, 1)) @@ n(37, 5)", "grad(lambda x: jnp.sort(x, 1)[:, :3]) @@ n(37, 53)",
            "grad(lambda x: jnp.cumsum(x, 0) ** 2) @@ n(53, 37)", "grad(lambda x: jnp.linalg.norm(x, axis=1)) @@ n(37, 53)",
            "grad(lambda x: jnp.max(x, 0)) @@ n(53, 37)", "grad(lambda x: jnp.cumprod(x)) @@ n(200)",
            "grad(lambda x: nn.logsumexp(x, 0)) @@ n(53, 37)",
        ]
    )


def reductions():
    return (
        rows(
            "lambda x: jnp.{0}(x{1}, {2}) @@ n({3})",
            ("sum", "max", "argmin", "std", "prod", "any", "cumsum", "mean"),
            ("", ".T"),
            "01",
            (ODD, "53, 1021"),
        )
        + rows(
            "lambda x: jnp.{0}(x, 1) @@ n({1})",
            ("median", "sort", "argsort", "ptp", "nanmean", "cumprod", "count_nonzero"),
            (ODD, WIDE),
        )
        + rows(
            "lambda x: jnp.{0}(x, (0, 2)) @@ n({1}, dtype='{2}')",
            ("sum", "max", "var"),
            ("7, 37, 19",),
            ("float32", "bfloat16", "float16"),
        )
        + rows("lambda x: lax.{0}(x) @@ n({1})", ("cummax", "cumlogsumexp", "cumprod"), (ODD, LONG))
        + rows(
            "lambda x: {0} @@ n(20011)",
            (
                "jnp.stack([jnp.where(jnp.arange(20011) < x.sum(), v, 0.) for v in (1., 2.)])", "jnp.nonzero(x > 1, size=500)[0]",
                "x[jnp.nonzero(x > 1, size=500)[0]]", "x.at[jnp.nonzero(x > 1, size=500)[0]].set(0)",
                "jnp.where(x > x.mean(), x, x.min()) / x.std()", "jnp.concatenate([x / x.sum(), x * x.max()])",
                "jnp.pad(x - x.mean(), 3)[2:-1] * x.sum()", "jnp.cumsum(x > 0)[::-1] * x", "x[jnp.argsort(x)[:100]]",
                "jnp.percentile(x, jnp.array([5., 50., 95.]))", "(x - jnp.median(x)) / x.std()", "jnp.histogram(x, 32)[0]",
                "jnp.digitize(x, jnp.linspace(-2, 2, 33))", "jnp.interp(x, jnp.linspace(-3, 3, 65), jnp.arange(65.))",
                "jnp.searchsorted(jnp.sort(x[:1001]), x)", "jnp.unique(x.round(1), size=100)", "jnp.diff(x, n=2)",
                "jnp.convolve(x, x[:33])", "lax.top_k(x, 10)[0]", "jnp.partition(x, 100)[:100]",
                "lax.associative_scan(jnp.maximum, x)", "jnp.trapezoid(x)", "jnp.corrcoef(x[:20000].reshape(8, -1))",
            ),
        )
    )


def products():
    small = (
        "bowc,wp->bopc @@ n(4, 9, 31, 3), n(31, 17)", "bij,bjk->bik @@ n(1000, 3, 3), n(1000, 3, 3)",
        "bij,bj->bi @@ n(5000, 4, 4), n(5000, 4)", "ij,jk->ik @@ n(3, 1001), n(1001, 5)", "ij,kj->ik @@ n(37, 53), n(29, 53)",
        "ji,jk->ik @@ n(53, 37), n(53, 29)", "ij,j->i @@ n(1001, 7), n(7)", "ij,i->j @@ n(1001, 7), n(1001)",
        "abc,cd->abd @@ n(7, 11, 13), n(13, 3)", "abc,bd->adc @@ n(64, 13, 3), n(13, 17)", "i,j->ij @@ n(1001), n(37)",
        "bhqd,bhkd->bhqk @@ n(2, 3, 33, 8), n(2, 3, 35, 8)", "abij,abjk->abik @@ n(5, 7, 6, 6), n(5, 7, 6, 6)",
        "i,i-> @@ n(20011), n(20011)", "bi,bj->bij @@ n(999, 5), n(999, 7)", "bi,bi->b @@ n(5003, 7), n(5003, 7)",
        "ijk,jk->i @@ n(33, 17, 9), n(17, 9)", "ii->i @@ n(301, 301)", "abcd,dc->ab @@ n(9, 8, 7, 6), n(6, 7)",
        "xij,yjk->xyik @@ n(7, 3, 3), n(9, 3, 3)",
    )
    pairs = [text.split(" @@ ") for text in small]
    return (
        [f"lambda x, y: jnp.einsum('{text}', x, y) @@ {shapes}" for text, shapes in pairs if "," in text]
        + [f"grad(lambda x, y: jnp.einsum('{text}', x, y) ** 2) @@ {shapes}" for text, shapes in pairs if "," in text]
        + rows(
            "lambda x, y: x @ y @@ n({0}, dtype='{2}'), n({1}, dtype='{2}')",
            ("37, 65",),
            ("65, 29", "65"),
            ("bfloat16", "float16", "complex64") + FLOAT8,
        )
        + rows("lambda x, y: x @ y @@ n(128, 256, dtype='{0}'), n(256, 64, dtype='{0}')", ("bfloat16", "float16") + FLOAT8)
        + rows(
            "lambda x, y: lax.dot(x.astype('{0}'), y.astype('{0}'), preferred_element_type='{1}') @@ i(9, 65, 37), i(9, 37, 41)",
            ("int8", "uint8", "int32"),
            ("int32",),
        )
        + rows(
            "lambda x, y: {0} @@ n(65, 37), n(37, 65)",
            (
                "(x @ y).T", "jnp.tanh(x.T @ y.T)", "x @ y + x[:, :1]", "nn.relu(x @ y + y[0])", "jnp.kron(x[:9], y[:7])",
                "jnp.exp(x @ y) / 3", "x[:, ::2] @ y[::2]", "x[::-1] @ y", "jnp.cross(x[:, :3], y.T[:, :3])",
                "nn.softmax(x @ y) @ x",
            ),
        )
        + rows("vmap(lambda a: js.linalg.expm(a)) @@ n({0}, scale=0.1)", ("100, 3, 3", "33, 6, 6"))
        + rows("vmap({0}(lambda a: js.linalg.expm(a + 0.1))) @@ n(50, 3, 3, scale=0.1)", ("jax.jacfwd",))
        + rows("lambda x, k: sparse.BCOO.fromdense(x, nse=300) @ k @@ n(41, 53), n({0})", ("53, 7", "53"))
        + rows("lambda x, s, g: lax.ragged_dot(x, s, g) @@ n(64, 32), n(3, 32, 16), jnp.array([20, 30, 14], 'int32')", ("",))
    )


def convolutions():
    def general(x, k, more):
        return f"lambda x, k: lax.conv_general_dilated(x, k, {more}) @@ n({x}), n({k})"

    nchw, nhwc = "'SAME'", "'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC')"
    cases = [
        general("2, 1, 29, 31", "8, 1, 5, 5", f"(2, 2), {nchw}"), general("2, 3, 29, 31", "8, 3, 3, 3", f"(1, 1), {nchw}"),
        general("2, 29, 31, 1", "5, 5, 1, 8", f"(2, 2), {nhwc}"), general("2, 29, 31, 3", "3, 3, 3, 8", f"(1, 1), {nhwc}"),
        general("1, 1, 4003", "16, 1, 10", "(5,), 'VALID'"), general("2, 16, 301", "16, 16, 3", "(2,), 'SAME'"),
        general("2, 16, 301", "16, 1, 3", "(1,), 'SAME', feature_group_count=16"),
        general("2, 15, 15, 12", "3, 3, 1, 12", f"(1, 1), {nhwc}, feature_group_count=12"),
        general("2, 15, 15, 12", "3, 3, 3, 8", f"(1, 1), {nhwc}, feature_group_count=4"),
        general("2, 15, 15, 7", "3, 3, 7, 5", f"(1, 1), {nhwc}, rhs_dilation=(2, 2)"),
        general("1, 3, 7, 9, 11", "4, 3, 3, 3, 3", "(1, 1, 1), 'SAME'"),
        general("2, 7, 9, 8", "2, 2, 8, 3", "(1, 1), 'SAME', lhs_dilation=(2, 2), dimension_numbers=('NHWC', 'HWIO', 'NHWC')"),
        general("4, 8, 8, 16", "1, 1, 16, 24", f"(1, 1), {nhwc}"), general("1, 1, 64, 64", "1, 1, 11, 11", f"(1, 1), {nchw}"),
    ]
    by = [
        f"grad({case.split(' @@ ')[0].replace(' lax', ' 0.5 * lax')}, {at}) @@ {case.split(' @@ ')[1]}"
        for case in cases
        for at in (0, 1)
    ]
    return (
        cases
        + by
        + rows("lambda x, k: lax.conv_transpose(x, k, (2, 2), 'SAME') @@ n(2, 9, 11, 8), n(4, 4, 8, {0})", ("1", "3", "8"))
        + rows(
            "lambda x: {0} @@ n(2, 17, 19, 5)",
            (
                "lax.reduce_window(x, 0., lax.add, (1, 3, 3, 1), (1, 2, 2, 1), 'SAME')",
                "lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), 'SAME')",
                "lax.reduce_window(x, 0., lax.add, (1, 17, 1, 1), (1, 1, 1, 1), 'SAME')",
                "sum(jnp.roll(x, s, a) for s in (-1, 1) for a in (1, 2)) - 4 * x",
            ),
        )
        + rows(
            "grad(lambda x: {0}) @@ n(2, 17, 19, 5)",
            (
                "lax.reduce_window(x, 0., lax.add, (1, 3, 3, 1), (1, 2, 2, 1), 'SAME') ** 2",
                "lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), 'SAME')",
                "sum(jnp.roll(x, s, a) for s in (-1, 1) for a in (1, 2)) * x",
            ),
        )
        + rows(
            "{1} @@ n({0})",
            ("33, 29, 3", "2, 17, 16, 4"),
            (
                "lambda x: image.resize(x, x.shape[:-2] + (41, x.shape[-1]), 'cubic')",
                "lambda x: image.resize(x, x.shape[:-2] + (41, x.shape[-1]), 'linear')",
                "lambda x: image.resize(x, x.shape[:-2] + (9, x.shape[-1]), 'lanczos3')",
                "lambda x: image.resize(x, x.shape[:-2] + (41, x.shape[-1]), 'nearest')",
                "grad(lambda x: image.resize(x, x.shape[:-2] + (41, x.shape[-1]), 'linear') ** 2)",
            ),
        )
        + rows("lambda x: image.resize(x, (41, 43, 3), '{0}') @@ n(33, 29, 3)", ("cubic", "lanczos3", "linear", "nearest"))
        + rows("lambda x, c: js.ndimage.map_coordinates(x, [c[0], c[1]], order={0}) @@ n(37, 53), abs(n(2, 999)) * 9", "01")
        + [
            "lambda x, k: js.signal.fftconvolve(x, k) @@ n(1009), n(533)",
            "lambda x, k: js.signal.convolve2d(x, k) @@ n(37, 53), n(5, 7)",
            "lambda x: abs(js.signal.stft(x, nperseg=100)[2]) @@ n(5003)",
        ]
    )


def transforms():
    lengths = ("97", "128", "360", "530", "533", "1009", "1024", "7, 101", "3, 1000", "64, 30", "3, 4099")
    return (
        rows("lambda x: fft.{0}(x) @@ n({1}, dtype='complex64')", ("fft", "ifft"), lengths)
        + rows("lambda x: fft.rfft(x) @@ n({0})", lengths)
        + rows("lambda x: fft.irfft(x) @@ n({0}, dtype='complex64')", ("265", "505", "5, 65"))
        + rows("lambda x: fft.{0}(x) @@ n(53, 67)", ("rfft2", "fft2", "fftshift"))
        + rows("grad(lambda x: abs(fft.{0}(x)) ** 2) @@ n(7, 120)", ("fft", "rfft"))
        + rows("lambda x: js.fft.dct(x) @@ n({0})", ("5, 100",))
        + rows("f64: lambda x: fft.fft(x) @@ n({0}, dtype='complex128')", ("533", "8, 256"))
    )


def algebra():
    one = ("cholesky", "inv", "det", "slogdet", "eigvalsh", "qr", "svd", "pinv")
    return (
        rows("lambda a: linalg.{0}(a) @@ definite({1})", one, ("500, 3", "50, 7", "0, 33"))
        + rows("grad(lambda a: linalg.{0}(a)) @@ definite({1})", ("cholesky", "inv", "det"), ("100, 3", "0, 33"))
        + rows(
            "lambda a, b: {0} @@ definite({1}), n({2})",
            ("linalg.solve(a, b)", "js.linalg.cho_solve((linalg.cholesky(a), True), b)"),
            ("200, 5",),
            ("200, 5, 1", "200, 5, 2"),
        )
        + rows("lambda a, b: js.linalg.solve_triangular(a, b, lower=True) @@ definite(0, 37), n({0})", ("37", "37, 5"))
        + rows(
            "lambda a: {0} @@ definite(0, 17)",
            (
                "js.linalg.lu(a)[2]", "js.linalg.expm(a * 0.01)", "linalg.matrix_power(a, 5)", "linalg.eigh(a)[1]",
                "linalg.lstsq(a, a[0])[0]", "js.linalg.toeplitz(a[0])", "js.linalg.block_diag(a, a)", "linalg.cond(a)",
            ),
        )
        + rows(
            "lambda x: {0} @@ n(37, 53)",
            (
                "jnp.cov(x)", "jnp.vander(x[0], 5)", "jnp.trace(x)", "jnp.tril(x) + jnp.triu(x, 2)", "jnp.diag(x[0])",
                "jnp.rot90(x)", "jnp.polyval(x[0, :6], x)",
            ),
        )
    )


def moving():
    one = (
        "x[idx]", "x[:, idx % 53]", "x.at[idx].add(1.)", "x.at[idx].set(2.)", "x.at[idx].max(x[:200 % 37][:1])",
        "x.at[idx, idx % 53].add(1.)", "x[idx, idx % 53]", "x.T[idx % 53]", "jnp.take_along_axis(x, idx[None, :53] % 37, 0)",
        "jnp.repeat(x, 3, 1)", "jnp.tile(x, (3, 2))", "jnp.roll(x, 5, 0)", "jnp.pad(x, 2, mode='reflect')", "jnp.flip(x, 1)",
        "x[::-2, ::3]", "jnp.stack([x, x + 1], 2)", "jnp.concatenate([x, x[:3]], 0).T", "x.reshape(53, 37) + x.T",
        "jnp.where(x > 0, x, x.T.reshape(37, 53))", "nn.one_hot(idx, 53) @ x.T", "lax.dynamic_slice(x, (idx[0], 3), (9, 9))",
        "lax.dynamic_update_slice(x, x[:9, :9], (idx[0], idx[1]))", "jnp.broadcast_to(x[:, None], (37, 7, 53)).reshape(-1, 53)",
        "jnp.moveaxis(x.reshape(37, 53, 1), 0, 2) * 2", "jnp.apply_along_axis(jnp.cumsum, 0, x)",
        "jnp.select([x > 1, x > 0], [x, -x], 0.)", "jnp.piecewise(x, [x < 0, x >= 0], [-1., 1.])",
        "jnp.choose(idx[:53] % 3, x[:3])",
    )
    scalars = (
        "jnp.bincount(idx, length=1000)", "jax.ops.segment_sum(u, idx, 1000)", "jax.ops.segment_max(u, idx, 1000)",
        "jnp.zeros(1000).at[idx].add(u)", "jax.ops.segment_sum(u, jnp.sort(idx), 1000, indices_are_sorted=True)",
        "jnp.zeros((1000, 8)).at[idx].add(u[:, None])", "u[idx]", "jnp.zeros((31, 33)).at[idx % 31, idx % 33].add(u)",
        "jnp.zeros(1000, 'int32').at[idx].max(idx)", "jnp.zeros(20000).at[idx * 20].set(u)", "jnp.bincount(idx, u, length=1000)",
        "jnp.zeros(1000).at[idx].mul(u)", "jnp.zeros(1000).at[idx].min(u)", "jnp.histogram2d(u, u * u, 10)[0]",
        "jax.ops.segment_prod(u, idx, 1000)", "u[jnp.lexsort((u, idx))]", "jnp.sort(idx)", "jnp.argsort(idx)",
        "jnp.isin(idx, jnp.arange(0, 1000, 7))", "jnp.zeros(1000, 'bfloat16').at[idx].add(u.astype('bfloat16'))",
        "jnp.unique(idx, size=1000)", "jnp.bitwise_xor.reduce(idx)",
    )
    return (
        rows("lambda x, idx: {0} @@ n(37, 53), i(37, 200)", one)
        + rows("lambda u, idx: {0} @@ n(16384), i(1000, 16384)", scalars)
        + rows(
            "grad(lambda x, idx: {0}) @@ n(37, 53), i(37, 200)",
            (
                one[0] + " ** 2",
                one[1] + " ** 2",
                one[8] + " ** 2",
                one[9] + " ** 2",
                one[12] + " ** 2",
                one[14] + " ** 2",
                one[16] + " ** 2",
            ),
        )
    )


def loops():
    steps = (
        "(c * 0.9 + x, c)", "(jnp.sin(c) + x, c.sum())", "(jnp.where(x > 0, c + x, c - 1), c)", "(c.at[0].add(x[1]), c)",
        "(nn.softmax(c + x), c.max())", "(jnp.tanh(c @ jnp.outer(x, x)), x)", "(jnp.sort(c) + x, c[0])",
        "(jnp.roll(c, 1) * 0.5 + x, c)",
    )
    return (
        rows("lambda c, x: lax.scan(lambda c, x: {0}, c, x) @@ n(9), n(301, 9)", steps)
        + rows("grad(lambda c, x: lax.scan(lambda c, x: {0}, c, x)[0]) @@ n(9), n(101, 9)", steps[:2] + steps[4:6])
        + rows(
            "vmap(lambda c: lax.while_loop(lambda s: s[0] < 40 + c.sum(), lambda s: (s[0] + 1, jnp.sin(s[1]) + c), (0., c))[1]) @@ n(17, {0})",
            ("3", "9"),
        )
        + rows(
            "vmap(lambda y: ode.odeint(lambda y, t: {0}, y, jnp.linspace(0., 1., 5))) @@ n(9, 3)",
            ("-y", "jnp.sin(y) - jnp.roll(y, 1)"),
        )
        + rows(
            "{0} @@ n(11)",
            (
                "lambda x: js.optimize.minimize(lambda x: ((x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum(), x, method='BFGS', options={'maxiter': 20}).x",
                "lambda x: js.sparse.linalg.cg(lambda v: 2 * v + jnp.roll(v, 1) * 0.1 + jnp.roll(v, -1) * 0.1, x)[0]",
                "lambda x: lax.fori_loop(0, 200, lambda k, v: lax.cond(v[0] > 0, jnp.sin, jnp.cos, v), x)",
                "lambda x: vmap(lambda v: lax.switch(jnp.int32(abs(v) * 3) % 3, [jnp.sin, jnp.exp, lambda v: v * 2], v))(x)",
                "lambda x: lax.map(lambda v: jnp.sin(v) * x, x)",
                "lambda x: lax.fori_loop(0, 100, lambda k, v: v.at[k % 11].set(v.sum() * 0.1), x)",
                "lambda x: lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (x, x))",
                "lambda x: lax.fori_loop(0, 100, lambda k, v: jnp.linalg.norm(v) * v / (1 + v @ v), x)",
                "lambda x: jax.jvp(lambda x: lax.scan(lambda c, v: (c * v, c), 1., x)[1], (x,), (x,))[1]",
                "lambda x: lax.while_loop(lambda v: v.max() < 100, lambda v: v * 1.1 + 0.1, x)",
                "jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)))", "lambda x: [x * k for k in range(40)]",
                "lambda x: sum(jnp.sin(x * k) for k in range(40))",
                "lambda x: jnp.stack([x[k] * x[(k + 1) % 11] for k in range(11)])",
            ),
        )
        + [
            "lambda k, q: lax.scan(lambda q, k: (jnp.where(random.uniform(k) < 0.7, q + 0.1 * random.normal(k, q.shape), q), q), q, random.split(k, 100)) @@ key, n(5)",
            "lambda k, q: lax.scan(lambda q, k: ((lambda p: lax.fori_loop(0, 5, lambda _, s: (s[0] + 0.1 * s[1], s[1] - 0.1 * jnp.sin(s[0])), (q, p))[0])(random.normal(k, q.shape)), q), q, random.split(k, 50)) @@ key, n(7)",
        ]
    )


def small_loops():
    """Loops whose iteration takes less than a microsecond: samplers, solvers, filters, recurrences."""
    rosenbrock = "lambda x: ((x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()"
    leapfrog = (
        "lambda k, s: (lambda p: (s[0] + 0.1 * p, p - 0.05 * grad({0})(s[0] + 0.1 * p)))(s[1] - 0.05 * grad({0})(s[0]))"
    )
    return rows(
        "{0} @@ n(3)",
        (
            "lambda y: lax.fori_loop(0, 100, lambda k, y: (lambda f: (lambda a: (lambda b: (lambda c: y + 0.01 * (a + 2 * b + 2 * c + f(y + 0.01 * c)) / 6)(f(y + 0.005 * b)))(f(y + 0.005 * a)))(f(y)))(lambda y: jnp.stack([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - y[2] * 8 / 3])), y)",
            "lambda x: lax.while_loop(lambda s: (s[1] > 1e-5) & (s[2] < 50), lambda s: (lambda y: (y, abs(y - s[0]).max(), s[2] + 1))(jnp.cos(s[0]) * 0.5), (x, 1., 0))[0]",
            "lambda x: lax.while_loop(lambda s: (abs(s[0] ** 3 - 2).max() > 1e-4) & (s[1] < 50), lambda s: (s[0] - (s[0] ** 3 - 2) / (3 * s[0] ** 2), s[1] + 1), (abs(x) + 1, 0))[0]",
            "lambda x: lax.while_loop(lambda s: (s[1] > 1e-4) & (s[2] < 60), lambda s: (lambda g: (s[0] - 0.02 * g, jnp.linalg.norm(g), s[2] + 1))(grad(" + rosenbrock + ")(s[0])), (x, 1., 0))[0]",
            "lambda x: lax.fori_loop(0, 1000, lambda k, s: (s[0] + 0.01 * s[1], s[1] - 0.01 * jnp.sin(s[0])), (x[0], x[1]))",
            "lambda x: lax.while_loop(lambda s: s[1] < 20, lambda s: (lax.while_loop(lambda t: abs(t).max() > 0.1, lambda t: t * 0.7, s[0] + s[1]), s[1] + 1), (x, 0))[0]",
        ),
    ) + rows(
        "{0} @@ definite(0, 3), n(3)",
        (
            "lambda a, x: lax.fori_loop(0, 50, lambda k, a: a @ a / jnp.linalg.norm(a @ a), a)",
            "lambda a, x: lax.while_loop(lambda s: (s[1] > 1e-5) & (s[2] < 99), lambda s: (lambda y: (y, abs(y - s[0]).max(), s[2] + 1))(a @ s[0] / jnp.linalg.norm(a @ s[0])), (x, 1., 0))[0]",
            "lambda a, x: lax.fori_loop(0, 60, lambda k, s: (a @ s[0] * 0.1, a @ s[1] @ a.T * 0.01 + jnp.eye(3)), (x, a))",
        ),
    ) + rows(
        "{0} @@ n(5), n(77, 5)",
        (
            "lambda q, p: lax.scan(lambda q, p: (lambda s: (s[0], (s[0] ** 2).sum()))(lax.fori_loop(0, 8, " + leapfrog.format("lambda q: (q ** 2).sum() / 2 + (q[0] ** 4)") + ", (q, p))), q, p)",
            "lambda q, p: lax.scan(lambda q, p: (lambda s: (lax.cond((s[0] ** 2).sum() < 9., lambda: s[0], lambda: q), s[1][0]))(lax.while_loop(lambda s: (s[2] < 10) & ((s[0] * s[1]).sum() < 3.), lambda s: (s[0] + 0.1 * s[1], s[1] - 0.1 * s[0], s[2] + 1), (q, p, 0))), q, p)",
            "lambda q, p: lax.scan(lambda c, x: (lambda z: (z * c + (1 - z) * jnp.tanh(x + c), c))(nn.sigmoid(x - c)), q, p)",
            "lambda q, p: lax.scan(lambda c, x: (lax.switch(jnp.int32(abs(x[0]) * 2) % 3, [jnp.sin, lambda v: v * 0.5, lambda v: v + x], c), c[0]), q, p)",
        ),
    ) + [
        "vmap(lambda c: lax.while_loop(lambda s: s[1] - s[0] > 1e-4, lambda s: (lambda m: (jnp.where(m * m * m < c, m, s[0]), jnp.where(m * m * m < c, s[1], m)))((s[0] + s[1]) / 2), (0., 10.))[0]) @@ abs(n(57))",
        "vmap(lambda m: lax.while_loop(lambda s: s[0] > 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (m, 0))[1]) @@ i(99, 61) + 1",
        "vmap(vmap(lambda x, y: lax.while_loop(lambda s: (s[0] ** 2 + s[1] ** 2 < 4) & (s[2] < 50), lambda s: (s[0] ** 2 - s[1] ** 2 + x, 2 * s[0] * s[1] + y, s[2] + 1), (0., 0., 0))[2])) @@ n(13, 21), n(13, 21)",
        "lambda a, b: lax.fori_loop(0, 11, lambda i, t: lax.fori_loop(0, 13, lambda j, t: t.at[i + 1, j + 1].set(jnp.minimum(jnp.minimum(t[i, j + 1], t[i + 1, j]) + 1, t[i, j] + (a[i] != b[j]))), t), jnp.zeros((12, 14), 'int32').at[0].set(jnp.arange(14)).at[:, 0].set(jnp.arange(12))) @@ i(4, 11), i(4, 13)",
        "lambda x: lax.fori_loop(1, 23, lambda i, v: lax.while_loop(lambda s: (s[0] > 0) & (s[1][s[0] - 1] > s[1][s[0]]), lambda s: (s[0] - 1, s[1].at[s[0]].set(s[1][s[0] - 1]).at[s[0] - 1].set(s[1][s[0]])), (i, v))[1], x) @@ n(23)",
        "lambda x: lax.fori_loop(0, 30, lambda k, v: jnp.where(sum(jnp.roll(v, s, a) for s in (1, -1) for a in (0, 1)) > 0, v * 0.9, -v), x) @@ n(16, 16)",
        "lambda k: lax.while_loop(lambda s: abs(s[1]) < 4, lambda s: (random.fold_in(s[0], 1), s[1] + random.uniform(s[0], minval=-0.3, maxval=1.)), (k, 0.))[1] @@ key",
        "lambda a, x: js.sparse.linalg.gmres(lambda v: a @ v, x)[0] @@ definite(0, 9), n(9)",
        "lambda a, x: js.sparse.linalg.bicgstab(lambda v: a @ v, x)[0] @@ definite(0, 9), n(9)",
        "lambda x: js.optimize.minimize(" + rosenbrock + ", x, method='l-bfgs-experimental-do-not-use', options={'maxiter': 10}).x @@ n(5)",
        "lambda m, y, a: lax.scan(lambda s, y: (lambda p, q: (lambda g: ((p + g * (y - p[0]), q - jnp.outer(g, q[0])), p))(q[:, 0] / (q[0, 0] + 0.1)))(a @ s[0], a @ s[1] @ a.T + 0.01 * jnp.eye(3)), (m, jnp.eye(3)), y) @@ n(3), n(99), n(3, 3) * 0.3",
        "lambda x: lax.map(lambda v: lax.while_loop(lambda t: abs(t) > 0.1, lambda t: jnp.sin(t) * 0.9, v), x) @@ n(37)",
        "grad(lambda x, w: lax.scan(lambda c, _: (jnp.tanh(w @ c), None), x, None, length=50)[0]) @@ n(7), n(7, 7)",
        "lambda a, x: lax.fori_loop(0, 20, lambda k, x: jnp.tanh(a.T @ a @ x), x) @@ n(131, 131) / 20, n(131)",
        "lambda a, x: lax.fori_loop(0, 20, lambda k, x: nn.softmax(a, axis=1) @ x + x, x) @@ n(131, 131), n(131)",
        "lambda a, x: lax.fori_loop(0, 20, lambda k, y: y * 0.5 + jnp.exp(-abs(x[:, None] - x)) @ y / 131, x) @@ n(131, 131), n(131)",
        "lambda a, x: lax.scan(lambda c, y: (c * 0.9 + y / (1 + jnp.linalg.norm(a)), c.max()), x, a) @@ n(131, 131), n(131)",
        "lambda x: linalg.expm(x) if hasattr(linalg, 'expm') else js.linalg.expm(x) @@ n(5, 5)",
    ]


def library():
    special = (
        "gammaln", "digamma", "erf", "erfinv", "ndtri", "log_ndtr", "i0", "i1e", "expit", "entr", "zeta", "gammainc", "betainc",
        "xlogy", "logit",
    )
    binary = {
        "zeta": "x + 2, x + 1",
        "gammainc": "x + 1, x",
        "betainc": "x + 1, x + 2, 0.3",
        "xlogy": "x, x",
        "erfinv": "x / 9",
        "ndtri": "x / 9",
        "logit": "x / 9",
    }
    draws = (
        "normal(k, (1001,))", "gamma(k, 2., (999,))", "beta(k, 2., 3., (99,))", "poisson(k, 3., (999,))",
        "bernoulli(k, 0.3, (5003,))", "categorical(k, jnp.zeros((37, 53)))", "permutation(k, 1001)", "choice(k, 1001, (99,))",
        "truncated_normal(k, -1., 1., (1001,))", "dirichlet(k, jnp.ones(5), (99,))",
        "multivariate_normal(k, jnp.zeros(3), jnp.eye(3), (99,))", "laplace(k, (1001,))", "t(k, 3., (199,))",
        "randint(k, (5003,), 0, 9)", "split(k, 99)", "orthogonal(k, 9)", "ball(k, 3, shape=(99,))", "rademacher(k, (1001,))",
        "binomial(k, 9, 0.3, (99,))",
    )
    stats = (
        "norm.logpdf(x)", "norm.cdf(x)", "t.logpdf(x, 3.)", "gamma.logpdf(abs(x), 2.)", "beta.logpdf(abs(x) / 9, 2., 3.)",
        "poisson.logpmf(jnp.round(abs(x)), 3.)", "laplace.cdf(x)", "logistic.logpdf(x)",
        "multivariate_normal.logpdf(x, jnp.zeros(53), jnp.eye(53))", "rankdata(x[0])",
    )
    return (
        ["lambda x: js.special." + f"{name}({binary.get(name, 'x')}) @@ abs(n(2003))" for name in special]
        + rows("lambda k: random.{0} @@ key", draws)
        + rows("lambda x: js.stats.{0} @@ n(37, 53)", stats)
        + rows("grad(lambda x: js.stats.{0}) @@ n(37, 53)", stats[:4])
        + rows(
            "lambda q, k, v: nn.dot_product_attention(q, k, v{0}) @@ n(2, 33, 3, 8), n(2, 33, 3, 8), n(2, 33, 3, 8)",
            ("", ", is_causal=True"),
        )
        + rows(
            "grad(lambda q, k, v: nn.dot_product_attention(q, k, v{0})) @@ n(2, 33, 3, 8), n(2, 33, 3, 8), n(2, 33, 3, 8)",
            ("", ", is_causal=True"),
        )
        + rows(
            "lambda x, s: {0} @@ n(29, 65), n(65)",
            (
                "(x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * s",
                "x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * s",
                "jnp.concatenate([x[:, :32] * jnp.cos(s[:32]) - x[:, 32:64] * jnp.sin(s[:32]), x[:, :32] * jnp.sin(s[:32]) + x[:, 32:64] * jnp.cos(s[:32])], 1)",
                "nn.softmax(jnp.where(jnp.tril(jnp.ones((29, 65))) > 0, x, -1e9))",
                "-(nn.log_softmax(x) * nn.one_hot(jnp.arange(29), 65)).sum(1).mean()", "((x[:, None] - x) ** 2).sum(-1)",
                "jnp.linalg.norm(x[:, None] - x, axis=-1)", "x / jnp.maximum(jnp.linalg.norm(x, axis=1, keepdims=True), 1e-6)",
                "jnp.exp(-((x[:, None, :5] - x[:, :5]) ** 2).sum(-1)) @ x", "lax.reduce_precision(x, 8, 7) * s",
                "lax.bitcast_convert_type(x, 'int32') ^ 7", "jnp.nan_to_num(jnp.log(x)) + s",
            ),
        )
        + rows(
            "grad(lambda x, s: {0}) @@ n(29, 65), n(65)",
            (
                "(x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * s ** 2",
                "-(nn.log_softmax(x) * nn.one_hot(jnp.arange(29), 65)).sum(1).mean()", "((x[:, None] - x) ** 2).sum(-1) ** 2",
                "nn.gelu(x * s) @ x.T",
            ),
        )
        + [
            "lambda p, m, v, g: (p - 1e-3 * (0.9 * m + 0.1 * g) / (jnp.sqrt(0.999 * v * v + 0.001 * g * g) + 1e-8), 0.9 * m + 0.1 * g, 0.999 * v * v + 0.001 * g * g) @@ n(37, 53), n(37, 53), n(37, 53), n(37, 53)"
        ]
        + rows(
            "lambda x: {0} @@ n(8, 3)",
            (
                "vmap(lambda w: jnp.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]))(x)",
                "vmap(lambda q: q / jnp.linalg.norm(q))(x)", "vmap(jax.jacfwd(lambda w: jnp.sin(w) * w.sum()))(x)",
                "vmap(jax.hessian(lambda w: jnp.sin(w).prod()))(x)", "vmap(lambda a: vmap(lambda b: jnp.cross(a, b))(x))(x)",
            ),
        )
    )


def unrolled():
    body = "lambda x: (lambda f: __import__('functools').reduce(lambda v, k: f(v, k), range({1}), x))(lambda v, k: {0})"
    return rows(
        body + " @@ n(64)",
        (
            "jnp.sin(v) + k", "jnp.cos(v) * v", "jnp.tan(v * 0.1) + v", "jnp.cbrt(v) + k", "abs(v) ** 1.3 + 1", "lax.erf(v) + v",
            "lax.lgamma(abs(v) + 1)", "jnp.arctan2(v, v + k)",
        ),
        ("100",),
    ) + rows(
        body + " @@ n(8, 16)",
        ("jnp.tanh(v @ v.T @ v * 0.01)", "nn.softmax(v) + k", "jnp.roll(v, 1) * 0.5 + k", "v - v.mean()"),
        ("30",),
    )


PARTS = (
    elementwise, gradients, reductions, products, convolutions, transforms, algebra, moving, loops, small_loops, library, unrolled,
)
