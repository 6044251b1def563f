"""blind_libraries.py: rows of the long tail written before any of them was measured (snippets.py): code as in libraries
on JAX: optimizers, layers, bijectors, reinforcement learning."""
import jax
import jax.numpy as jnp
from jax import lax, nn

from snippets import row


# ---- optax -----------------------------------------------------------------------------------------------------------

@row("i(20000, 512)")
def warmup_cosine_exponential_schedules(step):
    warm = jnp.clip(step / 1000, 0, 1) * 1e-3
    frac = jnp.clip((step - 1000) / 15000, 0, 1)
    cosine = 1e-5 + (1e-3 - 1e-5) * 0.5 * (1 + jnp.cos(jnp.pi * frac))
    stair = 1e-3 * 0.9 ** jnp.floor(step / 2000)
    return jnp.stack([jnp.where(step < 1000, warm, cosine), stair, 1e-3 * lax.rsqrt(jnp.maximum(step, 1000) / 1000)])


@row("{'w': n(256, 256), 'b': n(256), 'h': n(256, 40)}, {'w': n(256, 256, seed=1), 'b': n(256, seed=1), 'h': n(256, 40, seed=1)}")
def clip_global_then_lookahead(fast, grads):
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(grads)))
    grads = jax.tree.map(lambda g: jnp.where(norm < 1.0, g, g / norm), grads)
    slow = jax.tree.map(lambda p: 0.9 * p, fast)

    def body(k, carry):
        fast, slow = carry
        fast = jax.tree.map(lambda p, g: p - 1e-2 * (g + 1e-3 * p), fast, grads)
        mixed = jax.tree.map(lambda s, p: s + 0.5 * (p - s), slow, fast)
        sync = k % 3 == 2
        choose = lambda a, b: jax.tree.map(lambda a, b: jnp.where(sync, a, b), a, b)
        return choose(mixed, fast), choose(mixed, slow)
    return lax.fori_loop(0, 6, body, (fast, slow))


@row("n(384, 512), n(384, 512, seed=1), n(384, 512, seed=2)")
def lion_cautious(p, g, m):
    update = jnp.sign(0.9 * m + 0.1 * g)
    mask = (update * g > 0).astype(g.dtype)
    return p - 1e-4 * (update * mask / jnp.maximum(mask.mean(), 1e-3) + 0.1 * p), 0.99 * m + 0.01 * g


@row("n(300, 500), n(300, 500, seed=1), jnp.abs(n(300)), jnp.abs(n(500))")
def adafactor_factored(p, g, rows, cols):
    sq = g * g + 1e-30
    rows, cols = 0.99 * rows + 0.01 * sq.mean(1), 0.99 * cols + 0.01 * sq.mean(0)
    u = g * lax.rsqrt(rows / rows.mean())[:, None] * lax.rsqrt(cols)[None]
    u = u / jnp.maximum(1.0, jnp.sqrt(jnp.mean(u * u)))
    return p - jnp.maximum(1e-3, jnp.sqrt(jnp.mean(p * p))) * 1e-2 * u, rows, cols


@row("n(40, 30), n(64, 40), n(64, 30), n(40, 30, seed=3)")
def sophia_hutchinson(w, x, y, m):
    loss = lambda w: jnp.mean(nn.softplus(jnp.tanh(x @ w) * y))
    v = jax.random.rademacher(jax.random.key(1), w.shape, w.dtype)
    g, hv = jax.jvp(jax.grad(loss), (w,), (v,))
    m = 0.96 * m + 0.04 * g
    return w - 1e-3 * jnp.clip(m / jnp.maximum(0.01 * v * hv, 1e-12), -1, 1), m


@row("[n(64, 64, 3, 3), n(64), n(10, 64)], [n(64, 64, 3, 3, seed=1), n(64, seed=1), n(10, 64, seed=1)]")
def adaptive_gradient_clipping(params, grads):
    def unit_norm(x):
        return jnp.abs(x) if x.ndim <= 1 else jnp.sqrt(jnp.sum(x * x, axis=tuple(range(1, x.ndim)), keepdims=True))
    def one(p, g):
        most, norm = 0.01 * jnp.maximum(unit_norm(p), 1e-3), unit_norm(g)
        return jnp.where(norm < most, g, g * most / jnp.maximum(norm, 1e-6))
    return jax.tree.map(one, params, grads)


@row("n(128, 200), n(128, 200, seed=1)")
def lamb_and_trust_ratio(p, g):
    m, v = 0.1 * g, 0.001 * g * g
    u = (m / 0.1) / (jnp.sqrt(v / 0.001) + 1e-6) + 0.01 * p
    a, b = jnp.linalg.norm(p), jnp.linalg.norm(u)
    return p - 1e-3 * jnp.where(a > 0, jnp.where(b > 0, a / b, 1.0), 1.0) * u


# ---- flax, haiku, equinox -----------------------------------------------------------------------------------------------

@row("n(32, 50, 24), n(24, 192, scale=.2), n(64, 192, scale=.1), n(192)")
@row("n(16, 20, 24), n(24, 192, scale=.2), n(64, 192, scale=.1), n(192)", function="grad({0}, (1, 2, 3))")
def gru_over_time(x, wi, wh, b):
    def cell(h, x):
        zi, ri, ni = jnp.split(x @ wi + b, 3, axis=-1)
        zh, rh, nh = jnp.split(h @ wh, 3, axis=-1)
        z, new = nn.sigmoid(zi + zh), jnp.tanh(ni + nn.sigmoid(ri + rh) * nh)
        h = (1 - z) * new + z * h
        return h, h
    return lax.scan(cell, jnp.zeros((x.shape[0], 64)), x.swapaxes(0, 1))[1]


@row("n(16, 40, 48), n(48, 256, scale=.2), n(64, 256, scale=.1), n(256), i(40, 16) + 1")
def bidirectional_lstm_with_lengths(x, wi, wh, b, lengths):
    def cell(carry, at):
        x, t = at
        h, c = carry
        i, f, g, o = jnp.split(x @ wi + h @ wh + b, 4, axis=-1)
        c1 = nn.sigmoid(f + 1) * c + nn.sigmoid(i) * jnp.tanh(g)
        h1 = nn.sigmoid(o) * jnp.tanh(c1)
        live = (t < lengths)[:, None]
        return (jnp.where(live, h1, h), jnp.where(live, c1, c)), h1
    xs, zero = x.swapaxes(0, 1), jnp.zeros((16, 64))
    flip = lambda a: jnp.take_along_axis(a, ((lengths[None] - 1 - jnp.arange(40)[:, None]) % 40)[..., None], axis=0)
    ahead = lax.scan(cell, (zero, zero), (xs, jnp.arange(40)))[1]
    back = flip(lax.scan(cell, (zero, zero), (flip(xs), jnp.arange(40)))[1])
    return jnp.concatenate([ahead, back], -1).swapaxes(0, 1)


@row("n(8, 12, 12, 8), n(3, 3, 24, 64, scale=.1), n(64)")
def conv_lstm_cell(x, w, b):
    h = c = jnp.zeros((8, 12, 12, 16))
    for _ in range(3):
        xh = jnp.concatenate([x, h], -1)
        z = lax.conv_general_dilated(xh, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + b
        i, g, f, o = jnp.split(z, 4, axis=-1)
        c = nn.sigmoid(f + 1) * c + nn.sigmoid(i) * jnp.tanh(g)
        h = nn.sigmoid(o) * jnp.tanh(c)
    return h, c


@row("n(64, 200), n(200, 120), jnp.ones(120)", function="grad({0}, (0, 1, 2))")
def weight_normed_dense(x, v, g):
    return nn.relu(x @ (v * (g / jnp.sqrt(jnp.sum(v * v, axis=0) + 1e-12)))) ** 2


@row("n(3, 3, 64, 96), n(96)")
def spectral_norm_of_kernel(kernel, u):
    w = kernel.reshape(-1, kernel.shape[-1])
    for _ in range(5):
        v = u @ w.T
        v = v * lax.rsqrt(jnp.sum(v * v) + 1e-12)
        u = v @ w
        u = u * lax.rsqrt(jnp.sum(u * u) + 1e-12)
    u, v = lax.stop_gradient((u, v))
    return kernel / (v @ w @ u), u


@row("n(8, 16, 16, 64), jnp.ones(64), n(64)")
@row("n(4, 16, 16, 64), jnp.ones(64), n(64)", function="grad({0}, (0, 1, 2))")
def group_norm_silu(x, scale, bias):
    g = x.reshape(*x.shape[:-1], 16, 4)
    mean, sq = g.mean((1, 2, 4), keepdims=True), (g * g).mean((1, 2, 4), keepdims=True)
    y = (g - mean) * lax.rsqrt(jnp.maximum(sq - mean * mean, 0) + 1e-5)
    return nn.silu(y.reshape(x.shape) * scale + bias)


@row("n(32, 128), n(32, 128), n(4, 128, 128, scale=.05), n(4, 128), n(128, 24)")
def equinox_mlp_ensemble(x, y, ws, bs, out):
    def loss(ws, bs, x, y):
        for w, b in zip(ws, bs):
            x = nn.gelu(w @ x + b)
        return jnp.mean((x @ out - y[:24]) ** 2)
    return jax.value_and_grad(lambda ws, bs: jax.vmap(loss, (None, None, 0, 0))(ws, bs, x, y).mean(), (0, 1))(ws, bs)


# ---- blackjax, numpyro, distrax -------------------------------------------------------------------------------------------

@row("n(16, 20), definite(0, 20)")
def elliptical_slice_chains(x, cov):
    chol = jnp.linalg.cholesky(cov / 20)
    like = lambda f: -jnp.sum(nn.softplus(-f))
    def one(f, key):
        k = jax.random.split(key, 4)
        nu = chol @ jax.random.normal(k[0], f.shape)
        y = like(f) + jnp.log(jax.random.uniform(k[1]))
        theta = jax.random.uniform(k[2]) * 2 * jnp.pi
        def shrink(s):
            theta, lo, hi, key, n = s
            lo, hi = jnp.where(theta < 0, theta, lo), jnp.where(theta < 0, hi, theta)
            key, sub = jax.random.split(key)
            return jax.random.uniform(sub, minval=lo, maxval=hi), lo, hi, key, n + 1
        bad = lambda s: (like(f * jnp.cos(s[0]) + nu * jnp.sin(s[0])) < y) & (s[4] < 50)
        theta = lax.while_loop(bad, shrink, (theta, theta - 2 * jnp.pi, theta, k[3], 0))[0]
        return f * jnp.cos(theta) + nu * jnp.sin(theta)
    return lax.fori_loop(0, 10, lambda i, x: jax.vmap(one)(x, jax.random.split(jax.random.key(i), 16)), x)


@row("n(64, 3), n(200, 2), i(2, 200)")
@row("n(64, 3), n(200, 2), i(2, 200)", function="grad({0}, 0)")
def log_density_of_logistic_model(params, x, y):
    def one(p):
        logits = x @ p[:2] + p[2]
        prior = -0.5 * jnp.sum(p * p) - 1.5 * jnp.log(2 * jnp.pi)
        return prior + jnp.sum(y * -nn.softplus(-logits) + (1 - y) * -nn.softplus(logits))
    return jax.vmap(one)(params)


@row("n(500, 7)")
def stick_breaking_bijector(x):
    k = x.shape[-1]
    z = nn.sigmoid(x - jnp.log(k - jnp.arange(k)))
    rest = jnp.cumprod(1 - z, -1)
    one = jnp.ones((x.shape[0], 1))
    simplex = jnp.concatenate([z, one], -1) * jnp.concatenate([one, rest], -1)
    logdet = jnp.sum(jnp.log(z) + jnp.log1p(-z) + jnp.log(jnp.concatenate([one, rest[:, :-1]], -1)), -1)
    return simplex, logdet


@row("n(256, 12), n(6, 64, scale=.2), n(64, 12, scale=.2)")
@row("n(256, 12), n(6, 64, scale=.2), n(64, 12, scale=.2)", function="jax.grad({0}, (1, 2))")
def real_nvp_log_prob(x, w1, w2):
    logdet = 0.0
    for k in range(4):
        x = x[:, ::-1] if k % 2 else x
        a, b = jnp.split(x, 2, -1)
        shift, scale = jnp.split(jnp.tanh(a @ w1) @ w2, 2, -1)
        s = jnp.tanh(scale)
        x, logdet = jnp.concatenate([a, b * jnp.exp(s) + shift], -1), logdet + s.sum(-1)
    return jnp.mean(-0.5 * jnp.sum(x * x, -1) - 6 * jnp.log(2 * jnp.pi) + logdet)


@row("n(500, 4), n(8, 4), jnp.abs(n(8, 4)) + .1, n(8)")
def mixture_same_family_log_prob(x, loc, scale, logits):
    z = (x[:, None] - loc) / scale
    lp = jnp.sum(-0.5 * z * z - jnp.log(scale) - 0.5 * jnp.log(2 * jnp.pi), -1)
    return nn.logsumexp(lp + nn.log_softmax(logits), axis=-1)


# ---- rlax --------------------------------------------------------------------------------------------------------------

@row("n(64, 80), n(64, 80, seed=1), n(64, 80, seed=2), jnp.full((64, 80), .99)")
def v_trace_of_actors(v, r, log_rho, discount):
    rho = jnp.exp(log_rho)
    c, rho = jnp.minimum(1.0, rho), jnp.minimum(1.0, rho)
    following = jnp.concatenate([v[:, 1:], v[:, -1:]], 1)
    td = rho * (r + discount * following - v)
    def body(acc, x):
        td, d, c = x
        acc = td + d * c * acc
        return acc, acc
    errors = lax.scan(body, jnp.zeros(64), (td.T, discount.T, c.T), reverse=True)[1].T
    target = errors + v
    return errors, rho * (r + discount * jnp.concatenate([target[:, 1:], v[:, -1:]], 1) - v)


@row("n(30, 20, 6), n(30, 20, 6, seed=1), i(6, 30, 20), n(30, 20, seed=2), nn.softmax(n(30, 20, 6, seed=3)), n(30, 20, seed=4)")
def retrace_targets(q, target_q, a, r, pi, log_mu):
    q_a = jnp.take_along_axis(target_q, a[..., None], -1)[..., 0]
    c = 0.95 * jnp.minimum(1.0, jnp.take_along_axis(pi, a[..., None], -1)[..., 0] / jnp.exp(log_mu))
    ev = jnp.sum(pi * target_q, -1)
    def one(q_a, c, ev, r):
        def body(g, x):
            r, c, v, qa = x
            g = r + 0.99 * (v - c * qa + c * g)
            return g, g
        return lax.scan(body, ev[-1], (r[:-1], c[1:], ev[1:], q_a[1:]), reverse=True)[1]
    return jax.vmap(one)(q_a, c, ev, r) - jnp.take_along_axis(q, a[..., None], -1)[:, :-1, 0]


@row("n(128, 51), n(128), n(128, 51, seed=1)", function="jax.value_and_grad({0})")
def c51_loss(logits, r, next_logits):
    atoms = jnp.linspace(-10, 10, 51)
    target = jnp.clip(r[:, None] + 0.99 * atoms, -10, 10)
    weight = jnp.clip(1 - jnp.abs(target[:, None, :] - atoms[None, :, None]) / 0.4, 0, 1)
    p = lax.stop_gradient(jnp.einsum("bij,bj->bi", weight, nn.softmax(next_logits)))
    return -jnp.mean(jnp.sum(p * nn.log_softmax(logits), -1))


@row("n(64, 32), n(64, 32, seed=1), jax.random.uniform(key, (64, 32))", function="jax.value_and_grad({0})")
def quantile_huber_loss(theta, target, tau):
    delta = lax.stop_gradient(target)[:, None, :] - theta[:, :, None]
    huber = jnp.where(jnp.abs(delta) <= 1, 0.5 * delta**2, jnp.abs(delta) - 0.5)
    return jnp.mean(jnp.sum(jnp.mean(jnp.abs(tau[:, :, None] - (lax.stop_gradient(delta) < 0)) * huber, 2), 1))


@row("n(128, 64), n(128, 65, seed=1), i(20, 128, 64) > 0, n(128, 64), n(128, 64, seed=3)")
def gae_and_clipped_surrogate(r, v, alive, logp, old):
    d = 0.99 * alive
    delta = r + d * v[:, 1:] - v[:, :-1]
    _, adv = lax.scan(lambda a, x: (x[0] + 0.95 * x[1] * a,) * 2, jnp.zeros(128), (delta.T, d.T), reverse=True)
    adv = (adv.T - adv.mean()) / (adv.std() + 1e-8)
    ratio = jnp.exp(0.1 * (logp - old))
    return -jnp.minimum(ratio * adv, jnp.clip(ratio, 0.8, 1.2) * adv).mean(), adv
