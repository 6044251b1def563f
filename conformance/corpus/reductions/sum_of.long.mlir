module @reductions_sum_of_long {
  func.func public @main(%arg0: tensor<4099xf32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] : (tensor<4099xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
