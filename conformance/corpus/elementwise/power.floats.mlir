module @elementwise_power_floats {
  func.func public @main(%arg0: tensor<194xbf16>, %arg1: tensor<194xbf16>, %arg2: tensor<193xf16>, %arg3: tensor<193xf16>, %arg4: tensor<194xf32>, %arg5: tensor<194xf32>, %arg6: tensor<194xf64>, %arg7: tensor<194xf64>) -> (tensor<194xbf16>, tensor<193xf16>, tensor<194xf32>, tensor<194xf64>) {
    %0 = stablehlo.power %arg0, %arg1 : tensor<194xbf16>
    %1 = stablehlo.power %arg2, %arg3 : tensor<193xf16>
    %2 = stablehlo.power %arg4, %arg5 : tensor<194xf32>
    %3 = stablehlo.power %arg6, %arg7 : tensor<194xf64>
    return %0, %1, %2, %3 : tensor<194xbf16>, tensor<193xf16>, tensor<194xf32>, tensor<194xf64>
  }
}
