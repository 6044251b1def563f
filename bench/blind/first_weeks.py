"""fresh_1.py: a first week with JAX: its tutorials, tables to prepare, training loops written out, derivatives of every kind,
control flow."""
import functools

import jax
import jax.numpy as jnp
from jax import lax, nn, random

from programs import normal
from snippets import row

ROWS = [
    # the first notebook
    "lambda x: 1.0507 * jnp.where(x > 0, x, 1.67326 * jnp.exp(x) - 1.67326) + x.mean() @@ n(1000000)",
    "grad(lambda x: 1.0507 * jnp.where(x > 0, x, 1.67326 * jnp.expm1(x))) @@ n(1234, 57)",
    "jax.hessian(lambda x: jnp.log1p((x * jnp.roll(x, 1)) ** 2).sum()) @@ n(43)",
    "jax.jacfwd(lambda x: jnp.stack([x[0], 5 * x[2], 4 * x[1] ** 2 - 2 * x[2], x[2] * jnp.sin(x[0])])) @@ n(3)",
    "vmap(jax.jacrev(lambda x: jnp.sin(x[:3]) * x[3:] / (2 + x[0]))) @@ n(507, 6)",
    "lambda x, t: jax.jvp(lambda x: jnp.tanh(x @ x.T).sum(1), (x,), (t,)) @@ n(61, 19), n(61, 19)",
    "lambda x, c: jax.vjp(lambda x: jnp.outer(jnp.sin(x), jnp.cos(x)), x)[1](c) @@ n(171), n(171, 171)",
    "vmap(lambda w, x, b: nn.sigmoid(w @ x + b), (None, 0, None)) @@ n(150, 100), n(10, 100), n(150)",
    "vmap(vmap(jnp.convolve, (None, 0)), (0, None)) @@ n(13, 101), n(7, 5)",
    "lambda a, b: jnp.stack([jnp.vdot(a, b), jnp.inner(a, b).sum(), jnp.outer(a, b)[3, 2]]) @@ n(999), n(999)",
    "lambda x: x.at[1, :].set(1.).at[::2, 3:].add(7.).at[-1].mul(.5) @@ n(101, 73)",
    "lambda x: lax.cond(x.sum() > 0, lambda x: x - x.max(), lambda x: x * 2, x) @@ n(4097)",
    "lambda x: lax.while_loop(lambda s: s.max() < 1000, lambda s: s * 1.5 + 1, x) @@ abs(n(501))",
    "lambda x: lax.fori_loop(0, 15, lambda k, y: y.at[k].add(y[k - 1] * .5), x) @@ n(15, 33)",
    "lambda k: random.normal(k, (1001, 33)) + random.uniform(k, (33,)) @@ key",
    "lambda k: random.permutation(k, 2003)[:100] @@ key",
    "lambda x, y: jnp.polyval(jnp.polyfit(x, y, 3), x) - y @@ n(211), n(211, seed=1)",
    "lambda x: jnp.where(jnp.isnan(x), jnp.nanmean(x, 0), x) @@ jnp.where(n(891, 12) > 1.2, jnp.nan, n(891, 12, seed=1))",
    "lambda x: (x - x.min(0)) / (jnp.ptp(x, 0) + 1e-9) @@ n(1460, 79)",
    "lambda x: (x - jnp.median(x, 0)) / (jnp.quantile(x, .75, 0) - jnp.quantile(x, .25, 0)) @@ n(891, 7)",
    "lambda c: nn.one_hot(c, 25, dtype='int8').reshape(1461, -1) @@ i(25, 1461, 3)",
    "lambda x: jnp.concatenate([x] + [x[:, j:] * x[:, j:j + 1] for j in range(9)], 1) @@ n(1460, 9)",
    "lambda x: jnp.sign(x) * jnp.log1p(jnp.abs(x)) @@ n(61, 1201, scale=50.)",
    "lambda t: jnp.stack([f(2 * jnp.pi * t[:, None] / jnp.array([24., 168., 8766.])) for f in (jnp.sin, jnp.cos)], -1) @@ jnp.arange(8760.)",
    "lambda x: jnp.stack([jnp.roll(x, k, 0) for k in (1, 7, 28)], -1)[28:] @@ n(1941, 10)",
    "lambda x: (jnp.cumsum(x)[30:] - jnp.cumsum(x)[:-30]) / 30 @@ n(3049)",
    "lambda x: jnp.argsort(-jnp.abs(jnp.corrcoef(x, rowvar=False)[-1]))[:10] @@ n(1460, 38)",
    "f64: lambda p, y: -jnp.mean(y * jnp.log(jnp.clip(p, 1e-15, 1)) + (1 - y) * jnp.log1p(-jnp.clip(p, 0, 1 - 1e-15)))"
    " @@ nn.sigmoid(n(7613, dtype='float64')), i(2, 7613)",
    "lambda p, y: jnp.sqrt(jnp.mean((jnp.log1p(p) - jnp.log1p(y)) ** 2)) @@ abs(n(1459)), abs(n(1459, seed=1))",
    "lambda a, k: jnp.take(a, k, axis=0, mode='fill', fill_value=-1) @@ i(999, 5001), i(6000, 402)",
]


# ---- as in the tutorials -------------------------------------------------------------------------------------------------

def digit_params(*sizes):
    return [(normal(b, a, scale=a**-0.5, seed=a), normal(b, scale=0.01)) for a, b in zip(sizes, sizes[1:])]


def one_digit(params, image):
    h = image
    for w, b in params[:-1]:
        h = nn.relu(w @ h + b)
    logits = params[-1][0] @ h + params[-1][1]
    return logits - nn.logsumexp(logits)


@row("digit_params(784, 512, 512, 10), n(128, 784), i(10, 128)")
@row("digit_params(101, 67, 10), n(31, 101), i(10, 31)")
def tutorial_update_of_digits(params, images, labels):
    target = nn.one_hot(labels, 10)
    loss = lambda p: -jnp.mean(jax.vmap(one_digit, (None, 0))(p, images) * target)
    grads = jax.grad(loss)(params)
    return [(w - 0.01 * dw, b - 0.01 * db) for (w, b), (dw, db) in zip(params, grads)]


@row("digit_params(784, 300, 10), n(1000, 784), i(10, 1000)")
def tutorial_accuracy_of_digits(params, images, labels):
    return jnp.mean(jnp.argmax(jax.vmap(one_digit, (None, 0))(params, images), 1) == labels)


@jax.custom_jvp
def tutorial_log1pexp(x):
    return jnp.log(1.0 + jnp.exp(x))


tutorial_log1pexp.defjvp(lambda p, t: (tutorial_log1pexp(*p), (1 - 1 / (1 + jnp.exp(p[0]))) * t[0]))


@row("n(333, 41, scale=5.)", "vmap(vmap(jax.value_and_grad({0})))")
@row("n(10007)", "grad({0})")
def growth_through_stable_rule(x):
    return tutorial_log1pexp(x) + 0.1 * tutorial_log1pexp(-x)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def tutorial_fixed_point(f, a, x):
    cond = lambda s: jnp.abs(s[0] - s[1]).max() > 1e-5
    return lax.while_loop(cond, lambda s: (s[1], f(a, s[1])), (x, f(a, x)))[1]


def _fixed_forward(f, a, x):
    star = tutorial_fixed_point(f, a, x)
    return star, (a, star)


def _fixed_backward(f, saved, bar):
    a, star = saved
    _, vjp_a = jax.vjp(lambda a: f(a, star), a)
    _, vjp_x = jax.vjp(lambda x: f(a, x), star)
    w = lax.fori_loop(0, 25, lambda _, w: bar + vjp_x(w)[0], bar)
    return vjp_a(w)[0], jnp.zeros_like(star)


tutorial_fixed_point.defvjp(_fixed_forward, _fixed_backward)


@row("abs(n(77)) + 1, jnp.ones(77)")
@row("abs(n(77)) + 1, jnp.ones(77)", "grad({0})")
def roots_by_the_tutorials_fixed_point(a, x):
    return tutorial_fixed_point(lambda a, x: 0.5 * (x + a / x), a, x)


@row("n(6, 19, 19, scale=.1), n(6, 19)", "vmap({0})")
@row("n(19, 19, scale=.1), n(19)", "jax.jacfwd({0})")
def affine_map_iterated_until_close(w, b):
    step = lambda x: jnp.tanh(w @ x + b)
    return lax.while_loop(lambda s: (jnp.abs(s[0] - s[1]).max() > 1e-4) & (s[2] < 60), lambda s: (step(s[0]), s[0], s[2] + 1),
                          (step(b), b, 0))[0]


@row("n(50, 3), n(50, seed=2), n(4)")
@row("n(501, 9), n(501, seed=2), n(10)")
def tutorial_logistic_with_derivatives_checked(x, t, wb):
    def loss(wb):
        p = 0.5 * (jnp.tanh((x @ wb[:-1] + wb[-1]) / 2) + 1)
        label = t > 0
        return -jnp.sum(jnp.log(p * label + (1 - p) * (1 - label) + 1e-6))
    g = jax.grad(loss)(wb)
    unit = jnp.linspace(-1.0, 1.0, wb.size)
    finite = (loss(wb + 5e-3 * unit) - loss(wb - 5e-3 * unit)) / 1e-2
    return g, finite, g @ unit, jax.jvp(jax.grad(loss), (wb,), (unit,))[1]


@row("{'w': n(64, 33, scale=.1), 'b': (n(33), n(5)), 'head': [n(33, 5, scale=.1)]}, n(70, 64), i(5, 70)")
def tree_of_parameters_averaged_and_decayed(p, x, y):
    def loss(p):
        logits = nn.elu(x @ p["w"] + p["b"][0]) @ p["head"][0] + p["b"][1]
        return -jnp.take_along_axis(nn.log_softmax(logits), y[:, None], 1).mean()
    def step(s, _):
        p, average = s
        value, g = jax.value_and_grad(loss)(p)
        p = jax.tree.map(lambda p, g: p - 0.1 * g - 1e-4 * p, p, g)
        return (p, jax.tree.map(lambda a, p: 0.9 * a + 0.1 * p, average, p)), value
    (p, average), losses = lax.scan(step, (p, p), length=8)
    return average, losses, sum(jax.tree.leaves(jax.tree.map(lambda x: jnp.abs(x).sum(), p)))


@row("key, n(1797, 64), i(10, 1797)")
def epoch_of_shuffled_batches_with_dropout(key, x, y):
    p = (jnp.zeros((64, 48)) + normal(64, 48, scale=0.1), normal(48, 10, scale=0.1))
    order = random.permutation(key, 1792).reshape(28, 64)
    def loss(p, rows, key):
        h = nn.gelu(x[rows] @ p[0])
        h = jnp.where(random.bernoulli(key, 0.8, h.shape), h / 0.8, 0)
        return -jnp.take_along_axis(nn.log_softmax(h @ p[1]), y[rows][:, None], 1).mean()
    def step(p, s):
        value, g = jax.value_and_grad(loss)(p, *s)
        return jax.tree.map(lambda p, g: p - 0.05 * g, p, g), value
    return lax.scan(step, p, (order, random.split(key, 28)))


@row("n(32, 28, 28, 1), n(3, 3, 1, 16, scale=.3), n(3, 3, 16, 32, scale=.1), n(1568, 10, scale=.05), i(10, 32)",
     "jax.value_and_grad({0}, (1, 2, 3))")
@row("n(9, 28, 28, 1), n(3, 3, 1, 16, scale=.3), n(3, 3, 16, 32, scale=.1), n(1568, 10, scale=.05), i(10, 9)")
def small_convnet_of_the_quick_start(x, k1, k2, w, y):
    for k in (k1, k2):
        x = nn.relu(lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    logits = x.reshape(x.shape[0], -1) @ w
    return (nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, y[:, None], 1)[:, 0]).mean()


@row("n(37, 501), n(37, 5)", "vmap({0})")
@row("n(100003), n(7)")
def tutorial_convolution_by_windows(x, w):
    half = w.size // 2
    return jnp.stack([jnp.dot(x[i:i + w.size], w) for i in range(4)]).sum() + jax.vmap(
        lambda i: lax.dynamic_slice(x, (i,), (w.size,)) @ w)(jnp.arange(half, x.size - w.size))


@row("n(41, 25), n(25, 25)", "jax.value_and_grad({0}, (0, 1))")
def chain_of_sines_rematerialized(x, w):
    layer = jax.checkpoint(lambda x, w: jnp.sin(jnp.sin(x @ w) + x))
    for _ in range(5):
        x = layer(x, w)
    return (x * x).mean()


@row("n(8, 300), n(8, 5)")
def step_functions_chosen_by_argmax(x, score):
    branches = (lambda r: r * 2, jnp.cumsum, lambda r: r[::-1] - r.mean(), jnp.sort, lambda r: jnp.where(r > 0, r, 0))
    return lax.map(lambda s: lax.switch(jnp.argmax(s[1]), branches, s[0]), (x, score))


@row("n(2000), n(2000, seed=4), n(3)")
def line_fitted_with_outliers_downweighted(x, y, theta):
    def step(theta, _):
        r = y - jnp.polyval(theta, x)
        w = 1 / (1 + (r / (1.48 * jnp.median(jnp.abs(r)))) ** 2)
        a = jnp.vander(x, 3)
        return jnp.linalg.solve((a * w[:, None]).T @ a + 1e-4 * jnp.eye(3), a.T @ (w * y)), jnp.sum(w)
    return lax.scan(step, theta, length=6)


# ---- tables --------------------------------------------------------------------------------------------------------------

@row("jnp.where(n(891) > 1, jnp.nan, abs(n(891, seed=2)) * 20 + 5), i(3, 891), i(2, 891), abs(n(891, seed=5)) * 40")
def passengers_to_features(age, klass, sex, fare):
    group = klass * 2 + sex
    known = ~jnp.isnan(age)
    total = jax.ops.segment_sum(jnp.where(known, age, 0), group, 6)
    age = jnp.where(known, age, (total / jnp.maximum(jax.ops.segment_sum(known * 1.0, group, 6), 1))[group])
    band = jnp.digitize(age, jnp.array([5.0, 12, 18, 35, 60]))
    return jnp.concatenate([nn.one_hot(klass, 3), nn.one_hot(band, 6), sex[:, None], jnp.log1p(fare)[:, None],
                            jax.scipy.stats.rankdata(fare)[:, None] / 891], 1)


@row("i(54, 30490), abs(n(30490)), i(365, 30490)")
@row("i(54, 777), abs(n(777)), i(365, 777)")
def sales_by_store_and_weekday(store, amount, day):
    cell = store * 7 + day % 7
    total = jnp.zeros(54 * 7).at[cell].add(amount).reshape(54, 7)
    count = jnp.bincount(cell, length=54 * 7).reshape(54, 7)
    share = total / total.sum(1, keepdims=True)
    return share, total / jnp.maximum(count, 1), jnp.argmax(share, 1), jnp.zeros(54).at[store].max(amount)


@row("n(5000, 4), i(12, 5000), i(2, 5000)")
def target_means_out_of_fold(x, kind, y):
    fold = jnp.arange(5000) % 5
    table = jnp.zeros((5, 12, 2)).at[fold, kind].add(jnp.stack([y * 1.0, jnp.ones(5000)], 1))
    rest = table.sum(0) - table
    mean = (rest[..., 0] + 10 * y.mean()) / (rest[..., 1] + 10)
    return jnp.concatenate([x, mean[fold, kind][:, None]], 1)


@row("n(1460, 30), n(1460), n(1459, 30)")
@row("n(123, 11), n(123), n(37, 11)")
def ridge_with_five_folds_and_blend(x, y, new):
    fold = jnp.arange(y.size) % 5
    def fit(keep, lam):
        a = jnp.where(keep[:, None], x, 0)
        w = jnp.linalg.solve(a.T @ a + lam * jnp.eye(x.shape[1]), a.T @ y)
        return jnp.where(keep, 0, (x @ w - y) ** 2).sum(), new @ w
    errors, out = jax.vmap(lambda lam: jax.vmap(lambda k: fit(fold != k, lam))(jnp.arange(5)))(jnp.array([0.1, 1.0, 10.0, 100.0]))
    score = jnp.sqrt(errors.sum(1) / y.size)
    return score, out[jnp.argmin(score)].mean(0)


@row("i(100, 4000), abs(n(4000)), jnp.sort(i(1 << 20, 4000))")
def cards_with_spending_velocity(card, amount, when):
    """For each purchase the time since the card's last one and its running mean."""
    order = jnp.lexsort((when, card))
    c, a, t = card[order], amount[order], when[order]
    first = jnp.concatenate([jnp.array([True]), c[1:] != c[:-1]])
    gap = jnp.where(first, -1, jnp.diff(t, prepend=t[:1]))
    def join(l, r):
        return jnp.where(r[2], r[0], l[0] + r[0]), jnp.where(r[2], r[1], l[1] + r[1]), l[2] | r[2]
    total, count, _ = lax.associative_scan(join, (a, jnp.ones_like(a), first))
    back = jnp.argsort(order)
    return gap[back], (total / count)[back]


@row("n(2001, 28), i(2, 2001)")
def forest_of_stumps_voted(x, y):
    cuts = jnp.quantile(x, jnp.linspace(0.1, 0.9, 9), 0)
    left = (x[:, None] <= cuts).astype(jnp.float32)
    n, hit = left.sum(0), jnp.einsum("nkf,n->kf", left, y.astype(jnp.float32))
    p, q = hit / n, (y.sum() - hit) / (2001 - n)
    gini = n * p * (1 - p) + (2001 - n) * q * (1 - q)
    best = jnp.argmin(gini, 0)
    take = lambda t: jnp.take_along_axis(t, best[None], 0)[0]
    return jnp.where(x <= take(cuts), take(p), take(q)).mean(1), take(gini)


@row("n(3000, 10), n(3000, scale=2.)")
def boosted_stumps_by_newton(x, y):
    edges = jnp.quantile(x, jnp.linspace(0, 1, 17)[1:-1], 0)
    code = (x[:, None] > edges).sum(1)
    flat = code + 16 * jnp.arange(10)
    def stage(f, _):
        g = jnp.repeat((f - y)[:, None], 10, 1)
        hist = jnp.zeros((160, 2)).at[flat].add(jnp.stack([g, jnp.ones_like(g)], -1)).reshape(10, 16, 2)
        left = jnp.cumsum(hist, 1)[:, :-1]
        right = hist.sum(1, keepdims=True) - left
        gain = (left[..., 0] ** 2 / (left[..., 1] + 1) + right[..., 0] ** 2 / (right[..., 1] + 1)).ravel()
        k = jnp.argmax(gain)
        j, c = k // 15, k % 15
        value = jnp.where(code[:, j] <= c, -left[j, c, 0] / (left[j, c, 1] + 1), -right[j, c, 0] / (right[j, c, 1] + 1))
        return f + 0.3 * value, gain[k]
    return lax.scan(stage, jnp.zeros(3000), length=12)


@row("n(301, 40), n(5, 40)")
@row("n(59, 17), n(5, 17)")
def components_then_rotated_by_varimax(x, start):
    x = x - x.mean(0)
    loadings = jnp.linalg.svd(x, full_matrices=False)[2][:5].T
    def turn(r, _):
        l = loadings @ r
        u, _, v = jnp.linalg.svd(loadings.T @ (l**3 - l * (l * l).mean(0)))
        return u @ v, (l**4).sum()
    r, trace = lax.scan(turn, jnp.eye(5), length=7)
    return jnp.abs(loadings @ r), trace, start @ loadings


@row("i(40, 900, 20), i(2, 900)")
def naive_bayes_of_word_counts(words, label):
    count = jnp.zeros((2, 40)).at[label[:, None], words].add(1)
    logp = jnp.log(count + 1) - jnp.log(count.sum(1, keepdims=True) + 40)
    prior = jnp.log(jnp.bincount(label, length=2) / 900)
    score = prior + logp[:, words].sum(-1).T
    return nn.softmax(score), (score.argmax(1) == label).mean()


@row("n(500, 13), i(3, 500), n(120, 13)")
def nearest_seven_vote_by_distance(x, y, q):
    d = (q * q).sum(1)[:, None] - 2 * q @ x.T + (x * x).sum(1)
    near, at = lax.top_k(-d, 7)
    weight = 1 / (jnp.sqrt(jnp.maximum(-near, 0)) + 1e-3)
    return jnp.einsum("qk,qkc->qc", weight, nn.one_hot(y[at], 3)) / weight.sum(1, keepdims=True)


@row("abs(n(1000, 24)), i(1000, 50)")
def minutes_to_bars_with_bands(x, start):
    """Open, high, low, close of 20 minutes, bands of two deviations, relative strength."""
    bars = x.reshape(50, 20, 24)
    close = bars[:, -1]
    ohlc = jnp.stack([bars[:, 0], bars.max(1), bars.min(1), close])
    mean = jnp.stack([close[k:k + 39] for k in range(12)]).mean(0)
    std = jnp.stack([close[k:k + 39] for k in range(12)]).std(0)
    up, down = nn.relu(jnp.diff(close, axis=0)), nn.relu(-jnp.diff(close, axis=0))
    smooth = lambda v: lax.scan(lambda s, t: (s * 13 / 14 + t / 14,) * 2, v[0], v)[1]
    return ohlc, mean + 2 * std, mean - 2 * std, 100 - 100 / (1 + smooth(up) / (smooth(down) + 1e-6)), start % 50


@row("i(256, 60, 28, 28).astype('uint8'), i(10, 60)")
@row("i(256, 500, 28, 28).astype('uint8'), i(10, 500)")
def mean_digit_and_its_pixels_spread(x, label):
    f = x.astype(jnp.float32) / 255
    one = nn.one_hot(label, 10)
    mean = jnp.einsum("nhw,nc->chw", f, one) / (one.sum(0)[:, None, None] + 1e-6)
    d = ((f[:, None] - mean) ** 2).sum((2, 3))
    return mean, d.argmin(1), jnp.zeros((10, 10), jnp.int32).at[label, d.argmin(1)].add(1)


# ---- derivatives ---------------------------------------------------------------------------------------------------------

@row("n(23), n(23)")
@row("n(23), n(23)", "grad({0})")
def curvature_along_direction(x, v):
    f = lambda x: jnp.sum(jnp.sin(x[:-1]) * x[1:] ** 2) + nn.logsumexp(x)
    return jax.jvp(lambda x: jax.jvp(f, (x,), (v,))[1], (x,), (v,))[1]


@row("n(3, 20, scale=.3), n(64, 2)")
def divergence_and_curl_of_small_field(w, x):
    field = lambda p: jnp.tanh(p @ w[:2] * 2 + w[2]) @ jnp.stack([w[0], w[1]], 1)
    j = jax.vmap(jax.jacfwd(field))(x)
    return j[:, 0, 0] + j[:, 1, 1], j[:, 1, 0] - j[:, 0, 1], jnp.linalg.det(j)


@row("n(5, 30), n(30, 4)")
def gradient_of_gradient_norm(a, b):
    f = lambda a, b: jnp.sum(nn.softplus(a @ b))
    norm = lambda a: jnp.sum(jax.grad(f, 1)(a, b) ** 2)
    return jax.value_and_grad(norm)(a)


@row("n(17, 9), n(9, 9)")
def linearized_once_pushed_many_times(x, basis):
    f = lambda x: jnp.cumsum(jnp.exp(-x * x)) / (1 + x.max())
    _, push = jax.linearize(f, x[0])
    _, pull = jax.vjp(f, x[0])
    return jax.vmap(push)(basis), jax.vmap(pull)(x)[0]


@row("n(31) + 1j * n(31, seed=1)", "lambda z: (jax.grad(lambda z: {0}(z).real, holomorphic=False)(z), {0}(z))")
def energy_of_complex_field(z):
    return jnp.sum(jnp.abs(z) ** 4) - jnp.vdot(z, jnp.roll(z, 1)) + jnp.sum(z**2).conj()


@row("n(6, 5), n(40, 6), n(40, 5)")
def newton_on_layer_by_flat_hessian(w, x, y):
    f = lambda v: ((jnp.tanh(x @ v.reshape(6, 5)) - y) ** 2).mean()
    v = w.ravel()
    h = jax.hessian(f)(v)
    values, vectors = jnp.linalg.eigh(h)
    step = vectors @ ((vectors.T @ jax.grad(f)(v)) / (jnp.abs(values) + 1e-2))
    return (v - step).reshape(6, 5), values


@row("n(200, 3)", "vmap({0})")
def metric_and_its_symbols_by_nested_jacobians(q):
    """Christoffel symbols of a bumpy surface in three coordinates."""
    metric = lambda q: jnp.eye(3) + jnp.outer(jnp.cos(q), jnp.cos(q)) * 0.3 + jnp.diag(q**2)
    d = jax.jacfwd(metric)(q)
    lower = 0.5 * (d.transpose(0, 2, 1) + d - d.transpose(2, 1, 0).swapaxes(0, 1))
    return jnp.linalg.solve(metric(q), lower.reshape(3, 9)).reshape(3, 3, 3)
