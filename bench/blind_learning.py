"""blind_learning.py: rows of the long tail written before any of them was measured (snippets.py): reinforcement learning,
environments under vmap, evolution, bandits, optimizers, graph networks. A docstring gives the shapes where they matter."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- environments and reinforcement learning -------------------------------------------------------------------------

def cart_pole_step(s, force):
    x, v, a, w = s
    t = (10 * force + 0.05 * w * w * jnp.sin(a)) / 1.1
    acc = (9.8 * jnp.sin(a) - jnp.cos(a) * t) / (0.5 * (4 / 3 - 0.1 * jnp.cos(a) ** 2 / 1.1))
    return jnp.stack([x + 0.02 * v, v + 0.02 * (t - 0.05 * acc * jnp.cos(a) / 1.1), a + 0.02 * w, w + 0.02 * acc])


@row("key, n(64, 4, scale=.05), n(4, 16), n(16, 2)")
def cart_poles_with_resets(key, s, a, b):
    """64 environments for 50 steps; those that fall start anew."""
    def step(s, key):
        p, r = random.split(key)
        action = random.categorical(p, jnp.tanh(s @ a) @ b)
        new = jax.vmap(cart_pole_step)(s, 2.0 * action - 1)
        done = (abs(new[:, 0]) > 2.4) | (abs(new[:, 2]) > 0.21)
        return jnp.where(done[:, None], 0.05 * random.normal(r, s.shape), new), done
    last, done = lax.scan(step, s, random.split(key, 50))
    return last, done.sum(0)


@row("key, i(2, 30, 9, 9)")
def minesweeper_steps(key, mines):
    near = lax.reduce_window(mines, 0, lax.add, (1, 3, 3), (1, 1, 1), "SAME") - mines
    def step(s, key):
        at = random.randint(key, (30, 2), 0, 9)
        opened, alive = s
        k = jnp.arange(30)
        hit = mines[k, at[:, 0], at[:, 1]] > 0
        opened = opened.at[k, at[:, 0], at[:, 1]].set(jnp.where(alive, 1, opened[k, at[:, 0], at[:, 1]]))
        return (opened, alive & ~hit), alive.sum()
    opened, _ = lax.scan(step, (jnp.zeros_like(mines), jnp.ones(30, bool)), random.split(key, 12))[0]
    return jnp.where(opened > 0, near, -1)


@row("key, i(3, 80, 6, 7)")
def connect_four_moves(key, board):
    """Legal columns, a drop, and whether four are in a line."""
    legal = board[:, 0] == 0
    column = random.categorical(key, jnp.where(legal, 0.0, -1e9))
    height = (board[jnp.arange(80), :, column] == 0).sum(1) - 1
    board = board.at[jnp.arange(80), jnp.maximum(height, 0), column].set(1)
    own = (board == 1).astype("float32")[:, None]
    k = jnp.zeros((4, 1, 4, 4)).at[0, 0, 0].set(1).at[1, 0, :, 0].set(1).at[2, 0].set(jnp.eye(4)).at[3, 0].set(jnp.eye(4)[::-1])
    lines = lax.conv_general_dilated(own, k, (1, 1), ((0, 3), (0, 3)))
    return board, (lines >= 4).any((1, 2, 3))


@row("n(40, 16), n(41, 16), n(40, 16) > 1.3")
def lambda_returns(rewards, values, done):
    def back(s, x):
        r, v, d = x
        s = r + 0.99 * (1 - d) * (0.05 * v + 0.95 * s)
        return s, s
    return lax.scan(back, values[-1], (rewards, values[1:], done.astype("float32")), reverse=True)[1]


@row("n(40, 16), n(41, 16), n(40, 16) > 1.3")
def parallel_advantages(rewards, values, done):
    """Generalized advantages by an associative scan."""
    live = 0.99 * (1 - done)
    delta = rewards + live * values[1:] - values[:-1]
    combine = lambda a, b: (a[0] * b[0], b[1] + b[0] * a[1])
    return lax.associative_scan(combine, (0.95 * live, delta), reverse=True)[1]


@row("n(96, 8), i(4, 96), n(96), n(96, 8, seed=1), n(8, 32), n(32, 5), n(32, 5, seed=1)")
@row("n(96, 8), i(4, 96), n(96), n(96, 8, seed=1), n(8, 32), n(32, 5), n(32, 5, seed=1)", "jax.grad({0}, (4, 5))")
def dueling_double_q(s, action, r, s2, a, b, target):
    def values(s, b):
        y = nn.relu(s @ a) @ b
        return y[:, :1] + y[:, 1:] - y[:, 1:].mean(1, keepdims=True)
    now = jnp.take_along_axis(values(s, b), action[:, None], 1)[:, 0]
    best = values(s2, b).argmax(1)
    then = jnp.take_along_axis(values(s2, target), best[:, None], 1)[:, 0]
    d = lax.stop_gradient(r + 0.99 * then) - now
    return jnp.where(abs(d) < 1, 0.5 * d * d, abs(d) - 0.5).mean()


@row("key, n(500, 7), n(40, 7), abs(n(500)), 481")
def prioritized_replay(key, buffer, batch, priority, at):
    """A ring of 500: writes that wrap, a draw by priorities, weights of importance."""
    buffer = buffer.at[(at + jnp.arange(40)) % 500].set(batch)
    p = priority**0.6
    cumulative = jnp.cumsum(p)
    u = (jnp.arange(32) + random.uniform(key, (32,))) / 32 * cumulative[-1]
    index = jnp.clip(jnp.searchsorted(cumulative, u), 0, 499)
    w = (500 * p[index] / cumulative[-1]) ** -0.4
    return buffer[index], w / w.max()


@row("key, n(70, 6), n(6, 24), n(24, 8), n(10, 24), n(24)")
@row("key, n(70, 6), n(6, 24), n(24, 8), n(10, 24), n(24)", "lambda k, s, *w: jax.grad(partial({0}, k), (1, 2))(s, *w)")
def soft_actor_loss(key, s, a, b, q1, q2):
    mean, log_sd = jnp.split(nn.relu(s @ a) @ b, 2, 1)
    log_sd = jnp.clip(log_sd, -5, 1)
    u = mean + jnp.exp(log_sd) * random.normal(key, mean.shape)
    action = jnp.tanh(u)
    logp = (jax.scipy.stats.norm.logpdf(u, mean, jnp.exp(log_sd)) - jnp.log(1 - action**2 + 1e-6)).sum(1)
    q = nn.relu(jnp.concatenate([s, action], 1) @ q1) @ q2
    return (0.2 * logp - q).mean()


@row("nn.softmax(n(30, 4, 30)), n(30, 4)")
def policy_iteration(transition, reward):
    def improve(s):
        policy, _, k = s
        p = jnp.take_along_axis(transition, policy[:, None, None], 1)[:, 0]
        r = jnp.take_along_axis(reward, policy[:, None], 1)[:, 0]
        v = jnp.linalg.solve(jnp.eye(30) - 0.95 * p, r)
        return (reward + 0.95 * transition @ v).argmax(1), policy, k + 1
    first = jnp.zeros(30, "int32"), jnp.ones(30, "int32"), 0
    return lax.while_loop(lambda s: (s[0] != s[1]).any() & (s[2] < 20), improve, first)[0] + 1


@row("key, jnp.zeros((25, 4))")
def tabular_q_learning(key, q):
    """A walk on a grid of 5 x 5, one step after the other."""
    def step(s, key):
        q, at = s
        a, b = random.split(key)
        action = jnp.where(random.uniform(a) < 0.2, random.randint(b, (), 0, 4), q[at].argmax())
        y, x = at // 5, at % 5
        y = jnp.clip(y + jnp.array([-1, 1, 0, 0])[action], 0, 4)
        x = jnp.clip(x + jnp.array([0, 0, -1, 1])[action], 0, 4)
        new = y * 5 + x
        r = jnp.where(new == 24, 1.0, -0.01)
        q = q.at[at, action].add(0.5 * (r + 0.9 * q[new].max() - q[at, action]))
        return (q, jnp.where(new == 24, 0, new)), None
    return lax.scan(step, (q, 0), random.split(key, 150))[0][0]


@row("nn.softmax(n(5)), n(5), key")
def tree_search(prior, value, key, simulations=24):
    """Monte Carlo search in arrays: selection by a while loop, then a backup along parents."""
    size = simulations + 1
    def simulate(k, s):
        visits, total, child, parent = s
        def score(node):
            n = jnp.where(child[node] < 0, 0, visits[child[node]])
            q = jnp.where(n > 0, total[child[node]] / jnp.maximum(n, 1), 0)
            return q + 1.5 * prior * jnp.sqrt(visits[node]) / (1 + n)
        def down(t):
            best = score(t[0]).argmax()
            return jnp.where(child[t[0], best] < 0, t[0], child[t[0], best]), best, child[t[0], best] < 0
        node, action, _ = lax.while_loop(lambda t: ~t[2], down, (0, 0, False))
        child, parent = child.at[node, action].set(k), parent.at[k].set(node)
        v = jnp.tanh(value[action] + 0.5 * random.normal(random.fold_in(key, k)))
        def up(t):
            visits, total, at = t
            return visits.at[at].add(1.0), total.at[at].add(v), parent[at]
        visits, total, _ = lax.while_loop(lambda t: t[2] >= 0, up, (visits, total, k))
        return visits, total, child, parent
    start = jnp.zeros(size), jnp.zeros(size), jnp.full((size, 5), -1), jnp.full(size, -1)
    return lax.fori_loop(1, size, simulate, start)[:2]


@row("key, nn.sigmoid(n(20, 8))")
def thompson_sampling(key, p):
    """Twenty bandits with eight arms for 60 rounds."""
    def play(s, key):
        a, b = random.split(key)
        arm = random.beta(a, s[0] + 1, s[1] + 1).argmax(1)
        win = random.uniform(b, (20,)) < p[jnp.arange(20), arm]
        k = jnp.arange(20)
        return (s[0].at[k, arm].add(win), s[1].at[k, arm].add(~win)), win.mean()
    return lax.scan(play, (jnp.zeros((20, 8)), jnp.zeros((20, 8))), random.split(key, 12))[1]


@row("n(100, 6), n(100, 5)")
def linear_ucb(contexts, rewards):
    def play(s, v):
        a, b = s
        x, r = v
        mean = jnp.linalg.solve(a, b[..., None])[..., 0]
        arm = (mean @ x + jnp.sqrt(jnp.einsum("i,kij,j->k", x, jnp.linalg.inv(a), x))).argmax()
        return (a.at[arm].add(jnp.outer(x, x)), b.at[arm].add(r[arm] * x)), r[arm]
    start = jnp.broadcast_to(jnp.eye(6), (5, 6, 6)), jnp.zeros((5, 6))
    return lax.scan(play, start, (contexts, rewards))[1]


# ---- evolution -------------------------------------------------------------------------------------------------------

def rastrigin(x):
    return (x * x - 3 * jnp.cos(2 * jnp.pi * x) + 3).sum(-1)


@row("key, n(8)")
def covariance_adaptation(key, mean, population=16, generations=10):
    w = jnp.log(8.5) - jnp.log(jnp.arange(1.0, 9))
    w = w / w.sum()
    def generation(s, key):
        mean, cov, path, sigma = s
        values, vectors = jnp.linalg.eigh(cov)
        root = (vectors * jnp.sqrt(jnp.maximum(values, 1e-6))) @ vectors.T
        steps = random.normal(key, (population, 8)) @ root
        best = steps[jnp.argsort(rastrigin(mean + sigma * steps))[:8]]
        move = w @ best
        path = 0.7 * path + 0.9 * move
        cov = 0.8 * cov + 0.1 * jnp.outer(path, path) + 0.1 * jnp.einsum("k,ki,kj->ij", w, best, best)
        return (mean + sigma * move, cov, path, sigma * 0.95), rastrigin(mean)
    return lax.scan(generation, (mean, jnp.eye(8), jnp.zeros(8), 0.5), random.split(key, generations))[1]


@row("key, n(60, 10), n(60, 10)")
def particle_swarm(key, x, v):
    def step(s, key):
        x, v, best, value = s
        a, b = random.uniform(key, (2, 60, 1))
        v = 0.7 * v + 1.4 * a * (best - x) + 1.4 * b * (best[value.argmin()] - x)
        x = x + v
        new = rastrigin(x)
        return (x, v, jnp.where((new < value)[:, None], x, best), jnp.minimum(new, value)), value.min()
    return lax.scan(step, (x, v, x, rastrigin(x)), random.split(key, 30))[1]


@row("key, i(2, 64, 40), abs(n(40)), abs(n(40, seed=1))")
def genetic_knapsack(key, genes, value, weight):
    def fitness(g):
        return jnp.where(g @ weight < 12, g @ value, 0)
    def generation(g, key):
        a, b, c, d = random.split(key, 4)
        pairs = random.randint(a, (2, 64, 2), 0, 64)
        f = fitness(g)
        parents = jnp.where(f[pairs[..., 0]] > f[pairs[..., 1]], pairs[..., 0], pairs[..., 1])
        cut = random.randint(b, (64, 1), 0, 40)
        child = jnp.where(jnp.arange(40) < cut, g[parents[0]], g[parents[1]])
        return jnp.where(random.uniform(c, child.shape) < 0.02, 1 - child, child), f.max()
    return lax.scan(generation, genes, random.split(key, 15))[1]


@row("key, n(30, 30, 2)")
def annealed_tour(key, cities):
    """Travelling salesmen: segments reversed by index arithmetic, thirty tours at once."""
    def one(key, x):
        d = jnp.linalg.norm(x[:, None] - x, axis=-1)
        length = lambda t: d[t, jnp.roll(t, -1)].sum()
        def step(s, k):
            tour, value, key = s
            key, a, b = random.split(key, 3)
            i, j = jnp.sort(random.randint(a, (2,), 0, 30))
            at = jnp.arange(30)
            new = tour[jnp.where((at >= i) & (at <= j), i + j - at, at)]
            v = length(new)
            take = random.uniform(b) < jnp.exp((value - v) / (2 * 0.9**k))
            return (jnp.where(take, new, tour), jnp.where(take, v, value), key), None
        return lax.scan(step, (jnp.arange(30), length(jnp.arange(30)), key), jnp.arange(20))[0][1]
    return jax.vmap(one)(random.split(key, 30), cities)


# ---- optimizers ------------------------------------------------------------------------------------------------------

@row("n(47, 51), n(47, 51), n(47, 51, seed=1), jnp.eye(47), jnp.eye(51)")
def soap_step(w, g, m, left, right):
    """Adam in the eigenbasis that one step of power iteration refreshes."""
    ql, qr = jnp.linalg.qr((g @ g.T + 10 * jnp.eye(47)) @ left)[0], jnp.linalg.qr((g.T @ g + 10 * jnp.eye(51)) @ right)[0]
    a, b = ql.T @ g @ qr, ql.T @ m @ qr
    return w - 0.01 * ql @ (b / (abs(a) + 0.1)) @ qr.T


@row("n(40, 56), n(40, 56), n(40, 56, seed=1)")
def muon_step(w, g, m):
    m = 0.95 * m + g
    x = m / jnp.linalg.norm(m)
    def polish(_, x):
        a = x @ x.T
        return 3.4445 * x + (-4.775 * a + 2.0315 * a @ a) @ x
    return w - 0.02 * lax.fori_loop(0, 5, polish, x) * (56 / 40) ** 0.5, m


@row("n(90, 12), n(90, 7), n(12, 7), jnp.eye(12), jnp.eye(7)")
def kronecker_factored(x, y, w, a, s):
    """K-FAC for one layer: factors by moving averages, damped Cholesky solves on both sides."""
    d = nn.softmax(x @ w) - nn.softmax(y)
    a, s = 0.9 * a + 0.1 * x.T @ x / 90, 0.9 * s + 0.1 * d.T @ d / 90
    solve = lambda m, v: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(m + 0.1 * jnp.eye(m.shape[0])), True), v)
    return w - solve(s, solve(a, x.T @ d / 90).T).T, a, s


@row("n(30)")
def backtracking_newton(x):
    f = lambda x: jnp.log1p((x[:-1] - x[1:]) ** 2).sum() + 0.1 * (x**4).sum()
    def step(_, x):
        g = jax.grad(f)(x)
        p = -jnp.linalg.solve(jax.hessian(f)(x) + 2 * jnp.eye(30), g)
        t = lax.while_loop(lambda t: (f(x + t * p) > f(x) + 1e-4 * t * (g @ p)) & (t > 1e-3), lambda t: t * 0.5, 1.0)
        return x + t * p
    return lax.fori_loop(0, 4, step, x)


@row("n(60)")
def limited_memory(x, memory=5):
    """L-BFGS with its memory as rings in a scan."""
    f = jax.grad(lambda x: 0.5 * (x * x * jnp.linspace(1, 9, 60)).sum() + jnp.cos(x).sum())
    def step(s, k):
        x, g, ds, dg = s
        rho = 1 / ((ds * dg).sum(1) + 1e-6)
        def first(q, j):
            a = jnp.where(j < 0, 0, rho[j % memory] * (ds[j % memory] @ q))
            return q - a * dg[j % memory], a
        order = k - 1 - jnp.arange(memory)
        q, a = lax.scan(first, g, order)
        r, _ = lax.scan(lambda r, v: (r + ds[v[0] % memory] * (v[1] - rho[v[0] % memory] * (dg[v[0] % memory] @ r)), None),
                        0.2 * q, (order[::-1], a[::-1]))
        new = x - 0.5 * r
        h = f(new)
        return (new, h, ds.at[k % memory].set(new - x), dg.at[k % memory].set(h - g)), (h * h).sum()
    zero = jnp.zeros((memory, 60))
    return lax.scan(step, (x, f(x), zero, zero), jnp.arange(12))[1]


@row("{'a': n(33, 41), 'b': n(41), 'c': n(41, 7)}, {'a': n(33, 41, seed=1), 'b': n(41, seed=1), 'c': n(41, 7, seed=1)}, 3.")
def tree_lion(params, momentum, step):
    """Sign of a mix, decay, and a warm-up followed by a cosine, over a tree."""
    rate = 1e-3 * jnp.minimum(step / 10, 0.5 * (1 + jnp.cos(jnp.pi * step / 100)))
    grads = jax.grad(lambda p: (jnp.tanh(p["a"] + p["b"]) @ p["c"]).sum())(params)
    new = jax.tree.map(lambda p, m, g: p - rate * (jnp.sign(0.9 * m + 0.1 * g) + 0.1 * p), params, momentum, grads)
    return new, jax.tree.map(lambda m, g: 0.99 * m + 0.01 * g, momentum, grads)


@row("n(256, 10), jnp.sin(n(256, 1)), n(10, 24, scale=.3), n(24, 1, scale=.3)")
def schedule_free_training(x, y, a, b):
    """Twelve steps over minibatches by dynamic slices."""
    def loss(w, x, y):
        return ((jnp.tanh(x @ w[0]) @ w[1] - y) ** 2).mean()
    def step(s, k):
        z, average = s
        at = jax.tree.map(lambda z, a: 0.1 * z + 0.9 * a, z, average)
        xb, yb = (lax.dynamic_slice_in_dim(v, (k * 32) % 256, 32) for v in (x, y))
        value, g = jax.value_and_grad(loss)(at, xb, yb)
        z = jax.tree.map(lambda z, g: z - 0.1 * g, z, g)
        return (z, jax.tree.map(lambda a, z: a + (z - a) / (k + 2), average, z)), value
    return lax.scan(step, ((a, b), (a, b)), jnp.arange(12))[1]


# ---- networks of graphs and sets -------------------------------------------------------------------------------------

@row("n(120, 3), n(120, 8), i(120, 500, 2), n(17, 12), n(12)")
@row("n(120, 3), n(120, 8), i(120, 500, 2), n(17, 12), n(12)", "grad(lambda *a: {0}(*a)[0], (0, 3))")
def equivariant_layer(x, h, edges, w, to_x):
    i, j = edges.T
    d = x[i] - x[j]
    m = nn.silu(jnp.concatenate([h[i], h[j], (d * d).sum(1, keepdims=True)], 1) @ w)
    x = x + jax.ops.segment_sum(d * jnp.tanh(m @ to_x)[:, None], i, 120) / 10
    return x, jax.ops.segment_sum(m, i, 120)


@row("n(140, 6), i(140, 600), i(140, 600)[::-1], n(6, 6)")
@row("n(140, 6), i(140, 600), i(140, 600)[::-1], n(6, 6)", "grad({0}, (0, 3))")
def sum_max_mean_aggregation(h, to, of, w):
    m = nn.relu(h[of] @ w)
    count = jnp.maximum(jnp.bincount(to, length=140), 1)[:, None]
    best = jax.ops.segment_max(m, to, 140)
    return jnp.concatenate([jax.ops.segment_sum(m, to, 140) / count, jnp.where(best > -1e30, best, 0)], 1)


@row("n(5, 29, 16), n(3, 16), n(16, 16, scale=.3)")
@row("n(5, 29, 16), n(3, 16), n(16, 16, scale=.3)", "grad({0}, (1, 2))")
def slot_attention(x, slots, w):
    def step(s, _):
        a = nn.softmax(jnp.einsum("bnd,bkd->bnk", x @ w, s) / 4, -1) + 1e-6
        a = a / a.sum(1, keepdims=True)
        return jnp.tanh(jnp.einsum("bnk,bnd->bkd", a, x) + s), None
    return lax.scan(step, jnp.broadcast_to(slots, (5, 3, 16)), None, length=3)[0]


ROWS = [
    (
        "lambda q, t: jax.tree.map(lambda a, b: .995 * a + .005 * b, q, t) @@ {'w': n(64, 65), 'b': n(65)}, {'w': n(64, "
        "65, seed=1), 'b': n(65)}"
    ),
    (
        "lambda k, x, e: jnp.where(random.uniform(k, (301,)) < e, random.randint(k, (301,), 0, 6), x.argmax(1)) @@ key, "
        "n(301, 6), .1"
    ),
    (
        "lambda x, m, v, c: (lambda t: (m + (x.mean(0) - m) * 128 / t, v + x.var(0) * 128 / t, t))(c + 128) @@ n(128, 17), "
        "n(17), abs(n(17)), 1000."
    ),
]
