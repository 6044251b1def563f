"""Makes jax.device_put inside jit place values in a memory kind, as on TPUs and GPUs.

JAX selects lowering rules by platform name. For `cpu` it drops such placements, since its own CPU backend does not
support them; for `tpu` it emits an annotation, which Gantry compiles to a copy. With this rule, programs for Gantry
have the annotation under either name, and programs for JAX's own CPU backend never, even in the same process."""


def is_gantry(backend):
    """Whether a client of JAX's is Gantry's."""
    return any(line.startswith("gantry ") for line in backend.platform_version.splitlines())


def is_for_gantry(context):
    """Whether Gantry will compile the module that is being lowered (a ModuleContext). False for modules for several platforms."""
    backend = context.backend if len(context.platforms) == 1 else None
    return backend is not None and is_gantry(backend)


def register():
    """Registers the lowering rule. Call once, before lowering a function with placements."""
    from jax._src import dispatch
    from jax._src.interpreters import mlir

    drop, annotate = dispatch._common_device_put_lowering, dispatch._tpu_gpu_device_put_lowering

    def lower(context, *values, **parameters):
        rule = annotate if is_for_gantry(context.module_context) else drop
        return rule(context, *values, **parameters)

    mlir.register_lowering(dispatch.device_put_p, lower, platform="cpu")
