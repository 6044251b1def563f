module @shapes_transpose_floats {
  func.func public @main(%arg0: tensor<2x3x4xbf16>, %arg1: tensor<2x3x4xf16>, %arg2: tensor<2x3x4xf32>, %arg3: tensor<2x3x4xf64>, %arg4: tensor<2x3x4xf8E3M4>, %arg5: tensor<2x3x4xf8E4M3>, %arg6: tensor<2x3x4xf8E4M3FN>, %arg7: tensor<2x3x4xf8E4M3B11FNUZ>, %arg8: tensor<2x3x4xf8E4M3FNUZ>, %arg9: tensor<2x3x4xf8E5M2>, %arg10: tensor<2x3x4xf8E5M2FNUZ>, %arg11: tensor<2x3x4xf4E2M1FN>, %arg12: tensor<2x3x4xf8E8M0FNU>, %arg13: tensor<2x3x4xcomplex<f32>>, %arg14: tensor<2x3x4xcomplex<f64>>) -> (tensor<4x2x3xbf16>, tensor<4x2x3xf16>, tensor<4x2x3xf32>, tensor<4x2x3xf64>, tensor<4x2x3xf8E3M4>, tensor<4x2x3xf8E4M3>, tensor<4x2x3xf8E4M3FN>, tensor<4x2x3xf8E4M3B11FNUZ>, tensor<4x2x3xf8E4M3FNUZ>, tensor<4x2x3xf8E5M2>, tensor<4x2x3xf8E5M2FNUZ>, tensor<4x2x3xf4E2M1FN>, tensor<4x2x3xf8E8M0FNU>, tensor<4x2x3xcomplex<f32>>, tensor<4x2x3xcomplex<f64>>) {
    %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xbf16>) -> tensor<4x2x3xbf16>
    %1 = stablehlo.transpose %arg1, dims = [2, 0, 1] : (tensor<2x3x4xf16>) -> tensor<4x2x3xf16>
    %2 = stablehlo.transpose %arg2, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %3 = stablehlo.transpose %arg3, dims = [2, 0, 1] : (tensor<2x3x4xf64>) -> tensor<4x2x3xf64>
    %4 = stablehlo.transpose %arg4, dims = [2, 0, 1] : (tensor<2x3x4xf8E3M4>) -> tensor<4x2x3xf8E3M4>
    %5 = stablehlo.transpose %arg5, dims = [2, 0, 1] : (tensor<2x3x4xf8E4M3>) -> tensor<4x2x3xf8E4M3>
    %6 = stablehlo.transpose %arg6, dims = [2, 0, 1] : (tensor<2x3x4xf8E4M3FN>) -> tensor<4x2x3xf8E4M3FN>
    %7 = stablehlo.transpose %arg7, dims = [2, 0, 1] : (tensor<2x3x4xf8E4M3B11FNUZ>) -> tensor<4x2x3xf8E4M3B11FNUZ>
    %8 = stablehlo.transpose %arg8, dims = [2, 0, 1] : (tensor<2x3x4xf8E4M3FNUZ>) -> tensor<4x2x3xf8E4M3FNUZ>
    %9 = stablehlo.transpose %arg9, dims = [2, 0, 1] : (tensor<2x3x4xf8E5M2>) -> tensor<4x2x3xf8E5M2>
    %10 = stablehlo.transpose %arg10, dims = [2, 0, 1] : (tensor<2x3x4xf8E5M2FNUZ>) -> tensor<4x2x3xf8E5M2FNUZ>
    %11 = stablehlo.transpose %arg11, dims = [2, 0, 1] : (tensor<2x3x4xf4E2M1FN>) -> tensor<4x2x3xf4E2M1FN>
    %12 = stablehlo.transpose %arg12, dims = [2, 0, 1] : (tensor<2x3x4xf8E8M0FNU>) -> tensor<4x2x3xf8E8M0FNU>
    %13 = stablehlo.transpose %arg13, dims = [2, 0, 1] : (tensor<2x3x4xcomplex<f32>>) -> tensor<4x2x3xcomplex<f32>>
    %14 = stablehlo.transpose %arg14, dims = [2, 0, 1] : (tensor<2x3x4xcomplex<f64>>) -> tensor<4x2x3xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<4x2x3xbf16>, tensor<4x2x3xf16>, tensor<4x2x3xf32>, tensor<4x2x3xf64>, tensor<4x2x3xf8E3M4>, tensor<4x2x3xf8E4M3>, tensor<4x2x3xf8E4M3FN>, tensor<4x2x3xf8E4M3B11FNUZ>, tensor<4x2x3xf8E4M3FNUZ>, tensor<4x2x3xf8E5M2>, tensor<4x2x3xf8E5M2FNUZ>, tensor<4x2x3xf4E2M1FN>, tensor<4x2x3xf8E8M0FNU>, tensor<4x2x3xcomplex<f32>>, tensor<4x2x3xcomplex<f64>>
  }
}
