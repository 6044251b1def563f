"""blind_libraries_science.py: rows of the long tail written before any of them was measured (snippets.py): code as in
libraries on JAX: solvers, graphs, physics, games, images, language, small floats, sparse arrays."""
import jax
import jax.numpy as jnp
from jax import lax, nn
from jax.experimental import sparse

from snippets import row


# ---- jaxopt, lineax, diffrax, evosax ------------------------------------------------------------------------------------

@row("n(200, 60), n(200)")
def fista_group_lasso(a, b):
    step = 1 / jnp.sum(a * a)
    def prox(w):
        g = w.reshape(-1, 5)
        return (g * nn.relu(1 - step * 2 / jnp.maximum(jnp.linalg.norm(g, axis=1, keepdims=True), 1e-9))).ravel()
    def body(_, s):
        w, y, t = s
        new = prox(y - step * a.T @ (a @ y - b))
        t1 = 0.5 * (1 + jnp.sqrt(1 + 4 * t * t))
        return new, new + (t - 1) / t1 * (new - w), t1
    return lax.fori_loop(0, 60, body, (jnp.zeros(60), jnp.zeros(60), 1.0))[0]


@row("n(256, 40)")
def simplex_and_l1_ball_projections(x):
    def simplex(v):
        u = jnp.sort(v)[::-1]
        css = jnp.cumsum(u) - 1
        k = jnp.sum(u * jnp.arange(1, 41) > css)
        return nn.relu(v - css[k - 1] / k)
    inside = jnp.abs(x).sum(1, keepdims=True) <= 1
    return jax.vmap(simplex)(x), jnp.where(inside, x, jnp.sign(x) * jax.vmap(simplex)(jnp.abs(x)))


@row("n(32, 64), n(32, 63), n(32, 63, seed=1), n(32, 64, seed=2)")
def lineax_tridiagonal(d, lo, up, b):
    def thomas(d, lo, up, b):
        def forward(c, x):
            d, lo, up, b = x
            den = d - lo * c[0]
            c = up / den, (b - lo * c[1]) / den
            return c, c
        z = jnp.zeros(1)
        _, (cs, ds) = lax.scan(forward, (0.0, 0.0), (5 + jnp.abs(d), jnp.concatenate([z, lo]), jnp.concatenate([up, z]), b))
        return lax.scan(lambda x, c: (c[1] - c[0] * x,) * 2, 0.0, (cs, ds), reverse=True)[1]
    return jax.vmap(thomas)(d, lo, up, b)


@row("n(100, 3), n(3, 32, scale=.4), n(32, 3, scale=.4)")
def tsit5_steps_of_vector_field(y, w1, w2):
    f = lambda y: jnp.tanh(y @ w1) @ w2 - 0.1 * y
    a = [[0.161], [-0.008480655, 0.335480655], [2.8971531, -6.3594484, 4.3622954],
         [5.3258648, -11.7488836, 7.4955393, -0.0924951], [5.8614554, -12.9209693, 8.1593679, -0.0715850, -0.0282691]]
    def step(y, _):
        k = [f(y)]
        for c in a:
            k.append(f(y + 0.05 * sum(w * q for w, q in zip(c, k))))
        y = y + 0.05 * sum(w * q for w, q in zip([0.0964608, 0.01, 0.4798896, 1.3790086, -3.2900695, 2.3247105], k))
        return y, jnp.abs(y).max()
    return lax.scan(step, y, None, length=30)


@row("n(50), n(200, 50, seed=1), jnp.ones(50)")
def snes_update(mean, noise, sigma):
    def generation(s, z):
        mean, sigma = s
        x = mean + sigma * z
        fit = jnp.sum(x * x - 10 * jnp.cos(2 * jnp.pi * x) + 10, -1)
        rank = jnp.argsort(jnp.argsort(fit))
        u = nn.relu(jnp.log(101.0) - jnp.log(rank + 1.0))
        u = u / u.sum() - 1 / 200
        return (mean + sigma * (u @ z), sigma * jnp.exp(0.1 * (u @ (z * z - 1)))), fit.min()
    return lax.scan(generation, (mean, sigma), jnp.stack([jnp.roll(noise, k, 0) * (-1) ** k for k in range(8)]))


# ---- jraph, jax-md, e3nn, MJX, tinygp, jax-cosmo, netket ------------------------------------------------------------------

@row("n(400, 32), n(1600, 16), i(400, 1600), i(400, 1600)[::-1], i(8, 400), n(80, 32, scale=.2), n(64, 32, scale=.2)")
def jraph_graph_network(nodes, edges, senders, receivers, graph, we, wn):
    new = nn.relu(jnp.concatenate([nodes[senders], nodes[receivers], edges], -1) @ we)
    got = jax.ops.segment_sum(new, receivers, 400)
    nodes = nn.relu(jnp.concatenate([nodes, got], -1) @ wn)
    at = jnp.sort(graph)
    return jax.ops.segment_sum(nodes, at, 8, indices_are_sorted=True), jax.ops.segment_max(nodes, at, 8)


@row("n(500, 8), i(100, 500), i(100, 500)[::-1], n(100, 8)")
def segment_softmax_attention(logits, receivers, senders, values):
    top = jax.ops.segment_max(logits, receivers, 100)
    e = jnp.exp(logits - top[receivers])
    e = e / (jax.ops.segment_sum(e, receivers, 100) + 1e-9)[receivers]
    return jax.ops.segment_sum(e * values[senders], receivers, 100)


@row("n(150, 3, scale=3.)", function="jax.value_and_grad({0})")
def periodic_soft_sphere_energy(r):
    d = r[:, None] - r[None]
    d = jnp.mod(d + 4.0, 8.0) - 4.0
    sq = jnp.sum(d * d, -1)
    dist = jnp.where(sq > 0, jnp.sqrt(jnp.where(sq > 0, sq, 1.0)), 0)
    u = 0.5 * (1 - dist) ** 2
    return 0.5 * jnp.sum(jnp.where((dist < 1) & ~jnp.eye(150, dtype=bool), u, 0))


@row("n(600, 3), n(600, 16), n(4, 16)")
def sphericart_features_to_l2(v, x, w):
    x_, y_, z_ = (v * lax.rsqrt(jnp.sum(v * v, -1, keepdims=True))).T
    s3 = 3**0.5
    y = jnp.stack([jnp.ones_like(x_), s3 * y_, s3 * z_, s3 * x_, 15**0.5 * x_ * y_, 15**0.5 * y_ * z_, 1.118 * (3 * z_**2 - 1),
                   15**0.5 * x_ * z_, 1.936 * (x_**2 - y_**2)], -1)
    f = jnp.einsum("ac,al->acl", x, y)
    return jnp.stack([(f[..., a:b] ** 2).sum(-1) for a, b in ((0, 1), (1, 4), (4, 9))], -1), f.sum(0) @ y[:9].T


@row("n(200, 4, 3), n(200, 4, 5), n(3, 5, 7)")
@row("n(100, 4, 3), n(100, 4, 5), n(3, 5, 7)", function="grad({0}, (0, 1))")
def tensor_product_of_irreps(a, b, cg):
    return jnp.einsum("nui,nuj,ijk->nuk", a, b, cg) / 7**0.5


@row("jnp.sort(n(60)), n(60, seed=1), jnp.array([.3, .1, -1.])", function="jax.value_and_grad({0}, 2)")
def tinygp_matern_likelihood(x, y, p):
    r = jnp.abs(x[:, None] - x) * jnp.sqrt(3.0) * jnp.exp(-p[0])
    k = jnp.exp(p[1]) * (1 + r) * jnp.exp(-r) + jnp.exp(p[2]) * jnp.eye(60)
    chol = jnp.linalg.cholesky(k)
    alpha = jax.scipy.linalg.solve_triangular(chol, y, lower=True)
    return 0.5 * alpha @ alpha + jnp.log(jnp.diagonal(chol)).sum()


@row("jnp.logspace(-3, 1, 256), jnp.array([.25, .05, .7, .96])", function="jax.jacfwd({0}, 1)")
def eisenstein_like_power(k, p):
    om, ob, h, ns = p
    gamma = om * h * jnp.exp(-ob * (1 + jnp.sqrt(2 * h) / om))
    q = k / gamma
    t = jnp.log(1 + 2.34 * q) / (2.34 * q) * (1 + 3.89 * q + (16.1 * q) ** 2 + (5.46 * q) ** 3 + (6.71 * q) ** 4) ** -0.25
    x = k[:, None] * 8 / k.max() * jnp.linspace(0.5, 1, 16)
    return k**ns * t * t * (3 * (jnp.sin(x) - x * jnp.cos(x)) / x**3).mean(1)


@row("i(2, 200, 24) * 2 - 1, n(24, 32, scale=.1), n(32), n(24)")
def netket_rbm_local_energy(s, w, b, a):
    s = s.astype(jnp.float32)
    psi = lambda s: s @ a + jnp.sum(jnp.log(jnp.cosh(s @ w + b)), -1)
    flips = s[:, None] * (1 - 2 * jnp.eye(24))
    diag = -jnp.sum(s * jnp.roll(s, 1, 1), 1)
    return diag - jnp.sum(jnp.exp(jnp.clip(psi(flips) - psi(s)[:, None], -20, 20)), 1)


@row("n(512, 3), n(512, 4), n(512, 3), n(512, 6)")
def mjx_integrate_free_joints(pos, quat, vel, force):
    quat = quat / jnp.linalg.norm(quat, axis=1, keepdims=True)
    def step(s, _):
        pos, q, v, w = s
        v, w = v + 0.01 * (force[:, :3] - jnp.array([0, 0, 9.81])), w + 0.01 * force[:, 3:]
        angle = jnp.linalg.norm(w, axis=1, keepdims=True) * 0.01
        d = jnp.concatenate([jnp.cos(angle / 2), w * 0.01 * 0.5 * jnp.sinc(angle / 2 / jnp.pi)], 1)
        (a, b, c, e), (x, y, z, t) = q.T, d.T
        q = jnp.stack([a*x - b*y - c*z - e*t, a*y + b*x + c*t - e*z, a*z - b*t + c*x + e*y, a*t + b*z - c*y + e*x], 1)
        return (pos + 0.01 * v, q / jnp.linalg.norm(q, axis=1, keepdims=True), v, w), None
    return lax.scan(step, (pos, quat, vel, jnp.zeros_like(vel)), None, length=10)[0]


# ---- environments, images, language, small floats, sparse ------------------------------------------------------------------

@row("i(3, 64, 9) - 1, i(9, 64)")
def pgx_tic_tac_toe(board, action):
    lines = jnp.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])
    def step(b, a):
        b = jnp.where(b[a] == 0, b.at[a].set(1), b)
        won = jnp.any(jnp.all(b[lines] == 1, 1))
        return -b, won, won | jnp.all(b != 0), jnp.stack([b == 1, b == -1], -1).reshape(3, 3, 2), b == 0
    return jax.vmap(step)(board, action)


@row("n(256, 2, scale=.3), n(256, 50)")
def gymnax_mountain_car(state, force):
    def one(s, actions):
        def step(s, a):
            v = jnp.clip(s[1] + 0.0015 * jnp.clip(a, -1, 1) - 0.0025 * jnp.cos(3 * s[0]), -0.07, 0.07)
            x = jnp.clip(s[0] + v, -1.2, 0.6)
            done = x >= 0.45
            s = jnp.where(done, jnp.array([-0.5, 0.0]), jnp.array([x, v * (1 - (x <= -1.2) * (v < 0))]))
            return s, (s, done * 100.0 - 0.1 * a * a, done)
        return lax.scan(step, s, actions)
    return jax.vmap(one)(state, force)


@row("nn.sigmoid(n(4, 64, 64, 3))")
def pix_hue_and_gamma(image):
    mx, mn = image.max(-1), image.min(-1)
    c, (r, g, b) = mx - mn + 1e-9, jnp.moveaxis(image, -1, 0)
    hue = jnp.where(mx == r, (g - b) / c % 6, jnp.where(mx == g, (b - r) / c + 2, (r - g) / c + 4)) / 6
    hue, sat = (hue + 0.1) % 1, c / mx
    k = (jnp.array([5.0, 3.0, 1.0]) + hue[..., None] * 6) % 6
    rgb = mx[..., None] * (1 - sat[..., None] * jnp.clip(jnp.minimum(k, 4 - k), 0, 1))
    return jnp.clip(rgb, 0, 1) ** 0.8


@row("n(2, 512), n(512, 1024, scale=.04), n(2, 8, 256, 64), n(2, 8, 256, 64, seed=1), i(250, 2), n(512)")
def gemma_decode_softcapped(x, wqkv, ck, cv, pos, scale):
    h = x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * (1 + scale)
    q, k = jnp.split((h @ wqkv).reshape(2, 16, 64), 2, 1)
    put = jax.vmap(lambda c, u, p: lax.dynamic_update_slice(c, u[:, None], (0, p, 0)))
    ck, cv = put(ck, k, pos), put(cv, k[..., ::-1], pos)
    s = 50 * jnp.tanh(jnp.einsum("bhd,bhsd->bhs", q, ck) / 8 / 50)
    span = jnp.arange(256)
    ok = (span <= pos[:, None]) & (span > pos[:, None] - 128)
    return jnp.einsum("bhs,bhsd->bhd", nn.softmax(jnp.where(ok[:, None], s, -2e38), -1), cv).reshape(2, 512), ck, cv


@row("n(64, 256).astype('bfloat16'), n(256, 512).astype('bfloat16'), n(256, 512, seed=1).astype('bfloat16'), n(512, 256)")
def penzai_gated_feed_forward(x, gate, up, down):
    return (nn.gelu(x @ gate) * (x @ up)) @ down.astype(jnp.bfloat16) + x


@row("n(128, 256), n(256, 192)")
def fp8_per_channel_recipe(x, w):
    sx, sw = jnp.abs(x).max(1, keepdims=True) / 448, jnp.abs(w).max(0) / 448
    qx, qw = (x / sx).astype(jnp.float8_e4m3fn), (w / sw).astype(jnp.float8_e4m3fn)
    return lax.dot(qx.astype(jnp.bfloat16), qw.astype(jnp.bfloat16), preferred_element_type=jnp.float32) * sx * sw


@row("n(96, 128), n(128, 64), jnp.ones(16)", function="jax.grad({0}, (0, 1))")
def fp8_gradients_in_e5m2(x, w, history):
    @jax.custom_vjp
    def quantized(x):
        return (jnp.clip(x * 448 / history.max(), -448, 448).astype(jnp.float8_e4m3fn).astype(x.dtype)) * history.max() / 448
    quantized.defvjp(lambda x: (quantized(x), None), lambda _, g: (g.astype(jnp.float8_e5m2).astype(g.dtype),))
    return jnp.sum(jnp.square(quantized(x) @ quantized(w)))


@row("n(300, 400) * (n(300, 400, seed=1) > 1.6), n(400, 16)", function="grad({0}, 1)")
@row("n(300, 400) * (n(300, 400, seed=1) > 1.6), n(400, 16)")
def bcsr_matmul(a, x):
    return sparse.BCSR.fromdense(a, nse=8000) @ x


@row("n(1500), i(300, 1500, 2), n(300, 300)")
def bcoo_dedupe_transpose_product(data, at, dense):
    m = sparse.BCOO((data, at), shape=(300, 300)).sum_duplicates(nse=1500)
    return (m.T @ dense).sum(0), (m * dense).todense().sum(1), sparse.bcoo_reduce_sum(m, axes=[0]).todense()
