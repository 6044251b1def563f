#!/usr/bin/env python3
"""Writes the kernels of devices/host/kernel_machine/kernel_machine_test.c: Pallas kernels, lowered for a TPU without one, with inputs and
expected results, in testdata/NAME.kernel beside the test; the bytecodes alone and, of kernels without a fault, as text are the seeds of
mosaic_read_fuzz.

    scripts/make_kernel_tests.py [NAME ...]        with the Python of scripts/python_env.sh

A file is: "kernel", devices, bytes of the bytecode, operands, results (u32 each); the bytecode; for each array its XLA type name (8 bytes),
rank (u32), sizes (i64), a tolerance (f64, results only); then for each device the bytes of all arrays. All little-endian."""
import base64
import json
import os
import re
import struct
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax._src.interpreters import mlir
from jax._src.lib import tpu
from jax._src.pallas.mosaic import tpu_info
from jaxlib.mlir import ir
from jax.sharding import Mesh, PartitionSpec as P

jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DATA = os.path.join(HERE, "devices/host/kernel_machine/testdata")
SEEDS = os.path.join(HERE, "compiler/frontend/mosaic/testdata/mosaic_read_fuzz")
NAMES = {"float32": "f32", "bfloat16": "bf16", "int32": "s32", "int8": "s8", "uint32": "u32", "int16": "s16", "uint8": "u8", "int4": "s4"}
f32, bf16, i32, i8, u32 = jnp.float32, jnp.bfloat16, jnp.int32, jnp.int8, jnp.uint32
S, VMEM, SMEM, SEM = jax.ShapeDtypeStruct, pltpu.VMEM, pltpu.SMEM, pltpu.SemaphoreType
CASES = {}


def case(args, reference, tolerance=0.0, devices=1):
    """A case is a function that makes a pallas_call; `reference` computes the results from whole arguments (None: a fault)."""
    def add(make):
        CASES[make.__name__] = (args, reference, tolerance, devices, make)
        return make
    return add


def block(shape, index):
    return pl.BlockSpec(shape, index)


def real(*shape, dtype=f32, seed=1):
    return np.asarray(jnp.asarray(np.random.RandomState(seed).uniform(-1, 1, shape), dtype))


def whole(*shape, low=-50, high=50, dtype=np.int32, seed=1):
    return np.random.RandomState(seed).randint(low, high, shape).astype(dtype)


ANYWHERE = pl.BlockSpec(memory_space=pl.ANY)


# ---- elementwise -----------------------------------------------------------------------------------------------------
def float_functions(x, y):
    z = jnp.exp(x) + jnp.tanh(y) * jnp.sin(x) - jnp.cos(y) + jnp.log(jnp.abs(x) + 1) + jnp.sqrt(jnp.abs(y))
    z = z + lax.rsqrt(jnp.abs(x) + 1) + jnp.maximum(x, y) / (jnp.minimum(x, y) + 3) + jnp.floor(x * 5) + jnp.ceil(y * 5) + jnp.exp2(x)
    z = z + jnp.log1p(jnp.abs(x)) + lax.erf(y) + jnp.round(x * 3) + jnp.where(jnp.isfinite(x / (y - y[0, 0])), 1.0, 2.0) + jnp.sign(x)
    return jnp.where(x > y, z, -z) + jnp.power(jnp.abs(x) + 0.5, y) + jnp.arctan2(x, y + 3)


@case([real(16, 128), real(16, 128, seed=2)], float_functions, 2e-5)
def elementwise_floats():
    def kernel(x, y, o):
        o[...] = float_functions(x[...], y[...])
    return pl.pallas_call(kernel, out_shape=S((16, 128), f32))


def bf16_functions(x, y):
    return (x * y + jnp.tanh(x) - y).astype(bf16)


@case([real(16, 128, dtype=bf16), real(16, 128, dtype=bf16, seed=2)], bf16_functions, 2e-2)
def elementwise_bf16():
    def kernel(x, y, o):
        o[...] = bf16_functions(x[...], y[...])
    return pl.pallas_call(kernel, out_shape=S((16, 128), bf16))


def integer_functions(x, y):
    u, v = lax.bitcast_convert_type(x, u32), lax.bitcast_convert_type(y | 1, u32)
    z = (x + y) * 3 - (x << 2) + (x >> 1) + (x & y) + (x | y) + (x ^ y) + jnp.maximum(x, y) + jnp.minimum(x, 5) + jnp.abs(y)
    z = z + jnp.where(x != y, x // jnp.where(y == 0, 7, y), 1) + lax.rem(x, jnp.where(y == 0, 3, y)) + ~x + lax.clz(x) + lax.population_count(y)
    z = z + lax.bitcast_convert_type((u >> 3) + lax.div(u, v) + lax.rem(u, v), i32) + (x > y).astype(i32) + (u < v).astype(i32)
    return z + x.astype(f32).astype(i32) + (x.astype(f32) * 0.5).astype(i32)


@case([whole(8, 128), whole(8, 128, seed=2)], integer_functions)
def elementwise_integers():
    def kernel(x, y, o):
        o[...] = integer_functions(x[...], y[...])
    return pl.pallas_call(kernel, out_shape=S((8, 128), i32))


@case([whole(32, 128, low=-100, high=100, dtype=np.int8)], lambda x: (x.astype(i32) * 2 + 1).astype(f32).astype(bf16))
def widen_int8():
    def kernel(x, o):
        o[...] = (x[...].astype(i32) * 2 + 1).astype(f32).astype(bf16)
    return pl.pallas_call(kernel, out_shape=S((32, 128), bf16))


# ---- shapes ----------------------------------------------------------------------------------------------------------
def move(x):
    y = jnp.concatenate([x[8:], x[:8]], axis=0)
    y = y.T.reshape(64, 2, 16).transpose(1, 0, 2).reshape(128, 16).T + x
    return jnp.concatenate([y, jnp.broadcast_to(x[3:4], (4, 128)), jnp.repeat(x[:4, :1], 128, 1)], axis=0) + lax.broadcasted_iota(i32, (24, 128), 1).astype(f32)


@case([real(16, 128)], move)
def shapes():
    def kernel(x, o):
        o[...] = move(x[...])
    return pl.pallas_call(kernel, out_shape=S((24, 128), f32))


@case([real(16, 256), np.array([300], np.int32)],
      lambda x, n: jnp.concatenate([jnp.roll(x, 3, 1), jnp.roll(x, n[0], 0), jnp.stack([jnp.roll(x[i], 5 + 2 * i) for i in range(16)])]))
def rolls():
    def kernel(x, n, o):
        o[:16] = pltpu.roll(x[...], 3, 1)
        o[16:32] = pltpu.roll(x[...], n[0], 0)
        o[32:] = pltpu.roll(x[...], 5, 1, stride=2, stride_axis=0)
    return pl.pallas_call(kernel, out_shape=S((48, 256), f32), in_specs=[pl.BlockSpec(), pl.BlockSpec(memory_space=SMEM)])


@case([real(8, 128), whole(8, 128, low=0, high=128)], lambda x, i: jnp.take_along_axis(x, i, 1))
def gather_lanes():
    def kernel(x, i, o):
        o[...] = jnp.take_along_axis(x[...], i[...], 1, mode="promise_in_bounds")
    return pl.pallas_call(kernel, out_shape=S((8, 128), f32))


@case([real(8, 128), real(8, 128, seed=2)], lambda x, y: jnp.concatenate([x.astype(bf16).astype(f32), y.astype(bf16).astype(f32)]))
def packed_words():
    def kernel(x, y, o):
        words = pltpu.pack_elementwise([x[...], y[...]], packed_dtype=bf16)
        o[:8] = pltpu.unpack_elementwise(words, index=0, packed_dtype=bf16, unpacked_dtype=f32)
        o[8:] = pltpu.unpack_elementwise(words, index=1, packed_dtype=bf16, unpacked_dtype=f32)
    return pl.pallas_call(kernel, out_shape=S((16, 128), f32))


def rows_as_words(x):
    bits = lax.bitcast_convert_type(x, jnp.uint16).astype(u32)
    return lax.bitcast_convert_type(bits[0::2] | bits[1::2] << 16, i32)


@case([real(16, 128, dtype=bf16)], lambda x: jnp.concatenate([rows_as_words(x), rows_as_words(x)]))
def bitcasts():
    def kernel(x, o):
        o[:8] = pltpu.bitcast(x[...], i32)
        o[8:] = x.bitcast(i32)[...]
    return pl.pallas_call(kernel, out_shape=S((16, 128), i32))


def low_nibbles(x):
    return (x.astype(i32) & 15 ^ 8).astype(i32) - 8


@case([whole(32, 128, low=-100, high=100, dtype=np.int8), whole(8, 128, low=-2**31, high=2**31 - 1)],
      lambda x, y: jnp.concatenate([y, lax.bitcast_convert_type(y, jnp.int8).transpose(0, 2, 1).reshape(32, 128)[8:16].astype(i32), low_nibbles(y >> 8)]))
def bitcasts_of_bitcasts():
    def kernel(x, y, o):
        o[:8] = y.bitcast(jnp.int16).bitcast(i32)[...]
        o[8:16] = y.bitcast(jnp.int16).bitcast(jnp.int8)[8:16].astype(i32)
        o[16:] = y.bitcast(jnp.int4)[...].astype(i32).reshape(8, 8, 128)[:, 2]
    return pl.pallas_call(kernel, out_shape=S((24, 128), i32))


def packed_bytes(x, y):
    return (x & 255 | y << 8).astype(np.int16).astype(i32)


@case([whole(16, 128, dtype=np.int16), whole(16, 128, dtype=np.int16, seed=2)], lambda x, y: jnp.concatenate([packed_bytes(x, y), x.astype(i32), y.astype(i32)]))
def packed_halves():
    def kernel(x, y, o):
        words = pltpu.pack_elementwise([x[...], y[...]], packed_dtype=jnp.int8)
        o[:16] = words.astype(jnp.int16).astype(i32)
        o[16:32] = pltpu.unpack_elementwise(words, index=0, packed_dtype=jnp.int8, unpacked_dtype=jnp.int16).astype(i32)
        o[32:] = pltpu.unpack_elementwise(words, index=1, packed_dtype=jnp.int8, unpacked_dtype=jnp.int16).astype(i32)
    return pl.pallas_call(kernel, out_shape=S((48, 128), i32))


@case([real(20, 200)], lambda x: jnp.concatenate([x[:, 1:], x[:, -1:]], 1))
def rolled_edges():
    """Rows and columns beyond the array move within the block, and are left out of what is used of it."""
    def kernel(x, o):
        columns = lax.broadcasted_iota(i32, (8, 256), 1)
        o[...] = jnp.where(columns < 199, pltpu.roll(x[...], 255, 1), x[...])
    return pl.pallas_call(kernel, grid=(3,), out_shape=S((20, 200), f32), in_specs=[block((8, 256), lambda i: (i, 0))], out_specs=block((8, 256), lambda i: (i, 0)))


# ---- reductions and products -----------------------------------------------------------------------------------------
def reduce_all(x):
    columns = [jnp.sum(x, 1), jnp.max(x, 1), jnp.min(x, 1), jnp.argmax(x, 1).astype(f32), jnp.argmin(x, 1).astype(f32)]
    y = jnp.stack([jnp.broadcast_to(c[:, None], (16, 128)) for c in columns])
    return jnp.concatenate([y.reshape(80, 128), jnp.broadcast_to(jnp.sum(x, 0)[None], (8, 128)), jnp.full((8, 128), jnp.sum(x)),
                            jnp.sum(x.reshape(2, 8, 128), 0), jnp.broadcast_to(jnp.max(x.reshape(2, 8, 128), (0, 2))[:, None], (8, 128))])


@case([real(16, 128)], reduce_all, 1e-4)
def reductions():
    def kernel(x, o):
        x = x[...]
        for i, c in enumerate([jnp.sum(x, 1), jnp.max(x, 1), jnp.min(x, 1), jnp.argmax(x, 1).astype(f32), jnp.argmin(x, 1).astype(f32)]):
            o[16 * i:16 * i + 16] = jnp.broadcast_to(c[:, None], (16, 128))
        o[80:88] = jnp.broadcast_to(jnp.sum(x, 0)[None], (8, 128))
        o[88:96] = jnp.full((8, 128), jnp.sum(x))
        o[96:104] = jnp.sum(x.reshape(2, 8, 128), 0)
        o[104:] = jnp.broadcast_to(jnp.max(x.reshape(2, 8, 128), (0, 2))[:, None], (8, 128))
    return pl.pallas_call(kernel, out_shape=S((112, 128), f32))


def rounded(x):
    return np.asarray(jnp.asarray(x, bf16)).astype(np.float64)


@case([real(48, 200), real(200, 72, seed=2)], lambda x, y: (rounded(x) @ rounded(y)).astype(np.float32), 1e-4)
def product_one_pass():
    def kernel(x, y, o):
        o[...] = jnp.dot(x[...], y[...], preferred_element_type=f32)
    return pl.pallas_call(kernel, out_shape=S((48, 72), f32))


@case([real(2, 24, 64), real(2, 40, 64, seed=2)], lambda x, y: np.einsum("bik,bjk->bij", x.astype(np.float64), y).astype(np.float32), 1e-5)
def product_six_passes():
    def kernel(x, y, o):
        o[...] = lax.dot_general(x[...], y[...], (((2,), (2,)), ((0,), (0,))), precision=lax.Precision.HIGHEST, preferred_element_type=f32)
    return pl.pallas_call(kernel, out_shape=S((2, 24, 40), f32))


@case([whole(32, 128, dtype=np.int8), whole(128, 128, dtype=np.int8, seed=2)], lambda x, y: x.astype(np.int32) @ y.astype(np.int32))
def product_int8():
    def kernel(x, y, o):
        o[...] = jnp.dot(x[...], y[...], preferred_element_type=i32)
    return pl.pallas_call(kernel, out_shape=S((32, 128), i32))


@case([real(64, 384, dtype=bf16), real(384, 256, dtype=bf16, seed=2)], lambda x, y: (rounded(x) @ rounded(y)).astype(np.float32), 1e-4)
def product_accumulated():
    def kernel(x, y, o, sum):
        @pl.when(pl.program_id(2) == 0)
        def _():
            sum[...] = jnp.zeros_like(sum)
        sum[...] += jnp.dot(x[...], y[...], preferred_element_type=f32)

        @pl.when(pl.program_id(2) == pl.num_programs(2) - 1)
        def _():
            o[...] = sum[...]
    return pl.pallas_call(kernel, out_shape=S((64, 256), f32), grid=(2, 2, 3), scratch_shapes=[VMEM((32, 128), f32)],
                          in_specs=[block((32, 128), lambda i, j, k: (i, k)), block((128, 128), lambda i, j, k: (k, j))],
                          out_specs=block((32, 128), lambda i, j, k: (i, j)))


# ---- grids and memory ------------------------------------------------------------------------------------------------
@case([real(20, 200)], lambda x: x * 2 + 1)
def edges():
    def kernel(x, o):
        o[...] = x[...] * 2 + 1
    return pl.pallas_call(kernel, out_shape=S((20, 200), f32), grid=(3, 2), in_specs=[block((8, 128), lambda i, j: (i, j))],
                          out_specs=block((8, 128), lambda i, j: (i, j)))


@case([np.array([2, 0, 3, 1], np.int32), real(32, 128)], lambda p, x: jnp.concatenate([x[8 * i:8 * i + 8] + k for k, i in enumerate([2, 0, 3, 1])]))
def prefetched():
    def kernel(p, x, o):
        o[...] = x[...] + pl.program_id(0).astype(f32)
    return pl.pallas_call(kernel, out_shape=S((32, 128), f32), grid_spec=pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=1, grid=(4,), in_specs=[block((8, 128), lambda i, p: (p[i], 0))], out_specs=block((8, 128), lambda i, p: (i, 0))))


@case([real(64, 128), np.array([3, 5], np.int32)],
      lambda x, n: jnp.concatenate([x[0:16:2], jnp.broadcast_to(x[3], (8, 128)), x[3:11] + x[5:13], jnp.where(jnp.arange(128) < 100, x[:8], 0.0)]))
def strided_and_masked():
    def kernel(x, n, o):
        o[:8] = x[pl.ds(0, 8, 2)]
        o[8:16] = jnp.broadcast_to(x[pl.ds(n[0], 1)], (8, 128))
        o[16:24] = x[pl.ds(n[0], 8)] + x[pl.ds(n[1], 8)]
        o[24:] = jnp.zeros((8, 128), f32)
        pltpu.store(o.at[24:], x[:8], mask=lax.broadcasted_iota(i32, (8, 128), 1) < 100)
    return pl.pallas_call(kernel, out_shape=S((32, 128), f32), in_specs=[pl.BlockSpec(), pl.BlockSpec(memory_space=SMEM)])


def control_flow(x, n):
    sums = [0, 1]
    for i in range(n[0]):
        sums = [sums[1], sums[0] + sums[1]]
    steps, value = 0, n[1]
    while value > 1:
        steps, value = steps + 1, value // 2
    return x * (3.0 if n[0] > 5 else 7.0) + sums[1] + steps


@case([real(8, 128), np.array([9, 100], np.int32)], control_flow)
def control():
    def kernel(x, n, o):
        _, b = lax.fori_loop(0, n[0], lambda i, c: (c[1], c[0] + c[1]), (jnp.int32(0), jnp.int32(1)))
        steps, _ = lax.while_loop(lambda c: c[1] > 1, lambda c: (c[0] + 1, c[1] // 2), (jnp.int32(0), n[1]))
        factor = lax.cond(n[0] > 5, lambda: jnp.float32(3), lambda: jnp.float32(7))
        o[...] = x[...] * factor + (b + steps).astype(f32)
    return pl.pallas_call(kernel, out_shape=S((8, 128), f32), in_specs=[pl.BlockSpec(), pl.BlockSpec(memory_space=SMEM)])


@case([real(64, 128)], lambda x: x + 1)
def copies():
    def kernel(x, o, buffers, sems, out_sem):
        def copy(i):
            return pltpu.make_async_copy(x.at[pl.ds(8 * i, 8)], buffers.at[lax.rem(i, 2)], sems.at[lax.rem(i, 2)])
        copy(0).start()

        def step(i, _):
            @pl.when(i < 7)
            def _():
                copy(i + 1).start()
            copy(i).wait()
            buffers[lax.rem(i, 2)] = buffers[lax.rem(i, 2)] + 1
            back = pltpu.make_async_copy(buffers.at[lax.rem(i, 2)], o.at[pl.ds(8 * i, 8)], out_sem)
            back.start()
            back.wait()
            return 0
        lax.fori_loop(0, 8, step, 0)
    return pl.pallas_call(kernel, out_shape=S((64, 128), f32), in_specs=[ANYWHERE], out_specs=ANYWHERE,
                          scratch_shapes=[VMEM((2, 8, 128), f32), SEM.DMA((2,)), SEM.DMA])


@case([real(16, 128)], lambda x: jnp.concatenate([x[8:], x[:8]]), devices=2)
def exchange():
    def kernel(x, o, sent, received):
        other = 1 - lax.axis_index("x")
        barrier = pltpu.get_barrier_semaphore()
        pl.semaphore_signal(barrier, 1, device_id=other, device_id_type=pl.DeviceIdType.LOGICAL)
        pl.semaphore_wait(barrier, 1)
        copy = pltpu.make_async_remote_copy(x, o, sent, received, device_id=other, device_id_type=pl.DeviceIdType.LOGICAL)
        copy.start()
        copy.wait()
    return pl.pallas_call(kernel, out_shape=S((8, 128), f32), scratch_shapes=[SEM.DMA, SEM.DMA],
                          compiler_params=pltpu.CompilerParams(collective_id=0))


# ---- faults: the test has what the checker must say ------------------------------------------------------------------
@case([real(16, 128)], None)
def fault_no_wait():
    def kernel(x, o, buffer, sem):
        pltpu.make_async_copy(x, buffer, sem).start()
        o[...] = buffer[...]
        pltpu.make_async_copy(x, buffer, sem).wait()
    return pl.pallas_call(kernel, out_shape=S((16, 128), f32), in_specs=[ANYWHERE], scratch_shapes=[VMEM((16, 128), f32), SEM.DMA])


@case([real(16, 128)], None)
def fault_never_waited():
    def kernel(x, o, buffer, sem):
        o[...] = jnp.zeros((16, 128), f32)
        pltpu.make_async_copy(x, buffer, sem).start()
    return pl.pallas_call(kernel, out_shape=S((16, 128), f32), in_specs=[ANYWHERE], scratch_shapes=[VMEM((16, 128), f32), SEM.DMA])


@case([real(16, 128)], None)
def fault_undefined():
    def kernel(x, o, sum):
        sum[:8] = x[:8]
        o[...] = sum[...] + x[...]
    return pl.pallas_call(kernel, out_shape=S((16, 128), f32), scratch_shapes=[VMEM((16, 128), f32)])


@case([real(8, 128)], None)
def fault_deadlock():
    def kernel(x, o, sem):
        pl.semaphore_wait(sem, 2)
        o[...] = x[...]
    return pl.pallas_call(kernel, out_shape=S((8, 128), f32), scratch_shapes=[SEM.REGULAR])


@case([real(8, 128)], None)
def fault_signal():
    def kernel(x, o, sem):
        pl.semaphore_signal(sem, 3)
        pl.semaphore_wait(sem, 2)
        o[...] = x[...]
    return pl.pallas_call(kernel, out_shape=S((8, 128), f32), scratch_shapes=[SEM.REGULAR])


@case([real(32, 128)], None)
def fault_revisit():
    def kernel(x, o):
        @pl.when(pl.program_id(0) < 2)
        def _():
            o[...] = jnp.zeros_like(o)
        o[...] += x[...]
    return pl.pallas_call(kernel, out_shape=S((16, 128), f32), grid=(4,), in_specs=[block((8, 128), lambda i: (i, 0))],
                          out_specs=block((8, 128), lambda i: (lax.rem(i, 2), 0)))


@case([real(16, 128)], None)
def fault_parallel():
    def kernel(x, o, sum_ref):
        @pl.when(pl.program_id(0) == 0)
        def _():
            sum_ref[...] = jnp.zeros_like(sum_ref)
        sum_ref[...] += x[...]
        o[...] = sum_ref[...]
    rows = block((8, 128), lambda i: (i, 0))
    return pl.pallas_call(kernel, out_shape=S((16, 128), f32), grid=(2,), in_specs=[rows], out_specs=rows, scratch_shapes=[VMEM((8, 128), f32)],
                          compiler_params=pltpu.CompilerParams(dimension_semantics=("parallel",)))


@case([real(32, 128)], lambda x: x)
def semaphore_slices():
    def kernel(x, o, buffer, done):
        copy = lambda i: pltpu.make_async_copy(x.at[pl.ds(8 * i, 8)], buffer.at[i % 2], done.at[i % 2])
        copy(0).start()
        for i in range(4):
            if i < 3:
                copy(i + 1).start()
            copy(i).wait()
            o[8 * i:8 * i + 8] = buffer[i % 2]
    return pl.pallas_call(kernel, out_shape=S((32, 128), f32), in_specs=[ANYWHERE], scratch_shapes=[VMEM((2, 8, 128), f32), SEM.DMA((2,))])


@case([real(8, 256)], None)
def fault_lanes():
    def kernel(x, o, done):
        copy = pltpu.make_async_copy(x.at[:, pl.ds(0, 64)], o, done)
        copy.start()
        copy.wait()
    return pl.pallas_call(kernel, out_shape=S((8, 64), f32), in_specs=[ANYWHERE], scratch_shapes=[SEM.DMA])


@case([np.array([1], np.int32), real(8, 256)], None)
def fault_index():
    def kernel(i, x, o):
        o[...] = x[:, pl.ds(i[0] * 64 + 128, 128)]
    return pl.pallas_call(kernel, out_shape=S((8, 128), f32), in_specs=[pl.BlockSpec(memory_space=SMEM), pl.BlockSpec()])


@case([real(32, 128)], None)
def fault_block():
    def kernel(x, o):
        o[...] = x[...]
    return pl.pallas_call(kernel, out_shape=S((32, 128), f32), grid=(4,), in_specs=[block((8, 128), lambda i: (i * 2, 0))],
                          out_specs=block((8, 128), lambda i: (i, 0)))


@case([real(16, 128)], None, devices=2)
def fault_exchange():
    def kernel(x, o, buffer, sent, received):
        other = 1 - lax.axis_index("x")
        buffer[...] = x[...]
        copy = pltpu.make_async_remote_copy(x, buffer, sent, received, device_id=other, device_id_type=pl.DeviceIdType.LOGICAL)
        copy.start()
        copy.wait()
        o[...] = buffer[...]
    return pl.pallas_call(kernel, out_shape=S((8, 128), f32), scratch_shapes=[VMEM((8, 128), f32), SEM.DMA, SEM.DMA])


# ---- files -----------------------------------------------------------------------------------------------------------
def lowered(make, args, devices):
    call = make()
    if devices > 1:
        mesh = Mesh(np.array(jax.devices()[:devices]), ("x",))
        call = jax.shard_map(call, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False)
    tpu_info.get_device_kind, tpu_info.get_num_device_cores = lambda: "TPU v5 lite", lambda: 1  # kernels ask for both
    return jax.jit(lambda *a: call(*a)).trace(*args).lower(lowering_platforms=("tpu",)).as_text()


def bytecode(text):
    config = re.search(r'backend_config = "((?:[^"\\]|\\.)*)"', text).group(1)
    config = json.loads(re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m.group(1), 16)), config))
    return base64.b64decode(config["custom_call_config"]["body"])


def text_of(body):
    """As TorchTPU sends kernels: MLIR text in generic form."""
    context = mlir.make_ir_context()
    tpu.register_dialect(context)
    context.allow_unregistered_dialects = True
    with context:
        return ir.Module.parse(body).operation.get_asm(print_generic_op_form=True).encode()


def array_header(a, tolerance=None):
    head = NAMES[a.dtype.name].encode().ljust(8, b"\0") + struct.pack("<I", a.ndim) + struct.pack("<%dq" % a.ndim, *a.shape)
    return head + (b"" if tolerance is None else struct.pack("<d", tolerance))


def write(name):
    args, reference, tolerance, devices, make = CASES[name]
    body = bytecode(lowered(make, args, devices))
    results = [np.asarray(r) for r in jax.tree.leaves(reference(*args))] if reference else [np.zeros(make_shape(make, args, devices), np.float32)]
    shards = lambda a, d: np.split(a, devices)[d] if devices > 1 else a
    out = b"kernel" + struct.pack("<IIII", devices, len(body), len(args), len(results)) + body
    out += b"".join(array_header(shards(a, 0)) for a in args) + b"".join(array_header(shards(r, 0), tolerance) for r in results)
    for d in range(devices):
        out += b"".join(np.ascontiguousarray(shards(a, d)).tobytes() for a in args + results)
    files = [(DATA, ".kernel", out), (SEEDS, ".mosaic", body)]
    if reference:
        files.append((SEEDS, ".mlir", text_of(body)))
    for folder, suffix, data in files:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name + suffix), "wb") as file:
            file.write(data)


def make_shape(make, args, devices):
    shape = jax.eval_shape(make(), *[S((a.shape[0] // devices,) + a.shape[1:], a.dtype) for a in args]).shape if devices == 1 else (8, 128)
    return (shape[0] * devices,) + shape[1:]


def main():
    for name in sys.argv[1:] or CASES:
        try:
            write(name)
        except Exception as e:
            print("%s: %s: %s" % (name, type(e).__name__, str(e)[:300]))


main()
