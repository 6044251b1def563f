"""blind_discrete.py: rows of the long tail written before any of them was measured (snippets.py): graphs, automata, fractals,
networks that sort, games, circuits of qubits, chains of tensors. A docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- graphs ----------------------------------------------------------------------------------------------------------

@row("abs(n(53, 53)) + .1")
def shortest_paths_with_parents(d):
    def step(k, s):
        d, via = s
        new = d[:, k, None] + d[k]
        return jnp.minimum(d, new), jnp.where(new < d, k, via)
    return lax.fori_loop(0, 53, step, (d, jnp.full((53, 53), -1)))


@row("i(200, 2, 900), abs(n(200))")
def personalized_page_rank(edges, seed):
    out = jnp.bincount(edges[0], length=200)
    def step(s):
        p, _, k = s
        flow = jax.ops.segment_sum((p / jnp.maximum(out, 1))[edges[0]], edges[1], 200)
        new = 0.85 * flow + 0.15 * seed / seed.sum()
        return new / new.sum(), abs(new - p).sum(), k + 1
    return lax.while_loop(lambda s: (s[1] > 1e-4) & (s[2] < 50), step, (jnp.full(200, 1 / 200), 1.0, 0))[0]


@row("i(150, 2, 170)")
def connected_components(edges):
    """Labels hook to smaller ones, then pointers jump."""
    a, b = edges
    def step(s):
        label, _ = s
        new = label.at[b].min(label[a]).at[a].min(label[b])
        return new[new], (new != label).any()
    return lax.while_loop(lambda s: s[1], step, (jnp.arange(150), True))[0]


@row("n(70, 70)")
def minimum_spanning_tree(w):
    """Prim's algorithm on a dense graph."""
    w = w + w.T
    def step(s, _):
        inside, best, parent = s
        k = jnp.where(inside, jnp.inf, best).argmin()
        cost = best[k]
        closer = (w[k] < best) & ~inside
        return (inside.at[k].set(True), jnp.where(closer, w[k], best), jnp.where(closer, k, parent)), cost
    first = jnp.zeros(70, bool).at[0].set(True), w[0], jnp.zeros(70, "int32")
    return lax.scan(step, first, None, length=69)[1]


@row("n(60, 60) > 1.6")
def breadth_first_levels(edges):
    def step(s):
        level, front, k = s
        front = (front @ edges.astype("float32") > 0) & (level < 0)
        return jnp.where(front, k, level), front.astype("float32"), k + 1
    start = jnp.full(60, -1).at[0].set(0), jnp.zeros(60).at[0].set(1), 1
    return lax.while_loop(lambda s: s[1].any(), step, start)[0]


@row("i(90, 2, 500), nn.one_hot(i(4, 90), 4), n(90) > 0")
def spread_labels(edges, labels, known):
    degree = jnp.maximum(jnp.bincount(edges.reshape(-1), length=90), 1)[:, None]
    def step(_, f):
        new = jnp.zeros_like(f).at[edges[0]].add(f[edges[1]]).at[edges[1]].add(f[edges[0]]) / degree
        return jnp.where(known[:, None], labels, new)
    return lax.fori_loop(0, 20, step, labels * known[:, None])


@row("key, i(80, 80, 9)")
def random_walks(key, near):
    step = lambda at, k: ((lambda new: (new, new))(near[at, random.randint(k, (80,), 0, 9)]))
    return lax.scan(step, jnp.arange(80), random.split(key, 40))[1]


@row("n(45, 45) > 1")
def triangles_and_clustering(a):
    a = jnp.triu(a, 1).astype("float32")
    a = a + a.T
    t = jnp.einsum("ij,jk,ki->i", a, a, a) / 2
    d = a.sum(1)
    return t, 2 * t / jnp.maximum(d * (d - 1), 1)


@row("key, i(120, 2, 700)")
def greedy_coloring(key, edges):
    """Luby's rounds: nodes whose number is highest among the uncolored choose the round's color."""
    a, b = edges
    def step(s):
        color, k = s
        p = jnp.where(color < 0, random.uniform(random.fold_in(key, k), (120,)), -1)
        proper = a != b
        high = jnp.full(120, -1.0).at[a].max(jnp.where(proper, p[b], -1)).at[b].max(jnp.where(proper, p[a], -1))
        return jnp.where((color < 0) & (p > high), k, color), k + 1
    return lax.while_loop(lambda s: (s[0] < 0).any() & (s[1] < 60), step, (jnp.full(120, -1), 0))[0]


@row("n(40, 40)")
def assignment_by_auction(value):
    def bid(s):
        price, owner, k = s
        free = ~(owner[None] == jnp.arange(40)[:, None]).any(1)
        best, at = lax.top_k(value - price, 2)
        offer = jnp.where(free, price[at[:, 0]] + best[:, 0] - best[:, 1] + 0.1, -jnp.inf)
        table = jnp.full((40, 40), -jnp.inf).at[jnp.arange(40), at[:, 0]].set(offer)
        high, who = table.max(0), table.argmax(0)
        return jnp.where(high > -jnp.inf, high, price), jnp.where(high > -jnp.inf, who, owner), k + 1
    go = lambda s: (s[1] < 0).any() & (s[2] < 300)
    return lax.while_loop(go, bid, (jnp.zeros(40), jnp.full(40, -1), 0))[:2]


# ---- automata, fractals, sorting, games ------------------------------------------------------------------------------

@row("i(2, 301), 110")
def elementary_automaton(cells, rule):
    def step(c, _):
        code = 4 * jnp.roll(c, 1) + 2 * c + jnp.roll(c, -1)
        return (rule >> code) & 1, c
    return lax.scan(step, cells, None, length=120)[1]


@row("i(1 << 30, 64, 3).astype('uint32')")
def life_in_bits(words):
    """96 cells of a row in three words; neighbours are counted by adders of bits."""
    left = (words << 1) | (jnp.roll(words, 1, 1) >> 31)
    right = (words >> 1) | (jnp.roll(words, -1, 1) << 31)
    up, down = (lambda v: jnp.roll(v, 1, 0)), (lambda v: jnp.roll(v, -1, 0))
    ones = twos = fours = jnp.zeros_like(words)
    for v in (left, right, up(words), down(words), up(left), up(right), down(left), down(right)):
        carry = ones & v
        ones = ones ^ v
        fours, twos = fours | (twos & carry), twos ^ carry
    return twos & ~fours & (ones | words)


@row("n(3, 33, 35), n(3, 11, 11)")
def lenia(cells, kernel):
    k = jnp.fft.rfft2(nn.softmax(kernel.reshape(3, -1)).reshape(kernel.shape), (33, 35))
    def step(_, c):
        near = jnp.fft.irfft2(jnp.fft.rfft2(c) * k, (33, 35))
        return jnp.clip(c + 0.1 * (2 * jnp.exp(-0.5 * ((near - 0.15) / 0.05) ** 2) - 1), 0, 1)
    return lax.fori_loop(0, 6, step, nn.sigmoid(cells))


@row("i(7, 41, 43)")
def sand_pile(grains):
    def topple(s):
        g, k = s
        t = g >> 2
        p = jnp.pad(t, 1)
        return g - 4 * t + p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2], k + 1
    return lax.while_loop(lambda s: (s[0] > 3).any() & (s[1] < 150), topple, (grains, 0))[0]


@row("n(37, 41), n(37, 41, seed=1)")
def newton_fractal(x, y):
    def step(_, z):
        return z - (z**3 - 1) / (3 * z * z + 1e-3)
    z = lax.fori_loop(0, 12, step, lax.complex(x, y))
    return jnp.argmin(abs(z[..., None] - jnp.exp(2j * jnp.pi * jnp.arange(3) / 3)), -1)


@row("n(29, 31), n(29, 31, seed=1)")
def smooth_julia(x, y):
    def step(s, _):
        z, count = s
        inside = jnp.real(z * z.conj()) < 16
        return (jnp.where(inside, z * z + (-0.7 + 0.27j), z), count + inside), None
    z, count = lax.scan(step, (0.8 * lax.complex(x, y), jnp.zeros((29, 31))), None, length=30)[0]
    return count - jnp.log2(jnp.log(abs(z) + 1.1))


@row("key, n(4, 2, 3)")
def chaos_game(key, maps):
    """An iterated function system of contractions, 400 points for 25 steps, then a histogram."""
    def step(p, k):
        m = 0.4 * maps[random.randint(k, (400,), 0, 4)]
        return jnp.einsum("nij,nj->ni", m[:, :, :2], p) + m[:, :, 2], None
    p = lax.scan(step, jnp.zeros((400, 2)), random.split(key, 25))[0]
    return jnp.histogram2d(p[:, 0], p[:, 1], 20)[0]


@row("n(7, 64)")
def bitonic_sort(x):
    k = 2
    while k <= 64:
        j = k // 2
        while j:
            at = jnp.arange(64)
            other = x[:, at ^ j]
            low = ((at & k) == 0) == ((at & j) == 0)
            x = jnp.where(low, jnp.minimum(x, other), jnp.maximum(x, other))
            j //= 2
        k *= 2
    return x


@row("i(1 << 16, 999)")
def radix_sort(x):
    """Four passes of four bits: ranks by cumulated counts."""
    def step(k, x):
        digit = (x >> (4 * k)) & 15
        hot = nn.one_hot(digit, 16, dtype="int32")
        start = jnp.cumsum(hot.sum(0)) - hot.sum(0)
        place = start[digit] + (jnp.cumsum(hot, 0) * hot).sum(1) - 1
        return jnp.zeros_like(x).at[place].set(x)
    return lax.fori_loop(0, 4, step, x)


@row("i(10, 30, 9, 9)")
def sudoku_candidates(board):
    hot = nn.one_hot(board - 1, 9)
    by_row, by_column = hot.sum(2, keepdims=True), hot.sum(1, keepdims=True)
    box = hot.reshape(30, 3, 3, 3, 3, 9).sum((2, 4), keepdims=True)
    box = jnp.broadcast_to(box, (30, 3, 3, 3, 3, 9)).reshape(30, 9, 9, 9)
    return (by_row + by_column + box == 0) & (board == 0)[..., None]


@row("i(4, 60, 4, 4)")
def slide_2048(board):
    """Rows slide left: zeros go last, equal pairs merge once."""
    def slide(r):
        r = r[jnp.argsort(r == 0, stable=True)]
        def merge(k, s):
            same = (s[k] == s[k + 1]) & (s[k] > 0)
            moved = jnp.concatenate([jnp.roll(s, -1)[:-1], jnp.zeros(1, s.dtype)])
            return jnp.where(same, jnp.where(jnp.arange(4) == k, s + 1, jnp.where(jnp.arange(4) > k, moved, s)), s)
        return lax.fori_loop(0, 3, merge, r)
    return jax.vmap(jax.vmap(slide))(board)


# ---- qubits and tensors ----------------------------------------------------------------------------------------------

def on_qubit(psi, gate, k):
    n = psi.shape[0].bit_length() - 1
    return jnp.einsum("ab,xby->xay", gate, psi.reshape(1 << k, 2, 1 << (n - k - 1))).reshape(-1)


@row("n(3, 9)")
@row("n(3, 9)", "grad({0})")
@row("n(11, 3, 9)", "vmap(jax.value_and_grad({0}))")
def variational_circuit(angles):
    """Nine qubits: layers of rotations and controlled signs; the energy of a chain."""
    at = jnp.arange(512)
    bits = (at[:, None] >> jnp.arange(8, -1, -1)) & 1
    sign = (1 - 2 * (bits[:, :-1] & bits[:, 1:])).prod(1)
    psi = jnp.zeros(512, "complex64").at[0].set(1)
    for layer in angles:
        for k in range(9):
            c, s = jnp.cos(layer[k] / 2), jnp.sin(layer[k] / 2)
            psi = on_qubit(psi, jnp.array([[c, -s], [s, c]], "complex64"), k)
        psi = psi * sign
    z = 1 - 2 * bits
    return (abs(psi) ** 2 * (z[:, :-1] * z[:, 1:]).sum(1)).sum()


@row("n(1024, dtype='complex64')")
def quantum_fourier_transform(psi):
    n = 10
    h = jnp.array([[1, 1], [1, -1]], "complex64") / 2**0.5
    at = jnp.arange(1 << n)
    for k in range(n):
        psi = on_qubit(psi, h, k)
        rest = (at & ((1 << (n - k - 1)) - 1)) / (1 << (n - k))
        psi = psi * jnp.where((at >> (n - k - 1)) & 1, jnp.exp(2j * jnp.pi * rest), 1)
    return psi


@row("n(64, dtype='complex64'), 37")
def grover_search(psi, marked):
    def step(_, p):
        p = p.at[marked].multiply(-1)
        return 2 * p.mean() - p
    return abs(lax.fori_loop(0, 6, step, psi / jnp.linalg.norm(psi))) ** 2


@row("n(16, 16, dtype='complex64'), abs(n(16))")
def lindblad_steps(h, rate):
    h = h + h.conj().T
    down = jnp.diag(jnp.sqrt(rate[:-1]), 1).astype("complex64")
    both = down.conj().T @ down
    slope = lambda r: -1j * (h @ r - r @ h) + down @ r @ down.conj().T - 0.5 * (both @ r + r @ both)
    def step(_, r):
        a = slope(r)
        return r + 0.01 * slope(r + 0.005 * a)
    return lax.fori_loop(0, 15, step, jnp.eye(16, dtype="complex64") / 16)


@row("n(20, 8, 2, 8, scale=.4)")
@row("n(20, 8, 2, 8, scale=.4)", "grad({0})")
def matrix_product_norm(sites):
    """<psi|psi> of a chain by a scan, with the logarithm of its scale."""
    def step(s, a):
        e, log = s
        e = jnp.einsum("ab,apc,bpd->cd", e, a, a)
        size = jnp.sqrt((e * e).sum())
        return (e / size, log + jnp.log(size)), None
    return lax.scan(step, (jnp.eye(8), 0.0), sites)[0][1]


@row("n(12, 2, 12), n(12, 2, 12, seed=1), n(4, 4, scale=.3)")
def time_evolving_gate(a, b, h):
    """A gate on two sites, then an SVD cut to 12 singular values."""
    gate = jax.scipy.linalg.expm(-0.1 * (h + h.T)).reshape(2, 2, 2, 2)
    theta = jnp.einsum("aib,bjc,ijkl->akcl", a, b, gate).swapaxes(2, 3).reshape(24, 24)
    u, s, v = jnp.linalg.svd(theta)
    s = s[:12] / jnp.linalg.norm(s[:12])
    return (u[:, :12] * s) @ v[:12], s


@row("n(6, 6, 6, 6)")
def ising_renormalization(t):
    """One coarsening of a tensor network: two splits and a contraction."""
    def split(m):
        u, s, v = jnp.linalg.svd(m)
        r = jnp.sqrt(s[:6])
        return (u[:, :6] * r).reshape(6, 6, 6), (r[:, None] * v[:6]).reshape(6, 6, 6)
    a, b = split(t.reshape(36, 36))
    c, d = split(t.transpose(1, 2, 3, 0).reshape(36, 36))
    new = jnp.einsum("xya,bzx,zwc,dyw->abcd", a, b, c, d, optimize=True)
    return jnp.linalg.norm(new), jnp.linalg.norm(new, axis=(0, 1))


@row("n(11, 11), n(11, 11, 11, 11, scale=.02)")
def self_consistent_field(h, eri):
    """Hartree-Fock with a fixed number of steps."""
    h, eri = h + h.T, eri + eri.transpose(1, 0, 2, 3)
    eri = eri + eri.transpose(0, 1, 3, 2)
    def step(p, _):
        f = h + jnp.einsum("pqrs,rs->pq", eri, p) - 0.5 * jnp.einsum("prqs,rs->pq", eri, p)
        c = jnp.linalg.eigh((f + f.T) / 2)[1][:, :4]
        return 0.5 * p + c @ c.T, 0.5 * (p * (h + f)).sum()
    return lax.scan(step, jnp.zeros((11, 11)), None, length=8)[1]


@row("n(16, 3), abs(n(16)) + .3")
@row("n(16, 3), abs(n(16)) + .3", "grad({0}, (0, 1))")
def gaussian_repulsion(centers, exponents):
    """Overlaps and the electron repulsion of s-type functions, through the error function."""
    p = exponents[:, None] + exponents
    d = ((centers[:, None] - centers) ** 2).sum(-1)
    overlap = (jnp.pi / p) ** 1.5 * jnp.exp(-exponents[:, None] * exponents / p * d)
    middle = (exponents[:, None, None] * centers[:, None] + exponents[:, None] * centers) / p[..., None]
    middle, p, s = middle.reshape(-1, 3)[::3], p.reshape(-1)[::3], overlap.reshape(-1)[::3]
    t = p[:, None] * p / (p[:, None] + p) * ((middle[:, None] - middle) ** 2).sum(-1) + 1e-4
    return s @ (jnp.sqrt(jnp.pi / t) * 0.5 * lax.erf(jnp.sqrt(t))) @ s
