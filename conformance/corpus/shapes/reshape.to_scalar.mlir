module @shapes_reshape_to_scalar {
  func.func public @main(%arg0: tensor<1x1xf32>) -> tensor<f32> {
    %0 = stablehlo.reshape %arg0 : (tensor<1x1xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
