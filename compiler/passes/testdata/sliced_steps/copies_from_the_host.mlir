// run: offload_annotations canonicalize layout offload_placement fusion sliced_steps
func.func @main(%x: tensor<64x64xf32>, %s: tensor<3x64x64xf32> {mhlo.memory_kind = "pinned_host"}, %i: tensor<i32>) -> tensor<64x64xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %p = stablehlo.dynamic_slice %s, %i, %0, %0, sizes = [1, 64, 64] : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
  %d = stablehlo.custom_call @annotate_device_placement(%p) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
  %m = stablehlo.reshape %d : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
  %n = stablehlo.dot_general %x, %m, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %n : tensor<64x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x64xf32>, %arg1: tensor<3x64x64xf32> {mhlo.memory_kind = "pinned_host"}, %arg2: tensor<i32>) -> (tensor<64x64xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.dynamic_slice"(%arg1, %arg2, %0, %0) {slice_sizes = array<i64: 1, 64, 64>} : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %2 = "stablehlo.reshape"(%1) : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    %3 = "stablehlo.dot_general"(%arg0, %2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    "func.return"(%3) : (tensor<64x64xf32>) -> ()
  }
}
