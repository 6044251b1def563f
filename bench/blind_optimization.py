"""blind_optimization.py: rows of the long tail written before any of them was measured (snippets.py): optimizers, programs
with constraints, dynamic programming, graphs, games, roots, quadrature, splines, small algebra, control flow, training."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- optimizers and training -----------------------------------------------------------------------------------------

@row("{'a': n(64, 80), 'b': n(80), 'c': [n(80, 10), n(10)]}, {'a': n(64, 80, seed=1), 'b': n(80, seed=1), 'c': [n(80, 10, "
     "seed=1), n(10, seed=1)]}, jnp.int32(7)")
def nadam_with_decay(params, grads, t):
    """Warm-up and cosine schedule, clipping by global norm, Nesterov's Adam; the moments start from the gradients."""
    norm = jnp.sqrt(sum((g * g).sum() for g in jax.tree.leaves(grads)))
    grads = jax.tree.map(lambda g: g * jnp.minimum(1, 1 / norm), grads)
    rate = jnp.where(t < 100, t / 100, 0.5 * (1 + jnp.cos(jnp.pi * t / 1000))) * 1e-3
    def one(p, g):
        m, v = 0.19 * g, 0.002 * g * g
        m = 0.9 * m / (1 - 0.9 ** (t + 1)) + 0.1 * g / (1 - 0.9**t)
        return p - rate * (m / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8) + 0.01 * p)
    return jax.tree.map(one, params, grads)


@row("n(48, 40), n(48, 40, seed=1), definite(0, 48), definite(0, 40)")
def shampoo_by_coupled_newton(w, g, left, right):
    """Inverse fourth roots by eight coupled Newton iterations."""
    def root(a):
        z = 1.2 / jnp.trace(a)
        def step(s, _):
            x, m = s
            t = (5 * jnp.eye(len(a)) - m) / 4
            return (x @ t, jnp.linalg.matrix_power(t, 4) @ m), None
        return lax.scan(step, (jnp.eye(len(a)) * z**0.25, a * z), length=8)[0][0]
    return w - 0.1 * root(left + g @ g.T) @ g @ root(right + g.T @ g)


@row("n(3, 32, 48), n(3, 32, 48, seed=1), n(3, 32, 48, seed=2)")
def muon_for_stacked_layers(w, m, g):
    m = 0.95 * m + g
    x = g + 0.95 * m
    x = (x / jnp.linalg.norm(x, axis=(1, 2), keepdims=True)).astype(jnp.bfloat16)
    for _ in range(5):
        a = x @ x.mT
        x = 3.4445 * x + (-4.775 * a + 2.0315 * a @ a) @ x
    return w * 0.999 - 0.02 * x.astype(jnp.float32), m


@row("n(6)")
@row("n(12, 6)", "vmap({0})")
def bfgs_of_library(x):
    f = lambda x: ((x[1:] - x[:-1] ** 2) ** 2).sum() * 3 + ((1 - x) ** 2).sum()
    r = jax.scipy.optimize.minimize(f, x, method="BFGS", options={"maxiter": 8})
    return r.x, r.fun


@row("n(40, 12), n(40), n(12)")
def strong_wolfe_descent(a, b, x):
    """Five steps, each with a search by bisection under the conditions of Wolfe."""
    f = jax.value_and_grad(lambda x: jnp.log1p((a @ x - b) ** 2).sum())
    def step(x, _):
        v, g = f(x)
        def body(s):
            lo, hi, t, k = s
            w, h = f(x - t * g)
            down = w > v - 1e-4 * t * g @ g
            up = -(h @ g) < -0.9 * g @ g
            hi, lo = jnp.where(down, t, hi), jnp.where(~down & up, t, lo)
            return lo, hi, jnp.where(down | up, jnp.where(jnp.isinf(hi), 2 * t, (lo + hi) / 2), t), jnp.where(down | up, k + 1, 99)
        t = lax.while_loop(lambda s: s[3] < 12, body, (jnp.float32(0), jnp.float32(jnp.inf), jnp.float32(0.1), 0))[2]
        return x - t * g, v
    return lax.scan(step, x, length=5)


@row("n(2, 24, scale=.5), n(24, 24, scale=.2), n(24, 3), n(200, 2), i(3, 200)")
def epoch_of_momentum(w1, w2, w3, x, y):
    """Ten steps with batches of twenty in a scan."""
    def loss(w, x, y):
        h = nn.tanh(nn.tanh(x @ w[0]) @ w[1]) @ w[2]
        return -jnp.take_along_axis(nn.log_softmax(h), y[:, None], 1).mean()
    def step(s, z):
        w, m = s
        l, g = jax.value_and_grad(loss)(w, *z)
        m = jax.tree.map(lambda m, g: 0.9 * m + g, m, g)
        return (jax.tree.map(lambda w, m: w - 0.1 * m, w, m), m), l
    w = (w1, w2, w3)
    return lax.scan(step, (w, jax.tree.map(jnp.zeros_like, w)), (x.reshape(10, 20, 2), y.reshape(10, 20)))


@row("n(8, 1, 16), n(8, 16, 1), n(40), n(8, 40)")
def ensemble_of_nets(a, b, x, y):
    """Eight nets at once, twenty steps of gradient descent."""
    def train(a, b, y):
        loss = lambda w: ((jnp.sin(x[:, None] @ w[0]) @ w[1])[:, 0] - y) @ ((jnp.sin(x[:, None] @ w[0]) @ w[1])[:, 0] - y) / 40
        return lax.fori_loop(0, 20, lambda _, w: jax.tree.map(lambda w, g: w - 0.05 * g, w, jax.grad(loss)(w)), (a, b))
    return jax.vmap(train)(a, b, y)


@row("n(30), n(20, 5), n(20), n(20, 5, seed=1), n(20, seed=1)")
def learned_step_sizes(rates, x, y, xt, yt):
    """Gradient of a validation loss with respect to the steps of thirty updates."""
    def loss_after(rates):
        g = jax.grad(lambda w: ((x @ w - y) ** 2).mean())
        w = lax.scan(jax.checkpoint(lambda w, r: (w - 0.1 * nn.sigmoid(r) * g(w), None)), jnp.zeros(5), rates)[0]
        return ((xt @ w - yt) ** 2).mean()
    return jax.grad(loss_after)(rates)


# ---- programs with constraints, transport, dynamic programming -------------------------------------------------------

@row("n(15, 30), abs(n(15)) + 1, n(30)")
@row("n(10, 15, 30), abs(n(10, 15)) + 1, n(10, 30)", "vmap({0})")
def primal_dual_linear_program(a, b, c):
    """PDHG with averaging: 60 steps."""
    t = 0.9 / jnp.sqrt((a * a).sum())
    def step(_, s):
        x, y, mean = s
        new = jnp.clip(x - t * (c - a.T @ y), 0, 5)
        y = jnp.minimum(y - t * (a @ (2 * new - x) - b), 0)
        return new, y, mean + new / 60
    return lax.fori_loop(0, 60, step, (jnp.zeros(30), jnp.zeros(15), jnp.zeros(30)))[2]


@row("n(50, 2), n(60, 2, seed=1)")
@row("n(50, 2), n(60, 2, seed=1)", "grad(lambda *x: {0}(*x)[1])")
def unbalanced_sinkhorn(x, y):
    c = ((x[:, None] - y) ** 2).sum(-1)
    def step(s, _):
        f, g = s
        f = -0.8 * 0.1 * nn.logsumexp((g - c) / 0.1 - jnp.log(60.0), axis=1)
        return (f, -0.8 * 0.1 * nn.logsumexp((f[:, None] - c) / 0.1 - jnp.log(50.0), axis=0)), None
    f, g = lax.scan(step, (jnp.zeros(50), jnp.zeros(60)), length=20)[0]
    p = jnp.exp((f[:, None] + g - c) / 0.1) / 3000
    return p, (p * c).sum()


@row("abs(n(40))")
def matrix_chain_order(d):
    """Least cost of all intervals, by length."""
    def by_length(l, m):
        i = jnp.arange(39)
        k = jnp.arange(39)
        cost = m + jnp.roll(m, -1, 0)[:, (i + l).clip(0, 38)].T + d[:39, None] * d[(k + 1)] * d[(i + l + 1).clip(0, 39)][:, None]
        best = jnp.where((k >= i[:, None]) & (k < i[:, None] + l), cost, jnp.inf).min(1)
        return m.at[i, jnp.where(i + l < 39, i + l, 99)].set(best, mode="drop")
    return lax.fori_loop(1, 39, by_length, jnp.zeros((39, 39)))[0]


@row("i(40, 9) + 1")
def coin_change(coins):
    def step(t, s):
        best, ways = s
        at = t - coins
        b = jnp.where(at >= 0, best[at.clip(0)], 1 << 20).min() + 1
        return best.at[t].set(b), ways.at[t].set(jnp.where(at >= 0, ways[at.clip(0)], 0).sum() % 9973)
    start = jnp.zeros(200, int)
    return lax.fori_loop(1, 200, step, (start, start.at[0].set(1)))


@row("n(500), i(600, 500)")
def increasing_subsequence(x, w):
    """Patience sorting by binary searches, and the heaviest weighted schedule."""
    def step(s, v):
        tails, _ = s
        at = jnp.searchsorted(tails, v)
        return (tails.at[at].set(v), at), at
    (tails, _), length = lax.scan(step, (jnp.full(500, jnp.inf), 0), x)
    return jnp.isfinite(tails).sum(), length, lax.cummax(w)


# ---- graphs, games, automata -----------------------------------------------------------------------------------------

@row("i(9, 40, 40), n(40, 40)")
def maximum_flow_push(capacity, noise):
    """Forty rounds of push and relabel, all vertices at once."""
    c = jnp.where(noise > 0.3, capacity, 0).astype(jnp.float32) * (1 - jnp.eye(40))
    start = jnp.zeros((40, 40)).at[0].set(c[0])
    def round_(_, s):
        f, h = s
        rest = c - f + f.T
        excess = jnp.where((jnp.arange(40) > 0) & (jnp.arange(40) < 39), f.sum(0) - f.sum(1), 0)
        ok = (rest > 0) & (h[:, None] == h + 1)
        before = jnp.cumsum(jnp.where(ok, rest, 0), 1) - jnp.where(ok, rest, 0)
        push = jnp.where(ok, jnp.clip(excess[:, None] - before, 0, rest), 0)
        up = jnp.where(rest > 0, h, 999).min(1) + 1
        return f + push, jnp.where((excess > 0) & ~ok.any(1), up, h)
    f, h = lax.fori_loop(0, 40, round_, (start, jnp.zeros(40).at[0].set(40)))
    return f[:, 39].sum(), h


@row("n(80, 80) > 1.2, n(80)")
def hits_and_katz(a, x):
    a = a.astype(jnp.float32)
    unit = lambda v: v / jnp.linalg.norm(v)
    hub = lax.fori_loop(0, 15, lambda _, h: unit(a @ (a.T @ h)), abs(x))
    return hub, jnp.linalg.solve(jnp.eye(80) - 0.05 * a.T, jnp.ones(80)), jnp.diagonal(a @ a @ a)


@row("n(9, 12, seed=3)")
def fictitious_play(payoff):
    def step(s, _):
        a, b = s
        return (a.at[(payoff @ b).argmax()].add(1), b.at[(a @ payoff).argmin()].add(1)), (payoff @ b).max() / (b.sum() + 1)
    return lax.scan(step, (jnp.zeros(9).at[0].add(1), jnp.zeros(12)), length=100)


@row("i(3, 256, 9)")
def tic_tac_toe_moves(board):
    """Winners and the first move that wins or blocks, of 256 boards."""
    lines = jnp.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])
    won = lambda b: jnp.stack([(b[..., lines] == p).all(-1).any(-1) for p in (1, 2)], -1)
    tried = jnp.where(jnp.eye(9, dtype=bool), jnp.array([1, 2])[:, None, None], board[:, None, None])
    good = won(tried).any(-1) & (board == 0)[:, None]
    return won(board), jnp.where(good[:, 0].any(1), good[:, 0].argmax(1), good[:, 1].argmax(1))


@row("i(4, 64, 60)")
def cyclic_automaton(x):
    def step(x, _):
        near = jnp.stack([jnp.roll(x, s, a) for a in (0, 1) for s in (1, -1)])
        x = jnp.where((near == (x + 1) % 4).any(0), (x + 1) % 4, x)
        return x, jnp.bincount(x.ravel(), length=4)
    return lax.scan(step, x, length=12)


@row("i(2, 50, 50), i(50, 2)")
def langtons_ant(grid, at):
    def step(s):
        k, grid, at, d = s
        c = grid[at[0], at[1]]
        d = (d + jnp.where(c == 1, 1, 3)) % 4
        return k + 1, grid.at[at[0], at[1]].set(1 - c), (at + jnp.array([[-1, 0], [0, 1], [1, 0], [0, -1]])[d]) % 50, d
    return lax.while_loop(lambda s: s[0] < 400, step, (0, grid, at, 0))[1:]


# ---- roots, quadrature, interpolation, small algebra -----------------------------------------------------------------

@row("n(200), abs(n(200, seed=1)) + .5")
def ridders_roots(a, b):
    f = lambda x: x**3 + b * x - a - jnp.sin(x)
    def step(_, s):
        lo, hi = s
        mid = (lo + hi) / 2
        x = mid + (mid - lo) * jnp.sign(f(lo) - f(hi)) * f(mid) / jnp.sqrt(f(mid) ** 2 - f(lo) * f(hi) + 1e-12)
        p, q = jnp.minimum(x, mid), jnp.maximum(x, mid)
        return (jnp.where(f(q) < 0, q, jnp.where(f(p) < 0, p, lo)), jnp.where(f(p) > 0, p, jnp.where(f(q) > 0, q, hi)))
    return lax.fori_loop(0, 9, step, (jnp.full(200, -5.0), jnp.full(200, 5.0)))


@row("abs(n(60)) + .2")
@row("abs(n(60)) + .2", "lambda p: jax.jvp({0}, (p,), (jnp.ones_like(p),))")
def romberg(p):
    f = lambda x: jnp.exp(-p * x * x) * jnp.cos(3 * x)
    t = [jax.vmap(f)(jnp.linspace(0, 2, 2**k + 1)) for k in range(6)]
    t = [(y.sum(0) - (y[0] + y[-1]) / 2) * 2 / (len(y) - 1) for y in t]
    for j in range(1, 6):
        t = [(4**j * b - a) / (4**j - 1) for a, b in zip(t, t[1:])]
    return t[0]


@row("n(40), n(300, seed=1)")
@row("n(40), n(300, seed=1)", "grad({0}, (0, 1))")
def monotone_cubic(y, at):
    """Fritsch and Carlson's slopes on equal steps."""
    d = jnp.diff(y)
    a, b = d[:-1], d[1:]
    ok = a * b > 0
    m = jnp.where(ok, 2 * a * b / jnp.where(ok, a + b, 1), 0)
    m = jnp.concatenate([d[:1], m, d[-1:]])
    x = 39 * nn.sigmoid(at)
    k = jnp.floor(x).astype(int).clip(0, 38)
    t = x - k
    return (1 + 2 * t) * (1 - t) ** 2 * y[k] + t * (1 - t) ** 2 * m[k] + t * t * (3 - 2 * t) * y[k + 1] + t * t * (t - 1) * m[k + 1]


@row("n(50, 4, 4), n(50, 4)")
def branches_of_small_systems(a, b):
    """A solver chosen for each matrix by a switch under vmap."""
    def one(a, b):
        kind = (abs(a[0, 0]) * 2).astype(int).clip(0, 2)
        s = a @ a.T + jnp.eye(4)
        return lax.switch(kind, [lambda: jnp.linalg.solve(s, b), lambda: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(s), True), b),
                                 lambda: jax.scipy.sparse.linalg.cg(lambda v: s @ v, b, maxiter=4)[0]])
    return jax.vmap(one)(a, b)


@row("n(9), n(80, 3)")
@row("n(9), n(80, 3)", "grad(lambda *x: {0}(*x)[0])")
def scan_of_conditionals(p, x):
    def step(s, z):
        k, h = s
        h = lax.cond(h[0] > z[0], lambda: jnp.tanh(p.reshape(3, 3) @ h + z), lambda: h * nn.sigmoid(z))
        return (k + 1, lax.cond(k % 8 == 7, lambda h: h / jnp.sqrt(h @ h + 1), lambda h: h, h)), h[1]
    (_, h), y = lax.scan(step, (0, jnp.ones(3)), x)
    return h, y


ROWS = [
    "vmap(jax.hessian(lambda x: jnp.log(jnp.exp(x).sum()) + jnp.prod(x))) @@ n(60, 5)",
    "vmap(lambda a: js.linalg.expm(a)) @@ n(9, 5, 5, scale=.3)",
    "vmap(lambda a, b: linalg.lstsq(a, b)[0]) @@ n(11, 8, 3), n(11, 8)",
    "vmap(lambda a: linalg.pinv(a) @ a) @@ n(13, 4, 6)",
    "grad(lambda a: linalg.eigvalsh(a @ a.mT)[..., -2]) @@ n(21, 5, 5)",
    "lambda a: lax.map(lambda a: linalg.det(a) * linalg.inv(a), a, batch_size=8) @@ n(40, 3, 3)",
    "lambda x, y, q: jnp.interp(q, jnp.sort(x), y, left=0., period=None) @@ n(90), n(90), n(1100, seed=1)",
    "lambda p: jax.jacfwd(lambda p: lax.fori_loop(0, 12, lambda k, x: x - (x * x - p) / (2 * x), p + 1))(p) @@ abs(n(15)) + .5",
    "lambda x: lax.associative_scan(lambda a, b: jnp.minimum(a[..., :, :, None] + b[..., None, :, :], 99).min(-2), x) @@ abs(n(24, 6, 6))",
    "lambda x: lax.reduce(x, jnp.float32(0), lambda a, b: jnp.hypot(a, b), (1,)) @@ n(50, 60)",
    "f64: lambda a, b: js.linalg.solve(a, b, assume_a='pos') @@ definite(0, 30).astype('float64'), n(30, 4, dtype='float64')",
    "lambda x: lax.while_loop(lambda s: (s[1] < 50) & (abs(s[0]).max() > .1), lambda s: (s[0] * .9 - .01 * jnp.sin(s[0]), "
    "s[1] + 1), (x, 0)) @@ n(31, 32)",
    "vmap(lambda k, x: lax.switch(k, [jnp.sin, lambda x: x * x, lambda x: jnp.cumsum(x)[::-1], nn.relu], x)) @@ i(4, 40), n(40, 70)",
    "lambda x, w: lax.scan(lambda c, w: (nn.tanh(c @ w), c.sum(1)), x, w, unroll=3) @@ n(8, 24), n(9, 24, 24, scale=.2)",
    "lambda x: lax.scan(lambda c, x: (jnp.maximum(c * .9, x), c - x), x[0], x, reverse=True) @@ n(300, 12)",
    "grad(lambda x, y: lax.custom_root(lambda z: z ** 3 + z * abs(y) - x, y, lambda f, z: lax.fori_loop(0, 8, lambda _, z: z "
    "- f(z) / (3 * z * z + 1 + abs(y)), z), lambda g, b: b / g(jnp.ones_like(b)))) @@ n(120), n(120, seed=1)",
    "lambda a, b: js.sparse.linalg.bicgstab(lambda x: a @ x, b, maxiter=6)[0] @@ definite(0, 50), n(50)",
    "lambda a, v: jax.jvp(lambda a: linalg.eigh(a + a.T)[0], (a,), (v,)) @@ n(16, 16), n(16, 16, seed=1)",
    "lambda x: jax.linearize(lambda x: nn.softmax(x @ x.T) @ x, x)[1](jnp.cos(x)) @@ n(40, 12)",
    "vmap(lambda d, e, f, b: lax.linalg.tridiagonal_solve(d, e, f, b)) @@ n(6, 40).at[:, 0].set(0) * .2, abs(n(6, 40)) + 2, "
    "n(6, 40, seed=1).at[:, -1].set(0) * .2, n(6, 40, 3)",
]
