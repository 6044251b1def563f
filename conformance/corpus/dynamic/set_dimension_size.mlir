module @dynamic_set_dimension_size {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %0 = stablehlo.set_dimension_size %arg0, %c, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
