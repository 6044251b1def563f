"""blind_tensors.py: rows of the long tail written before any of them was measured (snippets.py): idioms of arrays: contractions
of every shape, chains of transposes and reshapes, gathers and updates, slices, pads, stacks, rolls and turns, cumulative
operations, sorting, bits, integers, small types, complex numbers, doubles, derivatives under vmap. A docstring gives the
shapes."""
import jax
import jax.flatten_util
import jax.numpy as jnp
from jax import lax, nn

from snippets import row


ROWS = [
    # contractions
    "lambda q, r, m: jnp.einsum('bqhd,bkhd->bhqk', q, r) * m[:, None] @@ n(3, 37, 4, 16), n(3, 41, 4, 16), n(3, 37, 41)",
    "lambda a, u, v: jnp.einsum('...i,...ij,...j', u, a, v) @@ n(7, 60, 5, 5), n(7, 60, 5), n(60, 5)",
    "lambda t: (jnp.einsum('iijj->', t), jnp.einsum('ijij->ij', t), jnp.einsum('ijkj->ki', t)) @@ n(14, 14, 14, 14)",
    "lambda a, b, c: jnp.einsum('ir,jr,kr->ijk', a, b, c) @@ n(71, 6), n(69, 6), n(64, 6)",
    "grad(lambda a, b, c, t: (jnp.einsum('ir,jr,kr->ijk', a, b, c) - t) ** 2, (0, 1, 2)) @@ n(19, 4), n(21, 4), n(18, 4), n(19, 21, 18)",
    "lambda core, a, b, c: jnp.einsum('pqr,ip,jq,kr->ijk', core, a, b, c, optimize='optimal')"
    " @@ n(5, 6, 7), n(54, 5), n(60, 6), n(64, 7)",
    "lambda x, y: jnp.einsum('nc,mc->nm', x, y) / jnp.sqrt(jnp.einsum('nc,nc,md,md->nm', x, x, y, y)) @@ n(610, 96), n(530, 96)",
    "lambda g, v, w: jnp.einsum('xyab,xya,xyb->xy', g, v, w) + jnp.einsum('xyaa->xy', g) @@ n(180, 160, 3, 3), n(180, 160, 3), n(180, 160, 3)",
    "lambda e, a, b: jnp.einsum('ijk,nj,nk->ni', e, a, b)"
    " @@ jnp.zeros((3, 3, 3)).at[jnp.array([0, 1, 2, 0, 2, 1]), jnp.array([1, 2, 0, 2, 1, 0]), jnp.array([2, 0, 1, 1, 0, 2])]"
    ".set(jnp.array([1., 1, 1, -1, -1, -1])), n(4000, 3), n(4000, 3, seed=1)",
    "lambda f: jnp.einsum('sab,tbc,uca->stu', f, f, f) @@ n(9, 8, 8)",
    "lambda x, w: lax.dot_general(x, w, (((0, 3), (2, 0)), ((1,), (1,)))) @@ n(6, 5, 30, 8), n(8, 5, 6, 20)",
    "f64: lambda a, d: jnp.einsum('ij,j,kj->ik', a, d, a) @@ n(120, 75, dtype='float64'), n(75, dtype='float64')",
    # moves
    "lambda x: x.reshape(4, 6, 10, 8).transpose(2, 0, 3, 1).reshape(40, 48)[::-1].T.reshape(6, -1, 5).swapaxes(0, 2).ravel() @@ n(24, 80)",
    "lambda x: jnp.rot90(jnp.roll(x, (3, -5), (1, 2)), 1, (1, 2)) - jnp.flip(jnp.moveaxis(x, 1, 2), 1) @@ n(24, 200, 152)",
    "lambda x, y: jnp.concatenate([jnp.stack([x, y], 1).reshape(-1, 33), jnp.repeat(y, 2, 0), jnp.tile(x[:, :11], (2, 3))], 0)"
    " @@ n(50, 33), n(50, 33, seed=1)",
    "lambda x: lax.pad(x, jnp.float32(-1), ((2, 1, 1), (-3, 4, 0), (0, -2, 2))) @@ n(11, 23, 17)",
    "grad(lambda x: jnp.pad(x, ((4, 3), (2, 6)), mode='symmetric') ** 3 + jnp.pad(x, ((4, 3), (2, 6)), mode='wrap')) @@ n(30, 35)",
    "lambda x: jnp.repeat(x, jnp.array([3, 0, 1, 5, 2] * 8), axis=0, total_repeat_length=88).sum(-1) @@ n(40, 7, 6)",
    # orders, sums along axes, sets
    "lambda x: jnp.cumprod(1 + .01 * x, 2)[..., ::-1] + lax.cumlogsumexp(x, 1, reverse=True) + lax.cummin(x, 0) @@ n(8, 33, 50)",
    "lambda x: jnp.take_along_axis(x, jnp.argpartition(x, 5, axis=0)[:5], 0).sum(0) @@ n(60, 45)",
    "lambda e: jnp.unique(e, axis=0, size=64, fill_value=-1, return_counts=True) @@ i(8, 300, 2)",
    "lambda x: (lambda v, at: (nn.softmax(v), jnp.zeros_like(x).at[jnp.arange(40)[:, None], at].set(nn.softmax(v))))(*lax.top_k(x, 6)) @@ n(40, 203)",
    # integers, halves, eighths
    "lambda x, w: lax.conv_general_dilated(x, w, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'),"
    " preferred_element_type=jnp.int32) @@ (i(255, 1, 14, 15, 8) - 127).astype('int8'), (i(255, 3, 3, 8, 12) - 127).astype('int8')",
    "lambda a, b: jnp.matmul(a, b).astype('int16') + jnp.tril(a @ a.T)[:, :21].astype('int16') @@ i(50, 33, 44), i(50, 44, 21)",
    "lambda a, x: lax.fori_loop(0, 12, lambda _, s: (s[0] @ s[0] % 9973, s[0] @ s[1] % 9973), (a, x)) @@ i(9973, 8, 8), i(9973, 8)",
    "lambda x, w: jnp.dot(x, w, preferred_element_type='float32').max(0) @@ n(70, 96).astype('float16'), n(96, 80).astype('float16')",
    "lambda x: (x.astype('float8_e4m3fn').astype('bfloat16') * jnp.bfloat16(.5)).reshape(16, -1, 32).sum(1) @@ n(16, 960)",
    # complex numbers and doubles
    "f64: lambda z: lax.scan(lambda s, _: ((s * s + .3 * z) / (1 + jnp.abs(s)), jnp.real(s).sum()), z, None, length=15)"
    " @@ lax.complex(n(500, dtype='float64'), n(500, dtype='float64', seed=1))",
    # derivatives
    "vmap(jax.hessian(lambda v: jnp.log1p((v[:-1] * v[1:]) ** 2).sum() + jnp.cosh(v).mean())) @@ n(120, 6)",
    "vmap(lambda x, d: jax.jvp(lambda y: jax.grad(lambda v: (jnp.sin(v) * v[::-1]).prod())(y), (x,), (d,))[1]) @@ n(400, 5), n(400, 5, seed=1)",
    "lambda x: vmap(lambda p: jnp.trace(jax.jacfwd(lambda v: jnp.tanh(jnp.outer(v, v)).sum(0) * v[0])(p)))(x) @@ n(700, 4)",
    "lambda w, x: vmap(jax.jacrev(lambda w, x: nn.softmax(nn.gelu(x @ w[:, :6]) @ w[:, 6:].T)), (None, 0))(w, x) @@ n(6, 12), n(25, 6)",
]


# ---- updates and indices ---------------------------------------------------------------------------------------------

@row("n(64, 40), i(64, 300), n(300, 40)")
@row("n(64, 40), i(64, 300), n(300, 40)", "grad(lambda *a: {0}(*a) ** 2, (0, 2))")
def sums_counts_extremes_by_index(table, at, v):
    total = table.at[at].add(v, mode="drop")
    high = jnp.full_like(table, -jnp.inf).at[at].max(v)
    count = jnp.zeros(64).at[at].add(1)
    return total / (1 + count)[:, None] + jnp.where(count[:, None] > 0, high, 0)


@row("n(6, 50, 8), i(50, 6, 12), n(6, 12, 8)")
def batched_slots_written(memory, slot, value):
    """Each batch writes 12 slots, the last writer of a slot is kept by an order of priorities, then reads its neighbours."""
    order = jnp.arange(12)
    def one(m, s, v):
        winner = jnp.full(50, -1).at[s].max(order)
        written = jnp.where((winner >= 0)[:, None], v[winner], m)
        return written, written[(s + 1) % 50], written.at[s, 0].get() - m[s, 0]
    return jax.vmap(one)(memory, slot, value)


@row("n(7, 90, 5), i(70, 7), i(70, 7)[::-1]", "grad(lambda x, a, b: {0}(x, a, b) ** 2)")
def windows_swapped(x, a, b):
    """Two windows of 16 rows of each batch, cut and written to each other's places."""
    def one(x, a, b):
        p, q = lax.dynamic_slice_in_dim(x, a, 16), lax.dynamic_slice_in_dim(x, b, 16)
        return lax.dynamic_update_slice_in_dim(lax.dynamic_update_slice_in_dim(x, q, a, 0), p, b, 0)
    return jax.vmap(one)(x, a, b)


@row("n(40, 50), i(2, 40, 50) > 0")
def masked_rows_reduced(x, mask):
    low = jnp.min(x, axis=1, where=mask, initial=jnp.inf)
    total = jnp.sum(x, axis=0, where=mask)
    spread = jnp.std(x, axis=1, where=mask)
    first = jnp.argmax(mask, axis=1)
    return low, total, spread, x[jnp.arange(40), first], jnp.mean(x, where=mask)


@row("n(23, 3, 3)")
def voigt_notation_there_and_back(m):
    """Symmetric parts of 3 x 3 matrices as vectors of six and as matrices again; products of them."""
    r, c = jnp.array([0, 1, 2, 1, 0, 0]), jnp.array([0, 1, 2, 2, 2, 1])
    v = (m + m.swapaxes(1, 2))[:, r, c] / 2
    back = jnp.zeros((23, 3, 3)).at[:, r, c].set(v).at[:, c, r].set(v)
    return jnp.einsum("nij,nkj->nik", back, m) @ back, jnp.einsum("ni,nj->ij", v, v)


@row("n(5, 30, 30)")
def diagonals_of_batch(x):
    band = jnp.stack([jnp.pad(jnp.diagonal(x, k, 1, 2), ((0, 0), (max(-k, 0), max(k, 0)))) for k in range(-2, 3)], 1)
    filled = x.at[:, jnp.arange(30), jnp.arange(30)].set(band[:, 2] * 2)
    return band, filled, jnp.trace(jnp.fliplr(x), axis1=1, axis2=2), jnp.triu(x, 1) + jnp.tril(x, -3)


# ---- shapes ----------------------------------------------------------------------------------------------------------

@row("n(2, 9, 10, 12, 4)")
def patches_of_video(x):
    """Patches of 3 x 5 x 4 as tokens, shifted by half, then put together again and averaged with the input."""
    def tokens(x):
        return x.reshape(2, 3, 3, 2, 5, 3, 4, 4).transpose(0, 1, 3, 5, 2, 4, 6, 7).reshape(2, 18, 240)
    def video(t):
        return t.reshape(2, 3, 2, 3, 3, 5, 4, 4).transpose(0, 1, 4, 2, 5, 3, 6, 7).reshape(x.shape)
    t = tokens(jnp.roll(x, (1, 2, 2), (1, 2, 3)))
    t = t - t.mean(-1, keepdims=True)
    return (x + jnp.roll(video(t), (-1, -2, -2), (1, 2, 3))) / 2


@row("n(20, 22, 6)")
def all_symmetries_of_square(x):
    turned = [jnp.rot90(x[:20, :20], k) for k in range(4)]
    return jnp.stack(turned + [jnp.flip(t, 1) for t in turned]).reshape(2, 4, 20, 20, 6).mean((0, 1)), turned[1].swapaxes(0, 1)


@row("{'w': n(30, 20), 'b': n(20), 'layers': [n(20, 20), n(20, 3, 4)]}")
def tree_flattened_and_rebuilt(params):
    flat, rebuild = jax.flatten_util.ravel_pytree(params)
    step = flat / jnp.maximum(jnp.linalg.norm(flat), 1.0)
    return rebuild(flat - 0.1 * step), jax.tree.map(lambda p: jnp.abs(p).max(), params)


@row("n(70, 33), n(33)")
def delayed_embeddings(x, w):
    """Lagged copies side by side, differences of orders one to three, and a trailing product."""
    lags = jnp.stack([jnp.pad(x, ((k, 0), (0, 0)), mode="edge")[:70] for k in range(6)], -1)
    d = [jnp.diff(x, n=k, axis=0, prepend=jnp.zeros((k, 33))) for k in (1, 2, 3)]
    return jnp.einsum("tck,c->tk", lags, w), jnp.concatenate(d, 1), jnp.cumsum(lags[..., ::-1], -1)[..., 2]


# ---- bits, bytes, small types ----------------------------------------------------------------------------------------

@row("i(1 << 30, 800, 4).astype('uint32')")
def bit_boards_shifted(board):
    """Planes of 32 bits: neighbours by shifts and rotations, counts, lowest set bits, bytes swapped."""
    left, right = board << 1 & jnp.uint32(0xFEFEFEFE), board >> 1 & jnp.uint32(0x7F7F7F7F)
    up = board << 8 | jnp.roll(board, 1, 1) >> 24
    lowest = board & (~board + 1)
    swapped = lax.bitcast_convert_type(lax.bitcast_convert_type(board, jnp.uint8)[..., ::-1], jnp.uint32)
    return left | right | up, lax.population_count(board ^ up), 31 - lax.clz(lowest).astype(jnp.int32), swapped


@row("n(48, 100)")
def scaled_bytes_product(x):
    """Rows quantized to int8, a product of integers, scaled back, and its error in bfloat16."""
    scale = jnp.abs(x).max(1, keepdims=True) / 127
    q = jnp.clip(jnp.round(x / scale), -127, 127).astype(jnp.int8)
    exact = lax.dot_general(q, q, (((1,), (1,)), ((), ())), preferred_element_type=jnp.int32)
    y = exact.astype(jnp.float32) * scale * scale.T
    return y, (y.astype(jnp.bfloat16).astype(jnp.float32) - y).max(), jnp.packbits(q > 0, axis=1)


@row("i(256, 120, 16).astype('uint8'), i(16, 40)")
def nibble_tables(code, which):
    """Product quantization: two nibbles of each byte look up tables of partial distances."""
    low, high = code & 15, code >> 4
    both = jnp.stack([low, high], -1).reshape(120, 32).astype(jnp.int32)
    table = (jnp.arange(16)[:, None] * jnp.arange(1, 33) % 23).astype(jnp.uint16)
    score = table[both, jnp.arange(32)].sum(1, dtype=jnp.uint16)
    return score, jnp.argsort(score, stable=True)[:10], jnp.bincount(both.ravel(), length=16)[which]


# ---- complex numbers, doubles, derivatives ---------------------------------------------------------------------------

@row("lax.complex(n(12, 6, 6), n(12, 6, 6, seed=1)), lax.complex(n(12, 6), n(12, 6, seed=1))")
def hermitian_expectations(a, psi):
    h = (a + a.conj().swapaxes(-1, -2)) / 2
    psi = psi / jnp.sqrt((jnp.abs(psi) ** 2).sum(-1, keepdims=True))
    density = jnp.einsum("bi,bj->bij", psi, psi.conj())
    return density, jnp.real(jnp.einsum("bij,bji->b", h, density)), jnp.imag(h @ density - density @ h)


@row("n(9, 9, dtype='float64'), n(9, dtype='float64')", "jax.hessian({0}, 1)", double=True)
@row("n(40, 9, 9, dtype='float64'), n(40, 9, dtype='float64')", "vmap(jax.value_and_grad({0}, (0, 1)))", double=True)
def log_sum_of_quadratics(m, x):
    y = jnp.tanh(m @ x)
    return jnp.log(1 + y @ y) + nn.logsumexp(m * x) - (x * jnp.roll(x, 1)).sum() ** 2 / 9


@row("n(60, 3), n(3, 16), n(16, 16), n(16)")
@row("n(60, 3), n(3, 16), n(16, 16), n(16)", "jax.grad(lambda x, *w: ({0}(x, *w)[2] ** 2).mean(), (1, 2, 3))")
def field_with_derivatives(x, a, b, c):
    """Value, gradient and Laplacian of a small network at each point."""
    f = lambda p: jnp.sin(jnp.sin(p @ a) @ b / 4) @ c
    def at(p):
        laplace = sum(jax.jvp(lambda q: jax.jvp(f, (q,), (e,))[1], (p,), (e,))[1] for e in jnp.eye(3))
        return f(p), jax.grad(f)(p), laplace
    return jax.vmap(at)(x)


@row("n(30, 4, scale=.5), n(30, 7)")
def damped_fits_of_curves(start, y):
    """Levenberg-Marquardt with a fixed number of steps, a Jacobian for each curve."""
    t = jnp.linspace(0, 1, 7)
    curve = lambda p: p[0] * jnp.exp(-p[1] ** 2 * t) + p[2] * jnp.sin(3 * t) + p[3]
    def fit(p, y):
        def step(p, _):
            r, j = curve(p) - y, jax.jacfwd(curve)(p)
            return p - jnp.linalg.solve(j.T @ j + 0.5 * jnp.eye(4), j.T @ r), (r @ r)
        return lax.scan(step, p, None, length=6)
    return jax.vmap(fit)(start, y)


@jax.custom_jvp
def safe_root(x):
    return jnp.sqrt(jnp.maximum(x, 0))


@safe_root.defjvp
def safe_root_jvp(x, d):
    y = safe_root(x[0])
    return y, d[0] * jnp.where(x[0] > 1e-6, 0.5 / jnp.maximum(y, 1e-3), 0.0)


@row("n(245, 3)", "jax.value_and_grad({0})")
@row("n(4, 11, 3)", "vmap(jax.hessian({0}))")
def energy_of_pairs(x):
    d = safe_root(((x[:, None] - x) ** 2).sum(-1))
    return jnp.triu(jnp.exp(-d) * (1 - d / 3), 1).sum()
