"""profile_programs.py NAME FOLDER: records a profile of STEPS steps of a program into FOLDER, for profile_tools.py."""
import sys

STEPS, TRIPS, ROWS, WIDTH = 4, 12, 64, 256
SIDE, DEPTH = 256, 4


def train(jax, jnp):
    """A training step with a loop and a factorization."""
    def step(w, x):
        h = jax.lax.scan(lambda h, _: (jnp.tanh(h @ w), None), x, None, length=TRIPS)[0]
        r = jnp.linalg.qr(h[:32, :16], mode="r")
        return w - 0.1 * (x.T @ h) / ROWS, r
    return step, (jnp.eye(WIDTH) * 0.5, jnp.ones((ROWS, WIDTH))), lambda results, given: (results[0], given[1])


def sharded(jax, jnp):
    """Products of matrices that are sharded over all devices, whose results are summed."""
    mesh = jax.make_mesh((2, len(jax.devices()) // 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    place = lambda array, *spec: jax.device_put(array, jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*spec)))

    def step(w, v, x):
        return w * 0.5, jnp.tanh(jnp.tanh(x @ w) @ v)
    given = place(jnp.ones((SIDE, SIDE)), None, "model"), place(jnp.ones((SIDE, SIDE)), "model", None), place(jnp.ones((ROWS, SIDE)), "data", None)
    return step, given, lambda results, given: (results[0], *given[1:])


def pallas(jax, jnp):
    """A Pallas kernel."""
    from jax.experimental import pallas as pl

    def kernel(x, y, result):
        result[...] = jnp.dot(x[...], y[...], preferred_element_type=jnp.float32)
    spec = pl.BlockSpec((SIDE // 2, SIDE), lambda i, j: (i, 0)), pl.BlockSpec((SIDE, SIDE // 2), lambda i, j: (0, j))
    call = pl.pallas_call(kernel, grid=(2, 2), in_specs=spec, out_specs=pl.BlockSpec((SIDE // 2, SIDE // 2), lambda i, j: (i, j)),
                          out_shape=jax.ShapeDtypeStruct((SIDE, SIDE), jnp.float32), name="my_product")

    def step(x):
        return (call(x, x) * 0.01,)
    return step, (jnp.ones((SIDE, SIDE)),), lambda results, given: results


def offload(jax, jnp):
    """A loop that reads weights in host memory."""
    host, device = (jax.sharding.SingleDeviceSharding(jax.devices()[0], memory_kind=kind) for kind in ("pinned_host", "device"))

    def step(w, x):
        return (jax.lax.scan(lambda h, w: (jnp.tanh(h @ jax.device_put(w, device)), None), x, w)[0],)
    return step, (jax.device_put(jnp.ones((DEPTH, SIDE, SIDE)), host), jnp.ones((ROWS, SIDE))), lambda results, given: (given[0], *results)


def record(program, folder):
    import jax
    import jax.numpy as jnp
    step, given, following = program(jax, jnp)
    step = jax.jit(step)
    given = following(jax.block_until_ready(step(*given)), given)
    with jax.profiler.trace(folder):
        for i in range(STEPS):
            with jax.profiler.StepTraceAnnotation("train", step_num=i):
                given = following(jax.block_until_ready(step(*given)), given)


if __name__ == "__main__":
    record(globals()[sys.argv[1]], sys.argv[2])
