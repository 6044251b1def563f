module @products_dot_form_two_batches {
  func.func public @main(%arg0: tensor<2x3x4x5xf32>, %arg1: tensor<3x5x2x6xf32>) -> tensor<2x3x4x6xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 1] x [2, 0], contracting_dims = [3] x [1] : (tensor<2x3x4x5xf32>, tensor<3x5x2x6xf32>) -> tensor<2x3x4x6xf32>
    return %0 : tensor<2x3x4x6xf32>
  }
}
