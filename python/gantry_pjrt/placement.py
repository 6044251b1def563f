"""jax.device_put inside jit places values in a memory kind, as it does on TPUs and GPUs.

JAX lowers by the platform's name. Under `cpu` it drops such placements, for its own CPU backend has no use for them;
under `tpu` it emits an annotation, which Gantry compiles to a copy. Programs for Gantry get the annotation under either
name, programs for JAX's own CPU none, also where one process has both."""


def _is_for_gantry(context):
    """Whether the module that is lowered will be compiled by Gantry; a module for several platforms is for none."""
    backend = context.backend if len(context.platforms) == 1 else None
    return backend is not None and any(line.startswith("gantry ") for line in backend.platform_version.splitlines())


def register():
    """Call it once, before a function with placements is lowered."""
    from jax._src import dispatch
    from jax._src.interpreters import mlir

    drop, annotate = dispatch._common_device_put_lowering, dispatch._tpu_gpu_device_put_lowering

    def lower(context, *values, **parameters):
        rule = annotate if _is_for_gantry(context.module_context) else drop
        return rule(context, *values, **parameters)

    mlir.register_lowering(dispatch.device_put_p, lower, platform="cpu")
