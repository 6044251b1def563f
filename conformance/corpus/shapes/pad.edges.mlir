module @shapes_pad_edges {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) -> tensor<3x5xf32> {
    %0 = stablehlo.pad %arg0, %arg1, low = [1, 0], high = [0, 2], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
}
