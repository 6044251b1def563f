"""mechanics.py: snippets of the long tail that were written before any of them was measured, as those of
training.py: Lie groups, bodies, samplers, solvers, filters, sparse and structured algebra. PARTS are functions that
return names of snippets."""
from snippets import each, rows


def groups():
    return (
        each(
            (
                "quaternion_exp", "grad(quaternion_exp)", "lambda w: quaternion_log(quaternion_exp(w))",
                "vmap(jax.jacfwd(quaternion_exp))",
            ),
            "n(701, 3)",
        )
        + each(("lambda w: reduce(quaternion_product, quaternion_exp(w).swapaxes(0, 1))",), "n(300, 6, 3)")
        + each(("lambda w: lax.associative_scan(quaternion_product, quaternion_exp(w))",), "n(257, 3)")
        + each(
            ("vmap(left_jacobian)", "vmap(lambda w: jnp.linalg.inv(left_jacobian(w)))", "grad(vmap(left_jacobian))"),
            "n(333, 3)",
        )
        + each(("adjoint", "lambda r, t: vmap(jnp.linalg.inv)(adjoint(r, t))"), "linalg.qr(n(211, 3, 3))[0], n(211, 3)")
        + each(("rotation_6d", "grad(lambda x: rotation_6d(x) ** 3)"), "n(1003, 6)")
        + each(
            ("lambda x, y: jnp.arccos(jnp.clip((jnp.einsum('nij,nij->n', x, y) - 1) / 2, -1, 1))",),
            "n(999, 3, 3), n(999, 3, 3)",
        )
        + each(("euler_matrix", "vmap(jax.jacrev(lambda a: euler_matrix(a[None])[0]))"), "n(201, 3)")
        + each(("pose_graph",), "n(17, 3), i(17, 30), i(17, 30)[::-1], n(30, 3, scale=.1)")
        + each(
            ("lambda x, y: (lambda u, s, v: u @ v)(*linalg.svd((x - x.mean(0)).T @ (y - y.mean(0))))",),
            "n(500, 3), n(500, 3, seed=1)",
        )
        + each(("vmap(lambda a: js.linalg.polar(a)[0])",), "n(60, 3, 3)")
        + each(("vmap(js.linalg.sqrtm)",), "definite(0, 5)[None].astype('complex64')")
        + each(
            ("lambda a, b: a @ b - b @ a", "lambda a, b: jnp.einsum('nij,njk,nlk->nil', a, b, a)"),
            "n(801, 4, 4), n(801, 4, 4)",
        )
    )


def bodies():
    chain = "n(6), n(6), jnp.full(6, .5)"
    return (
        each(("chain_energy", "grad(chain_energy)", "lagrangian_acceleration"), chain)
        + each(("vmap(lagrangian_acceleration, (0, 0, None))",), "n(33, 4), n(33, 4), jnp.full(4, .5)")
        + each(
            (
                (
                    "lambda q, v, l: lax.scan(lambda s, _: ((s[0] + .01 * s[1], s[1] + .01 * lagrangian_acceleration(*s, "
                    "l)), s[0]), (q, v), length=20)[1]"
                ),
            ),
            "n(3), n(3), jnp.full(3, .5)",
        )
        + each(("composite_inertia", "grad(composite_inertia)"), "n(12, 3, scale=.3), definite(12, 6)")
        + each(("vmap(projected_gauss_seidel)",), "definite(4, 14), n(4, 14)")
        + each(("projected_gauss_seidel",), "definite(0, 30), n(30)")
        + each(
            ("partial(capsule_contacts, radius=.1)", "grad(partial(capsule_contacts, radius=.1))"),
            "n(40, 3), n(40, 3, seed=1)",
        )
        + each(("box_corners_contact", "grad(lambda *a: box_corners_contact(*a)[0])"), "n(130, 3), n(130, 4), abs(n(130, 3))")
        + each(("smoothed_particles", "grad(smoothed_particles)"), "n(150, 2), n(150, 2)")
        + each(
            ("lambda x, v: lax.fori_loop(0, 5, lambda _, s: (s[0] + .01 * s[1], smoothed_particles(*s)), (x, v))",),
            "n(60, 2), n(60, 2)",
        )
        + each(
            (
                "lambda x, e: (lambda d: jnp.zeros_like(x).at[e[0]].add(d).at[e[1]].add(-d))((x[e[1]] - x[e[0]]) * .1)",
                "lambda x, e: jax.ops.segment_max(jnp.linalg.norm(x[e[0]] - x[e[1]], axis=1), e[1] // 5, 80)",
                "grad(lambda x, e: (jnp.linalg.norm(x[e[0]] - x[e[1]] + 1e-3, axis=1) - 1) ** 2)",
            ),
            "n(400, 3), i(400, 2, 1500)",
        )
        + each(
            (
                "lambda x: (lambda c: jnp.argsort(c[:, 0] * 1000 + c[:, 1]))(jnp.floor(x * 7).astype(int))",
                "lambda x: lax.top_k(-((x[:, None] - x) ** 2).sum(-1), 9)[1]", "lambda x: linalg.eigh(jnp.cov(x.T))[0]",
                "lambda x: jnp.stack([x.min(0), x.max(0)])", "lambda x: jnp.triu((abs(x[:, None] - x) < .3).all(-1), 1).sum()",
            ),
            "n(301, 3)",
        )
    )


def sampling():
    mixture = "lambda x: jnp.logaddexp(-.5 * ((x - 1) ** 2).sum(), -.5 * ((x + 1) ** 2).sum())"
    ring = "lambda x: -(jnp.sqrt((x ** 2).sum() + 1e-6) - 2) ** 2 / .1"
    ridge = "lambda x: -.5 * (x[0] ** 2 / 9 + (x[1:] ** 2 * jnp.exp(-x[0])).sum())"
    return (
        rows("lambda k, x: langevin(k, x, {0}) @@ key, n(64, 5)", (mixture, ring, ridge))
        + rows("lambda k, x: stretch_moves(k, x, {0}) @@ key, n(40, 4)", (mixture, ridge))
        + rows(
            "lambda k, x: vmap(lambda k, x: hamiltonian(k, x, {0}, 4))(random.split(k, 9), x) @@ key, n(9, 6)",
            (mixture, ridge),
        )
        + each(("annealed_importance",), "key, n(300, 3)")
        + each(("elliptical_slice",), "key, n(80), linalg.cholesky(definite(0, 80))")
        + each(("vmap(elliptical_slice, (0, 0, None))",), "random.split(key, 12), n(12, 30), linalg.cholesky(definite(0, 30))")
        + each(("gibbs_regression",), "key, n(150, 7), n(150)")
        + each(("bootstrap_filter",), "key, n(25)")
        + each(
            (
                "stick_breaking", "grad(lambda v: jnp.log(stick_breaking(v)))",
                "lambda v: lax.cumprod(1 - nn.sigmoid(v), 1, reverse=True)",
            ),
            "n(301, 9)",
        )
        + each(("pathfinder_draws",), "key, n(50), n(6, 50), n(6, 50, seed=1)")
        + rows(
            "lambda k: random.{0} @@ key",
            (
                "multivariate_normal(k, jnp.zeros(8), 2 * jnp.eye(8), (301,))", "rademacher(k, (999,))",
                "truncated_normal(k, -1., 2., (53, 37))", "binomial(k, 20, .3, (501,))", "poisson(k, 4.5, (501,))",
                "orthogonal(k, 17)",
                "choice(k, 1000, (64,), replace=False)", "permutation(k, jnp.arange(777.).reshape(111, 7), independent=True)",
                "geometric(k, .2, (1001,))", "loggamma(k, .3, (501,))", "maxwell(k, (501,))",
                "bits(k, (3001,), 'uint8')",
                "normal(k, (301, 7), 'bfloat16')", "categorical(k, jnp.zeros((33, 101)), shape=(5, 33))",
                "wald(k, 1.5, (501,))",
                "generalized_normal(k, 1.5, (501,))", "key_data(random.split(random.fold_in(k, 7), (9, 11)))",
            ),
        )
        + each(("lambda k, t: vmap(lambda t: random.uniform(random.fold_in(k, t)))(t)",), "key, jnp.arange(700)")
    )


def solving():
    return (
        rows("partial(dormand_prince, {0}) @@ {1}", ("predator_prey", "van_der_pol"), ("abs(n(2))", "abs(n(100, 2))"))
        + each(("partial(dormand_prince, brusselator)", "grad(lambda y: dormand_prince(brusselator, y)[0])"), "abs(n(2, 150))")
        + each(("partial(implicit_midpoint, van_der_pol)", "grad(partial(implicit_midpoint, van_der_pol))"), "n(2)")
        + each(("vmap(partial(implicit_midpoint, predator_prey))",), "abs(n(25, 2))")
        + each(("partial(adaptive_heun, predator_prey)",), "abs(n(2))")
        + each(("vmap(partial(adaptive_heun, van_der_pol))",), "n(15, 2)")
        + each(("lambda y: ode.odeint(lambda y, t: van_der_pol(y), y, jnp.linspace(0., 1., 9))",), "n(2)")
        + each(("grad(lambda y: ode.odeint(lambda y, t: predator_prey(y), y, jnp.linspace(0., .3, 4)))",), "abs(n(2))")
        + each(("milstein",), "key, abs(n(301))")
        + each(("grad(lambda x, k: milstein(k, x))",), "abs(n(301)), key")
        + each(("gmres_poisson",), "n(30, 31)")
        + each(("preconditioned_cg", "grad(preconditioned_cg, 1)"), "definite(0, 90), n(90, 3)")
        + each(("lanczos",), "definite(0, 100), n(100)")
        + each(("power_svd",), "key, n(150, 80)")
        + each(("proximal_matrix_completion",), "n(24, 15), n(24, 15) > 0")
        + each(("chambolle", "grad(chambolle)"), "n(45, 47)")
        + each(("nesterov_logistic",), "n(9), n(401, 9), jnp.sign(n(401))")
        + rows(
            "partial(nelder_mead, {0}) @@ n(5, 4)",
            (
                "lambda x: (x ** 2 * jnp.arange(1., 5)).sum()",
                "lambda x: ((x[1:] - x[:-1] ** 2) ** 2).sum() + ((1 - x) ** 2).sum()",
            ),
        )
        + each(("partial(differential_evolution, f=lambda x: (x ** 2 - jnp.cos(6 * x)).sum())",), "key, n(50, 6)")
        + each(
            (
                (
                    "lambda x: js.optimize.minimize(lambda x: ((x - 1) ** 2 * jnp.arange(1., 8)).sum(), x, method='BFGS', "
                    "options=dict(maxiter=9)).x"
                ),
            ),
            "n(7)",
        )
        + each(("rauch_tung_striebel",), "n(4, 4, scale=.4), jnp.eye(4), n(40, 4), definite(40, 4)")
        + each(
            ("ornstein_kernel_posterior", "grad(lambda *a: ornstein_kernel_posterior(*a)[0], 2)"), "n(70, 2), n(70), n(50, 2)",
        )
    )


def structured():
    vector, pair = "n(60, 60) * (n(60, 60, seed=1) > 1), n(60)", "n(60, 60) * (n(60, 60, seed=1) > 1), n(60, 9)"
    return (
        rows("lambda a, b: {0} @@ " + vector, (
            "sparse.BCOO.fromdense(a, nse=700) @ b", "b @ sparse.BCOO.fromdense(a, nse=700)",
            "sparse.BCSR.fromdense(a, nse=700) @ b",
            "(sparse.BCOO.fromdense(a, nse=700) * b).todense()",
            "sparse.bcoo_reduce_sum(sparse.BCOO.fromdense(a, nse=700), axes=(1,)).todense()",
            "sparse.BCOO.fromdense(a, nse=700).T.sort_indices().data",
        ))
        + rows("{0} @@ " + pair, (
            "lambda a, b: sparse.BCSR.fromdense(a, nse=700) @ b", "grad(lambda a, b: sparse.BCOO.fromdense(a, nse=700) @ b, 1)",
            "sparse.sparsify(lambda a, b: jnp.tanh(a @ b).sum())",
        ))
        + rows(
            "lambda a, b: {0} @@ definite(0, 41), n(41, 3)",
            (
                "js.linalg.lu_solve(js.linalg.lu_factor(a), b)", "js.linalg.solve(a, b, assume_a='pos')",
                "linalg.lstsq(a[:, :19], b)[0]", "js.linalg.solve_triangular(a, b, lower=True, trans=1)",
                "linalg.matrix_power(a / 50, 7) @ b",
                "linalg.cond(a)", "js.linalg.block_diag(a, b, a)", "js.linalg.toeplitz(b[:, 0], a[0])",
                "linalg.multi_dot([b.T, a, a, b])",
                "js.linalg.expm(a / 50)", "js.linalg.hessenberg(a)", "linalg.eigh(a)[1][:, -3:].T @ b", "jnp.tril(a, -2) @ b",
                "linalg.norm(a, 'nuc')",
            ),
        )
        + rows(
            "grad(lambda a: {0}) @@ definite({1})",
            ("linalg.slogdet(a)[1]", "linalg.eigvalsh(a)", "linalg.solve(a, jnp.ones(a.shape[-1:]))[0]"),
            ("0, 29",),
        )
        + rows(
            (
                "lambda d, b: vmap(lambda d, b: lax.linalg.tridiagonal_solve(-d * .3, 1 + d, -d * .3, b))(d, b) @@ "
                "abs(n(50, 40)), n(50, 40, 1)"
            ),
            ("",),
        )
        + rows(
            "f64: lambda a: {0} @@ n(31, 31, dtype='float64')",
            ("linalg.inv(a)", "linalg.svd(a)[1]", "a @ a.T @ a", "linalg.qr(a)[1]"),
        )
        + rows(
            "lambda a: {0} @@ n(27, 27, dtype='complex64')",
            ("linalg.inv(a)", "a @ a.conj().T", "linalg.eigvalsh(a + a.conj().T)", "linalg.det(a / 5)"),
        )
    )


def small_matrices():
    """Stacks, transposes and products of many matrices of a few elements, and rows that indices find."""
    return (
        rows(
            "lambda a, b: {0} @@ n(1003, 3), n(1003, 3)",
            (
                "jnp.stack([a, b, jnp.cross(a, b)], -1)", "jnp.stack([a, b, jnp.cross(a, b)], -2)", "jnp.stack([a, b, a * b], -1).astype('int8')",
                "vmap(lambda w: jnp.array([[0., -w[2], w[1]], [w[2], 0., -w[0]], [-w[1], w[0], 0.]]))(a)", "vmap(jnp.outer)(a, b)",
            ),
        )
        + rows(
            "lambda x: {0} @@ n(501, {1})",
            ("x.transpose(0, 2, 1) * 2 + x", "x[:, ::-1, ::-1]", "vmap(jnp.triu)(x)", "jnp.pad(x, ((0, 0), (0, 1), (0, 1)))"),
            ("3, 3", "4, 4"),
        )
        + [
            "f64: lambda a, b: jnp.stack([a, b, jnp.cross(a, b)], -1) @@ n(1003, 3, dtype='float64'), n(1003, 3, dtype='float64')",
            "lambda x: jnp.exp(x.reshape(-1, 3, 5).transpose(0, 2, 1)) @@ n(1500)",
            "lambda x, y: jnp.stack([x, y, x + y, x * y], 1) @@ n(1000, 4), n(1000, 4)",
            "lambda a, b: vmap(jnp.kron)(a, b) @@ n(501, 2, 2), n(501, 2, 2)",
            "lambda x: image.resize(x, (2, 64, 64, 8), 'nearest') @@ n(2, 32, 32, 8)",
            "lambda x, i: jnp.exp(x[i] - x[i[::-1]]) @@ n(100, 5), i(100, 500)",
        ]
    )


PARTS = (groups, bodies, sampling, solving, structured, small_matrices)
