"""blind_numerics.py: rows of the long tail written before any of them was measured (snippets.py): linear algebra of
small and medium matrices, sparse formats, interpolation, quadrature, series, special functions, differential equations,
optimal transport, embeddings of points, codes, ciphers, compression, sequences of genes, in types from bytes to doubles."""
import jax
import jax.numpy as jnp
from jax import lax, nn
from jax.experimental import sparse

from snippets import row


# ---- matrices --------------------------------------------------------------------------------------------------------

@row("n(40, 40)")
@row("n(300, 3, 3)", "vmap({0})")
@row("n(24, 24, dtype='float64')", double=True)
def polar_by_scaled_newton(a):
    def step(_, x):
        y = jnp.linalg.inv(x).T
        g = jnp.sqrt(jnp.linalg.norm(y) / jnp.linalg.norm(x))
        return 0.5 * (g * x + y / g)
    u = lax.fori_loop(0, 9, step, a)
    h = u.T @ a
    return u, 0.5 * (h + h.T)


@row("definite(0, 30) / 30")
@row("definite(50, 4) / 4", "vmap({0})")
@row("definite(0, 10) / 10", "grad({0})")
def logarithm_by_inverse_scaling(a):
    """Square roots by a coupled iteration, then a Gauss quadrature of the logarithm near one."""
    eye = jnp.eye(a.shape[0])
    def root(a):
        def step(_, s):
            y, z = s
            t = 0.5 * (3 * eye - z @ y)
            return y @ t, t @ z
        c = jnp.trace(a)
        return lax.fori_loop(0, 18, step, (a / c, eye))[0] * jnp.sqrt(c)
    for _ in range(4):
        a = root(a)
    x = jnp.array([0.04691008, 0.23076534, 0.5, 0.76923466, 0.95308992])
    w = jnp.array([0.11846344, 0.23931434, 0.28444444, 0.23931434, 0.11846344])
    d = a - eye
    return 16 * sum(w[k] * jnp.linalg.solve(eye + x[k] * d, d) for k in range(5))


@row("definite(0, 60), n(8, 60)")
@row("definite(16, 6), n(16, 2, 6)", "vmap({0})")
def cholesky_rank_one_updates(a, vectors):
    def update(l, v):
        size = l.shape[0]
        def column(k, s):
            l, v = s
            r = jnp.sqrt(l[k, k] ** 2 + v[k] ** 2)
            c, s = r / l[k, k], v[k] / l[k, k]
            below = jnp.arange(size) > k
            new = jnp.where(below, (l[:, k] + s * v) / c, l[:, k]).at[k].set(r)
            return l.at[:, k].set(new), jnp.where(below, c * v - s * new, v)
        return lax.fori_loop(0, size, column, (l, v))[0], None
    return lax.scan(update, jnp.linalg.cholesky(a), vectors)[0]


@row("jnp.linspace(-1, 1, 14), n(300, 14)", "vmap({0}, (None, 0))")
@row("jnp.linspace(-1, 1, 12), n(90, 12, dtype='float64')", "vmap({0}, (None, 0))", double=True)
def vandermonde_by_divided_differences(x, f):
    size = x.shape[0]
    def down(k, c):
        at = jnp.arange(size)
        gap = x - jnp.roll(x, k + 1)
        return jnp.where(at > k, (c - jnp.roll(c, 1)) / jnp.where(at > k, gap, 1), c)
    c = lax.fori_loop(0, size - 1, down, f)
    def horner(k, p):
        at = size - 1 - k
        return (jnp.roll(p, 1).at[0].set(0.0) - x[at] * p).at[0].add(c[at])
    return c, lax.fori_loop(0, size, horner, jnp.zeros(size, x.dtype))[:6]


@row("n(128), n(128, seed=1)")
def circulant_preconditioned_toeplitz(column, b):
    c = column * 0.5 ** jnp.arange(128.0) + jnp.zeros(128).at[0].set(4.0)
    big = jnp.fft.rfft(jnp.concatenate([c, jnp.zeros(1), c[:0:-1]]))
    product = lambda v: jnp.fft.irfft(big * jnp.fft.rfft(v, 256), 256)[:128]
    k = jnp.arange(128)
    strang = jnp.fft.rfft(jnp.where(k <= 64, c, jnp.roll(c[::-1], 1)))
    inverse = lambda v: jnp.fft.irfft(jnp.fft.rfft(v) / strang, 128)
    return jax.scipy.sparse.linalg.cg(product, b, M=inverse, tol=1e-5, maxiter=30)[0]


@row("n(80, 80), n(80)")
def minimum_residuals_of_indefinite(a, b):
    a = a + a.T
    def step(s, _):
        x, v0, v1, beta, r, d0, d1, c0, s0, c1, s1, eta = s
        w = a @ v1
        alpha = v1 @ w
        w = w - alpha * v1 - beta * v0
        new = jnp.linalg.norm(w)
        delta = c1 * alpha - c0 * s1 * beta
        r1 = jnp.sqrt(delta**2 + new**2)
        r2, r3 = s1 * alpha + c0 * c1 * beta, s0 * beta
        c, sn = delta / r1, new / r1
        d = (v1 - r3 * d0 - r2 * d1) / r1
        x = x + c * eta * d
        return (x, v1, w / new, new, r, d1, d, c1, s1, c, sn, -sn * eta), jnp.abs(eta)
    zero, norm = jnp.zeros(80), jnp.linalg.norm(b)
    first = (zero, zero, b / norm, 0.0, 0.0, zero, zero, 1.0, 0.0, 1.0, 0.0, norm)
    s, history = lax.scan(step, first, None, length=40)
    return s[0], history


@row("n(90, 70)")
def bidiagonal_form(a):
    """Reflections from both sides, twelve of each."""
    def reflect(x, k):
        x = jnp.where(jnp.arange(x.size) >= k, x, 0)
        v = x.at[k].add(jnp.where(x[k] >= 0, 1.0, -1.0) * jnp.linalg.norm(x))
        return v / (jnp.linalg.norm(v) + 1e-20)
    def step(k, a):
        u = reflect(a[:, k], k)
        a = a - 2 * jnp.outer(u, u @ a)
        v = reflect(a[k], k + 1)
        return a - 2 * jnp.outer(a @ v, v)
    return lax.fori_loop(0, 12, step, a)


@row("n(60, 80) @ n(80, 70), i(60, 12), i(70, 12)")
def skeleton_of_columns_and_rows(a, rows, columns):
    c, r = a[:, columns], a[rows]
    core = jnp.linalg.pinv(c, rtol=1e-4) @ a @ jnp.linalg.pinv(r, rtol=1e-4)
    score = (jnp.linalg.svd(a, full_matrices=False)[2][:10] ** 2).sum(0) / 10
    return jnp.linalg.norm(a - c @ core @ r) / jnp.linalg.norm(a), score


@row("n(8, 9, 10, 7)")
def tensor_train_and_back(x):
    cores, rest, rank = [], x.reshape(8, -1), 1
    for size, keep in ((8, 6), (9, 12), (10, 6)):
        u, s, v = jnp.linalg.svd(rest.reshape(rank * size, -1), full_matrices=False)
        cores.append(u[:, :keep].reshape(rank, size, keep))
        rest, rank = s[:keep, None] * v[:keep], keep
    out = jnp.einsum("aib,bjc,ckd,dl->ijkl", *cores, rest)
    return out, jnp.linalg.norm(x - out) / jnp.linalg.norm(x)


@row("n(20, 24, 16), n(20, 5, seed=1), n(24, 5), n(16, 5)")
def canonical_factors_by_alternation(x, a, b, c):
    def solve(m, g):
        return jnp.linalg.solve(g + 1e-3 * jnp.eye(5), m.T).T
    def sweep(s, _):
        a, b, c = s
        a = solve(jnp.einsum("ijk,jr,kr->ir", x, b, c), (b.T @ b) * (c.T @ c))
        b = solve(jnp.einsum("ijk,ir,kr->jr", x, a, c), (a.T @ a) * (c.T @ c))
        c = solve(jnp.einsum("ijk,ir,jr->kr", x, a, b), (a.T @ a) * (b.T @ b))
        return (a, b, c), jnp.linalg.norm(x - jnp.einsum("ir,jr,kr->ijk", a, b, c))
    return lax.scan(sweep, (a, b, c), None, length=8)


@row("n(12, 14, 16, 3)")
def higher_order_singular_values(x):
    factors = []
    for mode, keep in ((0, 4), (1, 5), (2, 6)):
        flat = jnp.moveaxis(x, mode, 0).reshape(x.shape[mode], -1)
        factors.append(jnp.linalg.eigh(flat @ flat.T)[1][:, -keep:])
    core = jnp.einsum("ijkc,ia,jb,kd->abdc", x, *factors)
    return jnp.abs(core), jnp.linalg.norm(core) / jnp.linalg.norm(x)


@row("definite(0, 24), definite(0, 24) * .3 + jnp.eye(24)")
@row("definite(30, 5), definite(30, 5) * .3 + jnp.eye(5)", "vmap({0})")
@row("definite(0, 8), definite(0, 8) * .3 + jnp.eye(8)", "lambda a, b: jax.jvp({0}, (a, b), (b, a))")
def generalized_eigenvalues(a, b):
    l = jnp.linalg.cholesky(b)
    c = jax.scipy.linalg.solve_triangular(l, jax.scipy.linalg.solve_triangular(l, a, lower=True).T, lower=True)
    return jnp.linalg.eigh(0.5 * (c + c.T))[0]


@row("definite(8, 12) / 12, jnp.abs(n(8)) + .1")
def mean_of_covariances(c, w):
    """The barycenter of centered Gaussians for the distance of transport."""
    w = w / w.sum()
    def root(a):
        e, v = jnp.linalg.eigh(a)
        return (v * jnp.sqrt(jnp.maximum(e, 1e-6))[..., None, :]) @ v.swapaxes(-1, -2)
    def step(s, _):
        r = root(s)
        i = jnp.linalg.inv(r)
        t = jnp.einsum("k,kij->ij", w, root(r @ c @ r))
        new = i @ t @ t @ i
        return 0.5 * (new + new.T), jnp.linalg.norm(new - s)
    return lax.scan(step, jnp.eye(12), None, length=6)


@row("n(300, 10), n(300, 8, seed=1)")
def canonical_correlations(x, y):
    x, y = x - x.mean(0), y - y.mean(0)
    lx, ly = jnp.linalg.cholesky(x.T @ x + jnp.eye(10)), jnp.linalg.cholesky(y.T @ y + jnp.eye(8))
    m = jax.scipy.linalg.solve_triangular(lx, x.T @ y, lower=True)
    m = jax.scipy.linalg.solve_triangular(ly, m.T, lower=True)
    return jnp.linalg.svd(m, compute_uv=False)


@row("n(200, 12), n(200, 3, seed=1)")
def partial_least_squares(x, y):
    def component(s, _):
        x, y = s
        def power(_, u):
            w = x.T @ u
            w = w / jnp.linalg.norm(w)
            q = y.T @ (x @ w)
            return y @ (q / jnp.linalg.norm(q))
        u = lax.fori_loop(0, 10, power, y[:, 0])
        w = x.T @ u
        t = x @ (w / jnp.linalg.norm(w))
        p, q = x.T @ t / (t @ t), y.T @ t / (t @ t)
        return (x - jnp.outer(t, p), y - jnp.outer(t, q)), (p, q)
    return lax.scan(component, (x - x.mean(0), y - y.mean(0)), None, length=4)[1]


@row("n(5, 2000) ** 3, n(5, 5)")
def independent_components(x, w):
    x = x - x.mean(1, keepdims=True)
    e, v = jnp.linalg.eigh(x @ x.T / 2000)
    z = (v / jnp.sqrt(e)) @ (v.T @ x)
    def step(w, _):
        g = jnp.tanh(w @ z)
        w = g @ z.T / 2000 - (1 - g * g).mean(1)[:, None] * w
        u, _, vt = jnp.linalg.svd(w)
        return u @ vt, None
    return lax.scan(step, w, None, length=12)[0] @ z


@row("n(50, 6) @ n(6, 40) + 5 * (n(50, 40, seed=1) > 1.8)")
def low_rank_plus_sparse(m):
    shrink = lambda x, t: jnp.sign(x) * nn.relu(jnp.abs(x) - t)
    lam, mu = 1 / 50**0.5, 0.25 * 2000 / jnp.abs(m).sum()
    def step(s, _):
        sparse_part, y = s
        u, e, v = jnp.linalg.svd(m - sparse_part + y / mu, full_matrices=False)
        low = (u * nn.relu(e - 1 / mu)) @ v
        sparse_part = shrink(m - low + y / mu, lam / mu)
        return (sparse_part, y + mu * (m - low - sparse_part)), jnp.linalg.norm(m - low - sparse_part)
    return lax.scan(step, (jnp.zeros_like(m), jnp.zeros_like(m)), None, length=12)


# ---- embeddings of points --------------------------------------------------------------------------------------------

@row("n(150, 10), n(150, 2, scale=.01)")
def stochastic_neighbour_embedding(x, y):
    d = ((x[:, None] - x) ** 2).sum(-1) + 1e9 * jnp.eye(150)
    def bisect(_, s):
        low, high = s
        beta = 0.5 * (low + high)
        p = nn.softmax(-d * beta[:, None], -1)
        entropy = -(p * jnp.log(p + 1e-12)).sum(-1)
        return jnp.where(entropy > jnp.log(20.0), beta, low), jnp.where(entropy > jnp.log(20.0), high, beta)
    beta = lax.fori_loop(0, 20, bisect, (jnp.zeros(150), jnp.full(150, 10.0)))[0]
    p = nn.softmax(-d * beta[:, None], -1)
    p = (p + p.T) / 300
    def step(s, _):
        y, v = s
        q = 1 / (1 + ((y[:, None] - y) ** 2).sum(-1)) * (1 - jnp.eye(150))
        w = (4 * p - q / q.sum()) * q
        v = 0.8 * v - 40 * (w.sum(1)[:, None] * y - w @ y)
        return (y + v, v), None
    return lax.scan(step, (y, y * 0), None, length=15)[0][0]


@row("n(80, 8), n(80, 2)")
def majorized_stress(x, y):
    distance = lambda z: jnp.sqrt(((z[:, None] - z) ** 2).sum(-1) + 1e-9)
    target = distance(x)
    def step(y, _):
        d = distance(y)
        b = -jnp.where(jnp.eye(80) > 0, 0, target / d)
        b = b - jnp.diag(b.sum(1))
        return b @ y / 80, ((d - target) ** 2).sum()
    return lax.scan(step, y, None, length=20)


# ---- sparse ----------------------------------------------------------------------------------------------------------

@row("n(20000), jnp.sort(i(3000, 20000)), i(3000, 20000), n(3000, 4)")
@row("n(20000), jnp.sort(i(3000, 20000)), i(3000, 20000), n(3000, 4)", "grad({0}, (0, 3))")
def transition_by_coordinates(value, r, c, x):
    m = sparse.BCOO((jnp.abs(value), jnp.stack([r, c], 1)), shape=(3000, 3000), indices_sorted=True)
    total = jnp.maximum(m @ jnp.ones(3000), 1e-3)
    for _ in range(3):
        x = 0.9 * (m @ x) / total[:, None] + 0.1
    return x


@row("n(7, 2000), n(2000)")
def diagonals_format_power(d, x):
    offset = (-45, -2, -1, 0, 1, 2, 45)
    def product(x):
        pad = jnp.pad(x, 45)
        return sum(d[k] * lax.dynamic_slice(pad, (45 + o,), (2000,)) for k, o in enumerate(offset))
    return lax.fori_loop(0, 12, lambda _, x: (lambda y: y / jnp.linalg.norm(y))(product(x)), x)


# ---- interpolation, quadrature, series -------------------------------------------------------------------------------

@row("n(60, 2), n(60), n(900, 2, seed=1)")
@row("n(60, 2), n(60), n(900, 2, seed=1)", "grad({0}, (1, 2))")
def multiquadric_interpolant(centers, value, at):
    phi = lambda a, b: jnp.sqrt(((a[:, None] - b) ** 2).sum(-1) + 0.04)
    return phi(at, centers) @ jnp.linalg.solve(phi(centers, centers) - 1e-3 * jnp.eye(60), value)


@row("n(30, 40), n(5000, 2)")
@row("n(30, 40), n(500, 2)", "grad({0}, 1)")
def bicubic_by_convolution_kernel(table, at):
    at = (at + 3) * jnp.array([4.0, 6.0])
    base = jnp.floor(at)
    t = at - base
    near, far = lambda s: 1.5 * s**3 - 2.5 * s**2 + 1, lambda s: -0.5 * s**3 + 2.5 * s**2 - 4 * s + 2
    w = jnp.stack([far(1 + t), near(t), near(1 - t), far(2 - t)], -1)
    index = base.astype(jnp.int32)[..., None] + jnp.arange(-1, 3)
    rows, columns = jnp.clip(index[:, 0], 0, 29), jnp.clip(index[:, 1], 0, 39)
    return jnp.einsum("pi,pj,pij->p", w[:, 0], w[:, 1], table[rows[:, :, None], columns[:, None]])


@row("n(40, 33)", "vmap({0})")
@row("n(6, 17, dtype='float64')", "vmap({0})", double=True)
def chebyshev_series_calculus(value):
    """Coefficients from values, the derivative's, the integral's, values of all three again."""
    m = value.shape[0] - 1
    k = jnp.arange(m + 1)
    c = jnp.fft.rfft(jnp.concatenate([value, value[-2:0:-1]])).real / m
    c = c.at[0].multiply(0.5).at[m].multiply(0.5)
    def back(s, x):
        one, two = s
        j, a = x
        return (two + 2 * (j + 1) * a, one), two + 2 * (j + 1) * a
    d = lax.scan(back, (0.0 * c[0], 0.0 * c[0]), (k[:-1], c[1:]), reverse=True)[1].at[0].multiply(0.5)
    integral = (jnp.roll(c.at[0].multiply(2), 1) - jnp.roll(c, -1).at[m].set(0)) / (2 * jnp.maximum(k, 1))
    t = jnp.cos(jnp.pi * jnp.outer(k, k) / m)
    return t[:, :-1] @ d, t @ integral.at[0].set(0)


@row("1 / (1 + jnp.arange(500, 2501, 5.)) ** .7", "vmap(lambda a: {0}(a, 7))")
@row("jnp.abs(n(300, dtype='float64')) + .5", "vmap(lambda a: {0}(a, 11))", double=True)
def epsilon_algorithm(a, size):
    """Partial sums of an alternating series, accelerated."""
    k = jnp.arange(size)
    s = jnp.cumsum((-1.0) ** k / (k + a))
    before, now = jnp.zeros(size + 1, s.dtype), s
    for _ in range(size - 1):
        gap = now[1:] - now[:-1]
        before, now = now, before[1:-1] + 1 / jnp.where(jnp.abs(gap) < 1e-10, 1e-10, gap)
        if now.size <= 1:
            break
    return now[-1]


@row("n(100)", "vmap({0})")
@row("n(100)", "vmap(jax.grad({0}))")
def gauss_hermite_by_jacobi_matrix(a):
    k = jnp.sqrt(jnp.arange(1.0, 20))
    x, v = jnp.linalg.eigh(jnp.diag(k, 1) + jnp.diag(k, -1))
    return jnp.sum(v[0] ** 2 * jnp.log1p(jnp.exp(a + x)))


@row("jnp.arange(4096, dtype='uint32')")
def sobol_points_of_two_axes(k):
    gray = k ^ k >> 1
    second = [1]
    for j in range(1, 12):
        second.append(second[-1] << 1 ^ second[-1])
    x = jnp.zeros_like(k)
    y = jnp.zeros_like(k)
    for j in range(12):
        bit = gray >> j & 1
        x = x ^ bit * jnp.uint32(1 << 31 - j)
        y = y ^ bit * jnp.uint32((second[j] << 31 - j) & 0xFFFFFFFF)
    return jnp.stack([x, y], 1).astype(jnp.float32) * 2.0**-32


# ---- special functions -----------------------------------------------------------------------------------------------

@row("jnp.abs(n(3000)) + .1, jnp.abs(n(3000, seed=1)) + .1, jnp.abs(n(3000, seed=2)) + .1")
@row("jnp.abs(n(3, 2000, dtype='float64')) + .1", "lambda x: {0}(*x)", double=True)
@row("jnp.abs(n(800)) + .1, jnp.abs(n(800, seed=1)) + .1, jnp.abs(n(800, seed=2)) + .1", "grad({0}, (0, 1, 2))")
def carlson_elliptic(x, y, z):
    def step(_, s):
        x, y, z = s
        r = jnp.sqrt(x * y) + jnp.sqrt(y * z) + jnp.sqrt(z * x)
        return (x + r) / 4, (y + r) / 4, (z + r) / 4
    x, y, z = lax.fori_loop(0, 7, step, (x, y, z))
    a = (x + y + z) / 3
    u, v = 1 - x / a, 1 - y / a
    w = -u - v
    e2, e3 = u * v - w * w, u * v * w
    return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / jnp.sqrt(a)


@row("n(4000) * 2, nn.sigmoid(n(4000, seed=1)) * .95")
def jacobi_elliptic_functions(u, m):
    a, b, c, steps = jnp.ones_like(m), jnp.sqrt(1 - m), jnp.sqrt(m), []
    for _ in range(5):
        steps.append((a, c))
        a, b, c = (a + b) / 2, jnp.sqrt(a * b), (a - b) / 2
    phi = 32 * a * u
    for k in range(5, 0, -1):
        ak, ck = (a, c) if k == 5 else steps[k]
        before, phi = phi, (phi + jnp.arcsin(jnp.clip(ck / ak * jnp.sin(phi), -1, 1))) / 2
    return jnp.sin(phi), jnp.cos(phi), jnp.cos(phi) / jnp.maximum(jnp.cos(before - phi), 1e-3)


@row("n(6000) * 2")
@row("n(6000) * 2", "grad(lambda x: {0}(x)[0])")
def fresnel_integrals(x):
    """Series for small arguments, asymptotic auxiliary functions for large ones."""
    t = jnp.pi / 2 * jnp.minimum(jnp.abs(x), 1.7) ** 2
    c, s, term = 0.0, 0.0, jnp.minimum(jnp.abs(x), 1.7)
    for k in range(0, 22, 2):
        c = c + term / (2 * k + 1) * (-1) ** (k // 2)
        term = term * t / (k + 1)
        s = s + term / (2 * k + 3) * (-1) ** (k // 2)
        term = term * t / (k + 2)
    z = jnp.maximum(jnp.abs(x), 1.7)
    f, g = (1 + 0.926 * z) / (2 + 1.792 * z + 3.104 * z * z), 1 / (2 + 4.142 * z + 3.492 * z * z + 6.67 * z**3)
    p = jnp.pi / 2 * z * z
    big = jnp.abs(x) > 1.7
    sign = jnp.sign(x)
    return (sign * jnp.where(big, 0.5 + f * jnp.sin(p) - g * jnp.cos(p), c),
            sign * jnp.where(big, 0.5 - f * jnp.cos(p) - g * jnp.sin(p), s))


@row("jnp.linspace(-8, .99, 5000)")
@row("jnp.linspace(-8, .99, 5000, dtype='float64')", double=True)
@row("jnp.linspace(-8, .99, 901)", "vmap(jax.grad({0}))")
def dilogarithm(x):
    inside = jnp.where(x < -1, 1 / (1 - x), jnp.where(x < 0, x / (x - 1), jnp.where(x > 0.5, 1 - x, x)))
    safe = jnp.clip(inside, 1e-9, 0.5)
    l = -jnp.log1p(-safe)
    b = (1, -1 / 4, 1 / 36, -1 / 3600, 1 / 211680, -1 / 10886400)
    series = l * (b[0] + b[1] * l + l * l * (b[2] + l * l * (b[3] + l * l * (b[4] + l * l * b[5]))))
    q = jnp.log1p(-jnp.minimum(x, 0.999999))
    one = -jnp.pi**2 / 6
    far = series + one + jnp.log(jnp.where(x < -1, 1 - x, 2)) * (0.5 * q - jnp.log(jnp.where(x < -1, -x, 1)))
    middle = -series - 0.5 * q * q
    near = -series - one - jnp.log(jnp.where(x > 0, x, 1)) * q
    return jnp.where(x < -1, far, jnp.where(x < 0, middle, jnp.where(x > 0.5, near, series)))


@row("lax.complex(n(4000), jnp.abs(n(4000, seed=1)))")
def faddeeva_by_rational_series(z):
    size, scale = 16, 4.757
    m = jnp.arange(-2 * size + 1, 2 * size)
    t = scale * jnp.tan(m * jnp.pi / (4 * size))
    f = jnp.concatenate([jnp.zeros(1), jnp.exp(-t * t) * (scale * scale + t * t)])
    a = jnp.fft.fft(jnp.fft.fftshift(f)).real / (4 * size)
    a = a[1 : size + 1][::-1]
    ratio = (scale + 1j * z) / (scale - 1j * z)
    p = jnp.polyval(a, ratio)
    return 2 * p / (scale - 1j * z) ** 2 + (1 / jnp.sqrt(jnp.pi)) / (scale - 1j * z)


# ---- differential equations ------------------------------------------------------------------------------------------

@row("n(2, scale=.3)")
def extrapolated_midpoints(y):
    f = lambda y: jnp.stack([y[1], -jnp.sin(y[0]) - 0.1 * y[1]])
    sizes = (2, 4, 6, 8)
    def rule(y, m):
        h = 0.4 / m
        a, b = y, y + h * f(y)
        a, b = lax.fori_loop(1, m, lambda _, s: (s[1], s[0] + 2 * h * f(s[1])), (a, b))
        return 0.5 * (a + b + h * f(b))
    def step(y, _):
        t = [rule(y, m) for m in sizes]
        for k in range(1, 4):
            t = [t[j + 1] + (t[j + 1] - t[j]) / ((sizes[j + k] / sizes[j]) ** 2 - 1) for j in range(len(t) - 1)]
        return t[0], t[0]
    return lax.scan(step, y, None, length=50)[1]


@row("n(40, 6, scale=.3)")
@row("n(40, 6, scale=.3)", "lambda u: jax.jvp({0}, (u,), (u,))")
def discontinuous_galerkin_burgers(u):
    """Six nodes in each of forty cells, local Lax-Friedrichs fluxes, three stages."""
    x, v = jnp.linalg.eigh(jnp.diag(jnp.arange(1, 6) / jnp.sqrt(4 * jnp.arange(1, 6) ** 2 - 1.0), 1)
                           + jnp.diag(jnp.arange(1, 6) / jnp.sqrt(4 * jnp.arange(1, 6) ** 2 - 1.0), -1))
    w = 2 * v[0] ** 2
    gap = x[:, None] - x + jnp.eye(6)
    c = jnp.prod(gap, 1)
    d = c[:, None] / c / gap * (1 - jnp.eye(6))
    d = d - jnp.diag(d.sum(1))
    left, right = (jnp.prod(jnp.where(jnp.eye(6) > 0, 1, (e - x) / gap), 1) for e in (-1.0, 1.0))
    def rate(u):
        f, a, b = 0.5 * u * u, u @ left, u @ right
        next_a = jnp.roll(a, -1)
        flux = 0.25 * (b * b + next_a**2) - 0.5 * jnp.maximum(jnp.abs(b), jnp.abs(next_a)) * (next_a - b)
        inner = (f * w) @ d
        return 40 * (inner - flux[:, None] * right + jnp.roll(flux, 1)[:, None] * left) / w
    def step(u, _):
        a = u + 5e-4 * rate(u)
        b = 0.75 * u + 0.25 * (a + 5e-4 * rate(a))
        return (u + 2 * (b + 5e-4 * rate(b))) / 3, None
    return lax.scan(step, u, None, length=40)[0]


@row("n(96, 96, scale=.1), n(96, 96, scale=.1, seed=1)")
def complex_ginzburg_landau(re, im):
    """Spectral, with exponential time differences."""
    k = 2 * jnp.pi * jnp.fft.fftfreq(96, 0.8)
    linear = 1 - (1 + 1j) * (k[:, None] ** 2 + k**2)
    e = jnp.exp(0.1 * linear)
    phi = (e - 1) / jnp.where(jnp.abs(linear) < 1e-3, 1e-3, linear)
    def step(a, _):
        u = jnp.fft.ifft2(a)
        return e * a - phi * jnp.fft.fft2((1 - 1.2j) * jnp.abs(u) ** 2 * u), None
    return jnp.fft.ifft2(lax.scan(step, jnp.fft.fft2(lax.complex(re, im)), None, length=8)[0])


@row("n(100, scale=.1)")
def sine_gordon_kinks(noise):
    x = jnp.linspace(-15, 15, 100)
    u = 4 * jnp.arctan(jnp.exp(x + 5)) + 4 * jnp.arctan(jnp.exp(x - 5)) + 0.01 * noise
    force = lambda u: jnp.diff(u, 2, prepend=u[:1], append=u[-1:]) / 0.09 - jnp.sin(u)
    def step(s, _):
        u, v = s
        v = v + 0.1 * force(u)
        return (u + 0.1 * v, v), 0.5 * (v * v).sum() + (1 - jnp.cos(u)).sum()
    return lax.scan(step, (u, 0 * u), None, length=300)


@row("n(63, 63)")
def poisson_by_sine_transform(f):
    def sine(x):
        y = jnp.concatenate([jnp.zeros((1, 63)), x, jnp.zeros((1, 63)), -x[::-1]])
        return -jnp.fft.rfft(y, axis=0).imag[1:64]
    e = 2 - 2 * jnp.cos(jnp.pi * jnp.arange(1, 64) / 64)
    g = sine(sine(f).T) / (e[:, None] + e)
    return sine(sine(g).T) / 128**2


@row("n(20, 500), jnp.abs(n(20)) + .5")
def jump_diffusion_with_refined_root(z, rate):
    """Paths with jumps by thinning, then the level crossed and where, by interpolation."""
    u = jax.scipy.stats.norm.cdf(z)
    jump = jnp.where(u[:, ::-1] < 0.01 * rate[:, None], -0.2, 0.0)
    path = jnp.cumsum(0.02 * z - 0.0001 + jump, 1)
    below = path < -0.3
    first = jnp.argmax(below, 1)
    at = jnp.arange(20)
    a, b = path[at, jnp.maximum(first - 1, 0)], path[at, first]
    return jnp.where(below.any(1), first - (b + 0.3) / jnp.where(a == b, 1, b - a), 500.0), below.any(1)


# ---- optimal transport -----------------------------------------------------------------------------------------------

@row("n(40, 500), n(40, 300, seed=1)", "vmap({0})")
@row("n(40, 500), n(40, 300, seed=1)", "grad(lambda x, y: vmap({0})(x, y), (0, 1))")
def transport_of_unequal_samples(x, y):
    x, y = jnp.sort(x), jnp.sort(y)
    level = jnp.sort(jnp.concatenate([jnp.arange(1, 501) / 500, jnp.arange(1, 301) / 300]))
    mass = jnp.diff(level, prepend=0.0)
    middle = level - mass / 2
    a, b = (jnp.clip((middle * s).astype(jnp.int32), 0, s - 1) for s in (500, 300))
    return (mass * (x[a] - y[b]) ** 2).sum()


# ---- codes and ciphers -----------------------------------------------------------------------------------------------

@row("i(256, 200, 16)")
def keystream_of_swapped_table(secret):
    """A table of 256 bytes shuffled by the secret, then 64 bytes of the stream."""
    def one(secret):
        def schedule(k, s):
            t, j = s
            j = (j + t[k] + secret[k % 16]) & 255
            a, b = t[k], t[j]
            return t.at[k].set(b).at[j].set(a), j
        t, _ = lax.fori_loop(0, 256, schedule, (jnp.arange(256), 0))
        def draw(s, k):
            t, j = s
            j = (j + t[k]) & 255
            a, b = t[k], t[j]
            t = t.at[k].set(b).at[j].set(a)
            return (t, j), t[(a + b) & 255].astype(jnp.uint8)
        return lax.scan(draw, (t, 0), jnp.arange(1, 65))[1]
    return jax.vmap(one)(secret)


@row("i(1 << 30, 200, 25).astype('uint64') * 12345678901", double=True)
def sponge_permutation(state):
    """The 24 rounds of theta, rho, pi, chi and iota on 5 x 5 lanes of 64 bits."""
    turns, x, y = [[0] * 5 for _ in range(5)], 1, 0
    for t in range(24):
        turns[x][y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    order = jnp.array([(x + 3 * y) % 5 * 5 + x for x in range(5) for y in range(5)])
    shift = jnp.array([turns[(x + 3 * y) % 5][x] for x in range(5) for y in range(5)], jnp.uint64)
    rotate = lambda a, r: jnp.where(r == 0, a, a << r | a >> (64 - r) % 64)
    constants = jnp.array([1, 0x8082, 0x800000000000808A, 0x8000000080008000, 0x808B, 0x80000001, 0x8000000080008081,
                           0x8000000000008009, 0x8A, 0x88, 0x80008009, 0x8000000A], jnp.uint64)
    def step(s, c):
        lane = s.reshape(-1, 5, 5)
        column = jnp.bitwise_xor.reduce(lane, 2)
        lane = lane ^ (jnp.roll(column, 1, 1) ^ rotate(jnp.roll(column, -1, 1), jnp.uint64(1)))[..., None]
        b = rotate(lane.reshape(-1, 25)[:, order], shift).reshape(-1, 5, 5)
        lane = b ^ ~jnp.roll(b, -1, 1) & jnp.roll(b, -2, 1)
        return lane.reshape(-1, 25).at[:, 0].set(lane[:, 0, 0] ^ c), None
    return lax.scan(step, state, jnp.concatenate([constants, constants[::-1]]))[0]


@row("i(1 << 30, 300, 16).astype('uint32')")
def sha256_compression(block):
    rotr = lambda x, r: x >> r | x << 32 - r
    def extend(w, _):
        a, b = w[:, 1], w[:, 14]
        s0, s1 = rotr(a, 7) ^ rotr(a, 18) ^ a >> 3, rotr(b, 17) ^ rotr(b, 19) ^ b >> 10
        return jnp.concatenate([w[:, 1:], (w[:, 0] + s0 + w[:, 9] + s1)[:, None]], 1), w[:, 0]
    words = lax.scan(extend, block, None, length=64)[1]
    k = jnp.floor(jnp.cbrt(jnp.arange(2.0, 66)) % 1 * 65536).astype(jnp.uint32) << 16
    def mix(s, x):
        a, b, c, d, e, f, g, h = s
        t1 = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + (e & f ^ ~e & g) + x[0] + x[1]
        t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + (a & b ^ a & c ^ b & c)
        return (t1 + t2, a, b, c, d + t1, e, f, g), None
    start = tuple(jnp.full(300, v, jnp.uint32) for v in (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F,
                                                         0x9B05688C, 0x1F83D9AB, 0x5BE0CD19))
    return jnp.stack([a + b for a, b in zip(start, lax.scan(mix, start, (words, k))[0])], 1)


@row("i(2, 400, 32).astype('uint8'), n(400, 32) * 1.2")
def polar_code_there_and_back(u, noise):
    def encode(x):
        for k in range(5):
            pair = x.reshape(400, -1, 2, 1 << k)
            x = jnp.stack([pair[:, :, 0] ^ pair[:, :, 1], pair[:, :, 1]], 2).reshape(400, 32)
        return x
    def decode(llr, frozen):
        m = llr.shape[-1]
        if m == 1:
            bit = jnp.where(frozen[0], 0, llr[:, 0] < 0).astype(jnp.uint8)[:, None]
            return bit, bit
        a, b = llr[:, : m // 2], llr[:, m // 2 :]
        left, x = decode(jnp.sign(a) * jnp.sign(b) * jnp.minimum(jnp.abs(a), jnp.abs(b)), frozen[: m // 2])
        right, y = decode(b + (1 - 2.0 * x) * a, frozen[m // 2 :])
        return jnp.concatenate([left, right], 1), jnp.concatenate([x ^ y, y], 1)
    frozen = [bin(k).count("1") < 3 for k in range(32)]
    u = jnp.where(jnp.array(frozen), 0, u).astype(jnp.uint8)
    return (decode(1 - 2.0 * encode(u) + noise, frozen)[0] != u).mean()


@row("i(3329, 20, 256), i(3329, 20, 256)[::-1]")
def lattice_ring_product(a, b):
    """Polynomials modulo x^256 + 1 and 3329 by a transform of 128 pairs, then rounded to four bits."""
    zeta = [pow(17, int(f"{k:07b}"[::-1], 2), 3329) for k in range(128)]
    def transform(x):
        at = 1
        for size in (128, 64, 32, 16, 8, 4, 2):
            x = x.reshape(20, -1, 2, size)
            blocks = x.shape[1]
            t = x[:, :, 1] * jnp.array(zeta[at : at + blocks])[:, None] % 3329
            x = jnp.stack([(x[:, :, 0] + t) % 3329, (x[:, :, 0] - t) % 3329], 2)
            at += blocks
        return x.reshape(20, 64, 2, 2)
    x, y = transform(a), transform(b)
    g = jnp.array(zeta[64:])[:, None] * jnp.array([1, -1])
    low = (x[..., 0] * y[..., 0] + x[..., 1] * y[..., 1] % 3329 * g) % 3329
    high = (x[..., 0] * y[..., 1] + x[..., 1] * y[..., 0]) % 3329
    return jnp.stack([low, high], -1).reshape(20, 256), (a * 16 + 1664) // 3329 & 15


@row("i(16384, 300), i(16384, 300)[::-1]")
def montgomery_exchange(secret, other):
    """Powers of three modulo a prime of 15 bits, with reductions without division."""
    p, inverse = jnp.uint32(32749), jnp.uint32((-pow(32749, -1, 1 << 16)) % (1 << 16))
    reduce = lambda t: (lambda r: jnp.where(r >= p, r - p, r))((t + (t * inverse & 0xFFFF) * p) >> 16)
    to = lambda x: (x.astype(jnp.uint32) << 16) % p
    def power(base, e):
        def step(s, k):
            out, base = s
            out = jnp.where(e >> k & 1 == 1, reduce(out * base), out)
            return (out, reduce(base * base)), None
        return lax.scan(step, (jnp.full_like(base, 65536 % 32749), base), jnp.arange(14, dtype=jnp.uint32))[0][0]
    secret, other = secret.astype(jnp.uint32), other.astype(jnp.uint32)
    mine, theirs = (power(to(jnp.full(300, 3)), e) for e in (secret, other))
    return reduce(power(theirs, secret)), power(theirs, secret) == power(mine, other)


# ---- compression -----------------------------------------------------------------------------------------------------

@row("jnp.abs(n(16, 64)) + .01", "vmap({0})")
def lengths_of_prefix_code(weight):
    """Merges the two least groups until one is left; a symbol's length is how often its group was merged."""
    def merge(s, _):
        w, group, length = s
        a = jnp.argmin(w)
        b = jnp.argmin(w.at[a].set(jnp.inf))
        length = length + ((group == a) | (group == b))
        return (w.at[a].add(w[b]).at[b].set(jnp.inf), jnp.where(group == b, a, group), length), None
    length = lax.scan(merge, (weight, jnp.arange(64), jnp.zeros(64, jnp.int32)), None, length=63)[0][2]
    return length, (length * weight).sum() / weight.sum()


@row("jnp.cumsum(i(60, 30000) - 20)")
def zigzag_varint_bytes(x):
    d = jnp.diff(x, prepend=0)
    z = (d << 1 ^ d >> 31).astype(jnp.uint32)
    size = 1 + (z > 127).astype(jnp.int32) + (z > 16383)
    at = jnp.cumsum(size) - size
    out = jnp.zeros(60000, jnp.uint8)
    for k in range(3):
        byte = (z >> 7 * k & 127 | jnp.where(k + 1 < size, 128, 0).astype(jnp.uint32)).astype(jnp.uint8)
        out = out.at[jnp.where(k < size, at + k, 60000)].set(byte, mode="drop")
    return out, size.sum()


@row("jnp.round(jnp.cumsum(n(8000)), 1)")
def leading_zeros_of_neighbouring_floats(x):
    b = lax.bitcast_convert_type(x, jnp.uint32)
    d = b ^ jnp.roll(b, 1).at[0].set(0)
    lead = lax.clz(d)
    trail = jnp.where(d == 0, 32, lax.population_count((d & (~d + 1)) - 1))
    bits = jnp.where(d == 0, 1, 2 + 5 + 5 + 32 - lead - jnp.minimum(trail, 32 - lead))
    back = lax.associative_scan(jnp.bitwise_xor, d)
    return bits.sum(), jnp.bincount(lead.astype(jnp.int32), length=33), lax.bitcast_convert_type(back, jnp.float32)


@row("(n(12, 400) * 6000).astype('int32')", "vmap({0})")
def adaptive_difference_audio(x):
    """Four bits a sample; the step adapts."""
    steps = jnp.round(7 * 1.1 ** jnp.arange(89)).astype(jnp.int32)
    move = jnp.array([-1, -1, -1, -1, 2, 4, 6, 8])
    def encode(s, v):
        guess, k = s
        step, d = steps[k], v - guess
        code = jnp.clip(jnp.abs(d) * 4 // step, 0, 7)
        change = step * code // 4 + step // 8
        guess = jnp.clip(guess + jnp.where(d < 0, -change, change), -32768, 32767)
        return (guess, jnp.clip(k + move[code], 0, 88)), (code | jnp.where(d < 0, 8, 0), guess)
    code, guess = lax.scan(encode, (0, 0), x)[1]
    return (code[0::2] << 4 | code[1::2]).astype(jnp.uint8), guess.astype(jnp.int16)


@row("i(256, 40, 40, 4, 4, 3).astype('uint8')")
def block_texture_endpoints(blocks):
    x = blocks.reshape(1600, 16, 3).astype(jnp.int32)
    low, high = x.min(1), x.max(1)
    pack = lambda c: c[:, 0] >> 3 << 11 | c[:, 1] >> 2 << 5 | c[:, 2] >> 3
    palette = jnp.stack([high, low, (2 * high + low) // 3, (high + 2 * low) // 3], 1)
    index = ((x[:, :, None] - palette[:, None]) ** 2).sum(-1).argmin(-1).astype(jnp.uint32)
    bits = (index << 2 * jnp.arange(16, dtype=jnp.uint32)).sum(1, dtype=jnp.uint32)
    return pack(high).astype(jnp.uint16), pack(low).astype(jnp.uint16), bits


@row("jnp.clip(n(48, 64) * .25 + .5, 0, 1)")
def error_diffused_to_two_levels(image):
    def line(carry, pixels):
        def pixel(right, v):
            v = v + right
            out = jnp.where(v > 0.5, 1.0, 0.0)
            return (v - out) * 7 / 16, (out, v - out)
        _, (out, error) = lax.scan(pixel, 0.0, pixels + carry)
        below = error * 5 / 16 + jnp.roll(error, -1).at[-1].set(0) * 3 / 16 + jnp.roll(error, 1).at[0].set(0) / 16
        return below, out.astype(bool)
    return lax.scan(line, jnp.zeros(64), image)[1]


# ---- genes -----------------------------------------------------------------------------------------------------------

@row("n(12, 70, 20), i(20, 12, 60)", "vmap({0})")
def profile_model_forward(emission, sequence):
    """Match, insert and delete states in log space."""
    match = nn.log_softmax(emission)
    stay, jump, extend = jnp.log(0.9), jnp.log(0.05), jnp.log(0.4)
    def letter(s, c):
        m, i, d = s
        shift = lambda x: jnp.concatenate([jnp.full(1, -1e5), x[:-1]])
        before = jnp.logaddexp(jnp.logaddexp(shift(m) + stay, shift(i) - 0.5), shift(d) - 0.5)
        new_m = match[:, c] + before
        new_i = jnp.logaddexp(m + jump, i + extend) - 3.0
        def delete(left, x):
            d = jnp.logaddexp(x + jump, left + extend)
            return d, d
        new_d = lax.scan(delete, -1e5, shift(new_m))[1]
        return (new_m, new_i, new_d), None
    first = match[:, sequence[0]] + jnp.where(jnp.arange(70) == 0, 0.0, -4.0)
    low = jnp.full(70, -1e5)
    m, i, d = lax.scan(letter, (first, low, low), sequence[1:])[0]
    return nn.logsumexp(jnp.stack([m, i, d]))


@row("i(20, 16, 80), i(20, 16, 64), n(20, 20) * 2", "lambda a, b, s: vmap({0}, (0, 0, None))(a, b, s)")
def local_alignment_with_affine_gaps(a, b, score):
    def line(s, letter):
        h, e = s
        e = jnp.maximum(e - 1, h - 5)
        diagonal = jnp.concatenate([jnp.zeros(1), h[:-1]]) + score[letter, b]
        base = jnp.maximum(jnp.maximum(diagonal, e), 0)
        k = jnp.arange(64.0)
        f = lax.cummax(base + k) - k - 5
        new = jnp.maximum(base, jnp.concatenate([jnp.zeros(1), f[:-1]]))
        return (new, e), new.max()
    return lax.scan(line, (jnp.zeros(64), jnp.full(64, -1e4)), a)[1].max()


@row("i(3, 100, 500), i(4, 100)")
def genotype_statistics(dosage, population):
    """Equilibrium test, heterozygosity within and between populations, the two largest components."""
    p = dosage.mean(0) / 2
    seen = jnp.stack([(dosage == k).sum(0) for k in range(3)])
    expected = 100 * jnp.stack([(1 - p) ** 2, 2 * p * (1 - p), p * p])
    chi = ((seen - expected) ** 2 / expected).sum(0)
    hot = nn.one_hot(population, 4)
    q = hot.T @ dosage / (2 * hot.sum(0))[:, None]
    inside, total = (2 * q * (1 - q)).mean(0), 2 * q.mean(0) * (1 - q.mean(0))
    z = (dosage - 2 * p) / jnp.sqrt(2 * p * (1 - p))
    e, v = jnp.linalg.eigh(z @ z.T / 500)
    return chi, 1 - inside.sum() / total.sum(), e[-2:], jnp.abs(v[:, -2:])


@row("jnp.array([9, 14, 2, 4, 1]) * 3")
def isotope_pattern(count):
    """Powers of each element's pattern by repeated squaring of truncated polynomials."""
    base = jnp.array([[0.989, 0.011, 0], [0.9999, 0.0001, 0], [0.996, 0.004, 0], [0.9976, 0.0004, 0.002],
                      [0.95, 0.008, 0.042]])
    base = jnp.pad(base, ((0, 0), (0, 9)))
    times = jax.vmap(lambda a, b: jnp.convolve(a, b)[:12])
    def bit(s, k):
        out, b = s
        return (jnp.where((count >> k & 1 == 1)[:, None], times(out, b), out), times(b, b)), None
    out = lax.scan(bit, (jnp.zeros((5, 12)).at[:, 0].set(1.0), base), jnp.arange(6))[0][0]
    total = out[0]
    for k in range(1, 5):
        total = jnp.convolve(total, out[k])[:12]
    return total / total.max()
