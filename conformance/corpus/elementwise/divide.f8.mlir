module @elementwise_divide_f8 {
  func.func public @main(%arg0: tensor<121xf8E3M4>, %arg1: tensor<121xf8E3M4>, %arg2: tensor<121xf8E4M3>, %arg3: tensor<121xf8E4M3>, %arg4: tensor<100xf8E4M3FN>, %arg5: tensor<100xf8E4M3FN>, %arg6: tensor<100xf8E4M3B11FNUZ>, %arg7: tensor<100xf8E4M3B11FNUZ>, %arg8: tensor<100xf8E4M3FNUZ>, %arg9: tensor<100xf8E4M3FNUZ>, %arg10: tensor<121xf8E5M2>, %arg11: tensor<121xf8E5M2>, %arg12: tensor<100xf8E5M2FNUZ>, %arg13: tensor<100xf8E5M2FNUZ>) -> (tensor<121xf8E3M4>, tensor<121xf8E4M3>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3B11FNUZ>, tensor<100xf8E4M3FNUZ>, tensor<121xf8E5M2>, tensor<100xf8E5M2FNUZ>) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<121xf8E3M4>
    %1 = stablehlo.divide %arg2, %arg3 : tensor<121xf8E4M3>
    %2 = stablehlo.divide %arg4, %arg5 : tensor<100xf8E4M3FN>
    %3 = stablehlo.divide %arg6, %arg7 : tensor<100xf8E4M3B11FNUZ>
    %4 = stablehlo.divide %arg8, %arg9 : tensor<100xf8E4M3FNUZ>
    %5 = stablehlo.divide %arg10, %arg11 : tensor<121xf8E5M2>
    %6 = stablehlo.divide %arg12, %arg13 : tensor<100xf8E5M2FNUZ>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<121xf8E3M4>, tensor<121xf8E4M3>, tensor<100xf8E4M3FN>, tensor<100xf8E4M3B11FNUZ>, tensor<100xf8E4M3FNUZ>, tensor<121xf8E5M2>, tensor<100xf8E5M2FNUZ>
  }
}
