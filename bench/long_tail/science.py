"""science.py: snippets of the long tail from methods: differential equations, simulation, sampling, rigid bodies,
statistics, finance, images, sound. PARTS are functions that return names of snippets."""
from snippets import each, rows


def equations():
    return (
        each(
            ("lambda y: runge_kutta(lorenz, y, 0.01, 100)", "lambda y: runge_kutta(lambda y: -y, y, 0.01, 100)"), "n(3)",
            "n(3, 1000)",
        )
        + each(
            ("vmap(lambda y: runge_kutta(lorenz, y, 0.01, 100))", "vmap(grad(lambda y: runge_kutta(lorenz, y, 0.01, 5)))"),
            "n(200, 3)",
        )
        + each(
            (
                (
                    "lambda y: ode.odeint(lambda y, t: jnp.stack([y[1], 3 * (1 - y[0] ** 2) * y[1] - y[0]]), y, "
                    "jnp.linspace(0., 5., 20))"
                ),
                "grad(lambda y: ode.odeint(lambda y, t: jnp.stack([y[1], -jnp.sin(y[0])]), y, jnp.linspace(0., 2., 5)))",
            ),
            "n(2)",
        )
        + each(
            ("lambda w, y: ode.odeint(lambda y, t: jnp.tanh(w @ y), y, jnp.linspace(0., 1., 5))",),
            "n(32, 32, scale=0.2), n(32)",
        )
        + each(
            (
                (
                    "lambda k, y: lax.scan(lambda y, k: (y - 0.1 * y + 0.1 * random.normal(k, y.shape), y.mean()), y, "
                    "random.split(k, 100))"
                ),
            ),
            "key, n(1000)",
        )
        + each(
            (
                "lambda y: lax.fori_loop(0, 20, lambda _, y: y + 0.1 * laplacian(y), y)", "laplacian",
                "lambda u: gray_scott(abs(u), u * u, 20)", "game_of_life",
                "lambda u: jnp.gradient(u)[0] ** 2 + jnp.gradient(u)[1] ** 2",
                (
                    "lambda u: lax.fori_loop(0, 20, lambda _, v: v.at[1:-1, 1:-1].set(0.25 * (v[:-2, 1:-1] + v[2:, 1:-1] + "
                    "v[1:-1, :-2] + v[1:-1, 2:])), u)"
                ),
                "lambda u: u[1:-1, 1:-1] - 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])",
                "grad(lambda u: laplacian(u) ** 2)",
                (
                    "lambda u: jnp.real(fft.ifft2(fft.fft2(u) / (1 + (fft.fftfreq(128)[:, None] ** 2 + fft.fftfreq(128) ** "
                    "2))))"
                ),
                (
                    "lambda u: u - 0.1 * jnp.maximum(u, 0) * (u - jnp.roll(u, 1, 0)) - 0.1 * jnp.minimum(u, 0) * "
                    "(jnp.roll(u, -1, 0) - u)"
                ),
            ),
            "n(128, 128)",
        )
        + each(("lambda u: lax.conv_general_dilated(u, jnp.ones((1, 1, 3, 3)), (1, 1), 'SAME')[0, 0]",), "n(1, 1, 128, 128)")
        + each(
            (
                (
                    "lambda e, h: lax.fori_loop(0, 100, lambda _, s: (lambda e: (e, s[1].at[:-1].add(0.5 * (e[1:] - "
                    "e[:-1]))))(s[0].at[1:].add(0.5 * (s[1][1:] - s[1][:-1]))), (e, h))"
                ),
            ),
            "n(1000), n(1000)",
        )
        + each(("lambda r, p: value_iteration(r, p, 50)",), "n(50, 4), nn.softmax(n(50, 4, 50))")
        + each(("lambda a, b: lax.fori_loop(0, 20, lambda _, b: linalg.solve(a, b), b)",), "definite(0, 5), n(5)")
        + each(
            ("lambda x, y: ((x[:, None] - y) ** 2).sum(-1).argmin(1)", "lambda x, y: ((x[:, None] - y) ** 2).sum(-1).min(1)"),
            "n(200, 32), n(300, 32)",
        )
        + each(
            ("lambda x: x.sum(0) + x.sum(1)", "lambda x: x / x.sum(0)[:, None]", "lambda x: nn.softmax(x.T, 1)"),
            "n(128, 128)",
        )
        + each(("lattice_boltzmann",), "abs(n(9, 64, 65)) + 1")
        + each(
            (
                (
                    "lambda u: lax.fori_loop(0, 20, lambda _, u: jnp.real(fft.ifft(fft.fft(u) * jnp.exp(-0.001 * "
                    "jnp.arange(256) ** 2))) + 0.01 * u * u, u)"
                ),
            ),
            "n(256)",
        )
        + each(
            ("lax.linalg.tridiagonal_solve",), "n(200), 4 + abs(n(200)), n(200), n(200, 3)",
            "n(30, 64), 4 + abs(n(30, 64)), n(30, 64), n(30, 64, 1)",
        )
        + each(
            (
                "lambda x: (forces(x), (x * x).sum())", "grad(lambda x: (1 / (squared_distances(x, x) + jnp.eye(200))))",
                "lambda x: lax.fori_loop(0, 5, lambda _, s: (s[0] + 0.001 * s[1], s[1] + 0.001 * forces(s[0])), (x, x))",
            ),
            "n(200, 3) * 5",
        )
        + each(("lambda c: mandelbrot(c, 20)",), "n(100, 100, dtype='complex64')")
        + each(("lambda k, s: ising(k, s, 10)",), "key, jnp.sign(n(64, 64))")
        + each(
            (
                "lambda x: lax.fori_loop(0, 50, lambda _, v: 0.5 * (v + x / v), x)",
                (
                    "lambda x: lax.while_loop(lambda s: abs(s[0] ** 2 - s[1]).max() > 1e-3, lambda s: (0.5 * (s[0] + s[1] / "
                    "s[0]), s[1]), (x, x))[0]"
                ),
                (
                    "lambda x: lax.fori_loop(0, 30, lambda _, s: (lambda m: (jnp.where(m ** 3 > x, s[0], m), jnp.where(m ** "
                    "3 > x, m, s[1])))((s[0] + s[1]) / 2), (x * 0, x + 1))[0]"
                ),
            ),
            "abs(n(5003)) + 1",
        )
    )


def sampling():
    normal = "lambda q: -0.5 * (q * q).sum()"
    logistic = "lambda q: -nn.softplus(-jnp.linspace(-1, 1, 800).reshape(100, 8) @ q).sum() - q @ q"
    return (
        rows("lambda k, q: hamiltonian(k, q, {0}, 20) @@ key, n(8)", (normal, logistic))
        + rows("lambda k, q: metropolis(k, q, {0}, 100) @@ key, n(8)", (normal, logistic))
        + rows(
            "lambda k, q: vmap(lambda k, q: {1}(k, q, {0}, 10))(random.split(k, 16), q) @@ key, n(16, 8)", (normal,),
            ("hamiltonian", "metropolis"),
        )
        + each(
            (
                (
                    "lambda k, x: lax.scan(lambda x, k: (x + 0.05 * jax.grad(lambda x: -(x ** 4).sum())(x) + 0.3 * "
                    "random.normal(k, x.shape), x), x, random.split(k, 50))[1]"
                ),
            ),
            "key, n(20)",
        )
        + each(
            (
                "resample", "lambda k, w: random.choice(k, 5000, (5000,), p=w / w.sum())",
                "lambda k, w: random.categorical(k, jnp.log(w), shape=(300,))",
                "lambda k, w: jnp.searchsorted(jnp.cumsum(w), random.uniform(k, (5000,)) * w.sum())",
                "lambda k, w: random.permutation(k, w)",
                "lambda k, w: lax.top_k(jnp.log(w) + random.gumbel(k, w.shape), 20)",
            ),
            "key, abs(n(5000))",
        )
        + each(
            (
                (
                    "lambda k, x: lax.scan(lambda x, k: (lambda z: (z[resample(k, jnp.exp(-z * z))], z.mean()))(0.9 * x + "
                    "random.normal(k, x.shape)), x, random.split(k, 20))"
                ),
            ),
            "key, n(500)",
        )
        + rows(
            "lambda k: random.{0} @@ key",
            (
                "exponential(k, (5003,))", "gumbel(k, (5003,))", "cauchy(k, (5003,))", "logistic(k, (5003,))",
                "lognormal(k, shape=(5003,))", "pareto(k, 3., (5003,))", "rayleigh(k, 2., (5003,))",
                "weibull_min(k, 1., 2., (5003,))", "maxwell(k, (5003,))", "geometric(k, 0.3, (5003,))",
                "loggamma(k, 2., (2003,))", "chisquare(k, 3., (2003,))", "bits(k, (5003,))", "bits(k, (5003,), 'uint8')",
                "uniform(k, (300, 500), 'bfloat16')", "normal(k, (300, 500), 'bfloat16')", "normal(k, (300, 500))",
                "uniform(k, (1000003,))", "randint(k, (300, 500), 0, 256, 'uint8')", "bernoulli(k, 0.5, (300, 500))",
                "choice(k, 5000, (100,), replace=False)", "permutation(k, jnp.arange(20000).reshape(2000, 10))",
                "fold_in(k, 7)", "gumbel(k, (8, 32000))", "multivariate_normal(k, jnp.zeros(8), jnp.eye(8), (1000,))",
                "truncated_normal(k, -2., 2., (300, 500))", "generalized_normal(k, 1.5, (999,))", "wald(k, 2., (999,))",
                "triangular(k, 0., .5, 1., (5003,))", "dirichlet(k, jnp.ones(20), (100,))",
                "multinomial(k, 20., jnp.ones(5) / 5, shape=(100, 5))", "poisson(k, 50., (999,))",
                "binomial(k, 200., 0.4, (999,))", "gamma(k, 0.5, (5003,))",
            ),
        )
        + each(
            (
                "lambda k: vmap(lambda k: random.normal(k, (10,)))(random.split(k, 500))",
                "lambda k: vmap(partial(random.fold_in, k))(jnp.arange(1000))",
                "lambda k: [random.normal(a, (64, 64)) for a in random.split(k, 12)]",
                "lambda k: lax.fori_loop(0, 50, lambda j, s: s + random.uniform(random.fold_in(k, j)), 0.)",
                "lambda k: lax.rng_bit_generator(jnp.ones(4, 'uint32'), (5003,))[1]",
                "lambda k: jnp.mean(jnp.exp(0.2 * random.normal(k, (2000, 50)).cumsum(1)[:, -1]))",
                "lambda k: (random.uniform(k, (100000, 2)) ** 2).sum(1) < 1",
            ),
            "key",
        )
        + each(
            (
                "grad(lambda a, k: random.gamma(k, a))", "lambda a, k: random.gamma(k, a)",
                "lambda a, k: random.beta(k, a, a)", "lambda a, k: random.poisson(k, a)",
                "lambda a, k: nn.softmax((a + random.gumbel(k, a.shape)) / 0.5)",
            ),
            "abs(n(1000)) + 0.5, key",
        )
    )


def bodies():
    unit = "(lambda q: q / jnp.linalg.norm(q, axis=-1, keepdims=True))(n(5000, 4))"
    return (
        rows(
            "lambda q, v: {0} @@ " + unit + ", n(5000, 3)",
            (
                "rotate(q, v)", "quaternion_product(q, q[::-1])", "quaternion_matrix(q)",
                "vmap(lambda r, v: r @ v)(quaternion_matrix(q), v)", "q * jnp.array([1., -1, -1, -1])",
                "jnp.arctan2(q[:, 1], q[:, 0]), jnp.arcsin(jnp.clip(2 * q[:, 2], -1, 1))",
                "rotate(q[:, None], v[None, :50])", "vmap(rotate)(q, v)",
            ),
        )
        + each(
            (
                "rodrigues", "skew", "vmap(rodrigues)", "lambda w: skew(w) @ skew(w)", "vmap(jax.jacfwd(rodrigues))",
                "grad(lambda w: rodrigues(w) ** 2)", "vmap(lambda w: js.linalg.expm(skew(w)))",
                "lambda w: jnp.trace(rodrigues(w), axis1=-2, axis2=-1)", "lambda w: jnp.cross(w, w[::-1])",
                "vmap(lambda w: jnp.eye(3) - jnp.outer(w, w) / (w @ w))",
            ),
            "n(1000, 3)",
        )
        + each(
            (
                "forward_kinematics", "jax.jacfwd(forward_kinematics)",
                "jax.jacrev(lambda a, o: forward_kinematics(a, o)[-1])",
            ),
            "n(12), n(12, 3)",
        )
        + each(
            (
                "vmap(forward_kinematics, (0, None))",
                "vmap(jax.jacfwd(lambda a, o: forward_kinematics(a, o)[-1]), (0, None))",
            ),
            "n(100, 7), n(7, 3)",
        )
        + each(("align",), "n(500, 3), n(500, 3, seed=1)")
        + each(("vmap(align)",), "n(64, 20, 3), n(64, 20, 3, seed=1)")
        + each(("lambda a, b: relax_contacts(a, b, 10)",), "definite(0, 12), n(12)")
        + each(("vmap(lambda a, b: relax_contacts(a, b, 5))",), "definite(64, 6), n(64, 6)")
        + rows(
            "lambda a, b: {0} @@ n(1000, 6, 6), n(1000, 6)",
            (
                "vmap(lambda a, b: a.T @ a @ b)(a, b)", "linalg.solve(a @ a.swapaxes(1, 2) + jnp.eye(6), b[..., None])",
                "vmap(jnp.outer)(b, b) + a", "(a @ b[..., None])[..., 0]", "a @ a.swapaxes(1, 2)",
                "jnp.einsum('bi,bij,bj->b', b, a, b)", "lax.scan(lambda m, x: (m @ x * 0.3, m), a[0], a)[1]",
                "lax.associative_scan(lambda x, y: 0.3 * x @ y, a)", "vmap(linalg.inv)(a)", "linalg.det(a)",
                "a[:, :3, :3] @ a[:, 3:, 3:]",
                "js.linalg.cho_solve((linalg.cholesky(a @ a.swapaxes(1, 2) + jnp.eye(6)), True), b[..., None])",
            ),
        )
        + rows(
            "linalg.{0} @@ definite({1})", ("inv", "det", "eigvalsh", "svd", "qr", "cholesky", "pinv", "norm"),
            ("2000, 3", "300, 4", "20, 16"),
        )
        + each(
            (
                "lambda p, q: jnp.linalg.norm(p[:, None] - q[None], axis=-1).min(1)",
                "lambda p, q: squared_distances(p, q).argmin(1)",
                "lambda p, q: (jnp.maximum(abs(p[:, None] - q[None]) - 0.2, 0) ** 2).sum(-1) < 0.1",
                "lambda p, q: p + 0.5 * jnp.exp(-squared_distances(p, q)) @ (q - 1)",
                "lambda p, q: jnp.where((p[:, None] * q).sum(-1) > 0, 1., 0.).sum(1)",
            ),
            "n(500, 3), n(300, 3)",
        )
        + each(
            (
                (
                    "lambda s: lax.scan(lambda s, a: (lambda th: (jnp.stack([s[0] + 0.02 * s[1], s[1] + 0.02 * a, s[2] + "
                    "0.02 * s[3], s[3] + 0.02 * th], 0), s[2]))((9.8 * jnp.sin(s[2]) - jnp.cos(s[2]) * a) / (1.3 - "
                    "jnp.cos(s[2]) ** 2)), s, jnp.sign(jnp.sin(jnp.arange(200.))))[1]"
                ),
            ),
            "n(4, 1)", "n(4, 512)",
        )
    )


def statistics():
    return (
        each(("k_means",), "n(2000, 8), n(10, 8, seed=1)")
        + each(("mixture_step",), "n(2000, 4), n(5, 4, seed=1), n(5, 4, scale=0.1), jnp.ones(5) / 5")
        + each(("gaussian_process",), "n(100, 3), n(100), n(50, 3)")
        + each(
            (
                (
                    "grad(lambda s, x, y: (lambda k: y @ linalg.solve(k, y) + "
                    "linalg.slogdet(k)[1])(jnp.exp(-squared_distances(x, x) / s) + 0.1 * jnp.eye(80)))"
                ),
            ),
            "jnp.float32(2.), n(80, 3), n(80)",
        )
        + each(
            ("black_scholes", "grad(black_scholes, (0, 2, 3))", "vmap(jax.hessian(black_scholes))"),
            "abs(n(10007)) + 9, abs(n(10007)) + 9, abs(n(10007)) + 0.1, abs(n(10007)) + 0.1",
        )
        + each(("binomial_option", "grad(binomial_option)"), "jnp.float32(100.)")
        + each(("vmap(binomial_option)",), "100 + n(200)")
        + each(("coupling", "grad(lambda *a: sum(x.sum() for x in coupling(*a)), (0, 1, 2))"), "n(500, 8), n(4, 32), n(32, 8)")
        + each(("lambda x, f, t, v: trees(x, f, t, v, 5)",), "n(2000, 10), i(10, 50, 31), n(50, 31), n(50, 32)")
        + rows(
            "lambda x: {0} @@ n(2000, 16)",
            (
                "linalg.svd(x - x.mean(0), full_matrices=False)[2]", "jnp.cov(x.T)", "jnp.corrcoef(x.T)",
                "linalg.eigh(x.T @ x)[1]", "linalg.qr(x)[1]", "linalg.lstsq(x, x[:, 0])[0]", "linalg.pinv(x)",
                "jnp.quantile(x, jnp.array([0.1, 0.5, 0.9]), 0)", "jnp.median(x, 0)",
                "((x - x.mean(0)) ** 3).mean(0) / x.std(0) ** 3", "jnp.cumsum(x, 0) / jnp.arange(1, 2001)[:, None]",
                "jnp.nanmean(jnp.where(x > 1, jnp.nan, x), 0)", "jnp.stack([x.mean(0), x.std(0), x.min(0), x.max(0)])",
                "x[i(2000, 50, 2000)].mean(1)", "vmap(jnp.histogram, (1, None))(x, 20)[0]", "jnp.sort(x, 0)[::100]",
                "x[jnp.argsort(x[:, 0])]", "js.stats.rankdata(x[:, 0])",
                "linalg.solve(x.T @ x + jnp.eye(16), x.T @ x[:, 0])", "jnp.exp(-0.5 * squared_distances(x[:300], x[:300]))",
                "jnp.where(abs(x) > 2, jnp.nan, x)", "nn.logsumexp(-0.5 * (x[:, None] - x[:50]) ** 2, (1, 2))",
                "js.stats.gaussian_kde(x[:200, 0])(x[:500, 0])", "js.stats.mode(jnp.round(x * 2), 0)[0]",
                "js.cluster.vq.vq(x, x[:20])[0]",
                (
                    "js.interpolate.RegularGridInterpolator((jnp.linspace(-3, 3, 20),) * 2, x[:20, :1] * x[:20, "
                    "1])(jnp.clip(x[:, :2], -3, 3))"
                ),
            ),
        )
        + rows(
            "grad(lambda x: {0}) @@ n(2000, 16)",
            (
                "linalg.qr(x)[1]", "jnp.cov(x.T) ** 2", "linalg.lstsq(x, x[:, 0] ** 2)[0]", "jnp.median(x, 0) ** 2",
                "nn.logsumexp(-0.5 * (x[:, None] - x[:50]) ** 2, (1, 2))", "linalg.eigh(x.T @ x)[0] ** 2",
            ),
        )
        + rows(
            "js.stats.{0} @@ n(10007)",
            (
                "norm.logcdf", "norm.ppf", "cauchy.logpdf", "expon.logpdf", "uniform.cdf", "logistic.cdf", "laplace.logpdf",
                "norm.sf", "cauchy.cdf", "sem",
            ),
        )
        + rows(
            "lambda x: js.stats.{0} @@ abs(n(10007)) / 9",
            (
                "gamma.cdf(x, 2.)", "beta.cdf(x, 2., 3.)", "chi2.logpdf(x, 3.)", "pareto.logpdf(x + 1, 2.)",
                "binom.logpmf(jnp.round(x * 9), 10, .3)", "nbinom.logpmf(jnp.round(x * 9), 5., .3)",
                "dirichlet.logpdf(jnp.array([.2, .8]), 1 + x[:2])", "geom.logpmf(1 + jnp.round(x * 9), .3)",
                "truncnorm.logpdf(x, -1., 1.)", "vonmises.logpdf(x, 2.)", "t.pdf(x, 4.)",
                "poisson.cdf(jnp.round(x * 9), 3.)",
            ),
        )
    )


def pictures():
    return (
        rows(
            "lambda x: {0} @@ abs(n(240, 320, 3))",
            (
                "hsv(x)", "blur(x)", "x @ jnp.array([0.3, 0.6, 0.1])", "jnp.clip((x - 0.5) * 1.2 + 0.5, 0, 1)",
                "x ** (1 / 2.2)", "x[:, ::-1]", "jnp.rot90(x)", "x[8:232, 40:264]",
                "jnp.pad(x, ((4, 4), (4, 4), (0, 0)), mode='reflect')", "(x * 255).astype('uint8')",
                "image.resize(x, (224, 224, 3), 'linear')", "image.resize(x, (120, 160, 3), 'cubic')",
                "image.resize(x, (480, 640, 3), 'nearest')", "(x - x.mean((0, 1))) / x.std((0, 1))",
                "jnp.transpose(x, (2, 0, 1))[None]",
                "image.scale_and_translate(x, (200, 200, 3), (0, 1), jnp.array([.7, .6]), jnp.array([3., 4.]), 'linear')",
                (
                    "grid_sample(x, jnp.stack(jnp.meshgrid(jnp.linspace(0, 239, 200), jnp.linspace(0, 319, 210), "
                    "indexing='ij'), -1))"
                ),
                "vmap(lambda c: js.signal.convolve2d(c, jnp.ones((3, 3)) / 9, mode='same'), 2, 2)(x)",
                "jnp.hypot(*jnp.gradient(x.mean(-1)))", "jnp.cumsum(jnp.cumsum(x, 0), 1)",
                "lax.reduce_window(x, -jnp.inf, lax.max, (5, 5, 1), (1, 1, 1), 'SAME')",
                "lax.reduce_window(x, jnp.inf, lax.min, (3, 3, 1), (2, 2, 1), 'VALID')",
                "x.reshape(120, 2, 160, 2, 3).mean((1, 3))",
                "jnp.median(jnp.stack([jnp.roll(x[..., 0], (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1)]), 0)",
                "jnp.cumsum(jnp.histogram(x[..., 0], 256, (0., 4.))[0])[(x[..., 0] * 60).astype('int32')]",
                "jnp.repeat(jnp.repeat(x, 2, 0), 2, 1)", "jnp.where(x.mean(-1, keepdims=True) > 0.5, x, 0)",
                "-10 * jnp.log10(((x - jnp.clip(x, 0, 1)) ** 2).mean())", "fft.fftshift(abs(fft.fft2(x.mean(-1))))",
                "jnp.stack([x[..., 0] * 0.3 + x[..., 1] * 0.6, x[..., 2] - x[..., 0]], -1)",
            ),
        )
        + rows(
            "grad(lambda x: {0}) @@ abs(n(60, 80, 3))",
            (
                "blur(x) ** 2", "hsv(x)[..., 1]", "image.resize(x, (50, 50, 3), 'linear') ** 2",
                "image.resize(x, (120, 120, 3), 'cubic') ** 2",
                "jnp.hypot(jnp.diff(x, axis=0)[:, 1:], jnp.diff(x, axis=1)[1:])", "grid_sample(x, x[..., :2] * 20) ** 2",
                "x.reshape(30, 2, 40, 2, 3).max((1, 3)) ** 2", "jnp.pad(x, ((2, 2), (2, 2), (0, 0)), mode='edge') ** 2",
            ),
        )
        + rows(
            "lambda x: {0} @@ n(8, 32, 32, 16)",
            (
                "patches(x, 4)", "pixel_shuffle(x, 2)",
                "lax.conv_general_dilated_patches(x, (3, 3), (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))",
                "x.mean((1, 2))", "nn.sigmoid(x.mean((1, 2), keepdims=True)) * x",
                "lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID')",
                "lax.reduce_window(x, 0., lax.add, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID') / 4",
                "jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)",
                "jnp.roll(x, (-2, -2), (1, 2)).reshape(8, 8, 4, 8, 4, 16).swapaxes(2, 3)",
                "x.reshape(8, 32, 32, 2, 8).swapaxes(3, 4).reshape(8, 32, 32, 16)",
                "jnp.concatenate([x[:, ::2, ::2], x[:, 1::2, ::2], x[:, ::2, 1::2], x[:, 1::2, 1::2]], -1)",
                "x.transpose(0, 3, 1, 2)", "(x - x.mean(3, keepdims=True)) * lax.rsqrt(x.var(3, keepdims=True) + 1e-6)",
                "image.resize(x, (8, 64, 64, 16), 'linear')", "nn.gelu(x) * x[..., ::-1]",
            ),
        )
        + rows(
            "grad(lambda x: {0} ** 2) @@ n(8, 32, 32, 16)",
            (
                "lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID')",
                "lax.reduce_window(x, 0., lax.add, (1, 2, 2, 1), (1, 2, 2, 1), 'VALID')",
                "nn.sigmoid(x.mean((1, 2), keepdims=True)) * x", "pixel_shuffle(x, 2)",
                "lax.conv_general_dilated_patches(x, (3, 3), (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))",
                "image.resize(x, (8, 64, 64, 16), 'nearest')",
            ),
        )
        + rows(
            (
                "lambda x, k: lax.conv_general_dilated(x, k, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'), "
                "feature_group_count={1}) @@ n(4, 28, 28, {0})"
            ),
            ("32), n(3, 3, 1, 32",), ("32",),
        )
        + rows(
            (
                "lambda x, k: {0}(nn.relu(lax.conv_general_dilated(x, k, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', "
                "'NHWC')) + k[0, 0, 0])) @@ n(4, 28, 28, 8, dtype='{1}'), n(3, 3, 8, 16, dtype='{1}', scale=0.1)"
            ),
            ("",), ("float32", "bfloat16", "float16"),
        )
    )


def sound():
    return (
        rows(
            "lambda x: {0} @@ n(16000)",
            (
                "mel_spectrogram(x, jnp.ones((257, 80)))", "frames(x, 400, 160)", "overlap_add(frames(x, 400, 160), 160)",
                "abs(js.signal.stft(x, nperseg=256)[2]) ** 2", "js.signal.istft(js.signal.stft(x, nperseg=256)[2])[1]",
                "js.signal.welch(x, nperseg=512)[1]", "js.signal.detrend(x)", "x[1:] - 0.97 * x[:-1]",
                "jnp.convolve(x, jnp.sinc(jnp.linspace(-4, 4, 65)), mode='same')",
                "fft.irfft(abs(fft.rfft(x, 32768)) ** 2)[:500]", "jnp.sign(x) * jnp.log1p(255 * abs(x)) / jnp.log(256.)",
                "jnp.sqrt(frames(x * x, 512, 256).mean(1))",
                "(jnp.diff(jnp.sign(frames(x, 512, 256)), axis=1) != 0).mean(1)",
                "js.fft.dct(jnp.log1p(abs(fft.rfft(frames(x, 400, 160)))))[:, :13]",
                "jnp.interp(jnp.arange(0, 16000, 1.37), jnp.arange(16000.), x)", "x[::2]", "x.reshape(-1, 2).mean(1)",
                "fft.ifft(fft.fft(x) * jnp.where(jnp.arange(16000) < 8000, 2, 0))",
                "jnp.unwrap(jnp.angle(js.signal.stft(x, nperseg=256)[2]), axis=1)",
                "jnp.sin(2 * jnp.pi * jnp.cumsum(0.01 + 0.001 * x))",
                "lax.reduce_window(x, -jnp.inf, lax.max, (101,), (1,), 'SAME')",
                "lax.conv_general_dilated(x[None, None], jnp.ones((64, 1, 400)), (160,), 'VALID')",
                "(lambda a, b: jnp.stack([a + b, a - b]) / 1.4142)(*x.reshape(-1, 2).T)",
                "lax.scan(lambda c, v: (jnp.maximum(abs(v), 0.999 * c),) * 2, 0., x)[1]",
                "js.signal.correlate(x, x[:500], mode='same')", "jnp.round(x * 32767).astype('int16')",
                "js.signal.csd(x, x[::-1], nperseg=256)[1]", "fft.rfft(frames(x, 1024, 512) * jnp.hanning(1024))",
                "jnp.argmax(abs(fft.rfft(frames(x, 1024, 512))), 1)", "js.signal.convolve(x, x[:100], mode='valid')",
            ),
        )
        + rows(
            "grad(lambda x: {0}) @@ n(8000)",
            (
                "mel_spectrogram(x, jnp.ones((257, 80)))", "abs(js.signal.stft(x, nperseg=256)[2]) ** 2",
                "overlap_add(frames(x, 400, 160), 160) ** 2", "jnp.convolve(x, x[:33]) ** 2",
                "lax.conv_general_dilated(x[None, None], jnp.ones((64, 1, 400)), (160,), 'VALID') ** 2",
            ),
        )
        + rows(
            "fft.{0} @@ n({1}, dtype='{2}')", ("fft", "ifft"),
            ("480", "2048", "16384", "100, 400", "16000", "1000, 64", "37, 243"), ("complex64",),
        )
        + rows("fft.{0} @@ n({1})", ("rfft", "fft"), ("480", "16384", "100, 400", "128, 512"))
        + rows("fft.{0} @@ n({1})", ("rfft2", "fftn"), ("128, 128", "4, 100, 100", "32, 32, 32", "224, 224"))
        + rows("js.fft.{0} @@ n(64, 64)", ("dct", "idct", "dctn", "idctn"))
    )


PARTS = (equations, sampling, bodies, statistics, pictures, sound)
