"""blind_computing.py: rows of the long tail written before any of them was measured (snippets.py): graphs, dynamic programs, hashes
and generators, sorting, automata, sparse formats, factorizations and Krylov methods, interpolation, roots, polynomials, numbers, codes."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- graphs ----------------------------------------------------------------------------------------------------------

@row("i(3000, 2, 30000)")
@row("i(40, 2, 120)", "lambda e: {0}(e, 40)")
def ranked_with_dangling(edges, count=3000):
    """PageRank until the change is small; pages without links give to all."""
    out = jnp.zeros(count).at[edges[0]].add(1.0)
    def body(s):
        r, _, k = s
        flow = jax.ops.segment_sum((r / jnp.maximum(out, 1))[edges[0]], edges[1], count)
        new = 0.15 / count + 0.85 * (flow + jnp.where(out == 0, r, 0).sum() / count)
        return new, jnp.abs(new - r).sum(), k + 1
    return lax.while_loop(lambda s: (s[1] > 1e-4) & (s[2] < 60), body, (jnp.full(count, 1 / count), 1.0, 0))[0]


@row("i(500, 2, 1500), i(90, 1500) + 1")
def relaxed_until_settled(edges, length):
    """Shortest paths in whole numbers, and the edge that each was reached by."""
    def relax(s):
        d, _ = s
        return d.at[edges[1]].min(d[edges[0]] + length), d
    start = jnp.full(500, 1 << 20).at[0].set(0)
    d = lax.while_loop(lambda s: (s[0] < s[1]).any(), relax, (start, start + 1))[0]
    return d, jnp.full(500, -1).at[jnp.where(d[edges[0]] + length == d[edges[1]], edges[1], 500)].max(jnp.arange(1500), mode="drop")


@row("i(20000, 2, 15000)")
def components_by_hooking(edges):
    """Shiloach and Vishkin: roots hook to smaller roots, then paths are halved."""
    def body(s):
        p, _ = s
        a, b = p[edges[0]], p[edges[1]]
        q = p.at[jnp.maximum(a, b)].min(jnp.minimum(a, b))
        q = q[q]
        return q[q], p
    start = jnp.arange(20000)
    p = lax.while_loop(lambda s: (s[0] != s[1]).any(), body, (start, jnp.zeros_like(start)))[0]
    return p, (p == jnp.arange(20000)).sum()


@row("i(10, 160, 160) < 1")
@row("i(3, 20, 24, 24) < 1", "vmap({0})")
def triangles_and_paths(a):
    a = (a | a.T) & ~jnp.eye(a.shape[0], dtype=bool)
    f = a.astype("float32")
    two = f @ f
    degree = f.sum(0)
    each = (two * f).sum(1)
    return each.sum() / 6, each / jnp.maximum(degree * (degree - 1), 1), jnp.where(a, two, -1).max(1)


@row("i(9, 70, 70) < 1")
def reachability_by_squaring(a):
    a = a | jnp.eye(70, dtype=bool)
    full = lax.fori_loop(0, 7, lambda _, r: (r.astype("bfloat16") @ r.astype("bfloat16")) > 0, a)
    same = full & full.T
    return full.sum(1), jnp.argmax(same, 1)


@row("abs(n(45, 45)) + .1")
def widest_paths(capacity):
    best = lax.fori_loop(0, 45, lambda k, c: jnp.maximum(c, jnp.minimum(c[:, k, None], c[k])), capacity)
    return best, best.min(1)


@row("abs(n(11, 11)) + .1")
def held_karp(d):
    """Shortest tour of eleven towns: sets of visited towns by bits, a table for each."""
    sets = jnp.arange(1024)
    bit = 1 << jnp.arange(10)
    inside = (sets[:, None] & bit) > 0
    def step(t, _):
        before = t[sets[:, None] ^ jnp.where(inside, bit, 0)]
        new = (before + d[1:, 1:].T).min(-1)
        return jnp.where(inside, jnp.minimum(t, new), 1e6), None
    start = jnp.full((1024, 10), 1e6).at[bit, jnp.arange(10)].set(d[0, 1:])
    t = lax.scan(step, start, length=9)[0]
    return (t[1023] + d[1:, 0]).min()


# ---- dynamic programs ------------------------------------------------------------------------------------------------

@row("i(4, 60), i(4, 77)")
@row("i(26, 64, 12), i(26, 64, 15)", "vmap({0})")
def edits_by_antidiagonals(a, b):
    m, k = a.size, b.size
    at = jnp.arange(m + 1)
    def diagonal(s, t):
        last, before = s
        j = t - at
        other = b[jnp.clip(j - 1, 0, k - 1)]
        same = jnp.concatenate([jnp.full(1, -1), a]) == other
        up = jnp.concatenate([jnp.full(1, 999), last[:-1]])
        corner = jnp.concatenate([jnp.full(1, 999), before[:-1]])
        new = jnp.minimum(jnp.minimum(last, up) + 1, corner + ~same)
        new = jnp.where((j < 0) | (j > k), 999, jnp.where(at == 0, t, jnp.where(j == 0, at, new)))
        return (new, last), new[-1]
    first = jnp.full(m + 1, 999).at[0].set(0)
    return lax.scan(diagonal, (first, jnp.full(m + 1, 999)), jnp.arange(1, m + k + 1))[1][-1]


@row("i(40, 50) + 1, abs(n(50))")
def knapsack_with_choice(weight, value):
    """Each thing once; the table of decisions is read backwards."""
    room = jnp.arange(501)
    def forward(best, thing):
        w, v = thing
        taken = jnp.where(room >= w, best[jnp.maximum(room - w, 0)] + v, -1.0)
        return jnp.maximum(best, taken), taken > best
    best, take = lax.scan(forward, jnp.zeros(501), (weight, value))
    def backward(left, s):
        row_, w = s
        return jnp.where(row_[left], left - w, left), row_[left]
    return best[500], lax.scan(backward, 500, (take, weight), reverse=True)[1]


@row("n(80, 12), n(12, 12)")
@row("n(16, 25, 6), n(6, 6)", "vmap({0}, (0, None))")
def best_tags(emission, move):
    """Viterbi as products in the max-plus semiring by associative scan; tags by following maxima."""
    m = move + emission[1:, None, :]
    product = lambda a, b: (a[..., :, :, None] + b[..., None, :, :]).max(-2)
    head = lax.associative_scan(product, m)
    score = jnp.concatenate([emission[:1], (emission[0][:, None] + head).max(1)])
    last = score[-1].argmax()
    back = lambda tag, s: ((s + move[:, tag]).argmax(),) * 2
    return score[-1].max(), lax.scan(back, last, score[:-1], reverse=True)[1]


@row("abs(n(30)) + .1")
def optimal_search_tree(weight):
    """Costs of all intervals, shorter ones first."""
    s = jnp.pad(jnp.cumsum(weight), (1, 0))
    at = jnp.arange(31)
    def width(cost, w):
        i, j = at[:, None], at[:, None] + w
        r = at[None]
        both = cost[i, jnp.clip(r, 0, 30)] + cost[jnp.clip(r + 1, 0, 30), jnp.clip(j, 0, 30)]
        best = jnp.where((r >= i) & (r < j), both, 1e6).min(1)
        new = best + s[jnp.clip(at + w, 0, 30)] - s
        return cost.at[at, jnp.where(at + w <= 30, at + w, 99)].set(new, mode="drop"), None
    return lax.scan(width, jnp.zeros((31, 31)), jnp.arange(1, 31))[0][0, 30]


# ---- hashes, generators, sorting, automata ---------------------------------------------------------------------------

@row("i(1 << 30, 50000).astype('uint32')")
@row("i(1 << 30, 7).astype('uint32')")
def middle_square_weyl(seed):
    def step(s, k):
        x = s * s + k * jnp.uint32(0xB5AD4ECF)
        x = x >> 16 | x << 16
        return x, (x >> 8).astype("float32") / (1 << 24)
    return lax.scan(step, seed, jnp.arange(20, dtype="uint32"))[1].mean(0)


@row("i(1 << 30, 624).astype('uint32')")
def mersenne_twist(state):
    """One block of 624 words in three parts, tempered."""
    def mix(a, b, c):
        y = a & jnp.uint32(0x80000000) | b & jnp.uint32(0x7FFFFFFF)
        return c ^ y >> 1 ^ jnp.where(y & 1 > 0, jnp.uint32(0x9908B0DF), jnp.uint32(0))
    first = mix(state[:227], state[1:228], state[397:])
    second = mix(state[227:454], state[228:455], first)
    third = mix(state[454:623], state[455:], second[:169])
    last = mix(state[623:], first[:1], second[169:170])
    y = jnp.concatenate([first, second, third, last])
    y = y ^ y >> 11
    y = y ^ y << 7 & jnp.uint32(0x9D2C5680)
    y = y ^ y << 15 & jnp.uint32(0xEFC60000)
    return y ^ y >> 18


@row("i(1 << 30, 4096, 16).astype('uint32')", "vmap({0})")
@row("i(1 << 30, 16).astype('uint32')")
def salsa_quarters(block):
    r = lambda x, k: x << k | x >> 32 - k
    def double(_, x):
        for _ in range(2):
            a, b, c, d = (jnp.roll(x[k], -k) for k in range(4))
            b = b ^ r(a + d, 7)
            c = c ^ r(b + a, 9)
            d = d ^ r(c + b, 13)
            a = a ^ r(d + c, 18)
            x = jnp.stack([jnp.roll(y, k) for k, y in enumerate((a, b, c, d))]).T
        return x
    return block + lax.fori_loop(0, 10, double, block.reshape(4, 4)).ravel()


@row("i(1 << 20, 6000)")
def open_addressing(keys):
    """Keys find free slots of a table by linear probing, all at once; ties go to the smaller."""
    slots = 8192
    home = (keys.astype("uint32") * jnp.uint32(2654435761) >> 19).astype("int32")
    def body(s):
        table, shift, k = s
        at = (home + shift) % slots
        held = table[at]
        table = table.at[jnp.where((held == (1 << 30)), at, slots)].min(keys, mode="drop")
        return table, shift + (table[at] != keys), k + 1
    start = jnp.full(slots, 1 << 30), jnp.zeros(6000, jnp.int32), 0
    table, shift, k = lax.while_loop(lambda s: (s[0][(home + s[1]) % slots] != keys).any() & (s[2] < 200), body, start)
    return shift.sum(), (table < (1 << 30)).sum()


@row("n(64, 32)")
@row("i(1000, 1000, 16)")
def odd_even_merge_network(x):
    """Batcher's network over the last axis."""
    size = x.shape[-1]
    p = 1
    while p < size:
        k = p
        while k:
            low = [i + j for j in range(k % p, size - k, 2 * k) for i in range(k) if i + j + k < size and (i + j) // (2 * p) == (i + j + k) // (2 * p)]
            a, b = jnp.array(low), jnp.array(low) + k
            x = x.at[..., a].set(jnp.minimum(x[..., a], x[..., b])).at[..., b].set(jnp.maximum(x[..., a], x[..., b]))
            k //= 2
        p *= 2
    return x


@row("i(2, 200, 220)")
@row("i(2, 9, 15, 20)", "vmap({0})")
def wire_world_and_majority(cells):
    """Twenty generations of a rule of births 3 and 6 and survival 2 and 3, then a vote of the neighbourhood."""
    around = lambda c: sum(jnp.roll(c, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b)
    def step(c, _):
        s = around(c)
        return jnp.where(c > 0, (s == 2) | (s == 3), (s == 3) | (s == 6)).astype(c.dtype), c.sum()
    c, alive = lax.scan(step, cells, length=20)
    return (around(c) + c > 4), alive


# ---- sparse formats and linear algebra ---------------------------------------------------------------------------------

@row("n(5000), i(900, 5000), i(600, 5000), n(900)")
@row("n(5000), i(900, 5000), i(600, 5000), n(900)", "grad(lambda *a: {0}(*a)[0] ** 2, (0, 3))")
def rows_compressed(data, column, line, x):
    """Coordinates are sorted into CSR; products are differences of a running sum at row pointers."""
    order = jnp.argsort(line, stable=True)
    pointer = jnp.searchsorted(line[order], jnp.arange(601))
    return jax.ops.segment_sum(data[order] * x[column[order]], line[order], 600, indices_are_sorted=True), jnp.diff(pointer) * 1.0


@row("n(700, 7), i(400, 700, 7), n(400, 20)")
@row("n(700, 7), i(400, 700, 7), n(400)", "jax.grad(lambda v, c, x: ({0}(v, c, x) ** 2).sum(), (0, 2))")
def padded_rows_product(value, column, x):
    y = jnp.einsum("rk,rk...->r...", value, x[column])
    return y / (1 + jnp.abs(value).sum(1).reshape((-1,) + (1,) * (y.ndim - 1)))


@row("n(200, 60)")
@row("n(40, 9, 4)", "vmap({0})")
def gram_schmidt_twice(a):
    """Modified Gram-Schmidt over columns with one more pass."""
    def column(j, qr):
        q, r = qr
        v = a[:, j]
        for _ in range(2):
            c = q.T @ v
            v = v - q @ c
            r = r.at[:, j].add(c)
        size = jnp.linalg.norm(v)
        return q.at[:, j].set(v / size), r.at[j, j].add(size)
    k = a.shape[1]
    return lax.fori_loop(0, k, column, (jnp.zeros_like(a), jnp.zeros((k, k))))


@row("definite(0, 96)")
@row("definite(20, 6)", "vmap({0})", double=True)
@row("definite(0, 8)", "jax.grad(lambda a: {0}(a)[1])")
def crout_with_logdet(a):
    """LDL' without square roots, by columns."""
    k = a.shape[0]
    def column(s, j):
        left = s
        below = jnp.arange(k) > j
        pivot = left[j, j]
        l = jnp.where(below, left[:, j] / pivot, 0)
        return left - jnp.outer(l, left[j]), (l, pivot)
    _, (l, d) = lax.scan(column, a, jnp.arange(k))
    return l.T + jnp.eye(k), jnp.log(jnp.abs(d)).sum()


@row("definite(0, 300), n(300)")
@row("n(40, 40), n(1600)", "lambda k, b: {0}(lambda v: (v.reshape(40, 40) * (4.5 + k ** 2) - sum(jnp.roll(v.reshape(40, 40), s, a)"
     " for s in (1, -1) for a in (0, 1))).ravel(), b)")
def conjugate_gradients_by_hand(a, b):
    apply = a if callable(a) else lambda v: a @ v
    def body(s):
        x, r, p, rr, k = s
        q = apply(p)
        step = rr / (p @ q)
        r = r - step * q
        new = r @ r
        return x + step * p, r, r + new / rr * p, new, k + 1
    return lax.while_loop(lambda s: (s[3] > 1e-6) & (s[4] < 50), body, (jnp.zeros_like(b), b, b, b @ b, 0))[0]


@row("n(120, 120, scale=.05), n(120)")
@row("n(10, 30, 30, scale=.1), n(10, 30)", "vmap({0})")
def arnoldi_least_squares(a, b):
    """GMRES of twelve vectors: the small problem by normal equations."""
    m, k = a.shape[0], 12
    apply = lambda v: 2 * v + a @ v
    size = jnp.linalg.norm(b)
    def step(s, j):
        v, h = s
        w = apply(v[j])
        c = v @ w
        w = w - c @ v
        e = v @ w
        w = w - e @ v
        beta = jnp.linalg.norm(w) + 1e-12
        return (v.at[j + 1].set(w / beta), h.at[:, j].set(c + e).at[j + 1, j].set(beta)), beta
    (v, h), beta = lax.scan(step, (jnp.zeros((k + 1, m)).at[0].set(b / size), jnp.zeros((k + 1, k))), jnp.arange(k))
    y = jnp.linalg.solve(h.T @ h, h[0] * size)
    return y @ v[:k], jnp.linalg.norm(size * nn.one_hot(0, k + 1) - h @ y) / size < 1e-3


@row("definite(0, 40), n(40, 5)")
@row("definite(12, 10), n(12, 10, 2)", "vmap({0})")
def subspace_iteration(a, start):
    def step(q, _):
        q = jnp.linalg.qr(a @ q)[0]
        return q, jnp.trace(q.T @ a @ q)
    q, trace = lax.scan(step, jnp.linalg.qr(start)[0], length=12)
    return trace[-1]


# ---- interpolation, roots, quadrature, polynomials, numbers, codes -----------------------------------------------------

@row("jnp.sort(n(30)), n(30), n(40000)")
@row("jnp.linspace(-2, 2, 9), n(9), n(33)", "lambda a, b, c: jax.vmap(jax.grad({0}, 2), (None, None, 0))(a, b, c)")
def akima(knots, values, x):
    """Akima's slopes, then a cubic in the interval found by bisection."""
    m = jnp.diff(values) / (jnp.diff(knots) + 1e-2)
    m = jnp.concatenate([jnp.stack([3 * m[0] - 2 * m[1], 2 * m[0] - m[1]]), m, jnp.stack([2 * m[-1] - m[-2], 3 * m[-1] - 2 * m[-2]])])
    w = jnp.abs(jnp.diff(m)) + 1e-3
    slope = (w[2:] * m[1:-2] + w[:-2] * m[2:-1]) / (w[2:] + w[:-2])
    k = jnp.clip(jnp.searchsorted(knots, x) - 1, 0, knots.size - 2)
    h = knots[k + 1] - knots[k] + 1e-2
    t = jnp.clip((x - knots[k]) / h, 0, 1)
    return ((1 + 2 * t) * values[k] + t * h * slope[k]) * (1 - t) ** 2 + ((3 - 2 * t) * values[k + 1] - (1 - t) * h * slope[k + 1]) * t**2


@row("n(2000), abs(n(2000)) + .5")
def brackets_halved_then_newton(a, b):
    """Roots of x + b exp(x) = a by ten bisections and three Newton steps."""
    f = lambda x: x + b * jnp.exp(x) - a
    def halve(_, s):
        low, high = s
        mid = (low + high) / 2
        up = f(mid) > 0
        return jnp.where(up, low, mid), jnp.where(up, mid, high)
    x = sum(lax.fori_loop(0, 10, halve, (a - 20, a))) / 2
    return lax.fori_loop(0, 3, lambda _, x: x - f(x) / (1 + b * jnp.exp(x)), x)


@row("n(6)")
@row("n(3000, 6)", "vmap({0})")
@row("n(6)", "jax.hessian({0})")
def double_exponential_quadrature(c):
    t = jnp.linspace(-3, 3, 61)
    u = jnp.pi / 2 * jnp.sinh(t)
    x, w = jnp.tanh(u), 0.1 * jnp.pi / 2 * jnp.cosh(t) / jnp.cosh(u) ** 2
    return (w * jnp.exp(jnp.polyval(0.3 * c, x)) * jnp.sqrt(jnp.maximum(1 - x * x, 0))).sum()


@row("i(97, 33), i(97, 12)")
@row("i(97, 50, 33), i(97, 50, 12)", "vmap({0})")
def divided_polynomials(a, b):
    """Quotient, remainder and value at all residues, over the field of 97."""
    b = b.at[0].set(b[0] % 96 + 1)
    inverse = lax.fori_loop(0, 95, lambda _, x: x * b[0] % 97, jnp.int32(1))
    def step(k, s):
        q, r = s
        lead = r[k] * inverse % 97
        return q.at[k].set(lead), lax.dynamic_update_slice(r, (lax.dynamic_slice(r, (k,), (12,)) - lead * b) % 97, (k,))
    q, r = lax.fori_loop(0, 22, step, (jnp.zeros(22, a.dtype), a))
    horner = lax.scan(lambda v, c: ((v * jnp.arange(97) + c) % 97, None), jnp.zeros(97, a.dtype), a)[0]
    return q, r[22:], horner


@row("i(30000, 4000) * 2 + 10001")
def miller_rabin(m):
    """Strong probable primes to bases 2 and 3, by unsigned words."""
    m = m.astype("uint32")
    odd = m - 1
    shift = sum((odd % (1 << k) == 0).astype("uint32") for k in range(1, 16))
    odd = odd >> shift
    def witness(base):
        def power(k, s):
            y, b = s
            return jnp.where(odd >> k & 1 > 0, y * b % m, y), b * b % m
        y = lax.fori_loop(0, 16, lambda k, s: power(k.astype("uint32"), s), (jnp.ones_like(m), jnp.full_like(m, base)))[0]
        good = (y == 1) | (y == m - 1)
        for k in range(1, 6):
            y = y * y % m
            good = good | (y == m - 1) & (k < shift)
        return good
    good = witness(2) & witness(3)
    return good, good.sum()


@row("i(256, 300)")
@row("i(6, 20, 64)", "vmap({0})")
def moved_to_front(text):
    """Move-to-front ranks, then lengths of Elias gamma codes."""
    def step(order, c):
        rank = jnp.argmax(order == c)
        at = jnp.arange(256)
        return jnp.where(at == 0, c, jnp.where(at <= rank, jnp.roll(order, 1), order)), rank
    rank = lax.scan(step, jnp.arange(256), text)[1]
    return rank, (2 * (31 - lax.clz(rank.astype("int32") + 1)) + 1).sum()


@row("i(256, 40, 128)")
def rotated_and_sorted(block):
    """Burrows-Wheeler transform of each row of a stack by doubling ranks, and its inverse by counting."""
    def forward(text):
        def double(k, rank):
            both = rank * 256 + jnp.roll(rank, -(1 << k))
            s = jnp.argsort(both)
            new = jnp.cumsum(jnp.concatenate([jnp.zeros(1, int), (jnp.diff(both[s]) != 0).astype(int)]))
            return jnp.zeros_like(rank).at[s].set(new)
        rank = text
        for k in range(7):
            rank = double(k, rank)
        s = jnp.argsort(rank)
        return text[s - 1], jnp.argmax(s == 0)
    last, at = jax.vmap(forward)(block)
    def backward(last, at):
        follow = jnp.argsort(last, stable=True)
        return lax.scan(lambda p, _: (follow[p], last[follow[p]]), at, length=128)[1]
    return last, (jax.vmap(backward)(last, at) == block).mean()


@row("i(1 << 16, 512, 2).astype('uint32'), i(1 << 16, 22).astype('uint32')")
def speck_rounds(words, keys):
    m = jnp.uint32(0xFFFF)
    def step(s, k):
        x, y = s
        x = ((x >> 7 | x << 9) & m) + y & m ^ k
        y = (y << 2 | y >> 14) & m ^ x
        return (x, y), None
    x, y = lax.scan(step, (words[:, 0], words[:, 1]), keys)[0]
    return x << 16 | y


ROWS = [
    "lambda a, b: fft.irfft(fft.rfft(a, 512) * fft.rfft(b, 512), 512)[:399] @@ n(200), n(200, seed=1)",
    "lambda c, x: lax.fori_loop(0, 8, lambda k, s: (2 * x * s[0] - s[1], s[0], s[2] + c[k] * s[0]), (x, jnp.ones_like(x), 0 * x))[2] @@ n(8), n(3000, scale=.3)",
    "lambda x, y, q: jnp.interp(q, jnp.sort(x), jnp.cumsum(y)) @@ n(200), n(200), n(50, 60)",
    "lambda d, o, x: d * x + jnp.pad(o * x[1:], (0, 1)) + jnp.pad(o * x[:-1], (1, 0)) @@ n(20000), n(19999), n(20000)",
    "lambda x: (lambda v, i: (jnp.bincount(i, length=40), v))(*lax.sort((x % 40, jnp.arange(x.size) % 40), num_keys=1)) @@ i(1000, 9000)",
    "lambda a: lax.fori_loop(0, 30, lambda _, p: p @ a % 1009, a) @@ i(1009, 40, 5, 5)",
]
