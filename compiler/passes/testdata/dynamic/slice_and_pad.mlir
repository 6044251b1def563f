// run: dynamic dce
func.func @main(%x: tensor<6xf32>, %y: tensor<f32>) -> tensor<5xf32> {
  %low = stablehlo.constant dense<1> : tensor<1xi64>
  %high = stablehlo.constant dense<4> : tensor<1xi64>
  %step = stablehlo.constant dense<1> : tensor<1xi64>
  %none = stablehlo.constant dense<0> : tensor<1xi64>
  %0 = stablehlo.real_dynamic_slice %x, %low, %high, %step : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  %1 = stablehlo.dynamic_pad %0, %y, %low, %low, %none : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>, %arg1: tensor<f32>) -> (tensor<5xf32>) {
    %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1>, limit_indices = array<i64: 4>, strides = array<i64: 1>} : (tensor<6xf32>) -> tensor<3xf32>
    %1 = "stablehlo.pad"(%0, %arg1) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
    "func.return"(%1) : (tensor<5xf32>) -> ()
  }
}
