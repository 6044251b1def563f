// run: entry_layouts canonicalize dce
module @module {
  // The first result is stored as the argument is; what aliases an argument keeps its layout.
  func.func @main(%a: tensor<2x3x4xf32>, %b: tensor<4x4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<4x2x3xf32> {mhlo.layout_mode = "auto"}, tensor<4x4xf32> {mhlo.layout_mode = "auto"}) {
    %0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0, %1 : tensor<4x2x3xf32>, tensor<4x4xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<4x4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<4x2x3xf32> {mhlo.layout_mode = "{0,2,1}"}, tensor<4x4xf32> {mhlo.layout_mode = "auto"}) {
    %0 = "stablehlo.transpose"(%arg1) {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%arg0, %0) : (tensor<2x3x4xf32>, tensor<4x4xf32>) -> ()
  }
}
