module @elementwise_sine_floats {
  func.func public @main(%arg0: tensor<31xbf16>, %arg1: tensor<31xf16>, %arg2: tensor<31xf32>, %arg3: tensor<31xf64>) -> (tensor<31xbf16>, tensor<31xf16>, tensor<31xf32>, tensor<31xf64>) {
    %0 = stablehlo.sine %arg0 : tensor<31xbf16>
    %1 = stablehlo.sine %arg1 : tensor<31xf16>
    %2 = stablehlo.sine %arg2 : tensor<31xf32>
    %3 = stablehlo.sine %arg3 : tensor<31xf64>
    return %0, %1, %2, %3 : tensor<31xbf16>, tensor<31xf16>, tensor<31xf32>, tensor<31xf64>
  }
}
