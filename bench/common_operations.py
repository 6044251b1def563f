"""common_operations.py: what bench.py measures besides models (programs.py): many small operations in typical uses.
OPERATIONS maps a name to a function without arguments, called only in the measuring process, that returns (function,
its arguments)."""
from programs import conv, integers, normal


def on(function, *shapes, dtype="float32", scale=1.0):
    """`function` applied to random values of the given shapes."""
    return lambda: (function, [normal(*shape, dtype=dtype, scale=scale, seed=i) for i, shape in enumerate(shapes)])


def whole(function, *shapes, high=100):
    """`function` applied to random integers of the given shapes."""
    return lambda: (function, [integers(high, *shape) for shape in shapes])


def jnp_of(name, *shapes, dtype="float32", scale=1.0, **more):
    def make():
        import jax.numpy as jnp
        return on(lambda *x: getattr(jnp, name)(*x, **more), *shapes, dtype=dtype, scale=scale)()
    return make


def lax_of(name, *shapes, dtype="float32", **more):
    def make():
        from jax import lax
        return on(lambda *x: getattr(lax, name)(*x, **more), *shapes, dtype=dtype)()
    return make


def nn_of(name, *shapes, dtype="float32", **more):
    def make():
        import jax
        return on(lambda *x: getattr(jax.nn, name)(*x, **more), *shapes, dtype=dtype)()
    return make


def gradient(make, wrt=0):
    """The gradient of the function from `make`, with a cotangent of the shape of its results."""
    def run():
        import jax
        function, arguments = make()
        result = jax.eval_shape(function, *arguments)
        cotangent = normal(*result.shape, dtype=result.dtype, seed=9)
        return lambda c, *x: jax.vjp(function, *x)[1](c)[wrt], [cotangent, *arguments]
    return run


def doubled(make):
    """Enables 64-bit types."""
    def run():
        import jax
        import jax.numpy as jnp
        jax.config.update("jax_enable_x64", True)
        function, arguments = make()
        return function, [jnp.asarray(a).astype("float64") for a in arguments]
    return run


def transposes():
    cases = {"10": (2048, 2048), "021": (64, 256, 256), "102": (128, 128, 256), "120": (64, 256, 256), "201": (64, 256, 256),
             "210": (128, 128, 128), "0213": (8, 512, 12, 64), "0231": (8, 64, 56, 56), "0312": (8, 56, 56, 64),
             "3210": (32, 32, 32, 64), "0132": (4, 16, 256, 256), "10 thin": (1000000, 3), "10 wide": (3, 1000000)}

    def make(key, shape):
        def run():
            import jax.numpy as jnp
            order = [int(c) for c in key.split()[0]]
            return lambda x: jnp.transpose(x, order) + 1, [normal(*shape)]
        return run
    return {f"transpose {key} {'x'.join(map(str, shape))}": make(key, shape) for key, shape in cases.items()}


def reductions():
    rows = {}
    for dtype in ("float32", "bfloat16", "int32"):
        for name in ("sum", "max"):
            for axis in (0, 1):
                rows[f"{name} {dtype} axis {axis}, 2048 x 1024"] = jnp_of(name, (2048, 1024), dtype=dtype, scale=100, axis=axis)
    for axis in (0, 1, 2):
        rows[f"mean axis {axis}, 64 x 128 x 256"] = jnp_of("mean", (64, 128, 256), axis=axis)
        rows[f"argmax axis {axis}, 64 x 128 x 256"] = jnp_of("argmax", (64, 128, 256), axis=axis)
    for axis in (0, 1):
        rows[f"cumsum axis {axis}, 1024 x 1024"] = jnp_of("cumsum", (1024, 1024), axis=axis)
        rows[f"sort axis {axis}, 512 x 512"] = jnp_of("sort", (512, 512), axis=axis)
        rows[f"argsort axis {axis}, 512 x 512"] = jnp_of("argsort", (512, 512), axis=axis)
    return rows | {
        "sum axes 0 2 3, 16 x 64 x 28 x 28": jnp_of("sum", (16, 64, 28, 28), axis=(0, 2, 3)),
        "sum f64 axis 1, 2048 x 1024": doubled(jnp_of("sum", (2048, 1024), axis=1)),
        "sum f64 axis 0, 2048 x 1024": doubled(jnp_of("sum", (2048, 1024), axis=0)),
        "sum of 1000": jnp_of("sum", (1000,)), "sum axis 1, 100000 x 8": jnp_of("sum", (100000, 8), axis=1),
        "sum axis 0, 100000 x 8": jnp_of("sum", (100000, 8), axis=0), "sum axis 1, 8 x 100000": jnp_of("sum", (8, 100000), axis=1),
        "prod axis 1, 1024 x 1024": jnp_of("prod", (1024, 1024), axis=1), "var axis 0, 1024 x 1024": jnp_of("var", (1024, 1024), axis=0),
        "all of x > -9, 1024 x 1024": on(lambda x: (x > -9).all(), (1024, 1024)),
        "any of x > 9 axis 1, 1024 x 1024": on(lambda x: (x > 9).any(1), (1024, 1024)),
        "count x > 0, 1024 x 1024": on(lambda x: (x > 0).sum(), (1024, 1024)),
        "logsumexp axis 1, 1024 x 1024": on(lambda x: __import__("jax").nn.logsumexp(x, 1), (1024, 1024)),
        "norm, 1024 x 1024": on(lambda x: __import__("jax.numpy").numpy.linalg.norm(x, axis=1), (1024, 1024)),
        "cumprod axis 1, 1024 x 1024": jnp_of("cumprod", (1024, 1024), axis=1),
        "cummax axis 1, 1024 x 1024": lax_of("cummax", (1024, 1024), axis=1),
        "cummax axis 0, 1024 x 1024": lax_of("cummax", (1024, 1024), axis=0),
        "cumlogsumexp, 256 x 1024": lax_of("cumlogsumexp", (256, 1024), axis=1),
        "cumsum int32, 1 Mi": whole(lambda x: x.cumsum(), (1 << 20,)),
        "cumsum of 1 Mi": jnp_of("cumsum", (1 << 20,)),
        "associative scan, 1024 x 256": on(lambda x: __import__("jax").lax.associative_scan(lambda a, b: a * b, x), (1024, 256)),
        "median, 1024 x 256": jnp_of("median", (1024, 256), axis=1), "quantile, 64 Ki": on(
            lambda x: __import__("jax.numpy").numpy.quantile(x, 0.3), (1 << 16,)),
        "unique of 4096, padded": whole(lambda x: __import__("jax.numpy").numpy.unique(x, size=100), (4096,)),
        "searchsorted 64 Ki in 4096": on(lambda a, x: __import__("jax.numpy").numpy.searchsorted(a.sort(), x), (4096,), (1 << 16,)),
        "histogram, 64 Ki": on(lambda x: __import__("jax.numpy").numpy.histogram(x, 64)[0], (1 << 16,)),
        "sort 64 x 64": jnp_of("sort", (64, 64)), "sort of 1000": jnp_of("sort", (1000,)),
        "lexsort 64 Ki": whole(lambda a, b: __import__("jax.numpy").numpy.lexsort((a, b)), (1 << 16,), (1 << 16,)),
        "top 5 of 1000, 128 rows": lax_of("top_k", (128, 1000), k=5), "argmax of 50257, 8 rows": jnp_of("argmax", (8, 50257), axis=1),
        "convolve 64 Ki with 65": jnp_of("convolve", (1 << 16,), (65,)),
    }


def moving():
    def roll(x):
        import jax.numpy as jnp
        return jnp.roll(x, 7, 1)

    def update(x, y, i):
        from jax import lax
        return lax.dynamic_update_slice(x, y, (i, i))

    def pick(x, i):
        import jax.numpy as jnp
        return jnp.take_along_axis(x, i, 1)

    def hot(i):
        import jax
        return jax.nn.one_hot(i, 512)

    def segments(x, i):
        import jax
        return jax.ops.segment_sum(x, i, 1000)

    def with_index(function, shape, high, *count):
        return lambda: (function, [normal(*shape), integers(high, *count)])
    return transposes() | {
        "concatenate axis 0": on(lambda a, b: __import__("jax.numpy").numpy.concatenate([a, b], 0), (1024, 512), (1024, 512)),
        "concatenate axis 1": on(lambda a, b: __import__("jax.numpy").numpy.concatenate([a, b], 1), (1024, 512), (1024, 500)),
        "stack axis 2": on(lambda a, b: __import__("jax.numpy").numpy.stack([a, b], 2), (1024, 512), (1024, 512)),
        "pad 1": on(lambda x: __import__("jax.numpy").numpy.pad(x, 1), (1024, 1024)),
        "pad reflect": on(lambda x: __import__("jax.numpy").numpy.pad(x, 3, mode="reflect"), (1024, 1024)),
        "slice inside": on(lambda x: x[5:-5, 7:-7], (1024, 1024)), "every second row": on(lambda x: x[::2], (2048, 1024)),
        "every second column": on(lambda x: x[:, ::2], (1024, 2048)), "flip columns": on(lambda x: x[:, ::-1], (1024, 1024)),
        "flip rows": on(lambda x: x[::-1], (1024, 1024)), "roll": on(roll, (1024, 1024)),
        "tile": on(lambda x: __import__("jax.numpy").numpy.tile(x, (4, 4)), (256, 256)),
        "repeat": on(lambda x: __import__("jax.numpy").numpy.repeat(x, 4, 1), (512, 512)),
        "broadcast outer product": on(lambda x, y: x[:, None] * y, (1024,), (1024,)),
        "tril": on(lambda x: __import__("jax.numpy").numpy.tril(x), (1024, 1024)),
        "where": on(lambda x, y: __import__("jax.numpy").numpy.where(x > 0, x, y), (1024, 1024), (1024, 1024)),
        "reshape": on(lambda x: x.reshape(512, 2048) + 1, (1024, 1024)),
        "bf16 to f32": on(lambda x: x.astype("float32"), (1024, 1024), dtype="bfloat16"),
        "f32 to bf16": on(lambda x: x.astype("bfloat16"), (1024, 1024)),
        "f32 to int8": on(lambda x: (x * 30).astype("int8"), (1024, 1024)),
        "update slice": lambda: (update, [normal(1024, 1024), normal(64, 64), 100]),
        "gather 4096 rows of 64 of 1 Mi": with_index(lambda x, i: x[i], (1 << 20, 64), 1 << 20, 4096),
        "gather 64 Ki scalars": with_index(lambda x, i: x[i], (1 << 20,), 1 << 20, 1 << 16),
        "gather columns": with_index(lambda x, i: x[:, i], (512, 1024), 1024, 512),
        "take along axis": with_index(pick, (1024, 1024), 1024, 1024, 32),
        "one hot 512": lambda: (hot, [integers(512, 4096)]),
        "embedding gradient, 1 Mi x 64": lambda: (lambda x, i, u: x.at[i].add(u), [
            normal(1 << 20, 64), integers(1 << 20, 4096), normal(4096, 64)]),
        "embedding gradient of zero, 50257 x 256": lambda: (
            lambda i, u: __import__("jax.numpy").numpy.zeros((50257, 256)).at[i].add(u), [integers(50257, 1024), normal(1024, 256)]),
        "scatter-add bf16 rows": lambda: (lambda x, i, u: x.at[i].add(u), [
            normal(1024, 128, dtype="bfloat16"), integers(1024, 1 << 14), normal(1 << 14, 128, dtype="bfloat16")]),
        "scatter-add int32 rows": lambda: (lambda x, i, u: x.at[i].add(u), [
            integers(9, 1024, 128), integers(1024, 1 << 14), integers(9, 1 << 14, 128)]),
        "scatter-add 64 Ki scalars": lambda: (lambda x, i, u: x.at[i].add(u), [
            normal(1 << 16), integers(1 << 16, 1 << 16), normal(1 << 16)]),
        "scatter set 4096 rows": lambda: (lambda x, i, u: x.at[i].set(u), [
            normal(1 << 16, 64), integers(1 << 16, 4096), normal(4096, 64)]),
        "scatter set unique sorted rows": lambda: (lambda x, i, u: x.at[i.sort()].set(u, unique_indices=True, indices_are_sorted=True), [
            normal(1 << 16, 64), integers(1 << 16, 4096), normal(4096, 64)]),
        "scatter max rows": lambda: (lambda x, i, u: x.at[i].max(u), [normal(1024, 128), integers(1024, 1 << 14), normal(1 << 14, 128)]),
        "scatter-add columns": lambda: (lambda x, i, u: x.at[:, i].add(u), [normal(128, 1024), integers(1024, 512), normal(128, 512)]),
        "scatter-add points, 64 Ki": lambda: (lambda x, i, j, u: x.at[i, j].add(u), [
            normal(512, 512), integers(512, 1 << 16), integers(512, 1 << 16), normal(1 << 16)]),
        "segment sum 64 Ki x 16": lambda: (segments, [normal(1 << 16, 16), integers(1000, 1 << 16)]),
        "segment sum 64 Ki": lambda: (segments, [normal(1 << 16), integers(1000, 1 << 16)]),
        "bincount 64 Ki": lambda: (lambda i: __import__("jax.numpy").numpy.bincount(i, length=1000), [integers(1000, 1 << 16)]),
        "take along axis gradient": gradient(with_index(pick, (1024, 1024), 1024, 1024, 32)),
        "nonzero, padded": on(lambda x: __import__("jax.numpy").numpy.nonzero(x > 1, size=4096)[0], (1 << 16,)),
    }


def contractions():
    def einsum(text, *shapes, **more):
        return on(lambda *x: __import__("jax.numpy").numpy.einsum(text, *x), *shapes, **more)
    rows = {f"batch of 1024 matmuls {n} x {n}": on(lambda x, y: x @ y, (1024, n, n), (1024, n, n)) for n in (3, 4, 8, 16, 32)}
    rows |= {f"matvec {n}": on(lambda x, y: x @ y, (n, n), (n,)) for n in (64, 512, 2048)}
    rows |= {f"matmul {name} {m}x{k}x{n}": on(lambda x, y: x @ y, (m, k), (k, n), dtype=dtype) for dtype, name, m, k, n in (
        ("float32", "f32", 8, 8, 8), ("float32", "f32", 32, 32, 32), ("float32", "f32", 128, 128, 128), ("float32", "f32", 1, 512, 512),
        ("float32", "f32", 4, 1024, 1024), ("float32", "f32", 32, 784, 128), ("float32", "f32", 1000, 10, 10), ("float32", "f32", 512, 2048, 16),
        ("float32", "f32", 16, 2048, 512), ("float32", "f32", 100, 100, 100), ("bfloat16", "bf16", 32, 32, 32), ("bfloat16", "bf16", 1, 1024, 1024),
        ("bfloat16", "bf16", 8, 1024, 1024), ("float16", "f16", 256, 256, 256), ("complex64", "c64", 128, 128, 128))}
    return rows | {
        "vmap 256 of 32x16 by 16": einsum("bij,bj->bi", (256, 32, 16), (256, 16)),
        "einsum bik,bkj->ijb": einsum("bik,bkj->ijb", (16, 64, 64), (16, 64, 64)),
        "einsum ijk,kl->lij": einsum("ijk,kl->lij", (32, 32, 64), (64, 64)), "einsum ij,jk,kl->il": einsum("ij,jk,kl->il", *[(128, 128)] * 3),
        "einsum bhqd,bhkd->bhqk": einsum("bhqd,bhkd->bhqk", *[(4, 8, 128, 32)] * 2), "einsum ii->": einsum("ii->", (1024, 1024)),
        "einsum ij,ij->i": einsum("ij,ij->i", (1024, 256), (1024, 256)), "einsum abc,cd,de->abe": einsum("abc,cd,de->abe", (16, 64, 64), (64, 128), (128, 32)),
        "x.T @ y, 256": on(lambda x, y: x.T @ y, (256, 256), (256, 256)), "x @ y.T, 256": on(lambda x, y: x @ y.T, (256, 256), (256, 256)),
        "matmul f64 256": doubled(on(lambda x, y: x @ y, (256, 256), (256, 256))),
        "matmul f64 32": doubled(on(lambda x, y: x @ y, (32, 32), (32, 32))),
        "matmul int8 256": whole(lambda x, y: __import__("jax").lax.dot(x.astype("int8"), y.astype("int8"), preferred_element_type="int32"), (256, 256), (256, 256)),
        "matmul int32 256": whole(lambda x, y: x @ y, (256, 256), (256, 256)),
        "matmul int4 256": whole(lambda x, y: __import__("jax").lax.dot(x.astype("int4"), y.astype("int4"), preferred_element_type="int32"), (256, 256), (256, 256), high=7),
        "dot of 1 Mi": on(lambda x, y: x @ y, (1 << 20,), (1 << 20,)), "dot of 100": on(lambda x, y: x @ y, (100,), (100,)),
        "outer 1000": jnp_of("outer", (1000,), (1000,)), "kron 32": jnp_of("kron", (32, 32), (32, 32)),
        "pairwise distances 512 x 64": on(lambda x, y: ((x[:, None] - y) ** 2).sum(-1), (512, 64), (512, 64)),
        "matrix power 64": on(lambda x: __import__("jax.numpy").numpy.linalg.matrix_power(x, 5), (64, 64), scale=0.1),
    }


def convolutions():
    rows = {}
    for dtype, name in (("float32", "f32"), ("bfloat16", "bf16")):
        for text, x, k, more in (("1x1 16 to 32 at 28", (8, 28, 28, 16), (1, 1, 16, 32), {}), ("3x3 3 to 16 at 32", (8, 32, 32, 3), (3, 3, 3, 16), {}),
                                 ("3x3 16 at 32", (8, 32, 32, 16), (3, 3, 16, 16), {}), ("3x3 32 stride 2 at 32", (8, 32, 32, 32), (3, 3, 32, 32), {"stride": 2}),
                                 ("depthwise 3x3 32 at 28", (8, 28, 28, 32), (3, 3, 1, 32), {"feature_group_count": 32}),
                                 ("3x3 dilated 16 at 32", (8, 32, 32, 16), (3, 3, 16, 16), {"rhs_dilation": (2, 2)}),
                                 ("7x7 stride 2 3 to 64 at 112", (1, 112, 112, 3), (7, 7, 3, 64), {"stride": 2}),
                                 ("grouped 4 3x3 32 at 16", (8, 16, 16, 32), (3, 3, 8, 32), {"feature_group_count": 4})):
            forward = on(lambda x, k, more=more: conv(x, k, **({"stride": 1} | more)), x, k, dtype=dtype)
            rows |= {f"conv {name} {text}": forward, f"conv {name} {text}, by input": gradient(forward, 0),
                     f"conv {name} {text}, by weights": gradient(forward, 1)}
    nchw = on(lambda x, k: __import__("jax").lax.conv(x, k, (1, 1), "SAME"), (8, 16, 32, 32), (32, 16, 3, 3))
    line = on(lambda x, k: __import__("jax").lax.conv(x, k, (1,), "SAME"), (8, 16, 512), (32, 16, 5))

    def pool(x, kind="max", size=2, stride=2):
        from jax import lax
        import jax.numpy as jnp
        start, how = (-jnp.inf, lax.max) if kind == "max" else (0.0, lax.add)
        return lax.reduce_window(x, start, how, (1, size, size, 1), (1, stride, stride, 1), "SAME")
    transposed = on(lambda x, k: __import__("jax").lax.conv_transpose(x, k, (2, 2), "SAME"), (8, 16, 16, 16), (4, 4, 16, 16))
    shape = (8, 56, 56, 32)
    return rows | {
        "conv NCHW 3x3 16 to 32 at 32": nchw, "conv NCHW by input": gradient(nchw), "conv NCHW by weights": gradient(nchw, 1),
        "conv 1d 5 16 to 32 at 512": line, "conv 1d by input": gradient(line), "conv 1d by weights": gradient(line, 1),
        "conv transposed 4x4 16 at 16": transposed, "conv transposed by input": gradient(transposed),
        "conv transposed by weights": gradient(transposed, 1), "max pool 2": on(pool, shape), "max pool 3 stride 2": on(lambda x: pool(x, "max", 3), shape), "sum pool 3 stride 1": on(lambda x: pool(x, "sum", 3, 1), shape),
        "max pool 2 gradient": gradient(on(pool, shape)), "max pool 3 stride 2 gradient": gradient(on(lambda x: pool(x, "max", 3), shape)),
        "sum pool 2 gradient": gradient(on(lambda x: pool(x, "sum"), shape)), "max pool bf16 2": on(pool, shape, dtype="bfloat16"),
        "resize bilinear 32 to 64": on(lambda x: __import__("jax").image.resize(x, (8, 64, 64, 16), "bilinear"), (8, 32, 32, 16)),
        "resize nearest 32 to 64": on(lambda x: __import__("jax").image.resize(x, (8, 64, 64, 16), "nearest"), (8, 32, 32, 16)),
    }


def networks():
    def rms(x, w):
        from jax import lax
        return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * w

    def layer(x, w):
        from jax import lax
        return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * w

    def batch(x, w):
        from jax import lax
        return (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5) * w

    def entropy(x, y):
        import jax
        import jax.numpy as jnp
        return -jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1).mean()

    def entropy_gradient(*shape):
        def make():
            import jax
            return jax.grad(entropy), [normal(*shape), integers(shape[1], shape[0])]
        return make

    def net(x, w, v):
        import jax.numpy as jnp
        return jnp.tanh(jnp.tanh(x @ w) @ v)

    def derivative(name, *shapes):
        def make():
            import jax
            inner = (lambda *x: net(*x).sum()) if name == "hessian" else net
            return getattr(jax, name)(inner), [normal(*shape, scale=0.3, seed=i) for i, shape in enumerate(shapes)]
        return make

    def adam(p, m, v, g):
        import jax.numpy as jnp
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        return p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), m, v

    def rope(x):
        import jax.numpy as jnp
        half = x.shape[-1] // 2
        angle = jnp.arange(x.shape[1])[:, None] * (10000.0 ** (-jnp.arange(half) / half))
        a, b = x[..., :half], x[..., half:]
        sin, cos = jnp.sin(angle)[:, None], jnp.cos(angle)[:, None]
        return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1)

    def decode(x, k, v):
        import jax
        import jax.numpy as jnp
        return jnp.einsum("bhk,bkhd->bhd", jax.nn.softmax(jnp.einsum("bhd,bkhd->bhk", x, k)), v)
    wide, image = ((512, 1024), (1024,)), ((8, 28, 28, 64), (64,))
    return {
        "rms norm": on(rms, *wide), "rms norm gradient": gradient(on(rms, *wide)), "rms norm gradient bf16": gradient(on(rms, *wide, dtype="bfloat16")),
        "layer norm gradient": gradient(on(layer, *wide)), "layer norm gradient by scale": gradient(on(layer, *wide), 1),
        "layer norm bf16": on(layer, *wide, dtype="bfloat16"), "batch norm": on(batch, *image), "batch norm gradient": gradient(on(batch, *image)),
        "softmax 512 x 1000": nn_of("softmax", (512, 1000)), "softmax gradient": gradient(nn_of("softmax", (512, 1000))),
        "softmax bf16": nn_of("softmax", (512, 1024), dtype="bfloat16"), "softmax axis 0": nn_of("softmax", (1000, 512), axis=0),
        "log softmax": nn_of("log_softmax", (512, 1000)), "softmax 64 x 10": nn_of("softmax", (64, 10)),
        "cross entropy gradient, 256 x 32000": entropy_gradient(256, 32000), "cross entropy gradient, 128 x 10": entropy_gradient(128, 10),
        "gelu gradient": gradient(nn_of("gelu", (1024, 1024))), "silu": nn_of("silu", (1024, 1024)), "sigmoid bf16": nn_of("sigmoid", (1024, 1024), dtype="bfloat16"),
        "relu": nn_of("relu", (1024, 1024)), "gelu of 1000": nn_of("gelu", (1000,)), "softplus": nn_of("softplus", (1024, 1024)),
        "jacobian fwd 16": derivative("jacfwd", (16,), (16, 32), (32, 16)), "jacobian rev 16": derivative("jacrev", (16,), (16, 32), (32, 16)),
        "hessian 16": derivative("hessian", (16,), (16, 32), (32, 16)), "adam, 1 Mi": on(lambda p, m, v, g: adam(p, m, v * v, g), *[(1024, 1024)] * 4),
        "rotary embedding": on(rope, (4, 256, 8, 64)), "decode attention, 8 x 8 x 512": on(decode, (8, 8, 64), (8, 512, 8, 64), (8, 512, 8, 64)),
        "attention 128 x 64 bf16": nn_of("dot_product_attention", *[(4, 128, 8, 64)] * 3, dtype="bfloat16", is_causal=True),
        "attention 128 x 64 gradient": gradient(nn_of("dot_product_attention", *[(4, 128, 8, 64)] * 3, is_causal=True)),
    }


def chances():
    def random(name, *arguments, impl="threefry2x32", **more):
        def make():
            import jax
            return lambda k: getattr(jax.random, name)(k, *arguments, **more), [jax.random.key(0, impl=impl)]
        return make

    def dropout(k, x):
        import jax
        import jax.numpy as jnp
        return jnp.where(jax.random.bernoulli(k, 0.9, x.shape), x / 0.9, 0)

    def with_key(function, *shape):
        def make():
            import jax
            return function, [jax.random.key(0), normal(*shape)]
        return make
    big = (1 << 20,)
    return {
        "uniform 1 Mi": random("uniform", big), "uniform 1 Mi, rbg": random("uniform", big, impl="rbg"), "normal 1 Mi, rbg": random("normal", big, impl="rbg"),
        "uniform of 10": random("uniform", (10,)), "normal of 1000": random("normal", (1000,)), "normal bf16 1 Mi": random("normal", big, "bfloat16"),
        "bernoulli 1 Mi": random("bernoulli", 0.5, big), "randint 1 Mi": random("randint", big, 0, 100), "permutation 64 Ki": random("permutation", 1 << 16),
        "gumbel 1 Mi": random("gumbel", big), "exponential 1 Mi": random("exponential", big), "gamma 4096": random("gamma", 2.0, (4096,)),
        "truncated normal 64 Ki": random("truncated_normal", -2.0, 2.0, (1 << 16,)), "dropout 1024 x 1024": with_key(dropout, 1024, 1024),
        "categorical 256 x 1000": with_key(lambda k, x: __import__("jax").random.categorical(k, x), 256, 1000),
        "choice 1000 of 10000": random("choice", 10000, (1000,)), "choice without replacement": random("choice", 10000, (1000,), replace=False),
    }


def functions():
    rows = {}
    for name in ("exp", "log", "tanh", "sin", "sqrt", "log1p", "expm1", "arctan", "cbrt", "sinh", "arcsinh", "tan"):
        rows[f"{name} f32"] = on(lambda x, name=name: getattr(__import__("jax.numpy").numpy, name)(abs(x)), (1024, 1024))
    for name in ("exp", "log", "tanh", "sin", "sqrt"):
        rows[f"{name} f64"] = doubled(on(lambda x, name=name: getattr(__import__("jax.numpy").numpy, name)(abs(x)), (512, 1024)))
        rows[f"{name} bf16"] = on(lambda x, name=name: getattr(__import__("jax.numpy").numpy, name)(abs(x)), (1024, 1024), dtype="bfloat16")
    for name in ("erf", "erfc", "lgamma", "digamma", "erf_inv", "bessel_i0e"):
        rows[f"{name} f32"] = on(lambda x, name=name: getattr(__import__("jax").lax, name)(abs(x) * 0.3), (512, 512))
    return rows | {
        "erf f64": doubled(on(lambda x: __import__("jax").lax.erf(x), (512, 512))),
        "pow f32": on(lambda x, y: abs(x) ** y, (1024, 1024), (1024, 1024)), "pow f64": doubled(on(lambda x, y: abs(x) ** y, (512, 512), (512, 512))),
        "x ** 3": on(lambda x: x ** 3, (1024, 1024)), "atan2": jnp_of("arctan2", (512, 512), (512, 512)), "remainder": on(lambda x, y: x % y, (512, 512), (512, 512)),
        "int32 division": whole(lambda x, y: x // (y + 1), (512, 512), (512, 512)), "int32 remainder by 7": whole(lambda x: x % 7, (512, 512)),
        "f16 x * y + 1": on(lambda x, y: x * y + 1, (1024, 1024), (1024, 1024), dtype="float16"), "f16 exp": jnp_of("exp", (1024, 1024), dtype="float16"),
        "popcount": whole(lambda x: __import__("jax").lax.population_count(x), (512, 512)), "uint8 mean": whole(lambda x: x.astype("uint8").astype("float32").mean(), (1024, 1024)),
        "complex multiply": on(lambda x, y: x * y + 1, (512, 512), (512, 512), dtype="complex64"), "complex exp": jnp_of("exp", (512, 512), dtype="complex64"),
        "complex abs": jnp_of("abs", (512, 512), dtype="complex64"), "complex division": on(lambda x, y: x / y, (512, 512), (512, 512), dtype="complex64"),
        "black-scholes 64 Ki": on(lambda s, k, t: s * __import__("jax").scipy.stats.norm.cdf(s / (abs(t) + 1)) - k * __import__("jax").scipy.stats.norm.cdf(s * 0.3), *[(1 << 16,)] * 3),
    }


def algebra():
    def linalg(name, *shapes, positive=False, vector=False, **more):
        def make():
            import jax.numpy as jnp
            arrays = [normal(*shape, seed=i) for i, shape in enumerate(shapes)]
            if positive:
                a = arrays[0]
                arrays[0] = a @ jnp.swapaxes(a, -1, -2) + a.shape[-1] * jnp.eye(a.shape[-1])
            return lambda *x: getattr(jnp.linalg, name)(*x, **more), arrays
        return make

    def triangular(*shapes):
        def make():
            import jax.scipy.linalg as sl
            a, b = (normal(*shape, seed=i) for i, shape in enumerate(shapes))
            import jax.numpy as jnp
            return lambda a, b: sl.solve_triangular(a, b, lower=True), [jnp.tril(a) + 9 * jnp.eye(a.shape[-1]), b]
        return make
    rows = {}
    for n, b in ((4, 1000), (8, 500), (16, 100), (32, 50), (64, 8), (256, 1), (512, 1)):
        batch = (b,) if b > 1 else ()
        text = f"{b} of {n}"
        rows |= {f"cholesky {text}": linalg("cholesky", (*batch, n, n), positive=True), f"solve {text}": linalg("solve", (*batch, n, n), (*batch, n, 1), positive=True),
                 f"inv {text}": linalg("inv", (*batch, n, n), positive=True), f"det {text}": linalg("det", (*batch, n, n)), f"qr {text}": linalg("qr", (*batch, n, n)),
                 f"eigh {text}": linalg("eigh", (*batch, n, n), positive=True), f"svd {text}": linalg("svd", (*batch, n, n)),
                 f"triangular solve {text}": triangular((*batch, n, n), (*batch, n, n))}
    return rows


def loops():
    def counted(n, body, start):
        return lambda: (lambda x: __import__("jax").lax.fori_loop(0, n, body, x), [start()])

    def scanned(step, start, *xs):
        return lambda: (lambda c, *x: __import__("jax").lax.scan(step, c, x), [normal(*start)] + [normal(*s, seed=1) for s in xs])

    def keep(c, x):
        from jax import lax
        i, memory = c
        return (i + 1, lax.dynamic_update_slice(memory, x[None], (i, 0))), None

    def gru(steps, batch, width, grad):
        def make():
            import jax
            import jax.numpy as jnp
            from jax import lax

            def cell(p, h, x):
                z = jax.nn.sigmoid(x @ p[0] + h @ p[1])
                r = jax.nn.sigmoid(x @ p[2] + h @ p[3])
                h = (1 - z) * h + z * jnp.tanh(x @ p[4] + (r * h) @ p[5])
                return h, h

            def run(p, xs):
                return lax.scan(lambda h, x: cell(p, h, x), jnp.zeros((batch, width)), xs)[1]
            function = jax.grad(lambda p, xs: (run(p, xs) ** 2).sum()) if grad else run
            return function, [[normal(width, width, scale=width ** -0.5, seed=i) for i in range(6)], normal(steps, batch, width)]
        return make

    def newton(x):
        from jax import lax
        return lax.while_loop(lambda v: (abs(v * v - x) > 1e-4).any(), lambda v: 0.5 * (v + x / v), x)

    def many(count):
        return lambda: (lambda *x: [v + 1 for v in x], [normal(8, seed=i) for i in range(count)])

    def ode(x, w):
        import jax.numpy as jnp
        from jax import lax

        def step(i, y):
            k1 = jnp.tanh(w @ y)
            k2 = jnp.tanh(w @ (y + 0.05 * k1))
            k3 = jnp.tanh(w @ (y + 0.05 * k2))
            return y + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + jnp.tanh(w @ (y + 0.1 * k3)))
        return lax.fori_loop(0, 1000, step, x)

    def heat(x):
        from jax import lax
        import jax.numpy as jnp
        return lax.fori_loop(0, 100, lambda i, u: u + 0.1 * (jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) - 4 * u), x)

    def cond(x):
        from jax import lax
        return lax.fori_loop(0, 1000, lambda i, v: lax.cond(v.sum() > 0, lambda v: v - 1, lambda v: v + 2, v), x)

    def table(x):
        from jax import lax
        import jax.numpy as jnp
        return lax.fori_loop(1, 4096, lambda i, t: t.at[i].set(t[i - 1] * 0.9 + x[i]), jnp.zeros(4096))

    def chaos(x):
        from jax import lax
        return lax.scan(lambda v, _: (3.7 * v * (1 - v), v), x, None, 10000)
    return {
        "10000 steps of x * a + b of 8": counted(10000, lambda i, x: x * 0.99 + 0.5, lambda: normal(8)),
        "10000 steps of sin": counted(10000, lambda i, x: __import__("jax.numpy").numpy.sin(x) + 0.1, lambda: normal()),
        "1000 steps of 8 x 8 matmul": counted(1000, lambda i, x: x @ x * 0.1, lambda: normal(8, 8)),
        "1000 steps of 32 x 32 tanh matmul": counted(1000, lambda i, x: __import__("jax.numpy").numpy.tanh(x @ x), lambda: normal(32, 32)),
        "1000 steps of 1000": counted(1000, lambda i, x: x * 0.99 + 0.5, lambda: normal(1000)),
        "100 steps of 1 Mi": counted(100, lambda i, x: x * 0.99 + 0.5, lambda: normal(1 << 20)),
        "scan cumsum, 10000 x 4": scanned(lambda c, x: (c + x[0], c), (4,), (10000, 4)),
        "scan update slice, 1000 x 64": lambda: (lambda m, x: __import__("jax").lax.scan(keep, (0, m), x)[0][1], [normal(1000, 64), normal(1000, 64)]),
        "logistic map, 10000": lambda: (chaos, [0.3]), "table of 4096": on(table, (4096,)), "newton": on(lambda x: newton(abs(x) + 0.1), (1000,)),
        "GRU 64 x 16 x 64": gru(64, 16, 64, False), "GRU gradient 64 x 16 x 64": gru(64, 16, 64, True), "GRU gradient 64 x 1 x 16": gru(64, 1, 16, True),
        "Runge-Kutta 1000 x 16": on(ode, (16,), (16, 16), scale=0.2), "heat 100 steps of 128 x 128": on(heat, (128, 128)), "cond in a loop": on(cond, (16,)),
        "mandelbrot": on(lambda x, y: __import__("jax").lax.fori_loop(0, 50, lambda i, z: z * z * 0.3 + x + 1j * y, x + 0j), (256, 256), (256, 256), scale=0.1),
        "1 argument": many(1), "10 arguments": many(10), "100 arguments": many(100), "400 arguments": many(400),
        "matmul 4 x 4": on(lambda x, y: x @ y, (4, 4), (4, 4)), "tanh of 100": jnp_of("tanh", (100,)),
    }


def transforms():
    def fft(name, *shape, dtype="complex64"):
        return on(lambda x: getattr(__import__("jax.numpy").numpy.fft, name)(x), shape, dtype=dtype)
    return {
        "fft 64 x 64": fft("fft", 64, 64), "fft of 1024": fft("fft", 1024), "fft 1000 x 60": fft("fft", 1000, 60), "fft 1000 x 97": fft("fft", 1000, 97),
        "fft 256 x 1000": fft("fft", 256, 1000), "fft2 256 x 256": fft("fft2", 256, 256), "ifft 1024 x 256": fft("ifft", 1024, 256), "fftn 64 x 64 x 64": fft("fftn", 64, 64, 64),
        "rfft 256 x 1024": fft("rfft", 256, 1024, dtype="float32"), "irfft 256 x 513": fft("irfft", 256, 513), "rfft2 256 x 256": fft("rfft2", 256, 256, dtype="float32"),
        "fft 64 Ki": fft("fft", 1 << 16), "fft 1009": fft("fft", 1009), "rfft 8192 x 60": fft("rfft", 8192, 60, dtype="float32"), "fft f64 256 x 256": fft64(256, 256),
        "stft": on(lambda x: abs(__import__("jax.scipy").scipy.signal.stft(x, nperseg=256)[2]), (1 << 16,)),
    }


def fft64(*shape):
    def make():
        import jax
        import jax.numpy as jnp
        jax.config.update("jax_enable_x64", True)
        return jnp.fft.fft, [normal(*shape).astype("complex128")]
    return make


def large():
    def chain(count):
        def run(x):
            import jax.numpy as jnp
            for i in range(count // 4):
                x = jnp.sin(x) * (1 + i) + jnp.roll(x, 1)
            return x
        return on(run, (64,))

    def deep(levels):
        def run(x):
            from jax import lax
            body = lambda i, v: v * 0.9 + 1  # noqa: E731
            for _ in range(levels):
                body = lambda i, v, inner=body: lax.fori_loop(0, 2, inner, v)  # noqa: E731
            return body(0, x)
        return on(run, (8,))

    def unrolled(count):
        def run(x, w):
            import jax.numpy as jnp
            for i in range(count):
                x = jnp.tanh(x @ w)
            return x
        return on(run, (8, 16), (16, 16))
    return {"chain of 1000": chain(1000), "chain of 4000": chain(4000), "8 nested loops": deep(8), "unrolled 300": unrolled(300),
            "unrolled 100 gradient": gradient(unrolled(100))}


OPERATIONS = (reductions() | moving() | contractions() | convolutions() | networks() | chances() | functions() | algebra() | loops()
              | transforms() | large())
