module @elementwise_tanh_floats {
  func.func public @main(%arg0: tensor<31xbf16>, %arg1: tensor<31xf16>, %arg2: tensor<31xf32>, %arg3: tensor<31xf64>) -> (tensor<31xbf16>, tensor<31xf16>, tensor<31xf32>, tensor<31xf64>) {
    %0 = stablehlo.tanh %arg0 : tensor<31xbf16>
    %1 = stablehlo.tanh %arg1 : tensor<31xf16>
    %2 = stablehlo.tanh %arg2 : tensor<31xf32>
    %3 = stablehlo.tanh %arg3 : tensor<31xf64>
    return %0, %1, %2, %3 : tensor<31xbf16>, tensor<31xf16>, tensor<31xf32>, tensor<31xf64>
  }
}
