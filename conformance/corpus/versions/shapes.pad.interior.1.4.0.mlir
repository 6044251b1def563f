module @shapes_pad_interior {
  func.func public @main(%arg0: tensor<3x2xf32>, %arg1: tensor<f32>) -> tensor<7x3xf32> {
    %0 = stablehlo.pad %arg0, %arg1, low = [0, 0], high = [0, 0], interior = [2, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<7x3xf32>
    return %0 : tensor<7x3xf32>
  }
}
