module @shapes_pad_floats {
  func.func public @main(%arg0: tensor<3x4xbf16>, %arg1: tensor<bf16>, %arg2: tensor<3x4xf16>, %arg3: tensor<f16>, %arg4: tensor<3x4xf32>, %arg5: tensor<f32>, %arg6: tensor<3x4xf64>, %arg7: tensor<f64>, %arg8: tensor<3x4xf8E3M4>, %arg9: tensor<f8E3M4>, %arg10: tensor<3x4xf8E4M3>, %arg11: tensor<f8E4M3>, %arg12: tensor<3x4xf8E4M3FN>, %arg13: tensor<f8E4M3FN>, %arg14: tensor<3x4xf8E4M3B11FNUZ>, %arg15: tensor<f8E4M3B11FNUZ>, %arg16: tensor<3x4xf8E4M3FNUZ>, %arg17: tensor<f8E4M3FNUZ>, %arg18: tensor<3x4xf8E5M2>, %arg19: tensor<f8E5M2>, %arg20: tensor<3x4xf8E5M2FNUZ>, %arg21: tensor<f8E5M2FNUZ>, %arg22: tensor<3x4xf4E2M1FN>, %arg23: tensor<f4E2M1FN>, %arg24: tensor<3x4xf8E8M0FNU>, %arg25: tensor<f8E8M0FNU>, %arg26: tensor<3x4xcomplex<f32>>, %arg27: tensor<complex<f32>>, %arg28: tensor<3x4xcomplex<f64>>, %arg29: tensor<complex<f64>>) -> (tensor<8x3xbf16>, tensor<8x3xf16>, tensor<8x3xf32>, tensor<8x3xf64>, tensor<8x3xf8E3M4>, tensor<8x3xf8E4M3>, tensor<8x3xf8E4M3FN>, tensor<8x3xf8E4M3B11FNUZ>, tensor<8x3xf8E4M3FNUZ>, tensor<8x3xf8E5M2>, tensor<8x3xf8E5M2FNUZ>, tensor<8x3xf4E2M1FN>, tensor<8x3xf8E8M0FNU>, tensor<8x3xcomplex<f32>>, tensor<8x3xcomplex<f64>>) {
    %0 = stablehlo.pad %arg0, %arg1, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xbf16>, tensor<bf16>) -> tensor<8x3xbf16>
    %1 = stablehlo.pad %arg2, %arg3, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf16>, tensor<f16>) -> tensor<8x3xf16>
    %2 = stablehlo.pad %arg4, %arg5, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<8x3xf32>
    %3 = stablehlo.pad %arg6, %arg7, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf64>, tensor<f64>) -> tensor<8x3xf64>
    %4 = stablehlo.pad %arg8, %arg9, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf8E3M4>, tensor<f8E3M4>) -> tensor<8x3xf8E3M4>
    %5 = stablehlo.pad %arg10, %arg11, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf8E4M3>, tensor<f8E4M3>) -> tensor<8x3xf8E4M3>
    %6 = stablehlo.pad %arg12, %arg13, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<8x3xf8E4M3FN>
    %7 = stablehlo.pad %arg14, %arg15, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf8E4M3B11FNUZ>, tensor<f8E4M3B11FNUZ>) -> tensor<8x3xf8E4M3B11FNUZ>
    %8 = stablehlo.pad %arg16, %arg17, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<8x3xf8E4M3FNUZ>
    %9 = stablehlo.pad %arg18, %arg19, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf8E5M2>, tensor<f8E5M2>) -> tensor<8x3xf8E5M2>
    %10 = stablehlo.pad %arg20, %arg21, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<8x3xf8E5M2FNUZ>
    %11 = stablehlo.pad %arg22, %arg23, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf4E2M1FN>, tensor<f4E2M1FN>) -> tensor<8x3xf4E2M1FN>
    %12 = stablehlo.pad %arg24, %arg25, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<8x3xf8E8M0FNU>
    %13 = stablehlo.pad %arg26, %arg27, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<8x3xcomplex<f32>>
    %14 = stablehlo.pad %arg28, %arg29, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<8x3xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<8x3xbf16>, tensor<8x3xf16>, tensor<8x3xf32>, tensor<8x3xf64>, tensor<8x3xf8E3M4>, tensor<8x3xf8E4M3>, tensor<8x3xf8E4M3FN>, tensor<8x3xf8E4M3B11FNUZ>, tensor<8x3xf8E4M3FNUZ>, tensor<8x3xf8E5M2>, tensor<8x3xf8E5M2FNUZ>, tensor<8x3xf4E2M1FN>, tensor<8x3xf8E8M0FNU>, tensor<8x3xcomplex<f32>>, tensor<8x3xcomplex<f64>>
  }
}
