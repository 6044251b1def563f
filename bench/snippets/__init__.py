"""What the long tail's snippets are written in.

A snippet is two expressions of Python: the function and the tuple of its arguments, evaluated with the names of
`names_of_snippets`, among them the functions of this package's modules. They are the row's name, so a row can
be repeated by hand."""

import ast
import pathlib

DOUBLE = "f64: "  # rows with this prefix have 64-bit types enabled
BLIND = "blind"  # the package of modules whose functions are rows themselves (`row`)


def names_of_snippets():
    """What the expressions of snippets may use."""
    import functools
    import importlib

    import jax
    import jax.numpy as jnp
    import jax.scipy
    import numpy as np
    from jax import lax
    from jax.experimental import ode, sparse

    from programs import integers, normal
    from snippets import algorithms, blocks, fields, mechanics, methods, models, training

    def summed(function):
        return lambda *x: jnp.sum(jnp.real(function(*x)))

    def definite(count, n):
        """Symmetric positive definite matrices."""
        a = normal(*([count] if count else []), n, n)
        return a @ jnp.swapaxes(a, -1, -2) + n * jnp.eye(n)

    functions = {}
    for path in blind_modules():
        functions |= vars(importlib.import_module(f"{BLIND}.{path.stem}"))
    for module in models, methods, blocks, algorithms, fields, mechanics, training:
        functions |= vars(module)
    return functions | {
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


def snippet(name):
    """A function that returns (function to compile, its arguments)."""

    def make():
        import jax

        jax.config.update("jax_enable_x64", name.startswith(DOUBLE))
        names = names_of_snippets()
        source, arguments = name.removeprefix(DOUBLE).split(" @@ ")
        return eval(source, names), list(eval(f"({arguments},)", names))

    return make


def rows(template, *lists):
    """The template with each combination of one word from each list in its places {0}, {1} ..."""
    import itertools

    return [template.format(*words) for words in itertools.product(*lists)]


def each(words, *arguments):
    """Each of the expressions of a function with each of the argument tuples."""
    return rows("{0} @@ {1}", words, arguments)


def row(arguments, function="{0}", double=False):
    """Marks a function of a blind module as a row, with these arguments; `function` is the expression to compile, {0} its name."""
    del arguments, function, double
    return lambda marked: marked


def blind_modules():
    return sorted((pathlib.Path(__file__).parent.parent / BLIND).glob("[!_]*.py"))


def blind_rows():
    """Names of the rows of all blind modules: of their marked functions, then those in their list ROWS. They are read from the
    text, since a process that only lists rows does not import JAX."""
    return [name for path in blind_modules() for name in rows_in(ast.parse(path.read_text(encoding="utf-8")))]


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
