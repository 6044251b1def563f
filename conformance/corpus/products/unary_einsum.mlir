module @products_unary_einsum {
  func.func public @main(%arg0: tensor<3x5xf32>) -> tensor<5x3xf32> {
    %0 = stablehlo.unary_einsum %arg0, config = "ij->ji" : (tensor<3x5xf32>) -> tensor<5x3xf32>
    return %0 : tensor<5x3xf32>
  }
}
