// run: canonicalize
func.func @main(%x: tensor<4x3xf32>, %y: tensor<2x3xf32>) -> (tensor<10x3xf32>, tensor<8x6xf32>) {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
  %1 = stablehlo.concatenate %0, %x, dim = 0 : (tensor<6x3xf32>, tensor<4x3xf32>) -> tensor<10x3xf32>
  %2 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %3 = stablehlo.concatenate %2, %2, dim = 1 : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x6xf32>
  return %1, %3 : tensor<10x3xf32>, tensor<8x6xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<2x3xf32>) -> (tensor<10x3xf32>, tensor<8x6xf32>) {
    %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
    %1 = "stablehlo.concatenate"(%arg0, %arg1, %arg0) {dimension = 0 : i64} : (tensor<4x3xf32>, tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<10x3xf32>
    %2 = "stablehlo.concatenate"(%arg0, %arg0) {dimension = 0 : i64} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
    %3 = "stablehlo.concatenate"(%2, %2) {dimension = 1 : i64} : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x6xf32>
    "func.return"(%1, %3) : (tensor<10x3xf32>, tensor<8x6xf32>) -> ()
  }
}
