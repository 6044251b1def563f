module @products_dot_general_f32_f32_to_f64 {
  func.func public @main(%arg0: tensor<2x3x5xf32>, %arg1: tensor<5x2x4xf32>) -> tensor<2x3x4xf64> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x5xf32>, tensor<5x2x4xf32>) -> tensor<2x3x4xf64>
    return %0 : tensor<2x3x4xf64>
  }
}
