module @shapes_transpose_rank_5 {
  func.func public @main(%arg0: tensor<2x3x2x1x4xf32>) -> tensor<4x2x2x1x3xf32> {
    %0 = stablehlo.transpose %arg0, dims = [4, 2, 0, 3, 1] : (tensor<2x3x2x1x4xf32>) -> tensor<4x2x2x1x3xf32>
    return %0 : tensor<4x2x2x1x3xf32>
  }
}
