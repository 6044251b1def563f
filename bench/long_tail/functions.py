"""functions.py: snippets of the long tail that were written before any of them was measured, as those of
training.py: single functions of the library and short expressions on arrays, pictures, signals and tables. PARTS are
functions that return names of snippets."""
from snippets import each, rows


def pictures():
    filters = (
        "lambda x: image.resize(x, (x.shape[0] // 2, x.shape[1] // 2, x.shape[2]), 'linear')",
        "lambda x: image.resize(x, (2 * x.shape[0] + 1, 2 * x.shape[1], x.shape[2]), 'bicubic')",
        "lambda x: image.resize(x, (19, 61, x.shape[2]), 'lanczos5')",
        "grad(lambda x: image.resize(x, (19, 61, x.shape[2]), 'cubic') ** 2)",
        "lambda x: image.resize(x, (71, 23, x.shape[2]), 'linear', antialias=False)",
        (
            "lambda x: image.scale_and_translate(x, (31, 33, x.shape[2]), (0, 1), jnp.array([.7, 1.2]), "
            "jnp.array([2., -3.]), 'linear')"
        ),
        "lambda x: jnp.rot90(x, k=3) * .5", "lambda x: x[::-1, ::2].transpose(2, 1, 0)",
        "lambda x: x.reshape(-1, x.shape[2]) @ jnp.eye(3)[:, ::-1]",
        "lambda x: jnp.dot(x, jnp.array([.299, .587, .114])) > .1",
        "lambda x: jnp.pad(x, ((3, 3), (3, 3), (0, 0)), 'symmetric')",
        "lambda x: jnp.pad(x, ((7, 0), (0, 5), (0, 0)), 'wrap')",
        "lambda x: jnp.pad(x, ((2, 1), (4, 3), (0, 0)), 'edge') * x.mean()",
        "lambda x: (abs(x) * 80).clip(0, 255).astype('uint8')",
        "lambda x: ((x - x.min((0, 1))) / (x.max((0, 1)) - x.min((0, 1)))) ** (1 / 2.2)",
        "lambda x: lax.reduce_window(x, 0., lax.add, (4, 4, 1), (4, 4, 1), 'VALID') / 16",
        "lambda x: x[:44, :48].reshape(11, 4, 12, 4, 3).max((1, 3))", "lambda x: x.repeat(2, 0).repeat(2, 1)",
        "lambda x: jnp.stack(jnp.gradient(x, axis=(0, 1)))", "lambda x: jnp.cumsum(jnp.cumsum(x, 0), 1)",
        "lambda x: jnp.sqrt(jnp.diff(x, axis=0)[:, 1:] ** 2 + jnp.diff(x, axis=1)[1:] ** 2 + 1e-3).sum()",
        "grad(lambda x: jnp.sqrt(jnp.diff(x, axis=0)[:, 1:] ** 2 + jnp.diff(x, axis=1)[1:] ** 2 + 1e-3))",
        (
            "lambda x: lax.conv_general_dilated_patches(x[None], (3, 3), (2, 2), 'SAME', dimension_numbers=('NHWC', "
            "'HWIO', 'NHWC'))"
        ),
        "lambda x: jnp.median(jnp.stack([jnp.roll(x, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)]), 0)",
        "lambda x: vmap(lambda c: jnp.histogram(c, 16)[0], 2)(x)",
        "lambda x: image.resize(x.astype('bfloat16'), (90, 98, 3), 'linear')",
        "lambda x: lax.reduce_window(x, jnp.inf, lax.min, (5, 5, 1), (1, 1, 1), 'SAME')",
        "lambda x: (x.astype('float16') ** 2).mean((0, 1))",
    )
    pairs = (
        "lambda x, k: js.signal.convolve(x, k, mode='same')", "lambda x, k: js.signal.correlate2d(x, k, 'valid')",
        "grad(lambda x, k: js.signal.convolve2d(x, k, 'same') ** 2, 1)",
        "lambda x, k: fft.irfft2(fft.rfft2(x) * fft.rfft2(k, x.shape))",
        "lambda x, k: js.ndimage.map_coordinates(x, list(jnp.mgrid[:40, :50] * .9), 1, 'reflect')",
        "grad(lambda x, k: js.ndimage.map_coordinates(x, [k.ravel() * 9 + 20, k.ravel() * 8 + 20], 1))",
        "lambda x, k: vmap(lambda s: js.signal.convolve(s, k[0], mode='same'))(x)",
    )
    return each(filters, "n(45, 49, 3)") + each(pairs, "n(47, 53), n(7, 5)")


def signals():
    return (
        rows(
            "lambda x: {0} @@ n({1})",
            (
                "fft.fft(x).imag", "fft.irfft(fft.rfft(x) * jnp.exp(-jnp.arange(x.size // 2 + 1) / 50.))",
                "abs(fft.rfft(x * jnp.hanning(x.size))) ** 2",
                "fft.irfft(abs(fft.rfft(x, 2 * x.size)) ** 2)[:x.size]",
            ),
            ("1511", "1920", "2187", "4096", "10007"),
        )
        + rows(
            "lambda x: {0} @@ n({1}, dtype='complex64')",
            ("fft.fft2(x)", "fft.ifft(x, axis=0)", "fft.fftshift(fft.fftn(x, norm='ortho'))"), ("45, 77", "13, 256"),
        )
        + rows(
            "grad(lambda x: {0}) @@ n(3, 210)",
            ("abs(fft.fft(x, 256)) ** 2", "fft.irfft(fft.rfft(x) ** 2)", "jnp.log(abs(fft.rfft(x)) + 1)"),
        )
        + each(
            (
                "lambda x: fft.rfftn(x)", "lambda x: fft.irfftn(fft.rfftn(x) / (1 + jnp.arange(9.)))",
                "lambda x: fft.hfft(x[0, 0] + 0j)",
            ),
            "n(12, 15, 16)",
        )
        + rows(
            "lambda x: {0} @@ n(4001)",
            (
                "js.signal.welch(x, nperseg=200)[1]", "js.signal.detrend(x)",
                "js.signal.istft(js.signal.stft(x, nperseg=128)[2], nperseg=128)[1]",
                "lax.scan(lambda y, v: (y * .9 + v, y), 0., x[:800])[1]",
                "lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (x * 0 + .9, x))[1]",
                "jnp.convolve(x, jnp.ones(101) / 101, 'same')", "jnp.correlate(x, x[1000:1200], 'valid').argmax()",
                "jnp.unwrap(x * 3)",
                "jnp.sign(x[1:]) != jnp.sign(x[:-1])", "x[:4000].reshape(-1, 10).mean(1)",
                "jnp.interp(jnp.arange(0, 4000, 2.3), jnp.arange(4001.), x)",
                "js.fft.idct(js.fft.dct(x[:1024]))", "lax.reduce_window(x, -jnp.inf, lax.max, (51,), (1,), 'SAME')",
                "jnp.polyfit(jnp.arange(301.) / 301, x[:301], 3)",
                "jnp.nancumsum(jnp.where(x > 2, jnp.nan, x))", "20 * jnp.log10(abs(fft.rfft(x[:2000])) + 1e-6)",
                "x[jnp.arange(31)[:, None] * 100 + jnp.arange(256)]",
            ),
        )
        + each(
            ("grad(lambda x: jnp.convolve(x, x[:31]) ** 2)", "grad(lambda x: abs(js.signal.stft(x, nperseg=64)[2]))"), "n(900)",
        )
    )


def one_line():
    """One short line at a time, again and again."""
    return (
        rows(
            "lambda x: lax.fori_loop(0, 20, lambda k, v: fft.ifft(fft.fft(v) * .9), x) @@ n({0}, dtype='complex64')",
            ("100", "300", "500", "1001", "4900"),
        )
        + rows("lambda x: lax.fori_loop(0, 20, lambda k, v: fft.irfft(fft.rfft(v) * .9, x.size), x) @@ n({0})", ("250", "1000", "3000"))
        + ["f64: lambda x: lax.fori_loop(0, 20, lambda k, v: fft.ifft(fft.fft(v) * .9), x) @@ n(500, dtype='complex128')"]
    )


def borders():
    return rows(
        "lambda x: jnp.pad(x, {0}, mode='{1}') @@ n({2})",
        ("3", "((0, 0), (4, 1), (0, 0))"), ("reflect", "symmetric", "wrap", "edge"), ("45, 49, 3", "3, 61, 53"),
    ) + rows(
        "lambda x: {0} @@ n(300, 70)",
        (
            "jnp.concatenate([x[-1:] * .5, x, jnp.sin(x[:2])])", "jnp.concatenate([jnp.concatenate([x[:, 5:], x[:, :5]], 1), x])",
            "jnp.concatenate([x.mean(0, keepdims=True), x])", "jnp.diff(x, prepend=0., append=1.)",
        ),
    )


def adaptive_steps():
    """Loops whose body is long, of arrays of a few elements."""
    return rows(
        "lambda y: ode.odeint(lambda y, t: {0}, y, jnp.linspace(0., 2., 10)) @@ n({1})",
        ("jnp.stack([y[1], -y[0] + .1 * y[1] * (1 - y[0] ** 2)])",), ("2",),
    ) + [
        "lambda y: ode.odeint(lambda y, t: jnp.stack([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]]), y, "
        "jnp.linspace(0., 1., 10)) @@ n(3)",
        "lambda y: ode.odeint(lambda y, t: -y, y, jnp.linspace(0., 5., 10)) @@ n(8)",
        "lambda v: lax.fori_loop(0, 20, lambda i, v: reduce(lambda v, k: jnp.roll(v, 1) * .5 + v.sum() * k / 100, range(40), v), v) @@ n(16)",
    ]


def expressions():
    return (
        rows(
            "lambda x, y: {0} @@ n(61, 127), n(127, 61)",
            (
                "jnp.where(x > y.T, x, y.T) ** 3", "(x - y.T) / (abs(x) + abs(y.T) + 1e-6)", "jnp.sinh(x).T * jnp.cosh(y)",
                "jnp.exp(x.T) @ y.T @ y",
                "jnp.outer(x[0], y[:, 0]).sum(0)", "x.ravel()[::3] + y.T.ravel()[::3]",
                "jnp.tensordot(x.reshape(61, 1, 127), y, 1)", "jnp.vecdot(x, y.T)",
                "jnp.linalg.vector_norm(x - y.T, ord=1, axis=0)", "jnp.column_stack([x[:, :3], y.T, x[:, -1]])",
                "jnp.argmax(x @ y, -1)", "jnp.log1p(jnp.exp(-abs(x @ y)))",
                "jnp.block([[x @ y, x], [y, y @ x]])", "jnp.nanmax(jnp.where(x > 1, jnp.nan, y.T), 0)",
                "jnp.average(x, 0, abs(y.T))", "jnp.quantile(x, jnp.array([.1, .9]), 0)",
                "jnp.logaddexp.reduce(x, 1)", "jnp.linalg.norm(x[:, None] - y.T, axis=-1)",
                "jnp.apply_along_axis(lambda r: jnp.convolve(r, r[:5]), 1, x)",
                "jnp.take_along_axis(x, jnp.argsort(y.T, 1), 1)", "jnp.cov(x)", "x.at[::2, 1::3].mul(2).at[-1].set(y[:, 0])",
                "jnp.trapezoid(x, y.T, axis=1)", "jnp.fmod(x, y.T) + jnp.nextafter(x, 0)",
                "nn.softmax(x, 0).T @ nn.softmax(y, 1).T", "jnp.roll(x, (3, -5), (0, 1)) * y.T", "jnp.lexsort((x[0], x[1]))",
                "lax.map(lambda r: jnp.sort(r)[:5], x)",
                "jnp.einsum('ij,jk,kl->il', x, y, x)", "jnp.einsum('ij,ji->', x, y)",
                "jnp.einsum('ij,kj->jik', x[:9], x[9:16])", "lax.batch_matmul(x[None] * 2, y[None])",
            ),
        )
        + rows(
            "grad(lambda x, y: {0}) @@ n(61, 127), n(127, 61)",
            (
                "jnp.exp(-abs(x @ y)) * 2", "jnp.maximum(x, y.T) * x", "nn.softmax(x @ y) ** 2",
                "jnp.linalg.norm(x - y.T, axis=0)", "jnp.cumsum(x, 1) * y.T", "jnp.where(x > 0, jnp.sqrt(abs(x) + 1), y.T)",
                "jnp.std(x, 0) / (jnp.mean(y, 1) ** 2 + 1)", "lax.cumlogsumexp(x[:, :6], 1)",
                "jnp.take(x, jnp.arange(0, 61, 7), 0) ** 2", "jnp.median(x, 1)", "lax.top_k(x, 4)[0]",
                "x.at[::2].add(y.T[::2] * x[::2])", "jnp.arctan2(x, y.T)", "jnp.tile(x, (2, 3)) ** 2",
                "nn.gelu(x, approximate=False) @ y", "jnp.concatenate([x, y.T], 1)[:, 50:180] ** 2",
                "jnp.power(abs(x) + .1, y.T)", "jnp.minimum(x, 0).prod(0)", "nn.hard_swish(x @ y)",
                "lax.reduce_max(x, (0,)) * 2", "jnp.tril(x) ** 2 @ y", "vmap(jnp.dot)(x, y.T) ** 2",
            ),
        )
        + rows(
            "lambda x: {0} @@ n(83, 129, dtype='{1}')",
            (
                "x.sum(0)", "nn.softmax(x)", "jnp.sort(x, 0)", "(x * 2 + 1).T", "jnp.tanh(x) * x", "x.argmax(1)",
                "jnp.cumsum(x, 1)", "x @ x.T",
            ),
            ("bfloat16", "float16"),
        )
        + rows("lambda x: {0} @@ n(83, 129, dtype='float8_e5m2')", ("x @ x.T", "(x * 2).T", "x.astype('float8_e4m3fn')"))
        + rows(
            "f64: lambda x: {0} @@ n(41, 67, dtype='float64')",
            ("jnp.logaddexp(x, x[0])", "x.var(1)", "jnp.sort(x)", "nn.gelu(x)", "jnp.cumsum(x)", "lax.erf(x) ** 2"),
        )
        + rows(
            "grad(lambda x: js.special.{0}) @@ abs(n(1203)) + .1",
            (
                "gammaln(x)", "erfinv(x / 9)", "xlogy(x, x)", "logit(x / 9)", "expit(x)", "i1(x)", "ndtri(x / 9)",
                "betaln(x, 2.)", "log_ndtr(x)",
            ),
        )
        + rows(
            "lambda x: js.special.{0} @@ abs(n(1203)) + .1",
            (
                "gammainc(2.5, x)", "zeta(x + 1.1, 1.)", "polygamma(1, x)", "kl_div(x, .7)",
                "sph_harm_y(jnp.array([2]), jnp.array([1]), x, x, n_max=3)", "expi(x)", "hyp1f1(1., 2., x)",
            ),
        )
        + rows("grad(nn.{0}) @@ n(77, 130)", ("silu", "relu6", "log_softmax", "identity", "sparse_plus", "standardize"))
        + each(
            (
                "jax.hessian(lambda x: nn.logsumexp(x) + jnp.prod(jnp.cos(x)))",
                "jax.jacrev(lambda x: nn.softmax(jnp.outer(x, x)))",
            ),
            "n(11)",
        )
        + each(
            ("lambda x: jax.jvp(lambda x: jnp.sin(x) @ x.T, (x,), (x * 2,))", "lambda x: jax.linearize(jnp.tanh, x)[1](x)"),
            "n(57, 33)",
        )
    )


def tables():
    return (
        rows(
            "lambda i, x: {0} @@ i(97, 6001), n(6001)",
            (
                "jax.ops.segment_sum(x, i, 97)", "jax.ops.segment_prod(x, i, 97)", "jnp.bincount(i, x, length=97)",
                "jnp.zeros(97).at[i].max(x)", "x[jnp.argsort(i, stable=True)]",
                "(lambda s, c: s / c)(jax.ops.segment_sum(x, i, 97), jax.ops.segment_sum(x * 0 + 1, i, 97))",
                "jnp.unique(i, size=97, return_counts=True)[1]", "jnp.isin(i, jnp.arange(0, 97, 5))",
                "nn.one_hot(i[:500], 97).T @ x[:500]", "jnp.cumsum(nn.one_hot(i[:700], 97), 0)[-1]",
                "lax.sort((i, x), num_keys=2)[1]", "jnp.where(i % 3 == 0, x, -x).sum()", "jnp.flatnonzero(i == 5, size=80)",
                "jnp.select([i < 9, i < 50], [x, x * 2], 0.)", "lax.scan(lambda m, v: (jnp.maximum(m, v), m), -9., x[:700])[1]",
                "x.at[i].add(1.)", "jnp.zeros((97, 3)).at[i].add(x[:, None] * jnp.arange(3.))",
                "jnp.searchsorted(jnp.arange(97.) / 9, x, side='right')", "jnp.compress(x > 0, x, size=3000)",
                "jnp.histogram2d(x, i, 20)[0]", "jnp.packbits(x > 0)", "lax.population_count(i) + lax.clz(i)",
                "jnp.left_shift(i, 3) ^ (i >> 2)", "(i.astype('uint8') * 7 + 3) // 5", "jnp.gcd(i, 60)",
                "jnp.intersect1d(i[:200], i[300:500], size=90)", "jnp.repeat(x[:97], 1 + i[:97] % 4, total_repeat_length=200)",
                "jnp.argwhere(x > 2, size=200)", "jnp.choose(i % 3, [x, x * x, -x], mode='clip')", "x[i][::-1]",
                "jnp.split(x[:6000], 6)[3] * jnp.array_split(x, 7)[2][:1]", "jnp.divmod(i, 7)[1] * x",
            ),
        )
        + each(
            (
                "grad(lambda x, i: jax.ops.segment_sum(x, i, 97) ** 2)", "grad(lambda x, i: x[i] ** 2)",
                "grad(lambda x, i: jnp.zeros(97).at[i].max(x))",
                "grad(lambda x, i: jnp.cumsum(x)[i])",
            ),
            "n(3001), i(97, 3001)",
        )
        + each(
            (
                "lambda t, i: t[i].mean(1)", "grad(lambda t, i: t[i].mean(1) ** 2)",
                "lambda t, i: jnp.take(t, i[:, 0], axis=0, mode='clip') @ t.T", "lambda t, i: t.at[i].add(.1)",
                "lambda t, i: jnp.einsum('bkd,bjd->bkj', t[i], t[i])", "lambda t, i: vmap(lambda r: t[r].max(0))(i)",
                "lambda t, i: lax.top_k(t[i[:, 0]] @ t.T, 5)[1]",
            ),
            "n(501, 24), i(501, 90, 7)",
        )
    )


def control():
    return (
        rows(
            "lambda x: {0} @@ n({1})",
            (
                "lax.scan(lambda c, r: (nn.sigmoid(c + r), c.sum()), x[0], x)[1]",
                "lax.fori_loop(0, 30, lambda k, v: v.at[k].set(v[k - 1] * .5 + v[k]), x)",
                "lax.while_loop(lambda s: s[1] < 15, lambda s: (jnp.cos(s[0]), s[1] + 1), (x, 0))[0]",
                "lax.cond(x.sum() > 0, jnp.sin, jnp.exp, x)",
                "vmap(lambda r: lax.cond(r[0] > 0, lambda r: r * 2, lambda r: jnp.sort(r), r))(x)",
                "lax.map(lambda r: jnp.outer(r, r).sum(0), x)",
                "vmap(lambda r: lax.while_loop(lambda v: abs(v).max() > .1, lambda v: v * .7, r))(x)",
                "vmap(lambda r: lax.fori_loop(0, 8, lambda k, v: jnp.roll(v, 1) + r, r))(x)",
                "lax.scan(lambda c, r: (jnp.tanh(c @ c.T @ c * .01) + r, None), x[:8, :8], x[:16, None, :8])[0]",
                "lax.switch(2, [jnp.sin, jnp.cos, jnp.tanh], x)",
                (
                    "lax.scan(lambda c, k: (lax.dynamic_update_index_in_dim(c, jnp.tanh(lax.dynamic_index_in_dim(c, k, 0, "
                    "False)), k, 0), k), x, jnp.arange(20))[0]"
                ),
                "jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)) ** 2)(x)",
                "lax.associative_scan(jnp.add, x, reverse=True, axis=1)",
            ),
            ("37, 19",),
        )
        + rows(
            "grad(lambda x: {0}) @@ n(37, 19)",
            (
                "lax.scan(lambda c, r: (jnp.tanh(c * .9 + r), c), x[0], x)[1]",
                "lax.fori_loop(0, 12, lambda _, v: jnp.sin(v) + x, x)", "lax.cond(x.sum() > 0, jnp.sin, jnp.exp, x)",
                "lax.map(lambda r: nn.softmax(r) ** 2, x)",
                "lax.scan(jax.checkpoint(lambda c, r: (jnp.sin(c) * r, None)), x[0], x)[0]",
                "lax.associative_scan(jnp.multiply, x)",
            ),
        )
        + each(
            (
                "lambda x: reduce(lambda v, k: jnp.sin(v * k) + jnp.roll(v, k), range(1, 16), x)",
                "lambda x: reduce(lambda v, k: nn.gelu(v @ v.T) @ v * .01, range(12), x)",
            ),
            "n(20, 31)",
        )
    )


PARTS = (pictures, signals, one_line, borders, adaptive_steps, expressions, tables, control)
