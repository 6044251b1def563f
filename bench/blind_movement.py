"""blind_movement.py: rows of the long tail written before any of them was measured (snippets.py): what moves data in medium and
large arrays: transposes, joins, pads, gathers, scatters, windows, patches, packing, sorting, cumulative and segmented
operations."""
import jax
import jax.numpy as jnp
from jax import lax

from snippets import row

ROWS = [
    "lambda x: x.T @@ n(1000, 777)",
    "lambda x: x.transpose(2, 0, 1) * 2 + 1 @@ n(128, 96, 64)",
    "lambda x: jnp.swapaxes(x, 1, 2).reshape(x.shape[0], -1) @@ n(64, 128, 50)",
    "lambda x, y: x + y.T @@ n(900, 1100), n(1100, 900)",
    "lambda x: (jnp.tanh(x).T, x.sum(0)) @@ n(512, 700)",
    "lambda x: x.transpose(0, 3, 1, 2) @@ n(8, 64, 64, 32)",
    "lambda x: x.transpose(0, 2, 3, 1) / 255 @@ i(256, 16, 3, 128, 128).astype('uint8')",
    "lambda x: x.reshape(16, 100, 8, 32).transpose(0, 2, 1, 3) @@ n(16, 100, 256)",
    "lambda a, b, c: jnp.concatenate([a, b, c], 1) @@ n(500, 100), n(500, 257), n(500, 3)",
    "lambda a, b: jnp.stack([a, b], -1) @@ n(600, 600), n(600, 600, seed=1)",
    "lambda a, b: jnp.concatenate([jnp.exp(a), b[:, ::-1], a * 2], 2) @@ n(20, 100, 64), n(20, 100, 64, seed=1)",
    "lambda x: (jnp.rot90(x), jnp.rot90(x, 2), jnp.fliplr(x)) @@ n(512, 400)",
    "lambda x: jnp.roll(x, (13, -37), (0, 1)) - x @@ n(1024, 768)",
    "lambda x: jnp.pad(x, ((3, 5), (2, 2), (0, 1)), mode='reflect') @@ n(60, 120, 33)",
    "lambda x: jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), constant_values=-1) @@ n(16, 62, 62, 16)",
    "lambda x: jnp.tile(x, (4, 3, 2)) @@ n(20, 100, 64)",
    "lambda x: jnp.repeat(jnp.repeat(x, 3, 1), 3, 2) @@ n(16, 50, 50, 4)",
    "lambda x: jnp.repeat(x, jnp.arange(1000) % 5, axis=0, total_repeat_length=2000) @@ n(1000, 64)",
    "lambda x, at: x[at] @@ n(5000, 100), i(5000, 3000)",
    "lambda x, at: x[:, at] @@ n(800, 1000), i(1000, 700)",
    "lambda x, at, to: x[at, to] @@ n(1000, 1000), i(1000, 40000), i(1000, 40000)[::-1]",
    "lambda x, at, y: x.at[at].add(y) @@ n(2000, 64), i(2000, 6000), n(6000, 64)",
    "lambda x, at, y: x.at[:, at].set(y) @@ n(300, 2000), i(2000, 500), n(300, 500)",
    "grad(lambda x, at: jnp.sin(x[at]).reshape(50, -1).sum(0) ** 2) @@ n(3000, 32), i(3000, 5000)",
    "lambda x: x[::3, 1::2] + x[1::3, ::2][:333, :500] @@ n(999, 1000)",
    "lambda x: x[:, ::-1, ::4].sum(1) @@ n(100, 120, 160)",
    "lambda x: jnp.diagonal(x, axis1=1, axis2=2) + jnp.trace(x, axis1=1, axis2=2)[:, None] @@ n(64, 150, 150)",
    "lambda x: jnp.concatenate([x[:, :32] * 2, x[:, 32:]], 1).at[:, 5].set(0) @@ n(4000, 96)",
    "lambda x: jnp.moveaxis(x, (0, 2), (2, 0)).ravel()[::7] @@ n(70, 80, 90)",
    "vmap(lambda x, s: lax.dynamic_slice(x, s, (40, 40, 3))) @@ n(32, 64, 64, 3), i(24, 32, 2).repeat(2, 1)[:, 1:]",
    "lambda x: jnp.cumsum(x, 0) @@ n(2000, 300)",
    "lambda x: (jnp.cumprod(1 + .01 * x, 1), lax.cummax(x, 1, reverse=True)) @@ n(400, 1000)",
    "lambda x: lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (x, x), axis=1)"
    " @@ n(64, 256, 32, scale=.5)",
    "lambda x, s: jax.ops.segment_sum(x, jnp.sort(s), 500, indices_are_sorted=True) @@ n(20000, 16), i(500, 20000)",
    "lambda x, s: jax.ops.segment_max(x, s, 64) - jax.ops.segment_min(x, s, 64) @@ n(10000, 8), i(64, 10000)",
    "lambda x, k: jnp.take_along_axis(x, jnp.argsort(k, 1)[..., None], 1) @@ n(50, 300, 32), n(50, 300)",
    "lambda k, v: lax.sort((k, v, v * 2), dimension=0, num_keys=2) @@ i(50, 30000), n(30000)",
    "lambda x: jnp.where(jnp.tri(512, dtype=bool), x, -jnp.inf).max(-1) @@ n(8, 512, 512)",
    "lambda x: jnp.split(x, [10, 300, 555], 1) @@ n(500, 800)",
    "lambda x: jnp.nonzero(x > 1, size=9000, fill_value=-1) @@ n(200, 300)",
]


# ---- blocks and patches ------------------------------------------------------------------------------------------------

@row("n(8, 128, 128, 12)")
def space_to_depth_and_back(x):
    y = x.reshape(8, 64, 2, 64, 2, 12).transpose(0, 1, 3, 2, 4, 5).reshape(8, 64, 64, 48)
    y = jnp.where(y > 0, y, 0.1 * y)
    return y, y.reshape(8, 64, 64, 2, 2, 12).transpose(0, 1, 3, 2, 4, 5).reshape(x.shape)


@row("n(16, 96, 96, 3), n(96)")
@row("n(16, 96, 96, 3), n(96)", function="grad({0}, (0, 1))")
def patch_columns_scaled(x, w):
    p = x.reshape(16, 12, 8, 12, 8, 3).transpose(0, 1, 3, 5, 2, 4).reshape(16, 144, 192)
    return p[..., ::2] * w + p.mean(-1, keepdims=True)


@row("n(8, 40, 40, 16)")
def im2col_by_slices(x):
    p = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    return jnp.concatenate([p[:, i:i + 40, j:j + 40] for i in range(3) for j in range(3)], -1).reshape(-1, 144)


@row("n(4, 16, 50, 50)", function="grad(lambda x: {0}(x) ** 2)")
def conv_patches_channels_first(x):
    return lax.conv_general_dilated_patches(x, (3, 3), (2, 2), "VALID").reshape(4, 16, 9, -1).max(2)


@row("n(60000)")
def framed_windows(x):
    at = jnp.arange(465)[:, None] * 128 + jnp.arange(400)
    return x[at] * jnp.hanning(400)


@row("n(480, 1200)", function="vmap({0})")
def overlapped_and_added(x):
    frames = x.reshape(12, 100)
    half = frames[:, :50], frames[:, 50:]
    zero = jnp.zeros((1, 50))
    return (jnp.concatenate([half[0], zero]) + jnp.concatenate([zero, half[1]])).ravel()


@row("n(300, 400)")
def sliding_view_statistics(x):
    view = jnp.stack([x[:, k:k + 384] for k in range(16)], -1)
    return view.mean(-1), view.max(-1) - view[..., 8]


@row("n(32, 24, 24)")
def block_diagonal_of_stack(blocks):
    n, k, _ = blocks.shape
    return jnp.zeros((n, k, n, k)).at[jnp.arange(n), :, jnp.arange(n)].set(blocks).reshape(n * k, n * k)


@row("n(20, 11), n(64, 50), n(33, 47), n(90, 90)")
def block_diagonal_of_list(*blocks):
    return jax.scipy.linalg.block_diag(*blocks) + 1


@row("n(500, 45)")
def symmetric_from_triangle(v):
    i, j = jnp.triu_indices(9)
    m = jnp.zeros((500, 9, 9)).at[:, i, j].set(v)
    return m + jnp.triu(m, 1).swapaxes(1, 2)


@row("n(40, 128, 128)", function="grad(lambda x: {0}(x)[..., ::3])")
def lower_triangle_packed(x):
    i, j = jnp.tril_indices(128, -1)
    return jnp.exp(x[:, i, j])


@row("n(256, 257)")
def skewed_to_diagonals(x):
    n, m = x.shape
    out = jnp.pad(x, ((0, 0), (0, n))).ravel()[:-n].reshape(n, n + m - 1)
    return out.sum(0), out


@row("n(8, 200, 399)")
def relative_shift(x):
    b, q, k = x.shape
    x = jnp.pad(x, ((0, 0), (0, 0), (1, 0))).reshape(b, k + 1, q)[:, 1:].reshape(b, q, k)
    return x[:, :, :200]


# ---- packing -----------------------------------------------------------------------------------------------------------

@row("n(64, 100, 32), i(100, 64)")
def unpadded_to_flat(x, lengths):
    ok = (jnp.arange(100) < lengths[:, None]).ravel()
    to = jnp.where(ok, jnp.cumsum(ok) - 1, 6400)
    flat = jnp.zeros((6400, 32)).at[to].set(x.reshape(-1, 32), mode="drop")
    return flat, to.reshape(64, 100)[:, 0]


@row("n(5000, 32), i(90, 64)")
def ragged_to_padded(values, lengths):
    start = jnp.cumsum(lengths) - lengths
    span = jnp.arange(90)
    at = start[:, None] + span
    return jnp.where((span < lengths[:, None])[..., None], values[jnp.minimum(at, 4999)], 0)


@row("i(60, 300)")
def greedy_document_packing(lengths):
    def put(room, n):
        fits = room >= n
        bin = jnp.where(fits.any(), jnp.argmax(fits), 0)
        return room.at[bin].add(-jnp.where(fits.any(), n, 0)), (bin, room[bin])
    return lax.scan(put, jnp.full(100, 128), lengths)


@row("i(2, 512, 1024).astype(bool)")
def bits_packed_and_unpacked(mask):
    packed = jnp.packbits(mask, axis=1)
    return packed, jnp.unpackbits(packed ^ 255, axis=1).sum(1), lax.population_count(packed).sum(1)


@row("i(16, 400, 1000)")
def nibbles_packed(x):
    x = x.astype(jnp.uint8)
    packed = x[:, ::2] | x[:, 1::2] << 4
    return packed, jnp.stack([packed & 15, packed >> 4], -1).reshape(x.shape).astype(jnp.int8) - 8


@row("n(300, 800)")
def complex_parts_interleaved(x):
    z = lax.complex(x[:, ::2], x[:, 1::2]) * jnp.exp(0.1j)
    return jnp.stack([z.real, z.imag], -1).reshape(x.shape), lax.bitcast_convert_type(x, jnp.int16)[..., 1]


@row("n(700, 300), n(700, 300, seed=1)")
def rows_interleaved(a, b):
    return jnp.zeros((1400, 300)).at[::2].set(a).at[1::2].set(b * 2)


@row("n(48, 80, 80, 3), i(48, 48, 2), i(32, 48) + 1")
def variable_crops_masked(x, corner, size):
    def crop(x, corner, size):
        out = lax.dynamic_slice(x, (corner[0], corner[1], 0), (32, 32, 3))
        keep = jnp.arange(32) < size
        return jnp.where((keep[:, None] & keep)[..., None], out, 0)
    return jax.vmap(crop)(x, corner, size)


@row("n(16, 64, 64, 8), i(60, 16, 2)")
def random_shifts_by_edge_padding(x, shift):
    padded = jnp.pad(x, ((0, 0), (4, 4), (4, 4), (0, 0)), mode="edge")
    return jax.vmap(lambda p, s: lax.dynamic_slice(p, (s[0] % 9, s[1] % 9, 0), (64, 64, 8)))(padded, shift)


@row("n(10, 200, 64), n(10, 8, 64, seed=1), i(192, 10)")
def ragged_updates_of_slices(x, y, at):
    return jax.vmap(lambda x, y, a: lax.dynamic_update_slice(x, y, (a, 0)))(x, y, at).cumsum(1)


# ---- order, segments, masks -----------------------------------------------------------------------------------------------

@row("i(40, 8000), n(8000, 24)")
def rank_within_group(key, x):
    order = jnp.argsort(key, stable=True)
    k = key[order]
    first = jnp.searchsorted(k, jnp.arange(40))
    return jnp.zeros(8000, jnp.int32).at[order].set(jnp.arange(8000) - first[k]), x[order]


@row("n(20000), i(30, 20000) == 0")
def sums_restarted_at_flags(x, flag):
    join = lambda a, b: (jnp.where(b[1], b[0], a[0] + b[0]), a[1] | b[1])
    return lax.associative_scan(join, (x, flag))[0]


@row("n(400, 500), i(4, 400, 500) == 0")
def missing_filled_forward(x, missing):
    at = lax.cummax(jnp.where(missing, -1, jnp.arange(500)), axis=1)
    return jnp.where(at >= 0, jnp.take_along_axis(x, jnp.maximum(at, 0), 1), 0)


@row("n(300, 1000)")
def top_columns_scattered_back(x):
    v, at = lax.top_k(x, 40)
    return jnp.zeros_like(x).at[jnp.arange(300)[:, None], at].set(jnp.exp(v))


@row("n(100, 100, 40), i(100, 30), i(100, 20)")
def outer_indexed_box(x, a, b):
    return x[jnp.ix_(a, b)] + x[a[:20], b][None], x.at[a[:, None], b].multiply(0.5).sum(2)


@row("n(600, 200), i(200, 600)")
def rows_rolled_differently(x, by):
    return jnp.take_along_axis(x, (jnp.arange(200) - by[:, None]) % 200, 1), jax.vmap(jnp.roll)(x, by)


@row("n(12, 40, 40, 40)")
def cube_faces_and_shells(x):
    faces = jnp.stack([x[:, 0], x[:, -1], x[:, :, 0], x[:, :, -1], x[..., 0], x[..., -1]], 1)
    r = jnp.max(jnp.abs(jnp.stack(jnp.meshgrid(*[jnp.arange(40) - 19.5] * 3))), 0).astype(jnp.int32)
    return faces, jax.vmap(lambda v: jax.ops.segment_sum(v.ravel(), r.ravel(), 20))(x)
