"""blind_workflows.py: rows of the long tail written before any of them was measured (snippets.py): steps of training
of less common models and losses, augmentation, tokens and masks, sketches, recommendation, graphs, time series, agents,
optimizers and schedules."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- embeddings and recommendation -----------------------------------------------------------------------------------

@row("n(3000, 48, scale=.1), n(3000, 48, scale=.1), i(3000, 256), i(3000, 256)[::-1], i(3000, 256, 5)",
     "jax.value_and_grad({0}, (0, 1))")
@row("n(400, 25, scale=.1), n(400, 25, scale=.1), i(400, 33), i(400, 33)[::-1], i(400, 33, 7)", "jax.grad({0}, (0, 1))")
def skip_gram_with_negatives(center, context, word, near, far):
    v = center[word]
    good = nn.log_sigmoid(jnp.sum(v * context[near], -1))
    bad = nn.log_sigmoid(-jnp.einsum("bd,bkd->bk", v, context[far])).sum(-1)
    return -(good + bad).mean()


@row("n(500, 32, scale=.1), n(500, scale=.1), i(500, 4000), i(500, 4000)[::-1], i(300, 4000) + 1")
def glove_adagrad_step(w, b, row_of, column_of, count):
    def loss(p):
        w, b = p
        fit = (w[row_of] * w[column_of]).sum(-1) + b[row_of] + b[column_of]
        return jnp.sum(jnp.minimum(1.0, (count / 100) ** 0.75) * (fit - jnp.log(count)) ** 2)
    g = jax.grad(loss)((w, b))
    return jax.tree.map(lambda p, g: p - 0.05 * g / jnp.sqrt(1 + g * g), (w, b), g)


@row("n(1000, 16, scale=.1), n(2000, 16, scale=.1), i(1000, 30, 128), i(2000, 30, 128), i(2000, 30, 128)[::-1]")
def bayesian_personalized_ranking_epoch(users, items, u, liked, other):
    def loss(p, batch):
        u, a, b = (p[0][batch[0]], p[1][batch[1]], p[1][batch[2]])
        return -nn.log_sigmoid((u * (a - b)).sum(-1)).mean() + 1e-3 * sum((z * z).sum(-1).mean() for z in (u, a, b))
    def step(p, batch):
        value, g = jax.value_and_grad(loss)(p, batch)
        return jax.tree.map(lambda p, g: p - 0.5 * g, p, g), value
    return lax.scan(step, (users, items), (u, liked, other))


@row("n(256, 60), n(60, 8, scale=.1), n(60, scale=.1)")
@row("n(256, 60), n(60, 8, scale=.1), n(60, scale=.1)", "grad({0}, (1, 2))")
def factorization_machine(x, v, w):
    pairs = 0.5 * ((x @ v) ** 2 - (x * x) @ (v * v)).sum(-1)
    return nn.sigmoid(x @ w + pairs)


@row("n(200, 64), n(200, 64, seed=1), nn.log_softmax(n(200, seed=2)), i(150, 200)", "jax.value_and_grad({0}, (0, 1))")
def two_tower_sampled_softmax(query, item, log_frequency, item_id):
    q, v = (x / jnp.linalg.norm(x, axis=-1, keepdims=True) for x in (query, item))
    logits = q @ v.T / 0.07 - log_frequency
    same = (item_id[:, None] == item_id) & ~jnp.eye(200, dtype=bool)
    return -jnp.diagonal(nn.log_softmax(jnp.where(same, -1e9, logits))).mean()


@row("n(600, 5, scale=.1), i(600, 200), i(600, 200, 11)")
def poincare_ball_step(x, child, candidates):
    def distance(u, v):
        gap = jnp.sum((u - v) ** 2, -1)
        inside = (1 - jnp.sum(u * u, -1)) * (1 - jnp.sum(v * v, -1))
        return jnp.arccosh(1 + 2 * gap / inside + 1e-6)
    loss = lambda x: -nn.log_softmax(-distance(x[child][:, None], x[candidates]), -1)[:, 0].mean()
    value, g = jax.value_and_grad(loss)(x)
    moved = x - 0.3 * (1 - jnp.sum(x * x, -1, keepdims=True)) ** 2 / 4 * g
    norm = jnp.linalg.norm(moved, axis=-1, keepdims=True)
    return jnp.where(norm >= 1, moved / norm * (1 - 1e-4), moved), value


@row("n(700, 24), i(700, 90, 20), i(21, 90)")
def session_scores_with_padding(table, session, length):
    """Mean of the items seen plus attention of the last one, repeated items are not recommended again."""
    ok = jnp.arange(20) < length[:, None]
    x = table[session]
    last = jnp.take_along_axis(x, jnp.maximum(length - 1, 0)[:, None, None], 1)[:, 0]
    weight = nn.softmax(jnp.einsum("bd,bsd->bs", last, x), where=ok, axis=-1)
    scores = (last + jnp.einsum("bs,bsd->bd", jnp.where(ok, weight, 0), x)) @ table.T
    scores = scores.at[jnp.arange(90)[:, None], jnp.where(ok, session, 700)].set(-jnp.inf, mode="drop")
    return lax.top_k(scores, 10)


# ---- energies, memories, unusual networks ----------------------------------------------------------------------------

@row("jnp.sign(n(12, 150)), jnp.sign(n(8, 150, seed=1)), random.key(0)")
def hopfield_recall_one_by_one(patterns, cue, key):
    w = patterns.T @ patterns * (1 - jnp.eye(150))
    def update(s, j):
        return s.at[:, j].set(jnp.where(s @ w[j] >= 0, 1.0, -1.0)), None
    s = lax.scan(update, cue, random.permutation(key, 150))[0]
    return s, -0.5 * jnp.einsum("bi,ij,bj->b", s, w, s)


@row("n(100, 32), n(20, 32)")
def modern_hopfield_until_still(stored, state):
    def body(s):
        x, _, k = s
        new = nn.softmax(4.0 * x @ stored.T / jnp.sqrt(32.0)) @ stored
        return new, jnp.abs(new - x).max(), k + 1
    return lax.while_loop(lambda s: (s[1] > 1e-4) & (s[2] < 20), body, (state, jnp.inf, 0))


@row("n(10, 10, 6, scale=.1), n(400, 6)")
def self_organizing_map_pass(units, data):
    at = jnp.stack(jnp.meshgrid(jnp.arange(10.0), jnp.arange(10.0), indexing="ij"), -1)
    def step(u, x):
        x, t = x
        best = jnp.argmin(((u - x) ** 2).sum(-1).ravel())
        d2 = ((at - at.reshape(100, 2)[best]) ** 2).sum(-1)
        radius = 4 * jnp.exp(-3 * t)
        return u + 0.3 * jnp.exp(-t - d2 / (2 * radius**2))[..., None] * (x - u), best
    return lax.scan(step, units, (data, jnp.linspace(0, 1, 400)))


@row("n(784, 200, scale=.05), n(200, 120, scale=.1), n(64, 784), i(10, 64), i(10, 64)[::-1]")
def forward_forward_layers(w1, w2, x, label, wrong):
    """Each layer learns by itself: large activity for the right label, small for the wrong one."""
    embed = lambda y: x.at[:, :10].set(nn.one_hot(y, 10) * 3)
    unit = lambda z: z / (jnp.linalg.norm(z, axis=-1, keepdims=True) + 1e-4)
    good, bad, new = embed(label), embed(wrong), []
    for w in (w1, w2):
        def loss(w):
            g, b = ((nn.relu(unit(z) @ w) ** 2).mean(-1) for z in (good, bad))
            return nn.softplus(jnp.concatenate([2 - g, b - 2])).mean()
        new.append(w - 0.03 * jax.grad(loss)(w))
        good, bad = nn.relu(unit(good) @ w), nn.relu(unit(bad) @ w)
    return new


@row("n(40, 60, scale=.1), n(60, 10, scale=.1), n(16, 40), nn.one_hot(i(10, 16), 10)")
def equilibrium_propagation(w1, w2, x, y):
    rho = lambda s: jnp.clip(s, 0, 1)
    def energy(w1, w2, h, o, beta):
        inner = 0.5 * ((h * h).sum() + (o * o).sum()) - jnp.sum(rho(x) @ w1 * rho(h)) - jnp.sum(rho(h) @ w2 * rho(o))
        return inner + beta * 0.5 * ((o - y) ** 2).sum()
    def settle(state, beta, steps):
        def step(_, s):
            g = jax.grad(energy, (2, 3))(w1, w2, *s, beta)
            return tuple(rho(a - 0.2 * b) for a, b in zip(s, g))
        return lax.fori_loop(0, steps, step, state)
    free = settle((jnp.full((16, 60), 0.5), jnp.full((16, 10), 0.5)), 0.0, 20)
    nudged = settle(free, 0.5, 6)
    a, b = (jax.grad(energy, (0, 1))(w1, w2, *s, 0.0) for s in (free, nudged))
    return jax.tree.map(lambda w, a, b: w - 0.1 * (b - a) / 8, (w1, w2), a, b)


@row("random.key(0), n(2, 64, scale=.5), n(64, 1, scale=.2), n(128, 2)")
def energy_model_with_langevin_negatives(key, w1, w2, data):
    energy = lambda p, x: (nn.silu(x @ p[0]) @ p[1]).sum() + 0.05 * (x * x).sum()
    def walk(x, key):
        return x - 0.05 * jax.grad(energy, 1)((w1, w2), x) + 0.1 * random.normal(key, x.shape), None
    fake = lax.scan(walk, random.normal(key, (128, 2)), random.split(key, 15))[0]
    return jax.value_and_grad(lambda p: (energy(p, data) - energy(p, lax.stop_gradient(fake))) / 128)((w1, w2))


@row("n(8, 64, scale=.4), n(64, 8, scale=.2), n(200, 8), jnp.sign(n(200, 8, seed=1))", "jax.value_and_grad({0}, (0, 1))")
def sliced_score_matching(w1, w2, x, v):
    score = lambda x: jnp.tanh(x @ w1) @ w2
    s, along = jax.jvp(score, (x,), (v,))
    return ((v * along).sum(-1) + 0.5 * (v * s).sum(-1) ** 2).mean()


@row("n(33, 64, scale=.2), n(64, 32, scale=.2), n(33, 64, scale=.2, seed=1), n(64, 32, scale=.2, seed=1), n(80, 32),"
     " n(80, 32, seed=3), i(17, 80)", "jax.value_and_grad({0}, (0, 1))")
def consistency_distillation(w1, w2, slow1, slow2, x, noise, at):
    sigma = (0.002 ** (1 / 7) + jnp.arange(19) / 18 * (10 ** (1 / 7) - 0.002 ** (1 / 7))) ** 7
    def model(w1, w2, y, s):
        skip, out = 0.25 / (s * s + 0.25), 0.5 * s / jnp.sqrt(s * s + 0.25)
        net = jnp.tanh(jnp.concatenate([y / jnp.sqrt(s * s + 0.25), jnp.log(s) / 4], -1) @ w1) @ w2
        return skip * y + out * net
    low, high = sigma[at][:, None], sigma[at + 1][:, None]
    target = lax.stop_gradient(model(slow1, slow2, x + low * noise, low))
    gap = model(w1, w2, x + high * noise, high) - target
    return (jnp.sqrt((gap**2).sum(-1) + 0.01) - 0.1).mean()


@row("n(6, 30, 8, scale=.2), n(32, 6, 8)", "lambda w, u: {0}(w, u, 5)")
@row("n(6, 30, 8, scale=.2), n(32, 6, 8)", "grad({0})")
def capsules_by_agreement(w, u, rounds=3):
    """Routing of 6 input capsules to 5 output capsules of 6 numbers each."""
    votes = jnp.einsum("iod,bid->bio", w, u).reshape(32, 6, 5, 6)
    squash = lambda s: (lambda q: q / (1 + q) * s / jnp.sqrt(q + 1e-7))((s * s).sum(-1, keepdims=True))
    logits = jnp.zeros((32, 6, 5))
    for _ in range(rounds):
        v = squash(jnp.einsum("bij,bijd->bjd", nn.softmax(logits, -1), votes))
        logits = logits + jnp.einsum("bijd,bjd->bij", votes, v)
    return v


@row("n(4, 20, 16), n(40, 16), n(4, 40)")
def memory_addressed_by_content_and_shift(keys, memory, before):
    def one(keys, w):
        def step(s, k):
            memory, w = s
            k, beta, gate, shift, erase = k, 1 + nn.softplus(k[0]), nn.sigmoid(k[1]), nn.softmax(k[2:5]), nn.sigmoid(k)
            cosine = memory @ k / (jnp.linalg.norm(memory, axis=1) * jnp.linalg.norm(k) + 1e-6)
            w = gate * nn.softmax(beta * cosine) + (1 - gate) * w
            w = sum(shift[j] * jnp.roll(w, j - 1) for j in range(3)) ** 1.5
            w = w / w.sum()
            memory = memory * (1 - jnp.outer(w, erase)) + jnp.outer(w, jnp.tanh(k))
            return (memory, w), w @ memory
        return lax.scan(step, (memory, nn.softmax(w)), keys)[1]
    return jax.vmap(one)(keys, before)


@row("n(3, 50, 32), n(16, 32, scale=.3), n(32, 32, scale=.2)")
def induced_set_attention(x, inducing, w):
    def attend_all(q, kv):
        split = lambda z: z.reshape(*z.shape[:-1], 4, 8)
        p = nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", split(q @ w), split(kv)) / 8**0.5)
        out = q + jnp.einsum("bhqk,bkhd->bqhd", p, split(kv)).reshape(q.shape)
        return out + nn.relu(out @ w)
    h = attend_all(jnp.broadcast_to(inducing, (3, 16, 32)), x)
    return attend_all(x, h).mean(1)


@row("n(24, 32, 3), n(32, 64, scale=.2), n(64, 32, scale=.2), random.key(0)")
def neural_cellular_automaton(x, w1, w2, key):
    grid = jnp.zeros((24, 24, 32)).at[12, 12, 3:].set(1.0) + x[..., :1].mean()
    kx = jnp.outer(jnp.array([1.0, 2, 1]), jnp.array([-1.0, 0, 1])) / 8
    kernel = jnp.stack([jnp.zeros((3, 3)).at[1, 1].set(1), kx, kx.T], -1)[:, :, None]
    def step(g, key):
        seen = lax.conv_general_dilated(g.transpose(2, 0, 1)[..., None], kernel, (1, 1), "SAME",
                                        dimension_numbers=("NHWC", "HWIO", "NHWC"))
        delta = nn.relu(seen[..., 1].transpose(1, 2, 0) @ w1 + g @ w1) @ w2 * 0.1
        g = g + delta * random.bernoulli(key, 0.5, (24, 24, 1))
        alive = lax.reduce_window(g[..., 3], -jnp.inf, lax.max, (3, 3), (1, 1), "SAME") > 0.1
        return g * alive[..., None], alive.mean()
    return lax.scan(step, grid, random.split(key, 6))


# ---- quantizers and self-supervision ---------------------------------------------------------------------------------

@row("n(300, 16), n(6, 128, 16)")
def residual_codes(z, books):
    def stage(residual, book):
        index = jnp.argmin(((residual[:, None] - book) ** 2).sum(-1), -1)
        return residual - book[index], (index, jnp.linalg.norm(residual))
    rest, (codes, norms) = lax.scan(stage, z, books)
    return z - rest, codes.T.astype(jnp.uint8), norms


@row("n(2000, 5)")
@row("n(2000, 5)", "grad(lambda z: {0}(z)[0] ** 3)")
def finite_scalar_quantization(z):
    levels = jnp.array([8, 8, 6, 5, 5])
    half = (levels - 1) * (1 + 1e-3) / 2
    offset = jnp.where(levels % 2 == 0, 0.5, 0.0)
    bounded = jnp.tanh(z + jnp.arctanh(offset / half)) * half - offset
    rounded = bounded + lax.stop_gradient(jnp.round(bounded) - bounded)
    base = jnp.concatenate([jnp.array([1]), jnp.cumprod(levels[:-1])])
    return rounded / (levels // 2), (lax.stop_gradient(rounded + levels // 2) * base).sum(-1)


# ---- losses ----------------------------------------------------------------------------------------------------------

@row("n(64, 40), i(40, 64).argsort()[None].repeat(64, 0) % 40, i(41, 64)", "jax.value_and_grad({0})")
def plackett_luce_likelihood(scores, ranking, length):
    """The loss of a ranked list; only the first items of each list count."""
    ranking = ranking[:, :40]
    s = jnp.where(jnp.arange(40) < length[:, None], jnp.take_along_axis(scores, ranking, 1), -1e9)
    tail = lax.cumlogsumexp(s, axis=1, reverse=True)
    return jnp.where(jnp.arange(40) < length[:, None], tail - s, 0).sum(1).mean()


@row("n(5000), n(6), i(7, 5000)", "jax.value_and_grad({0}, (0, 1))")
def ordinal_cumulative_logits(score, gaps, grade):
    cut = jnp.cumsum(jnp.concatenate([gaps[:1], nn.softplus(gaps[1:])]))
    edge = jnp.concatenate([jnp.full(1, -30.0), cut, jnp.full(1, 30.0)])
    p = nn.sigmoid(edge[grade + 1] - score) - nn.sigmoid(edge[grade] - score)
    return -jnp.log(p + 1e-7).mean()


@row("n(250, 30), n(250, 2)", "jax.value_and_grad({0})")
def mixture_density_of_two_axes(out, y):
    """Five Gaussians with correlation, as for handwriting."""
    pi, mx, my, sx, sy, rho = jnp.split(out, 6, -1)
    rho, zx, zy = jnp.tanh(rho) * 0.95, (y[:, :1] - mx) * jnp.exp(-sx), (y[:, 1:] - my) * jnp.exp(-sy)
    z = zx**2 + zy**2 - 2 * rho * zx * zy
    lp = -z / (2 * (1 - rho**2)) - sx - sy - 0.5 * jnp.log(1 - rho**2) - jnp.log(2 * jnp.pi)
    return -nn.logsumexp(nn.log_softmax(pi) + lp, axis=-1).mean()


# ---- augmentation ----------------------------------------------------------------------------------------------------

@row("random.key(0), n(32, 24, 24, 3), nn.one_hot(i(10, 32), 10)")
def mixup_and_erase(key, x, y):
    k1, k2, k3, k4 = random.split(key, 4)
    share = random.beta(k1, 0.4, 0.4, (32,))
    other = random.permutation(k2, 32)
    x = share[:, None, None, None] * x + (1 - share)[:, None, None, None] * x[other]
    y = share[:, None] * y + (1 - share)[:, None] * y[other]
    top, size = random.randint(k3, (32, 2), 0, 18), random.randint(k4, (32, 2), 2, 8)
    at = jnp.arange(24)
    inside = (at >= top[..., None]) & (at < (top + size)[..., None])
    hole = inside[:, 0, :, None] & inside[:, 1, None, :]
    return jnp.where(hole[..., None], 0, x), y


@row("random.split(random.key(0), 16), n(16, 200, 80)", "vmap({0})")
def masked_spectrogram(key, x):
    keys = random.split(key, 4)
    for j, (size, axis) in enumerate(((27, 1), (27, 1), (40, 0), (40, 0))):
        k1, k2 = random.split(keys[j])
        width = random.randint(k1, (), 0, size)
        start = random.randint(k2, (), 0, x.shape[axis] - width)
        at = jnp.arange(x.shape[axis])
        mask = (at >= start) & (at < start + width)
        x = jnp.where(jnp.expand_dims(mask, 1 - axis), x.mean(), x)
    return x


@row("random.key(0), n(8, 32, 32, 3)")
def mosaic_of_four(key, images):
    cy, cx = random.randint(key, (2,), 12, 52)
    canvas = jnp.zeros((64, 64, 3))
    y, x = jnp.arange(64)[:, None], jnp.arange(64)
    big = jax.image.resize(images[:4], (4, 64, 64, 3), "nearest")
    quarter = 2 * (y >= cy) + (x >= cx)
    for k in range(4):
        canvas = jnp.where((quarter == k)[..., None], jnp.roll(big[k], (cy, cx), (0, 1)), canvas)
    return canvas


@row("random.key(2), n(64, 400), n(500)")
def noise_at_given_ratio(key, speech, noise):
    k1, k2, k3 = random.split(key, 3)
    start = random.randint(k1, (64,), 0, 100)
    cut = jax.vmap(lambda s: lax.dynamic_slice(noise, (s,), (400,)))(start)
    ratio = random.uniform(k2, (64, 1), minval=0.0, maxval=20.0)
    power = lambda z: (z * z).mean(-1, keepdims=True)
    scale = jnp.sqrt(power(speech) / power(cut) * 10 ** (-ratio / 10))
    shift = jnp.arange(400) - random.randint(k3, (64, 1), -30, 30)
    moved = jnp.where((shift >= 0) & (shift < 400), jnp.take_along_axis(speech, shift % 400, 1), 0)
    return jnp.clip(moved + scale * cut, -1, 1)


@row("random.key(0), n(40, 128, 6)")
def warped_time_series(key, x):
    k1, k2, k3 = random.split(key, 3)
    knots = 1 + 0.2 * random.normal(k1, (40, 6))
    speed = jax.vmap(lambda z: jnp.interp(jnp.linspace(0, 5, 128), jnp.arange(6.0), z))(jnp.abs(knots) + 0.1)
    at = jnp.cumsum(speed, 1)
    at = (at - at[:, :1]) / (at[:, -1:] - at[:, :1]) * 127
    warped = jax.vmap(jax.vmap(jnp.interp, (None, None, 1), 1), (0, None, 0))(at, jnp.arange(128.0), x)
    scale = 1 + 0.1 * random.normal(k2, (40, 1, 6))
    return warped * scale * random.rademacher(k3, (40, 1, 6))


# ---- tokens and masks ------------------------------------------------------------------------------------------------

@row("random.key(0), i(5000, 16, 128) + 100", "lambda k, t: vmap({0})(random.split(k, 16), t)")
def span_corruption(key, tokens):
    """Random spans become sentinels in the input; the target lists the sentinels with what they hide."""
    start = random.bernoulli(key, 0.06, (128,))
    hidden = start | jnp.roll(start, 1) | jnp.roll(start, 2)
    first = hidden & ~jnp.concatenate([jnp.zeros(1, bool), hidden[:-1]])
    number = jnp.cumsum(first) - 1
    keep = ~hidden | first
    at = jnp.where(keep, jnp.cumsum(keep) - 1, 128)
    source = jnp.zeros(128, jnp.int32).at[at].set(jnp.where(first, number, tokens), mode="drop")
    place = jnp.cumsum(hidden) + number
    target = jnp.zeros(128, jnp.int32).at[jnp.where(hidden, place, 128)].set(tokens, mode="drop")
    return source, target.at[jnp.where(first, place - 1, 128)].set(number, mode="drop"), hidden.sum()


@row("i(300, 20, 96), i(3, 20, 96) == 0, random.key(1)")
def whole_word_masking(ids, continues, key):
    continues = continues.at[:, 0].set(False)
    word = jnp.cumsum(~continues, 1) - 1
    chosen = random.bernoulli(key, 0.15, (20, 96))
    hit = jnp.take_along_axis(chosen, word, 1)
    coin = jnp.take_along_axis(random.uniform(key, (20, 96)), word, 1)
    return jnp.where(hit & (coin < 0.8), 301, ids), jnp.where(hit, ids, -100), hit.sum(1)


@row("random.split(random.key(0), 8), n(8, 64, 16)", "vmap({0})")
def permutation_language_mask(key, x):
    rank = jnp.argsort(random.permutation(key, 64))
    content = rank[:, None] >= rank
    query = rank[:, None] > rank
    s = x @ x.T / 4
    first = nn.softmax(jnp.where(content, s, -1e9)) @ x
    second = jnp.where(query.any(1)[:, None], nn.softmax(jnp.where(query, s, -1e9)) @ x, 0)
    return first, second


@row("n(60, 40, 6)", "vmap({0})")
def unigram_segmentation(score):
    """Best split where score[t, l] is the log probability of the piece of l + 1 symbols that ends at t."""
    def step(best, s):
        total = best + s
        k = jnp.argmax(total)
        return jnp.concatenate([total[k][None], best[:-1]]), (total[k], k)
    first = jnp.full(6, -1e9).at[0].set(0.0)
    _, (value, choice) = lax.scan(step, first, score)
    def back(t, k):
        return jnp.where(k[1] == t, t - choice[t] - 1, t), k[1] == t
    end = lax.scan(back, 39, (choice[::-1], jnp.arange(39, -1, -1)))
    return value[-1], end[1]


@row("i(27, 500, 14), n(2000, 32)")
def hashed_character_ngrams(letters, table):
    total, count = jnp.zeros((500, 32)), 0
    for size in (3, 4, 5):
        h = jnp.full((500, 14 - size + 1), 2166136261, jnp.uint32)
        for k in range(size):
            h = (h ^ letters[:, k : 14 - size + 1 + k].astype(jnp.uint32)) * jnp.uint32(16777619)
        total, count = total + table[h % 2000].sum(1), count + 14 - size + 1
    return total / count


# ---- sketches --------------------------------------------------------------------------------------------------------

@row("i(1 << 20, 100, 60).astype('uint32')")
def minhash_signatures_and_bands(items):
    a = (jnp.arange(1, 65, dtype=jnp.uint32) * jnp.uint32(2654435761)) | 1
    b = jnp.arange(64, dtype=jnp.uint32) * jnp.uint32(40503)
    signature = jnp.min(items[:, :, None] * a + b, axis=1)
    band = signature.reshape(100, 16, 4)
    key = (band * jnp.array([1, 31, 961, 29791], jnp.uint32)).sum(-1, dtype=jnp.uint32)
    return (signature[:, None] == signature).mean(-1), (key[:, None] == key).any(-1)


@row("i(5000, 20000), i(5000, 50)")
def count_min_sketch(stream, asked):
    salt = jnp.array([2654435761, 2246822519, 3266489917, 668265263, 374761393], jnp.uint32)
    place = lambda x: (x.astype(jnp.uint32)[:, None] * salt >> 20) % 1021
    table = jnp.zeros((1021, 5), jnp.int32).at[place(stream), jnp.arange(5)].add(1)
    return table[place(asked), jnp.arange(5)].min(1)


@row("n(10000), random.key(3)")
def reservoir_of_sixty(stream, key):
    def step(s, x):
        kept, key = s
        value, t = x
        key, k = random.split(key)
        at = random.randint(k, (), 0, t + 1)
        return (kept.at[jnp.where(t < 60, t, at)].set(value, mode="drop"), key), None
    return lax.scan(step, (jnp.zeros(60), key), (stream[:1500], jnp.arange(1500)))[0][0]


# ---- time series -----------------------------------------------------------------------------------------------------

@row("n(64, 96), n(96, 64, scale=.1), n(64, 8, scale=.2), n(64, 8, scale=.2, seed=1)")
@row("n(64, 96), n(96, 64, scale=.1), n(64, 8, scale=.2), n(64, 8, scale=.2, seed=1)", "grad({0}, (1, 2, 3))")
def trend_and_season_blocks(x, w, trend, season):
    """Residual stacks that expand into polynomials and harmonics, backward and forward in time."""
    back, ahead = jnp.arange(96) / 96, jnp.arange(24) / 24 + 1
    poly = lambda t: jnp.stack([t**k for k in range(4)])
    wave = lambda t: jnp.concatenate([f(2 * jnp.pi * k * t)[None] for k in (1, 2) for f in (jnp.cos, jnp.sin)])
    forecast = jnp.zeros((x.shape[0], 24))
    for head, basis in ((trend, poly), (season, wave)):
        theta = nn.relu(x @ w) @ head
        x = x - theta[:, :4] @ basis(back)
        forecast = forecast + theta[:, 4:] @ basis(ahead)
    return forecast


@row("n(30, 5, 128), n(16, 32, scale=.2), n(32, 32, scale=.2), n(15 * 32, 24, scale=.05)")
def reversible_norm_over_patches(x, embed, mix, head):
    mean, std = x.mean(-1, keepdims=True), x.std(-1, keepdims=True) + 1e-5
    z = (x - mean) / std
    patches = z[..., jnp.arange(15)[:, None] * 8 + jnp.arange(16)] @ embed
    attention = nn.softmax(jnp.einsum("bcpd,bcqd->bcpq", patches @ mix, patches) / 32**0.5)
    h = patches + attention @ patches
    return h.reshape(30, 5, -1) @ head * std + mean


@row("jnp.cumsum(n(50, 120), 1)", "vmap({0})")
def theta_forecast(y):
    t = jnp.arange(120.0)
    slope = ((t - t.mean()) * (y - y.mean())).sum() / ((t - t.mean()) ** 2).sum()
    line = y.mean() + slope * (t - t.mean())
    curved = 2 * y - line
    level = lambda a: lax.scan(lambda l, v: (l + a * (v - l), (v - l) ** 2), curved[0], curved)
    grid = jnp.linspace(0.05, 0.95, 19)
    best = grid[jnp.argmin(jax.vmap(lambda a: level(a)[1].sum())(grid))]
    ahead = jnp.arange(1, 13)
    return 0.5 * (level(best)[0] + line[-1] + slope * ahead), best


@row("n(6, 200) + jnp.sin(jnp.arange(200.) / 5)")
def matrix_profile(x):
    """Nearest other window of each window, normalized, without trivial matches."""
    def one(x):
        w = x[jnp.arange(181)[:, None] + jnp.arange(20)]
        w = (w - w.mean(1, keepdims=True)) / (w.std(1, keepdims=True) + 1e-6)
        d = jnp.sqrt(jnp.maximum(40 - 2 * w @ w.T, 0))
        near = jnp.abs(jnp.arange(181)[:, None] - jnp.arange(181)) < 10
        d = jnp.where(near, jnp.inf, d)
        return d.min(1), d.argmin(1)
    return lax.map(one, x)


# ---- speech ----------------------------------------------------------------------------------------------------------

@row("n(4, 32, 400), n(16, 32, 7, scale=.1), jnp.abs(n(32)) + .2")
@row("n(4, 32, 400), n(16, 32, 7, scale=.1), jnp.abs(n(32)) + .2", "grad({0}, (0, 1, 2))")
def snake_and_transposed_convolution(x, kernel, alpha):
    x = x + jnp.sin(alpha[:, None] * x) ** 2 / alpha[:, None]
    return lax.conv_general_dilated(x, kernel, (1,), [(5, 5)], lhs_dilation=(2,), dimension_numbers=("NCH", "OIH", "NCH"))


# ---- graphs ----------------------------------------------------------------------------------------------------------

@row("n(400, 24), jnp.sort(i(400, 2400)), i(400, 2400)[::-1], n(4, 24, 24, scale=.2)")
def chebyshev_graph_convolution(x, source, target, w):
    degree = jnp.zeros(400).at[target].add(1.0)
    norm = lax.rsqrt(jnp.maximum(degree, 1))
    spread = lambda z: -jnp.zeros_like(z).at[target].add(z[source] * (norm[source] * norm[target])[:, None])
    t0, t1 = x, spread(x)
    out = t0 @ w[0] + t1 @ w[1]
    for k in (2, 3):
        t0, t1 = t1, 2 * spread(t1) - t0
        out = out + t1 @ w[k]
    return nn.relu(out)


@row("n(120, 16), (n(120, 120) > 1.2).astype('float32'), n(16, 20, scale=.3), n(16, 32, scale=.3)",
     "jax.value_and_grad({0}, (2, 3))")
def pooled_by_soft_clusters(x, a, assign, embed):
    a = jnp.maximum(a, a.T)
    s = nn.softmax(a @ x @ assign / 10)
    z = nn.relu(a @ x @ embed / 10)
    coarse, features = s.T @ a @ s, s.T @ z
    link = jnp.sqrt(((a - s @ s.T) ** 2).sum()) / 120**2
    entropy = -(s * jnp.log(s + 1e-9)).sum(-1).mean()
    return nn.relu(coarse @ features).sum() * 1e-4 + link + entropy


@row("random.key(0), jnp.sort(i(3000, 500)) * 30, i(500, 15000), i(500, 64), n(500, 32), n(64, 32, scale=.2)")
def sampled_neighbour_means(key, start, neighbour, seeds, x, w):
    """Two rounds of neighbours drawn from compressed rows."""
    size = jnp.diff(start, append=90000) % 20 + 1
    def draw(key, nodes, count):
        r = random.randint(key, (*nodes.shape, count), 0, size[nodes][..., None])
        return neighbour[(start[nodes][..., None] + r) % 15000]
    k1, k2 = random.split(key)
    one = draw(k1, seeds, 8)
    two = draw(k2, one, 4)
    mix = lambda own, near: nn.relu(jnp.concatenate([own, near.mean(-2)], -1) @ w)
    h = mix(mix(x[seeds], x[one]), mix(x[one], x[two]))
    return h / jnp.maximum(jnp.linalg.norm(h, axis=-1, keepdims=True), 1e-6)


# ---- structures of proteins ------------------------------------------------------------------------------------------

@row("n(20, 40, 24), n(40, 40, 4), n(24, 96, scale=.2)")
def row_attention_with_pair_bias(msa, bias, w):
    q, k, v, g = jnp.split(msa @ w, 4, -1)
    split = lambda z: z.reshape(20, 40, 4, 6)
    s = jnp.einsum("sihd,sjhd->shij", split(q), split(k)) / 6**0.5 + bias.transpose(2, 0, 1)
    return (nn.sigmoid(split(g)) * jnp.einsum("shij,sjhd->sihd", nn.softmax(s), split(v))).reshape(20, 40, 24)


@row("jnp.linalg.qr(n(48, 3, 3))[0], n(48, 3), jnp.linalg.qr(n(48, 3, 3, seed=1))[0], n(48, 3, seed=2)",
     "jax.value_and_grad({0}, (0, 1))")
def frame_aligned_point_error(r, t, r0, t0):
    local = lambda r, t: jnp.einsum("fji,fpj->fpi", r, t[None] - t[:, None])
    d = jnp.sqrt(((local(r, t) - local(r0, t0)) ** 2).sum(-1) + 1e-4)
    return jnp.clip(d, 0, 10).mean() / 10


@row("n(40, 40, 32), n(40, 3) * 8", "jax.value_and_grad({0})")
def binned_distance_loss(logits, position):
    d2 = ((position[:, None] - position) ** 2).sum(-1)
    bins = (d2[..., None] > jnp.linspace(2.3, 21.7, 31) ** 2).sum(-1)
    logits = logits + logits.swapaxes(0, 1)
    apart = jnp.abs(jnp.arange(40)[:, None] - jnp.arange(40)) > 2
    loss = -jnp.take_along_axis(nn.log_softmax(logits), bins[..., None], -1)[..., 0]
    return (loss * apart).sum() / apart.sum()


# ---- agents ----------------------------------------------------------------------------------------------------------

@row("n(64, 50), n(64, 50) > 2, n(64, 50, 6)")
def returns_to_go_and_relabelled_goals(reward, done, state):
    def back(g, x):
        r, d = x
        g = r + jnp.where(d, 0.0, g)
        return g, g
    togo = lax.scan(back, jnp.zeros(64), (reward.T, done.T), reverse=True)[1].T
    at = jnp.arange(50)
    end = lax.cummin(jnp.where(done, at, 49), axis=1, reverse=True)
    goal = jnp.take_along_axis(state, jnp.minimum(at + 5, end)[..., None], 1)
    return togo, (jnp.linalg.norm(goal - state, axis=-1) < 1.5).astype(jnp.float32), end - at


@row("random.key(0), n(16, 24), n(16, 24), n(30, 72, scale=.2), n(24, 72, scale=.2),"
     " n(24, 48, scale=.2), n(24, 6, scale=.3)")
@row("random.key(0), n(16, 24), n(16, 24), n(30, 72, scale=.2), n(24, 72, scale=.2),"
     " n(24, 48, scale=.2), n(24, 6, scale=.3)",
     "grad({0}, (3, 4, 5, 6))")
def imagined_latent_rollout(key, h, z, w, u, prior, actor):
    def step(s, key):
        h, z = s
        a = jnp.tanh(h @ actor)
        i, g = jnp.concatenate([z, a], -1) @ w, h @ u
        r, c, o = jnp.split(i, 3, -1)
        r1, c1, o1 = jnp.split(g, 3, -1)
        update = nn.sigmoid(o + o1 - 1)
        h = update * jnp.tanh(nn.sigmoid(r + r1) * c1 + c) + (1 - update) * h
        mean, spread = jnp.split(h @ prior, 2, -1)
        z = mean + (nn.softplus(spread) + 0.1) * random.normal(key, mean.shape)
        return (h, z), jnp.tanh(h).mean(-1)
    return lax.scan(step, (h, z), random.split(key, 15))[1]


@row("n(500) * 20, n(500, 601)")
def scalar_to_support_and_back(x, logits):
    squeezed = jnp.sign(x) * (jnp.sqrt(jnp.abs(x) + 1) - 1) + 0.001 * x
    low = jnp.floor(squeezed)
    share = squeezed - low
    at = low.astype(jnp.int32) + 300
    target = jnp.zeros((500, 601)).at[jnp.arange(500), at].set(1 - share).at[jnp.arange(500), at + 1].add(share)
    value = nn.softmax(logits) @ jnp.arange(-300.0, 301)
    value = jnp.sign(value) * (((jnp.sqrt(1 + 0.004 * (jnp.abs(value) + 1.001)) - 1) / 0.002) ** 2 - 1)
    return -(target * nn.log_softmax(logits)).sum(-1), value


@row("random.key(0), n(40, 32)")
def sequential_halving_of_actions(key, true_value):
    """Sixteen candidates by perturbed logits; half of them stay after each round of noisy visits."""
    gumbel = random.gumbel(key, true_value.shape)
    top = lax.top_k(true_value + gumbel, 16)[1]
    total, visits = jnp.zeros((40, 32)), jnp.zeros((40, 32))
    at = jnp.arange(40)[:, None]
    for k, (count, each) in enumerate(((16, 2), (8, 4), (4, 8), (2, 16))):
        noise = random.normal(random.fold_in(key, k), (40, count)) / each**0.5
        total = total.at[at, top].add((true_value[at, top] + noise) * each)
        visits = visits.at[at, top].add(each)
        score = total[at, top] / visits[at, top] + 0.1 * gumbel[at, top]
        top = jnp.take_along_axis(top, lax.top_k(score, max(count // 2, 1))[1], 1)
    return top[:, 0], total / jnp.maximum(visits, 1)


# ---- optimizers ------------------------------------------------------------------------------------------------------

@row("n(300, 64), n(300, 64, seed=1), n(300, 64, seed=2, scale=.1), jnp.abs(n(300, 64)), jnp.int32(7)")
@row("n(10007, dtype='bfloat16'), n(10007, dtype='bfloat16', seed=1), n(10007, scale=.1), jnp.abs(n(10007)), jnp.int32(3)")
def rectified_belief_step(p, g, m, s, t):
    """Variance of the surprise, with the rectification of early steps."""
    g32 = g.astype(jnp.float32)
    m = 0.9 * m + 0.1 * g32
    s = 0.999 * s + 0.001 * (g32 - m) ** 2 + 1e-16
    b2t = 0.999**t
    rho = 1999 - 2 * t * b2t / (1 - b2t)
    r = jnp.sqrt(jnp.maximum((rho - 4) * (rho - 2) * 1999 / (1995 * 1997 * jnp.maximum(rho, 5)), 0))
    mhat = m / (1 - 0.9**t)
    step = jnp.where(rho > 5, r * mhat / (jnp.sqrt(s / (1 - b2t)) + 1e-8), mhat)
    return (p - 1e-3 * step).astype(p.dtype), m, s


@row("[n(64, 128), n(128), n(3, 3, 16, 32)], [n(64, 128, seed=1), n(128, seed=1), n(3, 3, 16, 32, seed=1)],"
     " [jnp.abs(n(64, 128)), jnp.abs(n(128)), jnp.abs(n(3, 3, 16, 32))]")
def yogi_with_centralized_gradients(params, grads, second):
    def one(p, g, v):
        g = g - g.mean(tuple(range(g.ndim - 1)), keepdims=True) if g.ndim > 1 else g
        v = v - 0.001 * jnp.sign(v - g * g) * g * g
        return p - 0.01 * g / (jnp.sqrt(v) + 1e-3), v
    return jax.tree.map(one, params, grads, second)


@row("n(4, 5000)")
def projected_conflicting_gradients(g):
    """Gradients of four tasks; each loses its part against those it conflicts with."""
    def one(j):
        def against(k, v):
            dot = v @ g[k]
            return jnp.where((dot < 0) & (k != j), v - dot / (g[k] @ g[k]) * g[k], v)
        return lax.fori_loop(0, 4, against, g[j])
    return jax.vmap(one)(jnp.arange(4)).mean(0)


@row("n(200, 40), n(200)")
def barzilai_borwein_descent(a, b):
    g = jax.grad(lambda x: jnp.mean(jnp.logaddexp(0, -jnp.sign(b) * (a @ x))) + 0.01 * x @ x)
    def step(s, k):
        x, old, gold = s
        gx = g(x)
        dx, dg = x - old, gx - gold
        long, short = dx @ dx / (dx @ dg + 1e-12), dx @ dg / (dg @ dg + 1e-12)
        return (x - jnp.clip(jnp.where(k % 2 == 0, long, short), 1e-3, 100.0) * gx, x, gx), jnp.linalg.norm(gx)
    x0 = jnp.zeros(40)
    return lax.scan(step, (x0 - 0.1 * g(x0), x0, g(x0)), jnp.arange(40))


@row("n(8, 20000), n(8, 20000, scale=.1)")
def sparse_votes_with_feedback(g, error):
    """Each of 8 workers sends the signs of its largest entries; the majority decides."""
    total = g + error
    def one(x):
        value, at = lax.top_k(jnp.abs(x), 400)
        sent = jnp.zeros_like(x).at[at].set(jnp.sign(x[at]) * value.mean())
        return sent, x - sent
    sent, error = jax.vmap(one)(total)
    return jnp.sign(jnp.sign(sent).sum(0)), error


@row("jnp.arange(3000)")
def schedules_of_one_cycle_and_restarts(step):
    t = step / 3000
    warm = 0.5 * (1 - jnp.cos(jnp.pi * jnp.minimum(t / 0.3, 1)))
    one_cycle = jnp.where(t < 0.3, 0.04 + 0.96 * warm, 0.5 * (1 + jnp.cos(jnp.pi * (t - 0.3) / 0.7)))
    cycle = jnp.floor(jnp.log2(step / 100 + 1))
    start = 100 * (2**cycle - 1)
    restart = 0.5 * (1 + jnp.cos(jnp.pi * (step - start) / (100 * 2**cycle)))
    stable = jnp.select([step < 200, step < 2400], [step / 200, 1.0], 1 - jnp.sqrt((step - 2400) / 600))
    staircase = 0.5 ** jnp.searchsorted(jnp.array([800, 1500, 2200]), step, side="right")
    return jnp.stack([one_cycle, restart, stable, staircase])


@row("n(400, 60), n(60)")
def exponentiated_gradient_portfolio(returns, w):
    def step(w, r):
        w = w * jnp.exp(0.5 * r / (1 + 0.05 * w @ r))
        w = w / w.sum()
        return w, jnp.log1p(0.05 * w @ r)
    return lax.scan(step, nn.softmax(w), returns)


@row("n(24, 12, scale=.3), n(12, 4, scale=.3), n(200, 24), i(4, 200), jnp.log(jnp.array(.05))")
def learning_rate_by_hypergradient(w1, w2, x, y, log_rate):
    """The learning rate is learned through ten steps."""
    loss = lambda p: -nn.log_softmax(jnp.tanh(x @ p[0]) @ p[1])[jnp.arange(200), y].mean()
    def train(log_rate):
        step = lambda p, _: (jax.tree.map(lambda a, g: a - jnp.exp(log_rate) * g, p, jax.grad(loss)(p)), None)
        return loss(lax.scan(jax.checkpoint(step), (w1, w2), None, length=10)[0])
    return jax.value_and_grad(train)(log_rate)
