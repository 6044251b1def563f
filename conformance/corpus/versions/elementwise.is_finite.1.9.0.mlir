module @elementwise_is_finite {
  func.func public @main(%arg0: tensor<22xbf16>, %arg1: tensor<22xf16>, %arg2: tensor<22xf32>, %arg3: tensor<22xf64>, %arg4: tensor<22xf8E3M4>, %arg5: tensor<22xf8E4M3>, %arg6: tensor<20xf8E4M3FN>, %arg7: tensor<19xf8E4M3B11FNUZ>, %arg8: tensor<19xf8E4M3FNUZ>, %arg9: tensor<22xf8E5M2>, %arg10: tensor<19xf8E5M2FNUZ>) -> (tensor<22xi1>, tensor<22xi1>, tensor<22xi1>, tensor<22xi1>, tensor<22xi1>, tensor<22xi1>, tensor<20xi1>, tensor<19xi1>, tensor<19xi1>, tensor<22xi1>, tensor<19xi1>) {
    %0 = stablehlo.is_finite %arg0 : (tensor<22xbf16>) -> tensor<22xi1>
    %1 = stablehlo.is_finite %arg1 : (tensor<22xf16>) -> tensor<22xi1>
    %2 = stablehlo.is_finite %arg2 : (tensor<22xf32>) -> tensor<22xi1>
    %3 = stablehlo.is_finite %arg3 : (tensor<22xf64>) -> tensor<22xi1>
    %4 = stablehlo.is_finite %arg4 : (tensor<22xf8E3M4>) -> tensor<22xi1>
    %5 = stablehlo.is_finite %arg5 : (tensor<22xf8E4M3>) -> tensor<22xi1>
    %6 = stablehlo.is_finite %arg6 : (tensor<20xf8E4M3FN>) -> tensor<20xi1>
    %7 = stablehlo.is_finite %arg7 : (tensor<19xf8E4M3B11FNUZ>) -> tensor<19xi1>
    %8 = stablehlo.is_finite %arg8 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xi1>
    %9 = stablehlo.is_finite %arg9 : (tensor<22xf8E5M2>) -> tensor<22xi1>
    %10 = stablehlo.is_finite %arg10 : (tensor<19xf8E5M2FNUZ>) -> tensor<19xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<22xi1>, tensor<22xi1>, tensor<22xi1>, tensor<22xi1>, tensor<22xi1>, tensor<22xi1>, tensor<20xi1>, tensor<19xi1>, tensor<19xi1>, tensor<22xi1>, tensor<19xi1>
  }
}
