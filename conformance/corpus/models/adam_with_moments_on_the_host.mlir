module @jit_adam_with_moments_on_the_host attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x8xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<6x8xf32>) -> (tensor<6x8xf32> {jax.result_info = "result[0]", mhlo.memory_kind = "device"}, tensor<6x8xf32> {jax.result_info = "result[1]", mhlo.memory_kind = "device"}) {
    %0 = stablehlo.custom_call @annotate_device_placement(%arg1) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %1 = stablehlo.custom_call @annotate_device_placement(%0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %cst = stablehlo.constant dense<0.899999976> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<6x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %5 = stablehlo.multiply %4, %arg2 : tensor<6x8xf32>
    %6 = stablehlo.add %3, %5 : tensor<6x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<6x8xf32>
    %9 = stablehlo.subtract %arg0, %8 : tensor<6x8xf32>
    %10 = stablehlo.custom_call @annotate_device_placement(%6) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %11 = stablehlo.custom_call @annotate_device_placement(%10) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    return %9, %11 : tensor<6x8xf32>, tensor<6x8xf32>
  }
}
