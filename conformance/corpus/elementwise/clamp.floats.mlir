module @elementwise_clamp_floats {
  func.func public @main(%arg0: tensor<6xbf16>, %arg1: tensor<6xbf16>, %arg2: tensor<6xbf16>, %arg3: tensor<6xf16>, %arg4: tensor<6xf16>, %arg5: tensor<6xf16>, %arg6: tensor<6xf32>, %arg7: tensor<6xf32>, %arg8: tensor<6xf32>, %arg9: tensor<6xf64>, %arg10: tensor<6xf64>, %arg11: tensor<6xf64>, %arg12: tensor<6xf8E3M4>, %arg13: tensor<6xf8E3M4>, %arg14: tensor<6xf8E3M4>, %arg15: tensor<6xf8E4M3>, %arg16: tensor<6xf8E4M3>, %arg17: tensor<6xf8E4M3>, %arg18: tensor<6xf8E4M3FN>, %arg19: tensor<6xf8E4M3FN>, %arg20: tensor<6xf8E4M3FN>, %arg21: tensor<6xf8E4M3B11FNUZ>, %arg22: tensor<6xf8E4M3B11FNUZ>, %arg23: tensor<6xf8E4M3B11FNUZ>, %arg24: tensor<6xf8E4M3FNUZ>, %arg25: tensor<6xf8E4M3FNUZ>, %arg26: tensor<6xf8E4M3FNUZ>, %arg27: tensor<6xf8E5M2>, %arg28: tensor<6xf8E5M2>, %arg29: tensor<6xf8E5M2>, %arg30: tensor<6xf8E5M2FNUZ>, %arg31: tensor<6xf8E5M2FNUZ>, %arg32: tensor<6xf8E5M2FNUZ>) -> (tensor<6xbf16>, tensor<6xf16>, tensor<6xf32>, tensor<6xf64>, tensor<6xf8E3M4>, tensor<6xf8E4M3>, tensor<6xf8E4M3FN>, tensor<6xf8E4M3B11FNUZ>, tensor<6xf8E4M3FNUZ>, tensor<6xf8E5M2>, tensor<6xf8E5M2FNUZ>) {
    %0 = stablehlo.clamp %arg0, %arg1, %arg2 : tensor<6xbf16>
    %1 = stablehlo.clamp %arg3, %arg4, %arg5 : tensor<6xf16>
    %2 = stablehlo.clamp %arg6, %arg7, %arg8 : tensor<6xf32>
    %3 = stablehlo.clamp %arg9, %arg10, %arg11 : tensor<6xf64>
    %4 = stablehlo.clamp %arg12, %arg13, %arg14 : tensor<6xf8E3M4>
    %5 = stablehlo.clamp %arg15, %arg16, %arg17 : tensor<6xf8E4M3>
    %6 = stablehlo.clamp %arg18, %arg19, %arg20 : tensor<6xf8E4M3FN>
    %7 = stablehlo.clamp %arg21, %arg22, %arg23 : tensor<6xf8E4M3B11FNUZ>
    %8 = stablehlo.clamp %arg24, %arg25, %arg26 : tensor<6xf8E4M3FNUZ>
    %9 = stablehlo.clamp %arg27, %arg28, %arg29 : tensor<6xf8E5M2>
    %10 = stablehlo.clamp %arg30, %arg31, %arg32 : tensor<6xf8E5M2FNUZ>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<6xbf16>, tensor<6xf16>, tensor<6xf32>, tensor<6xf64>, tensor<6xf8E3M4>, tensor<6xf8E4M3>, tensor<6xf8E4M3FN>, tensor<6xf8E4M3B11FNUZ>, tensor<6xf8E4M3FNUZ>, tensor<6xf8E5M2>, tensor<6xf8E5M2FNUZ>
  }
}
