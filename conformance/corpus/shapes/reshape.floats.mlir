module @shapes_reshape_floats {
  func.func public @main(%arg0: tensor<2x6xbf16>, %arg1: tensor<2x6xf16>, %arg2: tensor<2x6xf32>, %arg3: tensor<2x6xf64>, %arg4: tensor<2x6xf8E3M4>, %arg5: tensor<2x6xf8E4M3>, %arg6: tensor<2x6xf8E4M3FN>, %arg7: tensor<2x6xf8E4M3B11FNUZ>, %arg8: tensor<2x6xf8E4M3FNUZ>, %arg9: tensor<2x6xf8E5M2>, %arg10: tensor<2x6xf8E5M2FNUZ>, %arg11: tensor<2x6xf4E2M1FN>, %arg12: tensor<2x6xf8E8M0FNU>, %arg13: tensor<2x6xcomplex<f32>>, %arg14: tensor<2x6xcomplex<f64>>) -> (tensor<3x4xbf16>, tensor<3x4xf16>, tensor<3x4xf32>, tensor<3x4xf64>, tensor<3x4xf8E3M4>, tensor<3x4xf8E4M3>, tensor<3x4xf8E4M3FN>, tensor<3x4xf8E4M3B11FNUZ>, tensor<3x4xf8E4M3FNUZ>, tensor<3x4xf8E5M2>, tensor<3x4xf8E5M2FNUZ>, tensor<3x4xf4E2M1FN>, tensor<3x4xf8E8M0FNU>, tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f64>>) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x6xbf16>) -> tensor<3x4xbf16>
    %1 = stablehlo.reshape %arg1 : (tensor<2x6xf16>) -> tensor<3x4xf16>
    %2 = stablehlo.reshape %arg2 : (tensor<2x6xf32>) -> tensor<3x4xf32>
    %3 = stablehlo.reshape %arg3 : (tensor<2x6xf64>) -> tensor<3x4xf64>
    %4 = stablehlo.reshape %arg4 : (tensor<2x6xf8E3M4>) -> tensor<3x4xf8E3M4>
    %5 = stablehlo.reshape %arg5 : (tensor<2x6xf8E4M3>) -> tensor<3x4xf8E4M3>
    %6 = stablehlo.reshape %arg6 : (tensor<2x6xf8E4M3FN>) -> tensor<3x4xf8E4M3FN>
    %7 = stablehlo.reshape %arg7 : (tensor<2x6xf8E4M3B11FNUZ>) -> tensor<3x4xf8E4M3B11FNUZ>
    %8 = stablehlo.reshape %arg8 : (tensor<2x6xf8E4M3FNUZ>) -> tensor<3x4xf8E4M3FNUZ>
    %9 = stablehlo.reshape %arg9 : (tensor<2x6xf8E5M2>) -> tensor<3x4xf8E5M2>
    %10 = stablehlo.reshape %arg10 : (tensor<2x6xf8E5M2FNUZ>) -> tensor<3x4xf8E5M2FNUZ>
    %11 = stablehlo.reshape %arg11 : (tensor<2x6xf4E2M1FN>) -> tensor<3x4xf4E2M1FN>
    %12 = stablehlo.reshape %arg12 : (tensor<2x6xf8E8M0FNU>) -> tensor<3x4xf8E8M0FNU>
    %13 = stablehlo.reshape %arg13 : (tensor<2x6xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
    %14 = stablehlo.reshape %arg14 : (tensor<2x6xcomplex<f64>>) -> tensor<3x4xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<3x4xbf16>, tensor<3x4xf16>, tensor<3x4xf32>, tensor<3x4xf64>, tensor<3x4xf8E3M4>, tensor<3x4xf8E4M3>, tensor<3x4xf8E4M3FN>, tensor<3x4xf8E4M3B11FNUZ>, tensor<3x4xf8E4M3FNUZ>, tensor<3x4xf8E5M2>, tensor<3x4xf8E5M2FNUZ>, tensor<3x4xf4E2M1FN>, tensor<3x4xf8E8M0FNU>, tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f64>>
  }
}
