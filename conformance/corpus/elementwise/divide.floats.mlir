module @elementwise_divide_floats {
  func.func public @main(%arg0: tensor<180xbf16>, %arg1: tensor<180xbf16>, %arg2: tensor<180xf16>, %arg3: tensor<180xf16>, %arg4: tensor<180xf32>, %arg5: tensor<180xf32>, %arg6: tensor<180xf64>, %arg7: tensor<180xf64>) -> (tensor<180xbf16>, tensor<180xf16>, tensor<180xf32>, tensor<180xf64>) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<180xbf16>
    %1 = stablehlo.divide %arg2, %arg3 : tensor<180xf16>
    %2 = stablehlo.divide %arg4, %arg5 : tensor<180xf32>
    %3 = stablehlo.divide %arg6, %arg7 : tensor<180xf64>
    return %0, %1, %2, %3 : tensor<180xbf16>, tensor<180xf16>, tensor<180xf32>, tensor<180xf64>
  }
}
