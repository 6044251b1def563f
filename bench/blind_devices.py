"""blind_devices.py: rows of the long tail written before any of them was measured (snippets.py): receivers and radar,
sensors and maps, robots and vehicles, circuits and motors, audio effects, geometry, pictures, finance, quantum devices,
crowds and lattices, with differentiable physics and transformations of functions with their own derivatives."""
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- receivers and radar ---------------------------------------------------------------------------------------------

@row("i(2, 64, 52, 4), n(8, scale=.4), n(8, scale=.4, seed=1), n(64, 80, 2, scale=.12)")
def multicarrier_link(bits, re, im, noise):
    """Sixteen points on 52 carriers, prefix, echoes, equalization by a pilot symbol, soft bits."""
    level = jnp.array([-3.0, -1, 3, 1]) / 10**0.5
    symbol = lax.complex(level[bits[..., 0] * 2 + bits[..., 1]], level[bits[..., 2] * 2 + bits[..., 3]])
    carriers = jnp.concatenate([jnp.arange(1, 27), jnp.arange(38, 64)])
    grid = jnp.zeros((64, 64), jnp.complex64).at[:, carriers].set(symbol).at[0, carriers].set(1.0)
    time = jnp.fft.ifft(grid, axis=1) * 8
    sent = jnp.concatenate([time[:, -16:], time], 1).ravel()
    echoes = lax.complex(re, im) * 0.5 ** jnp.arange(8)
    echoes = echoes.at[0].add(1.0)
    got = jnp.convolve(sent, echoes)[: sent.size].reshape(64, 80) + lax.complex(noise[..., 0], noise[..., 1])
    y = jnp.fft.fft(got[:, 16:], axis=1)[:, carriers] / 8
    channel = y[0]
    z = y * jnp.conj(channel) / (jnp.abs(channel) ** 2 + 1e-3)
    parts = jnp.stack([z.real, z.imag], -1) * 10**0.5
    soft = jnp.stack([parts, 2 - jnp.abs(parts)], -1)
    return soft, ((soft.reshape(64, 52, 4) > 0) != (bits > 0))[1:].mean()


@row("n(300, 4, 4), n(300, 4, 4, seed=1), n(300, 4), n(300, 4, seed=1)")
def antennas_detected_by_mmse_and_cancelling(hr, hi, yr, yi):
    h, y = lax.complex(hr, hi), lax.complex(yr, yi)
    def one(h, y):
        def layer(s, _):
            y, left, out = s
            g = h * left
            w = jnp.linalg.inv(jnp.conj(g.T) @ g + 0.1 * jnp.eye(4)) @ jnp.conj(g.T)
            error = jnp.where(left > 0, (jnp.abs(w) ** 2).sum(1), jnp.inf)
            k = jnp.argmin(error)
            v = w[k] @ y
            symbol = lax.complex(jnp.sign(v.real), jnp.sign(v.imag)) / 2**0.5
            return (y - h[:, k] * symbol, left.at[k].set(0.0), out.at[k].set(symbol)), error.min()
        return lax.scan(layer, (y, jnp.ones(4), jnp.zeros(4, jnp.complex64)), None, length=4)[0][2]
    return jax.vmap(one)(h, y)


@row("n(2046, scale=2.), n(2046, scale=2., seed=1), jnp.arange(-20, 21)")
def satellite_code_acquisition(re, im, doppler):
    """Gold code from two shift registers; correlation over delays by transform, over frequencies by vmap."""
    def register(taps):
        def step(s, _):
            feedback = jnp.bitwise_xor.reduce(s[jnp.array(taps)])
            return jnp.roll(s, 1).at[0].set(feedback), s
        return lax.scan(step, jnp.ones(10, jnp.int32), None, length=1023)[1]
    a, b = register((2, 9)), register((1, 2, 5, 7, 8, 9))
    code = jnp.repeat(1 - 2.0 * (a[:, 9] ^ b[:, 1] ^ b[:, 5]), 2)
    t = jnp.arange(2046)
    x = lax.complex(re, im) + jnp.roll(code, 417) * jnp.exp(2j * jnp.pi * 5 * t / 2046)
    power = jax.vmap(lambda d: jnp.abs(jnp.fft.ifft(jnp.fft.fft(x * jnp.exp(-2j * jnp.pi * d * t / 2046))
                                                    * jnp.conj(jnp.fft.fft(code)))) ** 2)(doppler)
    best = jnp.unravel_index(power.argmax(), power.shape)
    return doppler[best[0]], best[1], power.max() / power.mean()


@row("jnp.abs(n(128, 300)) ** 2")
def false_alarm_rate_kept_constant(power):
    """Cell averaging with guard cells by sums over an integral image, then peaks of their surroundings."""
    c = jnp.pad(jnp.cumsum(jnp.cumsum(jnp.pad(power, 8, mode="wrap"), 0), 1), ((1, 0), (1, 0)))
    def box(r):
        a, b, size = 8 - r, 8 + r + 1, (128, 300)
        cut = lambda y, x: lax.dynamic_slice(c, (y, x), size)
        return cut(b, b) - cut(a, b) - cut(b, a) + cut(a, a)
    noise = (box(8) - box(2)) / (17**2 - 5**2)
    peak = power == lax.reduce_window(power, -jnp.inf, lax.max, (3, 3), (1, 1), "SAME")
    hit = (power > 6 * noise) & peak
    return jnp.argwhere(hit, size=200, fill_value=-1), hit.sum(), 10 * jnp.log10(power / jnp.maximum(noise, 1e-6))


@row("n(60, 512), n(60, 512, seed=1)")
def synthetic_aperture_backprojection(re, im):
    echo = lax.complex(re, im)
    track = jnp.linspace(-10, 10, 60)
    y, x = jnp.meshgrid(jnp.linspace(20, 40, 48), jnp.linspace(-10, 10, 48), indexing="ij")
    def pulse(image, s):
        e, at = s
        r = jnp.sqrt((x - at) ** 2 + y**2)
        k = (r - 15) * 16
        low = jnp.clip(k.astype(jnp.int32), 0, 510)
        t = k - low
        return image + ((1 - t) * e[low] + t * e[low + 1]) * jnp.exp(4j * jnp.pi * r / 0.3), None
    return jnp.abs(lax.scan(pulse, jnp.zeros((48, 48), jnp.complex64), (echo, track))[0])


@row("n(16000)")
def one_bit_converter_and_decimator(x):
    """Second-order modulator in integers, then integrators and combs that wrap around."""
    v = jnp.round(jnp.clip(jnp.sin(jnp.arange(16000) / 50) * 0.5 + 0.01 * x, -0.9, 0.9) * 16384).astype(jnp.int32)
    def step(s, v):
        a, b = s
        out = jnp.where(b >= 0, 1, -1)
        a = a + v - out * 16384
        return (a, b + a - out * 16384), out
    bits = lax.scan(step, (0, 0), v)[1]
    y = bits
    for _ in range(3):
        y = jnp.cumsum(y, dtype=jnp.int32)
    y = y[31::32]
    for _ in range(3):
        y = y - jnp.roll(y, 1).at[0].set(0)
    return y, bits.astype(jnp.int8)


@row("i(1 << 17, 20000) - 65536")
def rotations_by_shifts_and_adds(angle):
    table = [32768, 19344, 10221, 5188, 2604, 1303, 652, 326, 163, 81, 41, 20, 10, 5, 3]
    flip = jnp.abs(angle) > 32768
    z = jnp.where(flip, angle - jnp.sign(angle) * 65536, angle)
    x, y = jnp.full_like(angle, 39797), jnp.zeros_like(angle)
    for k, t in enumerate(table):
        up = z >= 0
        x, y, z = jnp.where(up, x - (y >> k), x + (y >> k)), jnp.where(up, y + (x >> k), y - (x >> k)), \
            jnp.where(up, z - t, z + t)
    return jnp.where(flip, -x, x), jnp.where(flip, -y, y)


@row("n(20, 3) * 9, n(200, 3), n(200, 20, scale=.05)", "lambda a, p, e: vmap({0}, (None, 0, 0))(a, p, e)")
def position_from_time_differences(anchors, truth, error):
    distance = lambda p: jnp.sqrt(((anchors - p) ** 2).sum(-1) + 1e-9)
    seen = distance(truth) + error
    residual = lambda p: (distance(p) - distance(p)[0]) - (seen - seen[0])
    def step(p, _):
        j, r = jax.jacfwd(residual)(p), residual(p)
        w = 1 / (1 + (r / 0.1) ** 2)
        return p - jnp.linalg.solve(j.T @ (w[:, None] * j) + 1e-4 * jnp.eye(3), j.T @ (w * r)), None
    p = lax.scan(step, jnp.zeros(3), None, length=8)[0]
    return p, jnp.linalg.norm(p - truth)


# ---- sensors and maps ------------------------------------------------------------------------------------------------

@row("n(2000, 3, scale=.1), n(2000, 3, scale=.05), n(2000, 3, scale=.05, seed=1)")
@row("n(40, 100, 3, scale=.1), n(40, 100, 3, scale=.05), n(40, 100, 3, scale=.05, seed=1)", "vmap({0})")
def attitude_from_gyro_and_gravity(gyro, acceleration, magnet):
    """Gradient descent on the error of gravity and of north, as a filter."""
    acceleration, magnet = acceleration + jnp.array([0.0, 0, 1]), magnet + jnp.array([0.6, 0, -0.8])
    def residual(q, a, m):
        w, x, y, z = q
        down = jnp.stack([2 * (x * z - w * y), 2 * (w * x + y * z), 1 - 2 * (x * x + y * y)])
        north = jnp.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (w * y + x * z)])
        field = 0.6 * north - 0.8 * down
        return jnp.concatenate([down - a / jnp.linalg.norm(a), field - m / jnp.linalg.norm(m)])
    def step(q, s):
        g, a, m = s
        r, back = jax.vjp(lambda q: residual(q, a, m), q)
        slope = back(r)[0]
        w, v = q[0], q[1:]
        rate = 0.5 * jnp.concatenate([(-v @ g)[None], w * g + jnp.cross(v, g)])
        q = q + 0.01 * (rate - 0.1 * slope / (jnp.linalg.norm(slope) + 1e-9))
        q = q / jnp.linalg.norm(q)
        return q, q
    return lax.scan(step, jnp.array([1.0, 0, 0, 0]), (gyro, acceleration, magnet))[1]


@row("jnp.cumsum(n(20000))")
def allan_deviation(phase):
    out = []
    for k in range(12):
        m = 1 << k
        d = phase[2 * m :] - 2 * phase[m:-m] + phase[: -2 * m]
        out.append(jnp.sqrt((d * d).mean() / 2) / m)
    return jnp.stack(out)


@row("jnp.abs(n(40, 90)) * 15 + 3, jnp.cumsum(n(40, 3, scale=.3), 0)")
def occupancy_from_scans(ranges, poses):
    """Free cells along each beam and the cell that is hit, as sums of log odds."""
    beam = jnp.linspace(-jnp.pi, jnp.pi, 90)
    def scan_of(grid, s):
        r, p = s
        d = jnp.stack([jnp.cos(beam + p[2]), jnp.sin(beam + p[2])], -1)
        t = jnp.arange(40) / 40
        free = p[:2] + (t[None, :, None] * r[:, None, None]) * d[:, None]
        hit = p[:2] + r[:, None] * d
        at = lambda x: tuple(jnp.moveaxis(jnp.floor(x * 2 + 40).astype(jnp.int32), -1, 0))
        grid = grid.at[at(free)].add(-0.04, mode="drop").at[at(hit)].add(0.9, mode="drop")
        return jnp.clip(grid, -6, 6), nn.sigmoid(grid).mean()
    return lax.scan(scan_of, jnp.zeros((80, 80)), (ranges, poses))


@row("n(15, 2) * 5, i(15, 60), n(60, 2, scale=.1)")
def simultaneous_mapping_filter(landmarks, seen, noise):
    """An extended filter over the pose and fifteen landmarks; the derivatives are automatic."""
    motion = lambda s: s.at[:3].add(jnp.array([0.2 * jnp.cos(s[2]), 0.2 * jnp.sin(s[2]), 0.05]))
    def view(s, k):
        d = s[3 + 2 * k + jnp.arange(2)] - s[:2]
        return jnp.array([jnp.hypot(d[0], d[1]), jnp.arctan2(d[1], d[0]) - s[2]])
    truth = jnp.concatenate([jnp.zeros(3), landmarks.ravel()])
    def step(c, s):
        mean, cov, truth = c
        k, e = s
        f = jax.jacfwd(motion)(mean)
        mean, cov, truth = motion(mean), f @ cov @ f.T + jnp.diag(jnp.where(jnp.arange(33) < 3, 0.01, 0.0)), motion(truth)
        h = jax.jacfwd(view)(mean, k)
        gain = jnp.linalg.solve(h @ cov @ h.T + 0.01 * jnp.eye(2), h @ cov).T
        r = view(truth, k) + e - view(mean, k)
        r = r.at[1].set((r[1] + jnp.pi) % (2 * jnp.pi) - jnp.pi)
        return (mean + gain @ r, cov - gain @ h @ cov, truth), jnp.linalg.norm(mean[:2] - truth[:2])
    start = truth + jnp.concatenate([jnp.zeros(3), 0.3 * jnp.ones(30)])
    return lax.scan(step, (start, 0.1 * jnp.eye(33), truth), (seen, noise))[1]


@row("n(500, 3), random.key(0), n(500, seed=1)")
def plane_by_random_samples(points, key, off):
    p = points.at[:, 2].set(jnp.where(off > 0.5, points[:, 2] * 3, 0.2 * points[:, 0] + 0.02 * off))
    def candidate(key):
        a, b, c = p[random.choice(key, 500, (3,), replace=False)]
        n = jnp.cross(b - a, c - a)
        n = n / (jnp.linalg.norm(n) + 1e-9)
        return n, a @ n
    n, d = jax.vmap(candidate)(random.split(key, 64))
    inside = jnp.abs(p @ n.T - d) < 0.05
    best = inside.sum(0).argmax()
    w = inside[:, best].astype(jnp.float32)
    mean = w @ p / w.sum()
    return jnp.linalg.eigh((p - mean).T @ ((p - mean) * w[:, None]))[1][:, 0], inside.sum(0)


@row("n(40, 2), n(40, 2, seed=1), n(40, scale=.01)")
@row("n(30, 12, 2), n(30, 12, 2, seed=1), n(30, 12, scale=.01)", "vmap({0})")
def fundamental_matrix_normalized(x, y, e):
    y = x * 0.9 + 0.2 * y[:1] + e[:, None] * y
    def normalize(p):
        c = p.mean(0)
        s = 2**0.5 / jnp.linalg.norm(p - c, axis=1).mean()
        t = jnp.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]]) * jnp.array([s, s, 1.0])
        t = t.at[:2, 2].set(-s * c)
        return jnp.concatenate([(p - c) * s, jnp.ones((p.shape[0], 1))], 1), t
    (a, ta), (b, tb) = normalize(x), normalize(y)
    m = (b[:, :, None] * a[:, None]).reshape(-1, 9)
    f = jnp.linalg.eigh(m.T @ m)[1][:, 0].reshape(3, 3)
    u, s, v = jnp.linalg.svd(f)
    f = ta.T @ ((u * s.at[2].set(0.0)) @ v).T @ tb
    return jnp.abs(f) / jnp.linalg.norm(f), s


@row("n(30, 6, scale=.05), n(80, 3), i(30, 400), i(80, 400), n(400, 2, scale=.01)")
def bundle_step_by_schur_complement(cameras, points, camera, point, noise):
    points = points + jnp.array([0.0, 0, 5])
    def project(c, p):
        r = p + jnp.cross(c[:3], p) + c[3:]
        return r[:2] / r[2]
    seen = jax.vmap(project)(cameras[camera], points[point]) + noise
    start, moved = cameras + 0.01, points + 0.02
    r = jax.vmap(project)(start[camera], moved[point]) - seen
    jc, jp = jax.vmap(jax.jacfwd(project, (0, 1)))(start[camera], moved[point])
    u = jnp.zeros((30, 6, 6)).at[camera].add(jnp.einsum("kri,krj->kij", jc, jc)) + 1e-3 * jnp.eye(6)
    v = jnp.zeros((80, 3, 3)).at[point].add(jnp.einsum("kri,krj->kij", jp, jp)) + 1e-3 * jnp.eye(3)
    w = jnp.zeros((30, 80, 6, 3)).at[camera, point].add(jnp.einsum("kri,krj->kij", jc, jp))
    gc = jnp.zeros((30, 6)).at[camera].add(jnp.einsum("kri,kr->ki", jc, r))
    gp = jnp.zeros((80, 3)).at[point].add(jnp.einsum("kri,kr->ki", jp, r))
    t = jnp.einsum("cpij,pjk->cpik", w, jnp.linalg.inv(v))
    s = -jnp.einsum("cpik,dpjk->cidj", t, w) + jnp.einsum("cd,cij->cidj", jnp.eye(30), u)
    dc = -jnp.linalg.solve(s.reshape(180, 180), (gc - jnp.einsum("cpik,pk->ci", t, gp)).ravel()).reshape(30, 6)
    return dc, -jnp.linalg.solve(v, (gp + jnp.einsum("cpij,ci->pj", w, dc))[..., None])[..., 0]


@row("jnp.abs(n(24, 32)) + 2, n(48, 48, 48), jnp.zeros((48, 48, 48))")
def depth_fused_into_distances(depth, distance, weight):
    at = jnp.stack(jnp.meshgrid(*[jnp.linspace(-1, 1, 48)] * 3, indexing="ij"), -1) + jnp.array([0.0, 0, 2.5])
    u, v = (jnp.round(at[..., k] / at[..., 2] * 20 + c).astype(jnp.int32) for k, c in ((0, 16), (1, 12)))
    ok = (u >= 0) & (u < 32) & (v >= 0) & (v < 24)
    d = depth[jnp.clip(v, 0, 23), jnp.clip(u, 0, 31)] - at[..., 2]
    ok = ok & (d > -0.2)
    new = jnp.clip(d / 0.2, -1, 1)
    w = weight + ok
    return jnp.where(ok, (distance * weight + new) / jnp.maximum(w, 1), distance), w, ok.mean()


# ---- robots and vehicles ---------------------------------------------------------------------------------------------

@row("n(7, 3, dtype='float64'), jnp.ones(6)", double=True)
@row("n(40, 7, 3), jnp.ones((40, 6))", "vmap({0})")
def minimum_snap_through_points(points, duration):
    """Polynomials of degree seven in six pieces, from one linear system."""
    def basis(t, order):
        k = jnp.arange(8)
        c = jnp.ones(8)
        for j in range(order):
            c = c * (k - j)
        return jnp.where(k >= order, c * t ** jnp.maximum(k - order, 0), 0)
    a, b, r = jnp.zeros((48, 48)), jnp.zeros((48, 3)), 0
    for k in range(6):
        for t, p in ((0.0, points[k]), (duration[k], points[k + 1])):
            a, b, r = a.at[r, 8 * k : 8 * k + 8].set(basis(t, 0)), b.at[r].set(p), r + 1
    for k in range(5):
        for order in range(1, 7):
            a = a.at[r, 8 * k : 8 * k + 8].set(basis(duration[k], order))
            a = a.at[r, 8 * k + 8 : 8 * k + 16].set(-basis(0.0, order))
            r += 1
    for k, t in ((0, 0.0), (5, duration[5])):
        for order in range(1, 4):
            a, r = a.at[r, 8 * k : 8 * k + 8].set(basis(t, order)), r + 1
    return jnp.linalg.solve(a + 1e-6 * jnp.eye(48), b)


@row("n(400, 4, scale=.3), jnp.cumsum(jnp.abs(n(60, 2)) * .5, 0)", "lambda s, path: vmap({0}, (0, None))(s, path)")
def pure_pursuit_of_path(state, path):
    def step(s, _):
        x, y, heading, speed = s
        d = jnp.hypot(path[:, 0] - x, path[:, 1] - y)
        near = d.argmin()
        far = jnp.argmax((jnp.arange(60) >= near) & (d > 1.5))
        goal = path[jnp.where(far == 0, 59, far)]
        angle = jnp.arctan2(goal[1] - y, goal[0] - x) - heading
        steer = jnp.clip(jnp.arctan2(2 * jnp.sin(angle), 1.5), -0.6, 0.6)
        speed = speed + 0.1 * jnp.clip(3 - speed, -1, 1)
        s = jnp.stack([x + 0.1 * speed * jnp.cos(heading), y + 0.1 * speed * jnp.sin(heading),
                       heading + 0.1 * speed * jnp.tan(steer), speed])
        return s, d.min()
    return lax.scan(step, state, None, length=40)[1].mean()


@row("n(50, 3), n(50, 3, seed=1)", "vmap({0})")
def shortest_car_paths(start, end):
    """Six words of turns and straights; the least of the lengths that exist."""
    d = jnp.hypot(*(end - start)[:2])
    angle = jnp.arctan2(end[1] - start[1], end[0] - start[0])
    turn = lambda x: x % (2 * jnp.pi)
    a, b = turn(start[2] - angle), turn(end[2] - angle)
    sa, ca, sb, cb, cab = jnp.sin(a), jnp.cos(a), jnp.sin(b), jnp.cos(b), jnp.cos(a - b)
    root = lambda x: jnp.sqrt(jnp.maximum(x, 0))
    out = []
    for s in (1, -1):
        p2 = 2 + d * d - 2 * cab + 2 * d * s * (sa - sb)
        t = s * jnp.arctan2(s * (cb - ca), d + s * (sa - sb))
        out.append(jnp.where(p2 >= 0, turn(t - s * a) + root(p2) + turn(s * b - t), jnp.inf))
        p2 = -2 + d * d + 2 * cab + 2 * d * s * (sa + sb)
        t = jnp.arctan2(-s * (ca + cb), d + s * (sa + sb)) - jnp.arctan2(-2.0 * s, root(p2))
        out.append(jnp.where(p2 >= 0, turn(s * (t - a)) + root(p2) + turn(s * (t - b)), jnp.inf))
        q = (6 - d * d + 2 * cab + 2 * d * s * (sa - sb)) / 8
        p = turn(2 * jnp.pi - jnp.arccos(jnp.clip(q, -1, 1)))
        t = turn(s * a + p / 2)
        out.append(jnp.where(jnp.abs(q) <= 1, t + p + turn(s * (a - b) - t + p), jnp.inf))
    out = jnp.stack(out)
    return out.min(), out.argmin()


@row("random.key(0), n(8, 2) * 3")
def rapidly_exploring_tree(key, obstacles):
    def grow(s, k):
        nodes, parent = s
        key, k = k
        sample = random.uniform(key, (2,), minval=-5.0, maxval=5.0)
        d = jnp.where(jnp.arange(300) <= k, ((nodes - sample) ** 2).sum(1), jnp.inf)
        near = d.argmin()
        new = nodes[near] + (sample - nodes[near]) * jnp.minimum(1, 0.4 / jnp.sqrt(d[near] + 1e-9))
        t = jnp.linspace(0, 1, 6)[:, None]
        path = nodes[near] * (1 - t) + new * t
        free = (jnp.linalg.norm(path[:, None] - obstacles, axis=-1) > 0.8).all()
        at = jnp.where(free, k + 1, 300)
        keep = jnp.where(free, near, 0)
        return (nodes.at[k + 1].set(jnp.where(free, new, nodes[0])), parent.at[at].set(keep, mode="drop")), free
    (nodes, parent), free = lax.scan(grow, (jnp.zeros((300, 2)), jnp.zeros(300, jnp.int32)),
                                     (random.split(key, 299), jnp.arange(299)))
    return nodes, parent, free.sum()


@row("n(60, 60) > .6")
def shortest_way_through_maze(wall):
    """Cost to go by relaxation until nothing changes, then a walk down the slope."""
    wall = wall.at[0, 0].set(False).at[59, 59].set(False)
    cost = jnp.where(jnp.zeros((60, 60), bool).at[59, 59].set(True), 0.0, 1e4)
    def relax(s):
        c, _, k = s
        p = jnp.pad(c, 1, constant_values=1e4)
        new = jnp.minimum(c, 1 + jnp.minimum(jnp.minimum(p[2:, 1:-1], p[:-2, 1:-1]), jnp.minimum(p[1:-1, 2:], p[1:-1, :-2])))
        new = jnp.where(wall, 1e4, new)
        return new, (new != c).any(), k + 1
    cost, _, rounds = lax.while_loop(lambda s: s[1] & (s[2] < 1000), relax, (cost, True, 0))
    moves = jnp.array([[0, 1], [1, 0], [0, -1], [-1, 0], [0, 0]])
    def walk(at, _):
        near = jnp.clip(at + moves, 0, 59)
        at = near[jnp.argmin(cost[near[:, 0], near[:, 1]])]
        return at, at
    return lax.scan(walk, jnp.zeros(2, jnp.int32), None, length=150)[1].astype(jnp.int8), rounds


@row("n(64, 4, scale=.2), n(5, 2) * 2", "lambda s, o: vmap({0}, (0, None))(s, o)")
def filtered_by_barriers(state, obstacles):
    """A double integrator; the desired control is projected onto the half planes that keep it safe."""
    def step(s, _):
        p, v = s[:2], s[2:]
        desired = -2 * (p - jnp.array([3.0, 3.0])) - 2 * v
        d = p - obstacles
        h = (d * d).sum(1) - 0.5
        rate = 2 * d @ v
        bound = -(2 * v @ v + 4 * rate + 4 * h)
        def project(u, _):
            def one(u, k):
                a = 2 * d[k]
                return u + a * nn.relu(bound[k] - a @ u) / (a @ a + 1e-6), None
            return lax.scan(one, u, jnp.arange(5))[0], None
        u = lax.scan(project, desired, None, length=4)[0]
        u = jnp.clip(u, -10, 10)
        v = v + 0.05 * u
        return jnp.concatenate([p + 0.05 * v, v]), h.min()
    return lax.scan(step, state, None, length=50)


@row("n(40, 2), n(4, scale=.1)", "jax.value_and_grad({0})")
@row("n(20), n(4, scale=.1)", "jax.hessian(lambda u, x: {0}(u.reshape(10, 2), x))")
def collocated_cart_and_pendulum(u, x0):
    """Penalties for the defects of a trapezoidal transcription."""
    steps = u.shape[0]
    x = jnp.linspace(0, 1, steps)[:, None] * jnp.array([0.5, jnp.pi, 0, 0]) + jnp.pad(u, ((0, 0), (0, 2))) + x0
    def f(x, u):
        s, c = jnp.sin(x[1]), jnp.cos(x[1])
        a = (u + 0.3 * s * (0.5 * x[3] ** 2 + 9.81 * c)) / (1 + 0.3 * s * s)
        return jnp.stack([x[2], x[3], a, (-u * c - 0.15 * x[3] ** 2 * c * s - 1.3 * 9.81 * s) / (0.5 * (1 + 0.3 * s * s))])
    d = jax.vmap(f)(x, u[:, 1])
    defect = x[1:] - x[:-1] - 0.025 * (d[1:] + d[:-1])
    return (defect**2).sum() * 10 + (u**2).sum() * 1e-3 + ((x[-1] - jnp.array([0.5, jnp.pi, 0, 0])) ** 2).sum()


# ---- circuits and motors ---------------------------------------------------------------------------------------------

@row("jnp.abs(n(4000)) * .1, jnp.array([.01, .02, 500., .5])")
@row("jnp.abs(n(1000)) * .5, jnp.array([.01, .02, 500., .5])", "jax.jacfwd({0}, 1)")
def battery_of_equivalent_circuit(current, p):
    table = jnp.array([3.0, 3.45, 3.6, 3.7, 3.9, 4.2])
    def step(s, i):
        charge, slow = s
        charge = charge - i / 3600 / p[3]
        slow = slow + (i * p[1] - slow) * 10 / p[2]
        x = jnp.clip(charge, 0, 0.999) * 5
        k = x.astype(jnp.int32)
        open_circuit = table[k] + (table[k + 1] - table[k]) * (x - k)
        return (charge, slow), open_circuit - slow - i * p[0]
    return lax.scan(step, (0.95, 0.0), current)[1]


@row("n(24, 96) * 5 + 20, jnp.abs(n(24)) + 1")
def dispatch_by_marginal_cost(demand, cost):
    """Bisection on the price for every quarter of an hour, with limits of the units."""
    high = 3 + 2 * cost
    total = jnp.abs(demand).mean(0) + 20
    def bisect(_, s):
        low, up = s
        price = 0.5 * (low + up)
        made = jnp.clip((price - cost[:, None]) / (0.2 * cost[:, None]), 0, high[:, None]).sum(0)
        return jnp.where(made < total, price, low), jnp.where(made < total, up, price)
    price = lax.fori_loop(0, 30, bisect, (jnp.zeros(96), jnp.full(96, 100.0)))[0]
    return price, jnp.clip((price - cost[:, None]) / (0.2 * cost[:, None]), 0, high[:, None])


# ---- audio effects ---------------------------------------------------------------------------------------------------

@row("n(12000, scale=.3)")
def feedback_delay_network(x):
    """Four delay lines of unequal lengths behind a Hadamard matrix, damped."""
    h = jnp.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]) / 2.0
    delay = jnp.array([149, 211, 263, 293])
    def step(s, v):
        lines, low, t = s
        out = lines[jnp.arange(4), (t - delay) % 300]
        low = 0.7 * out + 0.3 * low
        lines = lines.at[:, t % 300].set(v + 0.9 * h @ low)
        return (lines, low, t + 1), out.sum() * 0.25
    return 0.7 * x + 0.3 * lax.scan(step, (jnp.zeros((4, 300)), jnp.zeros(4), 0), x)[1]


@row("n(4, 6000, scale=.3)", "vmap({0})")
def chorus_through_fractional_delays(x):
    t = jnp.arange(6000)
    out = x
    for depth, rate, base in ((20, 0.0007, 60), (30, 0.0011, 90), (15, 0.0017, 120)):
        at = t - base - depth * jnp.sin(2 * jnp.pi * rate * t)
        k = jnp.floor(at).astype(jnp.int32)
        f = at - k
        tap = lambda j: jnp.where((k + j >= 0) & (k + j < 6000), x[jnp.clip(k + j, 0, 5999)], 0)
        a, b, c, d = (tap(j) for j in (-1, 0, 1, 2))
        out = out + 0.3 * (b + 0.5 * f * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a))))
    return jnp.tanh(out)


@row("nn.relu(n(600)) + (jnp.arange(600) % 43 == 0) * 3.")
def beats_by_dynamic_programming(onset):
    lag = jnp.correlate(onset, onset, mode="full")[599:749]
    period = 20 + jnp.argmax(lag[20:100] * jnp.exp(-0.5 * jnp.log2(jnp.arange(20, 100) / 43) ** 2))
    gaps = jnp.arange(10, 101)
    penalty = -100 * jnp.log(gaps / period) ** 2
    def step(ring, x):
        v, t = x
        score = jnp.where(t - gaps >= 0, ring[(t - gaps) % 128], -1e6) + penalty
        best = jnp.argmax(score)
        total = v + jnp.maximum(score[best], 0)
        return ring.at[t % 128].set(total), (total, jnp.where(score[best] > 0, t - gaps[best], -1))
    total, back = lax.scan(step, jnp.zeros(128), (onset, jnp.arange(600)))[1]
    walk = lambda at, _: (jnp.where(at >= 0, back[jnp.maximum(at, 0)], -1), at)
    return lax.scan(walk, 500 + jnp.argmax(total[500:]), None, length=40)[1], period


# ---- geometry --------------------------------------------------------------------------------------------------------

@row("n(60, 2)")
@row("n(25, 40, 2)", "vmap({0})")
def convex_hull_by_wrapping(p):
    first = jnp.lexsort((p[:, 1], p[:, 0]))[0]
    size = p.shape[0]
    def step(s):
        at, order, k = s
        d = p - p[at]
        def left(best, j):
            turn = d[best, 0] * d[j, 1] - d[best, 1] * d[j, 0]
            better = (best == at) | (turn < 0)
            return jnp.where(better & (j != at), j, best), None
        best = lax.scan(left, at, jnp.arange(size))[0]
        return best, order.at[k].set(at), k + 1
    start = (first, jnp.full(size, -1), 0)
    s = lax.while_loop(lambda s: ((s[0] != first) | (s[2] == 0)) & (s[2] < size), step, start)
    corner = p[jnp.where(s[1] < 0, first, s[1])]
    after = jnp.roll(corner, -1, 0)
    return s[1], s[2], 0.5 * jnp.abs((corner[:, 0] * after[:, 1] - corner[:, 1] * after[:, 0]).sum())


@row("i(128, 40, 2)")
def jump_flooding_cells(seeds):
    at = jnp.stack(jnp.meshgrid(jnp.arange(128), jnp.arange(128), indexing="ij"), -1)
    owner = jnp.full((128, 128), -1).at[seeds[:, 0], seeds[:, 1]].set(jnp.arange(40))
    gap = lambda o: jnp.where(o < 0, 1 << 20, ((seeds[o] - at) ** 2).sum(-1))
    moves = jnp.array([(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx])
    def offer(s, move):
        owner, best = s
        other = jnp.roll(owner, move, (0, 1))
        d = gap(other)
        return (jnp.where(d < best, other, owner), jnp.minimum(d, best)), None
    steps = jnp.array([64, 32, 16, 8, 4, 2, 1])[:, None, None] * moves
    owner, best = lax.scan(offer, (owner, gap(owner)), steps.reshape(-1, 2))[0]
    return owner.astype(jnp.uint8), jnp.sqrt(best.astype(jnp.float32)), jnp.bincount(owner.ravel(), length=40)


@row("n(300, 3, 2), jnp.array([[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]])", "vmap({0}, (0, None))")
def triangle_clipped_to_window(triangle, window):
    """Each edge of the window keeps or cuts the corners; at most eight remain, packed."""
    def clip(s, edge):
        p, count = s
        a, b = edge
        side = lambda q: (b[0] - a[0]) * (q[..., 1] - a[1]) - (b[1] - a[1]) * (q[..., 0] - a[0])
        k = jnp.arange(8)
        q = p[jnp.where(k + 1 < count, k + 1, 0)]
        sp, sq = side(p), side(q)
        cut = p + (sp / jnp.where(sp == sq, 1, sp - sq))[:, None] * (q - p)
        valid = k < count
        keep, cross = valid & (sp >= 0), valid & ((sp >= 0) != (sq >= 0))
        flag = jnp.stack([keep, cross], 1).ravel()
        place = jnp.where(flag, jnp.cumsum(flag) - 1, 8)
        return (jnp.zeros((8, 2)).at[place].set(jnp.stack([p, cut], 1).reshape(16, 2), mode="drop"), flag.sum()), None
    start = jnp.zeros((8, 2)).at[:3].set(triangle), 3
    return lax.scan(clip, start, (window, jnp.roll(window, -1, 0)))[0]


# ---- pictures --------------------------------------------------------------------------------------------------------

@row("nn.sigmoid(n(8, 60, 80, 1)), jnp.zeros((60, 80, 3)) + .5, jnp.full((60, 80, 3), .1), jnp.ones((60, 80, 3)) / 3")
def background_of_three_modes(frames, mean, spread, weight):
    def step(s, x):
        mean, spread, weight = s
        d = x - mean
        near = jnp.abs(d) < 2.5 * spread
        best = jnp.where(near, weight / spread, -1).argmax(-1)
        hit = (jnp.arange(3) == best[..., None]) & near
        weak = (jnp.arange(3) == weight.argmin(-1)[..., None]) & ~near.any(-1, keepdims=True)
        rate = 0.1 * hit
        mean = jnp.where(weak, x, mean + rate * d)
        spread = jnp.where(weak, 0.3, jnp.sqrt((1 - rate) * spread**2 + rate * d * d))
        weight = weight + 0.1 * (hit - weight)
        weight = weight / weight.sum(-1, keepdims=True)
        return (mean, spread, weight), ~near.any(-1)
    return lax.scan(step, (mean, spread, weight), frames)


@row("nn.sigmoid(n(64, 64)), nn.sigmoid(n(64, 64, seed=1)), jnp.zeros((64, 64)).at[16:48, 16:48].set(1)")
@row("nn.sigmoid(n(64, 64)), nn.sigmoid(n(64, 64, seed=1)), jnp.zeros((64, 64)).at[16:48, 16:48].set(1)", "grad({0})")
def cloned_with_matching_gradients(source, target, mask):
    laplace = lambda x: 4 * x - sum(jnp.roll(x, s, a) for s in (1, -1) for a in (0, 1))
    b = jnp.where(mask > 0, laplace(source) - laplace(target * (1 - mask)), 0)
    product = lambda x: jnp.where(mask > 0, laplace(x * mask), 0)
    def step(s, _):
        x, r, p = s
        q = product(p)
        rr = (r * r).sum()
        a = rr / ((p * q).sum() + 1e-12)
        new = r - a * q
        return (x + a * p, new, new + (new * new).sum() / (rr + 1e-12) * p), None
    x = lax.scan(step, (jnp.zeros_like(b), b, b), None, length=30)[0][0]
    return target * (1 - mask) + x * mask


@row("nn.sigmoid(n(4, 48, 64, 3)) ** 2, jnp.array([.25, .5, 1., 2.])")
def exposures_merged(frames, time):
    """Weights by contrast, saturation and exposure; radiance from the logarithms."""
    exposed = jnp.clip(frames * time[:, None, None, None], 0, 1)
    gray = exposed.mean(-1)
    p = jnp.pad(gray, ((0, 0), (1, 1), (1, 1)), mode="reflect")
    contrast = jnp.abs(4 * gray - p[:, 2:, 1:-1] - p[:, :-2, 1:-1] - p[:, 1:-1, 2:] - p[:, 1:-1, :-2])
    good = jnp.exp(-((exposed - 0.5) ** 2) / 0.08).prod(-1)
    w = contrast * exposed.std(-1) * good + 1e-6
    w = w / w.sum(0)
    hat = jnp.minimum(exposed, 1 - exposed) + 1e-3
    radiance = jnp.exp((hat * (jnp.log(exposed + 1e-4) - jnp.log(time)[:, None, None, None])).sum(0) / hat.sum(0))
    return (w[..., None] * exposed).sum(0), radiance / (1 + radiance)


@row("nn.sigmoid(n(1, 64, 64, 1)), n(6)")
def bank_of_oriented_filters(x, phase):
    y, c = jnp.meshgrid(jnp.arange(-7.0, 8), jnp.arange(-7.0, 8), indexing="ij")
    def kernel(angle, phase):
        u, v = c * jnp.cos(angle) + y * jnp.sin(angle), -c * jnp.sin(angle) + y * jnp.cos(angle)
        g = jnp.exp(-(u * u + 0.25 * v * v) / 18) * jnp.cos(2 * jnp.pi * u / 6 + phase)
        return g - g.mean()
    k = jax.vmap(kernel)(jnp.arange(6) * jnp.pi / 6, phase).transpose(1, 2, 0)[:, :, None]
    r = lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jnp.abs(r).max(-1), jnp.abs(r).argmax(-1).astype(jnp.int8)


# ---- finance ---------------------------------------------------------------------------------------------------------

@row("jnp.array([.25, .5, 1, 2, 3, 5, 7, 10, 20, 30]), jnp.abs(n(60, 10, scale=.002)) + .03", "vmap({0}, (None, 0))")
def yield_curve_of_four_factors(t, y):
    """The decays on a grid, the factors by least squares for each."""
    def fit(tau):
        a = (1 - jnp.exp(-t / tau[0])) / (t / tau[0])
        b = (1 - jnp.exp(-t / tau[1])) / (t / tau[1])
        x = jnp.stack([jnp.ones_like(t), a, a - jnp.exp(-t / tau[0]), b - jnp.exp(-t / tau[1])], 1)
        beta = jnp.linalg.solve(x.T @ x + 1e-5 * jnp.eye(4), x.T @ y)
        return beta, ((y - x @ beta) ** 2).sum()
    grid = jnp.stack(jnp.meshgrid(jnp.linspace(0.5, 3, 6), jnp.linspace(4, 12, 5)), -1).reshape(-1, 2)
    beta, error = jax.vmap(fit)(grid)
    return beta[error.argmin()], grid[error.argmin()]


@row("n(20, 400, 10), jnp.full(10, .03)")
@row("n(20, 100, 10), jnp.full(10, .03)", "jax.grad(lambda z, f: {0}(z, f)[0], 1)")
def market_model_of_forward_rates(z, forward):
    """Ten forward rates with drifts of the spot measure; a swaption's value and a cap's."""
    volatility = 0.2 * jnp.exp(-0.05 * jnp.arange(10))
    def step(f, x):
        z, k = x
        alive = jnp.arange(10) >= k // 2
        part = jnp.where(alive, 0.5 * f * volatility / (1 + 0.5 * f), 0)
        f = f * jnp.exp(jnp.where(alive, volatility * jnp.cumsum(part) * 0.25 - 0.5 * volatility**2 * 0.25
                                  + volatility * 0.5 * z, 0))
        return f, None
    def path(z):
        f, _ = lax.scan(step, forward, (z, jnp.arange(20)))
        discount = 1 / jnp.cumprod(1 + 0.5 * f)
        swap = (1 - discount[-1]) / (0.5 * discount.sum())
        return nn.relu(swap - 0.03) * discount.sum() * 0.5, (nn.relu(f - 0.035) * discount).sum() * 0.5
    value, cap = jax.vmap(path, 1)(z)
    return value.mean(), cap.mean()


@row("i(2, 600), i(40, 600) - 20, i(9, 600) + 1")
def order_book_matching(side, offset, size):
    """Limit orders on a ladder of prices; marketable quantity walks through the levels."""
    def step(s, x):
        bid, ask, last = s
        side, price, q = x
        price = jnp.clip(50 + price, 0, 99)
        k = jnp.arange(100)
        depth = jnp.where(side == 0, jnp.where(k <= price, ask, 0), jnp.where(k >= price, bid, 0))
        order = jnp.where(side == 0, depth, depth[::-1])
        taken = jnp.clip(q - (jnp.cumsum(order) - order), 0, order)
        taken = jnp.where(side == 0, taken, taken[::-1])
        rest = q - taken.sum()
        ask = jnp.where(side == 0, ask - taken, ask.at[price].add(rest))
        bid = jnp.where(side == 0, bid.at[price].add(rest), bid - taken)
        return (bid, ask, jnp.where(taken.sum() > 0, (taken * k).sum() // jnp.maximum(taken.sum(), 1), last)), taken.sum()
    zero = jnp.zeros(100, jnp.int32)
    return lax.scan(step, (zero, zero, 50), (side, offset, size))


# ---- quantum devices -------------------------------------------------------------------------------------------------

@row("n(24, 2, scale=.5)", "jax.value_and_grad({0})")
def pulses_for_a_gate(pulse):
    """Piecewise constant controls of two coupled qubits; infidelity with a controlled flip."""
    x, z = jnp.array([[0, 1], [1, 0]], jnp.complex64), jnp.diag(jnp.array([1, -1], jnp.complex64))
    eye = jnp.eye(2)
    drift = jnp.kron(z, z) * 0.5
    controls = jnp.stack([jnp.kron(x, eye), jnp.kron(eye, x)])
    def step(u, p):
        h = drift + jnp.tensordot(p.astype(jnp.complex64), controls, 1)
        return jax.scipy.linalg.expm(-0.2j * h) @ u, None
    u = lax.scan(step, jnp.eye(4, dtype=jnp.complex64), pulse)[0]
    target = jnp.eye(4)[jnp.array([0, 1, 3, 2])]
    return 1 - jnp.abs(jnp.trace(target @ u)) ** 2 / 16


@row("n(20, scale=.3), jnp.linspace(0, 12, 120)")
def atom_in_cavity(amplitude, t):
    """Exact evolution from eigenvectors, inversion and the photon number's mean."""
    k = jnp.arange(20)
    lower = jnp.diag(jnp.sqrt(jnp.arange(1.0, 20)), 1)
    up = jnp.array([[0.0, 1], [0, 0]])
    h = jnp.kron(jnp.eye(2), jnp.diag(k * 1.0)) + jnp.kron(jnp.diag(jnp.array([0.5, -0.5])), jnp.eye(20))
    h = h + 0.3 * (jnp.kron(up, lower) + jnp.kron(up.T, lower.T))
    e, v = jnp.linalg.eigh(h)
    start = jnp.exp(-jnp.abs(k - 4.0) / 2) + 0.1 * amplitude
    start = jnp.kron(jnp.array([1.0, 0]), start / jnp.linalg.norm(start))
    state = jnp.exp(-1j * t[:, None] * e) * (v.T @ start) @ v.T
    p = jnp.abs(state.reshape(-1, 2, 20)) ** 2
    return p[:, 0].sum(-1) - p[:, 1].sum(-1), (p.sum(1) * k).sum(-1)


@row("random.key(0), n(8, scale=.4)")
def angles_by_shifted_parameters(key, theta):
    """Gradients of a sampled circuit of four qubits from evaluations at shifted angles."""
    def state(theta):
        s = jnp.zeros((2,) * 4).at[0, 0, 0, 0].set(1.0)
        for layer in range(2):
            for q in range(4):
                c, sn = jnp.cos(theta[4 * layer + q] / 2), jnp.sin(theta[4 * layer + q] / 2)
                s = jnp.moveaxis(jnp.tensordot(jnp.array([[c, -sn], [sn, c]]), s, ((1,), (q,))), 0, q)
            sign = jnp.array([[1.0, 1], [1, -1]])
            s = s * sign[:, :, None, None] * sign[:, :, None] * sign
        return s.ravel() ** 2
    parity = jnp.array([(-1.0) ** bin(k).count("1") for k in range(16)])
    def measured(theta, key):
        shots = random.categorical(key, jnp.log(state(theta) + 1e-9), shape=(200,))
        return parity[shots].mean()
    shifts = jnp.concatenate([jnp.eye(8), -jnp.eye(8)]) * jnp.pi / 2
    value = jax.vmap(measured)(theta + shifts, random.split(key, 16))
    return 0.5 * (value[:8] - value[8:]), jax.grad(lambda t: parity @ state(t))(theta)


# ---- crowds, lattices, games -----------------------------------------------------------------------------------------

@row("random.key(0), (n(40, 100) > .6).astype('int32') * 3 - 1")
def cars_on_circular_roads(key, speed):
    """Forty roads: accelerate, keep the gap, dawdle, move."""
    def step(speed, key):
        car = speed >= 0
        at = jnp.arange(100)
        position = jnp.where(jnp.concatenate([car, car], 1), jnp.arange(200), 1000)
        ahead = lax.cummin(position, axis=1, reverse=True)
        gap = ahead[:, 1:101] - at - 1
        v = jnp.minimum(jnp.minimum(speed + 1, 5), gap)
        v = jnp.where(random.bernoulli(key, 0.2, v.shape), jnp.maximum(v - 1, 0), v)
        to = jnp.where(car, (at + v) % 100, 100)
        new = jnp.full((40, 100), -1).at[jnp.arange(40)[:, None], to].set(v, mode="drop")
        return new, jnp.where(car, v, 0).sum(1) / jnp.maximum(car.sum(1), 1)
    return lax.scan(step, speed, random.split(key, 60))


@row("random.key(1), i(3, 40, 40)")
def neighbours_who_move_away(key, town):
    """Unhappy households swap with empty places, matched in random order."""
    def step(town, key):
        p = jnp.pad(town, 1, mode="wrap")
        near = jnp.stack([p[a : a + 40, b : b + 40] for a in range(3) for b in range(3) if (a, b) != (1, 1)])
        same, taken = ((near == town) & (near > 0)).sum(0), (near > 0).sum(0)
        unhappy = ((town > 0) & (same < 0.4 * taken)).ravel()
        empty = (town == 0).ravel()
        score = random.uniform(key, (1600,))
        movers = jnp.argsort(jnp.where(unhappy, score, 2.0))
        free = jnp.argsort(jnp.where(empty, score, 2.0))
        ok = jnp.arange(1600) < jnp.minimum(unhappy.sum(), empty.sum())
        flat = town.ravel()
        who = flat[movers]
        flat = flat.at[jnp.where(ok, free, 1600)].set(who, mode="drop").at[jnp.where(ok, movers, 1600)].set(0, mode="drop")
        return flat.reshape(40, 40), unhappy.mean()
    return lax.scan(step, town, random.split(key, 8))


@row("jnp.uint32(127)")
def queens_by_bit_masks(full):
    """Counts the solutions for seven queens with an explicit stack."""
    def body(s):
        stack, top, found = s
        columns, left, right = stack[top]
        top = top - 1
        found = found + (columns == full)
        free = full & ~(columns | left | right)
        def push(c):
            free, stack, top = c
            bit = free & (~free + 1)
            new = jnp.stack([columns | bit, (left | bit) << 1, (right | bit) >> 1])
            return free ^ bit, stack.at[top + 1].set(new), top + 1
        _, stack, top = lax.while_loop(lambda c: c[0] != 0, push, (free, stack, top))
        return stack, top, found
    return lax.while_loop(lambda s: s[1] >= 0, body, (jnp.zeros((60, 3), jnp.uint32), 0, 0))[2]


@row("n(100, 2), n(100, 2, seed=1, scale=.1)")
@row("n(40, 2), n(40, 2, seed=1, scale=.1)", "grad({0})")
def pedestrians_with_social_forces(x, v):
    goal = jnp.where(jnp.arange(x.shape[0])[:, None] % 2 == 0, jnp.array([5.0, 0]), jnp.array([-5.0, 0]))
    def step(s, _):
        x, v = s
        d = x[:, None] - x
        r = jnp.sqrt((d * d).sum(-1) + 1e-4)
        ahead = 0.5 * (1 - (d * v[:, None]).sum(-1) / (r * jnp.sqrt((v * v).sum(-1) + 1e-4)[:, None]))
        push = (jnp.exp((0.4 - r) / 0.3) * (0.2 + 0.8 * ahead) / r)[..., None] * d
        to = goal - x
        desired = 1.3 * to / (jnp.linalg.norm(to, axis=-1, keepdims=True) + 0.1)
        v = v + 0.05 * ((desired - v) / 0.5 + push.sum(1))
        return (x + 0.05 * v, v), None
    return lax.scan(step, (x, v), None, length=10)[0][0]


# ---- functions with their own derivatives ----------------------------------------------------------------------------

@partial(jax.custom_vjp, nondiff_argnums=(1,))
def spike(x, slope):
    return (x > 0).astype(x.dtype)


spike.defvjp(lambda x, slope: (spike(x, slope), x), lambda slope, x, g: (g / (1 + slope * jnp.abs(x)) ** 2,))


@row("(n(30, 32, 40) > .5).astype('float32'), n(40, 64, scale=.4), n(64, 64, scale=.1), n(64, 10, scale=.3), i(10, 32)",
     "jax.value_and_grad({0}, (1, 2, 3))")
def spiking_classifier(spikes, w, u, out, label):
    """Leaky units with surrogate slopes through time."""
    def step(s, x):
        v, z, total = s
        v = 0.9 * v * (1 - z) + x @ w + z @ u
        z = spike(v - 1, 10.0)
        return (v, z, 0.95 * total + z @ out), z.mean()
    zero = jnp.zeros((32, 64))
    (_, _, total), rate = lax.scan(step, (zero, zero, jnp.zeros((32, 10))), spikes)
    return -nn.log_softmax(total)[jnp.arange(32), label].mean() + ((rate - 0.1) ** 2).mean()


@jax.custom_jvp
def fixed_cosine(a):
    return lax.fori_loop(0, 40, lambda _, x: jnp.cos(a * x), 0.5 * jnp.ones_like(a))


@fixed_cosine.defjvp
def fixed_cosine_jvp(primal, tangent):
    (a,), (da,) = primal, tangent
    x = fixed_cosine(a)
    return x, -x * jnp.sin(a * x) / (1 + a * jnp.sin(a * x)) * da


@row("nn.sigmoid(n(4000))", "grad(lambda a: {0}(a, 3))")
@row("nn.sigmoid(n(500))", "vmap(jax.grad(jax.grad(lambda a: {0}(a, 2))))")
def implicit_root_in_chain(a, times):
    x = a
    for k in range(times):
        x = fixed_cosine(a * (0.5 + 0.1 * k) + 0.1 * x)
    return x


@jax.custom_vjp
def reversible_blocks(x, y, w):
    def block(s, w):
        x, y = s
        y = y + jnp.tanh(x @ w[0])
        return (x + jnp.tanh(y @ w[1]), y), None
    return lax.scan(block, (x, y), w)[0]


def reversible_blocks_back(saved, g):
    (x, y), w = saved
    def undo(s, w):
        x, y, gx, gy = s
        f = lambda z, w: jnp.tanh(z @ w)
        fy, back = jax.vjp(f, y, w[1])
        x = x - fy
        dy, d1 = back(gx)
        gy = gy + dy
        fx, back = jax.vjp(f, x, w[0])
        dx, d0 = back(gy)
        return (x, y - fx, gx + dx, gy), jnp.stack([d0, d1])
    (_, _, gx, gy), gw = lax.scan(undo, (x, y, *g), w, reverse=True)
    return gx, gy, gw


def reversible_blocks_forward(x, y, w):
    out = reversible_blocks(x, y, w)
    return out, (out, w)


reversible_blocks.defvjp(reversible_blocks_forward, reversible_blocks_back)


@row("n(32, 48), n(32, 48, seed=1), n(10, 2, 48, 48, scale=.1)", "jax.value_and_grad({0}, (0, 1, 2))")
@row("n(32, 48), n(32, 48, seed=1), n(10, 2, 48, 48, scale=.1)")
def loss_through_reversible_blocks(x, y, w):
    a, b = reversible_blocks(x, y, w)
    return (a * a).mean() + (b**4).mean()


@row("n(64, 5), n(8, 3, scale=.3), n(3, scale=.2)",
     "lambda x, w, b: jax.vmap(jax.jacrev(jax.jacfwd({0})), (0, None, None))(x, w, b)")
def energy_with_switches(x, w, b):
    """A branch chosen by data inside nested derivatives."""
    h = jnp.tanh(x[:3] @ w.T[:, :8] + x[3])
    k = jnp.argmax(x)
    branches = lambda v: (v * v).sum(), lambda v: jnp.cos(v).sum(), lambda v: jnp.exp(-v * v).sum()
    picked = lax.switch(jnp.minimum(k, 2), branches, h)
    return lax.cond(x[4] > 0, lambda v: v * x[4], lambda v: jnp.sin(v) + b @ x[:3], picked)
