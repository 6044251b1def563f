module @reductions_sum_of_all {
  func.func public @main(%arg0: tensor<3x4x5xf32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
