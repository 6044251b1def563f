// run: canonicalize
func.func @main(%x: tensor<4x5x3xf32>, %y: tensor<4xf32>) -> (tensor<8x10x3xf32>, tensor<2x20xf32>, tensor<8x3x2xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2, 3] : (tensor<4x5x3xf32>) -> tensor<4x2x5x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x2x5x3xf32>) -> tensor<8x5x3xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 3] : (tensor<8x5x3xf32>) -> tensor<8x5x2x3xf32>
  %3 = stablehlo.reshape %2 : (tensor<8x5x2x3xf32>) -> tensor<8x10x3xf32>
  // The new dimension is outside of the joined ones.
  %4 = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<4xf32>) -> tensor<4x5xf32>
  %5 = stablehlo.reshape %4 : (tensor<4x5xf32>) -> tensor<20xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<20xf32>) -> tensor<2x20xf32>
  // The reshape cuts a dimension: two broadcasts remain.
  %7 = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
  %8 = stablehlo.reshape %7 : (tensor<4x6xf32>) -> tensor<8x3xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<8x3xf32>) -> tensor<8x3x2xf32>
  return %3, %6, %9 : tensor<8x10x3xf32>, tensor<2x20xf32>, tensor<8x3x2xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x5x3xf32>, %arg1: tensor<4xf32>) -> (tensor<8x10x3xf32>, tensor<2x20xf32>, tensor<8x3x2xf32>) {
    %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 2, 3>} : (tensor<4x5x3xf32>) -> tensor<4x2x5x3xf32>
    %1 = "stablehlo.reshape"(%0) : (tensor<4x2x5x3xf32>) -> tensor<8x5x3xf32>
    %2 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 2, 4>} : (tensor<4x5x3xf32>) -> tensor<4x2x5x2x3xf32>
    %3 = "stablehlo.reshape"(%2) : (tensor<4x2x5x2x3xf32>) -> tensor<8x5x2x3xf32>
    %4 = "stablehlo.reshape"(%2) : (tensor<4x2x5x2x3xf32>) -> tensor<8x10x3xf32>
    %5 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x5xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<4x5xf32>) -> tensor<20xf32>
    %7 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf32>) -> tensor<2x4x5xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<2x4x5xf32>) -> tensor<2x20xf32>
    %9 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4x6xf32>
    %10 = "stablehlo.reshape"(%9) : (tensor<4x6xf32>) -> tensor<8x3xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<8x3xf32>) -> tensor<8x3x2xf32>
    "func.return"(%4, %8, %11) : (tensor<8x10x3xf32>, tensor<2x20xf32>, tensor<8x3x2xf32>) -> ()
  }
}
