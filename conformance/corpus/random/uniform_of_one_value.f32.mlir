module @random_uniform_of_one_value_f32 {
  func.func public @main(%arg0: tensor<f32>) -> tensor<3x4xf32> {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
    %0 = stablehlo.rng %arg0, %cst, %c, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
