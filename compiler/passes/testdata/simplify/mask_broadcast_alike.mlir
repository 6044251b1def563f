// run: simplify
func.func @main(%x: tensor<4xf32>, %m: tensor<4xi1>) -> tensor<3x4xf32> {
  %0 = stablehlo.convert %m : (tensor<4xi1>) -> tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<3x4xf32>
  return %3 : tensor<3x4xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi1>) -> (tensor<3x4xf32>) {
    %0 = "stablehlo.convert"(%arg1) : (tensor<4xi1>) -> tensor<4xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf32>) -> tensor<3x4xf32>
    %2 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf32>) -> tensor<3x4xf32>
    %3 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<4xi1>) -> tensor<3x4xi1>
    %4 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<3x4xf32>} : () -> tensor<3x4xf32>
    %5 = "stablehlo.select"(%3, %2, %4) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%5) : (tensor<3x4xf32>) -> ()
  }
}
