module @shapes_pad_integers {
  func.func public @main(%arg0: tensor<3x4xi1>, %arg1: tensor<i1>, %arg2: tensor<3x4xi2>, %arg3: tensor<i2>, %arg4: tensor<3x4xi4>, %arg5: tensor<i4>, %arg6: tensor<3x4xi8>, %arg7: tensor<i8>, %arg8: tensor<3x4xi16>, %arg9: tensor<i16>, %arg10: tensor<3x4xi32>, %arg11: tensor<i32>, %arg12: tensor<3x4xi64>, %arg13: tensor<i64>, %arg14: tensor<3x4xui2>, %arg15: tensor<ui2>, %arg16: tensor<3x4xui4>, %arg17: tensor<ui4>, %arg18: tensor<3x4xui8>, %arg19: tensor<ui8>, %arg20: tensor<3x4xui16>, %arg21: tensor<ui16>, %arg22: tensor<3x4xui32>, %arg23: tensor<ui32>, %arg24: tensor<3x4xui64>, %arg25: tensor<ui64>) -> (tensor<8x3xi1>, tensor<8x3xi2>, tensor<8x3xi4>, tensor<8x3xi8>, tensor<8x3xi16>, tensor<8x3xi32>, tensor<8x3xi64>, tensor<8x3xui2>, tensor<8x3xui4>, tensor<8x3xui8>, tensor<8x3xui16>, tensor<8x3xui32>, tensor<8x3xui64>) {
    %0 = stablehlo.pad %arg0, %arg1, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xi1>, tensor<i1>) -> tensor<8x3xi1>
    %1 = stablehlo.pad %arg2, %arg3, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xi2>, tensor<i2>) -> tensor<8x3xi2>
    %2 = stablehlo.pad %arg4, %arg5, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xi4>, tensor<i4>) -> tensor<8x3xi4>
    %3 = stablehlo.pad %arg6, %arg7, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xi8>, tensor<i8>) -> tensor<8x3xi8>
    %4 = stablehlo.pad %arg8, %arg9, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xi16>, tensor<i16>) -> tensor<8x3xi16>
    %5 = stablehlo.pad %arg10, %arg11, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xi32>, tensor<i32>) -> tensor<8x3xi32>
    %6 = stablehlo.pad %arg12, %arg13, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xi64>, tensor<i64>) -> tensor<8x3xi64>
    %7 = stablehlo.pad %arg14, %arg15, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xui2>, tensor<ui2>) -> tensor<8x3xui2>
    %8 = stablehlo.pad %arg16, %arg17, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xui4>, tensor<ui4>) -> tensor<8x3xui4>
    %9 = stablehlo.pad %arg18, %arg19, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xui8>, tensor<ui8>) -> tensor<8x3xui8>
    %10 = stablehlo.pad %arg20, %arg21, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xui16>, tensor<ui16>) -> tensor<8x3xui16>
    %11 = stablehlo.pad %arg22, %arg23, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xui32>, tensor<ui32>) -> tensor<8x3xui32>
    %12 = stablehlo.pad %arg24, %arg25, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xui64>, tensor<ui64>) -> tensor<8x3xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<8x3xi1>, tensor<8x3xi2>, tensor<8x3xi4>, tensor<8x3xi8>, tensor<8x3xi16>, tensor<8x3xi32>, tensor<8x3xi64>, tensor<8x3xui2>, tensor<8x3xui4>, tensor<8x3xui8>, tensor<8x3xui16>, tensor<8x3xui32>, tensor<8x3xui64>
  }
}
