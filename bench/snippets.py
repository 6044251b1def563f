"""snippets.py: what the long tail's snippets are written in.

A snippet is two expressions of Python: the function and the tuple of its arguments, evaluated with the names of
`names_of_snippets`, among them the functions of the modules snippet_*.py. They are the row's name, so a row can
be repeated by hand."""

DOUBLE = "f64: "  # rows with this prefix have 64-bit types enabled


def names_of_snippets():
    """What the expressions of snippets may use."""
    import functools

    import jax
    import jax.numpy as jnp
    import jax.scipy
    import numpy as np
    from jax import lax
    from jax.experimental import ode, sparse

    import snippet_algorithms
    import snippet_blocks
    import snippet_fields
    import snippet_mechanics
    import snippet_methods
    import snippet_models
    import snippet_training
    from programs import integers, normal

    def summed(function):
        return lambda *x: jnp.sum(jnp.real(function(*x)))

    def definite(count, n):
        """Symmetric positive definite matrices."""
        a = normal(*([count] if count else []), n, n)
        return a @ jnp.swapaxes(a, -1, -2) + n * jnp.eye(n)

    functions = {}
    modules = snippet_models, snippet_methods, snippet_blocks, snippet_algorithms, snippet_fields, snippet_mechanics, snippet_training
    for module in modules:
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
