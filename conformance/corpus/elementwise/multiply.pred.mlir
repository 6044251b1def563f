module @elementwise_multiply_pred {
  func.func public @main(%arg0: tensor<4xi1>, %arg1: tensor<4xi1>) -> tensor<4xi1> {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<4xi1>
    return %0 : tensor<4xi1>
  }
}
