module @reductions_sum_of_wide {
  func.func public @main(%arg0: tensor<2x2049xf32>, %arg1: tensor<f32>) -> tensor<2049xf32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] : (tensor<2x2049xf32>, tensor<f32>) -> tensor<2049xf32>
    return %0 : tensor<2049xf32>
  }
}
