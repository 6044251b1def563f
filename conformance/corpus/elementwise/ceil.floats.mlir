module @elementwise_ceil_floats {
  func.func public @main(%arg0: tensor<34xbf16>, %arg1: tensor<34xf16>, %arg2: tensor<34xf32>, %arg3: tensor<34xf64>) -> (tensor<34xbf16>, tensor<34xf16>, tensor<34xf32>, tensor<34xf64>) {
    %0 = stablehlo.ceil %arg0 : tensor<34xbf16>
    %1 = stablehlo.ceil %arg1 : tensor<34xf16>
    %2 = stablehlo.ceil %arg2 : tensor<34xf32>
    %3 = stablehlo.ceil %arg3 : tensor<34xf64>
    return %0, %1, %2, %3 : tensor<34xbf16>, tensor<34xf16>, tensor<34xf32>, tensor<34xf64>
  }
}
