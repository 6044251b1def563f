module @shapes_reshape_empty {
  func.func public @main(%arg0: tensor<0x4xf32>) -> tensor<2x0x7xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<0x4xf32>) -> tensor<2x0x7xf32>
    return %0 : tensor<2x0x7xf32>
  }
}
