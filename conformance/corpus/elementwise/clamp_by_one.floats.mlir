module @elementwise_clamp_by_one_floats {
  func.func public @main(%arg0: tensor<bf16>, %arg1: tensor<22xbf16>, %arg2: tensor<bf16>, %arg3: tensor<f16>, %arg4: tensor<22xf16>, %arg5: tensor<f16>, %arg6: tensor<f32>, %arg7: tensor<22xf32>, %arg8: tensor<f32>, %arg9: tensor<f64>, %arg10: tensor<22xf64>, %arg11: tensor<f64>, %arg12: tensor<f8E3M4>, %arg13: tensor<22xf8E3M4>, %arg14: tensor<f8E3M4>, %arg15: tensor<f8E4M3>, %arg16: tensor<22xf8E4M3>, %arg17: tensor<f8E4M3>, %arg18: tensor<f8E4M3FN>, %arg19: tensor<20xf8E4M3FN>, %arg20: tensor<f8E4M3FN>, %arg21: tensor<f8E4M3B11FNUZ>, %arg22: tensor<19xf8E4M3B11FNUZ>, %arg23: tensor<f8E4M3B11FNUZ>, %arg24: tensor<f8E4M3FNUZ>, %arg25: tensor<19xf8E4M3FNUZ>, %arg26: tensor<f8E4M3FNUZ>, %arg27: tensor<f8E5M2>, %arg28: tensor<22xf8E5M2>, %arg29: tensor<f8E5M2>, %arg30: tensor<f8E5M2FNUZ>, %arg31: tensor<19xf8E5M2FNUZ>, %arg32: tensor<f8E5M2FNUZ>) -> (tensor<22xbf16>, tensor<22xf16>, tensor<22xf32>, tensor<22xf64>, tensor<22xf8E3M4>, tensor<22xf8E4M3>, tensor<20xf8E4M3FN>, tensor<19xf8E4M3B11FNUZ>, tensor<19xf8E4M3FNUZ>, tensor<22xf8E5M2>, tensor<19xf8E5M2FNUZ>) {
    %0 = stablehlo.clamp %arg0, %arg1, %arg2 : (tensor<bf16>, tensor<22xbf16>, tensor<bf16>) -> tensor<22xbf16>
    %1 = stablehlo.clamp %arg3, %arg4, %arg5 : (tensor<f16>, tensor<22xf16>, tensor<f16>) -> tensor<22xf16>
    %2 = stablehlo.clamp %arg6, %arg7, %arg8 : (tensor<f32>, tensor<22xf32>, tensor<f32>) -> tensor<22xf32>
    %3 = stablehlo.clamp %arg9, %arg10, %arg11 : (tensor<f64>, tensor<22xf64>, tensor<f64>) -> tensor<22xf64>
    %4 = stablehlo.clamp %arg12, %arg13, %arg14 : (tensor<f8E3M4>, tensor<22xf8E3M4>, tensor<f8E3M4>) -> tensor<22xf8E3M4>
    %5 = stablehlo.clamp %arg15, %arg16, %arg17 : (tensor<f8E4M3>, tensor<22xf8E4M3>, tensor<f8E4M3>) -> tensor<22xf8E4M3>
    %6 = stablehlo.clamp %arg18, %arg19, %arg20 : (tensor<f8E4M3FN>, tensor<20xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<20xf8E4M3FN>
    %7 = stablehlo.clamp %arg21, %arg22, %arg23 : (tensor<f8E4M3B11FNUZ>, tensor<19xf8E4M3B11FNUZ>, tensor<f8E4M3B11FNUZ>) -> tensor<19xf8E4M3B11FNUZ>
    %8 = stablehlo.clamp %arg24, %arg25, %arg26 : (tensor<f8E4M3FNUZ>, tensor<19xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<19xf8E4M3FNUZ>
    %9 = stablehlo.clamp %arg27, %arg28, %arg29 : (tensor<f8E5M2>, tensor<22xf8E5M2>, tensor<f8E5M2>) -> tensor<22xf8E5M2>
    %10 = stablehlo.clamp %arg30, %arg31, %arg32 : (tensor<f8E5M2FNUZ>, tensor<19xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<19xf8E5M2FNUZ>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<22xbf16>, tensor<22xf16>, tensor<22xf32>, tensor<22xf64>, tensor<22xf8E3M4>, tensor<22xf8E4M3>, tensor<20xf8E4M3FN>, tensor<19xf8E4M3B11FNUZ>, tensor<19xf8E4M3FNUZ>, tensor<22xf8E5M2>, tensor<19xf8E5M2FNUZ>
  }
}
