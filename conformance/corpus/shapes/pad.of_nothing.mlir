module @shapes_pad_of_nothing {
  func.func public @main(%arg0: tensor<0x2xf32>, %arg1: tensor<f32>) -> tensor<3x2xf32> {
    %0 = stablehlo.pad %arg0, %arg1, low = [2, 0], high = [1, 0], interior = [3, 0] : (tensor<0x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}
