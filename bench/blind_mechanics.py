"""blind_mechanics.py: rows of the long tail written before any of them was measured (snippets.py): transformations, loops under
vmap, gathers, scatters, windows, convolutions and sorts with unusual parameters, types of 8, 16 and 64 bits."""
import jax
import jax.numpy as jnp
from jax import lax, nn

from snippets import row


# ---- transformations and loops ---------------------------------------------------------------------------------------

@jax.custom_vjp
def clipped_gradient(x):
    return jnp.sin(x) * x


def clipped_gradient_back(x, g):
    return (jnp.clip(g * (jnp.cos(x) * x + jnp.sin(x)), -0.1, 0.1),)


clipped_gradient.defvjp(lambda x: (clipped_gradient(x), x), clipped_gradient_back)


@row("n(61, 7), n(7, 9), n(9)")
def hessian_vector_products(x, w, v):
    f = lambda u: (jnp.tanh(x @ w) @ u).sum() ** 2 + (u**4).sum()
    return jax.jvp(jax.grad(f), (v,), (jnp.ones(9),))[1], jax.vmap(lambda d: jax.jvp(jax.grad(f), (v,), (d,))[1])(jnp.eye(9))


@row("n(33, 5), n(5, 11), n(11, 3)")
def gauss_newton_block(x, a, b):
    """J^T J v by a linearization and its transpose."""
    f = lambda a: nn.softplus(x @ a) @ b
    y, push = jax.linearize(f, a)
    pull = jax.linear_transpose(push, a)
    return pull(push(jnp.ones_like(a)))[0], pull(y)[0]


@row("n(40, 12), n(12, 12, scale=.3)")
def checkpointed_layers(x, w):
    @jax.checkpoint
    def layer(x, k):
        return x + jnp.tanh(x @ w * k), None
    return jax.grad(lambda x: (lax.scan(layer, x, jnp.linspace(0.5, 1, 9))[0] ** 2).sum())(x)


@row("n(50, 6), n(6)")
def per_example_norms(x, w):
    g = jax.vmap(jax.grad(lambda w, x: jnp.log1p(jnp.exp((w * x).sum() + jnp.sin(w[0] * x[1])))), (None, 0))(w, x)
    return jnp.linalg.norm(g, axis=1), g.mean(0)


@row("i(40, 70), n(70)")
def batched_while(n, x):
    """A loop with its own trip count for each element."""
    def one(n, x):
        return lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, jnp.sin(s[1]) + 0.1), (0, x))[1]
    return jax.vmap(one)(n, x)


@row("i(4, 83), n(83, 6)")
def batched_switch(k, x):
    branches = [lambda x: jnp.sort(x), lambda x: jnp.cumsum(x), lambda x: x[::-1] * 2, lambda x: jnp.tanh(x)]
    return jax.vmap(lambda k, x: lax.switch(k, branches, x))(k, x)


@row("n(5, 21, 4), n(5, 4)")
def batched_scan_of_cond(x, c):
    def step(c, x):
        c = lax.cond(c.sum() > 0, lambda c: c - abs(x), lambda c: c * 0.5 + x, c)
        return c, c.max()
    return jax.vmap(lambda c, x: lax.scan(step, c, x))(c, x)


@row("n(29, 31)")
def nested_maps(x):
    return lax.map(lambda r: lax.map(lambda v: lax.fori_loop(0, 4, lambda k, v: jnp.cos(v * k), v), r), x)


@row("n(257, 3, 3, scale=.6)")
def prefix_products(m):
    return lax.associative_scan(lambda a, b: b @ a, m), lax.associative_scan(jnp.matmul, m[::-1], axis=0)


@row("n(401), n(401) > 1")
def segmented_scan(x, start):
    def combine(a, b):
        return jnp.where(b[1], b[0], a[0] + b[0]), a[1] | b[1]
    return lax.associative_scan(combine, (x, start))[0]


@row("n(90, 4), n(4, 4, scale=.3)")
def scan_two_ways(x, w):
    """Left to right and right to left, four steps at a time."""
    step = lambda c, x: ((lambda h: (h, h))(jnp.tanh(x + c @ w)))
    a = lax.scan(step, jnp.zeros(4), x, unroll=4)[1]
    b = lax.scan(step, jnp.zeros(4), x, reverse=True, unroll=2)[1]
    return jnp.concatenate([a, b], 1)


# ---- gathers, scatters, windows --------------------------------------------------------------------------------------

@row("n(19, 23, 5), i(18, 40, 2)")
def gathered_windows(x, at):
    """Windows of 2 x 3 x 5 that start at (row, column), the row clipped."""
    numbers = lax.GatherDimensionNumbers(offset_dims=(0, 2, 3), collapsed_slice_dims=(), start_index_map=(0, 1))
    return lax.gather(x, at, numbers, slice_sizes=(2, 3, 5), mode="clip")


@row("n(7, 11, 13), i(13, 9, 4)")
def gathered_columns(x, at):
    numbers = lax.GatherDimensionNumbers(offset_dims=(1, 2), collapsed_slice_dims=(2,), start_index_map=(2,))
    return lax.gather(x, at[..., None], numbers, slice_sizes=(7, 11, 1))


@row("n(6, 17, 8), i(17, 6, 10)")
@row("n(6, 17, 8), i(17, 6, 10)", "grad(lambda x, at: {0}(x, at) ** 2)")
def gathered_by_batch(x, at):
    numbers = lax.GatherDimensionNumbers(offset_dims=(2,), collapsed_slice_dims=(1,), start_index_map=(1,),
                                         operand_batching_dims=(0,), start_indices_batching_dims=(0,))
    return lax.gather(x, at[..., None], numbers, slice_sizes=(1, 1, 8))


@row("n(31, 29), i(28, 50, 2), n(50, 3, 2)")
def scattered_windows(x, at, updates):
    numbers = lax.ScatterDimensionNumbers((1, 2), (), (0, 1))
    return lax.scatter_add(x, at, updates, numbers, mode="drop")


@row("n(41, 9), i(41, 120), n(120, 9)")
def scattered_products(x, at, updates):
    numbers = lax.ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    return lax.scatter_mul(x, at[:, None], 1 + 0.1 * updates, numbers), lax.scatter_max(x, at[:, None], updates, numbers)


@row("n(7, 23, 31), i(20, 7), i(28, 7)")
def moved_windows(x, y, z):
    cut = lambda x, y, z: lax.dynamic_update_slice(x, 2 * lax.dynamic_slice(x, (y, z), (5, 7)), (z % 19, y % 24))
    return jax.vmap(cut)(x, y, z)


@row("n(3, 27, 25), n(3, 27, 25, seed=1)")
def two_value_window(x, y):
    """The place of the greatest value in each window: a reduction of two operands."""
    at = lax.broadcasted_iota("float32", x.shape, 2)
    def greater(a, b):
        take = a[0] >= b[0]
        return jnp.where(take, a[0], b[0]), jnp.where(take, a[1], b[1])
    return lax.reduce((x + y, at), (-jnp.inf, -1.0), greater, (1,))


@row("i(9, 501), n(501), i(7, 501)")
def three_operand_sort(a, b, c):
    return lax.sort((a, c, b, jnp.arange(501)), num_keys=2, is_stable=True), lax.sort((b, c), dimension=0)[1]


@row("n(5, 33), n(5, 33, seed=1)")
def sorted_by_absolute_value(x, y):
    order = jnp.argsort(abs(x), axis=1, descending=True, stable=True)
    return jnp.take_along_axis(y, order, 1), jnp.argsort(order, axis=1)


# ---- numbers of few and of many bits ---------------------------------------------------------------------------------

@row("n(37, 64, dtype='float16'), n(64, 41, dtype='float16')")
def half_softmax_product(x, w):
    return nn.softmax(x @ w, -1).astype("bfloat16").sum(0, dtype="float32"), lax.dot(x, w, preferred_element_type="float32")


@row("n(2003, dtype='bfloat16')")
def bfloat16_running_statistics(x):
    return jnp.cumsum(x, dtype="float32"), lax.cummax(x), jnp.sort(x)[::7], (x - x.mean()) * lax.rsqrt(x.var() + 1)


@row("n(47, 53)")
def stochastic_rounding(x):
    """To bfloat16 by adding hashed bits below the mantissa."""
    bits = lax.bitcast_convert_type(x, "uint32")
    noise = (lax.iota("uint32", x.size).reshape(x.shape) * jnp.uint32(2654435761)) >> 16
    return lax.bitcast_convert_type((bits + noise) & jnp.uint32(0xFFFF0000), "float32").astype("bfloat16")


@row("n(33, 96)")
def microscaling_fp8(x):
    """Blocks of 32 share a power of two."""
    b = x.reshape(33, 3, 32)
    scale = jnp.exp2(jnp.floor(jnp.log2(abs(b).max(-1, keepdims=True))) - 7)
    return ((b / scale).astype("float8_e4m3fn").astype("float32") * scale).reshape(x.shape)


@row("i(60000, 700).astype('uint16'), i(200, 700).astype('int8')")
def small_integers(a, b):
    c = (a >> 3) * jnp.uint16(5) + a
    return c, b * b - b // 3, jnp.where(b > 50, jnp.int8(50), b).cumsum(dtype="int16"), (c.astype("int32") * b).max()


@row("n(401, dtype='float64'), n(401, dtype='float64', seed=1)", double=True)
@row("n(401, dtype='float64'), n(401, dtype='float64', seed=1)", "grad({0}, (0, 1))", double=True)
def double_rosenbrock(x, y):
    return (100 * (y - x**2) ** 2 + (1 - x) ** 2 + jnp.log1p(jnp.hypot(x, y))).sum()


@row("n(700), n(700, seed=1)")
def compensated_sum(x, y):
    def step(s, v):
        total, lost = s
        t = total + v
        lost = lost + jnp.where(abs(total) >= abs(v), (total - t) + v, (v - t) + total)
        return (t, lost), None
    return sum(lax.scan(step, (0.0, 0.0), x * y)[0])


@row("n(23, 17, dtype='complex64'), n(17, 19, dtype='complex64')")
@row("n(23, 17, dtype='complex64'), n(17, 19, dtype='complex64')", "grad({0}, 1)")
def complex_rotations(x, y):
    z = x @ y
    return z / (abs(z) + 1) * jnp.exp(1j * jnp.angle(z)) + jnp.conj(z) ** 2


ROWS = [
    "grad(vmap(clipped_gradient)) @@ n(701)",
    "jax.jacrev(lambda x: jnp.outer(x, x)[jnp.triu_indices(13)]) @@ n(13)",
    "lambda x: jax.jacfwd(jax.jacrev(lambda x: jnp.prod(jnp.cos(x))))(x) @@ n(17)",
    "lambda x: jax.vjp(lambda x: (jnp.sin(x), x.sum(1)), x)[1]((x, x[:, 0]))[0] @@ n(43, 47)",
    "vmap(vmap(jnp.dot, (None, 1)), (0, None)) @@ n(37, 23), n(23, 29)",
    "vmap(lambda a, b: a.T @ b, (2, 1), 2) @@ n(11, 13, 7), n(11, 7, 17)",
    "vmap(vmap(lambda a, i: a[i] * a.sum()), in_axes=(0, None)) @@ n(9, 31, 21), i(21, 31)",
    (
        "lambda x, k: lax.conv_general_dilated(x, k, (2, 1), ((1, 2), (0, 3)), (1, 2), (2, 1), ('HNWC', 'OHWI', 'WNHC')) "
        "@@ n(13, 2, 11, 6), n(5, 3, 2, 6)"
    ),
    (
        "lambda x, k: lax.conv_general_dilated(x, k, (3,), 'SAME', rhs_dilation=(2,), dimension_numbers=('NWC', 'WIO', "
        "'NWC'), feature_group_count=7) @@ n(3, 101, 14), n(5, 2, 21)"
    ),
    "lambda x, k: lax.conv_general_dilated(x, k, (1, 1), 'VALID', batch_group_count=3) @@ n(6, 5, 12, 14), n(9, 5, 3, 3)",
    (
        "grad(lambda x, k: lax.conv_general_dilated(x, k, (2, 1, 1), 'SAME', dimension_numbers=('NDHWC', 'DHWIO', "
        "'NDHWC')), 1) @@ n(1, 9, 10, 11, 3), n(3, 3, 3, 3, 4)"
    ),
    (
        "lambda x, k: lax.conv_general_dilated(x.astype('bfloat16'), k.astype('bfloat16'), (1, 1), 'SAME', "
        "preferred_element_type='float32') @@ n(2, 7, 17, 19), n(5, 7, 3, 3)"
    ),
    "lambda x, k: lax.conv_general_dilated(x[:, ::-1], k, (1, 1), ((-1, 2), (1, -1))) @@ n(2, 4, 15, 16), n(3, 4, 4, 2)",
    "lambda x: lax.conv_general_dilated_patches(x, (3, 2), (2, 2), 'VALID', rhs_dilation=(1, 2)) @@ n(2, 3, 17, 19)",
    (
        "lambda x: lax.reduce_window(x, 0., lax.add, (3, 1, 2), (2, 1, 1), ((1, 0), (0, 0), (0, 1)), window_dilation=(1, "
        "1, 3)) @@ n(15, 7, 23)"
    ),
    "lambda x: lax.reduce_window(x, 1., lax.mul, (1, 4), (1, 3), ((0, 0), (2, 1)), base_dilation=(1, 2)) @@ n(29, 31)",
    "lambda x, y, z: jnp.einsum('zyx,qx,qyw->wzq', x, y, z) @@ n(7, 11, 13), n(5, 13), n(5, 11, 3)",
    "lambda t: jnp.einsum('iijk,jk->ik', t, t[0, 1]) @@ n(9, 9, 8, 7)",
    "lambda a, b: jnp.einsum('...hd,...kd->...hk', a[:, None], b) @@ n(3, 7, 12), n(3, 5, 9, 12)",
    "lambda x: lax.pad(x, 0.5, ((1, -2, 2), (-3, 4, 1))) @@ n(23, 29)",
    "lambda x: jnp.roll(x[::-1, ::2].T, (3, -5), (0, 1)) * x.T[::2] @@ n(37, 53)",
    "lambda x: jnp.stack([x[:-2], x[1:-1], x[2:]], 1).reshape(-1, 11)[::3] @@ n(59, 11)",
    "lambda x: jnp.tile(x, (3, 2))[:, None].repeat(2, 1).sum(2) @@ n(17, 19)",
    (
        "lambda x: sum(jnp.split(x, [3, 10, 20], axis=1)[k].sum() * (k + 1) for k in range(4)) + jnp.array_split(x, 5)[2] "
        "@@ n(31, 29)"
    ),
    "lambda x, i: x.at[i[:, 0], :, i[:, 1]].multiply(2.).at[:, ::3].add(1.).at[1:5, 2].set(0.) @@ n(13, 14, 15), i(13, 20, 2)",
    "lambda x, i: jnp.put_along_axis(x, i, 3., axis=1, inplace=False) @@ n(43, 29), i(29, 43, 4)",
    "lambda x, m: x[:, jnp.nonzero(m, size=12, fill_value=0)[0]] @@ n(33, 37), n(37) > .3",
    "lambda x: jnp.apply_along_axis(lambda v: jnp.interp(jnp.linspace(0, 1, 9), jnp.linspace(0, 1, 21), v), 1, x) @@ n(19, 21)",
    "lambda x: jnp.piecewise(x, [x < -1, (x >= -1) & (x < 1)], [lambda v: -v, lambda v: v * v, jnp.log]) @@ n(1201)",
    "lambda x: jnp.select([x > 1, x > 0, x > -1], [x, x * x, jnp.exp(x)], -1.) @@ n(61, 67)",
    "lambda x: jnp.frexp(x)[0] + jnp.ldexp(x, 3) + jnp.nextafter(x, 9.) + jnp.spacing(x) @@ n(999)",
    "lambda x: lax.reduce(x, 0., lambda a, b: jnp.maximum(abs(a), abs(b)), (0, 2)) @@ n(17, 19, 23)",
    "lambda x: (x.max(), x.argmax(), jnp.unravel_index(x.argmin(), x.shape)) @@ n(7, 83, 11)",
    "lambda x: lax.expand_dims(x, (1, 3)).transpose(3, 1, 2, 0)[..., ::-1] @@ n(43, 41)",
    "lambda x: jax.lax.clamp(-1., x, 1.) + lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN) @@ n(5, 7, 11, 13)",
]
