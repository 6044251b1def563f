"""data_programs.py: dynamic programs, trees, sorting and searching, texts and sequences of life, time series, finance, automata,
stencils, lattices, quanta, a few large arrays."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    # large arrays
    "lambda x, y: (x * y + 1).sum(0) @@ n(4001, 2003), n(4001, 2003)",
    "lambda x: (x - x.mean(1, keepdims=True)).astype('bfloat16') @@ n(3001, 3333)",
    "lambda x: x.T.reshape(-1, 7)[:, ::2].max(1) @@ n(2100, 3001)",
    "lambda x: jnp.where(x > 0, x, 0).at[::5].set(-1.) @@ n(5000, 2001)",
    "lambda x: jnp.stack([x.min(0), x.max(0), (x * x).sum(0)]) @@ n(9001, 1001, dtype='float16')",
    "lambda x: (x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2] - 4 * x[1:-1, 1:-1]) * .1 @@ n(2503, 2049)",
    "lambda x, i: x[i] - x[::3][:4000] @@ n(12001, 401), i(12001, 4000)",
    "lambda x: (x >> 3 ^ x << 5).astype('uint8').astype('int32').sum(1) @@ i(1 << 30, 3001, 2503)",
    "f64: lambda x: jnp.cumsum(x, 1)[:, 9::10] @@ n(2001, 1500, dtype='float64')",
    "lambda x, m: jnp.where(m, x, x.mean()).sum(1) @@ n(3003, 2111), i(2, 3003, 2111) > 0",
    # sorting and searching
    "lambda x: jnp.sort(x, axis=1)[:, :, 3] @@ n(43, 7, 301)",
    "lambda x: jnp.argsort(jnp.abs(x), axis=0)[:5] @@ n(203, 117, dtype='bfloat16')",
    "lambda x, q: jax.vmap(jnp.searchsorted)(jnp.sort(x, 1), q) @@ n(31, 400), n(31, 77)",
    "lambda x: lax.top_k(x.reshape(9, -1), 40)[1].sum(0) @@ (i(1 << 20, 9, 71, 43) * 1009)",
    "lambda x: jnp.unique(x, size=300, fill_value=-1, return_counts=True)[1] @@ i(500, 2003)",
    "lambda x: jnp.lexsort((x[2], x[1], x[0]))[::-1] @@ i(9, 3, 1501)",
    "lambda x: jnp.quantile(x, jnp.array([.05, .25, .5, .75, .95]), axis=(0, 2)) @@ n(17, 23, 61)",
    "lambda x: jnp.histogram2d(x[0], x[1], bins=(23, 31))[0] @@ n(2, 4001)",
    "lambda x, w: jnp.zeros((31, 17)).at[x[0], x[1] % 17].max(w).sum(1) @@ i(31, 2, 6001), abs(n(6001))",
    "lambda x: jnp.nanpercentile(jnp.where(x > 1, jnp.nan, x), 30., axis=1) @@ n(53, 117)",
    "lambda s, e: jnp.cumsum(jnp.zeros(1001, 'int32').at[s].add(1).at[(s + e) % 1001].add(-1)).max() @@ i(900, 3001), i(100, 3001)",
    # series and finance
    "lambda x: jax.vmap(lambda c: jnp.corrcoef(c.T)[jnp.triu_indices(6, 1)])(x[jnp.arange(200)[:, None] + jnp.arange(60)]) @@ n(260, 6)",
    "lambda x: (lambda r: (r.mean(0) / r.std(0), (lax.cummax(x) - x).max(0), jnp.sort(r, 0)[12]))(jnp.diff(x, axis=0)) @@ n(253, 41)",
    "lambda k, s: jax.vmap(jax.vmap(jax.grad(lambda v, k, s: s * js.stats.norm.cdf((jnp.log(s / k) + v * v / 2) / v)"
    " - k * js.stats.norm.cdf((jnp.log(s / k) - v * v / 2) / v)), (None, 0, None)), (0, None, None))(s, k, 1.1) @@ abs(n(37)) + .5, abs(n(29)) + .1",
    "lambda c, t, y: lax.fori_loop(0, 12, lambda _, r: r - ((c * jnp.exp(-r[:, None] * t)).sum(1) - y) / (-(t * c * jnp.exp(-r[:, None] * t)).sum(1)), y * 0 + .05)"
    " @@ abs(n(301, 20)) + 1, jnp.arange(1., 21), abs(n(301)) + 12",
    "f64: lambda x: lax.scan(lambda s, t: ((.94 * s[0] + .06 * t * t, s[1] + t), s[0] ** .5), (x[0] ** 2 + .1, x[0]), x)[1]"
    " @@ n(1001, 7, dtype='float64')",
]


# ---- dynamic programs and trees -----------------------------------------------------------------------------------------------

@row("n(64, 64)")
@row("n(6, 33, 40)", "vmap({0})")
@row("n(64, 64)", "grad(lambda c: {0}(c)[0].max())")
def paths_of_least_cost_with_diagonal_moves(cost):
    """Rows from above by three moves, then along the row both ways with a price."""
    cost = jnp.abs(cost)
    def line(d, c):
        p = jnp.pad(d, 1, constant_values=1e6)
        new = jnp.minimum(jnp.minimum(p[:-2], p[1:-1]), p[2:]) + c
        price = jnp.cumsum(c)
        right = lax.cummin(new - price) + price
        left = lax.cummin(new + price - c, reverse=True) - price + c
        new = jnp.minimum(right, left)
        return new, new.argmin()
    return lax.scan(line, cost[0], cost[1:])


@row("n(20, 20, 20), n(20, 9), i(9, 15)")
@row("n(5, 5, 5), n(5, 4), i(4, 30)")
@row("n(5, 5, 5), n(5, 4), i(4, 12)", "grad({0}, (0, 1))")
def sentence_inside_grammar_of_pairs(rule, word, sentence):
    """Inside algorithm in logarithms: spans by growing length, splits by a masked sum."""
    n, size = sentence.size, rule.shape[0]
    rule = nn.log_softmax(rule.reshape(size, -1)).reshape(rule.shape)
    chart = jnp.full((n, n + 1, size), -1e4).at[jnp.arange(n), 1].set(nn.log_softmax(word, 1)[:, sentence].T)
    for length in range(2, n + 1):
        i = jnp.arange(n - length + 1)
        k = jnp.arange(1, length)
        left, right = chart[i[:, None], k], chart[i[:, None] + k, length - k]
        pair = nn.logsumexp(left[..., None] + right[..., None, :], 1)
        chart = chart.at[i, length].set(nn.logsumexp(rule + pair[:, None], (2, 3)))
    return chart[0, n, 0]


@row("n(127, 6), n(127), n(900, 6)")
@row("n(9, 63, 6), n(9, 63), n(200, 6)", "lambda w, b, x: vmap({0}, (0, 0, None))(w, b, x).mean(0)")
@row("n(31, 6), n(31), n(200, 6)", "grad({0}, (0, 1))")
def oblique_tree_with_soft_gates_by_levels(w, b, x):
    """A complete tree: the weight of each leaf is a product of gates from the root."""
    gate = nn.sigmoid(x @ w.T + b)
    weight = jnp.ones((x.shape[0], 1))
    depth = (w.shape[0] + 1).bit_length() - 1
    for level in range(depth):
        g = gate[:, 2**level - 1:2 ** (level + 1) - 1]
        weight = jnp.stack([weight * g, weight * (1 - g)], -1).reshape(x.shape[0], -1)
    return weight @ jnp.sin(jnp.arange(weight.shape[1]))


@row("i(500, 499), n(500)")
@row("i(5000, 4999), n(5000)")
def sizes_depths_and_sums_of_tree_by_doubling(choice, value):
    """Parents come before their children; ancestors by pointer jumping, subtree sums by scattering to all of them."""
    n = value.size
    parent = jnp.concatenate([jnp.zeros(1, jnp.int32), choice % jnp.arange(1, n)])
    depth = jnp.where(jnp.arange(n) > 0, 1, 0)
    jump, low = parent, value
    for _ in range(n.bit_length() // 2 + 2):
        low = jnp.minimum(low, low[jump])
        depth = depth + depth[jump]
        jump = jump[jump]
    order = jnp.argsort(-depth)
    def up(total, j):
        return total.at[parent[j]].add(jnp.where(j > 0, total[j], 0)), None
    total = lax.scan(up, value, order[:400])[0]
    return depth, low, total


@row("i(1000, 257), i(257, 300), i(257, 300)[::-1]")
@row("i(1000, 2048), i(2048, 64), i(2048, 64)[::-1]")
def least_of_ranges_by_sparse_table(x, a, b):
    n = x.size
    lo, hi = jnp.minimum(a, b), jnp.maximum(a, b) + 1
    table = [x]
    while 2 ** len(table) <= n:
        s = 2 ** (len(table) - 1)
        table.append(jnp.minimum(table[-1], jnp.pad(table[-1][s:], (0, s), constant_values=1 << 20)))
    table = jnp.stack(table)
    level = 31 - lax.clz(hi - lo)
    return jnp.minimum(table[level, lo], table[level, hi - (1 << level)])


@row("i(100, 130)")
@row("i(60, 19, 60)", "vmap({0})")
def bars_seen_from_left_and_largest_rectangle(height):
    """The nearest lower bar on both sides by comparison of all pairs; the widest rectangle under the bars."""
    n = height.size
    at = jnp.arange(n)
    lower = height[:, None] > height
    left = jnp.where(lower & (at < at[:, None]), at, -1).max(1)
    right = jnp.where(lower & (at > at[:, None]), at, n).min(1)
    area = height * (right - left - 1)
    return area.max(), area.argmax(), (height > jnp.pad(lax.cummax(height), (1, 0))[:-1]).sum()


# ---- texts, sequences of life -------------------------------------------------------------------------------------------------

@row("i(4, 3000), i(4, 40, 12)")
@row("i(20, 600), i(20, 300, 5)")
def patterns_found_with_few_mismatches(text, pattern):
    """Counts of agreement by a convolution with one-hot letters; the best place of each and how many have at most two errors."""
    size = pattern.shape[1]
    one = nn.one_hot(text, 20, dtype=jnp.float32).T[None]
    kernel = jnp.moveaxis(nn.one_hot(pattern, 20, dtype=jnp.float32), 1, 2)
    same = lax.conv_general_dilated(one, kernel, (1,), "VALID")[0]
    return same.argmax(1), (same >= size - 2).sum(1), same.max(1).astype(jnp.int8)


@row("i(4, 80), i(4, 95), n(4, 4)")
@row("i(4, 12, 40), i(4, 12, 44), n(4, 4)", "vmap({0}, (0, 0, None))")
def free_ends_alignment_with_three_states(a, b, score):
    """Gotoh's recurrences in integers by rows; gaps in a row by a running maximum."""
    s = jnp.round(score * 3).astype(jnp.int32) + 6 * jnp.eye(4, dtype=jnp.int32)
    at = jnp.arange(b.size + 1)
    def line(state, c):
        m, gap = state
        gap = jnp.maximum(gap - 1, m - 5)
        diagonal = jnp.concatenate([jnp.zeros(1, jnp.int32), m[:-1] + s[c, b]])
        best = jnp.maximum(diagonal, gap)
        along = lax.cummax(best + at) - at - 4
        new = jnp.maximum(best, jnp.where(at > 0, along, -99))
        return (new, gap), new[-1]
    (last, _), right = lax.scan(line, (jnp.zeros_like(at), jnp.full_like(at, -99)), a)
    return last.max(), right.max(), last.argmax()


@row("(i(96, 2000) + 32).astype('uint8')")
@row("(i(96, 30000) + 32).astype('uint8')")
def words_numbered_by_rolling_polynomial(text):
    """Words between spaces and marks: their hashes by a segmented scan, lengths and the number of different ones."""
    letter = text >= 48
    start = letter & ~jnp.pad(letter, (1, 0))[:-1]
    def join(p, q):
        return jnp.where(q[2], q[0], p[0] * q[1] + q[0]), jnp.where(q[2], q[1], p[1] * q[1]), p[2] | q[2]
    h, _, _ = lax.associative_scan(join, (text.astype(jnp.uint32), jnp.full(text.shape, 31, jnp.uint32), start | ~letter))
    last = letter & ~jnp.pad(letter, (0, 1))[1:]
    s = jnp.sort(jnp.where(last, h % 65521, 65521))
    return (s[1:] != s[:-1]).sum(), last.sum(), jnp.bincount(jnp.cumsum(start), letter.astype(jnp.int32), length=700)


@row("n(2, 90, 4), n(25, 4), n(25, 25)")
@row("n(2, 90, 4), n(25, 4), n(25, 25)", "grad({0}, (0, 2))")
@row("n(1, 1000, 4), n(9, 4), n(9, 9)")
def posterior_states_forward_and_backward(x, centre, move):
    emit = -((x[:, :, None] - centre) ** 2).sum(-1) / 4
    a = nn.softmax(move)
    def forward(f, e):
        f = (f @ a) * jnp.exp(e - e.max(-1, keepdims=True))
        z = f.sum(-1, keepdims=True)
        return f / z, (f / z, jnp.log(z[:, 0]) + e.max(-1))
    e = emit.swapaxes(0, 1)
    _, (f, z) = lax.scan(forward, jnp.full((x.shape[0], a.shape[0]), 1 / a.shape[0]), e)
    def backward(b, e):
        new = (b * jnp.exp(e - e.max(-1, keepdims=True))) @ a.T
        return new / new.sum(-1, keepdims=True), b
    _, b = lax.scan(backward, jnp.ones_like(f[0]), e, reverse=True)
    g = f * b
    return z.sum() + (g / g.sum(-1, keepdims=True) * jnp.arange(a.shape[0])).mean()


# ---- automata, stencils, lattices, quanta ----------------------------------------------------------------------------------------

@row("i(2, 90, 70).astype('uint8')")
@row("i(2, 5, 33, 35).astype('uint8')", "vmap({0})")
@row("i(2, 1001, 803).astype('uint8')")
def gas_on_square_lattice_in_bits(seed):
    """Four directions as bits of a byte: head-on pairs turn, then all move; eight steps."""
    cells = seed | seed[::-1] << 1 | seed[:, ::-1] << 2 | seed[::-1, ::-1] << 3
    def step(c, _):
        pair = ((c == 5) | (c == 10)).astype(jnp.uint8)
        c = c ^ (pair * jnp.uint8(15))
        bits = [jnp.roll(c & jnp.uint8(1 << k), s, a) for k, (s, a) in enumerate(((1, 0), (1, 1), (-1, 0), (-1, 1)))]
        c = bits[0] | bits[1] | bits[2] | bits[3]
        return c, lax.population_count(c).sum(dtype=jnp.int32)
    return lax.scan(step, cells, None, length=8)


@row("random.key(0), n(24, 26, 3)")
@row("random.key(0), n(64, 64, 3)")
@row("random.key(0), n(24, 26, 3, dtype='float64')", double=True)
def vectors_on_triangles_by_over_relaxation(key, s):
    """Heisenberg spins with six neighbours: reflections about the local field, then Metropolis turns, by three sublattices."""
    s = s / jnp.linalg.norm(s, axis=-1, keepdims=True)
    a, b = s.shape[:2]
    part = (jnp.arange(a)[:, None] + 2 * jnp.arange(b)) % 3
    field = lambda s: sum(jnp.roll(s, m, (0, 1)) for m in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)))
    def sweep(s, key):
        for c in range(3):
            k1, k2 = random.split(random.fold_in(key, c))
            h = field(s)
            turned = 2 * (s * h).sum(-1, keepdims=True) / ((h * h).sum(-1, keepdims=True) + 1e-6) * h - s
            s = jnp.where((part == c)[..., None], turned, s)
            new = s + 0.5 * random.normal(k1, s.shape, s.dtype)
            new = new / jnp.linalg.norm(new, axis=-1, keepdims=True)
            ok = (random.uniform(k2, (a, b), s.dtype) < jnp.exp(-2 * ((s - new) * h).sum(-1))) & (part == c)
            s = jnp.where(ok[..., None], new, s)
        return s, (s * field(s)).mean()
    return lax.scan(sweep, s, random.split(key, 5))[1]


@row("n(40, 50), n(40, 50, seed=1), n(40, 50, seed=2)")
@row("n(200, 300), n(200, 300, seed=1), n(200, 300, seed=2)")
@row("n(40, 50), n(40, 50, seed=1), n(40, 50, seed=2)", "grad(lambda *s: {0}(*s)[0], (0, 1, 2))")
def waves_of_earth_on_staggered_grid(h, u, v):
    """Rotating shallow water on the C grid with walls, forward and backward in time, ten steps."""
    h = 2 + 0.1 * h
    def step(s, _):
        h, u, v = s
        flow_x = u * (h + jnp.roll(h, 1, 1)) / 2
        flow_y = v * (h + jnp.roll(h, 1, 0)) / 2
        h = h - 0.05 * (jnp.roll(flow_x, -1, 1) - flow_x + jnp.roll(flow_y, -1, 0) - flow_y)
        v4 = (v + jnp.roll(v, 1, 1) + jnp.roll(v, -1, 0) + jnp.roll(v, (1, -1), (1, 0))) / 4
        u = (u + 0.05 * (0.5 * v4 - (h - jnp.roll(h, 1, 1)))).at[:, 0].set(0)
        u4 = (u + jnp.roll(u, -1, 1) + jnp.roll(u, 1, 0) + jnp.roll(u, (-1, 1), (1, 0))) / 4
        v = (v + 0.05 * (-0.5 * u4 - (h - jnp.roll(h, 1, 0)))).at[0].set(0)
        return (h, u, v), (h * h + h * (u * u + v * v)).sum()
    s, e = lax.scan(step, (h, 0.1 * u, 0.1 * v), None, length=10)
    return e[-1], s


@row("n(30, 34, 5)")
@row("n(100, 120, 5)")
@row("n(30, 34, 5, dtype='float64')", double=True)
def minerals_grow_in_phases_that_repel(u):
    """Five order parameters with pairwise obstacles projected to the simplex after each of six steps."""
    p = nn.softmax(2 * u)
    def step(p, _):
        lap = sum(jnp.roll(p, s, a) for s in (-1, 1) for a in (0, 1)) - 4 * p
        g = p * (1 - p) * (2 * p - 1) + lap + 0.3 * (p.sum((0, 1)) / p[..., 0].size)
        q = p + 0.1 * (g - g.mean(-1, keepdims=True))
        s = -jnp.sort(-q, -1)
        c = (jnp.cumsum(s, -1) - 1) / jnp.arange(1, 6)
        top = jnp.take_along_axis(c, ((s > c).sum(-1) - 1)[..., None], -1)
        return jnp.maximum(q - top, 0), None
    return lax.scan(step, p, None, length=6)[0]


@row("n(2, 1024), n(10, 3), n(9)")
@row("n(2, 1024), n(10, 3), n(9)", "jax.value_and_grad(lambda *s: {0}(*s)[0], (1, 2))")
@row("n(2, 1024, dtype='float64'), n(10, 3, dtype='float64'), n(9, dtype='float64')", double=True)
def chain_of_ten_spins_evolved_by_gates(parts, field, coupling):
    """Trotter steps of single turns and neighbouring phases on a state of ten qubits; expected magnetization."""
    z = lax.complex(parts[0], parts[1])
    z = (z / jnp.linalg.norm(z)).reshape((2,) * 10)
    bit = 1 - 2 * jnp.arange(2)
    for _ in range(2):
        for q in range(10):
            a, b, c = 0.1 * field[q]
            w = jnp.sqrt(a * a + b * b + c * c)
            s = -1j * jnp.sin(w) / w
            gate = jnp.array([[jnp.cos(w) + s * c, s * (a - 1j * b)], [s * (a + 1j * b), jnp.cos(w) - s * c]])
            z = jnp.moveaxis(jnp.tensordot(gate, z, ((1,), (q,))), 0, q)
        for q in range(9):
            phase = jnp.exp(-0.1j * coupling[q] * bit[:, None] * bit)
            z = z * phase.reshape((1,) * q + (2, 2) + (1,) * (8 - q))
    p = (z * z.conj()).real
    return sum((p.sum(tuple(k for k in range(10) if k != q)) * bit).sum() for q in range(10)), p.reshape(-1)[::17]


@row("n(6, 30, 4), n(4, 12), n(12, 3)", "jax.value_and_grad({0}, (1, 2))")
@row("n(1, 500, 4), n(4, 12), n(12, 3)")
def seasons_and_events_fitted_by_recursive_ridge(x, w1, w2):
    """Fourier terms of two periods and inputs, exponentially weighted normal equations, one-step errors of each series."""
    t = jnp.arange(x.shape[1])
    season = jnp.stack([f(2 * jnp.pi * k * t / p) for p in (7, 30.5) for k in (1, 2) for f in (jnp.sin, jnp.cos)], -1)
    extra = jnp.tanh(x[..., 1:] @ w1[1:] * 0.3) @ w2 * 0.3
    f = jnp.concatenate([jnp.broadcast_to(season, (x.shape[0], *season.shape)), extra], -1)
    def series(f, y):
        def step(s, t):
            p, b = s
            f, y = t
            k = p @ f / (0.98 + f @ p @ f)
            e = y - f @ b
            return ((p - jnp.outer(k, f @ p)) / 0.98, b + k * e), e
        e = lax.scan(step, (2 * jnp.eye(11), jnp.zeros(11)), (f, y))[1]
        return jnp.sqrt(1 + e * e).mean()
    return jax.vmap(series)(f, x[..., 0]).mean()


@row("random.key(1), n(5), n(5, 5)")
@row("random.key(1), n(5, dtype='float64'), n(5, 5, dtype='float64')", double=True)
def basket_option_of_correlated_paths_with_greeks(key, spot, mix):
    """Antithetic paths of five assets with a knock-out level; the price with its gradient and a control by the geometric mean."""
    c = jnp.linalg.cholesky(mix @ mix.T / 5 + jnp.eye(5, dtype=mix.dtype))
    z = random.normal(key, (12, 500, 5), mix.dtype)
    z = jnp.concatenate([z, -z], 1) @ c.T * 0.05
    def price(s):
        path = s + jnp.cumsum(z - 0.5 * 0.05**2 * (c * c).sum(1), 0)
        alive = nn.sigmoid(20 * (jnp.exp(path).min((0, 2)) - 0.2))
        arithmetic = jnp.maximum(jnp.exp(path[-1]).mean(1) - 1, 0) * alive
        geometric = jnp.maximum(jnp.exp(path[-1].mean(1)) - 1, 0)
        cov = jnp.cov(arithmetic, geometric)
        beta = lax.stop_gradient(cov[0, 1] / (cov[1, 1] + 1e-6))
        return (arithmetic - beta * (geometric - lax.stop_gradient(geometric.mean()))).mean()
    return jax.value_and_grad(price)(spot * 0.2)
