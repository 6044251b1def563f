module @shapes_broadcast_in_dim_floats {
  func.func public @main(%arg0: tensor<3x1xbf16>, %arg1: tensor<3x1xf16>, %arg2: tensor<3x1xf32>, %arg3: tensor<3x1xf64>, %arg4: tensor<3x1xf8E3M4>, %arg5: tensor<3x1xf8E4M3>, %arg6: tensor<3x1xf8E4M3FN>, %arg7: tensor<3x1xf8E4M3B11FNUZ>, %arg8: tensor<3x1xf8E4M3FNUZ>, %arg9: tensor<3x1xf8E5M2>, %arg10: tensor<3x1xf8E5M2FNUZ>, %arg11: tensor<3x1xf4E2M1FN>, %arg12: tensor<3x1xf8E8M0FNU>, %arg13: tensor<3x1xcomplex<f32>>, %arg14: tensor<3x1xcomplex<f64>>) -> (tensor<2x4x3xbf16>, tensor<2x4x3xf16>, tensor<2x4x3xf32>, tensor<2x4x3xf64>, tensor<2x4x3xf8E3M4>, tensor<2x4x3xf8E4M3>, tensor<2x4x3xf8E4M3FN>, tensor<2x4x3xf8E4M3B11FNUZ>, tensor<2x4x3xf8E4M3FNUZ>, tensor<2x4x3xf8E5M2>, tensor<2x4x3xf8E5M2FNUZ>, tensor<2x4x3xf4E2M1FN>, tensor<2x4x3xf8E8M0FNU>, tensor<2x4x3xcomplex<f32>>, tensor<2x4x3xcomplex<f64>>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<3x1xbf16>) -> tensor<2x4x3xbf16>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [2, 0] : (tensor<3x1xf16>) -> tensor<2x4x3xf16>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [2, 0] : (tensor<3x1xf32>) -> tensor<2x4x3xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [2, 0] : (tensor<3x1xf64>) -> tensor<2x4x3xf64>
    %4 = stablehlo.broadcast_in_dim %arg4, dims = [2, 0] : (tensor<3x1xf8E3M4>) -> tensor<2x4x3xf8E3M4>
    %5 = stablehlo.broadcast_in_dim %arg5, dims = [2, 0] : (tensor<3x1xf8E4M3>) -> tensor<2x4x3xf8E4M3>
    %6 = stablehlo.broadcast_in_dim %arg6, dims = [2, 0] : (tensor<3x1xf8E4M3FN>) -> tensor<2x4x3xf8E4M3FN>
    %7 = stablehlo.broadcast_in_dim %arg7, dims = [2, 0] : (tensor<3x1xf8E4M3B11FNUZ>) -> tensor<2x4x3xf8E4M3B11FNUZ>
    %8 = stablehlo.broadcast_in_dim %arg8, dims = [2, 0] : (tensor<3x1xf8E4M3FNUZ>) -> tensor<2x4x3xf8E4M3FNUZ>
    %9 = stablehlo.broadcast_in_dim %arg9, dims = [2, 0] : (tensor<3x1xf8E5M2>) -> tensor<2x4x3xf8E5M2>
    %10 = stablehlo.broadcast_in_dim %arg10, dims = [2, 0] : (tensor<3x1xf8E5M2FNUZ>) -> tensor<2x4x3xf8E5M2FNUZ>
    %11 = stablehlo.broadcast_in_dim %arg11, dims = [2, 0] : (tensor<3x1xf4E2M1FN>) -> tensor<2x4x3xf4E2M1FN>
    %12 = stablehlo.broadcast_in_dim %arg12, dims = [2, 0] : (tensor<3x1xf8E8M0FNU>) -> tensor<2x4x3xf8E8M0FNU>
    %13 = stablehlo.broadcast_in_dim %arg13, dims = [2, 0] : (tensor<3x1xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
    %14 = stablehlo.broadcast_in_dim %arg14, dims = [2, 0] : (tensor<3x1xcomplex<f64>>) -> tensor<2x4x3xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<2x4x3xbf16>, tensor<2x4x3xf16>, tensor<2x4x3xf32>, tensor<2x4x3xf64>, tensor<2x4x3xf8E3M4>, tensor<2x4x3xf8E4M3>, tensor<2x4x3xf8E4M3FN>, tensor<2x4x3xf8E4M3B11FNUZ>, tensor<2x4x3xf8E4M3FNUZ>, tensor<2x4x3xf8E5M2>, tensor<2x4x3xf8E5M2FNUZ>, tensor<2x4x3xf4E2M1FN>, tensor<2x4x3xf8E8M0FNU>, tensor<2x4x3xcomplex<f32>>, tensor<2x4x3xcomplex<f64>>
  }
}
