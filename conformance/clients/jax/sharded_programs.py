#!/usr/bin/env python3
"""Random programs partitioned over eight devices, beside the same programs on one device.

    JAX_PLATFORMS=gantry GANTRY_CPU_DEVICES=8 sharded_programs.py [--count N] [--first SEED] [--verbose]

A seed determines a mesh, arrays with shardings, and some steps (products, reductions, reshapes, windows, gathers, loops
...) between which values get other shardings, some of which do not divide them evenly. Each program runs partitioned,
and unpartitioned on the first device; results must agree to rounding, or to twice what results change when arguments
change by one unit in the last place. The last line has the counts."""
import argparse
import collections
import sys

import jax
import jax.numpy as jnp
import numpy
from jax.sharding import AxisType, NamedSharding, PartitionSpec

MESHES = [((8,), ("x",)), ((4, 2), ("x", "y")), ((2, 4), ("x", "y")), ((2, 2, 2), ("x", "y", "z"))]
SIZES = (8, 16, 24)                     # of arguments and results, which must be divided evenly
RTOL, ATOL = 2e-4, 2e-4
DRAWS = 4
STEPS = []


def step(function):
    STEPS.append(function)
    return function


def random_spec(random, mesh, shape, even):
    """A partitioning of some dimensions; even: only of those that the axes divide."""
    axes = list(mesh.axis_names)
    random.shuffle(axes)
    spec = []
    for size in shape:
        take = tuple(axes[:int(random.integers(0, min(2, len(axes)) + 1))])
        shards = int(numpy.prod([mesh.shape[a] for a in take]))
        if take and (size % shards == 0 if even else size >= 2):
            spec.append(take if len(take) > 1 else take[0])
            axes = axes[len(take):]
        else:
            spec.append(None)
    return PartitionSpec(*spec)


@step
def elementwise(random, x):
    return [jnp.tanh, jnp.sin, lambda v: v * 0.5 + 1, lambda v: jnp.where(v > 0, v, -0.1 * v)][random.integers(4)](x)


@step
def with_column(random, x):
    return x - x.mean(axis=-1, keepdims=True)


@step
def softmax(random, x):
    return jax.nn.softmax(x, axis=int(random.integers(x.ndim)))


@step
def product(random, x):
    w = jnp.asarray(random.standard_normal((x.shape[-1], int(random.choice(SIZES)))) / x.shape[-1] ** 0.5, "float32")
    return x @ w


@step
def own_product(random, x):
    return jnp.einsum("...ik,...jk->...ij", x, x) / x.shape[-1]


@step
def transpose(random, x):
    return jnp.transpose(x, [int(i) for i in random.permutation(x.ndim)])


@step
def reduce_and_spread(random, x):
    axis = int(random.integers(x.ndim))
    reduce = [jnp.sum, jnp.max, jnp.min, jnp.mean][random.integers(4)]
    return x * 0.5 + jnp.expand_dims(reduce(x, axis=axis), axis) / x.shape[axis]


@step
def index_of_largest(random, x):
    axis = int(random.integers(x.ndim))
    return x + jnp.expand_dims(jnp.argmax(x, axis=axis), axis).astype(x.dtype) * 0.01


@step
def split_and_merge(random, x):
    axis = int(random.integers(x.ndim))
    parts = int(random.choice([2, 4]))
    shape = x.shape[:axis] + (parts, x.shape[axis] // parts) + x.shape[axis + 1:]
    y = jnp.sin(x.reshape(shape))
    return y.swapaxes(axis, axis + 1).reshape(x.shape)


@step
def pieces(random, x):
    axis = int(random.integers(x.ndim))
    cut = int(random.integers(1, x.shape[axis]))
    a, b = jnp.split(x, [cut], axis=axis)
    return jnp.concatenate([b * 2, a], axis=axis)


@step
def padded(random, x):
    widths = [(int(a), int(b)) for a, b in random.integers(0, 4, (x.ndim, 2))]
    y = jnp.tanh(jnp.pad(x, widths, constant_values=0.5))
    return y[tuple(slice(a, a + n) for (a, _), n in zip(widths, x.shape))]


@step
def flipped(random, x):
    return x + jnp.flip(x, axis=int(random.integers(x.ndim))) * 0.5


@step
def rolled(random, x):
    return x + jnp.roll(x, int(random.integers(1, 5)), axis=int(random.integers(x.ndim)))


@step
def cumulative(random, x):
    axis = int(random.integers(x.ndim))
    window, padding = [1] * x.ndim, [(0, 0)] * x.ndim
    window[axis], padding[axis] = x.shape[axis], (0, x.shape[axis] - 1)
    behind = jax.lax.reduce_window(x, 0.0, jax.lax.add, window, [1] * x.ndim, padding)      # as accelerators get it
    return (jnp.cumsum(x, axis=axis) + behind) * 0.1


@step
def sorted_along(random, x):
    return jnp.sort(x, axis=int(random.integers(x.ndim)))


@step
def taken(random, x):
    indices = jnp.asarray(random.integers(0, x.shape[0], x.shape[0]), "int32")
    return x + jnp.take(x, indices, axis=0)


@step
def scattered(random, x):
    indices = jnp.asarray(random.integers(0, x.shape[0], 5), "int32")
    return x.at[indices].add(x[:5] * 0.5)


@step
def dynamic(random, x):
    start = jnp.asarray(random.integers(0, x.shape[0]), "int32")
    row = jax.lax.dynamic_slice_in_dim(x, start, 3, axis=0)
    return jax.lax.dynamic_update_slice_in_dim(x, row * 2, jnp.int32(1), axis=0)


@step
def counted(random, x):
    axis = int(random.integers(x.ndim))
    return x + jax.lax.broadcasted_iota("float32", x.shape, axis) * 0.01


@step
def windowed(random, x):
    window = [1] * x.ndim
    window[int(random.integers(x.ndim))] = 3
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, window, [1] * x.ndim, "SAME")


@step
def strided(random, x):
    axis, stride = int(random.integers(x.ndim)), int(random.integers(2, 4))
    first = int(random.integers(stride))
    index = [slice(None)] * x.ndim
    index[axis] = slice(first, None, stride)
    return x.at[tuple(index)].multiply(0.5) if random.integers(2) else x - jnp.resize(x[tuple(index)] * 0.1, x.shape)


@step
def spread_and_cut(random, x):
    axis = int(random.integers(x.ndim))
    config = [(0, 0, 0)] * x.ndim
    config[axis] = tuple(int(n) for n in random.integers([-1, -1, 0], [6, 6, 3]))
    y = jax.lax.pad(x, jnp.float32(0.25), config)
    return jax.lax.slice_in_dim(jnp.sin(y), y.shape[axis] - x.shape[axis], None, axis=axis) if (
        y.shape[axis] >= x.shape[axis]) else x


@step
def shortened(random, x):
    axis = int(random.integers(x.ndim))
    first = int(random.integers(0, x.shape[axis] // 2))
    size = int(random.integers(1, x.shape[axis] - first + 1))
    y = jnp.tanh(jax.lax.slice_in_dim(x, first, first + size, axis=axis))
    return jnp.concatenate([y, jax.lax.slice_in_dim(x, 0, x.shape[axis] - size, axis=axis)], axis=axis)


@step
def flipped_piece(random, x):
    axis = int(random.integers(x.ndim))
    cut = int(random.integers(1, x.shape[axis]))
    a, b = jnp.split(x, [cut], axis=axis)
    return jnp.concatenate([jnp.flip(b, axis), jnp.flip(a, axis) * 0.5], axis=axis)


@step
def pooled(random, x):
    axis = int(random.integers(x.ndim))
    window, strides, dilation = [1] * x.ndim, [1] * x.ndim, [1] * x.ndim
    window[axis], strides[axis], dilation[axis] = (int(n) for n in random.integers(1, 4, 3))
    padding = [(0, 0)] * x.ndim
    padding[axis] = tuple(int(n) for n in random.integers(0, 3, 2))
    init, reduce = [(0.0, jax.lax.add), (-jnp.inf, jax.lax.max)][random.integers(2)]
    base = [1] * x.ndim
    base[axis] = int(random.integers(1, 3))
    y = jax.lax.reduce_window(x, init, reduce, window, strides, padding, base, dilation)
    y = jnp.where(jnp.isfinite(y), y, 0.0)
    return x + y.mean(axis=axis, keepdims=True) + y.sum() / y.size


def convolve(random, x):
    """A convolution along one or two dimensions that keeps the shape, or nearly."""
    spatial = x.ndim - 1
    window = [int(n) for n in random.integers(1, 5, spatial)]
    features = x.shape[-1]
    groups = int(random.choice([1, 2, 4]))
    kernel = jnp.asarray(random.standard_normal(window + [features // groups, features]), "float32") / features
    letters = "HW"[:spatial]
    return jax.lax.conv_general_dilated(
        x[None], kernel, window_strides=[int(n) for n in random.integers(1, 3, spatial)],
        padding=[tuple(int(n) for n in random.integers(0, 4, 2)) for _ in range(spatial)],
        lhs_dilation=[int(n) for n in random.integers(1, 3, spatial)],
        rhs_dilation=[int(n) for n in random.integers(1, 3, spatial)],
        dimension_numbers=("N" + letters + "C", letters + "IO", "N" + letters + "C"), feature_group_count=groups)[0]


@step
def convolved(random, x):
    y = jnp.tanh(convolve(random, x))
    return x * 0.5 + y.mean(axis=tuple(range(x.ndim - 1))) + (y[tuple(slice(0, 1) for _ in x.shape)] if y.size else 0)


@step
def smoothed(random, x):
    kernel = jnp.asarray(random.standard_normal([3] * (x.ndim - 1) + [x.shape[-1]] * 2) / x.shape[-1], "float32")
    letters = "HW"[:x.ndim - 1]
    return jax.lax.conv_general_dilated(x[None], kernel, [1] * (x.ndim - 1), "SAME", dimension_numbers=(
        "N" + letters + "C", letters + "IO", "N" + letters + "C"))[0]


@step
def convolution_gradient(random, x):
    state = random.bit_generator.state

    def of_input(v):
        random.bit_generator.state = state
        return (jnp.sin(convolve(random, v)) ** 2).mean()
    return x + jax.grad(of_input)(x) * x.size * 0.1


@step
def kernel_gradient(random, x):
    letters = "HW"[:x.ndim - 1]
    names = ("N" + letters + "C", letters + "IO", "N" + letters + "C")
    reversal = bool(random.integers(2))

    def of_kernel(k):
        k = jnp.flip(k, tuple(range(x.ndim - 1))) if reversal else k
        return (jnp.sin(jax.lax.conv_general_dilated(
            x[None], k, [1] * (x.ndim - 1), "SAME", dimension_numbers=names)) ** 2).mean()
    k = jnp.ones([3] * (x.ndim - 1) + [x.shape[-1]] * 2, x.dtype) / x.shape[-1] * 0.1
    return x + jax.grad(of_kernel)(k).sum(axis=tuple(range(x.ndim)))


@step
def pooling_gradient(random, x):
    axis = int(random.integers(x.ndim))
    window, strides = [1] * x.ndim, [1] * x.ndim
    window[axis], strides[axis] = int(random.integers(2, 4)), int(random.integers(1, 4))
    padding = "SAME" if random.integers(2) else "VALID"

    def pool(v):
        return (jax.lax.reduce_window(v, -jnp.inf, jax.lax.max, window, strides, padding) ** 2).mean()
    return x - jax.grad(pool)(x) * x.size * 0.1


@step
def roll_gradient(random, x):
    axis, shift = int(random.integers(x.ndim)), int(random.integers(1, 9))
    return x + jax.grad(lambda v: (jnp.roll(v, shift, axis) * jnp.sin(v)).sum())(x) * 0.2


@step
def loop(random, x):
    def body(carry, row):
        carry = jnp.tanh(carry + row)
        return carry, carry * 0.5
    carry, rows = jax.lax.scan(body, jnp.zeros(x.shape[1:], x.dtype), x)
    return rows + carry


@step
def branch(random, x):
    # not at 0, which is the sum of differences from a mean but for rounding
    return jax.lax.cond(x.sum() > 0.5, lambda v: v * 2 - v.mean(), lambda v: jnp.sin(v), x)


@step
def gradient(random, x):
    return jax.grad(lambda v: (jnp.tanh(v @ v.swapaxes(-1, -2)) ** 2).mean())(x) * x.size


@step
def random_bits(random, x):
    return x + jax.random.uniform(jax.random.key(int(random.integers(99))), x.shape)


def make_program(seed):
    """(function of the constraint to apply, arguments, mesh, specs of the arguments, spec of the result)."""
    random = numpy.random.default_rng(seed)
    sizes, names = MESHES[random.integers(len(MESHES))]
    mesh = jax.make_mesh(sizes, names, axis_types=(AxisType.Auto,) * len(names))
    shape = tuple(int(s) for s in random.choice(SIZES, int(random.integers(2, 4))))
    arguments = [random.standard_normal(shape).astype("float32") for _ in range(2)]
    specs = [random_spec(random, mesh, shape, True) for _ in arguments]
    chosen = [STEPS[i] for i in random.integers(0, len(STEPS), int(random.integers(2, 7)))]
    seeds = random.integers(0, 1 << 30, len(chosen))

    def function(a, b, constrain):
        x, choices = a + jnp.sin(b), numpy.random.default_rng(seed + 1)
        for chosen_step, step_seed in zip(chosen, seeds):
            x = chosen_step(numpy.random.default_rng(step_seed), x)
            if choices.integers(2):
                x = constrain(x, random_spec(choices, mesh, x.shape, False))
        return x, x.sum() / x.size

    return function, arguments, mesh, specs, [s.__name__ for s in chosen]


def neighbors(seed, array):
    """Each element moved to one of the two closest numbers."""
    up = numpy.random.default_rng(seed).integers(2, size=array.shape, dtype="int32")
    return numpy.nextafter(array, numpy.where(up, numpy.inf, -numpy.inf).astype(array.dtype))


def sensitivity(function, arguments, results):
    """How far each result moves when the arguments move by one unit in the last place: programs such as gradients of
    gradients magnify roundings, which partitioning changes, too."""
    moved = [numpy.zeros(()) for _ in results]
    for draw in range(DRAWS):
        near = function(*(jax.device_put(neighbors(draw, a), jax.devices()[0]) for a in arguments))
        moved = [numpy.maximum(m, numpy.abs(numpy.asarray(x) - numpy.asarray(y)).max()) for m, x, y in zip(moved, near, results)]
    return moved


def run(seed):
    """None, or how the partitioned results differ."""
    function, arguments, mesh, specs, names = make_program(seed)
    shardings = [NamedSharding(mesh, spec) for spec in specs]
    whole = NamedSharding(mesh, PartitionSpec())
    partitioned = jax.jit(lambda a, b: function(a, b, lambda x, s: jax.lax.with_sharding_constraint(
        x, NamedSharding(mesh, s))), in_shardings=shardings, out_shardings=whole)
    alone = jax.jit(lambda a, b: function(a, b, lambda x, _: x))
    got = partitioned(*(jax.device_put(a, s) for a, s in zip(arguments, shardings)))
    expected = alone(*(jax.device_put(a, jax.devices()[0]) for a in arguments))
    for i, (x, y) in enumerate(zip(got, expected)):
        x, y = numpy.asarray(x), numpy.asarray(y)
        if not numpy.allclose(x, y, rtol=RTOL, atol=ATOL, equal_nan=True):
            allowed = ATOL + 2 * sensitivity(alone, arguments, expected)[i]
            wrong = ~numpy.isclose(x, y, rtol=RTOL, atol=allowed, equal_nan=True)
            if not wrong.any():
                continue
            return f"result {i}{x.shape}: {int(wrong.sum())} differ by up to {numpy.abs(x - y).max():.3g} ({', '.join(names)})"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    if len(jax.devices()) != 8:
        sys.exit(f"{len(jax.devices())} devices; set GANTRY_CPU_DEVICES=8")
    counts = collections.Counter()
    for seed in range(arguments.first, arguments.first + arguments.count):
        try:
            problem = run(seed)
        except Exception as error:                                      # one wrong program does not end the run
            problem = f"{type(error).__name__}: {str(error)[:400]} ({', '.join(make_program(seed)[-1])})"
        counts["failed" if problem else "passed"] += 1
        if problem or arguments.verbose:
            print(f"{'FAILED' if problem else 'passed'}  seed {seed}: {problem or ''}", flush=True)
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
