"""The rarest kinds of steps for random_programs.py: indices in several dimensions, updates of batches, associative scans,
maps and searches, windows over pairs, gradients of convolutions, ragged products, products of three, bits across widths,
matrix factorizations, random numbers, second derivatives, and composite functions of jax.numpy. Each method adds a step
to the maker and returns whether it could."""
from random_steps import COMPLEX, FLOATS, SIGNED, UNSIGNED

WIDE = ["float32", "float64"]


class RareSteps:
    """Mixed into Maker beside Steps."""

    def rare_steps(self):
        """If there are NaN or infinities, their propagation through a factorization is unspecified."""
        finite = [] if self.odd_values else [self.matrix, self.resized, self.exact_product, self.product_of_three]
        return finite + [self.indices, self.window_at, self.scan_in_parallel, self.mapped, self.search,
                         self.window_pair, self.convolution_gradient, self.ragged, self.bits_across, self.drawn, self.second_derivative,
                         self.until, self.batched_control, self.mapped_update, self.segments, self.assembled, self.statistics, self.predicates,
                         self.volume]

    def indices(self):
        """Elements at places given by one index for each of two dimensions, read or written."""
        import jax.numpy as jnp
        a, i = self.some(FLOATS + SIGNED + UNSIGNED, 2, empty=False), self.some(SIGNED, 1, 2)
        if a is None or i is None:
            return False
        how, mode, part = self.pick("get", "add", "set", "max"), self.pick("clip", "drop", "fill"), self.pick(0, 1)

        def program(x, i):
            rows = i.astype("int32") % (x.shape[0] + 4) - 2
            at = x.at[rows, ..., jnp.flip(rows, 0)] if part else x.at[rows, rows]
            if how == "get":
                return at.get(mode="fill" if mode == "drop" else mode)
            return getattr(at, how)(x.dtype.type(3), mode="clip" if mode == "clip" else "drop")
        return self.step(program, a, i)

    def mapped_update(self):
        """Rows of each array of a batch, sometimes of one array, are updated and read."""
        import jax
        import jax.numpy as jnp
        a, i = self.some(FLOATS + SIGNED, 2, 3, empty=False), self.some(SIGNED, 1, 2, empty=False)
        if a is None or i is None:
            return False
        how, alone, many = self.pick("set", "add", "max", "min"), self.pick(True, False), self.pick(0, 1, 3)

        def updated(x, rows):
            changed = getattr(x.at[rows], how)(jnp.flip(x, 0)[rows] + x.dtype.type(1), mode="drop")
            return changed[rows - 1]

        def program(x, i):
            x = x[:1] if alone else x
            rows = jnp.resize(i.astype("int32"), (x.shape[0], many) if many else x.shape[:1]) % (x.shape[1] + 2)
            return jax.vmap(updated)(x, rows)
        return self.step(program, a, i)

    def window_at(self):
        """A slice whose start is computed in every dimension, of the index's own type."""
        from jax import lax
        a, i = self.some(FLOATS + SIGNED + COMPLEX + ["bool"], 1, empty=False), self.some(SIGNED + UNSIGNED, 0, 2, empty=False)
        if a is None or i is None:
            return False
        size = tuple(int(self.random.randint(1, n + 1)) for n in self.kinds[a][1])
        return self.step(lambda x, i: lax.dynamic_slice(x, [i.reshape(-1)[d % i.size] for d in range(x.ndim)], size), a, i)

    def scan_in_parallel(self):
        import jax.numpy as jnp
        from jax import lax
        a = self.some(FLOATS + SIGNED, 1, 3, empty=False)
        if a is None:
            return False
        axis, back, function = self.axis(a), self.random.rand() < 0.5, self.pick(jnp.add, jnp.maximum, jnp.minimum)
        return self.step(lambda x: lax.associative_scan(function, x, reverse=back, axis=axis), a)

    def mapped(self):
        import jax.numpy as jnp
        from jax import lax
        a = self.some(WIDE + SIGNED, 1, 3, empty=False)
        if a is None:
            return False
        size = self.pick(None, 2, 3)
        function = self.pick(lambda r: r + r.dtype.type(1), lambda r: jnp.sort(r.reshape(-1)), lambda r: r.sum(),
                             lambda r: jnp.where(r > 0, r, -r))
        return self.step(lambda x: lax.map(function, x, batch_size=size), a)

    def search(self):
        import jax.numpy as jnp
        a = self.some(SIGNED + UNSIGNED, 1, 2)
        if a is None:
            return False
        side, size = self.pick("left", "right"), self.random.randint(1, 9)
        functions = [lambda x: jnp.searchsorted(jnp.sort(x.reshape(-1)), x, side=side),
                     lambda x: jnp.nonzero(x.reshape(-1) % 3 == 0, size=size, fill_value=-1)[0],
                     lambda x: jnp.unique(x.reshape(-1), size=size, fill_value=0),
                     lambda x: jnp.isin(x, x.reshape(-1)[:3]), lambda x: jnp.digitize(x, jnp.array([1, 3, 9], x.dtype)),
                     lambda x: jnp.count_nonzero(x, axis=0)]
        return self.step(self.pick(*functions), a)

    def window_pair(self):
        """The greatest of each window, and where it is."""
        import jax.numpy as jnp
        from jax import lax
        a = self.some(SIGNED + ["float32"], 1, 3, empty=False)
        if a is None:
            return False
        rank, part, padding = len(self.kinds[a][1]), self.pick(0, 1), self.pick("SAME", "VALID")
        window, strides = ([self.pick(1, 2, 3) for _ in range(rank)] for _ in range(2))

        def body(left, right):
            more = (right[0] > left[0]) | ((right[0] == left[0]) & (right[1] < left[1]))
            return jnp.where(more, right[0], left[0]), jnp.where(more, right[1], left[1])

        def program(x):
            places = jnp.arange(x.size, dtype="int32").reshape(x.shape)
            least = -jnp.inf if x.dtype.kind == "f" else jnp.iinfo(x.dtype).min
            return lax.reduce_window((x, places), (x.dtype.type(least), jnp.int32(2 ** 31 - 1)), body, window, strides,
                                     padding)[part]
        return self.step(program, a)

    def convolution_gradient(self):
        import jax
        from jax import lax
        a = self.some(WIDE, 3, 4, empty=False)
        if a is None:
            return False
        rank, channels = len(self.kinds[a][1]) - 2, self.kinds[a][1][1]
        if channels > 40:
            return False
        strides, spread = ([self.pick(1, 2) for _ in range(rank)] for _ in range(2))
        kernel, padding, which = [self.pick(1, 2, 3) for _ in range(rank)], self.pick("SAME", "VALID"), self.pick(0, 1)

        def square(x, weights):
            y = lax.conv_general_dilated(x, weights, strides, padding, rhs_dilation=spread)
            return (y * y).sum() * x.dtype.type(0.5)

        def program(x):
            weights = (lax.iota("int32", 3 * channels * _product(kernel)) % 5 - 2).astype(x.dtype)
            return jax.grad(square, which)(x / (1 + abs(x)), weights.reshape(3, channels, *kernel))
        return self.step(program, a)

    def ragged(self):
        import jax.numpy as jnp
        from jax import lax
        a = self.some(WIDE, 2, 2, empty=False)
        if a is None:
            return False
        m, k = self.kinds[a][1]
        if k > 100:
            return False
        cut = self.random.randint(m + 1)
        return self.step(lambda x: lax.ragged_dot(x, jnp.stack([jnp.eye(k, 3, dtype=x.dtype), jnp.ones((k, 3), x.dtype)]),
                                                  jnp.array([cut, m - cut], "int32")), a)

    def product_of_three(self):
        import jax.numpy as jnp
        a = self.some(FLOATS + ["complex64", "int32"], 2, 2, empty=False)
        if a is None or max(self.kinds[a][1]) > 64:
            return False
        what = self.pick("ij,kj,kl->il", "ij,ij,ik->jk", "ij,kj,ki->", "ij,kl,ij->ki", "ij,ij->j", "ij,kj,lj->ikl")
        count = what.count(",") + 1
        return self.step(lambda x: jnp.einsum(what, *[x] * count), a)

    def exact_product(self):
        import jax.numpy as jnp
        from jax import lax
        a = self.some(["float32", "float64"], 1, 3)
        if a is None:
            return False
        precision = self.pick("default", "high", "highest", lax.DotAlgorithmPreset.F32_F32_F32)
        if self.kinds[a][0] == "float64":
            precision = self.pick("default", "highest")
        return self.step(lambda x: jnp.matmul(x, jnp.swapaxes(x, -1, -2) if x.ndim > 1 else x, precision=precision), a)

    def bits_across(self):
        """To several elements of a narrower type, and back."""
        from jax import lax
        a = self.some(["float32", "int32", "uint64", "int16"])
        if a is None:
            return False
        narrow = self.pick(*{"float32": ["uint8", "int16"], "int32": ["uint16", "int8"], "uint64": ["uint32", "uint8"],
                             "int16": ["int8"]}[self.kinds[a][0]])
        if self.random.rand() < 0.5:
            return self.step(lambda x: lax.bitcast_convert_type(x, self.dtype(narrow)), a)
        return self.step(lambda x: lax.bitcast_convert_type(lax.bitcast_convert_type(x, self.dtype(narrow)) ^ 1, x.dtype), a)

    def matrix(self):
        """Factorizations of a well-conditioned matrix, with unspecified signs and orders removed."""
        import jax.numpy as jnp
        a = self.some(["float32", "float64", "complex64", "complex128"], 2, 3, empty=False)
        if a is None or self.kinds[a][1][-2] > 20 or self.kinds[a][1][-1] > 40:
            return False

        def near(x):
            x = x / (1 + abs(x))
            return x @ jnp.swapaxes(x, -1, -2).conj() + (2 + x.shape[-1]) * jnp.eye(x.shape[-2], dtype=x.dtype)
        functions = [lambda x: jnp.linalg.eigvalsh(near(x)), lambda x: jnp.linalg.inv(near(x)),
                     lambda x: jnp.linalg.slogdet(near(x))[1], lambda x: abs(jnp.linalg.qr(near(x))[1]),
                     lambda x: jnp.linalg.svd(near(x), compute_uv=False), lambda x: jnp.linalg.solve(near(x), x),
                     lambda x: jnp.linalg.norm(x, axis=-1), lambda x: jnp.tril(x) + jnp.triu(x, 1),
                     lambda x: jnp.linalg.matrix_power(near(x) / (2 + x.shape[-1]) / 4, 3),
                     lambda x: jnp.diagonal(x, axis1=-2, axis2=-1), lambda x: jnp.trace(x, axis1=-2, axis2=-1)]
        return self.step(self.pick(*functions), a)

    def drawn(self):
        import jax
        shape, seed = self.shape(), self.random.randint(1 << 30)
        dtype, impl = self.pick(*FLOATS), self.pick("threefry2x32", "rbg", "unsafe_rbg")
        functions = [lambda k: jax.random.uniform(k, shape, self.dtype(dtype)),
                     lambda k: jax.random.normal(k, shape, self.dtype(dtype)),
                     lambda k: jax.random.randint(k, shape, -5, 90), lambda k: jax.random.bernoulli(k, 0.25, shape),
                     lambda k: jax.random.permutation(k, 17), lambda k: jax.random.truncated_normal(k, -1, 2, shape),
                     lambda k: jax.random.key_data(jax.random.split(k, 3)).astype("uint32")]
        function = self.pick(*functions)
        return self.step(lambda: function(jax.random.key(seed, impl=impl)))

    def second_derivative(self):
        import jax
        import jax.numpy as jnp
        a = self.some(WIDE, 1, 1, empty=False)
        if a is None or self.kinds[a][1][0] > 40:
            return False
        functions = [lambda x: jnp.tanh(x).sum(), lambda x: (jnp.sin(x) * x[::-1]).sum(), lambda x: jax.nn.logsumexp(x),
                     lambda x: jnp.sqrt(1 + x @ x)]
        function = self.pick(*functions)
        if self.random.rand() < 0.5:
            return self.step(jax.hessian(function), a)
        return self.step(lambda x: jax.jvp(jax.grad(function), (x,), (jnp.cos(x),))[1], a)

    def until(self):
        """A loop with a data-dependent trip count."""
        import jax.numpy as jnp
        from jax import lax
        a = self.some(SIGNED + UNSIGNED, 0, 3)
        if a is None:
            return False
        bound, part = self.random.randint(1, 200), self.pick(0, 1)
        return self.step(lambda x: lax.while_loop(
            lambda s: (s[1] < 50) & (abs(s[0].astype("int32")).sum() < bound),
            lambda s: (s[0] + (s[0] % 3 + 1).astype(s[0].dtype), s[1] + 1), (x, jnp.int32(0)))[part], a)

    def batched_control(self):
        """Branches, loops and slices of which each row takes its own."""
        import jax
        import jax.numpy as jnp
        from jax import lax
        a = self.some(SIGNED + ["float32"], 2, 3, empty=False)
        if a is None:
            return False
        start = lambda r: abs(r.reshape(-1)[0]).astype("int32") % r.shape[0]
        functions = [lambda r: lax.cond(r.sum() > 0, lambda v: v + v, lambda v: -v, r),
                     lambda r: lax.while_loop(lambda s: s[0] < start(r) % 5, lambda s: (s[0] + 1, s[1] * s[1].dtype.type(2)),
                                              (jnp.int32(0), r))[1],
                     lambda r: lax.dynamic_slice_in_dim(r, start(r), 1), lambda r: r.at[start(r)].set(r.dtype.type(7)),
                     lambda r: lax.dynamic_update_slice_in_dim(r, r[:1] + r.dtype.type(1), start(r), 0),
                     lambda r: lax.fori_loop(0, 3, lambda i, v: jnp.roll(v, 1, 0), r), lambda r: r[jnp.argsort(r, axis=0)]
                     if r.ndim == 1 else r]
        return self.step(jax.vmap(self.pick(*functions)), a)

    def segments(self):
        import jax
        import jax.numpy as jnp
        a = self.some(SIGNED + ["float32", "float64"], 1, 2, empty=False)
        if a is None:
            return False
        count = self.random.randint(1, 7)
        function = self.pick(jax.ops.segment_sum, jax.ops.segment_max, jax.ops.segment_min, jax.ops.segment_prod)
        return self.step(lambda x: function(x, jnp.arange(x.shape[0]) * 3 % (count + 1), count), a)

    def assembled(self):
        """Pieces put together in ways that numpy knows."""
        import jax.numpy as jnp
        a = self.some(FLOATS + SIGNED + UNSIGNED + COMPLEX + ["bool"], 1, 3)
        if a is None:
            return False
        axis, count = self.axis(a), self.random.randint(1, 4)
        mode = self.pick("wrap", "reflect", "symmetric", "edge", "constant")
        functions = [lambda x: jnp.tile(x, count), lambda x: jnp.repeat(x, count, axis), lambda x: jnp.stack([x, x], axis),
                     lambda x: jnp.concatenate(jnp.split(x, [count, count + 1], axis)[::-1], axis),
                     lambda x: jnp.pad(x, count, mode=mode), lambda x: jnp.rot90(x, count) if x.ndim > 1 else x,
                     lambda x: jnp.moveaxis(x, axis, 0), lambda x: x[..., None, ::2], lambda x: jnp.delete(x, 0, axis),
                     lambda x: jnp.kron(x[:4], x[:3]) if x.ndim == 1 else x.T, lambda x: jnp.diff(x, axis=axis),
                     lambda x: jnp.meshgrid(x.reshape(-1)[:9], x.reshape(-1)[:5])[0], lambda x: jnp.diag(x.reshape(-1)[:9])]
        return self.step(self.pick(*functions), a)

    def statistics(self):
        import jax.numpy as jnp
        a = self.some(WIDE, 1, 3, empty=False)
        if a is None:
            return False
        axis = self.axis(a)
        functions = [lambda x: jnp.var(x, axis), lambda x: jnp.median(x, axis), lambda x: jnp.quantile(x, 0.3, axis),
                     lambda x: jnp.ptp(x, axis), lambda x: jnp.nansum(x, axis), lambda x: jnp.nanmax(x, axis),
                     lambda x: jnp.average(x, axis), lambda x: jnp.linalg.norm(x, axis=axis), lambda x: jnp.prod(x / 2, axis),
                     lambda x: jnp.convolve(x.reshape(-1), jnp.array([1, -2, 3], x.dtype)),
                     lambda x: jnp.interp(x, jnp.array([-3., 0., 3.], x.dtype), jnp.array([1., 5., 2.], x.dtype)),
                     lambda x: jnp.trapezoid(x, axis=axis), lambda x: jnp.logaddexp(x, -x), lambda x: jnp.hypot(x, x + 1)]
        return self.step(self.pick(*functions), a)

    def predicates(self):
        import jax.numpy as jnp
        a = self.some(["bool"], 1, 4) if self.random.rand() < 0.5 else self.some(SIGNED + UNSIGNED, 1, 4)
        if a is None:
            return False
        axis = self.pick(None, self.axis(a))
        functions = [jnp.any, jnp.all, jnp.sum, lambda x, axis: jnp.cumsum(x, axis), lambda x, axis: jnp.sort(x, axis),
                     lambda x, axis: jnp.logical_not(x), lambda x, axis: jnp.packbits(x != 0, axis=axis)]
        function = self.pick(*functions)
        return self.step(lambda x: function(x, axis=axis), a)

    def resized(self):
        import jax
        a = self.some(WIDE, 2, 3, empty=False)
        if a is None:
            return False
        shape = tuple(int(self.random.randint(1, 12)) for _ in self.kinds[a][1])
        how = self.pick("linear", "cubic", "lanczos3")
        return self.step(lambda x: jax.image.resize(x, shape, how), a)

    def volume(self):
        """A convolution over three dimensions, with reversed windows."""
        import jax.numpy as jnp
        from jax import lax
        a = self.some(WIDE, 3, 4, empty=False)
        if a is None:
            return False
        strides, padding = [self.pick(1, 2) for _ in range(3)], self.pick("SAME", "VALID")
        return self.step(lambda x: lax.conv_transpose(
            x.reshape((1,) * (4 - x.ndim) + x.shape)[..., None], jnp.arange(16, dtype=x.dtype).reshape(2, 2, 2, 1, 2) / 8,
            strides, padding), a)


def _product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result
