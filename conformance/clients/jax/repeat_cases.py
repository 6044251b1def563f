"""The programs of repeat.py: every operation that a library runs, and every kind of generated kernel that is cut for
threads, in sizes that are cut.

A case is (name, function, arguments, canonical, tolerance). `canonical` makes of the results, as NumPy arrays, those that
have one right value: a factorization is multiplied out, since the signs of eigenvectors are free. A function that is a
string is a StableHLO module."""
import jax
import jax.numpy as jnp
import jax.scipy.linalg as scipy_linalg
import ml_dtypes
import numpy as np
from jax import lax

LAPACK_TYPES = ("float32", "float64", "complex64", "complex128")
TOLERANCE = {"float32": 2e-4, "complex64": 2e-4, "float64": 1e-9, "complex128": 1e-9, "float16": 2e-2, "bfloat16": 6e-2}
CASES = []


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name, name))


def normal(dtype, *shape, seed=0, scale=1.0):
    random = np.random.RandomState(seed)
    x = random.standard_normal(shape) * scale
    if dtype_of(dtype).kind == "c":
        x = x + 1j * random.standard_normal(shape) * scale
    return np.asarray(x).astype(dtype_of(dtype))


def integers(dtype, *shape, low=-100, high=100, seed=0):
    return np.random.RandomState(seed).randint(low, high, shape).astype(dtype)


def definite(dtype, *shape):
    x = normal(dtype, *shape, seed=3)
    return (x @ np.conj(np.swapaxes(x, -1, -2)) + shape[-1] * np.eye(shape[-1])).astype(dtype)


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def add(name, function, *arguments, canonical=None, tolerance=None):
    tolerance = tolerance or TOLERANCE.get(arguments[0].dtype.name, 2e-4)
    CASES.append((name, function, arguments, canonical or (lambda *results: results), tolerance))


# ---- products and convolutions ------------------------------------------------------------------------------------------
def products():
    for dtype in (*TOLERANCE,):
        a, b = normal(dtype, 200, 200, scale=0.07), normal(dtype, 200, 200, seed=1, scale=0.07)
        batch = normal(dtype, 8, 64, 96, scale=0.1)
        add(f"dot {dtype}", lambda a, b: a @ b, a, b)
        add(f"dot transposed {dtype}", lambda a, b: (a.T @ b.T).T, a, b)
        add(f"dot batch {dtype}", lambda a: jnp.einsum("bij,bkj->bik", a, a), batch)
        add(f"dot loop {dtype}", lambda a: lax.fori_loop(0, 4, lambda i, x: x @ x, a), a)
    add("dot int8", lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32), integers("int8", 200, 300),
        integers("int8", 300, 200))
    for dtype in ("float16", "bfloat16"):
        add(f"dot {dtype} to float32", lambda a: lax.dot(a, a, preferred_element_type=jnp.float32), normal(dtype, 160, 160))
    add("dot of integers", lambda a: a @ a, integers("int32", 120, 120))
    add("expm", scipy_linalg.expm, normal("float64", 120, 120, scale=0.1))


def convolutions():
    for dtype in ("float32", "bfloat16", "float16"):
        for layout in ("NHWC", "NCHW"):
            shape, kernel = ((8, 28, 28, 16), "HWIO") if layout == "NHWC" else ((8, 16, 28, 28), "OIHW")
            x = normal(dtype, *shape, scale=0.2)
            w = normal(dtype, *((3, 3, 16, 32) if layout == "NHWC" else (32, 16, 3, 3)), seed=1, scale=0.2)

            def forward(x, w, numbers=(layout, kernel, layout)):
                return lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=numbers)

            def by_input(x, w, forward=forward):
                return jax.vjp(lambda x: forward(x, w), x)[1](forward(x, w))[0]

            def by_kernel(x, w, forward=forward):
                return jax.vjp(lambda w: forward(x, w), w)[1](forward(x, w))[0]
            for name, function in (("forward", forward), ("by input", by_input), ("by kernel", by_kernel)):
                add(f"convolution {name} {layout} {dtype}", function, x, w)
    add("convolution depthwise", lambda x, w: lax.conv_general_dilated(
        x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=16),
        normal("float32", 8, 28, 28, 16), normal("float32", 3, 3, 1, 16, seed=1))
    add("convolution int8", lambda x, w: lax.conv_general_dilated(
        x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), preferred_element_type=jnp.int32),
        integers("int8", 8, 28, 28, 16), integers("int8", 3, 3, 16, 32))


# ---- LAPACK -------------------------------------------------------------------------------------------------------------
def linear_algebra():
    """One large matrix, and a batch that is cut."""
    for dtype in LAPACK_TYPES:
        for shape in ((100, 100), (12, 40, 40)):
            name = f"{dtype} {'x'.join(map(str, shape))}"
            a, spd, hermitian = normal(dtype, *shape), definite(dtype, *shape), normal(dtype, *shape)
            hermitian = (hermitian + adjoint(hermitian)) / 2
            loose = TOLERANCE[dtype] * 50
            add(f"cholesky {name}", jnp.linalg.cholesky, spd)
            add(f"lu {name}", lax.linalg.lu, a, tolerance=loose)
            add(f"qr {name}", jnp.linalg.qr, a, canonical=lambda q, r: (q @ r, abs(r)), tolerance=loose)
            add(f"solve {name}", jnp.linalg.solve, spd, a, tolerance=loose)
            add(f"triangular solve {name}", lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True),
                spd, a, tolerance=loose)
            add(f"eigh {name}", jnp.linalg.eigh, hermitian,
                canonical=lambda w, v: (w, (v * w[..., None, :]) @ adjoint(v)), tolerance=loose)
            add(f"svd {name}", lambda a: jnp.linalg.svd(a, full_matrices=False), a,
                canonical=lambda u, s, v: (s, (u * s[..., None, :]) @ v), tolerance=loose)
            add(f"eig {name}", jnp.linalg.eig, a, tolerance=loose, canonical=lambda w, v: (
                np.sort(abs(w)), (v * w[..., None, :]) @ np.linalg.inv(v)))
            add(f"hessenberg {name}", lambda a: lax.linalg.hessenberg(a)[0], a, tolerance=loose, canonical=lambda h: (
                np.linalg.norm(np.triu(h, -1), axis=(-2, -1)),))
            add(f"determinant {name}", jnp.linalg.slogdet, spd, tolerance=loose)
        add(f"schur {dtype}", scipy_linalg.schur, normal(dtype, 50, 50), canonical=lambda t, z: (z @ t @ adjoint(z),),
            tolerance=TOLERANCE[dtype] * 50)
        add(f"pivoted qr {dtype}", lambda a: scipy_linalg.qr(a, pivoting=True), normal(dtype, 60, 60),
            canonical=lambda q, r, p: (q @ r, p), tolerance=TOLERANCE[dtype] * 50)
        add(f"tridiagonal {dtype}", lambda a: lax.linalg.tridiagonal(a)[1], definite(dtype, 50, 50),
            canonical=lambda d: (d.sum(-1),), tolerance=TOLERANCE[dtype] * 50)
        d = normal(dtype, 6, 300) + 8
        add(f"tridiagonal solve {dtype}", lax.linalg.tridiagonal_solve, d / 9, d.astype(dtype), d / 7,
            normal(dtype, 6, 300, 20), tolerance=TOLERANCE[dtype] * 10)
    for dtype, name in (("float32", "f32"), ("float64", "f64")):
        spd, right = definite(dtype, 16, 48, 48), normal(dtype, 16, 48, 40)
        square, wide = f"tensor<16x48x48x{name}>", f"tensor<16x48x40x{name}>"
        add(f"generated cholesky {dtype}", f"func.func @main(%a: {square}) -> {square} {{ "
            f"%0 = stablehlo.cholesky %a, lower = true : {square} return %0 : {square} }}", spd,
            canonical=lambda l: (np.tril(l) @ np.swapaxes(np.tril(l), -1, -2),), tolerance=TOLERANCE[dtype] * 10)
        add(f"generated triangular solve {dtype}", f"func.func @main(%a: {square}, %b: {wide}) -> {wide} {{ "
            f"%0 = \"stablehlo.triangular_solve\"(%a, %b) {{left_side = true, lower = true, unit_diagonal = false, "
            f"transpose_a = #stablehlo<transpose NO_TRANSPOSE>}} : ({square}, {wide}) -> {wide} return %0 : {wide} }}",
            np.linalg.cholesky(spd), right, tolerance=TOLERANCE[dtype] * 10)


# What the modules above compute.
MODULES = {"generated cholesky": lambda a: a, "generated triangular solve": np.linalg.solve}


# ---- generated kernels --------------------------------------------------------------------------------------------------
def elementwise_and_reductions():
    for dtype in ("float32", "float64", "bfloat16", "float16"):
        x = normal(dtype, 300, 701)
        loose = max(TOLERANCE[dtype], 1e-4)
        add(f"elementwise {dtype}", lambda x: jnp.tanh(x) * jnp.exp(-abs(x)) + jnp.sin(x) * jax.nn.gelu(x), x, tolerance=loose)
        add(f"sum {dtype}", lambda x: (x.sum(), x.sum(0), x.sum(1)), x, tolerance=loose * 10)
        add(f"statistics {dtype}", lambda x: (x.mean(0), x.var(1), x.max(), x.min(0)), x, tolerance=loose * 10)
        add(f"softmax {dtype}", jax.nn.softmax, x, tolerance=loose)
        add(f"norm {dtype}", lambda x: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1), x, tolerance=loose)
        add(f"cumsum {dtype}", lambda x: (jnp.cumsum(x, 0), jnp.cumsum(x, 1), lax.cummax(x)), x, tolerance=loose * 20)
    x = normal("float32", 1 << 20)
    add("sum of a vector", lambda x: (x.sum(), (x * x).sum(), x.argmax(), jnp.linalg.norm(x)), x)
    add("scan of a vector", lambda x: jnp.cumsum(x / 1024), x, tolerance=1e-3)
    add("associative scan", lambda x: lax.associative_scan(lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (x * 0 + 0.9, x)),
        normal("float32", 20000), tolerance=1e-3)
    add("matrix times vector", lambda a, b: (a @ b, b @ a), normal("float32", 700, 700), normal("float32", 700), tolerance=1e-3)
    add("loop", lambda x: lax.fori_loop(0, 20, lambda i, x: jnp.tanh(x) + x.mean() * 0.1, x), normal("float32", 300, 300))
    add("fused loop of a small body", lambda x: lax.while_loop(lambda c: c[0] < 50, lambda c: (c[0] + 1, jnp.sin(c[1])), (0, x)),
        normal("float32", 200))


def order_and_indices():
    keys, many = integers("int32", 100000, low=0, high=5000), normal("float32", 200, 1500)
    add("sort", lambda x: (jnp.sort(x, 0), jnp.sort(x, 1)), many)
    add("sort of a vector", lambda x: (jnp.sort(x), jnp.argsort(x)), keys)
    add("sort by two keys", lambda a, b: lax.sort((a, b, a * 2), num_keys=2), keys, integers("int32", 100000, seed=1))
    add("top k", lambda x: lax.top_k(x, 17), many)
    add("unique counts", lambda x: jnp.unique(x, size=5000, return_counts=True), keys)
    add("gather", lambda x, i: x[i], many, integers("int32", 3000, low=0, high=200))
    add("gather of elements", lambda x, i: jnp.take_along_axis(x, i, 1), many, integers("int32", 200, 1500, low=0, high=1500))
    add("scatter add", lambda x, i: jnp.zeros(5000, x.dtype).at[i].add(x), normal("float32", 100000), keys, tolerance=1e-3)
    add("scatter add of rows", lambda x, i: x.at[i].add(1.5), many, integers("int32", 3000, low=0, high=200))
    add("scatter set", lambda x, i: x.at[i].set(2.0), many, integers("int32", 90, low=0, high=200))
    add("scatter max and multiply", lambda x, i: (x.at[i].max(0.5), x.at[i].multiply(1.01)), many,
        integers("int32", 500, low=0, high=200))
    add("segment sum", lambda x, i: jax.ops.segment_sum(x, i, 100), normal("float32", 20000, 8),
        integers("int32", 20000, low=0, high=100), tolerance=1e-3)
    add("histogram", lambda x: jnp.bincount(x, length=5000), keys)
    add("dynamic slices", lambda x, i: lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i[0], i[1]), (50, 900)), (i[2], i[3])),
        many, integers("int32", 4, low=0, high=100))


def moves_and_windows():
    x, image = normal("float32", 300, 701), normal("float32", 8, 40, 40, 16)
    add("transpose", lambda x, y: (x.T + 0, jnp.transpose(y, (3, 1, 0, 2)) * 1), x, image)
    add("transpose of bytes", lambda x: jnp.transpose(x, (2, 0, 1)), integers("int8", 60, 70, 80))
    add("concatenate, pad, reverse", lambda x: jnp.concatenate([jnp.flip(x, 0), jnp.pad(x, ((1, 2), (0, 0)))]), x)
    add("roll and repeat", lambda x: (jnp.roll(x, 5, 1), jnp.repeat(x, 3, 0), jnp.tile(x, (2, 1))), x)
    add("pooling", lambda x: (lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
                              lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME")), image, tolerance=1e-3)
    add("gradient of pooling", lambda x: jax.grad(lambda x: lax.reduce_window(
        x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME").sum())(x), image)
    add("resize", lambda x: jax.image.resize(x, (8, 61, 61, 16), "cubic"), image, tolerance=1e-3)
    for dtype in ("complex64", "complex128"):
        add(f"fft {dtype}", lambda x: (jnp.fft.fft(x), jnp.fft.ifft2(x)), normal(dtype, 64, 1024), tolerance=TOLERANCE[dtype])
    add("real fft", lambda x: jnp.fft.irfft(jnp.fft.rfft(x)), normal("float32", 64, 1000))
    add("fft of awkward sizes", lambda x: jnp.fft.fft(x), normal("complex64", 16, 1009), tolerance=1e-3)
    add("random bits", lambda seed: (jax.random.bits(jax.random.key(seed), (100000,)),
                                     jax.random.uniform(jax.random.key(seed), (50000,))), np.uint32(7))
    add("random normals", lambda seed: jax.random.normal(jax.random.key(seed), (300, 300)), np.uint32(11), tolerance=1e-3)
    add("random bit generator", lambda state: lax.rng_bit_generator(state, (100000,), "uint32"),
        integers("uint32", 4, low=1, high=1000))
    add("quantize", lambda x: jnp.clip(jnp.round(x * 20), -128, 127).astype(jnp.int8), x)
    add("choose", lambda x: lax.cond(x[0, 0] > 0, lambda x: x * 2, lambda x: x - 1, x), x)


for family in (products, convolutions, linear_algebra, elementwise_and_reductions, order_and_indices, moves_and_windows):
    family()
