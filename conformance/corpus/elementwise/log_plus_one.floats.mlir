module @elementwise_log_plus_one_floats {
  func.func public @main(%arg0: tensor<33xbf16>, %arg1: tensor<33xf16>, %arg2: tensor<33xf32>, %arg3: tensor<33xf64>) -> (tensor<33xbf16>, tensor<33xf16>, tensor<33xf32>, tensor<33xf64>) {
    %0 = stablehlo.log_plus_one %arg0 : tensor<33xbf16>
    %1 = stablehlo.log_plus_one %arg1 : tensor<33xf16>
    %2 = stablehlo.log_plus_one %arg2 : tensor<33xf32>
    %3 = stablehlo.log_plus_one %arg3 : tensor<33xf64>
    return %0, %1, %2, %3 : tensor<33xbf16>, tensor<33xf16>, tensor<33xf32>, tensor<33xf64>
  }
}
