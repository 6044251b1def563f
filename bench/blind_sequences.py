"""blind_sequences.py: rows of the long tail written before any of them was measured (snippets.py): chains of states and their
filters, alignment, text as integers, hashes, tricks with bits, loops of integers. A docstring gives the shapes."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- chains of states ------------------------------------------------------------------------------------------------

@row("nn.log_softmax(n(9, 9)), n(57, 9)")
@row("nn.log_softmax(n(9, 9)), n(57, 9)", "grad(lambda a, e: {0}(a, e)[1], (0, 1))")
def forward_backward(transition, emission):
    """Posterior of the states and the evidence, in logarithms: transition (s, s), emission (t, s)."""
    ahead = lambda a, e: (lambda b: (b, b))(nn.logsumexp(a[:, None] + transition, 0) + e)
    behind = lambda b, e: (nn.logsumexp(transition + b + e, 1), b)
    last, alpha = lax.scan(ahead, emission[0], emission[1:])
    _, beta = lax.scan(behind, jnp.zeros(9), emission[1:], reverse=True)
    alpha = jnp.concatenate([emission[:1], alpha])
    beta = jnp.concatenate([beta, jnp.zeros((1, 9))])
    return nn.softmax(alpha + beta), nn.logsumexp(last)


@row("nn.softmax(n(6, 6)), nn.softmax(n(128, 6))")
def forward_parallel(transition, likelihood):
    """The same filter as an associative scan of matrices."""
    steps = transition * likelihood[:, None]
    steps = steps / steps.sum((1, 2), keepdims=True)
    def combine(a, b):
        c = a @ b
        return c / c.sum((-2, -1), keepdims=True)
    return lax.associative_scan(combine, steps)[:, 0]


@row("n(5, 33, 7), n(7, 7)")
def crf_best_paths(scores, transition):
    """Viterbi for a batch: scores (batch, t, s); scan forward, scan back."""
    def ahead(d, s):
        best = d[:, :, None] + transition
        return best.max(1) + s, best.argmax(1)
    last, back = lax.scan(ahead, scores[:, 0], scores[:, 1:].swapaxes(0, 1))
    end = last.argmax(-1)
    step = lambda at, b: (jnp.take_along_axis(b, at[:, None], 1)[:, 0],) * 2
    return jnp.vstack([lax.scan(step, end, back, reverse=True)[1], end[None]]), last.max(-1)


@row("n(5, 33, 7), n(7, 7), i(7, 5, 33)")
@row("n(5, 33, 7), n(7, 7), i(7, 5, 33)", "grad({0}, (0, 1))")
def crf_loss(scores, transition, tags):
    step = lambda a, s: (nn.logsumexp(a[:, :, None] + transition, 1) + s, None)
    total = nn.logsumexp(lax.scan(step, scores[:, 0], scores[:, 1:].swapaxes(0, 1))[0], -1)
    path = jnp.take_along_axis(scores, tags[..., None], -1).sum((1, 2)) + transition[tags[:, :-1], tags[:, 1:]].sum(1)
    return (total - path).mean()


@row("n(4, 40, 23), i(22, 4, 9) + 1")
@row("n(4, 40, 23), i(22, 4, 9) + 1", "grad({0})")
def ctc_by_hand(logits, labels):
    """Connectionist temporal classification of whole rows: logits (batch, t, classes), labels (batch, n); 0 is blank."""
    logp = nn.log_softmax(logits)
    b, n = labels.shape
    states = jnp.zeros((b, 2 * n + 1), "int32").at[:, 1::2].set(labels)
    skip = jnp.pad((states[:, 2:] != states[:, :-2]) & (states[:, 2:] > 0), ((0, 0), (2, 0)))
    emit = jnp.take_along_axis(logp, jnp.broadcast_to(states[:, None], (b, logits.shape[1], 2 * n + 1)), 2)
    shift = lambda a, k: jnp.pad(a, ((0, 0), (k, 0)), constant_values=-1e9)[:, : 2 * n + 1]
    def step(a, e):
        two = jnp.where(skip, shift(a, 2), -1e9)
        return jnp.logaddexp(jnp.logaddexp(a, shift(a, 1)), two) + e, None
    first = jnp.where(jnp.arange(2 * n + 1) < 2, emit[:, 0], -1e9)
    last = lax.scan(step, first, emit[:, 1:].swapaxes(0, 1))[0]
    return -jnp.logaddexp(last[:, -1], last[:, -2]).mean()


@row("nn.log_softmax(n(19, 8, 15)), i(14, 7) + 1")
@row("nn.log_softmax(n(19, 8, 15)), i(14, 7) + 1", "grad({0})")
def transducer_loss(logp, labels):
    """RNN-T: logp (t, u + 1, classes); 0 is blank."""
    blank, emit = logp[:, :, 0], jnp.take_along_axis(logp[:, :-1], labels[None, :, None], 2)[..., 0]
    def over_time(alpha, x):
        blank, emit = x
        stay = alpha + blank
        def over_labels(a, x):
            a = jnp.logaddexp(x[0], a + x[1])
            return a, a
        rest = lax.scan(over_labels, stay[0], (stay[1:], emit))[1]
        return jnp.concatenate([stay[:1], rest]), None
    first = jnp.concatenate([jnp.zeros(1), jnp.cumsum(emit[0])])
    return -(lax.scan(over_time, first, (blank[:-1], emit[1:]))[0][-1] + blank[-1, -1])


@row("n(3, 3, scale=.4), n(2, 3), n(101, 2)")
@row("n(3, 3, scale=.4), n(2, 3), n(101, 2)", "grad({0}, (0, 1))")
def kalman_likelihood(a, c, y):
    def step(s, y):
        m, p = a @ s[0], a @ s[1] @ a.T + 0.1 * jnp.eye(3)
        innovation, cov = y - c @ m, c @ p @ c.T + 0.5 * jnp.eye(2)
        gain = jnp.linalg.solve(cov, c @ p).T
        log = -0.5 * (innovation @ jnp.linalg.solve(cov, innovation) + jnp.linalg.slogdet(cov)[1])
        return (m + gain @ innovation, p - gain @ c @ p), log
    return lax.scan(step, (jnp.zeros(3), jnp.eye(3)), y)[1].sum()


@row("n(4, 4, scale=.3), n(1, 4), n(60, 1)")
def square_root_filter(a, c, y):
    """Covariances as Cholesky factors, updated by QR."""
    def step(s, y):
        m, l = s
        l = jnp.linalg.qr(jnp.vstack([l.T @ a.T, 0.3 * jnp.eye(4)]), mode="r").T
        m = a @ m
        joint = jnp.block([[0.5 * jnp.eye(1), jnp.zeros((1, 4))], [l.T @ c.T, l.T]])
        r = jnp.linalg.qr(joint, mode="r").T
        return (m + r[1:, :1] @ ((y - c @ m) / r[0, 0]), r[1:, 1:]), m
    return lax.scan(step, (jnp.zeros(4), jnp.eye(4)), y)[1]


@row("n(4, 4, scale=.4), n(2, 4), n(30, 2)")
def information_filter(a, c, y):
    def step(s, y):
        z, m = s
        p = a @ jnp.linalg.inv(m) @ a.T + 0.2 * jnp.eye(4)
        m_new = jnp.linalg.inv(p)
        z = m_new @ a @ jnp.linalg.solve(m, z)
        return (z + c.T @ y / 0.3, m_new + c.T @ c / 0.3), z
    return lax.scan(step, (jnp.zeros(4), jnp.eye(4)), y)[1]


@row("key, n(40)")
def auxiliary_particles(key, y, count=128):
    """Stochastic volatility with look-ahead weights."""
    def step(s, x):
        y, key = x
        at, noise = random.split(key)
        mean = 0.95 * s
        look = -0.5 * (mean + y**2 * jnp.exp(-mean))
        chosen = mean[random.categorical(at, look, shape=(count,))]
        new = chosen + 0.3 * random.normal(noise, (count,))
        w = nn.softmax(-0.5 * (new + y**2 * jnp.exp(-new)) + 0.5 * (chosen + y**2 * jnp.exp(-chosen)))
        return new, (w * new).sum()
    return lax.scan(step, jnp.zeros(count), (y, random.split(key, 40)))[1]


@row("n(300), n(300, seed=1)")
def cusum_changes(x, y):
    step = lambda s, v: ((lambda u: (jnp.where(u > 4, 0, u), u > 4))(jnp.maximum(0, s + v - 0.2)))
    return lax.scan(step, 0.0, x + 0.1 * y)[1].sum() + 1, jnp.cumsum(x - x.mean())


@row("n(256)")
@row("n(256)", "grad(lambda x: {0}(x)[0])")
def holt_winters(x, season=12):
    def step(s, x):
        level, trend, seasonal = s
        new = 0.3 * (x - seasonal[0]) + 0.7 * (level + trend)
        trend = 0.1 * (new - level) + 0.9 * trend
        seasonal = jnp.roll(seasonal, -1).at[-1].set(0.2 * (x - new) + 0.8 * seasonal[0])
        return (new, trend, seasonal), new + trend + seasonal[0]
    return lax.scan(step, (x[0], 0.0, jnp.zeros(season)), x)[1], x


@row("n(400), jnp.array([.1, .15, .8])")
@row("n(400), jnp.array([.1, .15, .8])", "grad({0}, 1)")
def garch(returns, p):
    step = lambda v, r: ((lambda w: (w, w))(p[0] + p[1] * r * r + p[2] * v))
    v = lax.scan(step, 1.0, returns)[1]
    return 0.5 * (jnp.log(v[:-1]) + returns[1:] ** 2 / v[:-1]).mean()


# ---- alignment and text ----------------------------------------------------------------------------------------------

@row("n(37, 5), n(41, 5)")
@row("n(37, 5), n(41, 5)", "grad({0}, (0, 1))")
def soft_warping(x, y, gamma=0.5):
    """Soft-DTW row by row: x (a, d), y (b, d)."""
    d = ((x[:, None] - y) ** 2).sum(-1)
    def by_row(above, d):
        def by_cell(left, c):
            up, corner, cost = c
            v = cost - gamma * nn.logsumexp(-jnp.stack([left, up, corner]) / gamma)
            return v, v
        rest = lax.scan(by_cell, 1e6, (above[1:], above[:-1], d))[1]
        return jnp.concatenate([jnp.full(1, 1e6), rest]), None
    return lax.scan(by_row, jnp.full(42, 1e6).at[0].set(0), d)[0][-1]


@row("i(4, 33), i(4, 45)")
def banded_warping(x, y, band=9):
    inf = 1 << 20
    def by_row(i, table):
        def by_cell(j, t):
            best = jnp.minimum(jnp.minimum(t[i - 1, j], t[i, j - 1]), t[i - 1, j - 1])
            cost = jnp.where(abs(i * 45 // 33 - j) <= band, abs(x[i - 1] - y[j - 1]), inf)
            return t.at[i, j].set(jnp.minimum(best + cost, inf))
        return lax.fori_loop(1, 46, by_cell, table)
    return lax.fori_loop(1, 34, by_row, jnp.full((34, 46), inf).at[0, 0].set(0))[-1, 1:] + 1


@row("i(4, 6, 21), i(4, 6, 25)")
def levenshtein_rows(a, b):
    """Edit distances of pairs of strings: the running minimum makes a row one scan."""
    def distance(a, b):
        at = jnp.arange(26)
        def step(row, c):
            new = jnp.minimum(row[1:] + 1, row[:-1] + (c != b))
            new = jnp.concatenate([row[:1] + 1, new])
            return lax.cummin(new - at) + at, None
        return lax.scan(step, at, a)[0][-1]
    return jax.vmap(distance)(a, b)


@row("i(20, 40), i(20, 50), n(20, 20)")
def needleman_wunsch_diagonals(a, b, score):
    """Global alignment by anti-diagonals, so that a step is a vector."""
    m, n = 40, 50
    s = score[a][:, b]
    i = jnp.arange(m + 1)
    def step(d, k):
        two, one = d
        j = k - i
        inside = (j >= 0) & (j <= n)
        match = two[i - 1] + s[jnp.clip(i - 1, 0, m - 1), jnp.clip(j - 1, 0, n - 1)]
        gap = jnp.maximum(one[i - 1], one) - 0.5
        new = jnp.where((i == 0) | (j == 0), -0.5 * k, jnp.maximum(match, gap))
        new = jnp.where(inside, new, -1e9)
        return (one, new), new.max()
    start = jnp.full(m + 1, -1e9), jnp.where(i == 0, 0.0, -1e9)
    return lax.scan(step, start, jnp.arange(1, m + n + 1))[0][1][-1]


@row("i(5, 200)")
def longest_palindrome(s):
    """The center that extends the farthest: a while loop for each center."""
    def reach(c):
        go = lambda k: (c - k >= 0) & (c + k < 200) & (s[jnp.maximum(c - k, 0)] == s[jnp.minimum(c + k, 199)])
        return lax.while_loop(go, lambda k: k + 1, 0)
    return jax.vmap(reach)(jnp.arange(200))


@row("i(3, 151)")
def prefix_function(s):
    """Knuth, Morris and Pratt: a loop within a loop."""
    def step(k, table):
        def shorter(j):
            return (j > 0) & (s[j] != s[k])
        j = lax.while_loop(shorter, lambda j: table[j - 1], table[k - 1])
        return table.at[k].set(j + (s[j] == s[k]))
    return lax.fori_loop(1, 151, step, jnp.zeros(151, "int32"))


@row("i(26, 509)")
def suffix_ranks(s):
    """Suffix array by doubling: sorts of pairs."""
    rank = s
    for k in (1, 2, 4, 8):
        after = jnp.pad(rank[k:], (0, k), constant_values=-1)
        a, b, order = lax.sort((rank, after, jnp.arange(509)), num_keys=2)
        new = jnp.cumsum(jnp.concatenate([jnp.zeros(1, bool), (a[1:] != a[:-1]) | (b[1:] != b[:-1])]).astype("int32"))
        rank = jnp.zeros_like(rank).at[order].set(new)
    return rank


@row("i(256, 4003).astype('uint8')")
def byte_statistics(text):
    upper = jnp.where((text >= 97) & (text <= 122), text - 32, text)
    words = jnp.cumsum((text == 32).astype("int32"))
    return jnp.bincount(upper, length=256), jax.ops.segment_sum(text.astype("int32"), words, 40)


@row("i(90, 601), i(90, 40, 2)")
def byte_pair_merges(tokens, pairs):
    """Merges of a tokenizer in turn; a freed place becomes -1."""
    def merge(tokens, pair):
        a, b, new = pair
        after = jnp.roll(tokens, -1).at[-1].set(-1)
        hit = (tokens == a) & (after == b)
        tokens = jnp.where(hit, new, jnp.where(jnp.roll(hit, 1).at[0].set(False), -1, tokens))
        order = jnp.argsort(tokens < 0, stable=True)
        return tokens[order], hit.sum()
    return lax.scan(merge, tokens, (pairs[:, 0], pairs[:, 1], 90 + jnp.arange(40)))


@row("i(50, 7, 30), i(50, 9, 30)")
def bag_cosine(a, b):
    count = jax.vmap(lambda t: jnp.zeros(50).at[t].add(1))
    a, b = count(a), count(b)
    return a @ b.T / (jnp.linalg.norm(a, axis=1)[:, None] * jnp.linalg.norm(b, axis=1))


# ---- hashes, bits, integers ------------------------------------------------------------------------------------------

@row("i(1 << 30, 64, 5).astype('uint32')")
def siphash_like(words):
    rot = lambda v, k: (v << k) | (v >> (32 - k))
    def mix(s, m):
        a, b, c, d = s
        d = d ^ m
        for _ in range(2):
            a, c = a + b, c + d
            b, d = rot(b, 5) ^ a, rot(d, 8) ^ c
            a = rot(a, 16) + d
            d, c = rot(d, 7) ^ a, c + b
            b, c = rot(b, 13) ^ c, rot(c, 16)
        return a ^ m, b, c, d
    s = tuple(jnp.full(64, v, "uint32") for v in (0x70736575, 0x6E646F6D, 0x6E657261, 0x79746573))
    for k in range(5):
        s = mix(s, words[:, k])
    return s[0] ^ s[1] ^ s[2] ^ s[3]


@row("i(256, 500).astype('uint8')")
def adler32(data):
    a = (1 + jnp.cumsum(data.astype("uint32"))) % 65521
    return (a.sum() % 65521) * 65536 + a[-1], a


@row("i(1 << 30, 2003).astype('uint32')")
def splitmix(x):
    x = x + jnp.uint32(0x9E3779B9)
    x = (x ^ (x >> 16)) * jnp.uint32(0x85EBCA6B)
    x = (x ^ (x >> 13)) * jnp.uint32(0xC2B2AE35)
    return x ^ (x >> 16), lax.population_count(x), lax.clz(x)


@row("i(1 << 30, 97).astype('uint32'), i(1 << 30, 4).astype('uint32')")
def tea_rounds(v, key):
    def step(s, _):
        a, b, total = s
        total = total + jnp.uint32(0x9E3779B9)
        a = a + (((b << 4) + key[0]) ^ (b + total) ^ ((b >> 5) + key[1]))
        b = b + (((a << 4) + key[2]) ^ (a + total) ^ ((a >> 5) + key[3]))
        return (a, b, total), None
    return lax.scan(step, (v, v[::-1], jnp.uint32(0)), None, length=32)[0][:2]


@row("i(256, 16, 4, 4).astype('uint8')")
def galois_mix_columns(state):
    """Products in the field of 256 elements, as in AES: state (blocks, 4, 4)."""
    twice = (state << 1) ^ jnp.where(state & 128 != 0, jnp.uint8(0x1B), jnp.uint8(0))
    return twice ^ jnp.roll(twice, -1, 1) ^ jnp.roll(state, -1, 1) ^ jnp.roll(state, -2, 1) ^ jnp.roll(state, -3, 1)


@row("i(256, 11, 16).astype('uint8'), i(256, 256).astype('uint8')")
def substitution_rounds(state, box):
    shift = jnp.array([0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11])
    return lax.fori_loop(0, 10, lambda k, s: box[s][:, shift] ^ (s + k.astype("uint8")), state)


@row("i(1 << 20, 301) + 1, i(1 << 20, 301)[::-1] + 1")
def extended_euclid(a, b):
    def step(s):
        r0, r1, s0, s1 = s
        q = jnp.where(r1 > 0, r0 // jnp.maximum(r1, 1), 0)
        done = r1 == 0
        return tuple(jnp.where(done, old, new) for old, new in zip(s, (r1, r0 - q * r1, s1, s0 - q * s1)))
    return lax.while_loop(lambda s: (s[1] > 0).any(), step, (a, b, jnp.ones_like(a), jnp.zeros_like(a)))[0::2]


@row("i(30000, 77).astype('int64') + 2, i(1 << 30, 77).astype('int64')", double=True)
def modular_powers(base, exponent):
    step = lambda k, s: (jnp.where((exponent >> k) & 1, s[0] * s[1] % 1000000007, s[0]), s[1] * s[1] % 1000000007)
    return lax.fori_loop(0, 30, step, (jnp.ones_like(base), base))[0]


@row("i(1 << 30, 40).astype('int64') * 2 + 1", double=True)
def linear_congruences(seed):
    step = lambda s, _: ((lambda t: (t, t >> 33))(s * 6364136223846793005 + 1442695040888963407))
    return lax.scan(step, seed, None, length=50)[1]


@row("i(998244353, 64).astype('int64')", double=True)
def number_theoretic_transform(x):
    """Butterflies modulo a prime."""
    p, n, h = 998244353, 64, 1
    while h < n:
        root = pow(3, (p - 1) // (2 * h), p)
        powers = [1]
        for _ in range(h - 1):
            powers.append(powers[-1] * root % p)
        y = x.reshape(-1, 2, h)
        even, odd = y[:, 0], y[:, 1] * jnp.array(powers) % p
        x = jnp.stack([(even + odd) % p, (even - odd) % p], 1).reshape(-1)
        h *= 2
    return x


@row("i(1 << 30, 65, 32).astype('uint32')")
def transposed_bits(words):
    """The 32 x 32 bits of each row, transposed by swaps of halves."""
    j, mask = 16, 0x0000FFFF
    while j:
        k = jnp.array([v for v in range(32) if not v & j])
        t = (words[:, k] ^ (words[:, k + j] >> j)) & jnp.uint32(mask)
        words = words.at[:, k].set(words[:, k] ^ t).at[:, k + j].set(words[:, k + j] ^ (t << j))
        j >>= 1
        mask = (mask ^ (mask << j)) & 0xFFFFFFFF
    return words


ROWS = [
    "lambda x: x ^ (x >> 1) @@ i(1 << 20, 999)",
    "lambda x: lax.fori_loop(0, 5, lambda k, v: v ^ (v >> (1 << (4 - k))), x) @@ i(1 << 30, 999)",
    "lambda x: jnp.packbits(x > 0, axis=1) @@ n(31, 77)",
    "lambda x: jnp.unpackbits(x, axis=0, bitorder='little') @@ i(256, 19, 23).astype('uint8')",
    "lambda x: lax.population_count(x[:, None] ^ x) @@ i(1 << 30, 131).astype('uint32')",
    "lambda x: (x & -x) - (x & (x - 1)) @@ i(1 << 30, 2003)",
    (
        "lambda x, y: jnp.where(x // (abs(y) + 1) > 3, x % (abs(y) + 1), -(x >> 3)).astype('int16') @@ i(999, 43, 47), "
        "i(50, 43, 47)"
    ),
    "lambda a: (a[:, None, :] == a[None, :, :]).all(-1).argmax(1) @@ i(3, 120, 4)",
    "lambda d: (d[:, ::-1] * 10 ** jnp.arange(7)).sum(1) @@ i(10, 401, 7)",
    "lambda v: v[:, None] // 10 ** jnp.arange(8, -1, -1) % 10 @@ i(1 << 30, 321)",
    (
        "lambda x, p: vmap(lambda k: (lax.dynamic_slice(x, (k,), (5,)) == "
        "p).all())(jnp.arange(996)).astype('int32').cumsum() @@ i(2, 1000), i(2, 5)"
    ),
    "lambda x: jnp.lexsort((x[:, 0], x[:, 1], x[:, 2])) @@ i(5, 401, 3)",
    "lambda x: jnp.unique_inverse(x, size=40)[1] @@ i(37, 501)",
    "f64: lambda x: (x * 2654435761) >> 7 & 1023 @@ i(1 << 30, 999).astype('int64')",
]
