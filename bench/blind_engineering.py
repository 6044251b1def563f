"""blind_engineering.py: rows of the long tail written before any of them was measured (snippets.py): programs of engineers:
control and observers, structures and finite elements, circuits, heat and fluids, power flow, antennas, filters of signals,
Kalman filters, kinematics of robots, optics, chemical kinetics."""
import jax
import jax.numpy as jnp
from jax import lax

from snippets import row


# ---- control ---------------------------------------------------------------------------------------------------------

@row("n(6, 6, scale=.3), n(6, 2), jnp.eye(6), jnp.eye(2), n(6)")
def doubling_riccati_and_closed_loop(a, b, q, r, x0):
    """Structured doubling, then forty steps under the gain."""
    def double(state, _):
        a, g, h = state
        w = jnp.linalg.inv(jnp.eye(6) + g @ h)
        return (a @ w @ a, g + a @ w @ g @ a.T, h + a.T @ h @ w @ a), None
    (_, _, p), _ = lax.scan(double, (a, b @ jnp.linalg.solve(r, b.T), q), length=6)
    gain = jnp.linalg.solve(r + b.T @ p @ b, b.T @ p @ a)
    path = lax.scan(lambda x, _: ((a - b @ gain) @ x, jnp.append(x, gain @ x)), x0, None, length=40)[0:2]
    return gain, p, path


@row("n(4), n(20, 1, scale=.1), 1.5", "jax.jit({0})")
def constrained_mpc_by_projected_gradient(x0, u, limit):
    """A quadrotor's pitch and position, accelerated projected gradients over a condensed horizon."""
    a = jnp.eye(4) + 0.1 * jnp.eye(4, k=1).at[1, 2].set(9.81)
    b = jnp.array([[0.0], [0], [0], [0.5]])
    def cost(u):
        def step(x, u):
            x = a @ x + b @ u
            return x, x @ (jnp.array([1.0, 0.1, 0.1, 0.1]) * x) + 0.1 * u @ u
        return lax.scan(step, x0, u)[1].sum()
    def iterate(s, k):
        u, y = s
        new = jnp.clip(y - 1e-3 * jax.grad(cost)(y), -limit, limit)
        return (new, new + k / (k + 3.0) * (new - u)), cost(new)
    (u, _), costs = lax.scan(iterate, (u, u), jnp.arange(25.0))
    return u[0], costs


@row("jnp.array([[0., 1, 0], [-4, -.5, .1], [0, 0, -1]]), n(3, 1), jnp.array([[1., 0, 0]]), n(200, 1)")
def luenberger_observer(a, b, c, inputs):
    """Discretization by the exponential of the joined matrix, a gain by Ackermann's formula."""
    joined = jnp.zeros((4, 4)).at[:3, :3].set(a).at[:3, 3:].set(b)
    exponential = jax.scipy.linalg.expm(joined * 0.05)
    ad, bd = exponential[:3, :3], exponential[:3, 3:]
    observability = jnp.concatenate([c, c @ ad, c @ ad @ ad])
    p = (ad - 0.5 * jnp.eye(3)) @ (ad - 0.6 * jnp.eye(3)) @ (ad - 0.7 * jnp.eye(3))
    gain = p @ jnp.linalg.solve(observability, jnp.array([[0.0], [0], [1]]))
    def step(s, u):
        x, x_hat = s
        error = c @ (x - x_hat)
        return (ad @ x + bd @ u, ad @ x_hat + bd @ u + gain @ error), jnp.linalg.norm(x - x_hat)
    return lax.scan(step, (jnp.ones(3), jnp.zeros(3)), inputs)[1]


@row("jnp.linspace(.5, 3, 40), jnp.linspace(.1, 1, 40), jnp.linspace(0, .3, 40)")
@row("1.2, .4, .05", "jax.jacrev({0}, (0, 1, 2))")
def pid_with_antiwindup(kp, ki, kd):
    """Integrated absolute error of a second-order plant with a saturated input."""
    def step(s, t):
        y, v, integral, last = s
        error = jnp.where(t < 150, 1.0, 0.5) - y
        raw = kp * error + ki * integral + kd * (error - last) / 0.02
        u = jnp.clip(raw, -2.0, 2.0)
        integral = integral + 0.02 * (error + 0.5 * (u - raw))
        return (y + 0.02 * v, v + 0.02 * (u - 0.6 * v - y), integral, error), abs(error)
    start = tuple(jnp.zeros_like(jnp.asarray(kp)) for _ in range(4))
    return lax.scan(step, start, jnp.arange(300))[1].sum(0) * 0.02


@row("jnp.logspace(-1, 3, 500), jnp.array([1., 12., 40.]), jnp.array([1., 2.5, 101., 50., 0.])")
def bode_margins(w, numerator, denominator):
    s = 1j * w
    h = jnp.polyval(numerator.astype(jnp.complex64), s) / jnp.polyval(denominator.astype(jnp.complex64), s)
    db, phase = 20 * jnp.log10(jnp.abs(h)), jnp.rad2deg(jnp.unwrap(jnp.angle(h)))
    crossing = jnp.argmax(db < 0)
    sensitivity = 1 / jnp.abs(1 + h)
    return db, phase, 180 + phase[crossing], w[crossing], sensitivity.max()


@row("n(12, 12, scale=.2), n(12, 3), n(2, 12)")
def gramians_and_hankel_values(a, b, c):
    """Balanced truncation data of a stable system by squared Smith iterations."""
    a = a / (1 + jnp.linalg.norm(a))
    def smith(a, q):
        return lax.fori_loop(0, 6, lambda _, s: (s[0] @ s[0], s[1] + s[0] @ s[1] @ s[0].T), (a, q))[1]
    controllable, observable = smith(a, b @ b.T), smith(a.T, c.T @ c)
    l = jnp.linalg.cholesky(controllable + 1e-6 * jnp.eye(12))
    return jnp.sqrt(jnp.abs(jnp.linalg.eigvalsh(l.T @ observable @ l)))[::-1][:6], jnp.trace(c @ controllable @ c.T)


# ---- structures and finite elements ----------------------------------------------------------------------------------

@row("n(12, 2, scale=.1, dtype='float64'), abs(n(26, dtype='float64')) + 1., n(24, dtype='float64')",
     "jax.grad(lambda *a: {0}(*a)[0] @ a[2], (0, 1))", double=True)
def plane_truss(offset, area, load):
    """Two rows of six nodes, members assembled by scatter; the left nodes are fixed."""
    grid = jnp.stack(jnp.meshgrid(jnp.arange(6.0), jnp.arange(2.0)), -1).reshape(12, 2)
    x = grid + 0.2 * jnp.tanh(offset)
    members = ([(k, k + 1) for k in range(5)] + [(k + 6, k + 7) for k in range(5)] + [(k, k + 6) for k in range(6)]
               + [(k, k + 7) for k in range(5)] + [(k + 6, k + 1) for k in range(5)])
    a, b = jnp.array(members).T
    d = x[b] - x[a]
    length = jnp.sqrt((d**2).sum(1))
    e = jnp.concatenate([-d, d], axis=1) / length[:, None]
    k = (area / length)[:, None, None] * e[:, :, None] * e[:, None, :] * 100
    dof = jnp.stack([2 * a, 2 * a + 1, 2 * b, 2 * b + 1], axis=1)
    stiffness = jnp.zeros((24, 24)).at[dof[:, :, None], dof[:, None, :]].add(k)
    free = jnp.ones(24).at[jnp.array([0, 1, 12, 13])].set(0.0)
    stiffness = stiffness * jnp.outer(free, free) + jnp.diag(1 - free)
    u = jnp.linalg.solve(stiffness, load * free)
    return u, area * 100 / length * (e * u[dof]).sum(1)


@row("abs(n(20)) + 1.", "jax.grad(lambda *a: {0}(*a)[0].sum())")
def beam_frequencies(stiffness):
    """Twenty Euler beam elements with a consistent mass, clamped at one end; frequencies by a Cholesky reduction."""
    h = 1 / 20
    k = jnp.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h], [-12, -6 * h, 12, -6 * h],
                   [6 * h, 2 * h * h, -6 * h, 4 * h * h]]) / h**3
    m = jnp.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h], [54, 13 * h, 156, -22 * h],
                   [-13 * h, -3 * h * h, -22 * h, 4 * h * h]]) * h / 420
    dof = 2 * jnp.arange(20)[:, None] + jnp.arange(4)
    at = dof[:, :, None], dof[:, None, :]
    big_k = jnp.zeros((42, 42)).at[at].add(stiffness[:, None, None] * k)[2:, 2:]
    big_m = jnp.zeros((42, 42)).at[at].add(jnp.broadcast_to(m, (20, 4, 4)))[2:, 2:]
    l = jnp.linalg.cholesky(big_m)
    half = jax.scipy.linalg.solve_triangular(l, big_k, lower=True)
    reduced = jax.scipy.linalg.solve_triangular(l, half.T, lower=True)
    return jnp.sqrt(jnp.linalg.eigvalsh((reduced + reduced.T) / 2)[-5:]), jnp.trace(reduced)


@row("n(30 * 20, scale=.2, dtype='float64')", "jax.value_and_grad({0})", double=True)
def topology_compliance(x):
    """Quadrilateral elements of plane stress, without assembly: conjugate gradients over gathered element displacements."""
    density = jax.nn.sigmoid(x) ** 3 + 1e-2
    k = jnp.array([1 / 2 - 0.3 / 6, 1 / 8 + 0.3 / 8, -1 / 4 - 0.3 / 12, -1 / 8 + 3 * 0.3 / 8, -1 / 4 + 0.3 / 12,
                   -1 / 8 - 0.3 / 8, 0.3 / 6, 1 / 8 - 3 * 0.3 / 8])
    order = jnp.array([[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 7, 6, 5, 4, 3, 2], [2, 7, 0, 5, 6, 3, 4, 1], [3, 6, 5, 0, 7, 2, 1, 4],
                       [4, 5, 6, 7, 0, 1, 2, 3], [5, 4, 3, 2, 1, 0, 7, 6], [6, 3, 4, 1, 2, 7, 0, 5], [7, 2, 1, 4, 3, 6, 5, 0]])
    ke = k[order] / (1 - 0.3**2)
    ex, ey = jnp.meshgrid(jnp.arange(30), jnp.arange(20), indexing="ij")
    corner = (21 * ex + ey).ravel()
    dof = 2 * corner[:, None] + jnp.array([2, 3, 44, 45, 42, 43, 0, 1])
    free = (jnp.arange(2 * 31 * 21) >= 42).astype(x.dtype)
    def product(u):
        return free * jnp.zeros_like(u).at[dof].add(density[:, None] * ((free * u)[dof] @ ke)) + (1 - free) * u
    f = jnp.zeros(2 * 31 * 21).at[-1].set(-1.0)
    u, _ = jax.scipy.sparse.linalg.cg(product, f, maxiter=60, tol=0.0)
    return f @ u


@row("n(400, 3, dtype='float64'), (i(400, 900, 1) + jnp.array([0, 1, 17, 53])) % 400", double=True)
def tetrahedra_mass_and_gradients(x, cells):
    """Volumes, gradients of shape functions and lumped masses of linear tetrahedra."""
    p = x[cells]
    j = jnp.swapaxes(p[:, 1:] - p[:, :1], 1, 2)
    volume = jnp.abs(jnp.linalg.det(j)) / 6
    inverse = jnp.linalg.inv(j)
    gradients = jnp.concatenate([-inverse.sum(1, keepdims=True), inverse], axis=1)
    element = volume[:, None, None] * jnp.einsum("eai,ebi->eab", gradients, gradients)
    mass = jnp.zeros(400).at[cells].add(volume[:, None] / 4)
    return mass, jnp.linalg.norm(element, axis=(1, 2)), volume.sum()


@row("n(20, 3, 3, scale=.1), jnp.abs(n(20, scale=.01))", "jax.jacfwd(lambda *a: {0}(*a)[0])")
def return_mapping(strain, hardening):
    """Radial return of von Mises plasticity at points of quadrature."""
    e = (strain + strain.mT) / 2
    trace = jnp.trace(e, axis1=1, axis2=2)
    deviator = 2 * 80.0 * (e - trace[:, None, None] / 3 * jnp.eye(3))
    norm = jnp.sqrt(jnp.sum(deviator**2, (1, 2)) + 1e-12)
    yielded = norm - jnp.sqrt(2 / 3) * (5.0 + 10 * hardening)
    gamma = jnp.where(yielded > 0, yielded / (2 * 80.0 + 20 / 3), 0.0)
    s = deviator * (1 - 2 * 80.0 * gamma / norm)[:, None, None]
    return s + 160.0 * trace[:, None, None] * jnp.eye(3), hardening + jnp.sqrt(2 / 3) * gamma


# ---- circuits and power ----------------------------------------------------------------------------------------------

@row("abs(n(30)) + .5, i(15, 30), i(15, 30)[::-1], jnp.logspace(1, 5, 64)")
def nodal_analysis_sweep(r, a, b, f):
    """Admittances of resistors with a capacitor at each node; all frequencies in one batched solve."""
    g = jnp.zeros((15, 15)).at[a, a].add(1 / r).at[b, b].add(1 / r).at[a, b].add(-1 / r).at[b, a].add(-1 / r)
    c = 1e-6 * (1 + jnp.arange(15.0))
    y = g + 0.01 * jnp.eye(15) + 2j * jnp.pi * f[:, None, None] * jnp.diag(c)
    v = jnp.linalg.solve(y, jnp.zeros((15, 1), jnp.complex64).at[0].set(1.0))[..., 0]
    return 20 * jnp.log10(jnp.abs(v[:, -1] / v[:, 0]) + 1e-6), jnp.angle(v[:, 0])


@row("jnp.sin(jnp.linspace(0, 20., 400)) * 5")
def rectifier_transient(source):
    """Backward Euler with Newton's method for a diode, a resistor and a smoothing capacitor."""
    def step(v, e):
        def newton(_, u):
            exponent = jnp.clip((e - u) / 0.05, -40.0, 12.0)
            i, g = 1e-4 * (jnp.exp(exponent) - 1), 1e-4 * jnp.exp(exponent) / 0.05
            f = (u - v) / 0.5 + u / 10 - i
            return u - jnp.clip(f / (2 + 0.1 + g), -0.2, 0.2)
        v = lax.fori_loop(0, 30, newton, v)
        return v, v
    return lax.scan(step, 0.0, source)[1]


@row("n(25, 25, dtype='float64'), n(24, scale=.05, dtype='float64'), n(24, scale=.03, dtype='float64')", double=True)
def newton_power_flow(lines, p, q):
    """Polar mismatches of 25 buses, four Newton steps with a Jacobian by forward mode."""
    y = jnp.where(jnp.abs(lines + lines.T) > 1.6, 1 / (0.02 + 0.1j), 0) + 3.0 * jnp.diag(jnp.ones(24), 1) * (1 - 5j)
    y = y + y.T
    y = jnp.diag(y.sum(1) + 0.01j) - y
    def mismatch(x):
        v = jnp.append(1.0, 1 + x[24:]) * jnp.exp(1j * jnp.append(0.0, x[:24]))
        s = v * jnp.conj(y @ v)
        return jnp.concatenate([s.real[1:] - p, s.imag[1:] - q])
    x = jnp.zeros(48)
    for _ in range(4):
        x = x - jnp.linalg.solve(jax.jacfwd(mismatch)(x), mismatch(x))
    v = jnp.append(1.0, 1 + x[24:]) * jnp.exp(1j * jnp.append(0.0, x[:24]))
    return x, (v * jnp.conj(y @ v)).sum(), jnp.abs(mismatch(x)).max() < 1e-6


@row("abs(n(60)) + .1, n(60, 40), n(40), i(40, 60), i(40, 60)[::-1]")
def dc_flow_and_line_outages(susceptance, incidence, injection, start, end):
    """Transfer factors and flows after the outage of each line."""
    a = jax.nn.one_hot(start, 40) - jax.nn.one_hot(end, 40)
    b = a.T @ (susceptance[:, None] * a) + 0.3 * jnp.eye(40)
    ptdf = susceptance[:, None] * jnp.linalg.solve(b, a.T).T
    flow = ptdf @ (injection - injection.mean())
    transfer = ptdf @ a.T
    factor = transfer / (1.05 - jnp.clip(jnp.diag(transfer), 0, 1))
    after = flow[:, None] + factor * flow
    return flow, jnp.abs(after).max(0), jnp.abs(after).argmax(axis=1), (incidence * flow[:, None]).sum()


@row("n(6, 500), n(6, 500, seed=1), n(6, 500, seed=2)")
def park_transform_and_pll(a, b, c):
    alpha, beta = (2 * a - b - c) / 3, (b - c) / jnp.sqrt(3.0)
    def step(s, ab):
        theta, omega = s
        cos, sin = jnp.cos(theta), jnp.sin(theta)
        d, q = cos * ab[0] + sin * ab[1], cos * ab[1] - sin * ab[0]
        omega = omega + 0.002 * jnp.tanh(q)
        return (theta + 0.1 * omega + 0.01 * jnp.tanh(q), omega), (d, q)
    return lax.scan(step, (jnp.zeros(6), jnp.ones(6)), (alpha.T, beta.T), unroll=2)


# ---- heat and fluids -------------------------------------------------------------------------------------------------

@row("jnp.ones(60), abs(n(60)) * .1 + .5, 40")
@row("jnp.ones(8000), abs(n(8000)) * .1 + .5, 3")
def fin_conduction_crank_nicolson(t, k, steps):
    """A rod with variable conductivity and radiation at its free end."""
    m = t.shape[0]
    face = 2 * k[1:] * k[:-1] / (k[1:] + k[:-1])
    left, right = jnp.pad(face, (1, 0)), jnp.pad(face, (0, 1))
    def body(_, t):
        flux = jnp.pad(face * (t[1:] - t[:-1]), 1)
        source = jnp.zeros(m).at[0].add(0.5).at[-1].add(-0.2 * t[-1] ** 4)
        rhs = t + 0.5 * (flux[1:] - flux[:-1]) + source
        return lax.linalg.tridiagonal_solve(-0.5 * left, 1 + 0.5 * (left + right), -0.5 * right, rhs[:, None])[:, 0]
    return lax.fori_loop(0, steps, body, t)


@row("n(64, 96), n(64, 96, seed=1)")
@row("n(260, 300), n(260, 300, seed=1)")
def upwind_scalar_with_van_leer(phi, psi):
    """Ten steps of a tracer in the velocity of a stream function, periodic."""
    u = (jnp.roll(psi, -1, 0) - psi) * 0.1
    v = -(jnp.roll(psi, -1, 1) - psi) * 0.1
    def flux(q, c, axis):
        d = q - jnp.roll(q, 1, axis)
        up = jnp.roll(d, -1, axis)
        slope = jnp.where(d * up > 0, 2 * d * up / (d + up + 1e-12), 0.0)
        left = q + 0.5 * (1 - c) * slope
        right = jnp.roll(q - 0.5 * (1 + c) * slope, -1, axis)
        return jnp.where(c > 0, c * left, c * right)
    def step(_, q):
        fx, fy = flux(q, v, 0), flux(q, u, 1)
        return q - (fx - jnp.roll(fx, 1, 0)) - (fy - jnp.roll(fy, 1, 1))
    return lax.fori_loop(0, 10, step, phi)


@row("abs(n(80)) + .2, abs(n(80, seed=1)) * 1e5 + 4000.")
@row("abs(n(30000)) + .2, abs(n(30000, seed=1)) * 1e5 + 4000.", "jax.vmap(jax.value_and_grad({0}))")
def colebrook_friction(diameter, reynolds):
    """Newton's method from Haaland's formula, laminar below a Reynolds number."""
    rough = 4.5e-5 / diameter
    x = -1.8 * jnp.log10((rough / 3.7) ** 1.11 + 6.9 / reynolds)
    for _ in range(4):
        inner = rough / 3.7 + 2.51 * x / reynolds
        f = x + 2 * jnp.log10(inner)
        x = x - f / (1 + 2 * 2.51 / (reynolds * inner * jnp.log(10.0)))
    return jnp.where(reynolds < 2300, 64 / reynolds, 1 / x**2)


@row("abs(n(18)) + 1., n(10), i(10, 18), i(10, 18)[::-1]")
def pipe_network(resistance, demand, a, b):
    """Heads of junctions by linearized iterations of the flow law with exponent 1.852."""
    demand = demand - demand.mean()
    def body(_, s):
        head, flow = s
        c = 1 / (resistance * jnp.abs(flow) ** 0.852 + 0.05)
        m = jnp.zeros((10, 10)).at[a, a].add(c).at[b, b].add(c).at[a, b].add(-c).at[b, a].add(-c)
        head = jnp.linalg.solve(m + 0.1 * jnp.eye(10), demand)
        return head, 0.5 * flow + 0.5 * c * (head[a] - head[b])
    return lax.fori_loop(0, 12, body, (jnp.zeros(10), jnp.ones(18)))


# ---- antennas and signals --------------------------------------------------------------------------------------------

@row("n(24), n(24, seed=1), jnp.linspace(0, jnp.pi, 721)", "jax.grad(lambda *a: {0}(*a)[1], (0, 1))")
def array_factor_directivity(amplitude, phase, theta):
    weights = amplitude * jnp.exp(1j * phase)
    factor = jnp.abs(jnp.exp(1j * jnp.pi * jnp.cos(theta)[:, None] * jnp.arange(24)) @ weights) ** 2
    power = jnp.trapezoid(factor * jnp.sin(theta), theta)
    return 10 * jnp.log10(factor / factor.max() + 1e-9), 2 * factor.max() / power


@row("lax.complex(n(10, 200), n(10, 200, seed=1)), jnp.linspace(-80., 80, 161)")
def music_and_capon_spectra(x, angles):
    r = x @ jnp.conj(x.T) / 200 + 0.1 * jnp.eye(10)
    steering = jnp.exp(1j * jnp.pi * jnp.sin(jnp.deg2rad(angles)) * jnp.arange(10)[:, None])
    noise = jnp.linalg.eigh(r)[1][:, :7]
    capon = 1 / jnp.einsum("na,na->a", jnp.conj(steering), jnp.linalg.solve(r, steering)).real
    music = 1 / (jnp.sum(jnp.abs(jnp.conj(noise.T) @ steering) ** 2, axis=0) + 1e-3)
    return capon, music


@row("n(20, 1000), 61", "lambda x, taps: {0}(x, 61)")
@row("n(16000), 201", "lambda x, taps: {0}(x, 201)")
def windowed_sinc_bandpass(x, taps):
    k = jnp.arange(taps) - taps // 2
    h = (0.5 * jnp.sinc(0.5 * k) - 0.1 * jnp.sinc(0.1 * k)) * jnp.hamming(taps)
    filtered = jax.vmap(lambda v: jnp.convolve(v, h, mode="same"))(jnp.atleast_2d(x))
    return filtered[:, ::3], jnp.sqrt(jnp.mean(filtered**2, axis=1))


@row("n(3, 4096), n(3, 4096, seed=1)")
def matched_filter_range_doppler(echo, noise):
    """Pulse compression of a chirp over 32 pulses, then Doppler cells and an averaging detector."""
    t = jnp.arange(32) / 32
    chirp = jnp.exp(1j * jnp.pi * 16 * t * t)
    pulses = (echo + 1j * noise).reshape(3, 32, 128)
    compressed = jnp.fft.ifft(jnp.fft.fft(pulses, axis=-1) * jnp.conj(jnp.fft.fft(chirp, 128)), axis=-1)
    cells = jnp.abs(jnp.fft.fftshift(jnp.fft.fft(compressed * jnp.hanning(32)[:, None], axis=1), axes=1)) ** 2
    kernel = jnp.ones(17).at[6:11].set(0.0) / 12
    level = jax.vmap(jax.vmap(lambda v: jnp.convolve(v, kernel, mode="same")))(cells)
    return cells, (cells > 6 * level).sum((1, 2))


@row("n(8, 300), jnp.sin(n(8, 300) + jnp.arange(300.))")
def notch_and_envelope_detector(x, hum):
    """Direct form two transposed over time, all channels at once."""
    r, w = 0.95, 2 * jnp.pi * 0.06
    b, a = jnp.array([1, -2 * jnp.cos(w), 1]), jnp.array([1, -2 * r * jnp.cos(w), r * r])
    def step(s, v):
        z1, z2, envelope = s
        y = b[0] * v + z1
        rate = jnp.where(jnp.abs(y) > envelope, 0.3, 0.02)
        envelope = envelope + rate * (jnp.abs(y) - envelope)
        return (b[1] * v - a[1] * y + z2, b[2] * v - a[2] * y, envelope), (y, envelope)
    return lax.scan(step, (jnp.zeros(8),) * 3, (x + hum).T)[1]


# ---- filters of states -----------------------------------------------------------------------------------------------

@row("n(60, 40, 2), n(40, 4)")
def vehicles_tracked_in_batch(z, start):
    """Forty independent filters with Joseph's form of the update and gating of outliers."""
    f = jnp.eye(4).at[0, 2].set(0.1).at[1, 3].set(0.1)
    h = jnp.eye(2, 4)
    def one(x, p, z):
        x, p = f @ x, f @ p @ f.T + 0.01 * jnp.eye(4)
        s = h @ p @ h.T + 0.25 * jnp.eye(2)
        innovation = z - h @ x
        distance = innovation @ jnp.linalg.solve(s, innovation)
        k = jnp.where(distance < 9.2, 1.0, 0.0) * jnp.linalg.solve(s, h @ p).T
        m = jnp.eye(4) - k @ h
        return x + k @ innovation, m @ p @ m.T + 0.25 * k @ k.T, distance
    def step(s, z):
        x, p, d = jax.vmap(one)(*s, z)
        return (x, p), (x[:, :2], d)
    return lax.scan(step, (start, jnp.tile(jnp.eye(4), (40, 1, 1))), z)[1]


@row("n(30), n(64, 3), n(30, seed=1)")
def ensemble_kalman_of_decay(observed, ensemble, noise):
    """Parameters of a damped oscillation, perturbed observations, stochastic updates."""
    t = jnp.linspace(0, 3, 30)
    predict = jax.vmap(lambda p: p[0] * jnp.exp(-jnp.abs(p[1]) * t) * jnp.cos(p[2] * t))
    def update(e, k):
        y = predict(e)
        de, dy = e - e.mean(0), y - y.mean(0)
        gain = de.T @ dy / 63 @ jnp.linalg.inv(dy.T @ dy / 63 + 0.5 * jnp.eye(30))
        return e + (observed + 0.1 * jnp.roll(noise, k) - y) @ gain.T, e.mean(0)
    return lax.scan(update, ensemble, jnp.arange(8))


# ---- robots ----------------------------------------------------------------------------------------------------------

@row("n(6)")
@row("n(6)", "jax.hessian(lambda q: {0}(q)[0] @ jnp.array([1., 2, 3]))")
@row("n(500, 6)", "vmap(lambda q: ({0}(q)[0], jnp.linalg.pinv(jax.jacfwd(lambda q: {0}(q)[0])(q))))")
def denavit_hartenberg_arm(q):
    d = jnp.array([0.4, 0, 0, 0.43, 0, 0.1])
    a = jnp.array([0, 0.43, -0.02, 0, 0, 0])
    alpha = jnp.array([jnp.pi / 2, 0, -jnp.pi / 2, jnp.pi / 2, -jnp.pi / 2, 0])
    ct, st, ca, sa = jnp.cos(q), jnp.sin(q), jnp.cos(alpha), jnp.sin(alpha)
    zero, one = jnp.zeros(6), jnp.ones(6)
    frames = jnp.stack([ct, -st * ca, st * sa, a * ct, st, ct * ca, -ct * sa, a * st, zero, sa, ca, d, zero, zero, zero, one])
    t = jnp.eye(4)
    for frame in frames.T.reshape(6, 4, 4):
        t = t @ frame
    return t[:3, 3], t[:3, :3]


@row("n(100, 3, scale=.1), n(100, 3, scale=.1, seed=1)")
def stewart_platform_legs(position, angles):
    """Leg lengths and the condition of the Jacobian for each pose."""
    k = jnp.arange(6)
    pairs = jnp.where(k % 2 == 0, 0.3, -0.3)
    circle = lambda angle: jnp.stack([jnp.cos(angle), jnp.sin(angle), 0 * angle], axis=1)
    base, plate = circle(k * jnp.pi / 3 + pairs), 0.5 * circle(k * jnp.pi / 3 - pairs)
    def one(p, w):
        x = jnp.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        turned = plate @ jax.scipy.linalg.expm(x, max_squarings=4).T
        legs = p + jnp.array([0, 0, 1.0]) + turned - base
        length = jnp.linalg.norm(legs, axis=1)
        jacobian = jnp.concatenate([legs, jnp.cross(turned, legs)], axis=1) / length[:, None]
        return length, jnp.linalg.det(jacobian)
    return jax.vmap(one)(position, angles)


# ---- optics ----------------------------------------------------------------------------------------------------------

@row("lax.complex(n(200, 240), n(200, 240, seed=1))")
def angular_spectrum(field):
    """Propagation, a lens's phase, propagation to its focus."""
    m, k = field.shape
    fy, fx = jnp.fft.fftfreq(m, 5e-6)[:, None], jnp.fft.fftfreq(k, 5e-6)
    argument = 1 - (633e-9 * fx) ** 2 - (633e-9 * fy) ** 2
    kernel = jnp.exp(2j * jnp.pi * 1e-3 * (jnp.sqrt(jnp.maximum(argument, 0)) - 1) / 633e-9)
    y, x = (jnp.arange(m) - m / 2)[:, None] * 5e-6, (jnp.arange(k) - k / 2) * 5e-6
    lens = jnp.exp(-1j * jnp.pi * (x * x + y * y) / (633e-9 * 5e-3))
    return jnp.abs(jnp.fft.ifft2(jnp.fft.fft2(jnp.fft.ifft2(jnp.fft.fft2(field) * kernel) * lens) * kernel)) ** 2


@row("n(7, scale=.1), jnp.linspace(.4, .8, 201)", "jax.jacfwd({0})")
def thin_film_stack(log_thickness, wavelength):
    """Reflectance of quarter-wave layers by characteristic matrices."""
    index = jnp.where(jnp.arange(7) % 2 == 0, 2.3, 1.45)
    phase = 2 * jnp.pi * (0.55 / 4) * jnp.exp(log_thickness) / wavelength[:, None]
    c, s = jnp.cos(phase), 1j * jnp.sin(phase)
    m = jnp.stack([jnp.stack([c + 0j, s / index], -1), jnp.stack([s * index, c + 0j], -1)], -2)
    total = m[:, 0]
    for k in range(1, 7):
        total = total @ m[:, k]
    b, a = jnp.moveaxis(total @ jnp.array([1.0, 1.52]), -1, 0)
    return jnp.abs((b - a) / (b + a)) ** 2


@row("n(5, scale=.2), n(2000, 2, scale=.05)")
def paraxial_lens_train(power, rays):
    """Ray transfer matrices; a resonator's stability, then rays carried through."""
    drift = jnp.array([[1, 0.3], [0, 1]])
    lenses = jnp.zeros((5, 2, 2)).at[:, 0, 0].set(1.0).at[:, 1, 1].set(1.0).at[:, 1, 0].set(-power)
    system = jnp.linalg.multi_dot([drift @ lens for lens in lenses])
    out = rays @ system.T
    return out[:, 0] ** 2 + 0.1 * out[:, 1] * jnp.trace(system) / 2


# ---- kinetics --------------------------------------------------------------------------------------------------------

@row("abs(n(9)), abs(n(9, seed=1)) * 5 + 2., 900.")
@row("abs(n(64, 9)), abs(n(9, seed=1)) * 5 + 2., 900. + 10 * jnp.arange(64.)", "vmap({0}, (0, None, 0))")
def stiff_network_rosenbrock(c, energy, temperature):
    """Arrhenius rates of a chain of first- and second-order reactions, forty linearly implicit steps."""
    rate = jnp.exp(3 - energy * 1000 / (8.314 * temperature))
    stoichiometry = jnp.eye(9, k=-1) - jnp.eye(9)
    def f(c):
        forward = rate * c * jnp.where(jnp.arange(9) % 2 == 0, c, 1.0)
        return stoichiometry.at[:, 8].set(0.0) @ forward
    def step(c, _):
        k = jnp.linalg.solve(jnp.eye(9) - 0.05 * jax.jacfwd(f)(c), f(c))
        return c + 0.05 * k, c.sum()
    return lax.scan(step, c, None, length=40)


@row("abs(n(400, 6, dtype='float64')) + .1, n(400, dtype='float64')", double=True)
def flash_by_rachford_rice(feed, log_pressure):
    """Vapor fractions of six components by bisection, then Newton steps, for many mixtures."""
    z = feed / feed.sum(1, keepdims=True)
    k = jnp.exp(jnp.linspace(-2, 2, 6) - 0.2 * log_pressure[:, None])
    g = lambda v: jnp.sum(z * (k - 1) / (1 + v[:, None] * (k - 1)), axis=1)
    def halve(_, s):
        low, high = s
        middle = (low + high) / 2
        positive = g(middle) > 0
        return jnp.where(positive, middle, low), jnp.where(positive, high, middle)
    low, high = lax.fori_loop(0, 30, halve, (jnp.zeros(400), jnp.ones(400)))
    v = (low + high) / 2
    x = z / (1 + v[:, None] * (k - 1))
    return v, x / x.sum(1, keepdims=True), k * x


@row("n(60, 12), abs(n(12)) + .5")
def adsorption_column(feed, henry):
    """Twelve species moving through sixty cells with Langmuir isotherms; method of lines with explicit steps."""
    def rates(s):
        c, q = s
        equilibrium = henry * c / (1 + (henry * c).sum(1, keepdims=True))
        uptake = 0.5 * (equilibrium - q)
        upstream = jnp.concatenate([jnp.abs(feed[:1]), c[:-1]])
        return -0.8 * (c - upstream) - uptake, uptake
    def step(s, _):
        a = rates(s)
        b = rates(jax.tree.map(lambda x, d: x + 0.05 * d, s, a))
        s = jax.tree.map(lambda x, d, e: x + 0.025 * (d + e), s, a, b)
        return s, s[0][-1]
    return lax.scan(step, (jnp.zeros((60, 12)), jnp.zeros((60, 12))), None, length=100)[1]
