module @control_while_nested {
  func.func public @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c_0, %iterArg_2 = %arg0) : tensor<i32>, tensor<3xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      %c_3 = stablehlo.constant dense<2> : tensor<i32>
      %2:2 = stablehlo.while(%iterArg_4 = %c_0, %iterArg_5 = %iterArg_2) : tensor<i32>, tensor<3xf32>
      cond {
        %3 = stablehlo.compare LT, %iterArg_4, %c_3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %3 : tensor<i1>
      } do {
        %3 = stablehlo.add %iterArg_4, %c_1 : tensor<i32>
        %4 = stablehlo.add %iterArg_5, %iterArg_5 : tensor<3xf32>
        stablehlo.return %3, %4 : tensor<i32>, tensor<3xf32>
      }
      stablehlo.return %1, %2#1 : tensor<i32>, tensor<3xf32>
    }
    return %0#1 : tensor<3xf32>
  }
}
