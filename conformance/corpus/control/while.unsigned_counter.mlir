module @control_while_unsigned_counter {
  func.func public @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %c = stablehlo.constant dense<3> : tensor<ui8>
    %c_0 = stablehlo.constant dense<0> : tensor<ui8>
    %c_1 = stablehlo.constant dense<1> : tensor<ui8>
    %0:2 = stablehlo.while(%iterArg = %c_0, %iterArg_2 = %arg0) : tensor<ui8>, tensor<3xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %c : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %iterArg, %c_1 : tensor<ui8>
      %2 = stablehlo.add %iterArg_2, %iterArg_2 : tensor<3xf32>
      stablehlo.return %1, %2 : tensor<ui8>, tensor<3xf32>
    }
    return %0#1 : tensor<3xf32>
  }
}
