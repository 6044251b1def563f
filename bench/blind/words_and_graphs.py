"""fresh_6.py: graphs, texts, genes, games and searches on integers; contractions, transforms, sparse matrices, types and shapes in one
line."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random
from jax.experimental import sparse

from snippets import row

ROWS = [
    # contractions
    "lambda a, b: jnp.einsum('bhld,bhmd->bhlm', a, b) @@ n(3, 7, 65, 33), n(3, 7, 50, 33)",
    "lambda a, b: jnp.einsum('abc,cbd->da', a, b) @@ n(31, 17, 45), n(45, 17, 29)",
    "lambda a, b, c: jnp.einsum('ni,ijk,nk->nj', a, b, c) @@ n(101, 23), n(23, 19, 31), n(101, 31)",
    "lambda a: jnp.einsum('...ii->...', a) @@ n(55, 7, 21, 21)",
    "lambda a, b: jnp.einsum('xyz,xyz->y', a, b) @@ n(60, 41, 83), n(60, 41, 83)",
    "lambda a, b: jnp.einsum('i,j->ij', a, b).T @@ n(1001), n(333)",
    "lambda a, b: jnp.einsum('tbd,tcd->tbc', a, b) @@ n(150, 9, 70, dtype='bfloat16'), n(150, 5, 70, dtype='bfloat16')",
    "lambda a, b: jnp.einsum('hwc,kchw->k', a, b) @@ n(28, 30, 7), n(40, 7, 28, 30)",
    "f64: lambda a, b: jnp.einsum('pqrs,rs->pq', a, b) @@ n(13, 13, 13, 13, dtype='float64'), n(13, 13, dtype='float64')",
    "lambda a, b, c: jnp.einsum('ijkl,jm,kn->imnl', a, b, c) @@ n(11, 12, 13, 14), n(12, 6), n(13, 5)",
    "lambda a, b: jnp.einsum('bij,bjk->bki', a, b) @@ n(77, 5, 6, dtype='float16'), n(77, 6, 9, dtype='float16')",
    "grad(lambda a, b, c: jnp.einsum('bi,bj,ijo->bo', a, b, c) ** 2, (0, 1, 2)) @@ n(80, 14), n(80, 15), n(14, 15, 22)",
    "lambda a, b: jnp.einsum('bsgd,gde->bsge', a, b) @@ n(4, 90, 6, 40), n(6, 40, 70)",
    "lambda a: jnp.einsum('ni,nj->ij', a, a.conj()) @@ n(700, 30) + 1j * n(700, 30, seed=1)",
    "lambda a, b: jnp.tensordot(a, b, ((0, 2), (1, 0))) @@ n(25, 31, 12), n(12, 25, 44)",
    # transforms
    "lambda x: fft.fft2(x).real[:, :20, :20] @@ n(5, 60, 84)",
    "lambda x: fft.irfftn(fft.rfftn(x) * 1j, s=(18, 20, 30)) @@ n(18, 20, 30)",
    "lambda x: jnp.abs(fft.fftshift(fft.fft(x, axis=0), 0)) @@ n(1009, 12)",
    "lambda x, t: fft.irfft(fft.rfft(x)[None] * jnp.exp(-jnp.arange(251.) ** 2 * t[:, None]), n=500) @@ n(500), abs(n(40)) * 1e-3",
    "f64: lambda x, y: fft.ifft(fft.fft(x, 4000) * fft.fft(y, 4000)).real.round().astype('int64') @@ i(10, 1999).astype('float64'), i(10, 2001).astype('float64')",
    "lambda x: fft.hfft(x, axis=1) @@ n(33, 41) + 1j * n(33, 41, seed=1)",
    # sparse
    "lambda v, r, c, x: sparse.BCOO((v, jnp.stack([r, c], 1)), shape=(999, 500)) @ x @@ n(6000), i(999, 6000), i(500, 6000), n(500, 12)",
    "lambda a, x: (sparse.BCOO.fromdense(a, nse=900).T @ x).sum(1) @@ n(90, 110) * (n(90, 110, seed=1) > 1.4), n(90, 33)",
    "lambda v, k, x, y: sparse.bcoo_dot_general_sampled(x, y, k, dimension_numbers=(((1,), (0,)), ((), ()))) * v @@ n(3000), i(200, 3000, 2), n(200, 30), n(30, 200)",
    # types and shapes
    "lambda x: jnp.stack(jnp.split(x, 7, 1), 0).transpose(1, 2, 0).reshape(203, -1) @@ n(203, 91)",
    "lambda x: jnp.repeat(jnp.tile(x, (2, 3)), 2, 1)[::3] @@ i(99, 101, 43).astype('int16')",
    "lambda x, k: jnp.where((jnp.arange(300) < k[:, None])[..., None], x, 0).sum(1) / k[:, None] @@ n(41, 300, 9), i(299, 41) + 1",
    "lambda x: jnp.apply_along_axis(lambda v: jnp.convolve(v, jnp.ones(5) / 5, 'valid'), 1, x) @@ n(61, 203)",
    "lambda x: jnp.select([x < -1, x < 0, x < 1], [-x, x * x, jnp.sqrt(jnp.abs(x))], 1.) @@ n(71, 903)",
    "lambda x: jnp.piecewise(x, [x < 0, x > 1], [jnp.sin, jnp.cos, 0.]) @@ n(20001)",
    "lambda a: (jnp.roll(a, 3, 1) ^ a[::-1]) & ~(a << 2) @@ (i(256, 301, 513)).astype('uint8')",
    "lambda a: lax.population_count(a ^ jnp.roll(a, 1, 0)).sum(1, dtype='int32') @@ i(1 << 30, 2001, 17).astype('uint32')",
    "lambda x: x.astype('float8_e5m2').astype('bfloat16') @ jnp.ones((90, 30), 'bfloat16') @@ n(301, 90)",
    "lambda x: jnp.linalg.norm(x.astype('float32'), axis=(1, 2)).astype('float16') @@ n(31, 50, 70, dtype='float16')",
    "f64: lambda x: jnp.cumsum(x, 0) - jnp.cumsum(x[::-1], 0)[::-1] @@ n(3001, 20, dtype='float64')",
    "lambda z: jnp.angle(z[1:] * z[:-1].conj()) / (2 * jnp.pi) @@ n(20011) + 1j * n(20011, seed=1)",
    "lambda z: jnp.stack([z.real, z.imag], -1).reshape(300, -1).astype('bfloat16') @@ n(300, 70) + 1j * n(300, 70, seed=1)",
    "lambda m, x: jnp.where(m.any(1, keepdims=True), x, m.all(0) * 1.) @@ n(333, 100) > 2.5, n(333, 100)",
    "lambda x: lax.sort((x % 17, x), num_keys=2)[1] @@ i(1 << 20, 7001)",
    "lambda x: lax.top_k(x.astype('float32'), 20) @@ n(33, 1500, dtype='bfloat16')",
    "lambda x: jnp.searchsorted(jnp.cumsum(x) / x.sum(), jnp.linspace(0, .999, 700)) @@ abs(n(2500))",
]


# ---- graphs --------------------------------------------------------------------------------------------------------------

@row("i(300, 1500), i(300, 1500)[::-1], abs(n(1500)) + .1")
@row("i(3000, 9000), i(3000, 9000)[::-1], abs(n(9000)) + .1")
def ways_by_relaxing_edges_until_no_change(a, b, w):
    n = 300 if a.size < 5000 else 3000
    def step(s):
        d, _, k = s
        new = d.at[b].min(d[a] + w).at[a].min(d[b] + w)
        return new, jnp.any(new < d), k + 1
    start = jnp.full(n, jnp.inf).at[0].set(0)
    d, _, k = lax.while_loop(lambda s: s[1] & (s[2] < 60), step, (start, True, 0))
    return jnp.where(jnp.isinf(d), -1, d), k


@row("i(400, 2000), i(400, 2000)[::-1], n(400, 6)")
@row("i(50, 150), i(50, 150)[::-1], n(50, 6)")
def communities_by_random_walk_modularity(a, b, x):
    """Soft memberships climb the modularity of the graph."""
    n = x.shape[0]
    deg = jnp.zeros(n).at[a].add(1).at[b].add(1)
    def q(x):
        p = nn.softmax(x)
        return (p[a] * p[b]).sum() / a.size - ((deg @ p / (2 * a.size)) ** 2).sum()
    def step(x, _):
        value, g = jax.value_and_grad(q)(x)
        return x + 20 * g, value
    x, values = lax.scan(step, x, length=25)
    return x.argmax(1), values


@row("i(200, 700), i(200, 700)[::-1], n(200, 2)")
@row("i(60, 150), i(60, 150)[::-1], n(60, 2)")
def layout_by_springs_with_cooling(a, b, x):
    n = x.shape[0]
    def step(x, heat):
        d = x[:, None] - x
        push = (d / ((d * d).sum(-1, keepdims=True) + 1e-2)).sum(1) / n
        e = x[a] - x[b]
        pull = e * jnp.linalg.norm(e, axis=1, keepdims=True)
        move = push.at[a].add(-pull).at[b].add(pull)
        size = jnp.linalg.norm(move, axis=1, keepdims=True) + 1e-6
        return x + move / size * jnp.minimum(size, heat), None
    return lax.scan(step, x, jnp.linspace(0.3, 0.01, 20))[0]


@row("i(2, 70, 70), i(70, 40)")
@row("i(2, 9, 30, 30), i(30, 9, 40)", "vmap({0}, (0, 1))")
def closure_of_relation_and_its_classes(a, start):
    r = (a * (jnp.arange(a.size).reshape(a.shape) % 7 == 0)).astype(bool) | jnp.eye(a.shape[0], dtype=bool)
    r = lax.fori_loop(0, 7, lambda _, r: (r.astype(jnp.float32) @ r.astype(jnp.float32)) > 0, r)
    both = r & r.T
    return both.argmax(1), r.sum(1), r[start].any(0)


@row("i(1000, 4000), i(1000, 4000)[::-1]")
def friends_of_friends_suggested(a, b):
    """The five most common neighbours of neighbours for a hundred members, by bit words of adjacency."""
    word = jnp.zeros((1000, 32), jnp.uint32).at[a, b // 32].max(jnp.uint32(1) << (b % 32).astype(jnp.uint32))
    word = word | jnp.zeros((1000, 32), jnp.uint32).at[b, a // 32].max(jnp.uint32(1) << (a % 32).astype(jnp.uint32))
    common = lax.population_count(word[:100, None] & word).sum(-1)
    known = (word[:100, jnp.arange(1000) // 32] >> (jnp.arange(1000) % 32).astype(jnp.uint32)) & 1
    return lax.top_k(jnp.where(known == 1, 0, common).astype(jnp.int32), 5)


@row("i(150, 600), i(150, 600)[::-1], n(150, 20), n(600, 8), n(48, 32, scale=.2), n(32, 20, scale=.2)")
@row("i(150, 600), i(150, 600)[::-1], n(150, 20), n(600, 8), n(48, 32, scale=.2), n(32, 20, scale=.2)", "lambda a, b, *x: jax.grad(lambda *x: ({0}(a, b, *x) ** 2).sum(), (0, 2, 3))(*x)")
def messages_with_random_drop_and_jumping_maximum(a, b, x, e, w1, w2):
    layers = [x]
    for k in range(3):
        keep = (jnp.arange(600) * 7919 + k) % 10 > 1
        m = nn.relu(jnp.concatenate([x[a], x[b], e], 1) @ w1) @ w2
        x = nn.standardize(x + jax.ops.segment_sum(jnp.where(keep[:, None], m, 0), b, 150), axis=1, epsilon=1e-3)
        layers.append(x)
    return jnp.stack(layers).max(0)


# ---- texts ---------------------------------------------------------------------------------------------------------------

@row("i(27, 40, 300), i(27, 6)")
@row("i(4, 3, 20000), i(4, 6)")
def word_found_with_one_wildcard_and_gaps(text, word):
    """Matches with at most one substitution, and as a subsequence within twenty letters."""
    window = jnp.stack([text[:, k:text.shape[1] - 5 + k] for k in range(6)], -1)
    miss = (window != word).sum(-1)
    def letter(s, c):
        reach = jnp.where(c[:, None] == word, jnp.pad(s[:, :-1], ((0, 0), (1, 0)), constant_values=20), 0)
        new = jnp.maximum(s - 1, reach)
        return new, new[:, -1]
    _, run = lax.scan(letter, jnp.zeros((text.shape[0], 6), jnp.int32), text.T)
    return (miss <= 1).sum(1), miss.argmin(1), (run > 0).sum(0)


@row("i(128, 30, 200).astype('uint8')")
@row("i(128, 4001).astype('uint8')[None]")
def text_cleaned_then_packed_left(x):
    """Lower case, signs to blanks, runs of blanks to one, the rest moved to the left."""
    x = jnp.where((x >= 65) & (x <= 90), x + 32, x)
    x = jnp.where((x >= 97) & (x <= 122), x, 32).astype(jnp.uint8)
    keep = (x != 32) | (jnp.pad(x, ((0, 0), (1, 0)), constant_values=32)[:, :-1] != 32)
    at = jnp.where(keep, jnp.cumsum(keep, 1) - 1, x.shape[1])
    rows_ = jnp.arange(x.shape[0])[:, None]
    out = jnp.full_like(x, 32).at[rows_, at].set(x, mode="drop")
    return out, keep.sum(1), jnp.zeros((x.shape[0], 26), jnp.int32).at[rows_, out - 97].add(1, mode="drop")


@row("i(50, 5000)")
@row("i(300, 700)")
def pairs_counted_shifted_and_factored(word):
    """Positive pointwise information within four words, three rounds of subspace iteration."""
    n = 50 if word.size > 1000 else 300
    c = sum(jnp.zeros((n, n)).at[word[:-k], word[k:]].add(1 / k) for k in range(1, 5))
    c = c + c.T
    total = c.sum(1) + 1e-3
    info = nn.relu(jnp.log((c + 1e-6) * total.sum() / (total[:, None] * total)))
    v = jnp.cos(jnp.arange(n)[:, None] * (jnp.arange(8) + 0.5))
    for _ in range(3):
        v, _ = jnp.linalg.qr(info @ v)
    unit = v / (jnp.linalg.norm(v, axis=1, keepdims=True) + 1e-6)
    return lax.top_k(unit @ unit.T, 6)[1]


@row("i(200, 64, 50), i(50, 64), n(200, 32)")
@row("i(200, 64, 50), i(50, 64), n(200, 32)", "lambda t, l, e: jax.grad(lambda e: {0}(t, l, e).sum())(e)")
def sentences_as_smooth_inverse_frequency(token, length, table):
    p = jnp.bincount(token.ravel(), length=200) / token.size
    w = 1e-3 / (1e-3 + p[token]) * (jnp.arange(50) <= length[:, None])
    s = (w[..., None] * table[token]).sum(1) / (length[:, None] + 1)
    u = jnp.linalg.svd(lax.stop_gradient(s), full_matrices=False)[2][0]
    s = s - jnp.outer(s @ u, u)
    s = s / (jnp.linalg.norm(s, axis=1, keepdims=True) + 1e-6)
    return s @ s.T


@row("i(10, 500, 12), i(13, 500)")
def digits_of_text_parsed_with_sign_and_point(x, point):
    """Twelve digit codes to a number: the first tells the sign, the point's place is given; back with three decimals."""
    power = 10.0 ** (point[:, None] - 1 - jnp.arange(12))
    value = (x[:, 1:] * power[:, 1:]).sum(1) * jnp.where(x[:, 0] > 4, -1, 1)
    milli = jnp.clip(jnp.abs(value) * 1000 + 0.5, 0, 2e9).astype(jnp.int32)
    return value, milli[:, None] // (10 ** jnp.arange(9)[::-1]) % 10 + 48


@row("i(256, 3000).astype('uint8'), i(40, 40) + 1")
def fields_joined_by_lengths(data, length):
    """Forty strings of given lengths behind each other to rows of forty bytes and back."""
    start = jnp.cumsum(length) - length
    k = jnp.arange(40)
    rows_ = jnp.where(k < length[:, None], data[start[:, None] + k], 0)
    flat = jnp.zeros(1700, jnp.uint8).at[jnp.where(k < length[:, None], start[:, None] + k, 1699)].set(rows_)
    order = jnp.lexsort(rows_[:, 7::-1].T)
    return rows_[order], flat, jnp.searchsorted(start, jnp.arange(0, 1600, 50), side="right")


# ---- genes -----------------------------------------------------------------------------------------------------------------

@row("i(4, 200, 150)")
@row("i(4, 1, 30011)")
def kmers_canonical_and_counted(base):
    code = sum(base[:, k:base.shape[1] - 4 + k] << (2 * (4 - k)) for k in range(5))
    back = sum((3 - base[:, k:base.shape[1] - 4 + k]) << (2 * k) for k in range(5))
    least = jnp.minimum(code, back)
    count = jnp.zeros((base.shape[0], 1024), jnp.int32).at[jnp.arange(base.shape[0])[:, None], least].add(1)
    p = count / count.sum(1, keepdims=True)
    return count, -(p * jnp.log2(p + 1e-9)).sum(1)


@row("i(4, 24, 90), i(60, 24, 90)")
def reads_piled_up_and_called(base, quality):
    """Reads start at every third place; likelihoods of ten genotypes by qualities."""
    at = jnp.arange(24)[:, None] * 3 + jnp.arange(90)
    error = 10 ** (-(quality + 2) / 10)
    pair = jnp.stack(jnp.triu_indices(4), 1)
    def one(g):
        p = 0.5 * sum(jnp.where(base == g[k], 1 - error, error / 3) for k in range(2))
        return jnp.zeros(160).at[at].add(jnp.log(p))
    like = jax.vmap(one)(pair) + jnp.where(pair[:, :1] == pair[:, 1:], 0, -6.9)
    return like.argmax(0), -10 * (jnp.sort(like, 0)[-2] - like.max(0)) / jnp.log(10)


@row("i(3, 120, 900), n(120)")
@row("i(3, 45, 2001), n(45)")
def association_scan_with_structure_removed(g, y):
    x = g - g.mean(0)
    x = x / (x.std(0) + 1e-6)
    kin = x @ x.T / x.shape[1]
    s, u = jnp.linalg.eigh(kin)
    w = 1 / (s + 0.5)
    xt, yt, one = u.T @ x, u.T @ (y - y.mean()), u.T @ jnp.ones_like(y)
    xt = xt - jnp.outer(one, (w * one) @ xt / ((w * one) @ one))
    beta = (w * yt) @ xt / ((xt * xt).T @ w + 1e-6)
    chi = beta**2 * ((xt * xt).T @ w)
    return beta, chi, jnp.median(chi) / 0.456, jax.scipy.special.gammaincc(0.5, chi / 2)


@row("key, i(2, 200, 60), abs(n(60))")
def generations_recombine_and_mutate(key, hap, effect):
    """A population of 200 chromosomes under truncating selection."""
    def generation(h, key):
        k = random.split(key, 4)
        value = h @ effect
        parent = lax.top_k(value, 80)[1][random.randint(k[0], (200, 2), 0, 80)]
        cut = random.randint(k[1], (200, 1), 0, 60)
        child = jnp.where(jnp.arange(60) < cut, h[parent[:, 0]], h[parent[:, 1]])
        return child ^ random.bernoulli(k[2], 1e-3, child.shape), (value.mean(), h.mean(0))
    return lax.scan(generation, hap, random.split(key, 30))[1]


@row("i(20, 12, 70), n(20, 20)")
@row("i(20, 40, 33), n(20, 20)")
def profile_of_alignment_with_weights_and_entropy(seq, score):
    one = nn.one_hot(seq, 20)
    same = jnp.einsum("alk,blk->ab", one, one) / seq.shape[1]
    w = 1 / (same > 0.3).sum(1)
    p = (jnp.einsum("a,alk->lk", w, one) + 0.05) / (w.sum() + 1)
    pair = jnp.einsum("a,ali,amj->lmij", w / w.sum(), one[:, :20], one[:, :20])
    info = (pair * jnp.log((pair + 1e-4) / (p[:20, None, :, None] * p[None, :20, None] + 1e-4))).sum((2, 3))
    return info - jnp.outer(info.mean(0), info.mean(0)) / info.mean(), p @ (score + score.T) @ p.T


# ---- games and searches ----------------------------------------------------------------------------------------------------

@row("i(3, 64, 8, 8)")
@row("i(3, 2, 19, 19)")
def groups_and_liberties_of_stones(board):
    """Stones of a group take the least number by spreading; empty neighbours are counted once for each group."""
    b, n, _ = board.shape
    label = jnp.where(board > 0, jnp.arange(n * n).reshape(n, n), n * n)
    moves = ((1, 1), (-1, 1), (1, 2), (-1, 2))
    def near(x, s, a, fill):
        edge = jnp.arange(n) == (0 if s == 1 else n - 1)
        return jnp.where(jnp.expand_dims(edge, 2 - a), fill, jnp.roll(x, s, a))
    def spread(_, l):
        for s, a in moves:
            l = jnp.where(near(board, s, a, 0) == board, jnp.minimum(l, near(l, s, a, n * n)), l)
        return jnp.where(board > 0, l, n * n)
    label = lax.fori_loop(0, 2 * n, spread, label)
    seen = jnp.zeros((b, n * n + 1, n * n + 1), bool)
    cell = jnp.where(board == 0, jnp.arange(n * n).reshape(n, n), n * n)
    for s, a in moves:
        seen = seen.at[jnp.arange(b)[:, None, None], near(label, s, a, n * n), cell].set(True)
    return seen[:, :-1, :-1].sum(2).reshape(board.shape), label


@row("i(6, 400, 5)")
def dice_scored_for_every_box(dice):
    count = nn.one_hot(dice, 6, dtype=jnp.int32).sum(1)
    total = (dice + 1).sum(1)
    upper = count * jnp.arange(1, 7)
    most = count.max(1)
    run = lax.associative_scan(jnp.add, (count > 0).astype(jnp.int32), axis=1)
    straight = jnp.stack([(count[:, k:k + 4] > 0).all(1) for k in range(3)], 1).any(1)
    long = jnp.stack([(count[:, k:k + 5] > 0).all(1) for k in range(2)], 1).any(1)
    house = (count == 3).any(1) & (count == 2).any(1)
    lower = jnp.stack([jnp.where(most >= 3, total, 0), jnp.where(most >= 4, total, 0), 25 * house, 30 * straight, 40 * long, 50 * (most == 5), total], 1)
    return jnp.concatenate([upper, lower], 1), run[:, -1]


@row("i(2, 300, 6, 6), i(24, 300, 20)")
def lights_toggled_by_scripts(lamp, script):
    """Each number of a script toggles a cross of lamps, or shifts the board, by switch."""
    y, x = jnp.mgrid[:6, :6]
    def run(lamp, script):
        def step(l, s):
            cross = (jnp.abs(y - s % 6) + jnp.abs(x - s // 4) <= 1).astype(jnp.int32)
            new = lax.switch(s % 3, (lambda l: l ^ cross, lambda l: jnp.roll(l, 1, 0), lambda l: l.T), l)
            return new, new.sum()
        return lax.scan(step, lamp, script)
    return jax.vmap(run)(lamp, script)


@row("i(9, 30, 9)")
def sliding_tiles_searched_in_width(tiles):
    """Beams of thirty boards of 3 x 3; the cost is the distance of all tiles to their places."""
    tiles = jnp.argsort(tiles + jnp.arange(9) * 0.01, axis=1)
    near = jnp.array([[1, 3, 1, 3], [0, 2, 4, 4], [1, 5, 1, 5], [0, 4, 6, 6], [1, 3, 5, 7], [2, 4, 8, 8], [3, 7, 3, 7], [4, 6, 8, 8], [5, 7, 5, 7]])
    place = jnp.arange(9)
    def cost(t):
        far = jnp.abs(t // 3 - place // 3) + jnp.abs(t % 3 - place % 3)
        return jnp.where(t > 0, far, 0).sum(-1)
    def step(t, k):
        hole = (t == 0).argmax(1)
        to = near[hole]
        value = jnp.take_along_axis(t, to, 1)
        rows_ = jnp.arange(30)[:, None]
        new = jnp.broadcast_to(t[:, None], (30, 4, 9))
        new = new.at[rows_, jnp.arange(4), hole[:, None]].set(value).at[rows_, jnp.arange(4), to].set(0).reshape(120, 9)
        c = cost(new) * 64 + (new @ (3 ** jnp.arange(9))) % 61
        best = lax.top_k(-c, 30)[1]
        return new[best], c.min() // 64
    return lax.scan(step, tiles, jnp.arange(15))[1]


@row("i(50, 9, 9), i(40, 9)")
@row("i(50, 200, 9), i(40, 200)")
def coins_for_every_amount_in_rows(weight, at):
    """Least numbers of three kinds of coins for all amounts to 399, one table a row."""
    kinds = weight[:, :3] + 1
    def one(kinds, at):
        def amount(t, v):
            options = jnp.where(v >= kinds, t[jnp.maximum(v - kinds, 0)], 1 << 20)
            return t.at[v].set(options.min() + 1), None
        t, _ = lax.scan(amount, jnp.full(400, 1 << 20, jnp.int32).at[0].set(0), jnp.arange(1, 400))
        return t[at * 9], (t < 1 << 20).sum()
    return jax.vmap(one)(kinds, at)


@row("i(1000, 30, 2)")
def tour_by_nearest_then_swapped_pairs(point):
    """From each of thirty cities; then forty rounds of the best exchange of two cities."""
    d = jnp.abs(point[:, None] - point).sum(-1).astype(jnp.float32)
    def nearest(first):
        def step(s, _):
            here, free = s
            there = jnp.where(free, d[here], jnp.inf).argmin()
            return (there, free.at[there].set(False)), there
        _, rest = lax.scan(step, (first, jnp.ones(30, bool).at[first].set(False)), length=29)
        return jnp.concatenate([first[None], rest])
    length = lambda t: d[t, jnp.roll(t, 1)].sum()
    tours = jax.vmap(nearest)(jnp.arange(30))
    tour = tours[jax.vmap(length)(tours).argmin()]
    a, b = jnp.triu_indices(30, 1)
    def improve(t, _):
        swapped = jax.vmap(lambda a, b: t.at[a].set(t[b]).at[b].set(t[a]))(a, b)
        value = jax.vmap(length)(swapped)
        return jnp.where(value.min() < length(t), swapped[value.argmin()], t), value.min()
    return lax.scan(improve, tour, length=40)


@row("i(1 << 30, 2000).astype('uint32'), i(1 << 30, 2000)[::-1].astype('uint32')")
@row("i(1 << 30, 33).astype('uint32'), i(1 << 30, 33)[::-1].astype('uint32')")
def feistel_rounds_there_and_back(a, b):
    key = jnp.arange(1, 9, dtype=jnp.uint32) * jnp.uint32(0x9E3779B9)
    f = lambda x, k: ((x << 5 | x >> 27) + k) * jnp.uint32(0x85EBCA6B) ^ x >> 13
    (c, d), _ = lax.scan(lambda s, k: ((s[1], s[0] ^ f(s[1], k)), None), (a, b), key)
    (e, g), _ = lax.scan(lambda s, k: ((s[1] ^ f(s[0], k), s[0]), None), (c, d), key, reverse=True)
    return c, d, (e == a).all() & (g == b).all()


@row("n(3000), i(100, 3000), i(40, 3000)")
@row("n(3000, dtype='float64'), i(100, 3000), i(40, 3000)", double=True)
def sparse_system_smoothed_and_restricted(v, r, c):
    """A + A.T from triplets, three sweeps of damped Jacobi, residual to groups of four."""
    m = sparse.BCOO((v, jnp.stack([r, c], 1)), shape=(100, 100))
    diagonal = 100.0
    b = jnp.cos(jnp.arange(100.0))
    apply = lambda x: m @ x + m.T @ x + diagonal * x
    x = lax.fori_loop(0, 3, lambda _, x: x + 0.6 / diagonal * (b - apply(x)), jnp.zeros_like(b))
    return x, (b - apply(x)).reshape(25, 4).sum(1), m.todense().sum(0)
