module @products_dot_matrix_by_vector {
  func.func public @main(%arg0: tensor<3x5xf32>, %arg1: tensor<5xf32>) -> tensor<3xf32> {
    %0 = stablehlo.dot %arg0, %arg1 : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
