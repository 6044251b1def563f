module @shapes_pad_cut_interior {
  func.func public @main(%arg0: tensor<3x3xf32>, %arg1: tensor<f32>) -> tensor<2x5xf32> {
    %0 = stablehlo.pad %arg0, %arg1, low = [-2, 1], high = [-1, -3], interior = [1, 2] : (tensor<3x3xf32>, tensor<f32>) -> tensor<2x5xf32>
    return %0 : tensor<2x5xf32>
  }
}
