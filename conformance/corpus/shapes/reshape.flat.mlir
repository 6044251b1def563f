module @shapes_reshape_flat {
  func.func public @main(%arg0: tensor<2x3x4xf32>) -> tensor<24xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<24xf32>
    return %0 : tensor<24xf32>
  }
}
