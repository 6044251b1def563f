"""Pallas TPU kernels, as users write them, on the TPU model: alone and inside of what JAX does to functions. Expected
values are NumPy's; products of f32 are those of operands rounded to bfloat16."""
import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

from jax_case import case

F32 = jnp.float32


def randoms(*shapes, seed=0):
    generator = numpy.random.RandomState(seed)
    return [generator.standard_normal(shape).astype("float32") for shape in shapes]


def near(got, wanted, tolerance=2e-5):
    numpy.testing.assert_allclose(numpy.asarray(got), wanted, rtol=tolerance, atol=tolerance)


def rounded(x):
    return numpy.asarray(jnp.asarray(x).astype(jnp.bfloat16).astype("float32")).astype("float64")


def scaled_sum(x, y, *, block=(8, 128)):
    def kernel(x_ref, y_ref, o_ref):
        o_ref[...] = 2 * x_ref[...] + y_ref[...]
    spec = pl.BlockSpec(block, lambda i, j: (i, j))
    grid = (pl.cdiv(x.shape[0], block[0]), pl.cdiv(x.shape[1], block[1]))
    return pl.pallas_call(kernel, grid=grid, in_specs=[spec, spec], out_specs=spec,
                          out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x, y)


@case(compare=False, platform="tpu")
def elementwise_by_blocks():
    for shape in ((16, 256), (20, 200), (8, 128)):      # the second has blocks that exceed the array
        x, y = randoms(shape, shape)
        near(jax.jit(scaled_sum)(x, y), 2 * x + y, 0)


@case(compare=False, platform="tpu")
def product_accumulates_in_scratch():
    def kernel(x_ref, y_ref, o_ref, sum_ref):
        @pl.when(pl.program_id(2) == 0)
        def _():
            sum_ref[...] = jnp.zeros_like(sum_ref)
        sum_ref[...] += jnp.dot(x_ref[...], y_ref[...], preferred_element_type=F32)

        @pl.when(pl.program_id(2) == pl.num_programs(2) - 1)
        def _():
            o_ref[...] = sum_ref[...]
    x, y = randoms((128, 256), (256, 256))
    product = pl.pallas_call(
        kernel, grid=(2, 2, 2), out_shape=jax.ShapeDtypeStruct((128, 256), F32),
        in_specs=[pl.BlockSpec((64, 128), lambda i, j, k: (i, k)), pl.BlockSpec((128, 128), lambda i, j, k: (k, j))],
        out_specs=pl.BlockSpec((64, 128), lambda i, j, k: (i, j)), scratch_shapes=[pltpu.VMEM((64, 128), F32)])
    near(jax.jit(product)(x, y), rounded(x) @ rounded(y), 1e-4)


@case(compare=False, platform="tpu")
def rows_times_a_vector_are_not_rounded():
    """The vector unit multiplies f32 rows with one vector, as in the TPU's compiler; a matrix unit would round to bf16."""
    def kernel(x_ref, y_ref, o_ref):
        o_ref[...] = jnp.dot(x_ref[...], y_ref[...])
    x, y = randoms((16, 128), (128,))
    product = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((16,), F32))
    near(jax.jit(product)(x, y), x.astype("float64") @ y, 1e-5)


@case(compare=False, platform="tpu")
def reshaped_references_to_parts_of_words():
    def kernel(x_ref, o_ref):
        halves = x_ref.at[:16].bitcast(jnp.int16).reshape(2, 16, 256).at[1:].reshape(16, 256)
        o_ref[...] = halves.at[:, :128].bitcast(jnp.int32)[...]
    x = numpy.arange(32 * 256, dtype="int32").reshape(32, 256)
    part = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.int32))
    assert numpy.array_equal(jax.jit(part)(x), x[8:16, :128])


@case(compare=False, platform="tpu")
def refused_operations_have_a_location_that_jax_reads():
    def kernel(x_ref, o_ref):
        o_ref[0] = x_ref[0] & x_ref[1]
    scalars = pl.BlockSpec(memory_space=pltpu.SMEM)
    both = pl.pallas_call(kernel, in_specs=[scalars], out_specs=scalars, out_shape=jax.ShapeDtypeStruct((1,), jnp.int8))
    try:
        jax.jit(both)(numpy.ones(2, "int8"))
    except Exception as error:
        assert type(error).__name__ == "MosaicError" and "Only i32" in str(error), repr(error)
    else:
        raise AssertionError("scalars of 8 bits are computed")


def attention(q, k, v):
    weights = jax.nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8)
    return jnp.einsum("bhqk,bhkd->bhqd", weights, v)


@case(compare=False, platform="tpu")
def flash_attention_and_its_gradient():
    from jax.experimental.pallas.ops.tpu.flash_attention import flash_attention
    q, k, v = randoms(*[(1, 2, 256, 128)] * 3)
    kernel = lambda q, k, v: flash_attention(q, k, v, sm_scale=1 / 8)
    near(jax.jit(kernel)(q, k, v), attention(q, k, v), 0.03)
    loss = lambda f: jax.jit(jax.grad(lambda q, k, v: (f(q, k, v) ** 2).sum(), (0, 1, 2)))(q, k, v)
    for got, wanted in zip(loss(kernel), loss(attention)):
        near(got, wanted, 0.06)


@case(compare=False, platform="tpu")
def inside_of_transformations():
    x, y = randoms((3, 16, 256), (3, 16, 256))
    near(jax.jit(jax.vmap(scaled_sum))(x, y), 2 * x + y, 0)

    @jax.custom_vjp
    def f(x, y):
        return scaled_sum(x, y)
    f.defvjp(lambda x, y: (f(x, y), None), lambda _, g: (scaled_sum(g, jnp.zeros_like(g)), g))
    for got, factor in zip(jax.jit(jax.grad(lambda x, y: f(x, y).sum(), (0, 1)))(x[0], y[0]), (2, 1)):
        near(got, numpy.full((16, 256), factor), 0)
    total = jax.jit(lambda x, y: lax.scan(lambda c, y: (scaled_sum(c, y), c.sum()), x, y)[0])(x[0] * 0, y)
    near(total, 4 * y[0] + 2 * y[1] + y[2], 1e-6)
    either = jax.jit(lambda p, x, y: lax.cond(p, scaled_sum, lambda x, y: x, x, y))
    near(either(True, x[0], y[0]), 2 * x[0] + y[0], 0)
    near(either(False, x[0], y[0]), x[0], 0)


@case(compare=False, platform="tpu")
def result_in_an_operands_memory():
    def kernel(x_ref, o_ref):
        o_ref[0:8, :] = x_ref[0:8, :] + 1
    add = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((16, 128), F32), input_output_aliases={0: 0},
                         in_specs=[pl.BlockSpec(memory_space=pltpu.VMEM)], out_specs=pl.BlockSpec(memory_space=pltpu.VMEM))
    x, = randoms((16, 128))
    kept = jnp.asarray(x)
    near(jax.jit(add)(kept)[:8], x[:8] + 1, 0)
    near(kept, x, 0)                                    # the operand was not donated
    given = jnp.asarray(x)
    near(jax.jit(add, donate_argnums=0)(given)[:8], x[:8] + 1, 0)
    assert given.is_deleted()


@case(compare=False, platform="tpu")
def grid_of_dynamic_size_with_prefetched_scalars():
    def kernel(rows_ref, x_ref, o_ref):
        o_ref[...] = x_ref[...] * 3
    x, = randoms((64, 128))
    rows = numpy.array([5, 0, 7, 2], "int32")

    def gather(count, rows, x):
        spec = pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=1, grid=(count,), in_specs=[pl.BlockSpec((8, 128), lambda i, rows: (rows[i], 0))],
            out_specs=pl.BlockSpec((8, 128), lambda i, rows: (i, 0)))
        return pl.pallas_call(kernel, grid_spec=spec, out_shape=jax.ShapeDtypeStruct((32, 128), F32))(rows, x)
    wanted = numpy.concatenate([x[8 * row:8 * row + 8] * 3 for row in rows])
    for count in (4, 2):
        near(jax.jit(gather)(count, rows, x)[:8 * count], wanted[:8 * count], 0)


@case(compare=False, platform="tpu")
def copies_by_the_kernel():
    def kernel(x_ref, o_ref, buffer, semaphore):
        for i in range(2):
            rows = pl.ds(8 * i, 8)
            pltpu.async_copy(x_ref.at[rows], buffer, semaphore).wait()
            buffer[...] = buffer[...] * buffer[...]
            pltpu.async_copy(buffer, o_ref.at[rows], semaphore).wait()
    anywhere = pl.BlockSpec(memory_space=pl.ANY)
    square = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((16, 128), F32), in_specs=[anywhere],
                            out_specs=anywhere, scratch_shapes=[pltpu.VMEM((8, 128), F32), pltpu.SemaphoreType.DMA])
    x, = randoms((16, 128))
    near(jax.jit(square)(x), x * x, 0)


@case(compare=False, platform="tpu")
def mistakes_name_the_kernel():
    def kernel(x_ref, o_ref):
        o_ref[...] = x_ref[...]
    large = jax.ShapeDtypeStruct((4096, 4096), F32)
    copy = pl.pallas_call(kernel, out_shape=large, name="too_large")
    try:
        jax.jit(copy).lower(large).compile()
    except jax.errors.JaxRuntimeError as error:
        for part in ("RESOURCE_EXHAUSTED", "'too_large'", "128.00M", "16.00M", "input 0", "cases_pallas.py"):
            assert part in str(error), error
    else:
        raise AssertionError("a kernel of 128 MiB of VMEM compiles")


RING = """
import jax, jax.numpy as jnp, numpy
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.sharding import Mesh, PartitionSpec as P
mesh = Mesh(numpy.array(jax.devices()), ("x",))
def shift(x):
    def kernel(x_ref, o_ref, sent, received):
        me = jax.lax.axis_index("x")
        copy = pltpu.make_async_remote_copy(x_ref, o_ref, sent, received, device_id=((me + 1) % 4,),
                                            device_id_type=pl.DeviceIdType.MESH)
        copy.start()
        copy.wait()
    anywhere = pl.BlockSpec(memory_space=pl.ANY)
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[anywhere],
                          out_specs=anywhere, scratch_shapes=[pltpu.SemaphoreType.DMA] * 2)(x)
x = numpy.arange(32 * 128, dtype="float32").reshape(32, 128)
f = jax.jit(jax.shard_map(shift, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False))
for _ in range(3):
    assert numpy.array_equal(f(x), numpy.roll(x, 8, axis=0))
"""


@case(compare=False, platform="tpu")
def one_call_starts_a_dma_and_another_waits():
    anywhere, semaphore = pl.BlockSpec(memory_space=pl.ANY), pl.BlockSpec(memory_space=pltpu.SEMAPHORE)

    def start(x_ref, o_ref, done):
        pltpu.make_async_copy(x_ref, o_ref, done).start()

    def wait(x_ref, y_ref, done, o_ref):
        pltpu.make_async_copy(x_ref, y_ref, done).wait()

    def copy(x):
        like = jax.ShapeDtypeStruct(x.shape, x.dtype)
        y, done = pl.pallas_call(start, in_specs=[anywhere], out_specs=(anywhere, semaphore),
                                 out_shape=(like, pltpu.SemaphoreType.DMA(())))(x)
        return pl.pallas_call(wait, in_specs=[anywhere, anywhere, semaphore], out_specs=anywhere, out_shape=like,
                              input_output_aliases={1: 0})(x, y, done)
    x, = randoms((16, 128))
    near(jax.jit(copy)(x), x, 0)


ALIAS = """
import jax, jax.numpy as jnp
from jax.experimental import pallas as pl
def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2
def double(x, order):
    return pl.pallas_call(kernel, grid=(4,), out_shape=x, in_specs=[pl.BlockSpec((8, 128), lambda i: (order(i), 0))],
                          out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)), input_output_aliases={0: 0}, name="double")(x)
x = jnp.ones((32, 128), jnp.float32)
assert (double(x, lambda i: i) == 2).all()
try:
    jax.block_until_ready(double(x, lambda i: 3 - i))
except jax.errors.JaxRuntimeError as error:
    assert "'double'" in str(error) and "race: the block of input 0 for grid step 2" in str(error), error
else:
    raise AssertionError("an aliased block that was overwritten is read")
"""


@case(compare=False, platform="tpu")
def the_checker_knows_memory_that_an_input_and_an_output_share():
    environment = dict(os.environ, GANTRY_PALLAS_CHECK="1")
    out = subprocess.run([sys.executable, "-c", ALIAS], env=environment, capture_output=True, text=True, timeout=100)
    assert out.returncode == 0, out.stderr[-1500:]


BEYOND = """
import jax, jax.numpy as jnp, numpy
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
def run(kernel):
    scalars, vector = pl.BlockSpec(memory_space=pltpu.SMEM), pl.BlockSpec(memory_space=pltpu.VMEM)
    return pl.pallas_call(kernel, in_specs=[scalars], out_specs=vector, name=kernel.__name__,
                          out_shape=jax.ShapeDtypeStruct((8, 128), jnp.int32))(numpy.array([3, 0], "int32"))
def looks(x_ref, o_ref):                    # at what follows the array, and does not use it
    n = x_ref[1]
    o_ref[...] = jnp.full((8, 128), jnp.where((n + 1 < 1) & (x_ref[n + 2] == 0), 1, x_ref[0]))
def uses(x_ref, o_ref):
    o_ref[...] = jnp.full((8, 128), x_ref[x_ref[1] + 2])
def forgets(x_ref, o_ref):
    @pl.when(x_ref[0] > 3)
    def _():
        o_ref[...] = jnp.zeros((8, 128), jnp.int32)
assert (run(looks) == 3).all()
for kernel, words in ((uses, "loads from beyond"), (forgets, "is never written")):
    try:
        jax.block_until_ready(run(kernel))
    except jax.errors.JaxRuntimeError as error:
        for part in (f"'{kernel.__name__}'", words, "<string>:"):
            assert part in str(error), error
    else:
        raise AssertionError(kernel.__name__)
"""


@case(compare=False, platform="tpu")
def the_checker_follows_scalars_from_beyond_an_array():
    environment = dict(os.environ, GANTRY_PALLAS_CHECK="1")
    out = subprocess.run([sys.executable, "-c", BEYOND], env=environment, capture_output=True, text=True, timeout=100)
    assert out.returncode == 0, out.stderr[-1500:]


@case(compare=False, platform="tpu")
def devices_send_to_each_other():
    environment = dict(os.environ, GANTRY_TPU_TOPOLOGY="v5e:2x2")
    out = subprocess.run([sys.executable, "-c", RING], env=environment, capture_output=True, text=True, timeout=100)
    assert out.returncode == 0, out.stderr[-1500:]


@case(compare=False, platform="tpu")
def the_checker_names_faults_and_no_others():
    for topology in ("v5e:1x1", "v5e:2x2"):
        environment = dict(os.environ, GANTRY_PALLAS_CHECK="1", GANTRY_TPU_TOPOLOGY=topology)
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pallas_faults.py")
        out = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, timeout=100)
        assert out.returncode == 0, out.stderr[-1500:]


def products_of_two_parts_under_high():
    """f32 operands are the sums of two bfloat16 numbers each."""
    def kernel(x_ref, y_ref, o_ref):
        o_ref[...] = jnp.dot(x_ref[...], y_ref[...], precision=lax.Precision.HIGH)
    x, y = randoms((128, 256), (256, 128))
    got = jax.jit(pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((128, 128), F32)))(x, y)
    parts = [(rounded(z), rounded(z - rounded(z).astype("float32"))) for z in (x, y)]
    (a, b), (c, d) = parts
    near(got, (a + b) @ (c + d), 1e-4)
    error = lambda z: numpy.abs(z - x.astype("float64") @ y).max()
    assert error(numpy.asarray(got)) < error(a @ c) / 50


if jax.__version_info__ >= (0, 12):                     # older ones have no kernel for it
    case(compare=False, platform="tpu")(products_of_two_parts_under_high)


@case(compare=False, platform="tpu")
def a_semaphore_goes_from_call_to_call():
    """Its memory is the result of one call and, as an alias, of the next; what was signalled stays in it."""
    regular, semaphore = pltpu.SemaphoreType.REGULAR, pl.BlockSpec(memory_space=pltpu.SEMAPHORE)

    def signal(count_ref):
        pl.semaphore_signal(count_ref, 2)

    def signal_more(before_ref, count_ref):
        pl.semaphore_signal(count_ref, 3)

    def wait(count_ref, o_ref):
        o_ref[...] = jnp.full((8, 128), pl.semaphore_read(count_ref))
        pl.semaphore_wait(count_ref, 5)

    @jax.jit
    def total():
        count = pl.pallas_call(signal, out_specs=semaphore, out_shape=regular(()))()
        count = pl.pallas_call(signal_more, in_specs=[semaphore], out_specs=semaphore, out_shape=regular(()),
                               input_output_aliases={0: 0})(count)
        return pl.pallas_call(wait, in_specs=[semaphore], out_shape=jax.ShapeDtypeStruct((8, 128), jnp.int32))(count)
    assert (numpy.asarray(total()) == 5).all()


def pinned_buffers_go_from_call_to_call():
    """They are memrefs between the calls, each the memory of the one before."""
    from jax._src.state.primitives import pin, unpin
    whole = pl.BlockSpec(memory_space=pl.ANY)

    def add_one(x_ref, o_ref, buffer_ref, done_ref):
        pltpu.async_copy(x_ref, buffer_ref, done_ref).wait()
        buffer_ref[...] += 1
        pltpu.async_copy(buffer_ref, o_ref, done_ref).wait()

    @jax.jit
    def run(x):
        buffer = pin(x)
        for _ in range(3):
            buffer = pl.pallas_call(add_one, out_shape=buffer, in_specs=[whole], out_specs=whole, input_output_aliases={0: 0},
                                    scratch_shapes=[pltpu.VMEM((8, 128), F32), pltpu.SemaphoreType.DMA])(buffer)
        return unpin(buffer)
    x, = randoms((8, 128))
    near(run(x), x + 3)


if jax.__version_info__ >= (0, 10):                     # older ones have no pinned buffers
    case(compare=False, platform="tpu")(pinned_buffers_go_from_call_to_call)


def arrays_in_vmem_and_smem_are_written_in_place():
    """The kernel of a core_map writes to its operand; the call's result is the same memory."""
    x = numpy.arange(1024, dtype="float32").reshape(8, 128)

    def copy(space):
        @jax.jit
        def run(x):
            source, target = jax.new_ref(x, memory_space=space), jax.new_ref(jnp.zeros_like(x), memory_space=space)

            @pl.core_map(mesh=pltpu.create_tensorcore_mesh("core"))
            def _():
                pltpu.sync_copy(source, target)
            return target[...]
        return run(x)
    for space in (pltpu.VMEM, pltpu.SMEM, pltpu.HBM):
        near(copy(space), x, 0)


if jax.__version_info__ >= (0, 10):
    case(compare=False, platform="tpu")(arrays_in_vmem_and_smem_are_written_in_place)


@case(compare=False, platform="tpu")
def comparisons_with_nan():
    """A TPU's "not equal" holds for NaN, though JAX lowers it to MLIR's ordered predicate."""
    def kernel(x_ref, y_ref, *o_refs):
        x, y = x_ref[...], y_ref[...]
        for o_ref, value in zip(o_refs, (x != y, x == y, x < y, x >= y, jnp.isnan(x))):
            o_ref[...] = value.astype(jnp.int32)
    x, y = randoms((8, 128), (8, 128))
    x[0], y[:, 0], x[3] = numpy.nan, numpy.nan, y[3]
    results = [jax.ShapeDtypeStruct(x.shape, jnp.int32)] * 5
    got = jax.jit(pl.pallas_call(kernel, out_shape=results))(x, y)
    for result, wanted in zip(got, (x != y, x == y, x < y, x >= y, numpy.isnan(x))):
        near(result, wanted.astype("int32"), 0)


@case(compare=False, platform="tpu")
def results_of_four_bits_are_read_by_other_operations():
    def kernel(x_ref, o_ref):
        o_ref[...] = x_ref[...].astype(o_ref.dtype)
    x = numpy.arange(-512, 512, dtype="int32").reshape(8, 128)
    real = x.astype("float32")
    cases = (("int4", x, (x + 8) % 16 - 8), ("uint4", x, x % 16),
             ("int4", real, numpy.clip(x, -8, 7)), ("uint4", real, numpy.clip(x, 0, 15)))
    for name, x, wanted in cases:
        narrowed = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, name))
        near(jax.jit(lambda x: narrowed(x).astype(jnp.int32))(x), wanted, 0)
        near(jax.jit(lambda x: x.astype(jnp.int32))(jax.jit(narrowed)(x)), wanted, 0)


@case(compare=False, platform="tpu")
def pipelines_reach_into_the_padding_of_arrays():
    """emit_pipeline's copies are of whole tiles, which the arrays' last rows and columns do not fill."""
    anywhere = pl.BlockSpec(memory_space=pl.ANY)

    def add(x_ref, y_ref, o_ref):
        o_ref[...] = x_ref[...] + y_ref[...]

    def kernel(x_ref, y_ref, o_ref):
        block = pl.BlockSpec((16, 128), lambda i, j: (i, j))
        pltpu.emit_pipeline(add, grid=(3, 2), in_specs=[block] * 2, out_specs=[block])(x_ref, y_ref, o_ref)
    x, y = randoms((37, 130), (37, 130))
    run = pl.pallas_call(kernel, in_specs=[anywhere] * 2, out_specs=anywhere, out_shape=jax.ShapeDtypeStruct(x.shape, F32))
    near(jax.jit(run)(x, y), x + y, 0)
    in_place = pl.pallas_call(kernel, in_specs=[anywhere] * 2, out_specs=anywhere, input_output_aliases={0: 0},
                              out_shape=jax.ShapeDtypeStruct(x.shape, F32))
    near(jax.jit(in_place)(x, y), x + y, 0)
