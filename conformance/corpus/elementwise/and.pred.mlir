module @elementwise_and_pred {
  func.func public @main(%arg0: tensor<4xi1>, %arg1: tensor<4xi1>) -> tensor<4xi1> {
    %0 = stablehlo.and %arg0, %arg1 : tensor<4xi1>
    return %0 : tensor<4xi1>
  }
}
