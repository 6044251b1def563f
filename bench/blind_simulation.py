"""blind_simulation.py: rows of the long tail written before any of them was measured (snippets.py): gravity, molecules, lattices and
spins, fluids and waves, quantum states and circuits, plasmas, reactions, genomes and trees, neurons, epidemics, orbits, the sky."""
import jax
import jax.numpy as jnp
from jax import lax, nn, random

from snippets import row


# ---- gravity and molecules -------------------------------------------------------------------------------------------

@row("n(96, 3), n(96, 3, scale=.3), abs(n(96)) / 96")
def hermite_fourth_order_stars(x, v, mass):
    """Predictor, corrector, with accelerations and jerks of all pairs."""
    def forces(x, v):
        d, w = x[None] - x[:, None], v[None] - v[:, None]
        r2 = (d**2).sum(-1) + 0.04
        s = mass / (r2 * jnp.sqrt(r2))
        a = jnp.einsum("ij,ijk->ik", s, d)
        j = jnp.einsum("ij,ijk->ik", s, w - 3 * ((d * w).sum(-1) / r2)[..., None] * d)
        return a, j
    h = 0.01
    def step(c, _):
        x, v, a, j = c
        xp = x + h * v + h**2 / 2 * a + h**3 / 6 * j
        vp = v + h * a + h**2 / 2 * j
        b, k = forces(xp, vp)
        vn = v + h / 2 * (a + b) + h**2 / 12 * (j - k)
        xn = x + h / 2 * (v + vn) + h**2 / 12 * (a - b)
        return (xn, vn, b, k), 0.5 * (mass * (vn**2).sum(-1)).sum()
    return lax.scan(step, (x, v, *forces(x, v)), length=8)


@row("n(512, 3, scale=2.), n(512, 3, scale=.1)")
def verlet_with_skin(x, v, box=10.0, cutoff=1.5, skin=0.4):
    """A list of neighbours is built anew only when an atom has moved by half of the skin."""
    def build(x):
        d = x[:, None] - x
        r2 = ((d - box * jnp.round(d / box)) ** 2).sum(-1) + jnp.eye(512) * 1e6
        return lax.top_k(-r2, 24)[1]
    def force(x, near):
        d = x[:, None] - x[near]
        d = d - box * jnp.round(d / box)
        r = jnp.sqrt((d**2).sum(-1) + 1e-6)
        return (jnp.where(r < cutoff, 4 * (1 - r / cutoff) / r, 0)[..., None] * d).sum(1)
    def step(s, _):
        x, v, f, at, near = s
        v = v + 0.005 * f
        x = x + 0.01 * v
        moved = ((x - at) ** 2).sum(-1).max() > (skin / 2) ** 2
        at, near = lax.cond(moved, lambda: (x, build(x)), lambda: (at, near))
        f = force(x, near)
        return (x, v + 0.005 * f, f, at, near), (v**2).sum()
    near = build(x)
    return lax.scan(step, (x, v, force(x, near), x, near), length=10)[1]


@row("n(150, 3, scale=2.5)")
@row("n(150, 3, scale=2.5)", "lambda x: -grad({0})(x)")
def embedded_atoms(x):
    """Embedded-atom energy: pair repulsion and the root of the density around each atom."""
    d = x[:, None] - x
    d = d - 9.0 * jnp.round(d / 9.0)
    r = jnp.sqrt((d**2).sum(-1) + 0.3 + jnp.eye(150) * 100)
    smooth = jnp.where(r < 4, 0.5 * (1 + jnp.cos(jnp.pi * r / 4)), 0)
    density = (jnp.exp(-2 * (r - 1)) * smooth).sum(1)
    return (0.1 * jnp.exp(-8 * (r - 1)) * smooth).sum() / 2 - jnp.sqrt(density + 1e-6).sum()


@row("n(60, 4, 3)")
@row("n(20000, 4, 3)")
@row("n(200, 4, 3)", "grad({0})")
def backbone_torsions(p):
    """Dihedral angles of four atoms as cosine and sine, and an energy of three terms."""
    a, b, c = p[:, 1] - p[:, 0], p[:, 2] - p[:, 1], p[:, 3] - p[:, 2]
    m, q = jnp.cross(a, b), jnp.cross(b, c)
    phi = jnp.arctan2((jnp.cross(m, q) * b).sum(-1) / jnp.linalg.norm(b, axis=-1), (m * q).sum(-1))
    k = jnp.arange(1, 4)
    return (jnp.array([1.2, 0.4, 2.0]) * (1 + jnp.cos(k * phi[:, None] - jnp.array([0, jnp.pi, 0])))).sum(-1)


@row("n(256, 32, 3)")
def displacement_by_fourier(path):
    """Mean squared displacement of all lags: the sum of squares less twice the autocorrelation."""
    path = jnp.cumsum(path, 0)
    t = path.shape[0]
    spectrum = jnp.fft.rfft(path, 2 * t, axis=0)
    s2 = jnp.fft.irfft(jnp.abs(spectrum) ** 2, axis=0)[:t].sum(-1) / (t - jnp.arange(t))[:, None]
    d = (path**2).sum(-1)
    both = jnp.cumsum(jnp.concatenate([2 * d.sum(0)[None], -(d[:-1] + d[::-1][:-1])]), 0)
    return (both / (t - jnp.arange(t))[:, None] - 2 * s2).mean(1)


@row("abs(n(9)) + .3, n(9, 3)", double=True)
@row("abs(n(9)) + .3, n(9, 3)", "jax.jacfwd({0}, 1)")
def gaussian_basis_integrals(exponent, center):
    """Overlap, kinetic energy and attraction to one nucleus between s functions."""
    p = exponent[:, None] + exponent
    mu = exponent[:, None] * exponent / p
    r2 = ((center[:, None] - center) ** 2).sum(-1)
    s = (jnp.pi / p) ** 1.5 * jnp.exp(-mu * r2)
    t = mu * (3 - 2 * mu * r2) * s
    at = (exponent[:, None, None] * center[:, None] + exponent[:, None] * center) / p[..., None]
    x = p * (at**2).sum(-1) + 1e-6
    boys = 0.5 * jnp.sqrt(jnp.pi / x) * lax.erf(jnp.sqrt(x))
    return s, t, -2 * jnp.pi / p * jnp.exp(-mu * r2) * boys


# ---- lattices and spins ----------------------------------------------------------------------------------------------

@row("key, i(5, 8, 32, 32)")
def potts_half_sweeps(key, spins):
    """Five states, Metropolis on the two colors of a chessboard, for eight temperatures."""
    beta = jnp.linspace(0.5, 1.5, 8)[:, None, None]
    color = (jnp.arange(32)[:, None] + jnp.arange(32)) % 2
    def sweep(s, key):
        for c in (0, 1):
            key, a, b = random.split(key, 3)
            new = (s + random.randint(a, s.shape, 1, 5)) % 5
            around = jnp.stack([jnp.roll(s, k, ax) for ax in (1, 2) for k in (1, -1)])
            gain = (around == new).sum(0) - (around == s).sum(0)
            s = jnp.where((random.uniform(b, s.shape) < jnp.exp(beta * gain)) & (color == c), new, s)
        return s, (s[..., None] == jnp.arange(5)).mean((1, 2)).max(-1)
    return lax.scan(sweep, spins, random.split(key, 6))


@row("key, i(2, 24, 24) * 2 - 1")
def swendsen_wang(key, spins):
    """Bonds between equal neighbours, labels spread until nothing changes, a coin for each cluster."""
    a, b = random.split(key)
    bond = random.uniform(a, (2, 24, 24)) < 1 - jnp.exp(-0.88)
    right, down = bond[0] & (spins == jnp.roll(spins, -1, 1)), bond[1] & (spins == jnp.roll(spins, -1, 0))
    def spread(label):
        for open_, ax in ((right, 1), (down, 0)):
            label = jnp.where(open_, jnp.minimum(label, jnp.roll(label, -1, ax)), label)
            label = jnp.where(jnp.roll(open_, 1, ax), jnp.minimum(label, jnp.roll(label, 1, ax)), label)
        return label
    start = jnp.arange(576).reshape(24, 24)
    label = lax.while_loop(lambda s: (s[0] != s[1]).any(), lambda s: (spread(s[0]), s[0]), (spread(start), start))[0]
    coin = random.bernoulli(b, shape=(576,)) * 2 - 1
    return coin[label], jnp.bincount(label.ravel(), length=576).max()


# ---- fluids and waves ------------------------------------------------------------------------------------------------

@row("n(80, 90, scale=.1), n(80, 90, scale=.1, seed=1), n(80, 90, scale=.1, seed=2)", double=True)
@row("n(80, 90, scale=.1), n(80, 90, scale=.1, seed=1), n(80, 90, scale=.1, seed=2)")
def rotating_shallow_water(h, u, v):
    """Energy and potential vorticity on a C grid with beta plane, Adams-Bashforth of third order."""
    f = 1 + 0.02 * jnp.arange(80)[:, None]
    e, w = (lambda a: jnp.roll(a, -1, 1)), (lambda a: jnp.roll(a, 1, 1))
    up, dn = (lambda a: jnp.roll(a, -1, 0)), (lambda a: jnp.roll(a, 1, 0))
    def tendency(h, u, v):
        d = 5 + h
        fu, fv = u * (d + w(d)) / 2, v * (d + dn(d)) / 2
        q = (f + v - w(v) - u + dn(u)) / ((d + w(d) + dn(d) + w(dn(d))) / 4)
        energy = h + (u**2 + e(u) ** 2 + v**2 + up(v) ** 2) / 4
        fvu, fuv = (fv + up(fv) + w(fv) + w(up(fv))) / 4, (fu + e(fu) + dn(fu) + dn(e(fu))) / 4
        return jnp.stack([-(e(fu) - fu + up(fv) - fv), (q + up(q)) / 2 * fvu - energy + w(energy), -(q + e(q)) / 2 * fuv - energy + dn(energy)])
    def step(c, _):
        s, a, b = c
        t = tendency(*s)
        return (s + 0.02 * (23 * t - 16 * a + 5 * b) / 12, t, a), None
    s = jnp.stack([h, u, v])
    t = tendency(*s)
    return lax.scan(step, (s, t, t), length=6)[0][0]


@row("abs(n(50, 60)) * .1 + 1, n(40)")
@row("abs(n(50, 60)) * .1 + 1, n(40)", "grad(lambda m, w: {0}(m, w) ** 2)")
def elastic_seismogram(stiffness, wavelet):
    """Velocity and stress of P and SV waves on staggered grids; the traces of a line of receivers."""
    d = lambda a, k, ax: jnp.roll(a, k, ax) - a if k < 0 else a - jnp.roll(a, k, ax)
    def step(s, w):
        vx, vz, xx, zz, xz = s
        vx = vx + 0.3 * (d(xx, 1, 1) + d(xz, 1, 0))
        vz = vz + 0.3 * (d(xz, -1, 1) + d(zz, -1, 0))
        a, b = d(vx, -1, 1), d(vz, 1, 0)
        xx = (xx + 0.3 * stiffness * (a + 0.4 * b)).at[10, 30].add(w)
        zz = (zz + 0.3 * stiffness * (0.4 * a + b)).at[10, 30].add(w)
        xz = xz + 0.1 * stiffness * (d(vx, -1, 0) + d(vz, 1, 1))
        return (vx, vz, xx, zz, xz), vz[3, ::4]
    return lax.scan(step, (jnp.zeros_like(stiffness),) * 5, wavelet)[1]


@row("n(3, 24, 24, 24, scale=.3)")
def taylor_green_spectral(u):
    """Rotational form, pressure by projection, dealiased by two thirds: one step of Runge and Kutta's second order."""
    k1 = jnp.fft.fftfreq(24, 1 / 24)
    k = jnp.stack(jnp.meshgrid(k1, k1, k1[:13].at[12].set(12), indexing="ij"))
    k2 = (k**2).sum(0)
    keep = (jnp.abs(k) < 8).all(0)
    ft, back = (lambda a: jnp.fft.rfftn(a, axes=(1, 2, 3))), (lambda a: jnp.fft.irfftn(a, (24, 24, 24), axes=(1, 2, 3)))
    def rate(v):
        curl = back(1j * jnp.cross(k, v, axis=0))
        n = ft(jnp.cross(back(v), curl, axis=0)) * keep
        return n - k * (k * n).sum(0) / jnp.maximum(k2, 1) - 0.05 * k2 * v
    v = ft(u) * keep
    return back(v + 0.01 * rate(v + 0.005 * rate(v)))


@row("n(32, 65), n(32, 65, seed=2)", double=True)
def channel_helmholtz(right, wall):
    """Fourier by Chebyshev: one dense matrix for each wave number."""
    x = jnp.cos(jnp.pi * jnp.arange(65) / 64)
    c = jnp.ones(65).at[0].set(2).at[-1].set(2) * (-1.0) ** jnp.arange(65)
    d = jnp.outer(c, 1 / c) / (x[:, None] - x + jnp.eye(65))
    d = d - jnp.diag(d.sum(1))
    d2 = (d @ d)[1:-1, 1:-1]
    k = jnp.arange(17.0)
    matrix = d2 - (k[:, None, None] ** 2 + 1) * jnp.eye(63)
    solved = jnp.linalg.solve(matrix, jnp.fft.rfft(right + wall * x, axis=0)[:, 1:-1, None])[..., 0]
    return jnp.fft.irfft(jnp.pad(solved, ((0, 0), (1, 1))), 32, axis=0)


# ---- quantum states and circuits -------------------------------------------------------------------------------------

@row("n(64, 64), abs(n(64, 64, seed=1))")
def condensate_in_imaginary_time(real, trap):
    """Gross and Pitaevskii with rotation left out: Strang splitting, normalized after each step."""
    x = jnp.linspace(-6, 6, 64)
    k = 2 * jnp.pi * jnp.fft.fftfreq(64, 12 / 63)
    kinetic = jnp.exp(-0.01 * (k[:, None] ** 2 + k**2) / 2)
    v = (x[:, None] ** 2 + x**2) / 2 + 0.1 * trap
    def step(p, _):
        half = lambda p: p * jnp.exp(-0.005 * (v + 20 * jnp.abs(p) ** 2))
        p = half(jnp.fft.ifft2(kinetic * jnp.fft.fft2(half(p))))
        norm = jnp.sqrt((jnp.abs(p) ** 2).sum() * (12 / 63) ** 2)
        return p / norm, norm
    return lax.scan(step, jnp.exp(-v).astype("complex64") * (1 + 0.1 * real), length=5)


@row("n(2, 3), i(10, 14, 2)")
@row("n(2, 3), i(10, 14, 2)", "jax.value_and_grad({0})")
def alternating_operators_for_cuts(angles, edges):
    """Ten qubits, three layers: phases of the cut, then a turn of each qubit about x."""
    bits = jnp.arange(1024)[:, None] >> jnp.arange(10) & 1
    cut = (bits[:, edges[:, 0]] != bits[:, edges[:, 1]]).sum(1).astype("float32")
    state = jnp.full(1024, 1 / 32, "complex64")
    for layer in range(3):
        state = state * jnp.exp(-1j * angles[0, layer] * cut)
        c, s = jnp.cos(angles[1, layer]), -1j * jnp.sin(angles[1, layer])
        for q in range(10):
            state = jnp.einsum("ij,ajb->aib", jnp.array([[c, s], [s, c]]), state.reshape(1 << 9 - q, 2, 1 << q))
        state = state.reshape(-1)
    return (jnp.abs(state) ** 2 * cut).sum()


@row("n(4096), abs(n(12)) + .5")
def ising_chain_lanczos(start, field):
    """Lowest energy of twelve spins in transverse fields: flipped bits are gathers; sixteen vectors, orthogonalized anew."""
    state = jnp.arange(4096)
    z = 1 - 2 * (state[:, None] >> jnp.arange(12) & 1)
    diagonal = -(z * jnp.roll(z, 1, 1)).sum(1)
    apply = lambda v: diagonal * v - (v[state[:, None] ^ 1 << jnp.arange(12)] * field).sum(1)
    def step(c, j):
        basis, v = c
        basis = basis.at[j].set(v)
        w = apply(v)
        a = w @ v
        w = w - basis.T @ (basis @ w)
        w = w - basis.T @ (basis @ w)
        b = jnp.linalg.norm(w)
        return (basis, w / b), (a, b)
    a, b = lax.scan(step, (jnp.zeros((16, 4096)), start / jnp.linalg.norm(start)), jnp.arange(16))[1]
    return jnp.linalg.eigvalsh(jnp.diag(a) + jnp.diag(b[:-1], 1) + jnp.diag(b[:-1], -1))[:3]


# ---- plasmas and reactions -------------------------------------------------------------------------------------------

@row("jnp.linspace(0., 63.9, 60000), n(60000, scale=.3)")
@row("jnp.linspace(0., 63.9, 500), n(500, scale=.3)")
def two_stream_particles(x, v):
    """Particles in 64 cells: linear weights to the grid, the field in Fourier space, and back."""
    v = v + jnp.where(jnp.arange(v.size) % 2, 1.0, -1.0)
    k = 2 * jnp.pi * jnp.fft.rfftfreq(64)
    def field(x):
        cell = jnp.floor(x).astype(int)
        share = x - cell
        rho = jnp.zeros(64).at[cell % 64].add(1 - share).at[(cell + 1) % 64].add(share) * 64 / x.size - 1
        e = jnp.fft.irfft(jnp.fft.rfft(rho) * jnp.where(k > 0, 1 / (1j * jnp.where(k > 0, k, 1)), 0), 64)
        return e[cell % 64] * (1 - share) + e[(cell + 1) % 64] * share, (e**2).sum()
    def step(s, _):
        x, v = s
        e, energy = field(x)
        v = v - 0.1 * e
        return ((x + 0.1 * v) % 64, v), energy
    return lax.scan(step, (x, v), length=5)[1]


@row("n(30000, 3), n(30000, 3, seed=1)")
@row("n(64, 3), n(64, 3, seed=1)")
def boris_in_a_mirror(x, v):
    def push(s, _):
        x, v = s
        b = jnp.stack([-0.1 * x[:, 0] * x[:, 2], -0.1 * x[:, 1] * x[:, 2], 1 + 0.1 * x[:, 2] ** 2], -1)
        t = 0.05 * b
        w = v + jnp.cross(v, t)
        v = v + jnp.cross(w, 2 * t / (1 + (t**2).sum(-1, keepdims=True)))
        return (x + 0.1 * v, v), None
    x, v = lax.scan(push, (x, v), length=20)[0]
    return x, 0.5 * (v**2).sum(-1)


@row("abs(n(64, 96)) * .1 + 1")
def vlasov_poisson_splitting(f):
    """Shifts along x by Fourier phases, along v by cubic interpolation."""
    v = jnp.linspace(-5, 5, 96)
    f = f * jnp.exp(-(v**2) / 2)
    k = 2 * jnp.pi * jnp.fft.rfftfreq(64, 0.2)
    def step(f, _):
        f = jnp.fft.irfft(jnp.fft.rfft(f, axis=0) * jnp.exp(-0.05j * k[:, None] * v), 64, axis=0)
        rho = f.sum(1) - f.sum() / 64
        e = jnp.fft.irfft(jnp.where(k > 0, -1j / jnp.where(k > 0, k, 1), 0) * jnp.fft.rfft(rho), 64) * 0.02
        s = jnp.clip(e / (v[1] - v[0]), -0.99, 0.99)[:, None]
        at = jnp.arange(96) + s
        base = jnp.floor(at).astype(int)
        t = at - base
        w = (-t * (t - 1) * (t - 2) / 6, (t + 1) * (t - 1) * (t - 2) / 2, -(t + 1) * t * (t - 2) / 2, (t + 1) * t * (t - 1) / 6)
        get = lambda d: jnp.take_along_axis(f, jnp.clip(base + d, 0, 95), 1)
        return sum(c * get(d) for c, d in zip(w, (-1, 0, 1, 2))), (e**2).sum()
    return lax.scan(step, f, length=5)


@row("n(2, 201, 203, scale=.1)")
@row("n(2, 30, 30, scale=.1)", "grad(lambda u: {0}(u)[0])")
def schnakenberg_spots(u):
    def step(u, _):
        a, b = u
        mix = a**2 * b
        lap = sum(jnp.roll(u, k, ax) for k in (1, -1) for ax in (1, 2)) - 4 * u
        return u + 0.01 * (jnp.array([1.0, 20])[:, None, None] * lap + jnp.stack([0.1 - a + mix, 0.9 - mix])), None
    return lax.scan(step, u + jnp.array([1.0, 0.9])[:, None, None], length=12)[0]


# ---- genomes, trees, neurons, epidemics ------------------------------------------------------------------------------

@row("abs(n(10)) * .2 + .05, i(4, 6, 300), abs(n(6)) + .3")
@row("abs(n(10)) * .2 + .05, i(4, 6, 300), abs(n(6)) + .3", "jax.grad({0}, (0, 2))")
def pruned_likelihood(branches, leaves, rates):
    """A general reversible model of nucleotides with four gamma rates on a tree of six leaves, after Felsenstein."""
    share = jnp.array([0.3, 0.2, 0.2, 0.3])
    q = jnp.zeros((4, 4)).at[jnp.triu_indices(4, 1)].set(rates)
    q = (q + q.T) * share
    q = q - jnp.diag(q.sum(1))
    root = jnp.sqrt(share)
    values, vectors = jnp.linalg.eigh(root[:, None] * q / root)
    speed = jnp.array([0.14, 0.48, 1.0, 2.38])
    p = (vectors / root[:, None]) @ (jnp.exp(values * speed[:, None, None] * branches[:, None])[..., None] * (vectors * root[:, None]).T)
    part = list(nn.one_hot(leaves, 4)[:, None] @ jnp.ones((4, 4, 4)) * 0 + nn.one_hot(leaves, 4)[:, None])
    up = lambda k: part[k] @ p[:, k].swapaxes(1, 2)
    for a, b in ((0, 1), (2, 3), (6, 7), (4, 5)):
        part.append(up(a) * up(b))
    total = ((up(8) * up(9)) @ share).mean(0)
    return jnp.log(total).sum()


@row("i(2, 40, 500), i(2, 500), abs(n(500)) * .02 + .01")
@row("i(2, 40, 500), i(2, 500), abs(n(500)) * .02 + .01", "jax.grad(lambda h, g, r: {0}(h, g, r)[0], 2)")
def haplotype_copying(panel, genotype, recombination):
    """Li and Stephens: forward over sites, states are the haplotypes of the panel."""
    def site(a, s):
        h, g, r = s
        a = ((1 - r) * a + r / 40) * jnp.where(h == g, 0.98, 0.02)
        c = a.sum()
        return a / c, jnp.log(c)
    a, logs = lax.scan(site, jnp.full(40, 1 / 40), (panel.T, genotype, recombination))
    return logs.sum(), a


@row("i(3, 50, 800)")
def linkage_and_structure(genotype):
    """Correlations within a window of twenty markers, relationship matrix, two leading axes."""
    p = genotype.mean(0) / 2
    z = (genotype - 2 * p) / jnp.sqrt(2 * p * (1 - p))
    r2 = jnp.stack([(z[:, : 780] * z[:, k : 780 + k]).mean(0) ** 2 for k in range(1, 21)])
    kinship = z @ z.T / 800
    heterozygous = (genotype == 1).mean(0)
    return r2.mean(0), kinship, 1 - heterozygous / (2 * p * (1 - p)), jnp.linalg.eigvalsh(kinship)[-2:]


@row("jnp.array(.02), jnp.array(.01)")
@row("n(9, scale=.01), abs(n(9, scale=.01))", "vmap(jax.value_and_grad({0}))")
def drift_with_selection(s, u):
    """Expected heterozygosity after 30 generations of the Wright-Fisher chain with 24 genes."""
    k = jnp.arange(25.0)
    p = k / 24 * (1 + s) / (1 + s * k / 24)
    p = p * (1 - u) + (1 - p) * u
    p = jnp.clip(p, 1e-4, 1 - 1e-4)[:, None]
    choose = jax.scipy.special.gammaln(25.0) - jax.scipy.special.gammaln(k + 1) - jax.scipy.special.gammaln(25 - k)
    chain = jnp.exp(choose + k * jnp.log(p) + (24 - k) * jnp.log1p(-p))
    after = lax.fori_loop(0, 30, lambda _, d: d @ chain, nn.one_hot(6, 25))
    return after @ (k * (24 - k)) / 288


@row("n(400), n(400, 400, scale=.2), key")
def izhikevich_network(u, weights, key):
    kind = jnp.arange(400) < 320
    a, d = jnp.where(kind, 0.02, 0.1), jnp.where(kind, 8.0, 2.0)
    w = jnp.abs(weights) * jnp.where(kind, 0.5, -1.0)
    def step(s, noise):
        v, u = s
        fired = v >= 30
        v, u = jnp.where(fired, -65.0, v), jnp.where(fired, u + d, u)
        current = 5 * noise + w @ fired.astype(v.dtype)
        for _ in range(2):
            v = v + 0.5 * (0.04 * v * v + 5 * v + 140 - u + current)
        return (v, u + a * (0.2 * v - u)), fired
    (v, u), fired = lax.scan(step, (jnp.full(400, -65.0), u - 13), random.normal(key, (12, 400)))
    return fired.sum(1), u


@row("n(16, 100), abs(n(16, 100)) + .5")
def cable_with_implicit_diffusion(v, leak):
    """Sixteen dendrites of 100 compartments, backward Euler with the tridiagonal solver of lax."""
    d = jnp.full((16, 100), -4.0)
    low, high = d.at[:, 0].set(0), d.at[:, -1].set(0)
    def step(v, t):
        kick = jnp.where(jnp.arange(100) == 50, jnp.exp(-t), 0.0)
        diagonal = 1 + 0.05 * leak - low - high
        return lax.linalg.tridiagonal_solve(low, diagonal, high, (v + kick)[..., None])[..., 0], v[:, ::25]
    return lax.scan(step, v, jnp.arange(6.0))


@row("abs(n(8, 8)), abs(n(3)) + .2, i(90, 60, 8)")
@row("abs(n(8, 8)), abs(n(3)) + .2, i(90, 60, 8)", "jax.grad({0}, (0, 1))")
def ages_in_an_epidemic(contact, rate, cases):
    """SEIR with eight age groups, four steps of Runge-Kutta a day, Poisson likelihood of reported cases."""
    def flow(s):
        a, e, i, _ = s
        new = 0.1 * rate[0] * a * (contact @ i)
        return jnp.stack([-new, new - rate[1] * e, rate[1] * e - rate[2] * i, rate[1] * e])
    def day(s, seen):
        def quarter(_, s):
            k1 = flow(s)
            k2 = flow(s + 0.125 * k1)
            k3 = flow(s + 0.125 * k2)
            return s + 0.25 / 6 * (k1 + 2 * k2 + 2 * k3 + flow(s + 0.25 * k3))
        t = lax.fori_loop(0, 4, quarter, s)
        mean = 1000 * (t[3] - s[3]) + 0.1
        return t, (seen * jnp.log(mean) - mean).sum()
    start = jnp.stack([jnp.full(8, 0.99), jnp.zeros(8), jnp.full(8, 0.01), jnp.zeros(8)])
    return lax.scan(day, start, cases.astype("float32"))[1].mean()


# ---- orbits and the sky ----------------------------------------------------------------------------------------------

def anomaly(mean, e):
    x = mean + e * jnp.sin(mean)
    return lax.fori_loop(0, 5, lambda _, x: x - (x - e * jnp.sin(x) - mean) / (1 - e * jnp.cos(x)), x)


@row("jnp.array([[3.1, 8., .1, .3, 1.], [1.7, 21., .2, 2., .5]]), jnp.linspace(0, 90, 140), n(140)")
@row("jnp.array([[3.1, 8., .1, .3, 1.], [1.7, 21., .2, 2., .5]]), jnp.linspace(0, 90, 140), n(140)", "lambda *a: jax.hessian({0})(*a)",
     double=True)
def two_planets_velocities(planets, time, seen):
    def one(p):
        k, period, e, w, phase = p
        big = anomaly(2 * jnp.pi * time / period + phase, e)
        true = 2 * jnp.arctan2(jnp.sqrt(1 + e) * jnp.sin(big / 2), jnp.sqrt(1 - e) * jnp.cos(big / 2))
        return k * (jnp.cos(true + w) + e * jnp.cos(w))
    model = jax.vmap(one)(planets).sum(0)
    return ((seen - model) ** 2).sum() / 2


@row("n(48, 48, 48)")
def power_in_shells(field):
    """Power spectrum of a periodic box, with monopole and quadrupole along the line of sight."""
    k = jnp.fft.fftfreq(48) * 48
    kx, ky, kz = jnp.meshgrid(k, k, jnp.arange(25.0), indexing="ij")
    size = jnp.sqrt(kx**2 + ky**2 + kz**2)
    power = jnp.abs(jnp.fft.rfftn(field)) ** 2 * jnp.where((kz > 0) & (kz < 24), 2, 1)
    shell = jnp.round(size).astype(int).ravel()
    mu2 = (kz / jnp.maximum(size, 1)) ** 2
    mean = lambda w: jnp.bincount(shell, w.ravel(), length=24) / jnp.maximum(jnp.bincount(shell, length=24), 1)
    return mean(power), 2.5 * mean(power * (3 * mu2 - 1))


@row("n(33, 64)")
@row("n(5, 33, 64)", "vmap({0})")
def analyzed_on_the_sphere(field):
    """Coefficients up to degree 20: Fourier along parallels, Legendre functions by recurrence along meridians."""
    theta = (jnp.arange(33) + 0.5) * jnp.pi / 33
    x, s = jnp.cos(theta), jnp.sin(theta)
    waves = jnp.fft.rfft(field, axis=1)[:, :21] * (s * jnp.pi / 33)[:, None] * 2 * jnp.pi / 64
    m = jnp.arange(21.0)
    start = jnp.sqrt(1 / (4 * jnp.pi)) * jnp.cumprod(jnp.where(m > 0, -jnp.sqrt((2 * m + 1) / jnp.maximum(2 * m, 1)), 1) *
                                                     jnp.where(m > 0, s[:, None], 1), 1)
    def degree(c, l):
        a, b = c
        f = jnp.sqrt((4 * l * l - 1) / jnp.maximum(l * l - m * m, 1))
        g = jnp.sqrt(jnp.maximum((l - 1) ** 2 - m * m, 0) / jnp.maximum(4 * (l - 1) ** 2 - 1, 1))
        p = jnp.where(m < l, f * (x[:, None] * a - g * b), jnp.where(m == l, start, 0))
        return (p, a), (p * waves).sum(0)
    zero = jnp.zeros((33, 21))
    coefficients = lax.scan(degree, (zero, zero), jnp.arange(21.0))[1]
    return coefficients, (jnp.abs(coefficients) ** 2 * jnp.where(m > 0, 2, 1)).sum(1)


@row("abs(n(40, 40)), jnp.linspace(0., 3., 24)")
def rays_and_reconstruction(image, angles):
    """Parallel beams by bilinear sampling, and four rounds of multiplicative updates with the transpose."""
    c = jnp.arange(40) - 19.5
    def project(image):
        def beam(a):
            y, x = c[:, None] * jnp.cos(a) + c * jnp.sin(a), c * jnp.cos(a) - c[:, None] * jnp.sin(a)
            return jax.scipy.ndimage.map_coordinates(image, [y + 19.5, x + 19.5], order=1).sum(0)
        return lax.map(beam, angles)
    seen, transpose = project(image), jax.linear_transpose(project, image)
    weight = transpose(jnp.ones((24, 40)))[0] + 1e-3
    step = lambda _, f: f * transpose(seen / (project(f) + 1e-2))[0] / weight
    return lax.fori_loop(0, 4, step, jnp.ones((40, 40)))


@row("n(60, 60, 2, scale=1.5), n(5, 2), abs(n(5)) + .2")
@row("n(12, 12, 2, scale=1.5), n(5, 2), abs(n(5)) + .2", "lambda x, c, m: vmap(vmap(jax.jacfwd(lambda x: {0}(x, c, m))))(x)")
def lensed_positions(x, center, mass):
    """Deflection by five softened lenses and an external shear."""
    d = x[..., None, :] - center
    bend = (mass[:, None] * d / ((d**2).sum(-1, keepdims=True) + 0.05)).sum(-2)
    return x - bend - x @ jnp.array([[0.1, 0.03], [0.03, -0.1]])


@row("jnp.linspace(0, 40., 600), n(600, scale=.01), jnp.linspace(2., 9., 60)")
def boxes_in_light_curve(time, flux, periods):
    """Box least squares: folded into 40 phases, all starts and three widths by cumulative sums."""
    def one(period):
        phase = jnp.floor(time / period % 1 * 40).astype(int)
        total = jax.ops.segment_sum(flux, phase, 40)
        count = jax.ops.segment_sum(jnp.ones(600), phase, 40)
        s = jnp.pad(jnp.cumsum(jnp.tile(total, 2)), (1, 0))
        c = jnp.pad(jnp.cumsum(jnp.tile(count, 2)), (1, 0))
        gain = [(s[w : 40 + w] - s[:40]) ** 2 / jnp.maximum((c[w : 40 + w] - c[:40]) * (600 - c[w : 40 + w] + c[:40]), 1) for w in (1, 2, 4)]
        return jnp.stack(gain).max()
    return lax.map(one, periods, batch_size=20)


ROWS = [
    "jax.value_and_grad(lambda p: jnp.trapezoid(jnp.exp(3 * (k := jnp.linspace(-6., 2., 400))) * (t := jnp.log1p(2.34 * jnp.exp(k) / p[0])"
    " / (2.34 * jnp.exp(k) / p[0])) ** 2 * jnp.exp(p[1] * k) * (3 * (jnp.sin(x := 8 * jnp.exp(k)) - x * jnp.cos(x)) / x ** 3) ** 2, k))"
    " @@ jnp.array([.3, .96])",
    "lambda ra, dec, at: jnp.arccos(jnp.clip(jnp.sin(dec) * jnp.sin(at[1]) + jnp.cos(dec) * jnp.cos(at[1]) * jnp.cos(ra - at[0]), -1, 1))"
    " @@ n(20000), n(20000, seed=1), n(2)",
    "lambda uv, flux, lm: jnp.exp(-2j * jnp.pi * uv @ lm.T) @ flux @@ n(300, 2), abs(n(150)), n(150, 2, scale=.3)",
    "lambda psi, h: jnp.real(jnp.einsum('abcd,bcij,aijd->', psi.conj().reshape(8, 8, 8, 8), h, psi.reshape(8, 8, 8, 8)))"
    " @@ n(4096).astype('complex64'), n(8, 8, 8, 8).astype('complex64')",
    "lambda t: (lambda w, v: v @ (jnp.exp(-1j * w * .3)[:, None] * v.conj().T))(*linalg.eigh(jnp.kron(jnp.eye(8), t + t.T)"
    " + jnp.kron(t + t.T, jnp.eye(8)))) @@ n(8, 8)",
    "lambda x, q: jnp.abs(jnp.exp(1j * x @ q.T).sum(0)) ** 2 / 700 @@ n(700, 3, scale=4.), n(90, 3)",
]
