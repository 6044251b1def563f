// run: offload_annotations canonicalize layout offload_placement fusion offload_schedule
func.func @main(%x: tensor<64x64xf32>, %s: tensor<64x64xf32> {mhlo.memory_kind = "pinned_host"}) -> (tensor<64x64xf32>, tensor<64x64xf32> {mhlo.memory_kind = "pinned_host"}) {
  %a = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %d = stablehlo.custom_call @annotate_device_placement(%s) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %n = stablehlo.dot_general %d, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %h = stablehlo.custom_call @annotate_device_placement(%n) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = stablehlo.dot_general %n, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %f = stablehlo.dot_general %e, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %f, %h : tensor<64x64xf32>, tensor<64x64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32> {mhlo.memory_kind = "pinned_host"}) -> (tensor<64x64xf32>, tensor<64x64xf32> {mhlo.memory_kind = "pinned_host"}) {
    %0 = "stablehlo.dot_general"(%arg0, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %1 = "gantry.copy"(%arg1) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = "stablehlo.dot_general"(%0, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %3 = "gantry.copy_done"(%1, %arg1) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %4 = "stablehlo.dot_general"(%3, %2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = "gantry.copy"(%4) : (tensor<64x64xf32>) -> tensor<64x64xf32, "pinned_host">
    %6 = "stablehlo.dot_general"(%4, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %7 = "gantry.copy_done"(%5, %4) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32, "pinned_host">
    %8 = "stablehlo.dot_general"(%6, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    "func.return"(%8, %7) : (tensor<64x64xf32>, tensor<64x64xf32>) -> ()
  }
}
