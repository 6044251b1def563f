module @shapes_concatenate_inner {
  func.func public @main(%arg0: tensor<2x1x3xf32>, %arg1: tensor<2x4x3xf32>) -> tensor<2x5x3xf32> {
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<2x1x3xf32>, tensor<2x4x3xf32>) -> tensor<2x5x3xf32>
    return %0 : tensor<2x5x3xf32>
  }
}
