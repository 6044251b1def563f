#!/usr/bin/env python3
"""Differential testing: random JAX programs, made from a seed, run on Gantry and on JAX's own CPU in one process.

    random_programs.py PLUGIN [--count 300] [--first 0] [--verbose]

A program takes a few arrays of random types and odd shapes (zero sizes too) and applies a chain of operations to
values made so far: elementwise, conversions, reductions, cumulative sums, windows, slices, padding, gathers, scatters,
sorts, products, convolutions, loops and branches. Values that nothing uses are results, and a few of the others: the
rest is free to be fused, or to share memory. Each program runs twice and must give the same bytes; every second one also
with all its values as results, except products, which may contract into sums where they are none, and moved elements
(reversed, transposed, gathered ...), whose sums over several dimensions may be in another order when they are stored.
Integers must be equal; floats agree within a tolerance that grows with the length of the chain. A failing program is
printed with its seed, which reproduces it.

If the two differ, JAX's own CPU runs the steps one by one. If Gantry's result agrees with that, JAX's result for the
whole program is wrong, and the seed is skipped, as is a seed that JAX's own CPU rejects."""
import argparse
import os
import sys

from random_rare import RareSteps
from random_steps import COMPLEX, NIBBLES, SATURATED, SMALL_FLOATS, Steps

FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
EPSILON = {"float64": 2.0 ** -52, "float32": 2.0 ** -23, "float16": 2.0 ** -10, "bfloat16": 2.0 ** -7,
           "complex64": 2.0 ** -23, "complex128": 2.0 ** -52, "float8_e4m3fn": 2.0 ** -3, "float8_e5m2": 2.0 ** -2,
           "float8_e4m3b11fnuz": 2.0 ** -3, "float8_e4m3fnuz": 2.0 ** -3, "float8_e5m2fnuz": 2.0 ** -2,
           "float8_e3m4": 2.0 ** -4, "float8_e4m3": 2.0 ** -3, "float4_e2m1fn": 2.0 ** -1}


class Maker(Steps, RareSteps):
    """Builds one program: `arguments`, and `apply` which replays the chosen steps on traced values. Programs of odd seeds have
    the steps and types of random_steps.py too; every fourth those of random_rare.py; every eighth has NaN, infinities
    and zeros of both signs among its arguments; and every sixteenth is long."""

    def __init__(self, seed):
        import numpy
        self.random = numpy.random.RandomState(seed)
        self.wide, self.rare, self.odd_values = seed % 2 == 1, seed % 4 == 3, seed % 8 == 7
        self.steps, self.kinds = [], []         # kinds[i]: (dtype, shape) of value i
        self.arguments, self.moved = [], set()  # moved: values whose elements are those of others, at other places
        for _ in range(self.random.randint(2, 5)):
            self.add_argument()
        for _ in range(self.random.randint(10, 25) if seed % 16 == 13 else self.random.randint(2, 9)):
            self.add_step()
        used = {i for _, operands in self.steps for i in operands}
        self.results = [i for i in range(len(self.arguments), len(self.kinds)) if i not in used or self.random.rand() < 0.2]

    def pick(self, *choices):
        return choices[self.random.randint(len(choices))]

    def shape(self):
        rank = self.pick(0, 1, 1, 2, 2, 2, 3, 4)
        return tuple(int(self.pick(0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 33)) if self.random.rand() < 0.9 else 1
                     for _ in range(rank))

    def add_argument(self):
        import ml_dtypes
        import numpy
        dtype = self.pick(*FLOATS, "float32", "float32", "int32", *INTEGERS, "bool", "complex64")
        if self.wide and self.random.rand() < 0.3:
            dtype = self.pick(*SMALL_FLOATS, *NIBBLES, *COMPLEX, *COMPLEX)
        shape = self.shape()
        if dtype == "bool":
            value = self.random.rand(*shape) < 0.5
        elif dtype in NIBBLES:
            value = numpy.asarray(self.random.randint(-8 if dtype == "int4" else 0, 8, shape)).astype(getattr(ml_dtypes, dtype))
        elif dtype in INTEGERS:
            low, high = (0, 50) if dtype[0] == "u" else (-50, 50)
            value = numpy.asarray(self.random.randint(low, high, shape)).astype(dtype)
        elif dtype in COMPLEX:
            value = numpy.asarray(self.random.randn(*shape) + 1j * self.random.randn(*shape)).astype(dtype)
        else:
            value = numpy.asarray(self.random.randn(*shape) * 2).astype(getattr(ml_dtypes, dtype, dtype))
        if self.odd_values and dtype in FLOATS:
            odd = self.random.choice([numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 6e4], shape)
            value = numpy.where(self.random.rand(*shape) < 0.15, odd, value).astype(value.dtype)
        self.arguments.append(numpy.asarray(value))
        self.kinds.append((dtype, shape))

    def values(self, test):
        return [i for i, (dtype, shape) in enumerate(self.kinds) if test(dtype, shape)]

    def add_step(self):
        for _ in range(20):                     # not every kind of step has a value to work on
            makers = [self.elementwise, self.elementwise, self.unary, self.reduce, self.convert, self.move, self.index,
                      self.scatter, self.windows, self.product, self.contraction, self.convolution, self.window_reduction,
                      self.order, self.loop, self.update_loop, self.branch]
            if self.wide:
                makers += self.wide_steps()
            if self.rare:
                makers += self.rare_steps()
            if makers[self.random.randint(len(makers))]():
                return

    def select_all(self):
        """Makes every value a result that is neither a product nor moves elements."""
        import jax.numpy as jnp
        first = len(self.arguments)
        self.results = [i for i in range(first, len(self.kinds))
                        if i in self.results or (self.steps[i - first][0] is not jnp.multiply and i not in self.moved)]

    def move_step(self, function, *operands):
        """A step that moves elements."""
        made = self.step(function, *operands)
        if made:
            self.moved.add(len(self.kinds) - 1)
        return made

    def step(self, function, *operands):
        """Keeps the step if JAX can trace it, with the type and shape of what it gives."""
        import jax
        import numpy
        types = [jax.ShapeDtypeStruct(self.kinds[i][1], self.dtype(self.kinds[i][0])) for i in operands]
        try:
            made = jax.eval_shape(function, *types)
        except (TypeError, ValueError):
            return False
        if numpy.prod(made.shape, dtype=float) > 1e6:
            return False
        self.steps.append((function, operands))
        self.kinds.append((str(made.dtype), tuple(made.shape)))
        return True

    @staticmethod
    def dtype(name):
        import jax.numpy as jnp
        return jnp.dtype(name)

    # ---- kinds of steps -------------------------------------------------------------------------------------------
    def elementwise(self):
        import jax.numpy as jnp
        from jax import lax
        a = self.random.randint(len(self.kinds))
        dtype = self.kinds[a][0]
        same = self.values(lambda d, s: d == dtype)
        b = self.pick(*same)
        if dtype == "bool":
            function = self.pick(jnp.logical_and, jnp.logical_or, jnp.logical_xor)
        elif dtype in INTEGERS:
            function = self.pick(jnp.add, jnp.subtract, jnp.multiply, jnp.maximum, jnp.minimum, jnp.bitwise_and,
                                 jnp.bitwise_xor, lambda x, y: lax.div(*jnp.broadcast_arrays(x, y)),
                                 lambda x, y: lax.rem(*jnp.broadcast_arrays(x, y)), jnp.less,
                                 lambda x, y: lax.shift_left(*jnp.broadcast_arrays(x, y)))
        elif dtype.startswith("complex"):
            function = self.pick(jnp.add, jnp.subtract, jnp.multiply)
        else:
            function = self.pick(jnp.add, jnp.subtract, jnp.multiply, jnp.maximum, jnp.minimum, jnp.less_equal,
                                 lambda x, y: x / (1 + abs(y)), jnp.arctan2, lambda x, y: jnp.where(x > y, x, y * 2))
        return self.step(function, a, b)

    def unary(self):
        import jax
        import jax.numpy as jnp
        floats = self.values(lambda d, s: d in FLOATS)
        if not floats:
            return False
        function = self.pick(jnp.tanh, jnp.sin, jnp.cos, lambda x: jnp.exp(-abs(x)), lambda x: jnp.log1p(abs(x)),
                             lambda x: jnp.sqrt(abs(x)), jax.nn.sigmoid, jax.nn.gelu, jnp.floor, jnp.round, jnp.sign,
                             lambda x: jax.nn.softmax(x.reshape(-1)), jnp.negative, jnp.expm1, jnp.cbrt)
        return self.step(function, self.pick(*floats))

    def reduce(self):
        import jax.numpy as jnp
        ranked = self.values(lambda d, s: len(s) > 0 and d != "bool" and 0 not in s)
        if not ranked:
            return False
        a = self.pick(*ranked)
        axis = self.pick(None, *range(len(self.kinds[a][1])))
        choices = [jnp.sum]
        if not self.kinds[a][0].startswith("complex"):
            choices += [jnp.max, jnp.min, jnp.argmax, jnp.argmin, jnp.mean]
        function = self.pick(*choices)
        return self.step(lambda x: function(x, axis=axis), a)

    def convert(self):
        numbers = self.values(lambda d, s: not d.startswith("complex") and d != SATURATED)
        if not numbers:
            return False
        a = self.pick(*numbers)
        wanted = self.pick(*FLOATS, *INTEGERS, "bool")
        return self.step(lambda x: x.astype(wanted), a)

    def move(self):
        import jax.numpy as jnp
        from jax import lax
        ranked = self.values(lambda d, s: len(s) > 0)
        if not ranked:
            return False
        a = self.pick(*ranked)
        shape = self.kinds[a][1]
        axis = self.random.randint(len(shape))
        start, order = self.random.randint(shape[axis] + 1), self.random.permutation(len(shape))
        stride, low, high, inner = self.pick(1, 2, 3), self.pick(-1, 0, 1, 3), self.pick(0, 2), self.pick(0, 0, 1)
        padding = [(low, high, inner) if i == axis else (0, 0, 0) for i in range(len(shape))]
        choices = [lambda x: jnp.transpose(x, order), lambda x: jnp.flip(x, axis), lambda x: x.reshape(-1),
                   lambda x: lax.slice_in_dim(x, start, None, stride, axis), lambda x: jnp.concatenate([x, x], axis),
                   lambda x: jnp.broadcast_to(x, (3,) + shape), lambda x: jnp.roll(x, 2, axis),
                   lambda x: lax.pad(x, x.dtype.type(1), padding)]
        return self.move_step(self.pick(*choices), a)

    def index(self):
        import jax.numpy as jnp
        from jax import lax
        sources = self.values(lambda d, s: len(s) > 0 and 0 not in s)
        places = self.values(lambda d, s: d in INTEGERS)
        if not sources or not places:
            return False
        a, i = self.pick(*sources), self.pick(*places)
        axis = self.random.randint(len(self.kinds[a][1]))
        if self.random.rand() < 0.5:
            return self.move_step(lambda x, i: jnp.take(x, i, axis=axis, mode="clip"), a, i)
        size = self.random.randint(1, self.kinds[a][1][axis] + 1)
        return self.move_step(lambda x, i: lax.dynamic_slice_in_dim(x, i.reshape(-1)[:1].sum().astype("int32"), size, axis), a, i)

    def scatter(self):
        targets = self.values(lambda d, s: len(s) > 0 and 0 not in s and d != "bool" and not d.startswith("complex"))
        places = self.values(lambda d, s: d in INTEGERS and len(s) == 1)
        if not targets or not places:
            return False
        a, i = self.pick(*targets), self.pick(*places)
        how = self.pick("add", "max", "min", "multiply")
        return self.step(lambda x, i: getattr(x.at[i % x.shape[0]], how)(x.dtype.type(2)), a, i)

    def windows(self):
        """Whole windows gathered or scattered, some of them out of bounds."""
        from jax import lax
        targets = self.values(lambda d, s: len(s) > 0 and 0 not in s and d != "bool" and not d.startswith("complex"))
        places = self.values(lambda d, s: d in ("int8", "int16", "int32", "int64") and len(s) == 1 and 0 not in s)
        if not targets or not places:
            return False
        a, i = self.pick(*targets), self.pick(*places)
        shape, rank = self.kinds[a][1], len(self.kinds[a][1])
        axis, mode = self.random.randint(rank), self.pick("clip", "fill")
        sizes = tuple(int(self.random.randint(1, n + 1)) for n in shape)
        window, near = tuple(range(1, rank + 1)), shape[axis] + 3
        if self.random.rand() < 0.5:
            numbers = lax.GatherDimensionNumbers(offset_dims=window, collapsed_slice_dims=(), start_index_map=(axis,))
            return self.step(lambda x, i: lax.gather(x, (i % near - 2)[:, None], numbers, sizes, mode=mode,
                                                     fill_value=x.dtype.type(3)), a, i)
        numbers = lax.ScatterDimensionNumbers(update_window_dims=window, inserted_window_dims=(),
                                              scatter_dims_to_operand_dims=(axis,))
        function = self.pick(lax.scatter_add, lax.scatter_max, lax.scatter_min)
        return self.step(lambda x, i: function(x, (i % near - 2)[:, None], lax.broadcast(x.dtype.type(2), i.shape + sizes),
                                               numbers, mode=mode), a, i)

    def contraction(self):
        """A dot_general of a value with itself or another over some of its dimensions, and maybe a transpose."""
        import jax.numpy as jnp
        from jax import lax
        ranked = self.values(lambda d, s: 0 < len(s) <= 3 and d in FLOATS)
        if not ranked:
            return False
        a = self.pick(*ranked)
        dtype, shape = self.kinds[a]
        b = self.pick(a, *self.values(lambda d, s: d == dtype and s == shape))
        dims = [int(i) for i in self.random.permutation(len(shape))]
        batch = dims[:self.pick(0, 0, 1)]
        over = dims[len(batch):len(batch) + self.pick(1, 1, 2)]
        rank = 2 * len(shape) - len(batch) - 2 * len(over)
        order = self.random.permutation(rank) if self.random.rand() < 0.5 else range(rank)
        return self.step(lambda x, y: jnp.transpose(lax.dot_general(x, y, ((over, over), (batch, batch))), order), a, b)

    def convolution(self):
        from jax import lax
        ranked = self.values(lambda d, s: len(s) == 3 and 0 not in s and d in FLOATS)
        if not ranked:
            return False
        width, stride, dilation, inner = self.pick(1, 2, 3), self.pick(1, 2), self.pick(1, 2), self.pick(1, 1, 2)
        low, high = self.pick(0, 1, 4), self.pick(-1, 0, 2)
        numbers = self.pick(("NCH", "OIH", "NCH"), ("NHC", "HIO", "NHC"), ("CNH", "IOH", "NHC"))
        order = {"OIH": (1, 0, 2), "HIO": (2, 0, 1), "IOH": (0, 1, 2)}[numbers[1]]
        channels = numbers[0].index("C")
        return self.step(lambda x: lax.conv_general_dilated(
            x, lax.transpose(lax.broadcasted_iota(x.dtype, (x.shape[channels], 4, width), 2) * x.dtype.type(0.25), order),
            (stride,), ((low, high),), (inner,), (dilation,), numbers), self.pick(*ranked))

    def window_reduction(self):
        from jax import lax
        ranked = self.values(lambda d, s: len(s) > 0 and 0 not in s and d in FLOATS + INTEGERS)
        if not ranked:
            return False
        a = self.pick(*ranked)
        rank = len(self.kinds[a][1])
        window, strides, spread = ([self.pick(1, 1, 2, 3) for _ in range(rank)] for _ in range(3))
        padding = [(self.pick(0, 1, 2), self.pick(0, 1)) for _ in range(rank)]
        low = self.kinds[a][0] in INTEGERS and self.kinds[a][0][0] == "u"
        init, function = self.pick((0, lax.add), (0 if low else -100, lax.max))
        return self.step(lambda x: lax.reduce_window(x, x.dtype.type(init), function, window, strides, padding,
                                                     (1,) * rank, spread), a)

    def product(self):
        import jax.numpy as jnp
        matrices = self.values(lambda d, s: len(s) >= 1 and d != "bool")
        if not matrices:
            return False
        a = self.pick(*matrices)
        if self.random.rand() < 0.5:
            return self.step(lambda x: x.reshape(-1, x.shape[-1] or 1) @ x.reshape(-1, x.shape[-1] or 1).T
                             if x.dtype.kind not in "iu" else jnp.dot(x.reshape(-1), x.reshape(-1)), a)
        return self.step(lambda x: jnp.einsum("i,j->ij", x.reshape(-1)[:20], x.reshape(-1)[:30]), a)

    def order(self):
        import jax.numpy as jnp
        ranked = self.values(lambda d, s: len(s) > 0 and not d.startswith("complex"))
        if not ranked:
            return False
        a = self.pick(*ranked)
        axis = self.random.randint(len(self.kinds[a][1]))
        function = self.pick(jnp.sort, jnp.argsort, jnp.cumsum, jnp.flip)
        return self.step(lambda x: function(x, axis=axis), a)

    def loop(self):
        from jax import lax
        floats = self.values(lambda d, s: d in FLOATS)
        if not floats:
            return False
        count = self.random.randint(0, 6)
        if self.random.rand() < 0.5:
            return self.step(lambda x: lax.fori_loop(0, count, lambda i, v: v * v.dtype.type(0.5) + i, x), self.pick(*floats))
        return self.step(lambda x: lax.scan(lambda c, _: (c * c.dtype.type(0.75), c.sum()), x, None, length=count)[1],
                         self.pick(*floats))

    def update_loop(self):
        """A loop that updates parts of its carried values, reads what it wrote, and swaps two values."""
        from jax import lax
        ranked = self.values(lambda d, s: len(s) > 0 and 0 not in s and d in FLOATS + INTEGERS)
        if not ranked:
            return False
        count, swaps = self.random.randint(1, 6), self.random.rand() < 0.5

        def body(i, carry):
            x, y = carry
            row = lax.dynamic_slice_in_dim(y, (i + 1) % y.shape[0], 1, 0)
            x = lax.dynamic_update_slice_in_dim(x, row + x.dtype.type(1), i, 0)
            return (y, x) if swaps else (x, y + row)

        def program(x):
            x, y = lax.fori_loop(0, count, body, (x, x + x.dtype.type(2)))
            return x + y + y
        return self.step(program, self.pick(*ranked))

    def branch(self):
        from jax import lax
        a = self.pick(*self.values(lambda d, s: True))
        conditions = self.values(lambda d, s: d in INTEGERS or d == "bool")
        if not conditions:
            return False
        return self.step(lambda p, x: lax.cond(p.sum() > 0, lambda v: v + v, lambda v: v, x), self.pick(*conditions), a)

    # ---- the program ----------------------------------------------------------------------------------------------
    def apply(self, *arguments):
        values = list(arguments)
        for function, operands in self.steps:
            values.append(function(*[values[i] for i in operands]))
        return [values[i] for i in self.results]

    def apply_singly(self, device):
        """The same, with a separate program for each step."""
        import jax
        values = [jax.device_put(argument, device) for argument in self.arguments]
        with jax.default_device(device):
            for function, operands in self.steps:
                values.append(jax.jit(function)(*[values[i] for i in operands]))
        return [values[i] for i in self.results]


def agree(got, want, steps, epsilon, odd_values=False):
    """None, or what differs. Which NaN survives a minimum or a sum of infinities depends on the order in XLA's CPU: with odd
    values places are compared only where both have a number."""
    import numpy
    got, want = numpy.asarray(got), numpy.asarray(want)
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
    name = str(want.dtype)
    if name not in EPSILON:
        return None if numpy.array_equal(got, want) else f"{name} values differ"
    wide = numpy.complex128 if name.startswith("complex") else numpy.float64
    g, w = got.astype(wide), want.astype(wide)
    if odd_values:
        both = ~(numpy.isnan(g) | numpy.isnan(w))
        g, w = g[both], w[both]
    finite = numpy.isfinite(w)
    if not numpy.array_equal(numpy.isfinite(g), finite):
        return "infinities or NaN differ"
    if not finite.any():
        return None
    scale = max(1.0, float(abs(w[finite]).max()))
    error = float(abs(g[finite] - w[finite]).max()) / scale
    bound = epsilon * 64 * steps
    return None if error <= bound else f"{name} differs by {error:.3g} of the largest value, allowed {bound:.3g}"


def sources(maker, index):
    """The values on which value `index` depends, including itself."""
    seen, todo = set(), [index]
    while todo:
        i = todo.pop()
        if i in seen:
            continue
        seen.add(i)
        if i >= len(maker.arguments):
            todo += maker.steps[i - len(maker.arguments)][1]
    return seen


def coarsest(maker, index):
    """The largest rounding error of a type that value `index` has come through."""
    return max(EPSILON.get(maker.kinds[i][0], 0) for i in sources(maker, index))


def narrow_ties(maker, index):
    """Whether value `index` depends on a comparison or rounding of inexact values, whose result may differ."""
    first = len(maker.arguments)
    return any(i >= first and maker.kinds[i][0] not in EPSILON and
               any(o >= first and maker.kinds[o][0] in EPSILON for o in maker.steps[i - first][1])
               for i in sources(maker, index))


def selected(maker, arguments):
    """None, or which result is another one if other values are results, too."""
    import jax
    import numpy
    before, results = jax.jit(maker.apply)(*arguments), maker.results
    maker.select_all()
    after = dict(zip(maker.results, jax.jit(lambda *values: maker.apply(*values))(*arguments)))
    for index, value in zip(results, before):
        if numpy.asarray(value).tobytes() != numpy.asarray(after[index]).tobytes():
            return f"step {index - len(arguments)} of {len(maker.steps)} ({maker.kinds[index]}): another result beside other results"
    return None


def run(seed, devices):
    """None, or the error; raises NotImplementedError if JAX's own CPU cannot run the program."""
    import jax
    import numpy
    maker = Maker(seed)
    if not maker.steps:
        return None
    results = []
    for device in devices:
        arguments = [jax.device_put(argument, device) for argument in maker.arguments]
        try:
            results.append(jax.jit(maker.apply)(*arguments))
        except jax.errors.JaxRuntimeError as error:
            if device is devices[0]:
                raise
            raise NotImplementedError(str(error)) from error
    again = jax.jit(maker.apply)(*[jax.device_put(argument, devices[0]) for argument in maker.arguments])
    singly = None
    for place, (index, got, more, want) in enumerate(zip(maker.results, results[0], again, results[1])):
        i = index - len(maker.arguments)
        if numpy.asarray(got).tobytes() != numpy.asarray(more).tobytes():
            return f"step {i} of {len(maker.steps)} ({maker.kinds[index]}): another result the second time"
        how = len(maker.steps) + 1, coarsest(maker, index), maker.odd_values
        wrong = agree(got, want, *how)
        if wrong and not narrow_ties(maker, index):
            singly = singly or maker.apply_singly(devices[1])
            if agree(got, singly[place], *how):
                return f"step {i} of {len(maker.steps)} ({maker.kinds[index]}): {wrong}"
    if singly:
        raise NotImplementedError("JAX's own CPU contradicts itself")
    return selected(maker, [jax.device_put(argument, devices[0]) for argument in maker.arguments]) if seed % 2 == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plugin")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="seed of the first program")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    os.environ["PJRT_NAMES_AND_LIBRARY_PATHS"] = "gantry:" + os.path.abspath(options.plugin)
    os.environ["JAX_PLATFORMS"] = "gantry,cpu"
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import warnings
    warnings.filterwarnings("ignore")
    import jax
    jax.config.update("jax_enable_x64", True)
    devices = [jax.devices("gantry")[0], jax.devices("cpu")[0]]
    passed, failed, skipped = 0, 0, 0
    for seed in range(options.first, options.first + options.count):
        try:
            wrong = run(seed, devices)
        except NotImplementedError:             # JAX's own CPU has no answer
            skipped += 1
            continue
        except Exception as error:              # an error of either side, with its seed
            wrong = f"{type(error).__name__}: {str(error).splitlines()[0][:300]}"
        if wrong:
            failed += 1
            print(f"seed {seed}: {wrong}", flush=True)
        else:
            passed += 1
            if options.verbose:
                print(f"seed {seed}: good", flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
