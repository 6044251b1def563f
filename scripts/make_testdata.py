#!/usr/bin/env python3
"""Generates the seed inputs of the frontend's fuzz targets: bytecode (mlir_bytecode_fuzz/*.mlirbc, portable artifacts, and
*.stablehlo.mlirbc, StableHLO itself), the same programs as text (mlir_text_fuzz/*.mlir) and as HLO modules (hlo_proto_fuzz/*.hlo.pb), and compile_options_fuzz/*.pb. Needs JAX 0.10.2;
run it from the repository's root. The output is committed, so run it only to add a program."""
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib import _jax, xla_client
from jax.sharding import NamedSharding, PartitionSpec
from jaxlib import _hlo
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

# Each target's inputs are in the folder of its reader.
FOLDERS = {
    "mlir_bytecode_fuzz": "compiler/frontend/bytecode/testdata",
    "mlir_text_fuzz": "compiler/frontend/text/testdata",
    "hlo_proto_fuzz": "compiler/frontend/hlo/testdata",
    "compile_options_fuzz": "compiler/frontend/testdata",
}
NEWEST = "1.17.0"


def path_of(name):
    return os.path.join(FOLDERS[name.split("/")[0]], name)


def write(name, data):
    path = path_of(name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def save(name, module, versions=(NEWEST,), text=True):
    for version in versions:
        if "sdy." in str(module):
            data = xla_client._xla.mlir.serialize_portable_artifact(module, version, True)
        else:  # keeps the order of operations, so that text and bytecode give equal IR
            data = stablehlo.serialize_portable_artifact_str(str(module), version)
        suffix = "" if version == NEWEST else "." + version
        write(f"mlir_bytecode_fuzz/{name}{suffix}.mlirbc", data)
    write(f"mlir_bytecode_fuzz/{name}.stablehlo.mlirbc", jax_mlir.module_to_bytecode(module))
    if text:
        write(f"mlir_text_fuzz/{name}.mlir", str(module).encode())
        generic = module.operation.get_asm(print_generic_op_form=True)
        write(f"mlir_text_fuzz/{name}.generic.mlir", generic.encode())


def save_jax(name, function, *arguments, versions=(NEWEST,), **options):
    lowered = jax.jit(function, **options).trace(*arguments).lower(lowering_platforms=("tpu",))
    save(name, lowered.compiler_ir("stablehlo"), versions)


def save_text(name, text, versions=(NEWEST,)):
    with jax_mlir.make_ir_context() as context:
        save(name, ir.Module.parse(text, context), versions)


def save_newest(name, text):
    with jax_mlir.make_ir_context() as context:
        save(name, ir.Module.parse(text, context), ("1.22.0",))
    os.rename(path_of(f"mlir_bytecode_fuzz/{name}.1.22.0.mlirbc"), path_of(f"mlir_bytecode_fuzz/{name}.mlirbc"))


def save_quantized(name, text):
    """Loads a dialect into the context by parsing a bytecode program that uses it: Python cannot load it directly."""
    data = stablehlo.serialize_portable_artifact_str(text, NEWEST)
    write(f"mlir_bytecode_fuzz/{name}.mlirbc", data)
    with jax_mlir.make_ir_context() as context:
        module = stablehlo.deserialize_portable_artifact(context, data)
        write(f"mlir_text_fuzz/{name}.mlir", str(module).encode())
        write(f"mlir_text_fuzz/{name}.generic.mlir", module.operation.get_asm(print_generic_op_form=True).encode())


def f32(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def train_step(params, x, y):
    def loss(p):
        hidden = jnp.tanh(x @ p[0] + p[1])
        return jnp.mean((hidden @ p[2] - y) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    return [p - 0.1 * g for p, g in zip(params, grads)], value


def control(x, n):
    limit = jnp.sum(x)

    def step(carry):
        i, value = carry
        return i + 1, lax.cond(value.sum() > limit, lambda v: v * 0.5, lambda v: v + i, value)

    _, value = lax.while_loop(lambda carry: carry[0] < n, step, (0.0, x))
    value = lax.switch(jnp.int32(n), [jnp.sin, jnp.cos, jnp.exp], value)
    total, rows = lax.scan(lambda c, row: (c + row, c * row), jnp.zeros(4), jnp.outer(value, value))
    return lax.sort((total, rows[0]), num_keys=1), jnp.argsort(value)


def indexing(table, ids, updates):
    rows = table[ids]
    table = table.at[ids].add(updates)
    part = lax.dynamic_slice(table, (ids[0], 0), (2, 3))
    return rows, lax.dynamic_update_slice(table, part, (1, ids[1])), jnp.pad(part, ((1, 0), (0, 2)))


def convolve(image, kernel):
    out = lax.conv_general_dilated(image, kernel, (2, 1), ((1, 1), (0, 2)), rhs_dilation=(1, 2),
                                   dimension_numbers=("NHWC", "HWIO", "NHWC"))
    pooled = lax.reduce_window(out, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")
    return jax.grad(lambda i: lax.reduce_window(i, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1),
                                                "VALID").sum())(out), pooled


def linear_algebra(a, key):
    spectrum = jnp.fft.rfft(a)
    bits = jax.random.uniform(key, (3, 3))
    solved = lax.linalg.triangular_solve(a, bits, left_side=True, lower=True)
    return spectrum, solved, lax.sin(a), lax.population_count(key), lax.reduce_precision(a, 5, 7)


CONSTANTS = """
module @constants {
  func.func public @main() -> (tensor<3xi1>, tensor<17xi1>, tensor<40xi1>, tensor<i1>, tensor<4xi4>, tensor<4xui4>, tensor<2xi64>, tensor<ui64>, tensor<2xbf16>, tensor<4xf32>, tensor<2x2xf64>, tensor<2xcomplex<f32>>, tensor<2xf8E4M3FN>, tensor<2xf8E5M2>, tensor<2xi16>, tensor<3xi8>, tensor<0x4xf32>, tensor<5x7xf16>) {
    %bits = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %many = stablehlo.constant dense<[true, false, true, true, false, false, true, false, true, true, true,
                                      false, false, false, true, false, true]> : tensor<17xi1>
    %all = stablehlo.constant dense<true> : tensor<40xi1>
    %none = stablehlo.constant dense<false> : tensor<i1>
    %narrow = stablehlo.constant dense<[-8, 7, -1, 0]> : tensor<4xi4>
    %unsigned = stablehlo.constant dense<[15, 7, 1, 0]> : tensor<4xui4>
    %wide = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
    %huge = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
    %half = stablehlo.constant dense<[1.5, -0.0]> : tensor<2xbf16>
    %special = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00001, -0.0]> : tensor<4xf32>
    %double = stablehlo.constant dense<[[1.0e-300, 3.141592653589793], [0x7FF0000000000000, -2.5]]> : tensor<2x2xf64>
    %pair = stablehlo.constant dense<[(1.0, -2.0), (0.5, 0.25)]> : tensor<2xcomplex<f32>>
    %eight = stablehlo.constant dense<[0.5, 1.0]> : tensor<2xf8E4M3FN>
    %five = stablehlo.constant dense<[0.5, 1.0]> : tensor<2xf8E5M2>
    %small = stablehlo.constant dense<[-3, 32767]> : tensor<2xi16>
    %byte = stablehlo.constant dense<"0x01FF80"> : tensor<3xi8>
    %empty = stablehlo.constant dense<> : tensor<0x4xf32>
    %splat = stablehlo.constant dense<3.25> : tensor<5x7xf16>
    return %bits, %many, %all, %none, %narrow, %unsigned, %wide, %huge, %half, %special, %double, %pair, %eight, %five, %small, %byte, %empty, %splat : tensor<3xi1>, tensor<17xi1>, tensor<40xi1>, tensor<i1>, tensor<4xi4>, tensor<4xui4>, tensor<2xi64>, tensor<ui64>, tensor<2xbf16>, tensor<4xf32>, tensor<2x2xf64>, tensor<2xcomplex<f32>>, tensor<2xf8E4M3FN>, tensor<2xf8E5M2>, tensor<2xi16>, tensor<3xi8>, tensor<0x4xf32>, tensor<5x7xf16>
  }
}
"""

def chlo(x):
    """Operations that only bytecode of StableHLO itself has: portable artifacts have their expansions."""
    return lax.top_k(x, 2), lax.erf_inv(x), lax.lgamma(x), lax.erf(x), lax.asin(x), lax.dot(
        x, x, precision=lax.DotAlgorithmPreset.BF16_BF16_F32_X3)


# Constructs that JAX's lowering of plain functions does not produce.
OPERATIONS = """
module @operations attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<4x8xf32> {mhlo.memory_kind = "pinned_host", mhlo.layout_mode = "auto"},
      %i: tensor<4xi32> {jax.buffer_donor = true}, %t: !stablehlo.token,
      %c: tensor<8xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<4x8xf32> {jax.result_info = "r", mhlo.memory_kind = "pinned_host"}, tensor<4xf32>, tensor<2x3xf32>, tensor<4xui32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %a, %b = stablehlo.custom_call @lapack(%x, %i) {api_version = 4 : i32, backend_config = {lower = true, n = 3 : i64, name = "ab\\"c", list = [1 : i32, 2.5 : f32], at = dense<[1, 2]> : tensor<2xi64>},
        operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>],
        output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x8xf32>, tensor<4xi32>) -> (tensor<4x8xf32>, tensor<4xi32>)
    %placed = stablehlo.custom_call @annotate_device_placement(%a) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %sharded = stablehlo.custom_call @Sharding(%placed) {mhlo.sharding = "{devices=[1,1]<=[1]}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %sum = "stablehlo.all_reduce"(%sharded) ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<0> : tensor<1x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %gathered = "stablehlo.all_gather"(%sum) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %scattered = "stablehlo.reduce_scatter"(%gathered) ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.maximum %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) {scatter_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %swapped = "stablehlo.all_to_all"(%scattered) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %moved = "stablehlo.collective_permute"(%swapped) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %told = "stablehlo.collective_broadcast"(%moved) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %sent = "stablehlo.send"(%told, %t) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = true, mhlo.frontend_attributes = {_xla_host_transfer_rendezvous = "cb"}} : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    %got, %t2 = "stablehlo.recv"(%sent) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
    %in, %t3 = "stablehlo.infeed"(%t2) {infeed_config = "in", layout = [[0, 1]]} : (!stablehlo.token) -> (tensor<4x8xf32>, !stablehlo.token)
    %t4 = "stablehlo.outfeed"(%in, %t3) {outfeed_config = "out"} : (tensor<4x8xf32>, !stablehlo.token) -> !stablehlo.token
    %t5 = stablehlo.after_all %t4, %t2 : !stablehlo.token
    %dot = stablehlo.dot_general %got, %in, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %norm = "stablehlo.batch_norm_inference"(%got, %c, %c, %c, %c) {epsilon = 1.000000e-03 : f32, feature_index = 1 : i64} : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
    %next, %random = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
    %old = stablehlo.rng %zero, %zero, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
    %iota = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi64>) -> tensor<2x3xf32>
    %sizes = stablehlo.constant dense<[2, 8]> : tensor<2xi64>
    %wide = stablehlo.dynamic_broadcast_in_dim %c, %sizes, dims = [1] {known_expanding_dimensions = array<i64>} : (tensor<8xf32>, tensor<2xi64>) -> tensor<2x8xf32>
    %size = stablehlo.get_dimension_size %wide, dim = 0 : (tensor<2x8xf32>) -> tensor<i32>
    %tuple = stablehlo.tuple %got, %size : tuple<tensor<4x8xf32>, tensor<i32>>
    %first = stablehlo.get_tuple_element %tuple[0] : (tuple<tensor<4x8xf32>, tensor<i32>>) -> tensor<4x8xf32>
    %composed = stablehlo.composite "chlo.erf" %first {composite_attributes = {kind = "exact"}, decomposition = @erf, version = 2 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %barrier:2 = stablehlo.optimization_barrier %composed, %norm : tensor<4x8xf32>, tensor<4x8xf32>
    %clamped = stablehlo.clamp %zero, %barrier#0, %zero : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %less = stablehlo.compare LT, %clamped, %barrier#1, TOTALORDER : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %chosen = stablehlo.select %less, %clamped, %barrier#1 : tensor<4x8xi1>, tensor<4x8xf32>
    %back = stablehlo.reverse %chosen, dims = [0, 1] : tensor<4x8xf32>
    %called = call @erf(%back) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %called, %dot, %iota, %random : tensor<4x8xf32>, tensor<4xf32>, tensor<2x3xf32>, tensor<4xui32>
  }
  func.func private @erf(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.tanh %x : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
"""

QUANTIZED = """
module @quantized {
  func.func public @main(%x: tensor<2x4xf32>, %w: tensor<4x3x!quant.uniform<i8<-127:127>:f32:1, {0.05, 0.1, 0.025}>>,
      %u: tensor<2x4x!quant.uniform<u8:f32, 0.03:128>>) -> (tensor<2x3xf32>, tensor<4x2x!quant.uniform<u8:f32, 0.03:128>>, tensor<2xf32>) {
    %a = stablehlo.uniform_quantize %x : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32, 0.05:3>>
    %y = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<2x4x!quant.uniform<i8:f32, 0.05:3>>,
        tensor<4x3x!quant.uniform<i8<-127:127>:f32:1, {0.05, 0.1, 0.025}>>) -> tensor<2x3x!quant.uniform<i32:f32:1, {0.0025, 0.005, 0.00125}>>
    %r = stablehlo.uniform_dequantize %y : (tensor<2x3x!quant.uniform<i32:f32:1, {0.0025, 0.005, 0.00125}>>) -> tensor<2x3xf32>
    %s = stablehlo.add %u, %u : tensor<2x4x!quant.uniform<u8:f32, 0.03:128>>
    %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<2x4x!quant.uniform<u8:f32, 0.03:128>>) -> tensor<4x2x!quant.uniform<u8:f32, 0.03:128>>
    %c = "stablehlo.constant"() <{value = dense<[3, -4]> : tensor<2xi4>}> : () -> tensor<2x!quant.uniform<i4:f32, 0.5:-1>>
    %d = stablehlo.uniform_dequantize %c : (tensor<2x!quant.uniform<i4:f32, 0.5:-1>>) -> tensor<2xf32>
    return %r, %t, %d : tensor<2x3xf32>, tensor<4x2x!quant.uniform<u8:f32, 0.03:128>>, tensor<2xf32>
  }
}
"""

def sharded():
    mesh = jax.make_mesh((1,), ("x",), devices=jax.devices()[:1], axis_types=(jax.sharding.AxisType.Auto,))
    rows = NamedSharding(mesh, PartitionSpec("x"))

    def body(x):
        x = lax.with_sharding_constraint(x * 2, rows)
        inner = jax.shard_map(lambda v: v + lax.axis_index("x"), mesh=mesh, in_specs=PartitionSpec("x"),
                              out_specs=PartitionSpec("x"))
        return inner(x)

    save_jax("sharded", body, jax.ShapeDtypeStruct((8, 4), jnp.float32, sharding=rows), out_shardings=rows)


# A client's custom calls with rules for propagation: a transposition, a split and permuted dimension, a contraction.
SHARDING_RULE = r"""
module @rules attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4x8xf32>, tensor<2x2x8xf32>, tensor<8xf32>) {
    %0 = stablehlo.custom_call @turn(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=4}, custom>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.custom_call @split(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i, j, k]) {i=2, j=2, k=8} permutation={k}, custom>} : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
    %2 = stablehlo.custom_call @contract(%a, %0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j, i])->([i]) {i=8, j=4} reduction={j}, custom>} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
    return %0, %1, %2 : tensor<4x8xf32>, tensor<2x2x8xf32>, tensor<8xf32>
  }
}
"""

# Replica groups along axes of a mesh, as JAX writes them from 0.11 on: of a symbol and in place, sub-axes, device orders.
MESH_GROUPS = """
module @mesh_groups attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2], device_ids=[0, 2, 1, 3, 4, 6, 5, 7]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}], device_ids = dense<[0, 2, 1, 3, 4, 6, 5, 7]> : tensor<8xi64>}}
  func.func public @main(%arg0: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x8xf32>, tensor<1x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
    %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>, #stablehlo.mesh_axis<name = "y", size = 2>], device_ids = dense<[7, 6, 5, 4, 3, 2, 1, 0]> : tensor<8xi64>>, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x8xf32>
    %2 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>, #stablehlo.mesh_axis<name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "y">, #stablehlo.axis_ref<name = "x">]>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<1x4xf32>
    %3 = "stablehlo.all_to_all"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (2)2>, #stablehlo.axis_ref<name = "y">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %4 = "stablehlo.collective_broadcast"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %0, %1, %2, %3, %4 : tensor<8x4xf32>, tensor<8x8xf32>, tensor<1x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
}
"""

# Shardy's dialect, which is exported to attributes and custom calls of StableHLO.
ROUND_TRIP = """
module @round_trip attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2], device_ids=[0, 2, 1, 3, 4, 6, 5, 7]>
  func.func public @main(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y", ?}]>}, tensor<64xf32>) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"y"}p1, {?}]> : tensor<64x64xf32>
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%arg1: tensor<16x64xf32>) {
      %i = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%arg2: tensor<16x32xf32>) {
        %q = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %s = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %s : tensor<f32>
        }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
        sdy.return %q : tensor<16x32xf32>
      } : (tensor<16x64xf32>) -> tensor<16x64xf32>
      sdy.return %i : tensor<16x64xf32>
    } : (tensor<64x64xf32>) -> tensor<64x64xf32>
    sdy.sharding_group %1 group_id=3 : tensor<64x64xf32>
    sdy.sharding_group %arg0 group_id=3 : tensor<64x64xf32>
    %2 = sdy.propagation_barrier %1 allowed_direction=NONE : tensor<64x64xf32>
    %3 = stablehlo.add %2, %2 : tensor<64x64xf32>
    %4 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} () {
      %c = stablehlo.constant dense<1.0> : tensor<16xf32>
      sdy.return %c : tensor<16xf32>
    } : () -> tensor<64xf32>
    return %3, %4 : tensor<64x64xf32>, tensor<64xf32>
  }
}
"""

# Operations of VHLO 1.18 to 1.22, which only jaxlib 0.12 and later write: main() saves them where it is newer.
ROOTS = """
module @roots attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<1xi32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %0 = "stablehlo.collective_reduce"(%arg0) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.collective_reduce"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, has_dynamic_root, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8xf32>, tensor<1xi32>) -> tensor<8xf32>
    %2 = "stablehlo.collective_broadcast"(%arg0, %arg1) <{has_dynamic_root, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<8xf32>, tensor<1xi32>) -> tensor<8xf32>
    %3 = stablehlo.custom_call @Sharding(%2) : (tensor<8xf32>) -> tensor<8xf32>
    return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
"""

SHARDED_TOKEN = """
module @sharded_token attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: !stablehlo.token {jax.token = true}, %arg1: tensor<8xf32>) -> (!stablehlo.token {jax.token = true}, tensor<8xf32>) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, []>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, []>, <@mesh, [{"x"}]>] manual_axes={"x"} (%arg2: !stablehlo.token, %arg3: tensor<4xf32>) {
      %1 = stablehlo.custom_call @report(%arg2, %arg3) {has_side_effect = true} : (!stablehlo.token, tensor<4xf32>) -> !stablehlo.token
      sdy.return %1, %arg3 : !stablehlo.token, tensor<4xf32>
    } : (!stablehlo.token, tensor<8xf32>) -> (!stablehlo.token, tensor<8xf32>)
    return %0#0, %0#1 : !stablehlo.token, tensor<8xf32>
  }
}
"""


def options():
    for name, replicas, partitions, devices in (("one", 1, 1, [[0]]), ("grid", 2, 3, [[5, 4, 3], [2, 1, 0]]),
                                                 ("eight", 1, 8, [[0, 1, 2, 3, 4, 5, 6, 7]]), ("halves", 2, 4, [[0, 1, 2, 3], [4, 5, 6, 7]])):
        built = xla_client.CompileOptions()
        built.num_replicas, built.num_partitions = replicas, partitions
        build = built.executable_build_options
        build.num_replicas, build.num_partitions = replicas, partitions
        build.use_spmd_partitioning = partitions > 1
        build.use_shardy_partitioner = partitions > 1
        build.device_assignment = xla_client.DeviceAssignment.create(np.array(devices))
        built.compile_portable_executable = name == "one"
        write(f"compile_options_fuzz/{name}.pb", built.SerializeAsString())


# Operations of PyTorch/XLA that JAX does not emit: batch normalization, rng, a conditional on a predicate, topk.
HLO_TEXT = """
module @hlo {
  func.func @main(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>, %p: tensor<i1>) -> (tensor<2x3x4xf32>, tensor<3xf32>,
      tensor<2x3x2xf32>, tensor<2x3x2xi32>, tensor<2x3xf32>, tensor<2x3x4xf32>) {
    %y:3 = "stablehlo.batch_norm_training"(%x, %s, %s) {epsilon = 1.0e-5 : f32, feature_index = 1 : i64} :
        (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
    %b = "stablehlo.if"(%p) ({
      %n = stablehlo.negate %y#1 : tensor<3xf32>
      stablehlo.return %n : tensor<3xf32>
    }, {
      stablehlo.return %s : tensor<3xf32>
    }) : (tensor<i1>) -> tensor<3xf32>
    %t:2 = chlo.top_k(%x, k = 2) : tensor<2x3x4xf32> -> (tensor<2x3x2xf32>, tensor<2x3x2xi32>)
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
    %r = stablehlo.rng %zero, %zero, %shape, distribution = UNIFORM :
        (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
    %e = stablehlo.optimization_barrier %y#0 : tensor<2x3x4xf32>
    return %y#0, %b, %t#0, %t#1, %r, %e : tensor<2x3x4xf32>, tensor<3xf32>, tensor<2x3x2xf32>, tensor<2x3x2xi32>,
        tensor<2x3xf32>, tensor<2x3x4xf32>
  }
}
"""


# The output of XLA's passes, or of newer clients: asynchronous start and done operations, scans, ragged products.
HLO_EXPANDED = """HloModule forms, entry_computation_layout={(f32[4,3]{1,0}, f32[3,5]{1,0}, s32[6]{0}, s64[3]{0}, f32[2,3,5]{2,1,0}, s32[2]{0})->(f32[4,5]{1,0}, f32[4,3]{1,0}, s32[6]{0}, s32[], s64[3]{0}, f32[4,5]{1,0}, f32[2,3,5]{2,1,0})}

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

step {
  x = s32[] parameter(0)
  c = s32[] parameter(1)
  d = s32[] subtract(x, c)
  e = s32[] multiply(d, x)
  ROOT t = (s32[], s32[]) tuple(e, d)
}

product {
  p = f32[4,3]{1,0} parameter(0)
  q = f32[3,5]{1,0} parameter(1)
  ROOT r = f32[4,5]{1,0} dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

ENTRY main {
  x = f32[4,3]{1,0} parameter(0)
  y = f32[3,5]{1,0} parameter(1)
  n = s32[6]{0} parameter(2)
  w = s64[3]{0} parameter(3)
  experts = f32[2,3,5]{2,1,0} parameter(4)
  sizes = s32[2]{0} parameter(5)
  start = ((f32[4,3]{1,0}, f32[3,5]{1,0}), f32[4,5]{1,0}, u32[]) async-start(x, y), calls=product
  update = ((f32[4,3]{1,0}, f32[3,5]{1,0}), f32[4,5]{1,0}, u32[]) async-update(start)
  done = f32[4,5]{1,0} async-done(update)
  reduce-start = f32[4,3]{1,0} all-reduce-start(x), replica_groups={{0}}, to_apply=sum
  reduce-done = f32[4,3]{1,0} all-reduce-done(reduce-start)
  gather-start = (f32[4,3]{1,0}, f32[4,3]{1,0}) all-gather-start(reduce-done), replica_groups={{0}}, dimensions={0}
  gather-done = f32[4,3]{1,0} all-gather-done(gather-start)
  permute-start = (f32[4,3]{1,0}, f32[4,3]{1,0}) collective-permute-start(gather-done), source_target_pairs={{0,0}}
  permute-done = f32[4,3]{1,0} collective-permute-done(permute-start)
  copy-start = (f32[4,3]{1,0}, f32[4,3]{1,0}, u32[]) copy-start(permute-done)
  copy-done = f32[4,3]{1,0} copy-done(copy-start)
  zero = s32[] constant(2)
  scanned = (s32[6]{0}, s32[]) scan(n, zero), dimensions={0}, num_carries=1, is_reverse=true, to_apply=step
  outs = s32[6]{0} get-tuple-element(scanned), index=0
  last = s32[] get-tuple-element(scanned), index=1
  big = s64[] constant(6148914691236517205)
  bigs = s64[3]{0} broadcast(big), dimensions={}
  high = s64[3]{0} mulhi(w, bigs)
  tall = f32[4,5]{1,0} ragged-dot(copy-done, experts, sizes), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}
  wide = f32[2,3,5]{2,1,0} ragged-dot(copy-done, tall, sizes), lhs_contracting_dims={0}, rhs_contracting_dims={0}, lhs_ragged_dims={0}
  ROOT all = (f32[4,5]{1,0}, f32[4,3]{1,0}, s32[6]{0}, s32[], s64[3]{0}, f32[4,5]{1,0}, f32[2,3,5]{2,1,0}) tuple(done, copy-done, outs, last, high, tall, wide)
}
"""

HLO_HOST = r"""HloModule host, entry_computation_layout={(f32[4,3]{1,0})->(f32[4,3]{1,0}, f32[4,3]{1,0}, f32[4,3]{1,0}, f32[4,3]{1,0})}

ENTRY main {
  x = f32[4,3]{1,0} parameter(0)
  begun = token[] after-all()
  send = (f32[4,3]{1,0}, u32[], token[]) send(x, begun), channel_id=3, is_host_transfer=true, frontend_attributes={_xla_host_transfer_rendezvous="tag"}
  send-done = token[] send-done(send), channel_id=3, is_host_transfer=true
  recv = (f32[4,3]{1,0}, u32[], token[]) recv(send-done), channel_id=4, is_host_transfer=true
  recv-done = (f32[4,3]{1,0}, token[]) recv-done(recv), channel_id=4, is_host_transfer=true
  got = f32[4,3]{1,0} get-tuple-element(recv-done), index=0
  after = token[] get-tuple-element(recv-done), index=1
  read = ((f32[4,3]{1,0}), token[]) infeed(after), infeed_config="in"
  fed = (f32[4,3]{1,0}) get-tuple-element(read), index=0
  first = f32[4,3]{1,0} get-tuple-element(fed), index=0
  next = token[] get-tuple-element(read), index=1
  out = token[] outfeed(first, next), outfeed_shape=f32[4,3]{1,0}, outfeed_config="out"
  call = f32[4,3]{1,0} custom-call(first), custom_call_target="typed", api_version=API_VERSION_TYPED_FFI, backend_config="{n = 3 : i64, name = \"ab\", list = array<i32: 1, 2>}", output_to_operand_aliasing={{}: (0, {})}
  old = f32[4,3]{1,0} custom-call(call), custom_call_target="old", backend_config="{n = 3"
  ROOT all = (f32[4,3]{1,0}, f32[4,3]{1,0}, f32[4,3]{1,0}, f32[4,3]{1,0}) tuple(got, first, call, old)
}
"""


# Replica groups along axes of a mesh: device orders, sub-axes.
HLO_MESH = """HloModule mesh_groups, num_partitions=8, entry_computation_layout={(f32[8,4]{1,0})->(f32[8,4]{1,0}, f32[8,4]{1,0}, f32[8,8]{1,0}, f32[8,4]{1,0}, f32[8,4]{1,0})}

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  x = f32[8,4]{1,0} parameter(0)
  r = f32[8,4]{1,0} all-reduce(x), channel_id=1, replica_groups=mesh['x'=4,'y'=2], device_ids=(0,2,1,3,4,6,5,7) {'x'}, use_global_device_ids=true, to_apply=sum
  s = f32[8,4]{1,0} all-reduce(x), channel_id=1, replica_groups=mesh['x'=4,'y'=2], device_ids=([2,4]T(1,0)) {'y'}, use_global_device_ids=true, to_apply=sum
  g = f32[8,8]{1,0} all-gather(x), channel_id=1, replica_groups=mesh['x'=4,'y'=2] {'x':(2)2}, dimensions={1}, use_global_device_ids=true
  t = f32[8,4]{1,0} all-to-all(x), channel_id=1, replica_groups=mesh['x'=4,'y'=2] {'y','x':(1)2}, dimensions={0}
  b = f32[8,4]{1,0} collective-broadcast(x), channel_id=1, replica_groups=mesh['x'=4,'y'=2] {'x'}
  ROOT all = (f32[8,4]{1,0}, f32[8,4]{1,0}, f32[8,8]{1,0}, f32[8,4]{1,0}, f32[8,4]{1,0}) tuple(r, s, g, t, b)
}
"""


def save_hlo_text(name, text):
    write(f"hlo_proto_fuzz/{name}.hlo.pb", _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto())


def save_round_trip(name, text):
    """A program in Shardy's dialect without it: as jaxlib serializes it where other dialects are not allowed, and as HLO."""
    with jax_mlir.make_ir_context() as context:
        data = xla_client._xla.mlir.serialize_portable_artifact(ir.Module.parse(text), NEWEST, False)
        exported = str(stablehlo.deserialize_portable_artifact(context, data))
    save_text(name, exported)
    save_hlo(name, text)


def save_hlo(name, text):
    computation = _jax.mlir.mlir_module_to_xla_computation(text, use_tuple_args=False, return_tuple=True)
    write(f"hlo_proto_fuzz/{name}.hlo.pb", computation.as_serialized_hlo_module_proto())


def hlo():
    """The programs of mlir_text_fuzz that jaxlib can convert to HLO."""
    for name in ("train_step", "control", "indexing", "convolve", "linear_algebra", "constants", "operations"):
        with open(path_of(f"mlir_text_fuzz/{name}.mlir"), encoding="utf-8") as file:
            save_hlo(name, file.read())
    save_hlo("torch", HLO_TEXT)
    save_hlo_text("expanded", HLO_EXPANDED)
    save_hlo_text("host", HLO_HOST)
    save_hlo_text("mesh_groups", HLO_MESH)


def main():
    if tuple(map(int, stablehlo.get_current_version().split("."))) >= (1, 22, 0):
        save_newest("roots", ROOTS)
        return
    olds = ("0.9.0", "0.13.0", "1.0.0", "1.4.0", "1.8.0", NEWEST)
    save_jax("train_step", train_step, [f32(6, 5), f32(5), f32(5, 2)], f32(3, 6), f32(3, 2),
             versions=olds, donate_argnums=0)
    save_jax("control", control, f32(4), jax.ShapeDtypeStruct((), jnp.float32), versions=("1.0.0", NEWEST))
    save_jax("indexing", indexing, f32(7, 5), jax.ShapeDtypeStruct((3,), jnp.int32), f32(3, 5),
             versions=("1.0.0", NEWEST))
    save_jax("convolve", convolve, f32(2, 9, 8, 3), f32(3, 2, 3, 4))
    save_jax("linear_algebra", linear_algebra, f32(3, 3), jax.ShapeDtypeStruct((2,), jnp.uint32))
    sharded()
    save_jax("chlo", chlo, f32(4, 4), versions=())
    save_text("sharded_token", SHARDED_TOKEN)
    save_text("sharding_rule", SHARDING_RULE)
    save_text("mesh_groups", MESH_GROUPS)
    save_round_trip("round_trip", ROUND_TRIP)
    save_text("constants", CONSTANTS)
    save_text("operations", OPERATIONS)
    save_quantized("quantized", QUANTIZED)
    options()
    hlo()


if __name__ == "__main__":
    main()
