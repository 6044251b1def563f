// run: fusion
func.func @main(%x: tensor<64x40x3xf32>) -> tensor<66x42x3xf32> {
  %0 = stablehlo.slice %x [63:64, 0:40, 0:3] : (tensor<64x40x3xf32>) -> tensor<1x40x3xf32>
  %1 = stablehlo.slice %x [0:1, 0:40, 0:3] : (tensor<64x40x3xf32>) -> tensor<1x40x3xf32>
  %2 = stablehlo.concatenate %0, %x, %1, dim = 0 : (tensor<1x40x3xf32>, tensor<64x40x3xf32>, tensor<1x40x3xf32>) -> tensor<66x40x3xf32>
  %3 = stablehlo.slice %2 [0:66, 39:40, 0:3] : (tensor<66x40x3xf32>) -> tensor<66x1x3xf32>
  %4 = stablehlo.slice %2 [0:66, 0:1, 0:3] : (tensor<66x40x3xf32>) -> tensor<66x1x3xf32>
  %5 = stablehlo.concatenate %3, %2, %4, dim = 1 : (tensor<66x1x3xf32>, tensor<66x40x3xf32>, tensor<66x1x3xf32>) -> tensor<66x42x3xf32>
  return %5 : tensor<66x42x3xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x40x3xf32>) -> (tensor<66x42x3xf32>) {
    %0 = "gantry.fusion"(%arg0) ({
    ^bb0(%arg1: tensor<64x40x3xf32>):
      %1 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 63, 0, 0>, limit_indices = array<i64: 64, 40, 3>, strides = array<i64: 1, 1, 1>} : (tensor<64x40x3xf32>) -> tensor<1x40x3xf32>
      %2 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 1, 40, 3>, strides = array<i64: 1, 1, 1>} : (tensor<64x40x3xf32>) -> tensor<1x40x3xf32>
      %3 = "stablehlo.concatenate"(%1, %arg1, %2) {dimension = 0 : i64} : (tensor<1x40x3xf32>, tensor<64x40x3xf32>, tensor<1x40x3xf32>) -> tensor<66x40x3xf32>
      %4 = "stablehlo.slice"(%3) {start_indices = array<i64: 0, 39, 0>, limit_indices = array<i64: 66, 40, 3>, strides = array<i64: 1, 1, 1>} : (tensor<66x40x3xf32>) -> tensor<66x1x3xf32>
      %5 = "stablehlo.slice"(%3) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 66, 1, 3>, strides = array<i64: 1, 1, 1>} : (tensor<66x40x3xf32>) -> tensor<66x1x3xf32>
      %6 = "stablehlo.concatenate"(%4, %3, %5) {dimension = 1 : i64} : (tensor<66x1x3xf32>, tensor<66x40x3xf32>, tensor<66x1x3xf32>) -> tensor<66x42x3xf32>
      "stablehlo.return"(%6) : (tensor<66x42x3xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<64x40x3xf32>) -> tensor<66x42x3xf32>
    "func.return"(%0) : (tensor<66x42x3xf32>) -> ()
  }
}
