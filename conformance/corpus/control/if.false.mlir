module @control_if_false {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<3xf32>) -> (tensor<3xf32>, tensor<i32>) {
    %0:2 = "stablehlo.if"(%arg0) ({
      %1 = stablehlo.floor %arg1 : tensor<3xf32>
      %c = stablehlo.constant dense<1> : tensor<i32>
      stablehlo.return %1, %c : tensor<3xf32>, tensor<i32>
    }, {
      %1 = stablehlo.abs %arg1 : tensor<3xf32>
      %c = stablehlo.constant dense<2> : tensor<i32>
      stablehlo.return %1, %c : tensor<3xf32>, tensor<i32>
    }) : (tensor<i1>) -> (tensor<3xf32>, tensor<i32>)
    return %0#0, %0#1 : tensor<3xf32>, tensor<i32>
  }
}
