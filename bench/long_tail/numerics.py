"""numerics.py: snippets of the long tail that were written before any of them was measured, part two: integers, dynamic
programming, control, geometry, equations, signals; functions of jax.scipy, jax.random, jax.numpy; sparse arrays, odd types and
sizes. PARTS are functions that return names of snippets."""
from snippets import each, rows


def bits():
    return (
        each(("murmur", "xorshift", "lambda x: bit_reverse(x.astype('uint32'))", "bloom"), "i(1 << 30, 10007)")
        + each(("fnv", "crc32"), "i(256, 500, 40)")
        + each(("chacha",), "i(1 << 30, 16, 501).astype('uint32')")
        + each(("sha_schedule",), "i(1 << 30, 999, 16).astype('uint32')")
        + each(
            (
                "morton", "gcd", "lambda a, b: a // (b + 1) * b + a % (b + 1)",
                "lambda a, b: modular_power(a % 1000, b % 64, 997)",
            ),
            "i(65536, 5003), i(60000, 5003)",
        )
        + each(("collatz",), "i(9999, 1001) + 1")
        + each(("lambda x: sieve() * x",), "i(9, 1)")
        + each(("hamming_matrix", "lambda a, b: lax.top_k(-hamming_matrix(a, b), 5)"), "i(1 << 30, 101, 8), i(1 << 30, 203, 8)")
        + each(
            (
                "lambda x: lax.clz(x).sum()", "lambda x: jnp.bitwise_count(x)", "lambda x: x & -x",
                "lambda x: jnp.bitwise_or.reduce(x)", "lambda x: x.astype('uint32') * jnp.uint32(2654435761) >> 7",
                "lambda x: jnp.cumsum(x.astype('uint8'))", "lambda x: lax.associative_scan(jnp.bitwise_xor, x)",
                "lambda x: jnp.gcd(x, 360) + jnp.lcm(x % 50 + 1, 12)", "lambda x: (x[:, None] >> jnp.arange(32) & 1).sum(0)",
                "lambda x: x.astype('uint16') * x.astype('uint16')", "lambda x: jnp.divmod(x, 7)",
                "lambda x: (x // 86400 % 7, x // 3600 % 24)",
                "lambda x: jnp.sqrt(x.astype('float32')).astype('int32') ** 2 == x",
                "lambda x: x % 10 + x // 10 % 10 + x // 100 % 10", "lambda x: jnp.mod(-x, 13)",
                "lambda x: lax.shift_right_logical(x, 3) | x << 29", "lambda x: jnp.invert(x) // 3",
                "lambda x: (x % 2 == 0) & (x % 3 == 0) | (x % 5 == 0)", "lambda x: jnp.sign(x - 500) * abs(x - 77)",
                "lambda x: jnp.power(x % 9, 5)",
            ),
            "i(1 << 30, 20011)",
        )
        + rows(
            "f64: lambda x: {0} @@ i(1 << 30, 20011).astype('int64') * 1000",
            ("x // 7", "x % 1009", "x * x ^ x >> 13", "x.sum() - x.max()", "jnp.cumsum(x)[::2]"),
        )
    )


def programming():
    return (
        each(("smith_waterman", "longest_common"), "i(4, 150), i(4, 171)")
        + each(("lambda a, b: vmap(smith_waterman)(a, b)", "vmap(longest_common)"), "i(4, 10, 60), i(4, 10, 71)")
        + each(("knapsack",), "i(50, 100) + 1, abs(n(100))")
        + each(("nussinov",), "1. * (n(48, 48) > 1)")
        + each(("bellman_ford",), "abs(n(2000)), i(300, 2000), i(300, 2000)[::-1]")
        + each(("label_components",), "i(500, 600), i(500, 600)[::-1]")
        + each(("hungarian_greedy", "auction"), "n(40, 40)")
        + each(("riccati",), "n(6, 6, scale=.3), n(6, 2), jnp.eye(6), jnp.eye(2)")
        + each(
            ("ilqr_rollout", "grad(ilqr_rollout, 1)", "jax.jacfwd(lambda x, *a: ilqr_rollout(x, *a)[-1])"),
            "n(6), n(50, 2), n(6, 6), n(6, 2)",
        )
        + each(("path_integral",), "key, n(4), n(25, 2)")
        + each(("extended_kalman",), "jnp.ones(4), jnp.eye(4), n(50, 2)")
        + each(("lambda x, p, y: vmap(lambda y: extended_kalman(x, p, y))(y)",), "jnp.ones(4), jnp.eye(4), n(64, 20, 2)")
        + each(("lambda m, c: unscented(m, c, lambda x: jnp.sin(x) * x[::-1])",), "n(9), definite(0, 9)")
        + each(("admm_lasso",), "n(100, 40), n(100)")
        + each(("frank_wolfe",), "definite(0, 50), n(50)")
        + each(("simplex_projection", "grad(lambda v: simplex_projection(v) ** 2)"), "n(50, 101)")
        + each(("vmap(newton_rosenbrock)",), "n(8, 10)")
        + each(
            (
                "newton_rosenbrock",
                (
                    "lambda x: __import__('jax.scipy.optimize').scipy.optimize.minimize(lambda x: ((x - 1) ** 4).sum() + "
                    "(x[1:] * x[:-1]).sum(), x, method='BFGS').x"
                ),
            ),
            "n(10)",
        )
        + each(
            (
                "vmap(se3_exp)", "vmap(jax.jacfwd(se3_exp))", "lambda x: vmap(so3_log)(vmap(se3_exp)(x)[:, :3, :3])",
                "lambda x: lax.associative_scan(jnp.matmul, vmap(se3_exp)(x))",
            ),
            "n(777, 6)",
        )
        + each(
            ("lambda p, q: slerp(p, q, .3)", "lambda p, q: slerp(p, q, jnp.linspace(0, 1, 9)[:, None, None])"),
            "nn.standardize(n(500, 4)) / 2, nn.standardize(n(500, 4, seed=1)) / 2",
        )
        + each(("ray_triangles",), "n(200, 3), n(200, 3, seed=1), n(100, 3), n(100, 3, seed=2), n(100, 3, seed=3)")
        + each(("sphere_trace",), "n(500, 3) + 5, nn.standardize(n(500, 3, seed=1))")
        + each(("inside_polygon",), "n(3000, 2), n(31, 2)")
        + each(("haversine", "lambda a, b: haversine(a, b).argmin(1)"), "n(200, 2) * 30, n(300, 2) * 30")
        + each(("mesh_normals", "grad(mesh_normals)"), "n(1000, 3), i(1000, 1900, 3)")
        + each(("articulated",), "n(7), n(7), n(7)")
        + each(("vmap(partial(articulated, steps=3))",), "n(16, 5), n(16, 5), n(16, 5)")
        + each(("contact_solver",), "n(12, 9), definite(0, 9), n(9)")
        + each(("vmap(partial(contact_solver, steps=5))",), "n(64, 8, 6), definite(64, 6), n(64, 6)")
        + each(("cloth", "grad(lambda x, v: cloth(x, v, 3)[0])"), "n(20, 21, 3), n(20, 21, 3)")
        + each(("boids",), "n(200, 2), n(200, 2)")
    )


def fields():
    return (
        each(("heat_implicit",), "n(501)")
        + each(("thomas",), "n(100, 64), 4 + abs(n(100, 64)), n(100, 64), n(100, 64)")
        + each(("godunov",), "abs(n(2, 1001)) + 1")
        + each(("weno5", "lambda u: lax.fori_loop(0, 10, lambda _, u: weno5(u), u)", "grad(weno5)"), "n(1001)", "n(65, 129)")
        + each(("multigrid",), "n(512), n(512)")
        + each(("schroedinger",), "n(500, dtype='complex64'), n(500)")
        + each(("particle_mesh",), "abs(n(2000, 2)) % 1")
        + each(("heston", "lambda k: jnp.exp(jnp.cumsum(random.normal(k, (365, 300)) * .01, 0)).max(0).mean()"), "key")
        + each(("longstaff_schwartz",), "jnp.exp(n(20, 1001) * .1)")
        + each(("goertzel", "grad(goertzel)"), "n(800), jnp.arange(17.)")
        + each(("levinson",), "jnp.exp(-jnp.arange(25.) / 5)")
        + each(("griffin_lim",), "abs(n(129, 60))")
        + each(("haar", "walsh", "grad(lambda x: haar(x) ** 3)", "grad(lambda x: walsh(x) ** 2)"), "n(33, 256)", "n(8192)")
        + each(
            (
                "cosine_blocks", "sobel_edges", "bilateral", "otsu",
                "lambda x: warp_affine(x, jnp.array([[.9, .1, 3.], [-.1, .9, 2.]]))", "grad(lambda x: bilateral(x) ** 2)",
            ),
            "abs(n(120, 136))",
        )
        + each(
            (
                "equalize", "lambda x: erode(x > 128)", "lambda x: jnp.bincount(x.reshape(-1), length=256)",
                "lambda x: 255 - x", "lambda x: (x.astype('float32') / 255 - .5) / .25",
                "lambda x: jnp.repeat(x[..., None], 3, -1)",
            ),
            "i(256, 240, 321).astype('uint8')",
        )
        + each(
            (
                "lambda x: jax.scipy.signal.stft(x, nperseg=256)[2]", "lambda x: js.signal.welch(x, nperseg=256)[1]",
                "lambda x: js.signal.istft(js.signal.stft(x, nperseg=128)[2], nperseg=128)[1]",
                "lambda x: js.signal.detrend(x)", "lambda x: js.signal.correlate(x, x[:100], mode='valid')",
                "lambda x: js.signal.fftconvolve(x, x[:501], mode='same')",
                "lambda x: fft.ifft(fft.fft(x) * jnp.where(jnp.arange(8080) < 4040, 2, 0))",
                "lambda x: abs(fft.rfft(x.reshape(80, 101) * jnp.hamming(101))) ** 2", "lambda x: fft.fftshift(fft.fft(x))",
                "lambda x: fft.hfft(x[:1000])", "lambda x: js.fft.dct(x.reshape(80, 101), axis=1)",
                "lambda x: js.fft.idctn(x.reshape(80, 101))",
                "lambda x: fft.ifft(fft.fft(x, 16384) * fft.fft(x[::-1], 16384))[:8080].real",
                "grad(lambda x: abs(fft.rfft(x)) ** 2)", "lambda x: fft.rfftn(x.reshape(8, 10, 101))",
                "lambda x: jnp.unwrap(x)", "lambda x: jnp.log10(jnp.maximum(x * x, 1e-10)) * 10",
                "lambda x: jnp.sign(x) * jnp.log1p(255 * abs(x)) / jnp.log(256.)",
                "lambda x: jnp.where(jnp.diff(jnp.signbit(x)), 1, 0)[:8000].reshape(8, 1000).mean(1)",
                "lambda x: x[1:] - .97 * x[:-1]", "lambda x: jnp.convolve(x, jnp.ones(9) / 9, mode='same')",
                "lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (15,), (1,), 'SAME')",
            ),
            "n(8080)",
        )
    )


def library_of_science():
    special = (
        "expit", "logit", "xlogy", "xlog1py", "entr", "rel_entr", "kl_div", "zeta", "betaln", "betainc", "gammainc",
        "gammaincc", "polygamma", "multigammaln", "i0", "i0e", "i1", "i1e", "log_ndtr", "ndtr", "ndtri", "erfinv", "erfcx",
        "expn", "exp1", "expi", "spence", "bernoulli", "factorial", "gammaln", "gammasgn", "hyp1f1", "poch", "softmax",
        "log_softmax", "sici", "fresnel", "boxcox1p",
    )
    calls = {
        "xlogy": "(x, x + 1)", "xlog1py": "(x, x)", "rel_entr": "(x, x + 1)", "kl_div": "(x, x + 1)",
        "zeta": "(x + 1.5, x + 1)", "betaln": "(x, x + 1)", "betainc": "(x, x + 1, x % 1)", "gammainc": "(x, x + .3)",
        "gammaincc": "(x, x + .3)", "polygamma": "(1, x)", "multigammaln": "(x + 2, 3)", "logit": "(x % 1)", "ndtri": "(x % 1)",
        "erfinv": "(x % 1)", "expn": "(2, x)", "bernoulli": "(20)[:9] * x[0]", "hyp1f1": "(1.5, 2.5, x)", "poch": "(x, 2.5)",
        "softmax": "(x)", "log_softmax": "(x)", "boxcox1p": "(x, .3)",
    }
    smooth = ("log_ndtr", "gammaln", "expit", "i0e", "ndtri", "xlogy", "betaln", "entr", "spence", "gammainc")
    distributions = (
        "norm.logpdf(x)", "norm.cdf(x)", "norm.logsf(x)", "norm.ppf(x % 1)", "t.logpdf(x, 3.)", "gamma.logpdf(x, 2.)",
        "beta.logpdf(x % 1, 2., 3.)", "poisson.logpmf(jnp.floor(x * 5), 3.)", "cauchy.cdf(x)", "laplace.logpdf(x)",
        "logistic.cdf(x)", "expon.logpdf(x)", "bernoulli.logpmf(x > 1, .3)", "binom.logpmf(jnp.floor(x * 3), 20, .3)",
        "chi2.logpdf(x, 4.)", "uniform.pdf(x)", "truncnorm.logpdf(x, 0., 3.)", "vonmises.logpdf(x, 2.)",
        "pareto.logpdf(x + 1, 2.)", "nbinom.logpmf(jnp.floor(x * 3), 5, .3)", "geom.logpmf(jnp.ceil(x), .3)",
        "betabinom.logpmf(jnp.floor(x), 9, 2., 3.)", "gumbel_r.logpdf(x)", "wrapcauchy.logpdf(x, .5)",
        "dirichlet.logpdf(nn.softmax(x[:50]), jnp.ones(50))",
        "multivariate_normal.logpdf(x[:2000].reshape(200, 10), jnp.zeros(10), jnp.eye(10) * 2)",
        "gaussian_kde(x[:200])(x[:300])", "mode(jnp.floor(x * 9)).mode", "sem(x)",
    )
    return (
        [f"lambda x: js.special.{name}{calls.get(name, '(x)')} @@ abs(n(5003)) + .01" for name in special]
        + [f"grad(lambda x: js.special.{name}{calls.get(name, '(x)')}) @@ abs(n(5003)) + .01" for name in smooth]
        + rows("lambda x: js.stats.{0} @@ abs(n(5003)) + .01", distributions)
        + rows(
            "f64: lambda x: js.special.{0}(x) @@ abs(n(2003, dtype='float64')) + .01",
            ("gammaln", "erf", "ndtri", "i1e", "digamma"),
        )
        + each(
            (
                "lambda x: js.ndimage.map_coordinates(x, [x * 3 + 20, x * 3 + 20], order=1)",
                "lambda x: js.ndimage.map_coordinates(x, [x + 20, x + 20], order=0, mode='wrap')",
                (
                    "lambda x: js.interpolate.RegularGridInterpolator((jnp.arange(60.), jnp.arange(70.)), x)(abs(x[:40, :2] * "
                    "10) + 5)"
                ),
                "lambda x: js.integrate.trapezoid(x, dx=.1)",
                (
                    "lambda x: __import__('jax.scipy.spatial.transform').scipy.spatial.transform.Rotation.from_rotvec(x[:, "
                    ":3]).as_matrix()"
                ),
                (
                    "lambda x: __import__('jax.scipy.spatial.transform').scipy.spatial.transform.Rotation.from_euler('xyz', "
                    "x[:, :3]).as_quat()"
                ),
                "lambda x: js.cluster.vq.vq(x, x[:9])", "lambda x: js.linalg.expm(x[:8, :8])",
                "lambda x: js.linalg.block_diag(x, x.T, x[:5])", "lambda x: js.linalg.toeplitz(x[0], x[1])",
                "lambda x: js.linalg.hilbert(30) @ x[:30]", "lambda x: js.linalg.polar(x[:20, :20])[0]",
                "lambda x: js.linalg.solve_triangular(x[:60, :60] + 20 * jnp.eye(60), x)",
                "lambda x: js.linalg.sqrtm(x[:6, :6] @ x[:6, :6].T)",
                "lambda x: js.sparse.linalg.cg(lambda v: x.T @ (x @ v) + v, x[0])[0]",
                "lambda x: js.sparse.linalg.gmres(lambda v: x.T @ (x @ v) + 9 * v, x[0])[0]",
                "lambda x: js.sparse.linalg.bicgstab(lambda v: x.T @ (x @ v) + 9 * v, x[0])[0]",
            ),
            "n(60, 70)",
        )
    )


def random_numbers():
    return (
        rows(
            "lambda k: random.{0} @@ key",
            (
                "ball(k, 3, shape=(999,))", "beta(k, 2., 3., (999,))", "double_sided_maxwell(k, 0., 1., (999,))",
                "f(k, 3., 5., (999,))", "t(k, 4., (999,))", "rademacher(k, (5003,))", "orthogonal(k, 24)",
                "laplace(k, (5003,))", "exponential(k, (3, 70001))", "normal(k, (4099,), 'complex64')",
                "randint(k, (5003,), -10, 1000)", "uniform(k, (9,), minval=2, maxval=3)",
                "categorical(k, jnp.zeros((50, 300)))", "choice(k, jnp.arange(999.), (50, 7))", "permutation(k, 5003)",
                "permutation(k, jnp.arange(400.).reshape(20, 20), axis=1, independent=True)",
                "gamma(k, jnp.linspace(.1, 9, 999))", "poisson(k, jnp.linspace(.1, 90, 999))",
                "binomial(k, 10, jnp.linspace(.1, .9, 999))", "split(k, 5003)", "clone(k)",
                "multivariate_normal(k, jnp.zeros((50, 4)), jnp.eye(4), (50,))", "logistic(k, (37, 53))",
                "normal(k, (1000003,))", "bernoulli(k, jnp.linspace(0, 1, 70001))", "bits(k, (70001,), 'uint16')",
                "truncated_normal(k, -1., 1., (7,))", "cauchy(k, (70001,))", "randint(k, (64, 999), 0, 255, 'uint8')",
            ),
        )
        + rows("f64: lambda k: random.{0}(k, (5003,), 'float64') @@ key", ("normal", "uniform", "exponential", "gumbel"))
        + each(
            (
                "lambda k: jnp.where(random.bernoulli(k, .9, (200, 301)), n(200, 301) / .9, 0)",
                (
                    "lambda k: lax.scan(lambda k, _: (lambda a, b: (a, random.normal(b, (3,))))(*random.split(k)), k, None, "
                    "100)[1]"
                ),
                "lambda k: vmap(lambda k: random.permutation(k, 50))(random.split(k, 64))",
                "lambda k: vmap(lambda k: random.choice(k, 100, (5,), replace=False))(random.split(k, 64))",
                "lambda k: vmap(lambda k: random.gamma(k, 2.))(random.split(k, 300))",
                (
                    "lambda k: lax.while_loop(lambda s: s[1] < 50, lambda s: (random.fold_in(s[0], 1), s[1] + "
                    "random.uniform(s[0])), (k, 0.))[1]"
                ),
                "lambda k: random.normal(random.key(3, impl='rbg'), (70001,))",
                "lambda k: random.uniform(random.key(7, impl='unsafe_rbg'), (300, 301))",
                "lambda k: jnp.sort(random.uniform(k, (1000, 3)), 1)",
            ),
            "key",
        )
    )


def algebra_and_sparse():
    return (
        each(
            (
                "linalg.inv", "linalg.det", "linalg.slogdet", "vmap(linalg.qr)", "lambda a: linalg.svd(a, compute_uv=False)",
                "linalg.pinv", "lambda a: linalg.matrix_power(a, 5)", "linalg.eigh", "lambda a: linalg.solve(a, a[:, :, :1])",
                "grad(linalg.inv)", "grad(lambda a: linalg.slogdet(a)[1])", "linalg.cond",
                "lambda a: linalg.matrix_norm(a, ord=2)", "lambda a: linalg.cholesky(a @ a.mT + jnp.eye(5))",
                "lambda a: js.linalg.lu(a[0])", "grad(lambda a: linalg.svd(a, compute_uv=False) ** 3)", "lambda a: a - a.mT",
                "lambda a: jnp.trace(a @ a, axis1=1, axis2=2)", "lambda a: js.linalg.expm(a[:20])",
                "lambda a: linalg.cross(a[:, 0, :3], a[:, 1, :3])",
            ),
            "definite(200, 5)",
        )
        + each(
            (
                "linalg.inv", "lambda a: linalg.solve(a, a[:, 0])", "linalg.cholesky",
                "lambda a: linalg.lstsq(a[:, :20], a[0])[0]", "grad(linalg.cholesky)",
                "lambda a: js.linalg.cho_solve(js.linalg.cho_factor(a), a[0])", "lambda a: linalg.eigvals(a)",
                "lambda a: js.linalg.lu_solve(js.linalg.lu_factor(a), a)", "lambda a: linalg.multi_dot([a, a[:, :3], a[:3]])",
                "lambda a: linalg.norm(a, 'nuc')", "lambda a: js.linalg.schur(a)[0]",
                "lambda a: linalg.tensorsolve(a.reshape(9, 9, 9, 9), a[0].reshape(9, 9))", "lambda a: lax.linalg.qdwh(a)[0]",
                "lambda a: lax.fori_loop(0, 50, lambda _, v: (lambda w: w / linalg.norm(w))(a @ v), a[0])",
                "lambda a: lax.fori_loop(0, 20, lambda _, x: x @ (2 * jnp.eye(81) - a @ x), a.T / linalg.norm(a) ** 2)",
                "lambda a: lax.scan(lambda q, _: (linalg.qr(a @ q)[0], None), a[:, :5], None, 10)[0]",
            ),
            "definite(0, 81)",
        )
        + rows(
            "lambda a, b: {0} @@ n(7, 9, 31, dtype='complex64'), n(7, 31, 9, dtype='complex64')",
            (
                "a @ b", "linalg.inv(a @ b)", "jnp.conj(a) * b.mT", "abs(a).sum(-1)", "jnp.angle(a)",
                "linalg.eigvalsh(a @ a.mT.conj())", "jnp.exp(1j * a.real)", "a / b.mT", "a ** 2.5", "jnp.log(a)",
                "jnp.arcsin(a)", "(a * a.conj()).real", "jnp.where(a.real > 0, a, 0)",
            ),
        )
        + rows(
            "lambda a, x: {0} @@ n(200, 300) * (n(200, 300, seed=1) > 1.5), n(300, 7)",
            (
                "sparse.BCOO.fromdense(a, nse=5000) @ x", "sparse.BCOO.fromdense(a, nse=5000).T @ x[:200]",
                "sparse.BCSR.fromdense(a, nse=5000) @ x", "sparse.COO.fromdense(a, nse=5000) @ x",
                "sparse.CSR.fromdense(a, nse=5000) @ x[:, 0]", "sparse.BCOO.fromdense(a, nse=5000).sum(1).todense()",
                "(2 * sparse.BCOO.fromdense(a, nse=5000)).todense()",
                "sparse.sparsify(lambda s: s * a)(sparse.BCOO.fromdense(a, nse=5000)).todense()",
                "sparse.bcoo_reduce_sum(sparse.BCOO.fromdense(a, nse=5000), axes=(0,)).todense()",
                "sparse.BCOO.fromdense(a, nse=5000).sort_indices().indices",
                "sparse.BCOO.fromdense(a.reshape(20, 10, 300), n_batch=1, nse=600).todense()",
                "sparse.bcoo_dot_general(sparse.BCOO.fromdense(a, nse=5000), x, dimension_numbers=(((1,), (0,)), ((), ())))",
                "sparse.empty((9, 9)).todense() + x[:9, :1]",
                "sparse.bcoo_concatenate([sparse.BCOO.fromdense(a, nse=5000)] * 2, dimension=0).todense()",
                "jax.grad(lambda v: (sparse.BCOO.fromdense(a, nse=5000) @ v).sum())(x)",
            ),
        )
        + each(
            (
                "lambda v, j, x: jnp.zeros((500, 16)).at[j[0]].add(v[:, None] * x[j[1]])",
                "lambda v, j, x: jax.ops.segment_sum(v[:, None] * x[j[1]], j[0], 500)",
                "lambda v, j, x: jax.ops.segment_prod(v, j[0], 500)", "lambda v, j, x: jax.ops.segment_min(x[j[1]], j[0], 500)",
                "grad(lambda v, j, x: jax.ops.segment_max(v[:, None] * x[j[1]], j[0], 500))",
            ),
            "n(4000), i(500, 2, 4000), n(500, 16)",
        )
    )


def transformations():
    return (
        rows(
            "{0}(lambda x: (jnp.sin(x) * jnp.roll(x, 1)).sum() + jnp.prod(x[:3])) @@ n(33)",
            ("jax.hessian", "jax.value_and_grad"),
        )
        + rows(
            "lambda x: {0} @@ n(50, 20)",
            (
                "jax.jvp(jnp.tanh, (x,), (x,))", "vmap(lambda r: jax.hessian(lambda v: jnp.exp(v[:4]).prod())(r))(x)",
                "vmap(jax.grad(lambda r: nn.logsumexp(r)))(x)", "jax.linearize(jnp.sin, x)[1](x)",
                "jax.vjp(jnp.cumsum, x)[1](jnp.ones(1000))", "vmap(jax.jacrev(nn.softmax))(x)",
                "jax.checkpoint(lambda x: jnp.sin(jnp.cos(x)))(x)",
                "vmap(vmap(lambda v: lax.cond(v > 0, jnp.sin, jnp.cos, v)))(x)",
                "vmap(lambda r: lax.switch((r[0] > 0).astype('int32'), [jnp.sort, jnp.cumsum], r))(x)",
                "vmap(lambda r: lax.fori_loop(0, 5, lambda k, r: r * .5 + r.sum(), r))(x)",
                "vmap(lambda r: lax.while_loop(lambda v: v.sum() < 100, lambda v: v * 2 + 1, abs(r)))(x)",
                "lax.map(lambda r: jnp.sort(r)[::-1], x)", "lax.map(jnp.sin, x, batch_size=8)",
                "lax.scan(lambda c, r: (c * .9 + r, c.max()), x[0], x)",
                "jax.grad(lambda x: lax.scan(lambda c, r: (jnp.tanh(c + r), c), x[0], x)[1].sum())(x)",
                "vmap(lambda r, j: lax.dynamic_slice(r, (j,), (5,)))(x, jnp.arange(50) % 15)",
                "vmap(lambda r, j: r.at[j].set(0))(x, jnp.arange(50) % 20)", "vmap(jnp.outer)(x, x)",
                "vmap(jnp.convolve, (0, None))(x, x[0, :5])", "vmap(jnp.interp, (0, None, None))(x, jnp.arange(20.), x[0])",
                "vmap(lambda r: jnp.histogram(r)[0])(x)", "vmap(lambda r: jnp.polyfit(jnp.arange(20.), r, 2))(x)",
                "vmap(lambda r: jnp.polyval(r[:5], r))(x)", "vmap(lambda r: jnp.unique(r, size=20))(x)",
                "vmap(lambda r: jnp.roll(r, 3))(x)", "vmap(lambda r: jnp.correlate(r, r, 'same'))(x)",
                "jax.jacfwd(lambda v: jnp.linalg.solve(v.reshape(20, 20) + 9 * jnp.eye(20), v[:20]))(x[:20].reshape(-1))",
                (
                    "lax.custom_root(lambda v: v ** 3 - x, x, lambda f, v: lax.fori_loop(0, 20, lambda _, v: v - f(v) / (3 * v "
                    "* v + 1e-3), v), lambda g, y: y / g(jnp.ones_like(y)))"
                ),
                "jnp.vectorize(lambda a, b: a @ b, signature='(n),(n)->()')(x, x[0])",
                "jnp.apply_over_axes(jnp.sum, x, [0, 1])", "jnp.piecewise(x, [x < -1, x > 1], [lambda v: -v, jnp.sqrt, 0.])",
                "jnp.select([x < -1, x > 1], [x * 2, x * 3], 7.)", "jnp.choose((x > 0).astype('int32'), [x, -x], mode='clip')",
                "jnp.block([[x, x], [x, x * 2]])", "jnp.tril(x) + jnp.triu(x, 2)", "jnp.rot90(x, 3)", "jnp.flip(x, (0, 1))",
                "jnp.fill_diagonal(x, 0, inplace=False)",
            ),
        )
        + rows(
            "lambda x, y: {0} @@ n({1}), n({1}, seed=1)",
            (
                "jnp.fmax(x, y) - jnp.fmin(x, y)", "jnp.float_power(abs(x), y)", "jnp.logaddexp2(x, y)",
                "jnp.nan_to_num(x / (y > 0)).sum()", "jnp.allclose(x, y)", "jnp.array_equal(x, y)", "jnp.cov(x, y)",
                "jnp.average(x, weights=abs(y))", "jnp.lexsort((x, y))",
                "jnp.cross(x[:999].reshape(-1, 3), y[:999].reshape(-1, 3))", "lax.complex(x, y).sum()",
                "jnp.ldexp(x, (y * 3).astype('int32'))", "jnp.sum(x * y, dtype='float16')", "jnp.argmax(jnp.stack([x, y]), 0)",
                "(x[:, None] < y[:100]).sum(0)",
            ),
            ("1001", "70001"),
        )
    )


PARTS = (bits, programming, fields, library_of_science, random_numbers, algebra_and_sparse, transformations)
