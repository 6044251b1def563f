module @control_while_data_decides {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_1 = %arg0) : tensor<i32>, tensor<f32>
    cond {
      %1 = stablehlo.compare GT, %iterArg_1, %cst : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.divide %iterArg_1, %cst : tensor<f32>
      %2 = stablehlo.add %iterArg, %c_0 : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<f32>
    }
    return %0#0, %0#1 : tensor<i32>, tensor<f32>
  }
}
