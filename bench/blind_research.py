"""blind_research.py: rows of the long tail written before any of them was measured (snippets.py): code of machine-learning
research: new layers and normalizations, losses, attention variants, state spaces, experts, contrastive learning, diffusion
samplers, targets of reinforcement learning, meta-learning, hypernetworks, optimizers, quantization, equivariant and
graph nets."""
import functools

import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- layers and normalizations ---------------------------------------------------------------------------------------

@row("n(16, 197, 384), n(), n(384), n(384, seed=1)", "grad({0}, (0, 1, 2, 3))")
def dynamic_tanh(x, alpha, gain, bias):
    return gain * jnp.tanh(alpha * x) + bias


@row("n(2, 7, 7, 40), n(40), n(40, seed=1)")
@row("n(16, 28, 28, 64), n(64), n(64, seed=1)", "grad({0}, (0, 1, 2))")
def global_response_norm(x, gamma, beta):
    """The response normalization of ConvNeXt V2."""
    gx = jnp.sqrt(jnp.sum(x * x, axis=(1, 2), keepdims=True) + 1e-6)
    nx = gx / (gx.mean(axis=-1, keepdims=True) + 1e-6)
    return gamma * (x * nx) + beta + x


@row("n(32, 20, 20, 12), n(12), n(12, seed=1), n(12, scale=.1), abs(n(12)) + .5")
def batch_renormalization(x, gamma, beta, running_mean, running_std):
    mean = x.mean((0, 1, 2))
    std = jnp.sqrt(x.var((0, 1, 2)) + 1e-5)
    r = lax.stop_gradient(jnp.clip(std / running_std, 1 / 3, 3))
    d = lax.stop_gradient(jnp.clip((mean - running_mean) / running_std, -5, 5))
    y = ((x - mean) / std * r + d) * gamma + beta
    return y, 0.99 * running_mean + 0.01 * mean, 0.99 * running_std + 0.01 * std


@row("n(200, 60), n(60, 90, scale=.1), n(90), n(60, 90, scale=.1, seed=1)", "grad({0}, (1, 2, 3))")
def highway_gate(x, w, b, w_gate):
    h = nn.gelu(x @ w + b, approximate=False)
    t = nn.sigmoid(x @ w_gate - 2.0)
    return jnp.where(t > 0.01, t * h, 0.0) + (1 - t) * jnp.pad(x, ((0, 0), (0, 30)))


@row("n(64, 33), n(33, 5, 40, scale=.2), n(5, 40)")
def maxout(x, w, b):
    return jnp.max(jnp.einsum("bi,iko->bko", x, w) + b, axis=1)


@row("n(128, 48), n(48, 48, scale=.2), n(48), n(48, seed=1)", "grad({0}, (0, 1, 2, 3))")
def cross_network(x, w, b, c):
    """Three layers of DCN V2."""
    y = x
    for k in range(3):
        y = x * (y @ w + b) + y + k * c
    return y


@row("n(64, 7), n(7, 64, scale=.5), n(64, 7 * 16 + 16 + 16, scale=.1), n(64, 250, 7)", "grad({0}, (1, 2))")
def hypernetwork_of_small_nets(context, w1, w2, x):
    """Each context generates the weights of its own network of one hidden layer."""
    def apply(theta, x):
        w, b, v = jnp.split(theta, [112, 128])
        return jnp.tanh(x @ w.reshape(7, 16) + b) @ v
    return jax.vmap(apply)(nn.swish(context @ w1) @ w2, x)


@row("n(16, 32, 32, 16), n(16, 32), n(32, 32, scale=.2), n(3, 3, 16, 16, scale=.1)")
def film_residual_block(x, condition, w, kernel):
    scale, shift = jnp.split(condition @ w, 2, axis=-1)
    h = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    h = (h - h.mean((1, 2), keepdims=True)) * lax.rsqrt(h.var((1, 2), keepdims=True) + 1e-5)
    return x + nn.relu(h * (1 + scale[:, None, None]) + shift[:, None, None])


@row("n(256, 24), n(24, 64, scale=4.)", "jax.value_and_grad(lambda x, w: {0}(x, w).mean(), (0, 1))")
def sine_layer_with_random_features(x, w):
    a = x @ w
    return jnp.sin(a).sum(1) + jnp.sinc(a).prod(1, where=abs(a) < 0.5)


# ---- attention variants ----------------------------------------------------------------------------------------------

@row("n(2, 80, 4, 2, 24), n(2, 80, 4, 2, 24, seed=1), n(2, 80, 4, 48), n(4, 24, scale=.1)", "grad({0}, (0, 1, 2, 3))")
def differential_attention(q, k, v, lam):
    scores = jnp.einsum("bqhcd,bkhcd->bhcqk", q, k) / jnp.sqrt(24.0)
    mask = jnp.tril(jnp.ones((80, 80), bool))
    p = nn.softmax(jnp.where(mask, scores, -jnp.inf), axis=-1)
    weight = jnp.exp(lam[0] @ lam[1]) - jnp.exp(lam[2] @ lam[3]) + 0.2
    out = jnp.einsum("bhqk,bkhd->bqhd", p[:, :, 0] - weight * p[:, :, 1], v)
    return out * lax.rsqrt(jnp.mean(out**2, -1, keepdims=True) + 1e-5) * 0.8


@row("n(3, 6, 64, 16), n(3, 6, 64, 16, seed=1), n(3, 6, 64, 16, seed=2), n(16, 32)")
def performer_positive_features(q, k, v, omega):
    def phi(x):
        x = x / 16**0.25
        h = x @ omega
        return jnp.exp(h - jnp.max(h, axis=-1, keepdims=True) - 0.5 * jnp.sum(x * x, -1, keepdims=True)) + 1e-4
    q, k = phi(q), phi(k)
    kv = jnp.cumsum(jnp.einsum("bhtm,bhtd->bhtmd", k, v), axis=2)
    z = jnp.einsum("bhtm,bhtm->bht", q, jnp.cumsum(k, axis=2))
    return jnp.einsum("bhtm,bhtmd->bhtd", q, kv) / z[..., None]


@row("n(2, 3, 60, 20), n(2, 3, 60, 20, seed=1), n(2, 3, 60, 20, seed=2), n(2, 3, 60)", "grad({0}, (0, 3))")
def forgetting_attention(q, k, v, f):
    """Decays accumulated from logits of the forget gate bias the scores."""
    c = jnp.cumsum(nn.log_sigmoid(f), axis=-1)
    bias = c[..., :, None] - c[..., None, :]
    s = jnp.einsum("bhqd,bhkd->bhqk", q, k) * 20**-0.5 + bias
    s = jnp.where(jnp.arange(60)[:, None] >= jnp.arange(60), s, jnp.finfo(s.dtype).min)
    return jnp.einsum("bhqk,bhkd->bhqd", nn.softmax(s), v)


@row("n(4, 128, 32), n(4, 128, 32, seed=1), n(4, 128, 32, seed=2)")
def nystrom_attention(q, k, v):
    q, k = q / 32**0.25, k / 32**0.25
    landmarks_q, landmarks_k = (t.reshape(4, 16, 8, 32).mean(2) for t in (q, k))
    left = nn.softmax(q @ landmarks_k.swapaxes(-1, -2))
    middle = nn.softmax(landmarks_q @ landmarks_k.swapaxes(-1, -2))
    right = nn.softmax(landmarks_q @ k.swapaxes(-1, -2))
    z = middle.mT / (jnp.abs(middle).sum(-1).max(-1) * jnp.abs(middle).sum(-2).max(-1))[:, None, None]
    eye = jnp.eye(16)
    for _ in range(6):
        mz = middle @ z
        z = 0.25 * z @ (13 * eye - mz @ (15 * eye - mz @ (7 * eye - mz)))
    return left @ z @ (right @ v)


@row("n(3, 49, 40), n(11, 40), n(40, 40, scale=.2), n(40, 40, scale=.2, seed=1), i(50, 3)")
def perceiver_cross_attention(inputs, latents, wk, wv, lengths):
    q = jnp.broadcast_to(latents, (3, 11, 40)).reshape(3, 11, 5, 8)
    k, v = ((inputs @ w).reshape(3, 49, 5, 8) for w in (wk, wv))
    keep = jnp.arange(49) < jnp.maximum(lengths, 1)[:, None]
    return jax.nn.dot_product_attention(q, k, v, mask=keep[:, None, None]).reshape(3, 11, 40)


@row("n(6, 16), n(6, 40, 2, 16), n(6, 40, 2, 16, seed=1), n(6, 2, 16), n(6, 2, 16, seed=1), 17")
@row("n(1, 64), n(1, 512, 4, 64), n(1, 512, 4, 64, seed=1), n(1, 4, 64), n(1, 4, 64, seed=1), 300")
def decode_multi_query_step(q, keys, values, new_key, new_value, at):
    """One token with one query shared over the heads of the cache."""
    keys = lax.dynamic_update_slice_in_dim(keys, new_key[:, None], at, axis=1)
    values = lax.dynamic_update_slice_in_dim(values, new_value[:, None], at, axis=1)
    s = jnp.einsum("bd,bthd->bht", q, keys) / jnp.sqrt(q.shape[-1])
    p = nn.softmax(s, where=jnp.arange(keys.shape[1]) <= at, axis=-1)
    return jnp.einsum("bht,bthd->bhd", p, values), keys, values


# ---- state spaces and recurrences ------------------------------------------------------------------------------------

@row("n(24, 120, 10), abs(n(24)), n(24), n(24, 10), n(10, 24)", "grad({0}, (1, 2, 3, 4))")
def s5_layer(u, decay, frequency, b, c):
    lam = lax.complex(-decay - 0.1, frequency * 3)
    lam_bar = jnp.exp(lam * 0.1)
    bu = ((lam_bar - 1) / lam)[:, None] * b
    def combine(left, right):
        return left[0] * right[0], right[0] * left[1] + right[1]
    def one(u):
        elements = jnp.broadcast_to(lam_bar, (120, 24)), u @ bu.T
        _, x = lax.associative_scan(combine, elements)
        return 2 * (x @ c.T).real + u
    return jax.vmap(one)(u)


@row("n(75, 9), n(32, 9), n(9, 32)")
def hippo_legendre_memory(u, b, c):
    """Bilinear steps of the LegS matrix of order 32."""
    k = jnp.arange(32)
    r = jnp.sqrt(2 * k + 1.0)
    a = -jnp.where(k[:, None] > k, jnp.outer(r, r), jnp.diag(k + 1.0))
    left, right = jnp.eye(32) - a / 100, jnp.eye(32) + a / 100
    ad, bd = jnp.linalg.solve(left, right), jnp.linalg.solve(left, b / 50)
    def step(x, u):
        x = ad @ x + bd @ u
        return x, c @ x
    return lax.scan(step, jnp.zeros(32), u)[1]


@row("n(6, 90, 48), n(48, 48, scale=.1), n(48, 48, scale=.1, seed=1)", "grad({0}, (1, 2))")
def min_lstm_in_logs(x, wf, wi):
    """Cumulative sums and logarithms of sums of exponentials instead of a loop."""
    f, i = -nn.softplus(-(x @ wf)), -nn.softplus(-(x @ wi))
    norm = jnp.logaddexp(f, i)
    a = jnp.cumsum(f - norm, axis=1)
    values = i - norm + jnp.log(nn.softplus(x) + 1e-3)
    return jnp.exp(a + lax.cumlogsumexp(values - a, axis=1))


@row("n(2, 40, 3, 12), nn.sigmoid(n(2, 40, 3)), n(2, 40, 3, 12, seed=1), n(2, 40, 3, 12, seed=2)")
def gated_delta_net(k, beta, q, v):
    k = k / jnp.linalg.norm(k, axis=-1, keepdims=True)
    def step(state, inputs):
        k, beta, q, v = inputs
        v_old = jnp.einsum("bhvk,bhk->bhv", state, k)
        state = 0.98 * state + jnp.einsum("bhv,bhk->bhvk", (v - v_old) * beta[..., None], k)
        return state, jnp.einsum("bhvk,bhk->bhv", state, q)
    start = jnp.zeros((2, 3, 12, 12))
    return lax.scan(step, start, jax.tree.map(lambda t: jnp.moveaxis(t, 1, 0), (k, beta, q, v)))[1]


@row("n(50, 10, 3), n(100, 3, scale=.2), n(100, 100, scale=.09), n(100, 2, scale=.1)")
def echo_state_readout(u, w_in, w, y_mix):
    """Leaky reservoir and a ridge regression of its states."""
    def step(h, u):
        h = 0.7 * h + 0.3 * jnp.tanh(u @ w_in.T + h @ w.T)
        return h, h
    states = lax.scan(step, jnp.zeros((10, 100)), u)[1].reshape(-1, 100)
    target = jnp.sin(states @ y_mix)
    return jnp.linalg.solve(states.T @ states + 1.0 * jnp.eye(100), states.T @ target)


# ---- experts ---------------------------------------------------------------------------------------------------------

@row("n(96, 32), n(32, 6), n(6, 32, 64, scale=.1), n(6, 64, 32, scale=.1)", "grad({0}, (0, 1, 2, 3))")
def soft_mixture_of_experts(x, phi, w1, w2):
    """Sixteen slots of each expert are mixtures of all tokens."""
    logits = jnp.repeat(x @ phi, 16, axis=1) + jnp.sin(jnp.arange(96.0))
    dispatch, combine = nn.softmax(logits, axis=0), nn.softmax(logits, axis=1)
    slots = (dispatch.T @ x).reshape(6, 16, 32)
    y = nn.gelu(slots @ w1) @ w2
    return combine @ y.reshape(96, 32)


@row("n(37, 20), n(20, 4), n(20, 4, scale=.3, seed=1), n(4, 20, 20, scale=.2), key")
def noisy_top_2_gate(x, w, w_noise, experts, key):
    std = nn.softplus(x @ w_noise) + 0.01
    h = x @ w + random.normal(key, (37, 4)) * std
    top, _ = lax.top_k(h, 2)
    gates = nn.softmax(jnp.where(h >= top[:, 1:], h, -jnp.inf), axis=-1)
    importance = gates.sum(0)
    balance = importance.var() / (importance.mean() ** 2 + 1e-10)
    return jnp.einsum("te,ti,eio->to", gates, x, experts), balance


# ---- losses and contrastive learning ---------------------------------------------------------------------------------

@row("n(48, 64), n(48, 64, seed=1)", "jax.value_and_grad({0}, (0, 1))")
@row("n(300, 128).astype('bfloat16'), n(300, 128, seed=1).astype('bfloat16')", "jax.value_and_grad({0}, (0, 1))")
def nt_xent(a, b):
    z = jnp.concatenate([a, b]).astype(jnp.float32)
    z = z / jnp.linalg.norm(z, axis=1, keepdims=True)
    s = z @ z.T / 0.5
    m = len(z)
    s = s.at[jnp.diag_indices(m)].set(-1e9)
    positive = s[jnp.arange(m), (jnp.arange(m) + m // 2) % m]
    return jnp.mean(nn.logsumexp(s, axis=1) - positive)


@row("n(1024, 128), n(1024, 128, seed=1)", "jax.grad({0}, (0, 1))")
def vicreg(a, b):
    def variance(x):
        return jnp.mean(nn.relu(1 - jnp.sqrt(x.var(0) + 1e-4)))
    def covariance(x):
        x = x - x.mean(0)
        c = x.T @ x / (len(x) - 1)
        return (jnp.sum(c**2) - jnp.sum(jnp.diag(c) ** 2)) / x.shape[1]
    return 25 * jnp.mean((a - b) ** 2) + 25 * (variance(a) + variance(b)) + covariance(a) + covariance(b)


@row("n(512, 30), n(512, 30, seed=1)", "jax.value_and_grad({0})")
def alignment_and_uniformity(x, y):
    x, y = (v * lax.rsqrt(jnp.sum(v * v, 1, keepdims=True)) for v in (x, y))
    near = jnp.sum((x - y) ** 2, axis=1).mean()
    i, j = jnp.triu_indices(128, 1)
    spread = jnp.log(jnp.mean(jnp.exp(-2 * jnp.sum((x[i] - x[j]) ** 2, -1))))
    return near + spread


@row("n(64, 256), n(64, 256, seed=1), n(256, scale=.1)")
def dino_loss_with_center(student, teacher, center):
    targets = lax.stop_gradient(nn.softmax((teacher - center) / 0.04, axis=-1))
    loss = -jnp.mean(jnp.sum(targets * nn.log_softmax(student / 0.1, -1), -1))
    return loss, 0.9 * center + 0.1 * teacher.mean(axis=0)


@row("n(40, 12), n(40, 12, seed=1), n(40, 19), i(19, 40)", "jax.value_and_grad({0}, (0, 1, 2))")
def evidential_and_poly_loss(mu, raw, logits, labels):
    """Normal-inverse-gamma evidence of a regression plus the first polynomial term of the cross entropy."""
    nu, alpha, beta = (nn.softplus(jnp.roll(raw, s, 1)) + e for s, e in ((0, 0.1), (1, 1.1), (2, 0.1)))
    omega = 2 * beta * (1 + nu)
    nll = (0.5 * jnp.log(jnp.pi / nu) - alpha * jnp.log(omega) + (alpha + 0.5) * jnp.log(nu * mu**2 + omega)
           + jax.scipy.special.gammaln(alpha) - jax.scipy.special.gammaln(alpha + 0.5))
    p = jnp.take_along_axis(nn.softmax(logits), labels[:, None], 1)[:, 0]
    return nll.mean() + jnp.mean(-jnp.log(p) + 1 - p)


@row("n(60), i(5, 60)", "jax.grad({0})")
@row("n(1200), i(3, 1200)")
def approximate_ndcg(scores, gains):
    """Ranks by sums of sigmoids of differences."""
    ranks = 0.5 + nn.sigmoid((scores[None, :] - scores[:, None]) / 0.1).sum(1)
    gain = 2.0**gains - 1
    ideal = jnp.sort(gain)[::-1] / jnp.log2(jnp.arange(2.0, len(scores) + 2))
    return jnp.sum(gain / jnp.log2(1 + ranks)) / jnp.sum(ideal)


# ---- diffusion -------------------------------------------------------------------------------------------------------

@row("n(16, 32), n(34, 96, scale=.2), n(96, 32, scale=.1)")
def edm_euler_sampler(x, w1, w2):
    """Karras's noise levels and preconditioning around a small network."""
    rho, steps = 7.0, 12
    ramp = jnp.linspace(0, 1, steps)
    sigmas = (10.0 ** (1 / rho) + ramp * (0.01 ** (1 / rho) - 10.0 ** (1 / rho))) ** rho
    sigmas = jnp.append(sigmas, 0.0)
    def denoise(x, sigma):
        skip, out, inner = 0.25 / (sigma**2 + 0.25), sigma * 0.5 * lax.rsqrt(sigma**2 + 0.25), lax.rsqrt(sigma**2 + 0.25)
        time = jnp.broadcast_to(jnp.stack([jnp.log(sigma) / 4, jnp.log(sigma) ** 2 / 16]), (len(x), 2))
        return skip * x + out * (nn.silu(jnp.concatenate([inner * x, time], 1) @ w1) @ w2)
    def body(k, x):
        return x + (sigmas[k + 1] - sigmas[k]) * (x - denoise(x, sigmas[k])) / sigmas[k]
    return lax.fori_loop(0, steps, body, x * 10.0)


@row("key, n(20, 18, 18, 1), n(3, 3, 1, 16, scale=.3), n(3, 3, 16, 1, scale=.1)", "jax.value_and_grad({0}, (2, 3))")
def v_prediction_with_min_snr(key, x, k1, k2):
    key_t, key_e = random.split(key)
    t = random.uniform(key_t, (20,), minval=0.02, maxval=0.98)
    alpha, sigma = (f(t * jnp.pi / 2).reshape(-1, 1, 1, 1) for f in (jnp.cos, jnp.sin))
    noise = random.normal(key_e, x.shape)
    z, target = alpha * x + sigma * noise, alpha * noise - sigma * x
    conv = functools.partial(lax.conv_general_dilated, window_strides=(1, 1), padding="SAME",
                             dimension_numbers=("NHWC", "HWIO", "NHWC"))
    out = conv(nn.swish(conv(z, k1)), k2)
    snr = (alpha / sigma) ** 2
    weight = jnp.minimum(snr, 5.0) / (snr + 1)
    return jnp.mean(weight * (out - target) ** 2)


@row("key, i(28, 9, 50), nn.softmax(n(9, 50, 28))")
def discrete_diffusion_posterior(key, x_t, x0_probs):
    """One reverse step of masking states: unmask a share of the tokens, keep others."""
    a, b = random.split(key)
    masked = x_t >= 24
    proposal = random.categorical(a, jnp.log(x0_probs), axis=-1)
    confidence = jnp.take_along_axis(x0_probs, proposal[..., None], -1)[..., 0] + random.gumbel(b, (9, 50)) * 0.01
    confidence = jnp.where(masked, confidence, -jnp.inf)
    rank = jnp.argsort(jnp.argsort(-confidence, axis=1), axis=1)
    return jnp.where(masked & (rank < 5), proposal, x_t)


# ---- reinforcement learning ------------------------------------------------------------------------------------------

@row("n(128, 16), n(129, 16), i(20, 128, 16) == 0")
def gae_reversed_scan(rewards, values, dones, gamma=0.99, lam=0.95):
    def step(carry, t):
        gae, next_value = carry
        reward, value, done = t
        delta = reward + gamma * next_value * (1 - done) - value
        gae = delta + gamma * lam * (1 - done) * gae
        return (gae, value), gae
    start = jnp.zeros(16), values[-1]
    _, advantage = lax.scan(step, start, (rewards, values[:-1], dones.astype(jnp.float32)), reverse=True, unroll=4)
    targets = advantage + values[:-1]
    return (advantage - advantage.mean()) / (advantage.std() + 1e-8), targets


@row("n(30, 8, 5), n(30, 8, 5, seed=1), i(5, 30, 8), n(30, 8), n(31, 8)", "jax.value_and_grad({0}, (0, 4))")
def impala_loss(logits, behaviour, actions, rewards, values):
    pick = lambda l: jnp.take_along_axis(nn.log_softmax(l), actions[..., None], -1)[..., 0]
    log_pi = pick(logits)
    rho = jnp.minimum(1.0, jnp.exp(lax.stop_gradient(log_pi) - pick(behaviour)))
    fixed = lax.stop_gradient(values)
    delta = rho * (rewards + 0.99 * fixed[1:] - fixed[:-1])
    _, error = lax.scan(lambda e, t: ((t[0] + 0.99 * t[1] * e,) * 2), jnp.zeros(8), (delta, rho), reverse=True)
    vs = fixed[:-1] + error
    advantage = rho * (rewards + 0.99 * jnp.concatenate([vs[1:], fixed[-1:]]) - fixed[:-1])
    entropy = -(nn.softmax(logits) * nn.log_softmax(logits)).sum(-1)
    return -(log_pi * advantage).mean() + 0.5 * ((vs - values[:-1]) ** 2).mean() - 0.01 * entropy.mean()


@row("n(200, 11), n(200, 3), n(11, 64, scale=.3), n(64, 6, scale=.1), n(200), n(200, seed=1)",
     "jax.value_and_grad({0}, (2, 3), has_aux=True)")
def advantage_weighted_regression(states, actions, w1, w2, returns, values):
    mean, log_std = jnp.split(jnp.tanh(states @ w1) @ w2, 2, axis=1)
    log_p = jax.scipy.stats.norm.logpdf(actions, mean, jnp.exp(jnp.clip(log_std, -5, 2))).sum(1)
    advantage = returns - values
    expectile = jnp.where(advantage > 0, 0.7, 0.3) * advantage**2
    weight = jnp.minimum(jnp.exp(advantage * 3.0), 100.0)
    return -(weight * log_p).mean(), expectile.mean()


@row("n(64, 6, scale=.3), n(6, 3), i(3, 64), n(64)")
def trust_region_direction(x, w, actions, advantage):
    """Conjugate gradients on products with the Fisher matrix."""
    log_pi = lambda w: nn.log_softmax(x @ w)
    surrogate = lambda w: (jnp.take_along_axis(log_pi(w), actions[:, None], 1)[:, 0] * advantage).mean()
    old = lax.stop_gradient(log_pi(w))
    kl = lambda w: (jnp.exp(old) * (old - log_pi(w))).sum(1).mean()
    fisher = lambda v: jax.jvp(jax.grad(kl), (w,), (v,))[1] + 0.1 * v
    direction, _ = jax.scipy.sparse.linalg.cg(fisher, jax.grad(surrogate)(w), maxiter=8)
    return direction * jnp.sqrt(0.02 / jnp.vdot(direction, fisher(direction)))


# ---- meta-learning and optimizers ------------------------------------------------------------------------------------

@row("n(6, 10, 1), n(6, 15, 1), n(6), {'w1': n(1, 20), 'b1': n(20, scale=.1), 'w2': n(20, 1, scale=.2)}", "jax.grad({0}, 3)")
def meta_sgd_sinusoids(x_support, x_query, phase, params):
    def predict(p, x):
        return jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"]
    def task(xs, xq, phase):
        loss = lambda p, x: jnp.mean((predict(p, x) - jnp.sin(x + phase)) ** 2)
        adapted = params
        for _ in range(3):
            adapted = jax.tree.map(lambda p, g: p - 0.02 * g, adapted, jax.grad(loss)(adapted, xs))
        return loss(adapted, xq)
    return jnp.mean(jax.vmap(task)(x_support, x_query, phase))


@row("n(20, 25, 12), n(20, 5, 12)")
def prototypical_episode(support, queries):
    """Episodes of five ways and five shots, accuracy and loss."""
    prototypes = support.reshape(20, 5, 5, 12).mean(2)
    d = jnp.sum((queries[:, :, None] - prototypes[:, None]) ** 2, -1)
    log_p = nn.log_softmax(-d, axis=-1)
    return -jnp.trace(log_p, axis1=1, axis2=2).mean() / 5, (log_p.argmax(-1) == jnp.arange(5)).mean()


@row("[n(600, 800), n(800), n(800, 7)], [n(600, 800, seed=1), n(800, seed=1), n(800, 7, seed=1)]")
def adan_step(params, grads):
    """From zero moments, as a tree of triples."""
    def update(p, g):
        m, v, s = 0.02 * g, 0.08 * g, 0.01 * (g + 0.92 * g) ** 2
        eta = 1e-2 / (jnp.sqrt(s / 0.01) + 1e-8)
        return (p - eta * (m / 0.02 + 0.92 * v / 0.08)) / (1 + 1e-2 * 0.02), (m, v, s)
    leaves, tree = jax.tree.flatten(params)
    new = [update(p, g) for p, g in zip(leaves, jax.tree.leaves(grads))]
    return jax.tree.unflatten(tree, [p for p, _ in new]), jax.tree.unflatten(tree, [s for _, s in new])


@row("n(300, 14), n(300), n(14)")
def prodigy_like_logistic(x, y, w):
    """Learning rate estimated from the distance travelled, twenty steps."""
    y = jnp.sign(y)
    gradient = jax.grad(lambda w: nn.softplus(-y * (x @ w)).mean())
    def step(state, _):
        w, s, r, d = state
        g = gradient(w)
        r = r + d * jnp.vdot(g, w0 - w)
        s = s + d * g
        d = jnp.maximum(d, r / (jnp.abs(s).sum() + 1e-8))
        return (w - d * g / (jnp.abs(g).max() + 1e-6) * 0.1, s, r, d), d
    w0 = w
    return lax.scan(step, (w, jnp.zeros(14), 0.0, 0.01), None, length=20)


@row("n(90, 70), n(8, 70), n(90, 8, scale=.1), n(40, 90), 3")
def galore_projection(w, basis, momentum, x, step):
    """Momentum in a subspace that is refreshed by an orthogonal basis every few steps."""
    g = jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w)
    fresh = lambda: jnp.linalg.qr(g.T @ (g @ basis.T))[0].T
    basis = lax.cond(step % 200 == 0, fresh, lambda: basis / jnp.linalg.norm(basis, axis=1, keepdims=True))
    momentum = 0.9 * momentum + g @ basis.T
    return w - 0.01 * jnp.sign(momentum) @ basis, basis, momentum


# ---- adapters and quantization ---------------------------------------------------------------------------------------

@row("n(512, 128), n(128, 160, scale=.1), n(128, 4), n(4, 160, scale=.1), n(4), n(160)",
     "jax.grad(lambda *a: {0}(*a).sum(), (2, 3, 4, 5))")
def vera_and_lora_adapter(x, w, a, b, d, scale):
    hidden = (x @ a) * d
    return x @ lax.stop_gradient(w) + (hidden @ b) * scale / jnp.sqrt(4.0)


@row("n(100, 96), n(96, 48, scale=.2), n(48), n(48, seed=1)", "jax.grad(lambda *a: ({0}(*a) ** 2).mean(), (1, 2))")
def learned_step_size_quantization(x, w, log_scale, bias):
    """Four bits per output channel with gradients of steps, after LSQ."""
    s = jnp.exp(log_scale * 0.1 - 2)
    v = jnp.clip(w / s, -8, 7)
    w_hat = (v + lax.stop_gradient(jnp.round(v) - v)) * s
    a = jnp.clip(x, -3, 3) * (127 / 3)
    a_hat = (a + lax.stop_gradient(jnp.round(a) - a)) * (3 / 127)
    return a_hat @ w_hat + bias


@row("n(32, 256), n(256, 64)")
def binary_network_layer(x, w):
    @jax.custom_vjp
    def sign(v):
        return jnp.where(v >= 0, 1.0, -1.0)
    sign.defvjp(lambda v: (sign(v), v), lambda v, g: (jnp.where(abs(v) <= 1, g, 0),))
    f = lambda x, w: jnp.tanh(sign(x) @ sign(w) * jnp.abs(w).mean(0) / 16).sum()
    return jax.value_and_grad(f, (0, 1))(x, w)


@row("n(77, 64).astype('bfloat16')")
def int8_rows_and_back(w):
    scale = jnp.maximum(jnp.abs(w).max(axis=-1, keepdims=True).astype(jnp.float32), 1e-6) / 127
    q = jnp.clip(jnp.rint(w.astype(jnp.float32) / scale), -127, 127).astype(jnp.int8)
    back = q.astype(jnp.float32) * scale
    return q, scale[:, 0], jnp.sqrt(jnp.mean((back - w) ** 2)), jnp.mean(q == 0)


# ---- equivariant and graph networks ----------------------------------------------------------------------------------

@row("n(50, 3, 8), n(8, 16, scale=.3), n(16, 8, scale=.3), n(8, 8, scale=.3)", "grad(lambda *a: {0}(*a)[0], (1, 2, 3))")
def vector_neuron_block(v, w1, w2, direction):
    """Linear maps of channels and a leaky rectifier along learned directions."""
    h = v @ w1 @ w2
    d = h @ direction
    dot = jnp.sum(h * d, axis=1, keepdims=True)
    projected = h - jnp.minimum(dot, 0) * d / (jnp.sum(d * d, axis=1, keepdims=True) + 1e-6)
    return 0.2 * h + 0.8 * projected, jnp.sqrt(jnp.sum(projected**2, axis=1) + 1e-8)


@row("n(80, 3), n(80, 12), n(80, 3, 12), i(80, 400), i(80, 400)[::-1], n(10, 36, scale=.2)")
def painn_messages(x, s, v, src, dst, w):
    r = x[dst] - x[src] + 1e-3
    d = jnp.linalg.norm(r, axis=1)
    basis = jnp.sin(d[:, None] * jnp.arange(1, 11) * jnp.pi / 5) / d[:, None]
    cutoff = jnp.where(d < 5, 0.5 * (jnp.cos(jnp.pi * d / 5) + 1), 0)
    a, b, c = jnp.split(basis @ w * cutoff[:, None] * jnp.tile(s[src], 3), 3, axis=1)
    dv = b[:, None] * v[src] + c[:, None] * (r / d[:, None])[..., None]
    return s + jax.ops.segment_sum(a, dst, 80), v + jnp.zeros_like(v).at[dst].add(dv)


@row("n(250, 16), i(250, 1500), i(250, 1500)[::-1], n(1500, 4), n(20, 16, scale=.3), n(16), n(16, 16, scale=.3)",
     "grad({0}, (4, 6))")
def gine_convolution_with_readout(h, src, dst, e, w_edge, eps, w):
    m = nn.relu(jnp.concatenate([h[src], e], 1) @ w_edge)
    h = nn.elu(((1 + eps) * h + jax.ops.segment_sum(m, dst, num_segments=250)) @ w)
    graph = jnp.arange(250) // 25
    pooled = jax.ops.segment_sum(h, graph, 10, indices_are_sorted=True) / 25
    return pooled - jax.ops.segment_min(h, graph, 10)


@row("i(3, 60, 60) == 0, n(60, 10), n(10, 10, scale=.3)")
def personalized_propagation(adjacency, x, w):
    """Ten steps of APPNP, and Laplacian eigenvalues' moments."""
    a = (adjacency | adjacency.T).astype(jnp.float32)
    a = jnp.fill_diagonal(a, 1.0, inplace=False)
    inv = 1 / jnp.sqrt(a.sum(1))
    a = inv[:, None] * a * inv
    h = nn.relu(x @ w)
    z = lax.fori_loop(0, 10, lambda _, z: 0.9 * a @ z + 0.1 * h, h)
    return nn.log_softmax(z), jnp.trace(a @ a), jnp.trace(a @ a @ a)
