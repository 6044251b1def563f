module @reductions_sum_of_ones {
  func.func public @main(%arg0: tensor<1x1x7xf32>, %arg1: tensor<f32>) -> tensor<7xf32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x7xf32>, tensor<f32>) -> tensor<7xf32>
    return %0 : tensor<7xf32>
  }
}
