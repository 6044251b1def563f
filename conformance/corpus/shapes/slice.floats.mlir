module @shapes_slice_floats {
  func.func public @main(%arg0: tensor<5x6xbf16>, %arg1: tensor<5x6xf16>, %arg2: tensor<5x6xf32>, %arg3: tensor<5x6xf64>, %arg4: tensor<5x6xf8E3M4>, %arg5: tensor<5x6xf8E4M3>, %arg6: tensor<5x6xf8E4M3FN>, %arg7: tensor<5x6xf8E4M3B11FNUZ>, %arg8: tensor<5x6xf8E4M3FNUZ>, %arg9: tensor<5x6xf8E5M2>, %arg10: tensor<5x6xf8E5M2FNUZ>, %arg11: tensor<5x6xf4E2M1FN>, %arg12: tensor<5x6xf8E8M0FNU>, %arg13: tensor<5x6xcomplex<f32>>, %arg14: tensor<5x6xcomplex<f64>>) -> (tensor<2x3xbf16>, tensor<2x3xf16>, tensor<2x3xf32>, tensor<2x3xf64>, tensor<2x3xf8E3M4>, tensor<2x3xf8E4M3>, tensor<2x3xf8E4M3FN>, tensor<2x3xf8E4M3B11FNUZ>, tensor<2x3xf8E4M3FNUZ>, tensor<2x3xf8E5M2>, tensor<2x3xf8E5M2FNUZ>, tensor<2x3xf4E2M1FN>, tensor<2x3xf8E8M0FNU>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f64>>) {
    %0 = stablehlo.slice %arg0 [1:5:3, 0:6:2] : (tensor<5x6xbf16>) -> tensor<2x3xbf16>
    %1 = stablehlo.slice %arg1 [1:5:3, 0:6:2] : (tensor<5x6xf16>) -> tensor<2x3xf16>
    %2 = stablehlo.slice %arg2 [1:5:3, 0:6:2] : (tensor<5x6xf32>) -> tensor<2x3xf32>
    %3 = stablehlo.slice %arg3 [1:5:3, 0:6:2] : (tensor<5x6xf64>) -> tensor<2x3xf64>
    %4 = stablehlo.slice %arg4 [1:5:3, 0:6:2] : (tensor<5x6xf8E3M4>) -> tensor<2x3xf8E3M4>
    %5 = stablehlo.slice %arg5 [1:5:3, 0:6:2] : (tensor<5x6xf8E4M3>) -> tensor<2x3xf8E4M3>
    %6 = stablehlo.slice %arg6 [1:5:3, 0:6:2] : (tensor<5x6xf8E4M3FN>) -> tensor<2x3xf8E4M3FN>
    %7 = stablehlo.slice %arg7 [1:5:3, 0:6:2] : (tensor<5x6xf8E4M3B11FNUZ>) -> tensor<2x3xf8E4M3B11FNUZ>
    %8 = stablehlo.slice %arg8 [1:5:3, 0:6:2] : (tensor<5x6xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
    %9 = stablehlo.slice %arg9 [1:5:3, 0:6:2] : (tensor<5x6xf8E5M2>) -> tensor<2x3xf8E5M2>
    %10 = stablehlo.slice %arg10 [1:5:3, 0:6:2] : (tensor<5x6xf8E5M2FNUZ>) -> tensor<2x3xf8E5M2FNUZ>
    %11 = stablehlo.slice %arg11 [1:5:3, 0:6:2] : (tensor<5x6xf4E2M1FN>) -> tensor<2x3xf4E2M1FN>
    %12 = stablehlo.slice %arg12 [1:5:3, 0:6:2] : (tensor<5x6xf8E8M0FNU>) -> tensor<2x3xf8E8M0FNU>
    %13 = stablehlo.slice %arg13 [1:5:3, 0:6:2] : (tensor<5x6xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
    %14 = stablehlo.slice %arg14 [1:5:3, 0:6:2] : (tensor<5x6xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<2x3xbf16>, tensor<2x3xf16>, tensor<2x3xf32>, tensor<2x3xf64>, tensor<2x3xf8E3M4>, tensor<2x3xf8E4M3>, tensor<2x3xf8E4M3FN>, tensor<2x3xf8E4M3B11FNUZ>, tensor<2x3xf8E4M3FNUZ>, tensor<2x3xf8E5M2>, tensor<2x3xf8E5M2FNUZ>, tensor<2x3xf4E2M1FN>, tensor<2x3xf8E8M0FNU>, tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f64>>
  }
}
