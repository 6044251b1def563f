"""Snippets: what users write beyond models and large arrays, a module for each domain, for bench/tail.py.

A module's functions that are marked with `row` are rows; its list ROWS, if it has one, names more. A row's name is two
expressions of Python, FUNCTION @@ ARGUMENTS, evaluated with the functions of all modules of its folder and the names of
`common_names`, so that a row can be repeated by hand. The rows were written before any of them was measured. Sizes are
odd, and small enough for all rows to be measured within an hour."""
import ast
import functools
import importlib.util
import pathlib

FOLDER = pathlib.Path(__file__).parent
DOUBLE = "f64: "  # rows with this prefix have 64-bit types enabled


def row(arguments, function="{0}", double=False):
    """Marks a function as a row, with these arguments; `function` is the expression to compile, {0} its name."""
    del arguments, function, double
    return lambda marked: marked


def names_in(folder):
    """The rows of a folder of modules. They are read from the text: a process that only lists rows does not import JAX."""
    return [name for path in modules_in(folder) for name in rows_in(ast.parse(path.read_text(encoding="utf-8")))]


def snippet(name, folder):
    """The function of a row and the list of its arguments; for the process that measures."""
    import jax

    jax.config.update("jax_enable_x64", name.startswith(DOUBLE))
    names = functions_in(folder) | common_names()
    source, arguments = name.removeprefix(DOUBLE).split(" @@ ")
    return eval(source, names), list(eval(f"({arguments},)", names))


def modules_in(folder):
    return sorted(pathlib.Path(folder).glob("[!_]*.py"))


def rows_in(module):
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            marks = [mark for mark in node.decorator_list if isinstance(mark, ast.Call) and ast.unparse(mark.func) == row.__name__]
            for mark in marks:
                yield marked_row(node.name, *mark.args, **{word.arg: word.value for word in mark.keywords})
        elif isinstance(node, ast.Assign) and node.targets[0].id == "ROWS":
            yield from ast.literal_eval(node.value)


def marked_row(name, arguments, function=None, double=None):
    expression = ast.literal_eval(function).format(name) if function else name
    prefix = DOUBLE if double and ast.literal_eval(double) else ""
    return f"{prefix}{expression} @@ {ast.literal_eval(arguments)}"


@functools.cache
def functions_in(folder):
    functions = {}
    for path in modules_in(folder):
        spec = importlib.util.spec_from_file_location(f"{pathlib.Path(folder).name}_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        functions |= vars(module)
    return functions


def common_names():

    import jax
    import jax.numpy as jnp
    import jax.scipy
    import numpy as np
    from jax import lax
    from jax.experimental import ode, sparse

    from programs import integers, normal

    def summed(function):
        return lambda *x: jnp.sum(jnp.real(function(*x)))

    def definite(count, n):
        """Symmetric positive definite matrices."""
        a = normal(*([count] if count else []), n, n)
        return a @ jnp.swapaxes(a, -1, -2) + n * jnp.eye(n)

    return {
        "jax": jax,
        "jnp": jnp,
        "np": np,
        "lax": lax,
        "nn": jax.nn,
        "js": jax.scipy,
        "random": jax.random,
        "vmap": jax.vmap,
        "ode": ode,
        "sparse": sparse,
        "n": normal,
        "i": integers,
        "key": jax.random.key(0),
        "grad": lambda f, *at: jax.grad(summed(f), *at),
        "definite": definite,
        "linalg": jnp.linalg,
        "fft": jnp.fft,
        "image": jax.image,
        "partial": functools.partial,
        "reduce": functools.reduce,
    }
