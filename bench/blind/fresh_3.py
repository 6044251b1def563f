"""fresh_3.py: tables, text, genomes, prices, games, ciphers, dynamic programs, automata, graphs, trees and clusters; one-liners of odd
shapes and types."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row

ROWS = [
    "lambda x: (x[:, None, :] == jnp.arange(23)[:, None]).sum(-1).astype('uint8') @@ i(23, 97, 61)",
    "lambda x, y: jnp.searchsorted(jnp.sort(x), y, side='right').reshape(11, -1).max(0) - 3 @@ i(5000, 901), i(5000, 1100)",
    "lambda k, v: lax.sort((k, v, -v), num_keys=2)[1].reshape(-1, 7).sum(1) @@ i(50, 2800), n(2800)",
    "lambda x: jnp.cumsum(jnp.concatenate([jnp.ones(1, bool), x[1:] != x[:-1]])) - 1 @@ jnp.sort(i(300, 6001))",
    "lambda x: lax.population_count(x ^ jnp.roll(x, 1, 0)).sum(1) @@ i(256, 211, 73).astype('uint8')",
    "lambda a, b: (a.astype('uint32') * b >> 16).astype('uint16') @@ i(65536, 401, 33).astype('uint16'), i(65536, 33).astype('uint32')",
    "f64: lambda x: (x * 1103515245 + 12345) % (1 << 31) // 65536 @@ i(1 << 30, 9001).astype('int64')",
    "lambda x: jnp.where(x[:, ::-1] > x, x, -1).astype('int8').sum(1, dtype='int8') @@ (i(200, 97, 103) - 100).astype('int8')",
    "lambda x, n: lax.map(lambda t: jnp.where(jnp.arange(40) < t[1], t[0], 0).sum(), (x, n)) @@ n(601, 40), i(41, 601)",
    "lambda t, j: t[j].min(1) - t[j[:, ::-1]].max(1) @@ n(999, 6), i(999, 150, 9)",
    "lambda x: jnp.argsort(jnp.argsort(x, axis=-1, descending=True), axis=-1).astype('float16') / 67 @@ n(19, 5, 67)",
    "lambda x, s: jax.ops.segment_prod(1 + .01 * x, s, 31, indices_are_sorted=True) @@ n(1201, 3), jnp.sort(i(31, 1201))",
    "lambda a: lax.fori_loop(0, 6, lambda _, b: ((b.astype('int32') @ b.astype('int32')) > 0) | b, a) @@ n(90, 90) > 2",
    "lambda m, x: jax.vmap(lambda r: jnp.compress(r, x, size=30, fill_value=0.))(m) @@ n(37, 101) > 0, n(101)",
    "lambda x: jnp.nonzero(x > 1.3, size=200, fill_value=-1)[0].reshape(8, 25)[:, ::3] @@ n(2003)",
    "lambda x: (x[..., None] >> jnp.arange(16, dtype='uint16') & 1).sum((0, 1)) @@ i(65536, 83, 67).astype('uint16')",
    "lambda x: lax.associative_scan(jnp.bitwise_xor, x, axis=0)[::9] | lax.associative_scan(jnp.maximum, x, axis=0)[::9] @@ i(1 << 20, 300, 7)",
    "lambda p, k: p[jnp.argsort(random.bits(k, (5, 101)), axis=1)].sum(0) @@ n(101, 7), key",
    "lambda x: jnp.partition(x, 20, axis=1)[:, 20] - jnp.median(x, 1) @@ n(113, 57)",
    "lambda x, y: jnp.lexsort((x, y, x % 7))[:100] @@ i(40, 1501), i(9, 1501)",
    "lambda d: lax.fori_loop(0, 37, lambda k, d: jnp.minimum(d, d[:, k, None] + d[k]), d) @@ abs(n(37, 37))",
    "lambda x: jnp.max(jnp.where(jnp.tri(60, k=-1, dtype=bool), x[:, :, None] - x[:, None], -9), (1, 2)) @@ n(41, 60)",
    "lambda s: lax.reduce_precision(jnp.log(s[1:] / s[:-1]), 8, 7).std(0) * 252 ** .5 @@ jnp.exp(n(251, 17) * .1 + 3)",
    "lambda x: jnp.triu(x)[None] * jnp.array([1, -1, 2], x.dtype)[:, None, None] + x.T @@ i(90, 71, 71).astype('int16')",
    "lambda x: (x // 60 % 24, x % 60, x // 1440, (x // 1440 + 4) % 7 == 6) @@ i(1 << 24, 5, 777)",
    "lambda w, c: jnp.einsum('bw,bwk->bk', w / w.sum(1, keepdims=True), nn.one_hot(c, 13)) @@ abs(n(67, 29)), i(13, 67, 29)",
    "vmap(lambda a, b: jnp.intersect1d(a, b, size=12, fill_value=-1)) @@ i(30, 19, 12), i(30, 19, 12)[::-1]",
    "lambda x: (jnp.kron(jnp.eye(3, dtype='int8'), x.astype('int8')).sum(1) > 20) ^ jnp.tile(x.any(0), 3)[:363] @@ n(121, 133) > 1",
    "lambda x, q: jnp.stack([(x <= t).mean(0) for t in jnp.quantile(q, jnp.array([.1, .5, .9]))]) @@ n(501, 9), n(99)",
    "jax.jit(lambda x: lax.top_k(x.reshape(-1, 13), 4)[1].astype('uint8').sum(0)) @@ n(7, 29, 13, dtype='bfloat16')",
    "lambda x: jnp.rot90(x, k=1, axes=(0, 2)).at[..., ::2].set(0).sum(-1) @@ (i(255, 13, 17, 19) - 127).astype('int8')",
    "lambda c, x: lax.while_loop(lambda s: s[0] < c, lambda s: (s[0] + 1, s[1] * 5 % 10007 + s[0]), (0, x))[1] @@ jnp.int32(37), i(10007, 301)",
    "lambda s: (lambda t: (t[:, None] == jnp.arange(5)).cumsum(0)[::20])(s % 5) @@ i(1000, 4001)",
    "f64: lambda p: jnp.diff(jnp.log(p), axis=0).reshape(5, 50, 13).std(1) * 16 @@ jnp.exp(n(251, 13, dtype='float64') / 9)",
    "lambda a, b: jnp.any(jnp.all(a[:, None] == b, -1), 1) @@ i(5, 307, 4), i(5, 211, 4)[::-1]",
    "lambda x: lax.fori_loop(0, 9, lambda _, v: (v * v + 3) % 8191, x).astype('uint16') @@ i(8191, 3, 4003)",
    "lambda x: (jnp.frexp(x)[1], jnp.ldexp(jnp.round(jnp.frexp(x)[0] * 256) / 256, jnp.frexp(x)[1])) @@ n(71, 97)",
    "lambda w, j, x: (w[j] * x[:, None, None]).sum((0, 1)) + jnp.zeros(97).at[j].add(x[:, None])[:11] @@ n(97, 11), i(97, 301, 5), n(301)",
    "lambda x: jnp.max(lax.conv_general_dilated_patches(x, (3, 3), (2, 2), 'VALID'), 1) @@ n(5, 2, 41, 37)",
    "vmap(lambda b, s: lax.dynamic_slice(b, (s,), (9,)).sum() - b[s], (0, 0)) @@ i(2, 907, 40).astype('uint8'), i(31, 907)",
    "lambda x, y: jnp.bitwise_count(x & ~y).sum((0, 2), dtype='int32') @@ i(256, 7, 97, 31).astype('uint8'), i(256, 31).astype('uint8')",
    "lambda k: (lambda u: jnp.argmax(u.cumsum(1) > 3, 1))(random.exponential(k, (1009, 12))) @@ key",
    "lambda m: jnp.linalg.matrix_power(m / m.sum(1, keepdims=True), 37)[0] @@ abs(n(43, 43)) + .01",
    "lambda x: jnp.stack(jnp.meshgrid(x, x[:41], x[:7], indexing='ij'), -1).prod(-1).max(1) @@ n(83)",
    "lambda e, h: jax.ops.segment_max(h[e[0]], e[1], 140).at[::3].min(0) @@ i(140, 2, 2203), n(140, 9, dtype='bfloat16')",
    "lambda s, t: vmap(lambda s, t: jnp.searchsorted(s, t))(jnp.sort(s, 1), t).sum(0) @@ i(900, 31, 200), i(900, 31, 57)",
    "lambda x: jnp.where(x < 3, x * 5 + 1, x // 2).astype('uint8').reshape(7, -1, 13).max(1) @@ i(256, 91, 101).astype('uint8')",
]


# ---- tables ------------------------------------------------------------------------------------------------------------------

@row("i(200, 3000), n(3000), i(200, 500), n(500)")
def orders_joined_to_customers_and_summed(key, amount, other, rate):
    order = jnp.argsort(other, stable=True)
    at = jnp.searchsorted(other[order], key)
    at = jnp.clip(at, 0, 499)
    hit = other[order][at] == key
    value = jnp.where(hit, amount * rate[order][at], 0)
    return jax.ops.segment_sum(value, key, 200), hit.sum(), jax.ops.segment_max(jnp.where(hit, amount, -9), key % 10, 10)


@row("i(7, 4000), i(5, 4000), i(3, 4000), n(4000)")
def cube_with_all_totals(a, b, c, x):
    cube = jnp.zeros((7, 5, 3)).at[a, b, c].add(x)
    count = jnp.zeros((7, 5, 3), jnp.int32).at[a, b, c].add(1)
    full = cube
    for axis in range(3):
        full = jnp.concatenate([full, full.sum(axis, keepdims=True)], axis)
    return full, cube / jnp.maximum(count, 1), cube.max((1, 2))


@row("jnp.sort(i(100000, 900) * 7 % 100000), jnp.sort(i(100000, 1100)), n(1100)")
def last_quote_before_each_trade(trade, quote, price):
    at = jnp.searchsorted(quote, trade, side="right") - 1
    age = trade - quote[jnp.maximum(at, 0)]
    fresh = (at >= 0) & (age < 300)
    return jnp.where(fresh, price[jnp.maximum(at, 0)], 0), age, fresh.mean()


@row("i(60, 2000), i(1 << 20, 2000)")
def sessions_split_by_silence(user, time):
    order = jnp.lexsort((time, user))
    u, t = user[order], time[order]
    fresh = jnp.concatenate([jnp.ones(1, bool), (u[1:] != u[:-1]) | (t[1:] - t[:-1] > 1800)])
    session = jnp.cumsum(fresh) - 1
    start = jax.ops.segment_min(t, session, 2000)
    length = jax.ops.segment_max(t, session, 2000) - start
    return session, jnp.where(jnp.arange(2000) < fresh.sum(), length, 0), jnp.bincount(u, fresh.astype(jnp.int32), length=60)


@row("i(1 << 30, 1500).astype('uint32'), i(1 << 30, 40).astype('uint32')")
def table_of_two_hashes(keys, probe):
    h = lambda x, m: (x * jnp.uint32(m) >> 19).astype(jnp.int32)
    table = jnp.zeros((2, 8192), jnp.uint32)
    table = table.at[0, h(keys, 2654435761)].max(keys).at[1, h(keys, 2246822519)].min(keys)
    return (table[0, h(probe, 2654435761)] == probe) | (table[1, h(probe, 2246822519)] == probe), (table > 0).sum(1)


@row("n(600, 8) > .8, abs(n(600)) + .1")
def item_sets_counted_for_rules(basket, weight):
    b = basket.astype(jnp.float32)
    pairs = jnp.einsum("n,ni,nj->ij", weight, b, b) / weight.sum()
    single = jnp.diag(pairs)
    triples = jnp.einsum("ni,nj,nk->ijk", b, b, b) / 600
    lift = pairs / (single[:, None] * single)
    return lift, pairs / single[:, None], jnp.where(triples > 0.005, triples, 0)


@row("n(800, 5), i(4, 800, 2)")
def columns_encoded_by_target(x, codes):
    y = x.sum(1)
    out = []
    for k in range(2):
        one = nn.one_hot(codes[:, k], 4)
        total, count = one.T @ y, one.sum(0)
        leave = (total[codes[:, k]] - y) / jnp.maximum(count[codes[:, k]] - 1, 1)
        out.append(0.9 * leave + 0.1 * y.mean())
    return jnp.concatenate([jnp.stack(out, 1), nn.standardize(x, 0), jnp.log1p(jnp.abs(x))], 1)


# ---- text ----------------------------------------------------------------------------------------------------------------------

@row("(i(26, 40, 120) + 97).astype('uint8')")
def letters_turned_and_vowels_counted(text):
    rot = (text - 97 + 13) % 26 + 97
    vowel = jnp.isin(text, jnp.array([97, 101, 105, 111, 117], jnp.uint8))
    upper = jnp.where(vowel, text ^ 32, text)
    bigram = (text[:, :-1].astype(jnp.int32) - 97) * 26 + text[:, 1:] - 97
    return rot.astype(jnp.uint8), upper, vowel.sum(1), jnp.bincount(bigram.ravel(), length=676)


@row("i(40, 30, 25), i(40, 25)")
def words_within_two_edits(words, query):
    def one(word):
        def row(prev, c):
            diagonal = jnp.minimum(prev[:-1] + (query != c), prev[1:] + 1)
            def cell(left, d):
                best = jnp.minimum(d, left + 1)
                return best, best
            _, new = lax.scan(cell, prev[0] + 1, diagonal)
            return jnp.concatenate([prev[:1] + 1, new]), None
        return lax.scan(row, jnp.arange(26), word)[0][-1]
    d = jax.vmap(one)(words)
    return d, d <= 20


@row("i(3, 9000), i(3, 9)")
def automaton_of_pattern_then_matches(text, pattern):
    def build(s, k):
        table, x = s
        row = table[x].at[pattern[k]].set(k + 1)
        return (table.at[k].set(jnp.where(k == 0, jnp.zeros(3, jnp.int32).at[pattern[0]].set(1), row)),
                jnp.where(k == 0, 0, table[x, pattern[k]])), None
    (table, x), _ = lax.scan(build, (jnp.zeros((10, 3), jnp.int32), 0), jnp.arange(9))
    table = table.at[9].set(table[x])
    step = lambda s, c: (table[s, c], table[s, c] == 9)
    return lax.scan(step, 0, text)[1]


@row("i(500, 80, 60), n(500)")
def documents_weighted_by_rarity(words, bias):
    count = jnp.zeros((80, 500)).at[jnp.arange(80)[:, None], words].add(1)
    idf = jnp.log(81 / (1 + (count > 0).sum(0))) + 1
    x = (1 + jnp.log(jnp.maximum(count, 1))) * (count > 0) * idf
    x = x / jnp.linalg.norm(x, axis=1, keepdims=True)
    sim = x @ x.T
    return lax.top_k(sim - jnp.eye(80), 3), (x * bias).sum(1)


@row("i(128, 2500)")
def numbers_read_from_line_of_characters(c):
    digit = (c >= 48) & (c < 58)
    def step(s, t):
        value, total, count = s
        c, d = t
        new = jnp.where(d, value * 10 % 100000 + c - 48, 0)
        return (new, total + jnp.where(d, 0, value), count + (~d & (value > 0))), new
    (value, total, count), trace = lax.scan(step, (0, 0, 0), (c, digit))
    return value, total, count, trace.max()


# ---- genomes ----------------------------------------------------------------------------------------------------------------------

@row("i(4, 3000)")
def words_of_bases_on_both_strands(base):
    k = 6
    power = 4 ** jnp.arange(k)
    window = base[jnp.arange(2995)[:, None] + jnp.arange(k)]
    forward, back = window @ power[::-1], (3 - window) @ power
    canonical = jnp.minimum(forward, back)
    count = jnp.bincount(canonical, length=4096)
    gc = jnp.convolve((base == 1) | (base == 2), jnp.ones(101) / 101, "valid")
    return count, gc, lax.top_k(count, 9)


@row("n(4, 20), i(4, 1000, 60)")
def best_site_of_each_sequence(weights, seq):
    one = nn.one_hot(seq, 4)
    score = lax.conv_general_dilated(one, weights.T[:, :, None], (1,), "VALID", dimension_numbers=("NWC", "WIO", "NWC"))[..., 0]
    back = lax.conv_general_dilated(one[:, ::-1, ::-1], weights.T[:, :, None], (1,), "VALID", dimension_numbers=("NWC", "WIO", "NWC"))
    best = jnp.maximum(score.max(1), back[..., 0].max(1))
    return best, score.argmax(1), nn.logsumexp(score, 1)


@row("i(3, 150, 200).astype('int8')")
def relatedness_and_leading_axes(g):
    p = g.mean(0) / 2
    z = (g - 2 * p) / jnp.sqrt(2 * p * (1 - p) + 1e-3)
    grm = z @ z.T / 200
    def power(v, _):
        q, _ = jnp.linalg.qr(grm @ v)
        return q, None
    v, _ = lax.scan(power, jnp.eye(150, 4), None, length=10)
    return jnp.abs(v.T @ grm @ v), (jnp.abs(g[:, None] - g) == 2).sum(-1)


@row("i(4, 60), i(4, 64), n(4, 4)")
def local_alignment_in_rows_with_gaps(a, b, score):
    def row(s, x):
        h, f = s
        f = jnp.maximum(f - 0.5, h - 2.0)
        base = jnp.maximum(jnp.maximum(0, jnp.pad(h[:-1], (1, 0)) + score[x, b]), f)
        e = lax.cummax(base + 0.5 * jnp.arange(64)) - 0.5 * jnp.arange(64) - 1.5
        h = jnp.maximum(base, jnp.pad(e[:-1], (1, 0), constant_values=-9.0))
        return (h, f), h.max()
    return lax.scan(row, (jnp.zeros(64), jnp.full(64, -9.0)), a)[1]


@row("abs(n(31, 20)) + .1, n(120, 20)")
def cells_scored_by_signatures(genes, x):
    rank = jnp.argsort(jnp.argsort(-x, axis=1), axis=1)
    member = genes > 0.9
    hit = jnp.where(member[None], 20 - rank[:, None], 0).sum(-1)
    size = member.sum(1)
    return (hit - size * (size + 1) / 2) / (size * (20 - size) + 1), nn.softmax(x @ genes.T / 4)


# ---- prices -------------------------------------------------------------------------------------------------------------------------

@row("n(60, 12), abs(n(12)) + .1")
def budget_spread_over_risks(returns, budget):
    c = jnp.cov(returns.T) + 0.05 * jnp.eye(12)
    b = budget / budget.sum()
    def step(w, _):
        def one(k, w):
            rest = c[k] @ w - c[k, k] * w[k]
            return w.at[k].set((-rest + jnp.sqrt(rest ** 2 + 4 * c[k, k] * b[k])) / (2 * c[k, k]))
        return lax.fori_loop(0, 12, one, w), w.sum()
    w, path = lax.scan(step, jnp.ones(12), None, length=10)
    return w / w.sum(), path


@row("random.key(0), jnp.linspace(80., 120., 9)", "jax.value_and_grad(lambda k, s: {0}(k, s).sum(), 1)")
def look_back_call_by_antithetic_paths(key, spot):
    z = random.normal(key, (200, 30))
    z = jnp.concatenate([z, -z])
    path = jnp.cumsum(0.02 * z - 0.0002, 1)
    s = spot[:, None, None] * jnp.exp(path)
    return nn.softplus(4 * (s.max(-1) - 105)).mean(-1) / 4 * jnp.exp(-0.03)


@row("abs(n(301)) * 20 + 80, abs(n(301)) * 20 + 80, abs(n(301)) + .1", "vmap(jax.value_and_grad({0}, (0, 2)))")
def call_by_lattice_of_fifty_steps(s, k, t):
    dt = t / 50
    up = jnp.exp(0.3 * jnp.sqrt(dt))
    p = (jnp.exp(0.02 * dt) - 1 / up) / (up - 1 / up)
    level = jnp.arange(51)
    v = jnp.maximum(s * up ** (2.0 * level - 50) - k, 0)
    def back(_, v):
        return jnp.exp(-0.02 * dt) * (p * jnp.roll(v, -1) + (1 - p) * v)
    return lax.fori_loop(0, 50, back, v)[0]


@row("n(400), n(3)", "jax.value_and_grad({0}, 1)")
def volatility_with_memory_and_tails(r, theta):
    w, a, b = jnp.exp(theta[0] - 2), 0.2 * nn.sigmoid(theta[1]), 0.9 * nn.sigmoid(theta[2])
    step = lambda h, x: (w + a * x * x + b * h, h)
    h = lax.scan(step, r.var(), r)[1]
    return (jnp.log(h) / 2 + 2.5 * jnp.log1p(r ** 2 / (3 * h))).sum()


@row("n(1200, 10, scale=.01), n(10, scale=.1)")
def equity_with_costs_and_stops(returns, signal):
    def day(s, r):
        w, equity, top = s
        target = jnp.tanh(signal + 20 * r) * (equity > 0.9 * top)
        cost = 0.001 * jnp.abs(target - w).sum()
        equity = equity * (1 + (w * r).mean() - cost)
        return (target, equity, jnp.maximum(top, equity)), (equity, 1 - equity / top)
    return lax.scan(day, (jnp.zeros(10), 1.0, 1.0), returns)[1]


@row("jnp.abs(n(50)) * .02 + .03, n(40, 50)", "vmap({0}, (None, 0))")
def yield_to_maturity_by_newton(rate, flow):
    t = jnp.arange(1, 51) / 2
    price = (jnp.exp(-rate * t) * (jnp.abs(flow) + 1)).sum()
    f = lambda y: ((jnp.abs(flow) + 1) * (1 + y) ** -t).sum() - price
    y = lax.fori_loop(0, 8, lambda _, y: y - f(y) / jax.grad(f)(y), 0.05)
    return y, jax.grad(f)(y) / price, jax.grad(jax.grad(f))(y) / price


# ---- games, automata -----------------------------------------------------------------------------------------------------------------

@row("i(3, 33, 15, 15)")
def five_in_a_row_in_four_directions(board):
    def line(b, dy, dx):
        w = b
        for k in range(1, 5):
            w = w & jnp.roll(b, (-k * dy, -k * dx), (1, 2))
        return w.any((1, 2))
    return jnp.stack([jnp.stack([line(board == s, *d) for d in ((0, 1), (1, 0), (1, 1), (1, -1))]).any(0) for s in (1, 2)], 1)


@row("i(52, 5, 300)")
def poker_hands_classed(cards):
    rank, suit = cards % 13, cards // 13
    count = (rank[..., None] == jnp.arange(13)).sum(0)
    flush = (suit == suit[0]).all(0)
    have = jnp.concatenate([count[:, -1:], count], 1) > 0
    straight = jnp.stack([have[:, k:k + 5].all(1) for k in range(10)], 1).any(1)
    top = jnp.sort(count, 1)[:, ::-1]
    value = top[:, 0] * 3 + (top[:, 1] > 1)
    return jnp.where(flush & straight, 14, jnp.where(flush, 8, value)) * 16 + jnp.argmax(count * 13 + jnp.arange(13), 1)


@row("i(1 << 30, 500, 2).astype('uint32')")
def knights_and_rooks_on_bit_boards(boards):
    low, high = boards[:, 0], boards[:, 1]
    def shift(l, h, k):
        return l << k, h << k | l >> 32 - k
    not_a, not_h = jnp.uint32(0xFEFEFEFE), jnp.uint32(0x7F7F7F7F)
    attacks = jnp.zeros_like(low), jnp.zeros_like(high)
    for k, mask in ((17, not_a), (15, not_h), (10, jnp.uint32(0xFCFCFCFC)), (6, jnp.uint32(0x3F3F3F3F))):
        l, h = shift(low, high, k)
        attacks = attacks[0] | l & mask, attacks[1] | h & mask
    return attacks, lax.population_count(attacks[0]) + lax.population_count(attacks[1]), lax.clz(high)


@row("i(2, 64, 64), i(2, 18)")
@row("i(2, 5, 31, 37), i(2, 18)", "vmap({0}, (0, None))")
def life_under_any_rule(board, rule):
    def step(b, _):
        near = lax.reduce_window(jnp.pad(b, 1, mode="wrap"), 0, lax.add, (3, 3), (1, 1), "VALID") - b
        return rule[near + 9 * b], b.sum()
    return lax.scan(step, board, None, length=12)


@row("i(2, 20, 128), i(256, 20)")
def line_of_cells_by_number_of_rule(cells, rule):
    def step(c, _):
        code = jnp.roll(c, 1, 1) * 4 + c * 2 + jnp.roll(c, -1, 1)
        return rule[:, None] >> code & 1, c.sum(1)
    return lax.scan(step, cells, None, length=40)


@row("random.key(0), i(3, 41, 43)")
def forest_with_fire_and_regrowth(key, f):
    def step(f, key):
        burning = f == 2
        near = jnp.roll(burning, 1, 0) | jnp.roll(burning, -1, 0) | jnp.roll(burning, 1, 1) | jnp.roll(burning, -1, 1)
        u = random.uniform(key, f.shape)
        grown = jnp.where(u < 0.05, 1, 0)
        return jnp.where(burning, 0, jnp.where(f == 1, jnp.where(near | (u > 0.999), 2, 1), grown)), burning.sum()
    return lax.scan(step, f, random.split(key, 25))


@row("i(6, 40, 14), random.key(0)")
def seeds_sown_around_board(pits, key):
    def play(pits, key):
        def move(p, k):
            choice = random.randint(k, (), 0, 14)
            seeds = p[choice]
            p = p.at[choice].set(0)
            near = (jnp.arange(14) - choice - 1) % 14
            p = p + seeds // 14 + (near < seeds % 14)
            return p, p[6] - p[13]
        return lax.scan(move, pits, random.split(key, 20))
    return jax.vmap(play)(pits, random.split(key, 40))


# ---- ciphers, codes --------------------------------------------------------------------------------------------------------------------

@row("i(1 << 30, 300, 2).astype('uint32'), i(1 << 30, 4).astype('uint32')")
def blocks_ciphered_by_sums_and_shifts(blocks, key):
    def turn(s, t):
        a, b, total = s
        a = a + ((b << 4 ^ b >> 5) + b ^ total + key[total & 3])
        total = total + jnp.uint32(0x9E3779B9)
        b = b + ((a << 4 ^ a >> 5) + a ^ total + key[total >> 11 & 3])
        return (a, b, total), None
    (a, b, _), _ = lax.scan(turn, (blocks[:, 0], blocks[:, 1], jnp.uint32(0)), None, length=32)
    return jnp.stack([a, b], 1)


@row("i(1 << 30, 64, 16).astype('uint32')")
def stream_of_eight_double_rounds(state):
    rot = lambda x, k: x << k | x >> 32 - k
    def quarter(x, a, b, c, d):
        x[a] = x[a] + x[b]
        x[d] = rot(x[d] ^ x[a], 16)
        x[c] = x[c] + x[d]
        x[b] = rot(x[b] ^ x[c], 7)
    def rounds(_, x):
        x = list(x)
        for k in range(4):
            quarter(x, k, 4 + k, 8 + k, 12 + k)
        for k in range(4):
            quarter(x, k, 4 + (k + 1) % 4, 8 + (k + 2) % 4, 12 + (k + 3) % 4)
        return tuple(x)
    return jnp.stack(lax.fori_loop(0, 4, rounds, tuple(state.T)), 1) + state


@row("i(7681, 33, 128), i(7681, 128)", double=True)
def products_in_ring_with_wrapped_sign(a, b):
    full = jax.vmap(lambda r: jnp.convolve(r.astype(jnp.int64), b.astype(jnp.int64)))(a)
    full = jnp.pad(full, ((0, 0), (0, 1)))
    return (full[:, :128] - full[:, 128:]) % 7681


@row("i(2, 5000, 4)")
def hamming_words_sent_and_mended(data):
    g = jnp.array([[1, 1, 0, 1], [1, 0, 1, 1], [1, 0, 0, 0], [0, 1, 1, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    word = data @ g.T % 2
    bad = word ^ (jnp.arange(7) == (jnp.arange(5000) % 8)[:, None])
    check = (jnp.arange(1, 8)[:, None] >> jnp.arange(3)) & 1
    at = bad @ check % 2 @ jnp.array([1, 2, 4])
    return bad ^ (jnp.arange(1, 8) == at[:, None]), at


# ---- dynamic programs --------------------------------------------------------------------------------------------------------------------

@row("i(9, 45) + 1, n(45)")
def weights_chosen_under_limit_with_trace(weight, value):
    def item(best, t):
        w, v = t
        take = jnp.where(jnp.arange(121) >= w, jnp.roll(best, w) + v, -jnp.inf)
        return jnp.maximum(best, take), take > best
    best, took = lax.scan(item, jnp.zeros(121), (weight, value))
    def back(c, t):
        yes, w = t
        return c - jnp.where(yes[c], w, 0), yes[c]
    return best, lax.scan(back, 120, (took, weight), reverse=True)[1]


@row("n(80, 7, scale=2.), n(7, 7)")
@row("n(5, 30, 12, scale=2.), n(12, 12)", "vmap({0}, (0, None))")
def likeliest_states_with_back_pointers(emission, turn):
    def step(s, e):
        scores = s[:, None] + turn
        return scores.max(0) + e, scores.argmax(0)
    last, back = lax.scan(step, emission[0], emission[1:])
    end = last.argmax()
    _, path = lax.scan(lambda s, b: (b[s], b[s]), end, back, reverse=True)
    return jnp.append(path, end), last.max()


@row("n(70, 5), i(4, 11) + 1")
def labels_aligned_to_frames_in_logs(logits, label):
    logp = nn.log_softmax(logits)
    ext = jnp.zeros(23, jnp.int32).at[1::2].set(label)
    skip = (ext != jnp.roll(ext, 2)) & (ext > 0) & (jnp.arange(23) > 1)
    def step(a, lp):
        one = jnp.pad(a[:-1], (1, 0), constant_values=-1e9)
        two = jnp.where(skip, jnp.pad(a[:-2], (2, 0), constant_values=-1e9), -1e9)
        return jnp.logaddexp(jnp.logaddexp(a, one), two) + lp[ext], None
    a = lax.scan(step, jnp.full(23, -1e9).at[:2].set(logp[0, ext[:2]]), logp[1:])[0]
    return jnp.logaddexp(a[-1], a[-2])


@row("abs(n(600, 80))")
@row("abs(n(600, 80))", "grad({0})")
def cheapest_seam_from_top(cost):
    def down(m, c):
        best = jnp.minimum(m, jnp.minimum(jnp.pad(m[1:], (0, 1), constant_values=9e9), jnp.pad(m[:-1], (1, 0), constant_values=9e9)))
        return best + c, best
    m, _ = lax.scan(down, cost[0], cost[1:])
    return m.min()


@row("i(100, 25) + 1")
def best_order_of_cuts(length):
    n = 25
    total = jnp.concatenate([jnp.zeros(1, jnp.int32), jnp.cumsum(length)])
    def span(s, best):
        i = jnp.arange(n + 1)
        j = i + s
        k = i[:, None] + jnp.arange(1, n + 1)
        split = best[i[:, None], jnp.minimum(k, n)] + best[jnp.minimum(k, n), jnp.minimum(j, n)[:, None]]
        least = jnp.where(k < j[:, None], split, 1 << 28).min(1) + total[jnp.minimum(j, n)] - total[i]
        return best.at[i, jnp.minimum(j, n)].set(jnp.where(j <= n, least, best[i, n]))
    return lax.fori_loop(2, n + 1, span, jnp.zeros((n + 1, n + 1), jnp.int32))[0]


# ---- graphs, trees, clusters ---------------------------------------------------------------------------------------------------------------

@row("i(300, 2, 1500), abs(n(1500)) + .1")
def distances_from_four_sources(edge, weight):
    d = jnp.full((4, 300), jnp.inf).at[jnp.arange(4), jnp.arange(4) * 70].set(0)
    def relax(s):
        d, _, k = s
        new = d.at[:, edge[1]].min(d[:, edge[0]] + weight)
        return new, (new < d).any(), k + 1
    d, _, k = lax.while_loop(lambda s: s[1] & (s[2] < 60), relax, (d, True, 0))
    return jnp.where(jnp.isinf(d), -1, d), k


@row("i(250, 2, 700), n(250, 6), n(13, 8, scale=.4), n(8, 6, scale=.4)", "jax.value_and_grad(lambda e, x, a, b: ({0}(e, x, a, b) ** 2).mean(), (1, 2, 3))")
@row("i(25, 2, 90), n(25, 6), n(13, 8, scale=.4), n(8, 6, scale=.4)")
def messages_with_mean_largest_and_gate(edge, x, w, u):
    src, dst = edge
    distance = ((x[src] - x[dst]) ** 2).sum(-1, keepdims=True)
    m = nn.silu(jnp.concatenate([x[src], x[dst], distance], 1) @ w)
    size = jax.ops.segment_sum(jnp.ones_like(distance), dst, len(x))
    mean = jax.ops.segment_sum(m, dst, len(x)) / jnp.maximum(size, 1)
    top = jnp.where(size > 0, jax.ops.segment_max(m, dst, len(x)), 0)
    return x + nn.sigmoid(mean @ u) * (top @ u)


@row("n(80, 80) > 1.2")
def colours_refined_by_hashes_of_neighbours(a):
    a = (a | a.T).astype(jnp.uint32)
    def turn(c, _):
        mixed = (c ^ c >> 15) * jnp.uint32(0x2C1B3C6D)
        return c * jnp.uint32(31) + a @ mixed, jnp.unique(c, size=80).max()
    c, tops = lax.scan(turn, a.sum(1), None, length=6)
    return jnp.sort(c), tops


@row("n(2000, 6), n(31), i(6, 31), n(32, 3)")
@row("n(7, 2000, 6), n(7, 31), i(6, 7, 31), n(7, 32, 3)", "lambda *a: vmap({0})(*a)[0].mean(0)")
def rows_dropped_down_decision_tree(x, threshold, feature, leaf):
    def down(_, node):
        value = jnp.take_along_axis(x, feature[node][:, None], 1)[:, 0]
        return 2 * node + 1 + (value > threshold[node])
    node = lax.fori_loop(0, 5, down, jnp.zeros(len(x), jnp.int32))
    return leaf[node - 31], jnp.bincount(node - 31, length=32)


@row("i(32, 1500, 6), n(1500), abs(n(1500)) + .1")
def best_split_by_histograms(bins, gradient, curvature):
    index = jnp.arange(6) * 32 + bins
    g = jnp.zeros(192).at[index].add(gradient[:, None]).reshape(6, 32)
    h = jnp.zeros(192).at[index].add(curvature[:, None]).reshape(6, 32)
    left, down = jnp.cumsum(g, 1), jnp.cumsum(h, 1)
    gain = left ** 2 / (down + 1) + (left[:, -1:] - left) ** 2 / (down[:, -1:] - down + 1)
    at = jnp.argmax(gain)
    return at // 32, at % 32, gain - left[:, -1:] ** 2 / (down[:, -1:] + 1)


@row("n(70, 2)")
def nearest_clusters_merged_in_turn(x):
    d = ((x[:, None] - x) ** 2).sum(-1) + 1e9 * jnp.eye(70)
    def merge(s, _):
        d, label = s
        at = jnp.argmin(d)
        i, j = at // 70, at % 70
        new = jnp.maximum(d[i], d[j]).at[i].set(1e9)
        d = d.at[i].set(new).at[:, i].set(new).at[j].set(1e9).at[:, j].set(1e9)
        return (d, jnp.where(label == j, i, label)), d.min()
    (_, label), heights = lax.scan(merge, (d, jnp.arange(70)), None, length=60)
    return label, heights


@row("n(400, 3)")
def dense_regions_spread_by_neighbours(x):
    near = ((x[:, None] - x) ** 2).sum(-1) < 0.16
    core = near.sum(1) >= 5
    label = jnp.where(core, jnp.arange(400), 400)
    spread = lambda s: jnp.where(core, jnp.where(near & core, s[0], 400).min(1), 400)
    label, _ = lax.while_loop(lambda s: (s[0] != s[1]).any(), lambda s: (spread(s), s[0]), (spread((label,)), label))
    return jnp.where(near & core, label, 400).min(1), core.sum()


@row("n(600, 5), n(9, 5), random.key(0)")
def centres_moved_by_small_batches(x, centre, key):
    def step(s, key):
        c, count = s
        batch = x[random.randint(key, (50,), 0, 600)]
        at = jnp.argmin(((batch[:, None] - c) ** 2).sum(-1), 1)
        one = nn.one_hot(at, 9)
        count = count + one.sum(0)
        return (c + (one.T @ batch - one.sum(0)[:, None] * c) / jnp.maximum(count, 1)[:, None], count), at
    return lax.scan(step, (centre, jnp.zeros(9)), random.split(key, 20))
