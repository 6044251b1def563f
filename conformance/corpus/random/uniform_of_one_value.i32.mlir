module @random_uniform_of_one_value_i32 {
  func.func public @main(%arg0: tensor<i32>) -> tensor<3x4xi32> {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %c_0 = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
    %0 = stablehlo.rng %arg0, %c, %c_0, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<3x4xi32>
    return %0 : tensor<3x4xi32>
  }
}
