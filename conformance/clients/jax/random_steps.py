"""More kinds of steps for random_programs.py: the rarer types (f8, f4, 4-bit and complex), operations on bits, Fourier
transforms, scatters and gathers by every rule for what is out of bounds, batched products in wider types, convolutions
of images, sorts of several arrays, cumulative operations, reductions with bodies of their own, nested control flow,
and gradients. Each method adds a step to the maker and returns whether it could."""
FLOATS = ["float32", "float64", "float16", "bfloat16"]
SMALL_FLOATS = ["float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz",
                "float8_e3m4", "float8_e4m3", "float4_e2m1fn"]
SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
SATURATED = "float4_e2m1fn"      # XLA's CPU gives the least integer for its least number, -6
NIBBLES = ["int4", "uint4"]
COMPLEX = ["complex64", "complex128"]


def is_number(dtype, shape):
    return dtype != "bool" and dtype not in COMPLEX


class Steps:
    """Mixed into Maker, which has pick, values, step, random, kinds."""

    def some(self, dtypes, least=0, most=4, empty=True):
        """One value of the types, with a rank within bounds; None when there is none."""
        found = self.values(lambda d, s: d in dtypes and least <= len(s) <= most and (empty or 0 not in s))
        return self.pick(*found) if found else None

    def axis(self, a):
        return self.random.randint(len(self.kinds[a][1]))

    def wide_steps(self):
        return [self.bits, self.bits, self.small_type, self.small_arithmetic, self.complex_parts, self.complex_function,
                self.fourier, self.scatter_mode, self.gather_mode, self.update_slice, self.batched_product, self.image,
                self.sort_several, self.largest, self.cumulative, self.own_reduction, self.pooling_gradient,
                self.gradient, self.nested, self.choose, self.factor, self.random_bits, self.special]

    def bits(self):
        from jax import lax
        a = self.some(SIGNED + UNSIGNED + NIBBLES)
        if a is None:
            return False
        dtype = self.kinds[a][0]
        b = self.pick(*self.values(lambda d, s: d == dtype and s == self.kinds[a][1]))
        counts = [] if dtype in NIBBLES else [lax.population_count, lax.clz]    # XLA's CPU counts in 8 bits
        one = self.pick(*counts, lax.bitwise_not, lax.neg, lax.sign)
        two = self.pick(lax.shift_left, lax.shift_right_arithmetic, lax.shift_right_logical, lax.bitwise_or, lax.div,
                        lax.rem, lax.bitwise_xor, lax.max, lax.sub)
        return self.step(one, a) if self.random.rand() < 0.4 else self.step(two, a, b)

    def small_type(self):
        """To a rare type, or to another one of the same width by its bits."""
        from jax import lax
        a = self.some(FLOATS + SIGNED + UNSIGNED + NIBBLES + SMALL_FLOATS + ["bool"])
        if a is None:
            return False
        if self.random.rand() < 0.3:
            same = {"float32": "uint32", "float64": "int64", "float16": "int16", "bfloat16": "uint16", "uint8": "int8",
                    "int32": "float32", "float8_e4m3fn": "uint8", "float8_e5m2": "int8"}.get(self.kinds[a][0])
            return bool(same) and same[0] != "f" and self.step(
                lambda x: lax.bitcast_convert_type(x, self.dtype(same)), a)
        wanted = self.dtype(self.pick(*SMALL_FLOATS, *NIBBLES, *FLOATS, "int8", "uint8", "bool"))
        if self.kinds[a][0] == SATURATED and wanted.name.lstrip("u").startswith("int"):
            return False
        return self.step(lambda x: lax.convert_element_type(x, wanted), a)

    def small_arithmetic(self):
        from jax import lax
        a = self.some(SMALL_FLOATS + NIBBLES)
        if a is None:
            return False
        dtype, shape = self.kinds[a]
        b = self.pick(*self.values(lambda d, s: d == dtype and s == shape))
        return self.step(self.pick(lax.add, lax.mul, lax.sub, lax.max, lax.min), a, b)

    def complex_parts(self):
        from jax import lax
        a = self.some(COMPLEX)
        if a is None or self.random.rand() < 0.5:
            a = self.some(["float32", "float64"])
            if a is None:
                return False
            return self.step(lambda x: lax.complex(x, x * x.dtype.type(0.5)), a)
        return self.step(self.pick(lax.real, lax.imag, lax.conj, lax.abs, lax.neg, lax.sign), a)

    def complex_function(self):
        import jax.numpy as jnp
        a = self.some(COMPLEX)
        if a is None:
            return False
        bounded = lambda function: lambda x: function(x / (1 + abs(x)))
        if self.random.rand() < 0.6:
            return self.step(bounded(self.pick(jnp.exp, jnp.sin, jnp.cos, jnp.tanh, jnp.expm1)), a)
        return self.step(self.pick(lambda x: jnp.sqrt(abs(x) + 1j), lambda x: jnp.log(x * x.conj() + 2 + 1j),
                                   lambda x: x / (abs(x) + 1 + 1j), lambda x: jnp.sum(x, axis=-1) if x.ndim else x), a)

    def fourier(self):
        import jax.numpy as jnp
        a = self.some(COMPLEX + ["float32", "float64"], 1, 3, empty=False)
        if a is None or self.odd_values:
            return False
        axis = self.axis(a)
        function = jnp.fft.rfft
        if self.kinds[a][0] in COMPLEX:
            function = self.pick(jnp.fft.fft, jnp.fft.ifft, jnp.fft.irfft)
        return self.step(lambda x: function(x, axis=axis), a)

    def places(self):
        return self.some(SIGNED + UNSIGNED[1:], 1, 2)

    def scatter_mode(self):
        a, i = self.some(FLOATS + SIGNED + UNSIGNED + NIBBLES, 1, empty=False), self.places()
        if a is None or i is None:
            return False
        how, mode = self.pick("add", "multiply", "min", "max", "set"), self.pick("clip", "drop", None)
        axis, reach = self.axis(a), self.pick(1, 3)
        def program(x, i):
            near = i.astype("int32") % (x.shape[axis] + 2 * reach) - reach
            at = x.at[(slice(None),) * axis + (near,)]
            return getattr(at, how)(x.dtype.type(2), mode=mode)
        return self.step(program, a, i)

    def gather_mode(self):
        import jax.numpy as jnp
        a, i = self.some(FLOATS + SIGNED + UNSIGNED + NIBBLES + COMPLEX + ["bool"], 1, empty=False), self.places()
        if a is None or i is None:
            return False
        axis, mode, reach = self.axis(a), self.pick("clip", "fill", "wrap"), self.pick(0, 2, 100)
        return self.step(lambda x, i: jnp.take(x, i.astype("int32") % (x.shape[axis] + 2 * reach + 1) - reach, axis=axis,
                                               mode=mode), a, i)

    def update_slice(self):
        """Out-of-bounds starts are clamped."""
        from jax import lax
        a = self.some(FLOATS + SIGNED + UNSIGNED + COMPLEX + ["bool"], 1, empty=False)
        if a is None:
            return False
        shape = self.kinds[a][1]
        size = tuple(int(self.random.randint(0, n + 1)) for n in shape)
        starts = tuple(int(self.random.randint(-3, n + 4)) for n in shape)
        i = self.some(SIGNED, 0, 2, empty=False)
        if i is None:
            i = a
        return self.step(lambda x, i: lax.dynamic_update_slice(
            x, lax.rev(lax.slice(x, (0,) * x.ndim, size), tuple(range(x.ndim))),
            [s + i.reshape(-1)[0].astype("int32") if k == 0 and i.dtype.kind == "i" else s for k, s in enumerate(starts)]), a, i)

    def batched_product(self):
        from jax import lax
        wider = {"int8": ["int32", "int8"], "uint8": ["uint32", "uint8"], "int16": ["int32"], "int32": ["int32"],
                 "bfloat16": ["float32", "bfloat16"], "float16": ["float32", "float16"], "float32": ["float32", "float64"],
                 "float64": ["float64"], "complex64": ["complex64"], "complex128": ["complex128"]}
        a = self.some(list(wider), 1, 3)
        if a is None:
            return False
        dtype, shape = self.kinds[a]
        rank = len(shape)
        order = [int(i) for i in self.random.permutation(rank)]
        batch = order[:self.pick(0, 1)]
        over = order[len(batch):len(batch) + self.pick(0, 1, 1)]
        preferred = self.dtype(self.pick(*wider[dtype]))
        return self.step(lambda x: lax.dot_general(x, lax.rev(x, (0,)), ((over, over), (batch, batch)),
                                                   preferred_element_type=preferred), a)

    def image(self):
        from jax import lax
        a = self.some(FLOATS + ["complex64", "int8"], 4, 4, empty=False)
        if a is None:
            return False
        layout = self.pick("NHWC", "NCHW", "HWNC")
        channels = self.kinds[a][1][layout.index("C")]
        if channels > 64:
            return False
        groups = self.pick(1, 1, channels)
        kernel = self.pick(1, 2, 3), self.pick(1, 3)
        options = dict(window_strides=(self.pick(1, 2), self.pick(1, 2)), padding=self.pick(
            "SAME", "VALID", ((1, 2), (0, 1))), lhs_dilation=(self.pick(1, 1, 2), 1), rhs_dilation=(1, self.pick(1, 2)),
            dimension_numbers=(layout, "HWIO", layout), feature_group_count=groups,
            preferred_element_type=self.dtype("int32") if self.kinds[a][0] == "int8" else None)

        def program(x):
            weights = lax.broadcasted_iota("int32", kernel + (channels // groups, 2 * groups), 1) - 1
            return lax.conv_general_dilated(x, weights.astype(x.dtype), **options)
        return self.step(program, a)

    def sort_several(self):
        from jax import lax
        a = self.some(FLOATS + SIGNED + UNSIGNED + ["bool"], 1)
        if a is None:
            return False
        axis, keys, part = self.axis(a), self.pick(1, 2), self.pick(0, 1, 2)
        return self.step(lambda x: lax.sort((x, lax.rev(x, (axis,)), lax.broadcasted_iota("int32", x.shape, axis)),
                                            dimension=axis, num_keys=keys, is_stable=True)[part], a)

    def largest(self):
        from jax import lax
        a = self.some(FLOATS + SIGNED + UNSIGNED, 1, empty=False)
        if a is None:
            return False
        k, part = self.random.randint(1, self.kinds[a][1][-1] + 1), self.pick(0, 1)
        return self.step(lambda x: lax.top_k(x, k)[part], a)

    def cumulative(self):
        from jax import lax
        a = self.some(FLOATS + SIGNED + UNSIGNED, 1)
        if a is None:
            return False
        axis, back = self.axis(a), self.random.rand() < 0.5
        choices = [lax.cumsum, lax.cummax, lax.cummin]
        choices += [lax.cumlogsumexp] if self.kinds[a][0] in FLOATS else [lax.cumprod]
        function = self.pick(*choices)
        return self.step(lambda x: function(x, axis=axis, reverse=back), a)

    def own_reduction(self):
        """A reduction of two arrays at once, by a body of several operations; or of bits."""
        import jax.numpy as jnp
        from jax import lax
        a = self.some(SIGNED + UNSIGNED + ["bool"], 1)
        if a is None:
            return False
        axis = self.axis(a)
        if self.random.rand() < 0.5:
            function, start = self.pick((lax.bitwise_or, 0), (lax.bitwise_xor, 0), (lax.bitwise_and, -1))
            return self.step(lambda x: lax.reduce(x, x.dtype.type(start) if x.dtype.kind != "b" else jnp.bool_(start),
                                                  function, (axis,)) if x.dtype.kind != "u" or start == 0 else
                             lax.reduce(x, ~x.dtype.type(0), function, (axis,)), a)

        def body(left, right):
            more = right[0] > left[0]
            return lax.select(more, right[0], left[0]), lax.select(more, right[1], left[1]) ^ 1
        return self.step(lambda x: lax.reduce((x.astype("int32"), lax.broadcasted_iota("int32", x.shape, axis)),
                                              (jnp.int32(-2 ** 31), jnp.int32(0)), body, (axis,))[0], a)

    def pooling_gradient(self):
        """The gradient of a maximum over windows: select_and_scatter. All values are distinct, so that there are no ties."""
        import jax
        from jax import lax
        a = self.some(["float32", "float64"], 1, 4, empty=False)
        if a is None:
            return False
        rank = len(self.kinds[a][1])
        window, strides = ([self.pick(1, 2, 3) for _ in range(rank)] for _ in range(2))
        padding = self.pick("SAME", "VALID")

        def pooled(x):
            y = x + sum(lax.broadcasted_iota("int32", x.shape, d).astype(x.dtype) * (3.25 + d) for d in range(rank))
            return (lax.reduce_window(y, x.dtype.type(-1e30), lax.max, window, strides, padding) * 0.125).sum()
        return self.step(lambda x: jax.grad(pooled)(x), a)

    def gradient(self):
        import jax
        import jax.numpy as jnp
        a = self.some(["float32", "float64"], 1, 3)
        if a is None:
            return False
        functions = [lambda x: jnp.tanh(x).sum(), lambda x: (jax.nn.softmax(x, axis=-1) * x).sum(),
                     lambda x: jnp.sin(x @ x.T if x.ndim == 2 else x).sum(), lambda x: jax.nn.logsumexp(x),
                     lambda x: jnp.cumsum(x * x, axis=0).sum(), lambda x: (x[..., ::-1] * x[..., :1]).sum(),
                     lambda x: jnp.sqrt(1 + x * x).prod(axis=0).sum(), lambda x: jnp.pad(x, 1).std()]
        function = self.pick(*functions)
        return self.step(jax.grad(function), a)

    def nested(self):
        """A branch in a loop in a scan."""
        import jax.numpy as jnp
        from jax import lax
        a = self.some(FLOATS + SIGNED, 0, 3)
        if a is None:
            return False
        outer, inner, chosen = self.random.randint(0, 4), self.random.randint(0, 4), self.random.randint(0, 3)
        part = self.pick(0, 1)

        def body(carry, i):
            def again(state):
                n, x = state
                y = lax.switch(n % 3, [lambda v: v + v.dtype.type(1), lambda v: -v, lambda v: v], x)
                return n + 1, lax.cond(i == chosen, lambda v: v, lambda v: lax.rev(v, tuple(range(v.ndim))), y)
            carry = lax.while_loop(lambda s: s[0] < inner, again, (jnp.int32(0), carry))[1]
            return carry, carry.astype("float32").sum()
        return self.step(lambda x: lax.scan(body, x, jnp.arange(outer, dtype="int32"))[part], a)

    def choose(self):
        from jax import lax
        a = self.some(FLOATS + SIGNED + UNSIGNED + COMPLEX + SMALL_FLOATS + NIBBLES + ["bool"])
        dtype, shape = self.kinds[a]
        conditions = self.values(lambda d, s: d == "bool" and s in (shape, ()))
        if conditions and self.random.rand() < 0.6:
            b = self.pick(*self.values(lambda d, s: d == dtype and s == shape))
            return self.step(lambda p, x, y: lax.select_n(p, x, y), self.pick(*conditions), a, b)
        if not is_number(dtype, shape):
            return False
        return self.step(lambda x: lax.clamp(x.dtype.type(1), x, x.dtype.type(3)), a)

    def factor(self):
        """Triangular systems and factorizations of well-conditioned matrices."""
        import jax.numpy as jnp
        from jax import lax
        a = self.some(["float32", "float64", "complex64", "complex128"], 2, 3, empty=False)
        if a is None or self.kinds[a][1][-2] > 20 or self.odd_values:
            return False
        which, lower, unit = self.random.randint(2), self.random.rand() < 0.5, self.random.rand() < 0.5
        transposed = self.pick(False, True)

        def program(x):
            x = x / (1 + abs(x))
            square = x @ jnp.swapaxes(x, -1, -2).conj() + (2 + x.shape[-1]) * jnp.eye(x.shape[-2], dtype=x.dtype)
            if which:
                return lax.linalg.cholesky(square)
            return lax.linalg.triangular_solve(square, x, left_side=True, lower=lower, unit_diagonal=False,
                                               transpose_a=transposed, conjugate_a=unit)
        return self.step(program, a)

    def random_bits(self):
        from jax import lax
        import jax
        import jax.numpy as jnp
        shape, seed = self.shape(), self.random.randint(1 << 30)
        dtype = self.pick("uint8", "uint16", "uint32", "uint64")
        if self.random.rand() < 0.5:
            algorithm = self.pick(lax.RandomAlgorithm.RNG_THREE_FRY, lax.RandomAlgorithm.RNG_PHILOX)
            key = jnp.array([seed, 7], "uint64")
            return self.step(lambda: lax.rng_bit_generator(key, shape, self.dtype(dtype), algorithm)[1])
        return self.step(lambda: jax.random.bits(jax.random.key(seed), shape, dtype))

    def special(self):
        """Functions of the second row, on arguments where they are smooth."""
        import jax
        import jax.numpy as jnp
        from jax import lax
        a = self.some(["float32", "float64"])
        if a is None:
            return False
        functions = [lax.erf, lax.erfc, lambda x: lax.erf_inv(jnp.tanh(x) * 0.9), lambda x: lax.lgamma(abs(x) + 1.5),
                     lambda x: lax.digamma(abs(x) + 2), jnp.arctan, jnp.arcsinh, jnp.sinc, lambda x: lax.rsqrt(abs(x) + 1),
                     lambda x: lax.pow(abs(x) + 0.5, x * 0.25), lambda x: lax.integer_pow(x, 3), jnp.log2, jnp.trunc,
                     lambda x: lax.is_finite(x), lambda x: lax.nextafter(x, x + 1), lambda x: lax.reduce_precision(x, 5, 7),
                     lambda x: lax.bessel_i1e(x), lambda x: lax.igamma(abs(x) + 1, abs(x) + 1.5),
                     lambda x: jax.nn.one_hot(jnp.abs(x).astype("int32") % 4, 4), jnp.exp2, jnp.cosh]
        return self.step(self.pick(*functions), a)
