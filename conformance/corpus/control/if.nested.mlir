module @control_if_nested {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "stablehlo.if"(%arg0) ({
      %1 = "stablehlo.if"(%arg0) ({
        %2 = stablehlo.abs %arg1 : tensor<3xf32>
        stablehlo.return %2 : tensor<3xf32>
      }, {
        stablehlo.return %arg1 : tensor<3xf32>
      }) : (tensor<i1>) -> tensor<3xf32>
      stablehlo.return %1 : tensor<3xf32>
    }, {
      stablehlo.return %arg1 : tensor<3xf32>
    }) : (tensor<i1>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
