"""Lets functions of JAX take floats of 8 and fewer bits.

JAX's client expands what CHLO has and StableHLO lacks before any plugin sees a program. For some functions it has no
expansion for such floats, and compilation fails. For Gantry they are lowered to the function of f32, rounded once."""
_FUNCTIONS = ("erf", "erfc", "bessel_i1e")
_EXPANDED_BITS = 16     # the client expands functions of floats that have at least so many


def register(is_for_gantry):
    """Registers the lowering rules for modules that `is_for_gantry` is true of. Call once."""
    for name in _FUNCTIONS:
        _register(name, is_for_gantry)


def _register(name, is_for_gantry):
    from functools import partial
    import jax.numpy as jnp
    from jax._src.interpreters import mlir
    from jax._src.lax import lax, special

    primitive = getattr(special, name + "_p")

    def in_f32(x, **parameters):
        return primitive.bind(x.astype(jnp.float32), **parameters).astype(x.dtype)

    as_it_is = partial(lax._nary_lower_hlo, getattr(special.chlo, name))
    widened = mlir.lower_fun(in_f32, multiple_results=False)

    def lower(context, *values, **parameters):
        is_small = jnp.finfo(context.avals_in[0].dtype).bits < _EXPANDED_BITS
        rule = widened if is_small and is_for_gantry(context.module_context) else as_it_is
        return rule(context, *values, **parameters)

    mlir.register_lowering(primitive, lower, platform="cpu")
