module @elementwise_maximum_floats {
  func.func public @main(%arg0: tensor<179xbf16>, %arg1: tensor<179xbf16>, %arg2: tensor<179xf16>, %arg3: tensor<179xf16>, %arg4: tensor<179xf32>, %arg5: tensor<179xf32>, %arg6: tensor<179xf64>, %arg7: tensor<179xf64>) -> (tensor<179xbf16>, tensor<179xf16>, tensor<179xf32>, tensor<179xf64>) {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<179xbf16>
    %1 = stablehlo.maximum %arg2, %arg3 : tensor<179xf16>
    %2 = stablehlo.maximum %arg4, %arg5 : tensor<179xf32>
    %3 = stablehlo.maximum %arg6, %arg7 : tensor<179xf64>
    return %0, %1, %2, %3 : tensor<179xbf16>, tensor<179xf16>, tensor<179xf32>, tensor<179xf64>
  }
}
