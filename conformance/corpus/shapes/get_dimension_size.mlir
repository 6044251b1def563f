module @shapes_get_dimension_size {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<i32> {
    %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
    return %0 : tensor<i32>
  }
}
