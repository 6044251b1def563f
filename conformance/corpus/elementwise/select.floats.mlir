module @elementwise_select_floats {
  func.func public @main(%arg0: tensor<5xi1>, %arg1: tensor<5xbf16>, %arg2: tensor<5xbf16>, %arg3: tensor<5xi1>, %arg4: tensor<5xf16>, %arg5: tensor<5xf16>, %arg6: tensor<5xi1>, %arg7: tensor<5xf32>, %arg8: tensor<5xf32>, %arg9: tensor<5xi1>, %arg10: tensor<5xf64>, %arg11: tensor<5xf64>, %arg12: tensor<5xi1>, %arg13: tensor<5xf8E3M4>, %arg14: tensor<5xf8E3M4>, %arg15: tensor<5xi1>, %arg16: tensor<5xf8E4M3>, %arg17: tensor<5xf8E4M3>, %arg18: tensor<5xi1>, %arg19: tensor<5xf8E4M3FN>, %arg20: tensor<5xf8E4M3FN>, %arg21: tensor<5xi1>, %arg22: tensor<5xf8E4M3B11FNUZ>, %arg23: tensor<5xf8E4M3B11FNUZ>, %arg24: tensor<5xi1>, %arg25: tensor<5xf8E4M3FNUZ>, %arg26: tensor<5xf8E4M3FNUZ>, %arg27: tensor<5xi1>, %arg28: tensor<5xf8E5M2>, %arg29: tensor<5xf8E5M2>, %arg30: tensor<5xi1>, %arg31: tensor<5xf8E5M2FNUZ>, %arg32: tensor<5xf8E5M2FNUZ>) -> (tensor<5xbf16>, tensor<5xf16>, tensor<5xf32>, tensor<5xf64>, tensor<5xf8E3M4>, tensor<5xf8E4M3>, tensor<5xf8E4M3FN>, tensor<5xf8E4M3B11FNUZ>, tensor<5xf8E4M3FNUZ>, tensor<5xf8E5M2>, tensor<5xf8E5M2FNUZ>) {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<5xi1>, tensor<5xbf16>
    %1 = stablehlo.select %arg3, %arg4, %arg5 : tensor<5xi1>, tensor<5xf16>
    %2 = stablehlo.select %arg6, %arg7, %arg8 : tensor<5xi1>, tensor<5xf32>
    %3 = stablehlo.select %arg9, %arg10, %arg11 : tensor<5xi1>, tensor<5xf64>
    %4 = stablehlo.select %arg12, %arg13, %arg14 : tensor<5xi1>, tensor<5xf8E3M4>
    %5 = stablehlo.select %arg15, %arg16, %arg17 : tensor<5xi1>, tensor<5xf8E4M3>
    %6 = stablehlo.select %arg18, %arg19, %arg20 : tensor<5xi1>, tensor<5xf8E4M3FN>
    %7 = stablehlo.select %arg21, %arg22, %arg23 : tensor<5xi1>, tensor<5xf8E4M3B11FNUZ>
    %8 = stablehlo.select %arg24, %arg25, %arg26 : tensor<5xi1>, tensor<5xf8E4M3FNUZ>
    %9 = stablehlo.select %arg27, %arg28, %arg29 : tensor<5xi1>, tensor<5xf8E5M2>
    %10 = stablehlo.select %arg30, %arg31, %arg32 : tensor<5xi1>, tensor<5xf8E5M2FNUZ>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<5xbf16>, tensor<5xf16>, tensor<5xf32>, tensor<5xf64>, tensor<5xf8E3M4>, tensor<5xf8E4M3>, tensor<5xf8E4M3FN>, tensor<5xf8E4M3B11FNUZ>, tensor<5xf8E4M3FNUZ>, tensor<5xf8E5M2>, tensor<5xf8E5M2FNUZ>
  }
}
