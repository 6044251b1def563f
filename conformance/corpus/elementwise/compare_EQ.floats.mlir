module @elementwise_compare_EQ_floats {
  func.func public @main(%arg0: tensor<196xbf16>, %arg1: tensor<196xbf16>, %arg2: tensor<196xf16>, %arg3: tensor<196xf16>, %arg4: tensor<196xf32>, %arg5: tensor<196xf32>, %arg6: tensor<196xf64>, %arg7: tensor<196xf64>, %arg8: tensor<121xf8E3M4>, %arg9: tensor<121xf8E3M4>, %arg10: tensor<121xf8E4M3>, %arg11: tensor<121xf8E4M3>, %arg12: tensor<100xf8E4M3FN>, %arg13: tensor<100xf8E4M3FN>, %arg14: tensor<100xf8E4M3B11FNUZ>, %arg15: tensor<100xf8E4M3B11FNUZ>, %arg16: tensor<100xf8E4M3FNUZ>, %arg17: tensor<100xf8E4M3FNUZ>, %arg18: tensor<121xf8E5M2>, %arg19: tensor<121xf8E5M2>, %arg20: tensor<100xf8E5M2FNUZ>, %arg21: tensor<100xf8E5M2FNUZ>) -> (tensor<196xi1>, tensor<196xi1>, tensor<196xi1>, tensor<196xi1>, tensor<121xi1>, tensor<121xi1>, tensor<100xi1>, tensor<100xi1>, tensor<100xi1>, tensor<121xi1>, tensor<100xi1>) {
    %0 = stablehlo.compare EQ, %arg0, %arg1 : (tensor<196xbf16>, tensor<196xbf16>) -> tensor<196xi1>
    %1 = stablehlo.compare EQ, %arg2, %arg3 : (tensor<196xf16>, tensor<196xf16>) -> tensor<196xi1>
    %2 = stablehlo.compare EQ, %arg4, %arg5 : (tensor<196xf32>, tensor<196xf32>) -> tensor<196xi1>
    %3 = stablehlo.compare EQ, %arg6, %arg7 : (tensor<196xf64>, tensor<196xf64>) -> tensor<196xi1>
    %4 = stablehlo.compare EQ, %arg8, %arg9 : (tensor<121xf8E3M4>, tensor<121xf8E3M4>) -> tensor<121xi1>
    %5 = stablehlo.compare EQ, %arg10, %arg11 : (tensor<121xf8E4M3>, tensor<121xf8E4M3>) -> tensor<121xi1>
    %6 = stablehlo.compare EQ, %arg12, %arg13 : (tensor<100xf8E4M3FN>, tensor<100xf8E4M3FN>) -> tensor<100xi1>
    %7 = stablehlo.compare EQ, %arg14, %arg15 : (tensor<100xf8E4M3B11FNUZ>, tensor<100xf8E4M3B11FNUZ>) -> tensor<100xi1>
    %8 = stablehlo.compare EQ, %arg16, %arg17 : (tensor<100xf8E4M3FNUZ>, tensor<100xf8E4M3FNUZ>) -> tensor<100xi1>
    %9 = stablehlo.compare EQ, %arg18, %arg19 : (tensor<121xf8E5M2>, tensor<121xf8E5M2>) -> tensor<121xi1>
    %10 = stablehlo.compare EQ, %arg20, %arg21 : (tensor<100xf8E5M2FNUZ>, tensor<100xf8E5M2FNUZ>) -> tensor<100xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<196xi1>, tensor<196xi1>, tensor<196xi1>, tensor<196xi1>, tensor<121xi1>, tensor<121xi1>, tensor<100xi1>, tensor<100xi1>, tensor<100xi1>, tensor<121xi1>, tensor<100xi1>
  }
}
