"""Linear algebra: JAX's custom calls of LAPACK, in all four types, with batches and odd sizes. Cases only for "cpu" are
those that JAX cannot lower for other platforms."""
import jax
import jax.numpy as jnp
import jax.scipy.linalg as scipy_linalg
import numpy
from jax import lax
from jax.experimental import sparse

from jax_case import case

TYPES = ("float32", "float64", "complex64", "complex128")
SHAPES = ((5, 5), (3, 7, 7), (2, 0, 4, 4), (1, 1), (2, 33, 33))


def normal(*shape, dtype="float32", seed=0):
    random = numpy.random.RandomState(seed)
    x = random.standard_normal(shape)
    return (x + 1j * random.standard_normal(shape) if numpy.dtype(dtype).kind == "c" else x).astype(dtype)


def adjoint(x):
    return jnp.conj(jnp.swapaxes(x, -1, -2))


def definite(*shape, dtype):
    x = normal(*shape, dtype=dtype)
    return (x @ numpy.conj(numpy.swapaxes(x, -1, -2)) + shape[-1] * numpy.eye(shape[-1])).astype(dtype)


def everywhere(function, make=normal, shapes=SHAPES):
    return [jax.jit(function)(jnp.asarray(make(*shape, dtype=dtype))) for dtype in TYPES for shape in shapes]


@case(x64=True, rtol=2e-4, atol=2e-4)
def cholesky():
    return everywhere(jnp.linalg.cholesky, definite)


@case(x64=True)
def cholesky_of_indefinite():
    """A failed factorization returns NaN."""
    return jax.jit(jnp.linalg.cholesky)(jnp.asarray([[[1.0, 2.0], [2.0, 1.0]], [[2.0, 0.0], [0.0, 2.0]]]))


@case(x64=True, rtol=1e-3, atol=1e-3)
def lu():
    return everywhere(lambda a: [lax.linalg.lu(a), jnp.linalg.slogdet(a)])


@case(x64=True, rtol=1e-3, atol=1e-3)
def solve_and_inverse():
    return everywhere(lambda a: [jnp.linalg.solve(a, a[..., :2] * 3), jnp.linalg.inv(a)], definite)


@case(x64=True, rtol=1e-3, atol=1e-3)
def qr():
    return everywhere(lambda a: [jnp.linalg.qr(a[..., :, :3]), jnp.linalg.qr(a[..., :3, :], mode="complete")])


@case(x64=True, rtol=1e-3, atol=1e-3, platform="cpu")
def pivoted_qr():
    return everywhere(lambda a: scipy_linalg.qr(a, pivoting=True)[1:], shapes=((4, 4), (2, 9, 9)))


@case(x64=True, rtol=1e-3, atol=1e-3)
def svd():
    def rebuilt(a):
        u, s, v = jnp.linalg.svd(a[..., :, :3], full_matrices=False)
        full = jnp.linalg.svd(a[..., :3, :])
        return s, (u * s[..., None, :].astype(u.dtype)) @ v, full[1], jnp.abs(full[0]), jnp.linalg.svdvals(a)
    return everywhere(rebuilt)


@case(x64=True, rtol=1e-3, atol=1e-3, platform="cpu")
def svd_of_nan():
    """Reported in the result, not as an error; other matrices of the batch have their correct values."""
    def values(a):
        return jnp.linalg.svdvals(jnp.stack([a, a.at[0, 1].set(jnp.nan)]))
    return everywhere(values, shapes=((4, 4), (3, 7)))


@case(x64=True, rtol=1e-3, atol=1e-3)
def eigh():
    def rebuilt(a):
        w, v = jnp.linalg.eigh(a + adjoint(a))
        return w, (v * w[..., None, :].astype(v.dtype)) @ adjoint(v), jnp.linalg.eigvalsh(a + adjoint(a))
    return everywhere(rebuilt)


@case(x64=True, rtol=1e-2, atol=1e-2, platform="cpu")
def eig():
    def residual(a):
        w, v = jnp.linalg.eig(a)
        return a.astype(v.dtype) @ v - v * w[..., None, :], jnp.sum(w, -1), jnp.sum(jnp.linalg.eigvals(a), -1)
    return everywhere(residual)


@case(x64=True, compare=False, platform="cpu")
def eig_of_infinity():
    """LAPACK would not terminate."""
    w = jax.jit(jnp.linalg.eigvals)(jnp.asarray([[1.0, numpy.inf], [0.0, 1.0]]))
    assert numpy.isnan(numpy.asarray(w)).all()


@case(x64=True, rtol=1e-2, atol=1e-2, platform="cpu")
def schur_and_hessenberg():
    def rebuilt(a):
        t, z = scipy_linalg.schur(a)
        h, q = scipy_linalg.hessenberg(a, calc_q=True)
        return z @ t @ adjoint(z), q @ h @ adjoint(q), jnp.abs(h)
    return everywhere(rebuilt, shapes=((5, 5), (1, 1), (17, 17)))


@case(x64=True, rtol=1e-3, atol=1e-3, platform="cpu")
def tridiagonal():
    return everywhere(lambda a: lax.linalg.tridiagonal(a + adjoint(a))[1:4], shapes=((5, 5), (3, 6, 6)))


@case(x64=True, rtol=1e-3, atol=1e-3)
def tridiagonal_solve():
    return everywhere(lambda a: lax.linalg.tridiagonal_solve(a[..., 0, :], a[..., 1, :] + 9, a[..., 2, :], a[..., :, :2]),
                      shapes=((5, 5), (3, 6, 6), (2, 2, 4, 4)))


@case(x64=True, rtol=1e-3, atol=1e-3, platform="cpu")
def tridiagonal_solve_perturbed():
    """Rows are exchanged where the diagonal is small; pivots that are zero are moved."""
    def solutions(a):
        solve = lambda *diagonals: lax.linalg.tridiagonal_solve(*diagonals, a[..., :, :2], perturb_singular=True)
        nothing = jnp.zeros_like(a[..., 0, :])
        return [solve(a[..., 0, :], a[..., 1, :] / 100, a[..., 2, :]), solve(nothing, nothing, nothing) * 1e-37]
    return everywhere(solutions, shapes=((5, 5), (3, 6, 6), (4, 4)))


@case(x64=True, rtol=1e-5, atol=1e-5)
def sparse_products():
    def products(a):
        held = jnp.where(jnp.abs(a) > 0.5, a, 0)
        rows = sparse.BCSR.fromdense(held, nse=held.size)
        pairs = sparse.BCOO.fromdense(held, nse=held.size)
        return [rows @ a[:, :3], rows @ a[:, 0], pairs @ a[:, :3], jax.grad(lambda v: jnp.abs(rows @ v).sum())(a[:, 0].real)]
    return [products(jnp.asarray(normal(7, 7, dtype=dtype))) for dtype in TYPES]


@case(x64=True, rtol=1e-3, atol=1e-3)
def triangular_solve():
    def solutions(a):
        options = [dict(left_side=left, lower=lower, transpose_a=transpose, conjugate_a=conjugate, unit_diagonal=unit)
                   for left in (True, False) for lower in (True, False) for transpose, conjugate, unit in
                   ((False, False, False), (True, False, True), (True, True, False))]
        triangle = a / 20 + jnp.eye(a.shape[-1], dtype=a.dtype)
        return [lax.linalg.triangular_solve(triangle, a[..., :, :2] if o["left_side"] else a[..., :2, :], **o) for o in options]
    return everywhere(solutions, shapes=((5, 5), (3, 6, 6)))


@case(x64=True, rtol=1e-3, atol=1e-3)
def times_q():
    def products(a):
        packed, taus = jnp.linalg.qr(a[..., :, :3], mode="raw")
        packed = jnp.swapaxes(packed, -1, -2)
        return [lax.linalg.ormqr(packed, taus, a[..., :, :2], left=True, transpose=t) for t in (True, False)] + [
            lax.linalg.ormqr(packed, taus, a[..., :2, :], left=False, transpose=False)]
    return everywhere(products, shapes=((5, 5), (3, 6, 6)))


@case(rtol=1e-3, atol=1e-3)
def derivatives_and_more():
    a = jnp.asarray(definite(6, 6, dtype="float32"))
    return [jax.jit(jax.grad(lambda x: jnp.linalg.slogdet(x)[1]))(a), jax.jit(scipy_linalg.expm)(a / 10),
            jax.jit(jax.grad(lambda x: jnp.linalg.cholesky(x).sum()))(a), jax.jit(jnp.linalg.pinv)(a[:, :4]),
            jax.jit(lambda x: jnp.linalg.lstsq(x[:, :3], x[:, 4])[0])(a),
            jax.jit(jax.vmap(jnp.linalg.det))(jnp.stack([a / 10, a / 9])), jax.jit(jnp.linalg.matrix_rank)(a)]


@case(rtol=1e-3, atol=1e-3, platform="cpu")
def roots_of_matrices():
    a = jnp.asarray(definite(6, 6, dtype="float32"))
    return jax.jit(scipy_linalg.sqrtm)(a).real, jnp.sort(jnp.abs(jnp.linalg.eigvals(a)))
