module @products_einsum {
  func.func public @main(%arg0: tensor<3x5xf32>, %arg1: tensor<5x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.einsum %arg0, %arg1, config = "ij,jk->ik" : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
