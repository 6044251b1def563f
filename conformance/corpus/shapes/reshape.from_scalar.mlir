module @shapes_reshape_from_scalar {
  func.func public @main(%arg0: tensor<f32>) -> tensor<1x1x1xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<f32>) -> tensor<1x1x1xf32>
    return %0 : tensor<1x1x1xf32>
  }
}
