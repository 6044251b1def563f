"""library.py: snippets of the long tail from the libraries: functions of jax.numpy, jax.scipy, jax.nn and jax.lax,
sorting and searching, types, sizes of 1e3 to 1e6, layouts. PARTS are functions that return names of snippets."""
from snippets import each, rows


def sorting():
    kinds = ("float32", "bfloat16", "float16", "int8", "uint16", "int32")
    return (
        rows(
            "lambda x: jnp.{0} @@ (n(100003) * 50).astype('{1}')",
            ("sort(x)", "argsort(x)", "unique(x, size=64)", "flip(jnp.sort(x))"), kinds,
        )
        + rows(
            "lambda x: jnp.{0} @@ n({1})",
            (
                "sort(x, 0)", "sort(x, 1)", "argsort(x, 1)", "argsort(x, 0)", "median(x, 0)", "quantile(x, 0.3, 1)",
                "argmax(x, 0)", "argmax(x, 1)",
            ),
            ("300, 500", "10000, 8", "8, 10000"),
        )
        + rows(
            "f64: lambda x: jnp.{0} @@ (n(20011) * 1e4).astype('{1}')",
            ("sort(x)", "argsort(x)", "cumsum(x)", "searchsorted(jnp.sort(x), x)"), ("float64", "int64"),
        )
        + rows(
            "lambda x: {0} @@ n(100003)",
            (
                "lax.top_k(x, 5)", "lax.top_k(x, 1000)[1]", "lax.approx_max_k(x, 10)[0]", "jnp.partition(x, 50000)",
                "jnp.argpartition(x, 100)[:100]", "jnp.median(x)", "jnp.quantile(x, jnp.linspace(0, 1, 11))",
                "jnp.nanmedian(x)", "jnp.sort(abs(x), descending=True)[:10]", "jnp.argsort(x, stable=False)",
                "lax.sort((x, jnp.arange(100003)), num_keys=1)[1]", "lax.sort((jnp.floor(x), x), num_keys=2)",
                "jnp.lexsort((x, jnp.floor(x)))", "jnp.nonzero(x > 2, size=3000)[0]",
                "jnp.flatnonzero(x > 3, size=200, fill_value=-1)", "jnp.argwhere(x > 3, size=200)",
                "jnp.extract(x > 2, x, size=3000)", "jnp.compress(x > 2, x, size=3000)", "x[jnp.argmax(x > 3)]",
                "jnp.argmin(abs(x - 0.5))", "jnp.searchsorted(jnp.linspace(-3, 3, 1001), x)",
                "jnp.searchsorted(jnp.linspace(-3, 3, 1001), x, method='sort')",
                "jnp.searchsorted(jnp.sort(x), jnp.linspace(-3, 3, 101), side='right')",
                "jnp.digitize(x, jnp.linspace(-3, 3, 21))", "jnp.histogram(x, 100)[0]",
                "jnp.histogram(x, 50, density=True)[0]", "jnp.bincount((abs(x) * 30).astype('int32'), length=200)",
                "jnp.any(x > 4) | jnp.all(x < 9)", "jnp.unique((x * 9).astype('int32'), size=100, return_counts=True)",
                "jnp.unique((x * 9).astype('int32'), size=100, return_inverse=True)[1]",
                "jnp.isin((x * 99).astype('int32'), jnp.arange(40))",
                "jnp.union1d((x * 9).astype('int32'), jnp.arange(9), size=99)",
                "jnp.intersect1d((x[:3000] * 999).astype('int32'), jnp.arange(99), size=99)",
                "jnp.setdiff1d((x[:3000] * 99).astype('int32'), jnp.arange(99), size=99)", "jnp.cumsum(x > 0) * (x > 0)",
                "lax.cummax(x)", "lax.cumlogsumexp(x)", "jnp.cumprod(1 + x * 1e-4)", "lax.cummin(x[::-1])[::-1]",
                "jnp.maximum.accumulate(x)", "jnp.diff(jnp.sort(x)).max()", "jnp.percentile(x, 99.)",
                "jnp.trapezoid(jnp.sort(x), dx=.1)", "jnp.where(x > jnp.roll(x, 1), 1, 0).sum()",
                "jnp.argmax(jnp.convolve(x, x[:50][::-1]))", "js.stats.rankdata(x)",
                "jnp.clip(x, *jnp.percentile(x, jnp.array([1., 99.])))",
            ),
        )
        + rows(
            "lambda x: {0} @@ n(64, 1000)",
            (
                "lax.top_k(x, 5)[1]", "lax.top_k(x, 100)[0]", "jnp.take_along_axis(x, jnp.argsort(x, 1), 1)",
                "x.at[jnp.arange(64), x.argmax(1)].set(0)", "jnp.sort(x, 1)[:, ::-1][:, :50]",
                "vmap(lambda r: jnp.searchsorted(jnp.sort(r), r))(x)",
                "vmap(lambda r: jnp.bincount((abs(r) * 9).astype('int32'), length=40))(x)",
                "vmap(lambda r: jnp.nonzero(r > 1, size=100)[0])(x)",
                "vmap(lambda r: jnp.interp(r, jnp.linspace(-3, 3, 50), r[:50]))(x)",
                "vmap(lambda r: jnp.unique(jnp.round(r), size=8))(x)", "jnp.argsort(jnp.argsort(x, 1), 1)",
                "vmap(jnp.convolve, (0, None))(x, x[0, :9])", "lax.cummax(x, 1)", "jnp.cumsum(x, 1)", "jnp.cumsum(x, 0)",
                "jnp.cumsum(x[:, ::-1], 1)[:, ::-1]", "lax.associative_scan(jnp.add, x, axis=1)",
                "jnp.percentile(x, 50, axis=1, method='nearest')", "jnp.nanpercentile(x, jnp.array([5., 95.]), axis=0)",
                "vmap(lambda r: jnp.histogram(r, 10)[0])(x)",
            ),
        )
        + rows(
            "grad(lambda x: {0}) @@ n(64, 1000)",
            (
                "lax.top_k(x, 5)[0] ** 2", "jnp.sort(x, 1) ** 2", "jnp.median(x, 1) ** 2", "jnp.cumsum(x, 1) ** 2",
                "jnp.cumprod(1 + x / 99, 1)", "lax.cummax(x, 1) ** 2", "jnp.max(x, 1) ** 2", "nn.logsumexp(x, 1) ** 2",
                "lax.cumlogsumexp(x, 1)", "jnp.take_along_axis(x, jnp.argsort(x, 1)[:, :9], 1) ** 2",
                "jnp.quantile(x, 0.9, 1)", "x.std(0) ** 2",
            ),
        )
    )


def arrays():
    return (
        rows(
            "lambda x: {0} @@ n(300, 400)",
            (
                "jnp.gradient(x, axis=1)", "jnp.ediff1d(x)", "jnp.rot90(x, 2)", "jnp.fliplr(x)",
                "jnp.roll(x, (3, 5), (0, 1))", "jnp.tril(x)", "jnp.triu(x, 3)", "jnp.diagonal(x)",
                "jnp.fill_diagonal(x, 0., inplace=False)", "x[jnp.tril_indices(300)]", "jnp.insert(x, 7, 0., 0)",
                "jnp.delete(x, 7, 0)", "jnp.append(x, x, 1)", "jnp.resize(x, (200, 700))", "jnp.hstack([x, x])",
                "jnp.dstack([x, x * 2])", "jnp.column_stack([x[:, 0], x])", "jnp.block([[x, -x], [-x, x]])",
                "jnp.array_split(x, 7)", "jnp.split(x, 4, 1)", "jnp.stack(jnp.meshgrid(x[0], x[:, 0]))",
                "jnp.outer(x[0], x[1])", "jnp.inner(x, x)", "jnp.tensordot(x, x, 2)", "jnp.vdot(x, x)",
                "jnp.kron(x[:20, :20], x[:9, :9])", "jnp.average(x, 0, jnp.arange(300.))", "jnp.nanmax(x, 1)",
                "jnp.nanvar(x, 0)", "jnp.nan_to_num(jnp.log(x))", "jnp.isclose(x, x + 1e-9).all()", "jnp.allclose(x, x)",
                "jnp.unwrap(x, axis=1)", "jnp.modf(x)", "jnp.frexp(x)", "jnp.ldexp(x, 3)", "jnp.nextafter(x, 0.)",
                "jnp.signbit(x)", "jnp.fmod(x, 0.3)", "jnp.divmod(x, 0.3)", "jnp.float_power(abs(x), 1.7)",
                "jnp.logaddexp2(x, x.mean())", "jnp.deg2rad(x) % 6.28", "jnp.angle(x + 1j * x[::-1])", "jnp.trunc(x * 9)",
                "jnp.round(x, 2)", "x[x[:, 0].argsort()]", "x[:, x[0].argsort()]", "x[::3, ::-2]", "x[5:-5, 7:-7] * 2",
                "x.at[::2].add(1)", "x.at[:, 3].set(x[:, 4])", "x.at[10:20, 30:50].mul(2.)", "x.at[x > 0].set(0.)",
                "jnp.where(x > 0, x, 0.1 * x).T", "x.T.reshape(300, 400) + x",
                "x.reshape(3, 100, 400).transpose(1, 0, 2).reshape(300, 400)", "x.ravel('F')", "jnp.tile(x, (2, 3))",
                "jnp.repeat(x, 2, 0)", "jnp.repeat(x[:, 0], jnp.arange(300) % 3, total_repeat_length=299)",
                "jnp.broadcast_to(x[:, :1], (300, 400)) * x", "jnp.pad(x, 5)", "jnp.pad(x, 5, mode='wrap')",
                "jnp.pad(x, ((1, 2), (3, 4)), mode='symmetric')", "jnp.pad(x, 3, mode='edge')",
                "jnp.pad(x, 3, mode='linear_ramp')", "jnp.apply_along_axis(jnp.sort, 1, x)",
                "jnp.vectorize(lambda v, w: v @ w, signature='(k),(k)->()')(x, x[0])", "jnp.linalg.norm(x)",
                "jnp.linalg.norm(x, 1)", "jnp.linalg.norm(x, jnp.inf, axis=1)", "jnp.linalg.norm(x, 3, axis=0)",
                "jnp.prod(x, 1)", "jnp.max(x) - jnp.min(x)", "jnp.argmax(x)", "jnp.unravel_index(jnp.argmax(x), (300, 400))",
                "jnp.ravel_multi_index((jnp.arange(300), jnp.arange(300)), (300, 400), mode='clip')",
                "jnp.count_nonzero(x > 1, 0)", "(x > 0).sum(1)", "jnp.logical_xor(x > 0, x.mean() > 0)",
                "jnp.packbits(x > 0, axis=1)", "x[jnp.ix_(jnp.arange(0, 300, 7), jnp.arange(0, 400, 9))]",
                "jnp.take(x, jnp.arange(700) % 400, axis=1)", "jnp.take(x, jnp.array([1, -1, 999]), axis=0, mode='wrap')",
                "lax.dynamic_slice(x, (x[0, 0].astype('int32'), 3), (200, 300))", "jnp.trace(x @ x.T)",
                "jnp.sum(x, dtype='bfloat16')", "x.astype('bfloat16').sum(0)", "x.sum(where=x > 0)",
                "x.mean(1, keepdims=True) - x", "x.var() + x.std(0)", "jnp.bitwise_count(x.view('uint32'))",
                "x.view('uint16')", "x.view('complex64')", "jnp.iscomplexobj(x) + x", "jnp.interp(x, jnp.sort(x[0]), x[1])",
            ),
        )
        + rows(
            "grad(lambda x: {0}) @@ n(300, 400)",
            (
                "jnp.roll(x, (3, 5), (0, 1)) ** 2", "jnp.tril(x) ** 2", "jnp.prod(x[:, :20], 1)",
                "jnp.linalg.norm(x, 3, axis=0)", "jnp.pad(x, 5, mode='wrap') ** 2", "x.at[10:20].set(0) ** 2",
                "jnp.interp(x, jnp.linspace(-3, 3, 50), jnp.arange(50.) ** 2)", "jnp.repeat(x, 2, 0) ** 2",
                "jnp.gradient(x, axis=1) ** 2", "jnp.where(x > 0, jnp.sqrt(abs(x)), x) ** 2", "x[::3, ::-2] ** 2",
                "jnp.convolve(x[0], x[1]) ** 2", "x.var(0) ** 2", "jnp.take(x, jnp.arange(700) % 400, axis=1) ** 2",
                "jnp.clip(x, -1, 1) ** 2", "lax.dynamic_slice(x, (3, 3), (200, 300)) ** 2", "jnp.tensordot(x, x, 2) ** 2",
                "(x[:, :, None] * x[:, None, :9]) ** 2",
            ),
        )
        + rows(
            "lambda x: {0} @@ i(1000, 100003)",
            (
                "jnp.gcd(x, 36)", "jnp.lcm(x, 6)", "x // 7", "x % 7", "x ** 2 - x", "x * 3 >> 2", "lax.population_count(x)",
                "lax.clz(x)", "x.astype('int8')", "x.astype('float32') / 9", "x.astype('bool').sum()", "jnp.cumsum(x)",
                "x.max() - x", "jnp.bincount(x % 10, length=10)", "jnp.zeros(1000, 'int32').at[x].add(1)",
                "jnp.zeros(1000).at[x].set(1.)", "jnp.divmod(x, 13)", "jnp.floor_divide(x, x | 1)", "x & (x - 1)",
                "jnp.right_shift(x, x % 5)", "jnp.invert(x) ^ 0x55", "nn.one_hot(x[:2000], 1000)",
                "(x[:, None] == jnp.arange(10)).sum(0)", "jnp.mean(x)", "x.astype('uint32') * 2654435761",
                "jnp.left_shift(1, x % 31)", "x.sum(dtype='int32') % 97", "jnp.sign(x - 500) * abs(x - 500)",
                "jnp.argmax(x)", "x[::-1][x % 1000]", "jnp.digitize(x, jnp.array([100, 300, 500]))",
                "lax.reduce(x, 0, lax.bitwise_xor, (0,))", "x.astype('uint8').astype('float16')", "jnp.prod(x % 3 + 1)",
                "jnp.sort(x)[::1000]",
            ),
        )
        + rows(
            "lambda x: {0} @@ n(100, 200, dtype='complex64')",
            (
                "jnp.abs(x)", "jnp.angle(x)", "x * x.conj()", "x @ x.T", "jnp.exp(1j * jnp.abs(x))", "x.sum(0)",
                "x / (1 + x)", "jnp.sqrt(x)", "x ** 3", "x.real @ x.imag.T", "jnp.log(x)", "jnp.prod(x[:, :9], 1)",
                "jnp.linalg.norm(x, axis=1)", "jnp.sin(x)", "x.T.conj()", "jnp.cumsum(x, 1)", "jnp.polyval(x[0, :5], x)",
            ),
        )
        + rows(
            "lambda a: {0} @@ n(80, 80)",
            (
                "jnp.poly(a[0, :8])", "jnp.polyfit(jnp.arange(80.), a[0], 3)", "jnp.polymul(a[0], a[1])",
                "jnp.polyder(a[0])", "jnp.roots(a[0, :6], strip_zeros=False)", "jnp.polydiv(a[0, :40], a[1, :20])[0]",
                "linalg.multi_dot([a, a, a[0]])", "linalg.matrix_rank(a)", "linalg.norm(a, 'nuc')", "linalg.norm(a, 2)",
                "linalg.tensorinv(a.reshape(8, 10, 80), 2)", "linalg.eig(a)[0]", "linalg.svdvals(a)",
                "js.linalg.sqrtm(a @ a.T)", "js.linalg.polar(a)[0]", "js.linalg.schur(a)[0]", "js.linalg.hessenberg(a)",
                "js.linalg.expm(a / 80)", "js.linalg.lu_solve(js.linalg.lu_factor(a), a[0])",
                "js.linalg.cho_factor(a @ a.T + 9 * jnp.eye(80))[0]",
                "js.linalg.eigh_tridiagonal(a[0], a[1, 1:], eigvals_only=True)", "js.linalg.toeplitz(a[0], a[1])",
                "js.linalg.hilbert(80) @ a", "js.linalg.solve(a @ a.T + jnp.eye(80), a[0], assume_a='pos')",
                "js.linalg.solve_triangular(a + 9 * jnp.eye(80), a, trans=1)", "linalg.cross(a[:, :3], a[:, 3:6])",
                "jnp.vander(a[0], 8)", "js.sparse.linalg.gmres(lambda v: a @ v + 20 * v, a[0])[0]",
                "js.sparse.linalg.bicgstab(lambda v: a @ v / 9 + 9 * v, a[0])[0]",
                "js.sparse.linalg.cg(lambda v: a @ (a.T @ v) + v, a[0], maxiter=30)[0]",
                "lax.linalg.qr(a, pivoting=True)[2]", "linalg.slogdet(a)[1]", "linalg.inv(a) @ a",
                "jnp.einsum('ij,jk,kl->il', a, a, a)", "jnp.einsum('ij,ij->', a, a)", "jnp.einsum('ii', a)",
                "jnp.matvec(a, a[0])", "jnp.vecdot(a, a)", "a @ a @ a[0]",
            ),
        )
        + rows(
            "lambda x: js.special.{0} @@ abs(n(10007)) + 0.1",
            (
                "exp1(x)", "expi(x)", "i0e(x)", "i1(x)", "polygamma(1, x)", "gammaincc(x + 1, x)", "betaln(x, x + 1)",
                "gammaln(x)", "gamma(x)", "factorial(jnp.round(x))", "multigammaln(x + 3, 2)", "erfc(x)", "log_softmax(x)",
                "kl_div(x, x + 1)", "rel_entr(x, 2.)", "xlog1py(x, x)", "logsumexp(x)", "spence(x)", "sici(x)[0]",
                "fresnel(x)[0]", "hyp1f1(1., 2., x)", "poch(x, 2.)", "zeta(x + 1.1, 1.)", "softmax(x)", "entr(x)",
                "bessel_jn(x[:500], v=3)", "lpmn_values(4, 4, jnp.tanh(x[:99]), False)", "ndtri(x / 6)", "log_ndtr(-x)",
                "gammasgn(x)", "digamma(x)",
            ),
        )
        + rows(
            "grad(lambda x: js.special.{0}) @@ abs(n(5003)) + 0.1",
            (
                "gammaln(x)", "erf(x)", "erfinv(x / 6)", "i0e(x)", "gammainc(2., x)", "gammainc(x + 1, 2.)",
                "betainc(x, 2., .3)", "log_ndtr(x)", "logsumexp(x)", "xlogy(x, x)", "digamma(x)", "expi(x)", "betaln(x, 2.)",
                "ndtri(x / 6)",
            ),
        )
    )


def types():
    chains = (
        "x * 2 + 1", "jnp.exp(-x * x)", "jnp.where(x > 0, x, x * 0.1)", "(x - x.mean()) / x.std()", "jnp.tanh(x).sum(0)",
        "x.max(1)", "x.T + 1", "jnp.cumsum(x, 1)", "nn.gelu(x)", "nn.softmax(x)", "x @ x.T",
    )
    return (
        rows("lambda x: {0} @@ n(500, 700, dtype='{1}')", chains, ("float32", "bfloat16", "float16"))
        + rows(
            "f64: lambda x: {0} @@ n(300, 400, dtype='float64')",
            chains
            + (
                "jnp.sqrt(abs(x)) / 3", "jnp.sin(x) + jnp.cos(x)", "jnp.arctan2(x, x.T[:300, :300].mean())", "abs(x) ** 1.3",
                "jnp.log1p(abs(x))", "lax.erf(x)", "lax.lgamma(abs(x))", "jnp.floor(x * 9) % 5",
            ),
        )
        + rows(
            "f64: grad(lambda x: {0}) @@ n(300, 400, dtype='float64')",
            ("jnp.tanh(x) ** 2", "nn.softmax(x) ** 2", "jnp.log1p(jnp.exp(x))", "linalg.norm(x, axis=1)", "(x @ x.T) ** 2"),
        )
        + rows(
            "f64: lambda a: {0} @@ definite(0, 60)",
            (
                "linalg.inv(a)", "linalg.eigh(a)[0]", "linalg.svd(a)[1]", "linalg.cholesky(a)", "a @ a",
                "js.linalg.expm(a / 99)",
            ),
        )
        + rows(
            "lambda x: {0} @@ n(1000003)",
            (
                "x * 2 + 1", "jnp.sin(x)", "jnp.sum(x)", "jnp.cumsum(x)", "jnp.exp(x) / jnp.sum(jnp.exp(x))",
                "x[::2] + x[1::2][:500001].sum()", "jnp.where(x > 0, x, 0).mean()", "jnp.diff(x)", "x.astype('float16')",
                "jnp.max(x), jnp.min(x), jnp.argmax(x)", "jnp.roll(x, 1) - x", "x[::-1]", "jnp.linalg.norm(x)",
                "abs(x) ** 0.3", "jnp.histogram(x, 20, (-3, 3))[0]", "jnp.searchsorted(jnp.linspace(-3, 3, 100), x)",
                "jnp.take(jnp.arange(1000.), (abs(x) * 99).astype('int32'))",
                "jnp.zeros(100).at[(abs(x) * 9).astype('int32')].add(x)", "jnp.arctan2(x, jnp.flip(x))",
                "jnp.logaddexp(x, 1.)", "jnp.log(abs(x)) * x", "lax.erf_inv(jnp.tanh(x))", "jnp.packbits(x > 0)",
                "jnp.sort(x)", "lax.top_k(x, 3)[0]",
            ),
        )
        + rows(
            "grad(lambda x: {0}) @@ n(1000003)",
            (
                "jnp.sin(x) * x", "nn.softplus(x)", "jnp.cumsum(x) ** 2", "(x[1:] - x[:-1]) ** 2", "jnp.linalg.norm(x)",
                "jnp.max(x)", "abs(x) ** 1.5",
            ),
        )
        + rows(
            "lambda x, y: {0} @@ n({1}), n({2})", ("x @ y", "jnp.tanh(x @ y)", "(x @ y).sum(0)", "y.T @ x.T"), ("500, 7",),
            ("7, 300",),
        )
        + rows(
            "lambda x, y: {0} @@ n(3000, 20), n(3000, 30)",
            (
                "x.T @ y", "x.T @ jnp.exp(y)", "(x[:, :, None] * y[:, None]).sum(0)", "jnp.einsum('ni,nj->ij', x, y) / 3000",
                "jnp.concatenate([x, y], 1).T", "(x @ x.T[:, :40]) @ y[:40]",
            ),
        )
        + rows(
            "lambda x, y: {0} @@ n(2, 3, 40, 50), n(2, 3, 50, 40)",
            (
                "x @ y", "jnp.einsum('bhij,bhjk->bihk', x, y)", "jnp.einsum('bhij,bgji->hg', x, y)",
                "x.transpose(3, 0, 2, 1) * 2", "x + y.swapaxes(2, 3)",
            ),
        )
        + rows(
            "lambda x: {0} @@ n(16, 64, 65)",
            (
                "x.sum((0, 2))", "x.max(1)", "x.transpose(2, 0, 1)", "nn.softmax(x, 1)", "nn.softmax(x, 0)",
                "jnp.argmax(x, 1)", "x.mean((1, 2), keepdims=True) * x",
                "x.transpose(1, 2, 0).reshape(64, -1) @ x[:, :, 0].reshape(-1)[:1040]", "jnp.cumsum(x, 1)",
                "jnp.flip(x, (0, 2))", "jnp.std(x, 1)", "jnp.var(x, (0, 1))", "lax.reduce_precision(x, 5, 10)",
                "jnp.linalg.norm(x, axis=(1, 2))", "jnp.einsum('bij->bji', x) * x.sum()", "vmap(jnp.diag)(x[:, 0])",
                "vmap(vmap(jnp.dot))(x, x)", "lax.map(lambda v: v @ v.T, x)", "vmap(jnp.cov)(x)", "lax.map(jnp.sort, x)",
            ),
        )
        + rows(
            "lambda x: {0} @@ n(4096)",
            (
                "lax.fori_loop(0, 100, lambda k, v: v * 0.99 + 0.01 * jnp.sin(v), x)",
                "lax.scan(lambda c, _: (jnp.roll(c, 1) * 0.9, c.sum()), x, None, length=50)",
                "lax.map(lambda v: jnp.where(v > 0, jnp.exp(v), v * v), x)",
                "lax.while_loop(lambda v: (abs(v) > 1e-3).any(), lambda v: v * 0.5, x)",
                "vmap(lambda v: lax.fori_loop(0, 10, lambda k, s: s * v + 1, v))(x)",
                (
                    "vmap(lambda v: lax.while_loop(lambda s: s[0] ** 2 > v * v + 1, lambda s: (s[0] * 0.9, s[1] + 1), (9., "
                    "0))[1])(x)"
                ),
                "vmap(lambda v: lax.cond(v > 0, lambda v: jnp.exp(v), lambda v: v * v, v))(x)",
                "lax.cond(x[0] > 0, lambda v: v.sum(), lambda v: v.max(), x)",
                "lax.switch(jnp.int32(x[0] > 0), [jnp.sin, jnp.cos], x)",
                "lax.fori_loop(0, 64, lambda k, v: v.at[k].set(v[k - 1] + v[k]), x)",
                "lax.reduce(x, -jnp.inf, lambda a, b: jnp.logaddexp(a, b), (0,))",
                "lax.associative_scan(lambda a, b: jnp.minimum(a, b), x, reverse=True)",
                "lax.scan(lambda c, v: (c + v, c * v), 0., x.reshape(64, 64).sum(1))[1]",
                "lax.scan(lambda c, r: (jnp.tanh(c + r), c), x[:64], x.reshape(64, 64))[1]",
                "jax.jacfwd(lambda v: v[:16] ** 2 * v[:16].sum())(x[:64])",
                "jax.hessian(lambda v: (jnp.diff(v) ** 4).sum())(x[:40])", "jax.linearize(jnp.sin, x)[1](x)",
                "jax.vjp(lambda v: jnp.outer(v[:64], v[:64]), x)[1](x.reshape(64, 64))",
            ),
        )
    )


def scatters():
    return (
        rows(
            "lambda x, j, u: {0} @@ n(1000, 64), i(1000, 3000), n(3000, 64)",
            (
                "x[j]", "x.at[j].add(u)", "x.at[j].set(u)", "x.at[j].max(u)", "x.at[j].mul(u)", "x[j] * u",
                "(x[j] * u).sum(1)", "jax.ops.segment_sum(u, j, 1000)", "jax.ops.segment_max(u, j, 1000)",
                "jax.ops.segment_sum(u, j // 10, 100)", "x.at[j, j % 64].add(1.)", "x[j, j % 64]", "x[:, j % 64]",
                "x.at[:, j[:99] % 64].add(1.)", "x.at[j].get(mode='fill', fill_value=0.)",
                "x.at[j[:500]].set(0.).at[j[500:900]].add(1.)",
                "jnp.take_along_axis(x, (j[:1000, None] + jnp.arange(9)) % 64, 1)",
                "jnp.put_along_axis(x, j[:1000, None] % 64, 0., 1, inplace=False)",
                "jax.ops.segment_sum(u.astype('bfloat16'), j, 1000)",
                "jnp.zeros((1000, 64), 'bfloat16').at[j].add(u.astype('bfloat16'))",
                "vmap(lambda r, k: r[k])(x, j[:1000] % 64)",
                "vmap(lambda r, k: lax.dynamic_slice(r, (k,), (8,)))(x, j[:1000] % 56)",
                "vmap(lambda r, k: lax.dynamic_update_slice(r, jnp.zeros(8), (k,)))(x, j[:1000] % 56)",
                "lax.scan(lambda c, t: (c.at[t[0]].add(t[1]), c[t[0], 0]), x, (j[:200], u[:200]))[1]",
                "jax.ops.segment_min(u[:, 0], j, 1000)", "jax.ops.segment_prod(u, j, 1000)", "x[j][:, j[:50] % 64]",
                "jnp.mean(x[j.reshape(300, 10)], 1)", "x.T[:, j]", "x.reshape(10, 100, 64)[j % 10, j % 100]",
            ),
        )
        + rows(
            "grad(lambda x, j, u: {0}) @@ n(1000, 64), i(1000, 3000), n(3000, 64)",
            (
                "x[j] ** 2", "x[j] * u", "x.at[j].add(u) ** 2", "x.at[j].set(u) ** 2", "x[:, j % 64] ** 2",
                "x[j, j % 64] ** 2", "jax.ops.segment_max(x[j], j, 1000)", "jnp.mean(x[j.reshape(300, 10)], 1) ** 2",
                "vmap(lambda r, k: lax.dynamic_slice(r, (k,), (8,)))(x, j[:1000] % 56) ** 2",
                "jnp.take_along_axis(x, (j[:1000, None] + jnp.arange(9)) % 64, 1) ** 2",
            ),
        )
        + rows(
            "lambda u, j: {0} @@ n(200003), i(5000, 200003)",
            (
                "jnp.zeros(5000).at[j].add(u)", "jnp.bincount(j, length=5000)", "jax.ops.segment_sum(u, jnp.sort(j), 5000)",
                "jax.ops.segment_max(u, j, 5000)", "u[j]", "jnp.zeros(5000).at[j].set(u)",
                "jnp.zeros((5000, 2)).at[j].add(jnp.stack([u, u * u], 1))", "u.at[j].set(0.)",
                "jnp.histogram2d(u[:20000], u[1:20001], 20)[0]", "jnp.zeros(5000).at[j].max(u)",
                "jnp.zeros((70, 80)).at[j % 70, j % 80].add(u)",
            ),
        )
    )


PARTS = (sorting, arrays, types, scatters)
