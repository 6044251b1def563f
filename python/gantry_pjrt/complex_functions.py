"""Lets Gantry compute functions of complex numbers that JAX's client expands before any plugin sees a program.

The client's formulas take the sign of an imaginary part by comparing it with 0, so -0 is on the wrong side of a branch
cut (sqrt(-4 - 0j) is 2j), and infinities beside NaN become NaN. For Gantry these functions are custom calls, which it
replaces by its own (compiler/passes/canonicalize/canonicalize_calls.h)."""
_FUNCTIONS = ("sqrt", "log", "acos", "acosh", "asin", "asinh", "atan", "atanh")


def register(is_for_gantry):
    """Registers the lowering rules for modules that `is_for_gantry` is true of. Call once."""
    for name in _FUNCTIONS:
        for platform in ("cpu", "tpu"):
            _register(name, platform, is_for_gantry)


def _register(name, platform, is_for_gantry):
    import jax.numpy as jnp
    from jax._src.interpreters import mlir
    from jax._src.lax import lax

    primitive = getattr(lax, name + "_p")
    other = mlir._platform_specific_lowerings[platform].get(primitive) or mlir._lowerings[primitive]
    as_it_is = getattr(other, "rule", other)

    def lower(context, *values, **parameters):
        is_complex = jnp.issubdtype(context.avals_in[0].dtype, jnp.complexfloating)
        if not is_complex or not is_for_gantry(context.module_context):
            return as_it_is(context, *values, **parameters)
        return mlir.custom_call("gantry." + name, result_types=[values[0].type], operands=list(values)).results

    mlir.register_lowering(primitive, lower, platform=platform)
