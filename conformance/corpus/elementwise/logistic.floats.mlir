module @elementwise_logistic_floats {
  func.func public @main(%arg0: tensor<32xbf16>, %arg1: tensor<32xf16>, %arg2: tensor<32xf32>, %arg3: tensor<32xf64>) -> (tensor<32xbf16>, tensor<32xf16>, tensor<32xf32>, tensor<32xf64>) {
    %0 = stablehlo.logistic %arg0 : tensor<32xbf16>
    %1 = stablehlo.logistic %arg1 : tensor<32xf16>
    %2 = stablehlo.logistic %arg2 : tensor<32xf32>
    %3 = stablehlo.logistic %arg3 : tensor<32xf64>
    return %0, %1, %2, %3 : tensor<32xbf16>, tensor<32xf16>, tensor<32xf32>, tensor<32xf64>
  }
}
