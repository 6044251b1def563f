module @shapes_pad_cut {
  func.func public @main(%arg0: tensor<5x4xf32>, %arg1: tensor<f32>) -> tensor<3x2xf32> {
    %0 = stablehlo.pad %arg0, %arg1, low = [-1, -2], high = [-1, 0], interior = [0, 0] : (tensor<5x4xf32>, tensor<f32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}
