#!/usr/bin/env python3
"""Kernels with one fault each, and right ones that are easily mistaken for faulty, under GANTRY_PALLAS_CHECK=1.

    pallas_faults.py            those for the number of devices that the client has (1 or 4)

A fault has to be an error that names the kernel, a line of this file and one of its words; a right kernel has to give the
values that it returns beside its result."""
import os
import sys

import jax
import jax.numpy as jnp
import numpy
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.sharding import Mesh, PartitionSpec

F32, I32, DMA = jnp.float32, jnp.int32, pltpu.SemaphoreType.DMA
ANY, SMEM, VMEM = (pl.BlockSpec(memory_space=space) for space in (pl.ANY, pltpu.SMEM, pltpu.VMEM))
TILE, ROWS = pltpu.VMEM((8, 128), F32), pl.BlockSpec((8, 128), lambda i: (i, 0))
X = numpy.arange(64 * 128, dtype="float32").reshape(64, 128)
FAULTS, RIGHT = [], []


def fault(word, *, devices=1, rows=8, operands=(X,), **options):
    """Lists a kernel whose call has these options of pallas_call()."""
    return lambda kernel: FAULTS.append((kernel, word, devices, rows, operands, options))


def right(wanted, *, devices=1, rows=8, operands=(X,), **options):
    return lambda kernel: RIGHT.append((kernel, wanted, devices, rows, operands, options))


def call(kernel, rows, operands, options):
    one = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((rows, 128), F32), name=kernel.__name__, **options)
    if len(jax.devices()) == 1:
        return jax.jit(one)(*operands)
    mesh, by_rows = Mesh(numpy.array(jax.devices()), ("x",)), PartitionSpec("x")
    return jax.jit(jax.shard_map(one, mesh=mesh, in_specs=by_rows, out_specs=by_rows, check_vma=False))(*operands)


def tile(x, i):
    return x.at[pl.ds(pl.multiple_of(i * 8, 8), 8)]


# ---- races ----
@fault("race", in_specs=[ANY], scratch_shapes=[TILE, DMA((2,))])
def two_dmas_write_one_buffer(x, o, buffer, done):
    copies = [pltpu.make_async_copy(tile(x, i), buffer, done.at[i]) for i in range(2)]
    for copy in copies:
        copy.start()
    for copy in copies:
        copy.wait()
    o[...] = buffer[...]


@fault("race", rows=32, in_specs=[VMEM], out_specs=ANY, scratch_shapes=[TILE, DMA])
def a_source_is_overwritten_in_a_loop(x, o, buffer, done):
    def start(i, _):
        buffer[...] = x[pl.ds(pl.multiple_of(i * 8, 8), 8), :]
        pltpu.make_async_copy(buffer, tile(o, i), done).start()
    lax.fori_loop(0, 4, start, None)
    lax.fori_loop(0, 4, lambda i, _: pltpu.make_async_copy(buffer, tile(o, i), done).wait(), None)


@fault("race", grid=(7,), rows=64, operands=(X, X), in_specs=[ROWS, ROWS], out_specs=pl.BlockSpec((8, 128), lambda i: (i + 1, 0)),
       input_output_aliases={0: 0})
def an_alias_is_a_block_further(x, y, o):
    o[...] = x[...] + y[...]


# ---- waits and semaphores ----
@fault("deadlock", in_specs=[ANY], scratch_shapes=[TILE, DMA])
def one_copy_is_waited_for_twice(x, o, buffer, done):
    copy = pltpu.make_async_copy(tile(x, 0), buffer, done)
    copy.start()
    copy.wait()
    copy.wait()
    o[...] = buffer[...]


@fault("deadlock", in_specs=[VMEM], scratch_shapes=[pltpu.SemaphoreType.REGULAR])
def a_signal_that_nobody_gives_is_polled(x, o, signalled):
    polls = lax.while_loop(lambda n: pl.semaphore_read(signalled) < 1, lambda n: n + 1, 0)
    o[...] = x[0:8] + polls.astype(F32)


@fault("nonzero", in_specs=[ANY], scratch_shapes=[pltpu.VMEM((2, 8, 128), F32), DMA])
def the_second_copy_is_not_waited_for(x, o, buffer, done):
    for i in range(2):
        pltpu.make_async_copy(tile(x, i), buffer.at[i], done).start()
    pltpu.make_async_copy(tile(x, 0), buffer.at[0], done).wait()
    o[...] = jnp.zeros((8, 128))


# ---- scopes ----
@fault("race: the region", in_specs=[ANY], scratch_shapes=[DMA])
def a_copy_outlives_its_target(x, o, done):
    pl.run_scoped(lambda buffer: pltpu.make_async_copy(tile(x, 0), buffer, done).start(), TILE)
    pltpu.make_async_copy(tile(x, 0), o, done).wait()
    o[...] = jnp.zeros((8, 128))


@fault("race: the region", in_specs=[VMEM], out_specs=ANY, scratch_shapes=[DMA])
def a_copy_outlives_its_source(x, o, done):
    def scope(buffer):
        buffer[...] = x[0:8]
        pltpu.make_async_copy(buffer, o, done).start()
    pl.run_scoped(scope, TILE)
    pltpu.make_async_copy(x.at[0:8], o, done).wait()


@fault("nonzero", in_specs=[VMEM])
def a_scope_leaves_a_signal_for_the_next_one(x, o):
    def turn(i, _):
        def scope(signalled):
            pl.when(i > 0)(lambda: pl.semaphore_wait(signalled, 1))
            pl.when(i < 3)(lambda: pl.semaphore_signal(signalled, 1))
        pl.run_scoped(scope, pltpu.SemaphoreType.REGULAR)
    lax.fori_loop(0, 4, turn, None)
    o[...] = x[0:8]


@fault("not waited for", in_specs=[ANY], scratch_shapes=[TILE])
def a_copy_outlives_its_semaphore(x, o, buffer):
    pl.run_scoped(lambda done: pltpu.make_async_copy(tile(x, 0), buffer, done).start(), DMA)
    o[...] = jnp.zeros((8, 128))


@fault("uninitialized", in_specs=[VMEM])
def a_scope_reads_what_its_last_execution_wrote(x, o):
    def turn(i, _):
        def scope(last):
            @pl.when(i > 0)
            def _():
                o[...] = last[...] * 2
            last[...] = x[0:8]
        pl.run_scoped(scope, TILE)
    lax.fori_loop(0, 2, turn, None)


# ---- what was never written ----
@fault("uninitialized", rows=16, in_specs=[VMEM], out_specs=ANY, scratch_shapes=[pltpu.VMEM((16, 128), F32), DMA])
def scratch_that_is_written_in_part_is_copied_out(x, o, buffer, done):
    buffer[0:8] = x[0:8]
    pltpu.async_copy(buffer, o, done).wait()


@fault("uninitialized", in_specs=[VMEM], scratch_shapes=[TILE])
def rows_of_scratch_that_are_not_written_go_out(x, o, buffer):
    buffer[0:4] = x[0:4]
    o[...] = buffer[...]


@fault("uninitialized", in_specs=[VMEM], scratch_shapes=[TILE])
def columns_of_scratch_that_are_not_written_are_added(x, o, buffer):
    buffer[:, 0:64] = x[0:8, 0:64]
    o[...] = jnp.broadcast_to(jnp.sum(buffer[...], 1, keepdims=True), (8, 128))


@fault("parallel", grid=(8,), rows=64, in_specs=[ROWS], out_specs=ROWS, scratch_shapes=[TILE],
       compiler_params=pltpu.CompilerParams(dimension_semantics=("parallel",)))
def scratch_is_copied_from_step_to_parallel_step(x, o, last):
    o[...] = x[...]

    @pl.when(pl.program_id(0) > 0)
    def _():
        o[0:1] = last[0:1]
    last[...] = x[...]


@fault("visited again", grid=(4,), rows=16, in_specs=[ROWS], out_specs=pl.BlockSpec((8, 128), lambda i: (lax.rem(i, 2), 0)))
def halves_of_blocks_are_written_in_two_visits(x, o):
    half = pl.ds(pl.multiple_of(pl.program_id(0) // 2 * 4, 4), 4)
    o[half, :] = x[half, :]


@fault("out of bounds", rows=24, operands=(numpy.array([0, 8, 1], "int32"), X), grid_spec=pltpu.PrefetchScalarGridSpec(
    num_scalar_prefetch=1, grid=(3,), in_specs=[pl.BlockSpec((8, 128), lambda i, rows: (rows[i], 0))],
    out_specs=pl.BlockSpec((8, 128), lambda i, rows: (i, 0))))
def a_table_names_a_block_beyond(rows, x, o):
    o[...] = x[...]


# ---- several devices ----
def signal_others(count):
    me, barrier = lax.axis_index("x"), pltpu.get_barrier_semaphore()
    for i in range(1, count + 1):
        pl.semaphore_signal(barrier, 1, device_id=(lax.rem(me + i, 4),), device_id_type=pl.DeviceIdType.MESH)
    return barrier


def remote(source, target, sent, received, device):
    return pltpu.make_async_remote_copy(source, target, sent, received, device_id=(device,), device_id_type=pl.DeviceIdType.MESH)


@fault("deadlock", devices=4, in_specs=[ANY], out_specs=ANY, scratch_shapes=[DMA],
       compiler_params=pltpu.CompilerParams(collective_id=3), rows=16)
def a_barrier_waits_for_too_many(x, o, done):
    pl.semaphore_wait(signal_others(1), 2)
    pltpu.async_copy(x, o, done).wait()


@fault("race", devices=4, in_specs=[ANY], out_specs=ANY, scratch_shapes=[DMA, DMA], rows=16)
def two_devices_write_one_place(x, o, sent, received):
    me = lax.axis_index("x")

    @pl.when(me < 2)
    def _():
        copy = remote(x, o, sent, received, 3)
        copy.start()
        copy.wait_send()

    @pl.when(me == 3)
    def _():
        for _ in range(2):
            remote(x, o, sent, received, 3).wait_recv()

    @pl.when(me < 3)
    def _():
        pltpu.async_copy(x, o, sent).wait()


# ---- right ----
@right(X[:8] + X[56:], in_specs=[ANY], scratch_shapes=[pltpu.VMEM((64, 128), F32), DMA])
def one_wait_for_eight_copies(x, o, buffer, done):
    for i in range(8):
        pltpu.make_async_copy(tile(x, i), tile(buffer, i), done).start()
    pltpu.make_async_copy(x, buffer, done).wait()
    o[...] = buffer[0:8] + buffer[56:64]


@right(2 * X, rows=64, grid=(8,), in_specs=[ANY], out_specs=ROWS, scratch_shapes=[pltpu.VMEM((2, 8, 128), F32), DMA((2,))])
def the_next_step_is_copied_ahead(x, o, buffers, done):
    step = pl.program_id(0)

    def copy(i):
        return pltpu.make_async_copy(tile(x, i), buffers.at[lax.rem(i, 2)], done.at[lax.rem(i, 2)])
    pl.when(step == 0)(lambda: copy(step).start())
    pl.when(step < 7)(lambda: copy(step + 1).start())
    copy(step).wait()
    o[...] = 2 * buffers[lax.rem(step, 2)]


@right(X, rows=64, in_specs=[ANY], out_specs=ANY)
def a_scope_in_a_loop_is_filled_and_emptied(x, o):
    def turn(i, _):
        def scope(buffer, done):
            pltpu.async_copy(tile(x, i), buffer, done).wait()
            pltpu.async_copy(buffer, tile(o, i), done).wait()
        pl.run_scoped(scope, TILE, DMA)
    lax.fori_loop(0, 8, turn, None)


@right(numpy.where(numpy.arange(16)[:, None] < 8, numpy.roll(X, -8, 0)[:16], 0), rows=16, in_specs=[VMEM], out_specs=ANY,
       scratch_shapes=[pltpu.VMEM((16, 128), F32), DMA])
def the_part_that_is_written_is_copied_out(x, o, buffer, done):
    buffer[0:8] = x[8:16]
    pltpu.async_copy(buffer.at[0:8], o.at[0:8], done).wait()
    buffer[0:8] = jnp.zeros((8, 128))
    pltpu.async_copy(buffer.at[0:8], o.at[8:16], done).wait()


@right(X, rows=64, grid=(8, 4), in_specs=[pl.BlockSpec((8, 128), lambda i, j: (i, 0))],
       out_specs=pl.BlockSpec((8, 128), lambda i, j: (i, 0)))
def an_output_is_filled_by_selections(x, o):
    rows = lax.broadcasted_iota(I32, (8, 128), 0)
    o[...] = jnp.where(rows // 2 == pl.program_id(1), x[...], o[...])


@right(numpy.where(numpy.arange(8)[:, None] < 4, X[:8], 0), in_specs=[VMEM], scratch_shapes=[TILE])
def what_was_not_written_is_masked(x, o, buffer):
    buffer[0:4] = x[0:4]
    o[...] = jnp.where(lax.broadcasted_iota(I32, (8, 128), 0) < 4, buffer[...], 0.0)


@right(numpy.concatenate([X] * 4), devices=4, rows=64, in_specs=[ANY], out_specs=ANY,
       scratch_shapes=[DMA((4,)), DMA((4,)), DMA], compiler_params=pltpu.CompilerParams(collective_id=1))
def all_gather_behind_a_barrier(x, o, sent, received, done):
    me = lax.axis_index("x")
    pl.semaphore_wait(signal_others(3), 3)
    own = o.at[pl.ds(pl.multiple_of(me * 16, 16), 16)]
    pltpu.async_copy(x, own, done).wait()
    copies = [remote(x, own, sent.at[i], received.at[i], lax.rem(me + i, 4)) for i in range(1, 4)]
    for copy in copies:
        copy.start()
    for copy in copies:
        copy.wait()


@right(X + 1, devices=4, rows=16, in_specs=[VMEM], scratch_shapes=[pltpu.SemaphoreType.REGULAR])
def signals_of_the_next_device_are_polled(x, o, signalled):
    """The first device polls before the last one has begun."""
    before = lax.rem(lax.axis_index("x") + 3, 4)
    pl.semaphore_signal(signalled, 1, device_id=(before,), device_id_type=pl.DeviceIdType.MESH)
    polls = lax.while_loop(lambda n: pl.semaphore_read(signalled) < 1, lambda n: n + 1, 0)
    pl.semaphore_wait(signalled, 1)
    o[...] = x[...] + jnp.where(polls < 0, 0.0, 1.0)


def check_fault(kernel, word, rows, operands, options):
    try:
        jax.block_until_ready(call(kernel, rows, operands, options))
    except jax.errors.JaxRuntimeError as error:
        for part in (f"'{kernel.__name__}'", word, os.path.basename(__file__) + ":"):
            assert part in str(error), f"{kernel.__name__}: no {part!r} in: {error}"
    else:
        raise AssertionError(f"{kernel.__name__} is not reported")


def main():
    count = len(jax.devices())
    for kernel, word, devices, *rest in FAULTS:
        if devices == count:
            check_fault(kernel, word, *rest)
    for kernel, wanted, devices, *rest in RIGHT:
        if devices == count:
            numpy.testing.assert_array_equal(call(kernel, *rest), wanted, kernel.__name__)


if __name__ == "__main__":
    sys.exit(main())
