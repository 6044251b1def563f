#!/usr/bin/env python3
"""Differential testing: random JAX programs, made from a seed, run on Gantry and on JAX's own CPU in one process.

    random_programs.py PLUGIN [--count 300] [--first 0] [--verbose]

A program takes a few arrays of random types and odd shapes (zero sizes too) and applies a chain of operations to values
made so far: elementwise, conversions, reductions, cumulative sums, slices, padding, gathers, scatters, sorts, products of
matrices, loops and branches. Every value that is left over is a result. Integers must be equal; floats agree within a
tolerance that grows with the length of the chain. A wrong program is printed with its seed, which makes it again."""
import argparse
import os
import sys

FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
EPSILON = {"float64": 2.0 ** -52, "float32": 2.0 ** -23, "float16": 2.0 ** -10, "bfloat16": 2.0 ** -7,
           "complex64": 2.0 ** -23, "complex128": 2.0 ** -52}


class Maker:
    """Builds one program: `arguments`, and `apply` which replays the chosen steps on traced values."""

    def __init__(self, seed):
        import numpy
        self.random = numpy.random.RandomState(seed)
        self.steps, self.kinds = [], []         # kinds[i]: (dtype, shape) of value i
        self.arguments = []
        for _ in range(self.random.randint(2, 5)):
            self.add_argument()
        for _ in range(self.random.randint(2, 9)):
            self.add_step()

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
        shape = self.shape()
        if dtype == "bool":
            value = self.random.rand(*shape) < 0.5
        elif dtype in INTEGERS:
            low, high = (0, 50) if dtype[0] == "u" else (-50, 50)
            value = numpy.asarray(self.random.randint(low, high, shape)).astype(dtype)
        elif dtype == "complex64":
            value = numpy.asarray(self.random.randn(*shape) + 1j * self.random.randn(*shape)).astype(dtype)
        else:
            value = numpy.asarray(self.random.randn(*shape) * 2).astype(getattr(ml_dtypes, dtype, dtype))
        self.arguments.append(numpy.asarray(value))
        self.kinds.append((dtype, shape))

    def values(self, test):
        return [i for i, (dtype, shape) in enumerate(self.kinds) if test(dtype, shape)]

    def add_step(self):
        for _ in range(20):                     # not every kind of step has a value to work on
            makers = [self.elementwise, self.elementwise, self.unary, self.reduce, self.convert, self.move, self.index,
                      self.scatter, self.product, self.order, self.loop, self.branch]
            if makers[self.random.randint(len(makers))]():
                return

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
        a = self.pick(*self.values(lambda d, s: not d.startswith("complex"))) if self.values(
            lambda d, s: not d.startswith("complex")) else None
        if a is None:
            return False
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
        return self.step(self.pick(*choices), a)

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
            return self.step(lambda x, i: jnp.take(x, i, axis=axis, mode="clip"), a, i)
        size = self.random.randint(1, self.kinds[a][1][axis] + 1)
        return self.step(lambda x, i: lax.dynamic_slice_in_dim(x, i.reshape(-1)[:1].sum().astype("int32"), size, axis), a, i)

    def scatter(self):
        targets = self.values(lambda d, s: len(s) > 0 and 0 not in s and d != "bool" and not d.startswith("complex"))
        places = self.values(lambda d, s: d in INTEGERS and len(s) == 1)
        if not targets or not places:
            return False
        a, i = self.pick(*targets), self.pick(*places)
        how = self.pick("add", "max", "min", "multiply")
        return self.step(lambda x, i: getattr(x.at[i % x.shape[0]], how)(x.dtype.type(2)), a, i)

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
        turns = self.random.randint(0, 6)
        if self.random.rand() < 0.5:
            return self.step(lambda x: lax.fori_loop(0, turns, lambda i, v: v * v.dtype.type(0.5) + i, x), self.pick(*floats))
        return self.step(lambda x: lax.scan(lambda c, _: (c * c.dtype.type(0.75), c.sum()), x, None, length=turns)[1],
                         self.pick(*floats))

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
        return values[len(arguments):]


def agree(got, want, steps):
    """None, or what differs."""
    import numpy
    got, want = numpy.asarray(got), numpy.asarray(want)
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
    name = str(want.dtype)
    if name not in EPSILON:
        return None if numpy.array_equal(got, want) else f"{name} values differ"
    wide = numpy.complex128 if name.startswith("complex") else numpy.float64
    g, w = got.astype(wide), want.astype(wide)
    finite = numpy.isfinite(w)
    if not numpy.array_equal(numpy.isfinite(g), finite):
        return "infinities or NaN differ"
    if not finite.any():
        return None
    scale = max(1.0, float(abs(w[finite]).max()))
    error = float(abs(g[finite] - w[finite]).max()) / scale
    bound = EPSILON[name] * 64 * steps
    return None if error <= bound else f"{name} differs by {error:.3g} of the largest value, allowed {bound:.3g}"


def narrow_ties(maker, index):
    """Whether value `index` rests on a comparison or rounding of inexact values, which may fall either way."""
    steps = maker.steps
    seen, todo = set(), [index]
    while todo:
        i = todo.pop()
        if i < len(maker.arguments) or i in seen:
            continue
        seen.add(i)
        function, operands = steps[i - len(maker.arguments)]
        source = [maker.kinds[o] for o in operands]
        if maker.kinds[i][0] not in EPSILON and any(kind[0] in EPSILON and o >= len(maker.arguments)
                                                   for kind, o in zip(source, operands)):
            return True
        todo += operands
    return False


def run(seed, devices):
    """None, or what went wrong."""
    import jax
    maker = Maker(seed)
    if not maker.steps:
        return None
    results = []
    for device in devices:
        arguments = [jax.device_put(argument, device) for argument in maker.arguments]
        results.append(jax.jit(maker.apply)(*arguments))
    for i, (got, want) in enumerate(zip(*results)):
        index = len(maker.arguments) + i
        wrong = agree(got, want, len(maker.steps) + 1)
        if wrong and not narrow_ties(maker, index):
            return f"step {i} of {len(maker.steps)} ({maker.kinds[index]}): {wrong}"
    return None


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
    passed, failed = 0, 0
    for seed in range(options.first, options.first + options.count):
        try:
            wrong = run(seed, devices)
        except Exception as error:              # an error of either side, with its seed
            wrong = f"{type(error).__name__}: {str(error).splitlines()[0][:300]}"
        if wrong:
            failed += 1
            print(f"seed {seed}: {wrong}", flush=True)
        else:
            passed += 1
            if options.verbose:
                print(f"seed {seed}: good", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
