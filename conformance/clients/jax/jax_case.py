"""The `case` decorator, which case files import, and the list of cases.

A case is a function without arguments that returns arrays (any pytree of them). The runner calls it in two processes,
one on Gantry and one on JAX's own CPU, and compares the results leaf by leaf."""
import contextlib

CASES = []          # (name, function, options) in the order of the files


def case(rtol=2e-5, atol=1e-5, x64=False, compare=True, platform=None):
    """rtol, atol: how far floats may differ. x64: run with 64-bit types on. compare=False: the case checks itself by
    `assert`, and runs on Gantry only. platform: the only name, "cpu" or "tpu", under which it makes sense."""
    def register(function):
        name = f"{function.__module__.removeprefix('cases_')}.{function.__name__}"
        CASES.append((name, function, {"rtol": rtol, "atol": atol, "x64": x64, "compare": compare,
                                       "platform": platform}))
        return function
    return register


def run(function, options):
    """The leaves of a case's result as NumPy arrays; narrow floats are widened, random keys become their words."""
    import jax
    import numpy
    with jax.enable_x64(True) if options["x64"] else contextlib.nullcontext():
        leaves = jax.tree.leaves(function())
        out = []
        for leaf in leaves:
            if hasattr(leaf, "dtype") and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
                leaf = jax.random.key_data(leaf)
            array = numpy.asarray(leaf)
            if array.dtype.isbuiltin != 1:
                array = array.astype("float32" if "float" in str(array.dtype) else "int32")
            out.append(array)
        return out
