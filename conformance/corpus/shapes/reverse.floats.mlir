module @shapes_reverse_floats {
  func.func public @main(%arg0: tensor<2x5xbf16>, %arg1: tensor<2x5xf16>, %arg2: tensor<2x5xf32>, %arg3: tensor<2x5xf64>, %arg4: tensor<2x5xf8E3M4>, %arg5: tensor<2x5xf8E4M3>, %arg6: tensor<2x5xf8E4M3FN>, %arg7: tensor<2x5xf8E4M3B11FNUZ>, %arg8: tensor<2x5xf8E4M3FNUZ>, %arg9: tensor<2x5xf8E5M2>, %arg10: tensor<2x5xf8E5M2FNUZ>, %arg11: tensor<2x5xf4E2M1FN>, %arg12: tensor<2x5xf8E8M0FNU>, %arg13: tensor<2x5xcomplex<f32>>, %arg14: tensor<2x5xcomplex<f64>>) -> (tensor<2x5xbf16>, tensor<2x5xf16>, tensor<2x5xf32>, tensor<2x5xf64>, tensor<2x5xf8E3M4>, tensor<2x5xf8E4M3>, tensor<2x5xf8E4M3FN>, tensor<2x5xf8E4M3B11FNUZ>, tensor<2x5xf8E4M3FNUZ>, tensor<2x5xf8E5M2>, tensor<2x5xf8E5M2FNUZ>, tensor<2x5xf4E2M1FN>, tensor<2x5xf8E8M0FNU>, tensor<2x5xcomplex<f32>>, tensor<2x5xcomplex<f64>>) {
    %0 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<2x5xbf16>
    %1 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<2x5xf16>
    %2 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<2x5xf32>
    %3 = stablehlo.reverse %arg3, dims = [0, 1] : tensor<2x5xf64>
    %4 = stablehlo.reverse %arg4, dims = [0, 1] : tensor<2x5xf8E3M4>
    %5 = stablehlo.reverse %arg5, dims = [0, 1] : tensor<2x5xf8E4M3>
    %6 = stablehlo.reverse %arg6, dims = [0, 1] : tensor<2x5xf8E4M3FN>
    %7 = stablehlo.reverse %arg7, dims = [0, 1] : tensor<2x5xf8E4M3B11FNUZ>
    %8 = stablehlo.reverse %arg8, dims = [0, 1] : tensor<2x5xf8E4M3FNUZ>
    %9 = stablehlo.reverse %arg9, dims = [0, 1] : tensor<2x5xf8E5M2>
    %10 = stablehlo.reverse %arg10, dims = [0, 1] : tensor<2x5xf8E5M2FNUZ>
    %11 = stablehlo.reverse %arg11, dims = [0, 1] : tensor<2x5xf4E2M1FN>
    %12 = stablehlo.reverse %arg12, dims = [0, 1] : tensor<2x5xf8E8M0FNU>
    %13 = stablehlo.reverse %arg13, dims = [0, 1] : tensor<2x5xcomplex<f32>>
    %14 = stablehlo.reverse %arg14, dims = [0, 1] : tensor<2x5xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<2x5xbf16>, tensor<2x5xf16>, tensor<2x5xf32>, tensor<2x5xf64>, tensor<2x5xf8E3M4>, tensor<2x5xf8E4M3>, tensor<2x5xf8E4M3FN>, tensor<2x5xf8E4M3B11FNUZ>, tensor<2x5xf8E4M3FNUZ>, tensor<2x5xf8E5M2>, tensor<2x5xf8E5M2FNUZ>, tensor<2x5xf4E2M1FN>, tensor<2x5xf8E8M0FNU>, tensor<2x5xcomplex<f32>>, tensor<2x5xcomplex<f64>>
  }
}
