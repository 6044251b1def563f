"""fresh_algebra.py: factorizations and solvers of odd and batched sizes, products of many axes, sparse matrices, derivatives through
them, Lie groups, matrix functions."""
import jax
import jax.numpy as jnp
from jax import lax, nn
from jax.experimental import sparse

from snippets import row

ROWS = [
    # factorizations
    "lambda a: jnp.linalg.qr(a, mode='r') @@ n(9, 47, 13)",
    "lambda a: jnp.abs(jnp.linalg.qr(a)[0]) @ jnp.ones(31) @@ n(31, 70).T",
    "lambda a: jnp.linalg.svd(a, compute_uv=False) @@ n(17, 11, 5)",
    "lambda a: jnp.linalg.eigvalsh(a + a.mT)[:, ::2] @@ n(23, 9, 9)",
    "f64: lambda a: jnp.linalg.eigvalsh(a @ a.T / 61) @@ n(61, 61, dtype='float64')",
    "lambda a: jnp.linalg.cholesky(a, upper=True).sum(1) @@ definite(3, 67)",
    "lambda a: jnp.linalg.cholesky(a @ a.conj().T + 40 * jnp.eye(40)) @@ n(40, 40) + 1j * n(40, 40, seed=1)",
    "f64: lambda a, b: jax.scipy.linalg.solve_triangular(jnp.triu(a) + 20 * jnp.eye(73), b, trans='T')"
    " @@ n(73, 73, dtype='float64'), n(73, dtype='float64')",
    "lambda a, b: jax.scipy.linalg.solve(a, b, assume_a='pos') @@ definite(0, 83), n(83, 29)",
    "lambda a, b: jnp.linalg.solve(a.T + 9 * jnp.eye(50), b[:, ::-1].T) @@ n(50, 50), n(7, 50)",
    "lambda a: jnp.linalg.inv(a + 5 * jnp.eye(3)) @ a.mT @@ n(2003, 3, 3)",
    "lambda a: jnp.linalg.det(a)[:, None] * jnp.linalg.inv(a + 4 * jnp.eye(2)).reshape(-1, 4) @@ n(4001, 2, 2)",
    "f64: lambda a: jnp.linalg.slogdet(a + 3 * jnp.eye(37))[1] @@ n(5, 37, 37, dtype='float64')",
    "lambda a: jax.scipy.linalg.lu(a)[2] @@ n(44, 31)",
    "lambda a, b: jnp.linalg.lstsq(a, b)[0] @@ n(211, 12), n(211, 3)",
    "lambda a: jnp.linalg.pinv(a, rtol=1e-3) @@ n(6, 19, 8)",
    "lambda a: jnp.linalg.matrix_power(a / 9, 11) @@ n(5, 27, 27)",
    "lambda a: jnp.linalg.matrix_rank(a[:, :3] @ a[:3]) + jnp.linalg.norm(a, 'nuc') @@ n(20, 20)",
    "grad(lambda a: jnp.linalg.svd(a, full_matrices=False)[1] ** 3) @@ n(15, 9)",
    "grad(lambda a: jnp.linalg.eigh(a + a.T)[0] * jnp.arange(12)) @@ n(12, 12)",
    "grad(lambda a: jnp.linalg.qr(a)[1] ** 2) @@ n(30, 8)",
    "vmap(jax.grad(lambda a, b: jnp.linalg.slogdet(a)[1] + b @ jnp.linalg.solve(a, b)), (0, 0)) @@ definite(40, 5), n(40, 5)",
    "jax.jacfwd(lambda a: jax.scipy.linalg.expm(a)[:, 0]) @@ n(4, 4, scale=.5)",
    "f64: jax.hessian(lambda x: jnp.linalg.slogdet(jnp.eye(6) + jnp.outer(x, x) + jnp.diag(x ** 2))[1]) @@ n(6, dtype='float64')",
    "lambda a: jax.scipy.linalg.block_diag(*a).sum(0) + jax.scipy.linalg.toeplitz(a[0, 0])[0].sum() @@ n(9, 7, 7)",
    "lambda a, b: jnp.linalg.multi_dot([a, b, a, b[:, :3]]) @@ n(17, 203), n(203, 17)",
    "lambda a: jax.scipy.linalg.sqrtm(a @ a.T + jnp.eye(14)).real @@ n(14, 14)",
    "lambda a: jax.scipy.linalg.eigh_tridiagonal(a[0], a[1, 1:], eigvals_only=True) @@ n(2, 43)",
    # products of many axes
    "lambda a, b: jnp.einsum('abc,cda,db->bd', a, b, b[0, :, :7]) @@ n(11, 7, 17), n(17, 19, 11)",
    "lambda a, b, c: jnp.einsum('zi,zj,ijk->zk', a, b, c) @@ n(501, 9), n(501, 7), n(9, 7, 11)",
    "lambda a, b: jnp.einsum('tbhd,sbhd->hbts', a, b).max(-1) @@ n(37, 3, 5, 16), n(41, 3, 5, 16)",
    "lambda a, b: jnp.einsum('iijj,ji->j', a, b) @@ n(19, 19, 23, 23), n(23, 19)",
    "lambda x, a, b, c: jnp.einsum('abc,ai,bj,ck->ijk', x, a, b, c) @@ n(21, 22, 23), n(21, 6), n(22, 5), n(23, 4)",
    "lambda x, y: jnp.tensordot(x, y, ((0, 3), (2, 1))) @@ n(7, 12, 5, 9), n(13, 9, 7)",
    "lambda x, y: (x.transpose(2, 0, 1) @ y.T).reshape(-1, 31)[::5] @@ n(11, 24, 9), n(31, 24)",
    "lambda x, y: jnp.matmul(x[:, None], y[None]).mean(1) @@ n(13, 9, 21), n(17, 21, 5)",
    "grad(lambda x, y: jnp.einsum('nchw,nchv->cwv', x, y) ** 2, (0, 1)) @@ n(3, 5, 31, 12), n(3, 5, 31, 9)",
    "lambda x, y: jnp.einsum('xyz,yx->z', x, y, preferred_element_type='float32') @@ n(37, 41, 43, dtype='bfloat16'), n(41, 37, dtype='bfloat16')",
    "f64: lambda x, y: jnp.einsum('bik,bjk->bij', x, y).trace(axis1=1, axis2=2) @@ n(203, 11, 6, dtype='float64'), n(203, 11, 6, dtype='float64')",
    "lambda x, v: x.T @ (x @ v) / 4001 + .1 * v @@ n(4001, 61), n(61)",
    "lambda a, x: jax.vmap(lambda s: (a * s) @ x, out_axes=1)(jnp.linspace(0, 1, 13)) @@ n(29, 45), n(45)",
    # sparse
    "lambda a, x: (sparse.BCOO.fromdense(a, nse=401).T @ x) ** 2 @@ n(71, 83) * (abs(n(71, 83, seed=2)) > 1.9), n(71, 5)",
    "lambda a, x: sparse.bcoo_dot_general(sparse.BCOO.fromdense(a, nse=90, n_batch=1), x, dimension_numbers=(((2,), (1,)), ((0,), (0,))))"
    " @@ n(4, 31, 37) * (abs(n(4, 31, 37, seed=2)) > 2.1), n(4, 37, 6)",
    "lambda a: sparse.BCOO.fromdense(a, nse=200).sum_duplicates(nse=200).todense().sum(0) @@ n(51, 53) * (abs(n(51, 53, seed=1)) > 2)",
    "lambda a, x: sparse.BCSR.fromdense(a, nse=300) @ x @@ n(91, 67) * (abs(n(91, 67, seed=2)) > 2), n(67)",
]


# ---- sparse -----------------------------------------------------------------------------------------------------------------

@row("n(900), jnp.stack([i(150, 900), i(130, 900)[::-1]], 1), n(130, 4)", "jax.value_and_grad({0}, (0, 2))")
@row("n(9000), jnp.stack([i(1500, 9000), i(1300, 9000)[::-1]], 1), n(1300, 11)")
def entries_of_sparse_matrix_trained(data, places, x):
    m = sparse.BCOO((data, places), shape=(places.shape[0] // 6, x.shape[0]))
    return jnp.tanh(m @ x).sum() + (m.T @ jnp.ones(m.shape[0])).max()


@row("n(9, 400), n(400)")
@row("n(25, 1001, dtype='bfloat16'), n(1001, dtype='bfloat16')")
@row("n(9, 400, dtype='float64'), n(400, dtype='float64')", double=True)
def diagonals_rolled_times_vector(diagonals, x):
    """A banded matrix by its diagonals, those beyond the ends are zero; three products with a norm between."""
    k = diagonals.shape[0]
    at = jnp.arange(x.size)
    def product(x, _):
        y = jnp.zeros_like(x)
        for d in range(k):
            to = at + d - k // 2
            y = y + jnp.where((to >= 0) & (to < x.size), diagonals[d] * jnp.roll(x, k // 2 - d), 0)
        return y / jnp.abs(y).max(), None
    return lax.scan(product, x, None, length=3)[0]


@row("n(31, 8, 8), i(12, 31), i(12, 31)[::-1], n(12, 8, 5)")
@row("n(120, 16, 16), i(40, 120), i(40, 120)[::-1], n(40, 16, 3)")
@row("n(31, 8, 8), i(12, 31), i(12, 31)[::-1], n(12, 8, 5)", "grad({0}, (0, 3))")
def blocks_gathered_multiplied_and_summed(blocks, rows, columns, x):
    return jax.ops.segment_sum(blocks @ x[columns], rows, x.shape[0])


@row("n(6, 500), i(500, 6, 500), n(500)")
def fixed_width_rows_by_chebyshev_steps(value, column, b):
    """Chebyshev iteration on rows of six entries and a heavy diagonal."""
    apply = lambda x: 4 * x + 0.2 * (nn.tanh(value) * x[column]).sum(0)
    theta, delta = 4.0, 1.5
    def step(s, _):
        x, r, d, rho = s
        new = 1 / (2 * theta / delta - rho)
        x = x + d
        r = b - apply(x)
        return (x, r, new * rho * d + 2 * new / delta * r, new), jnp.abs(r).max()
    return lax.scan(step, (jnp.zeros(500), b, b / theta, delta / theta), None, length=14)


@row("n(800), i(90, 800), i(90, 800)[::-1], n(90)")
@row("n(300, dtype='float64'), i(41, 300), i(41, 300)[::-1], n(41, dtype='float64')", double=True)
def power_method_over_edges_until_still(weight, source, target, x):
    n = x.size
    degree = jnp.zeros(n).at[source].add(jnp.abs(weight)) + 1e-3
    def step(s):
        x, _, k = s
        y = 0.85 * jnp.zeros(n).at[target].add(jnp.abs(weight) / degree[source] * x[source]) + 0.15 / n
        y = y / y.sum()
        return y, jnp.abs(y - x).sum(), k + 1
    return lax.while_loop(lambda s: (s[1] > 1e-6) & (s[2] < 60), step, (jnp.abs(x) / jnp.abs(x).sum(), jnp.array(1, x.dtype), 0))


# ---- dense solvers by hand --------------------------------------------------------------------------------------------------

@row("definite(50, 6), n(50, 6)")
@row("definite(3, 21), n(3, 21)")
@row("definite(50, 6), n(50, 6)", "grad({0}, 1)")
def root_free_factor_and_solution(a, b):
    """LDL' by outer products, then both substitutions, for each of a batch."""
    n = b.shape[-1]
    def one(a, b):
        def column(j, s):
            m, l, d = s
            pivot = m[j, j]
            c = jnp.where(jnp.arange(n) > j, m[:, j] / pivot, 0)
            return m - pivot * jnp.outer(c, c), l.at[:, j].add(c), d.at[j].set(pivot)
        _, l, d = lax.fori_loop(0, n, column, (a, jnp.eye(n), jnp.zeros(n)))
        y = lax.fori_loop(0, n, lambda j, y: y.at[j].add(-(l[j] * jnp.where(jnp.arange(n) < j, y, 0)).sum()), b)
        y = y / d
        back = lambda j, x: x.at[n - 1 - j].add(-(l[:, n - 1 - j] * jnp.where(jnp.arange(n) > n - 1 - j, x, 0)).sum())
        return lax.fori_loop(0, n, back, y)
    return jax.vmap(one)(a, b)


@row("n(40, 26), n(40)")
@row("n(5, 33, 12), n(5, 33)", "vmap({0})")
def rotations_of_planes_triangularize(a, b):
    """Givens rotations, one column after the other, from below."""
    m, n = a.shape
    def turn(s, ij):
        i, j = ij
        w = s[jnp.stack([i - 1, i])]
        r = jnp.sqrt(w[0, j] ** 2 + w[1, j] ** 2 + 1e-20)
        c, sn = w[0, j] / r, w[1, j] / r
        return s.at[jnp.stack([i - 1, i])].set(jnp.stack([c * w[0] + sn * w[1], c * w[1] - sn * w[0]])), None
    order = jnp.array([(i, j) for j in range(n) for i in range(m - 1, j, -1)])
    s, _ = lax.scan(turn, jnp.concatenate([a, b[:, None]], 1), order)
    return jax.scipy.linalg.solve_triangular(s[:n, :n], s[:n, -1])


@row("n(24, 24), n(24)")
@row("n(24, 24, dtype='float64'), n(24, dtype='float64')", double=True)
@row("n(9, 11, 11), n(9, 11)", "vmap({0})")
def transpose_free_residuals_minimized(a, b):
    """BiCGSTAB without a preconditioner, 12 steps."""
    n = b.size
    a = a + 8 * jnp.eye(n, dtype=b.dtype)
    dot = lambda x, y: (x * y).sum()
    def step(s, _):
        x, r, p, rho = s
        v = a @ p
        alpha = rho / (dot(b, v) + 1e-30)
        h = r - alpha * v
        t = a @ h
        omega = dot(t, h) / (dot(t, t) + 1e-30)
        x, r = x + alpha * p + omega * h, h - omega * t
        new = dot(b, r)
        return (x, r, r + new / (rho + 1e-30) * alpha / (omega + 1e-30) * (p - omega * v), new), dot(r, r)
    return lax.scan(step, (jnp.zeros_like(b), b, b, dot(b, b)), None, length=12)


@row("definite(0, 35), n(35, 4)")
@row("definite(0, 90), n(90, 9)")
def block_of_eigenvectors_by_rayleigh_ritz(a, x):
    def step(x, _):
        q, _ = jnp.linalg.qr(jnp.concatenate([x, a @ x], 1))
        w, v = jnp.linalg.eigh(q.T @ a @ q)
        return q @ v[:, -x.shape[1]:], w[-1]
    x, w = lax.scan(step, x, None, length=5)
    return jnp.abs(x), w


@row("n(13, 13, scale=.2)")
@row("n(61, 5, 5, scale=.2)", "vmap({0})")
@row("n(13, 13, scale=.2)", "lambda a: jax.jvp({0}, (a,), (jnp.sin(a),))")
def rotation_by_cayley_then_its_logarithm_series(a):
    k = a - a.T
    n = a.shape[0]
    r = jnp.linalg.solve(jnp.eye(n) + k / 2, jnp.eye(n) - k / 2)
    e = r - jnp.eye(n)
    def term(s, j):
        power, total = s
        power = power @ e
        return (power, total - (-1.0) ** j * power / j), None
    return r, lax.scan(term, (e, e), jnp.arange(2.0, 9.0))[0][1]


@row("n(6, 6), n(6, 6, seed=1)")
@row("n(15, 15), n(15, 15, seed=1)")
def doubling_of_stein_equation(a, q):
    """X = A X A' + Q by squaring, X as a sum of 2^8 terms."""
    a = a / (1.1 * jnp.abs(a).sum(1).max())
    def double(s, _):
        a, x = s
        return (a @ a, x + a @ x @ a.T), None
    return lax.scan(double, (a, q @ q.T), None, length=8)[0][1]


@row("n(40, 30), n(40, 30, seed=1)")
@row("n(7, 12, 9), n(7, 12, 9, seed=1)", "vmap({0})")
def step_on_manifold_of_frames(x, g):
    """Riemannian gradient on orthonormal columns, retraction by QR with positive diagonal, transport by projection."""
    q, _ = jnp.linalg.qr(x)
    sym = lambda m: (m + m.T) / 2
    d = g - q @ sym(q.T @ g)
    new, r = jnp.linalg.qr(q - 0.1 * d)
    new = new * jnp.sign(jnp.diag(r))
    return new, d - new @ sym(new.T @ d)


@row("n(301, 6, scale=.4), n(301, 6, scale=.4, seed=1)")
@row("n(301, 6, scale=.4), n(301, 6, scale=.4, seed=1)", "grad({0}, (0, 1))")
def twists_joined_and_adjoint_applied(a, b):
    """Products of rigid motions from their logarithms, and the adjoint of one on the other."""
    def hat3(w):
        z = jnp.zeros_like(w[..., 0])
        return jnp.stack([z, -w[..., 2], w[..., 1], w[..., 2], z, -w[..., 0], -w[..., 1], w[..., 0], z], -1).reshape(w.shape[:-1] + (3, 3))
    def motion(t):
        w, v = t[..., :3], t[..., 3:]
        k = hat3(w)
        th2 = (w * w).sum(-1)[..., None, None] + 1e-8
        th = jnp.sqrt(th2)
        a, b, c = jnp.sin(th) / th, (1 - jnp.cos(th)) / th2, (th - jnp.sin(th)) / (th2 * th)
        return jnp.eye(3) + a * k + b * k @ k, ((jnp.eye(3) + b * k + c * k @ k) @ v[..., None])[..., 0]
    (r1, p1), (r2, p2) = motion(a), motion(b)
    p = p1 + (r1 @ p2[..., None])[..., 0]
    w = (r1 @ b[..., :3, None])[..., 0]
    return jnp.concatenate([(r1 @ r2).reshape(-1, 9), p, w, (r1 @ b[..., 3:, None])[..., 0] + jnp.cross(p1, w)], -1)


@row("n(8, 5, 5), n(5, 5)")
@row("n(60, 3, 3), n(3, 3)")
def mean_of_definite_matrices_by_descent(x, start):
    """Karcher mean under the affine-invariant metric, four steps with eigendecompositions."""
    x = x @ x.mT + jnp.eye(x.shape[-1])
    def fun(m, f):
        w, v = jnp.linalg.eigh(m)
        return (v * f(jnp.maximum(w, 1e-6))[..., None, :]) @ v.mT
    def step(m, _):
        root, back = fun(m, jnp.sqrt), fun(m, lambda w: w**-0.5)
        s = fun(back @ x @ back, jnp.log).mean(0)
        return root @ fun(s, jnp.exp) @ root, jnp.abs(s).max()
    return lax.scan(step, start @ start.T + jnp.eye(x.shape[-1]), None, length=4)


@row("n(14, 3, 3), n(14, 3, 3, seed=1)")
def tensor_network_of_ladder_contracted(up, down):
    """A ladder of 14 rungs from left to right, rescaled by its norm, the logarithm kept."""
    def rung(s, w):
        env, log = s
        u, d = w
        env = jnp.einsum("ab,ac,bd,ce->cd", env, u, d, jnp.eye(3))
        size = jnp.abs(env).max()
        return (env / size, log + jnp.log(size)), None
    return lax.scan(rung, (jnp.ones((3, 3)), 0.0), (up, down))[0]


@row("n(5, 3, 8, 3), n(5, 3, 8, 3, seed=1)")
@row("n(12, 6, 2, 6), n(12, 6, 2, 6, seed=1)")
def trains_of_tensors_overlapped_and_compressed(a, b):
    """Inner product of two trains, then a sweep of QR over the first."""
    def site(e, w):
        return jnp.einsum("ab,aic,bid->cd", e, w[0], w[1]) / 3, None
    overlap, _ = lax.scan(site, jnp.eye(a.shape[1]), (a, b))
    def sweep(r, core):
        m = jnp.einsum("ab,bic->aic", r, core)
        q, r = jnp.linalg.qr(m.reshape(-1, m.shape[-1]))
        return r / jnp.abs(r).max(), jnp.abs(q).sum()
    return overlap, lax.scan(sweep, jnp.eye(a.shape[1]), a)[1]
