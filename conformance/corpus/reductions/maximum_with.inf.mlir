module @reductions_maximum_with_inf {
  func.func public @main(%arg0: tensor<3x6xf32>, %arg1: tensor<f32>) -> tensor<3xf32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [1] : (tensor<3x6xf32>, tensor<f32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
