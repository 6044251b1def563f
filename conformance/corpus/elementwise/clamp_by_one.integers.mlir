module @elementwise_clamp_by_one_integers {
  func.func public @main(%arg0: tensor<i2>, %arg1: tensor<4xi2>, %arg2: tensor<i2>, %arg3: tensor<i4>, %arg4: tensor<9xi4>, %arg5: tensor<i4>, %arg6: tensor<i8>, %arg7: tensor<11xi8>, %arg8: tensor<i8>, %arg9: tensor<i16>, %arg10: tensor<11xi16>, %arg11: tensor<i16>, %arg12: tensor<i32>, %arg13: tensor<11xi32>, %arg14: tensor<i32>, %arg15: tensor<i64>, %arg16: tensor<11xi64>, %arg17: tensor<i64>, %arg18: tensor<ui2>, %arg19: tensor<4xui2>, %arg20: tensor<ui2>, %arg21: tensor<ui4>, %arg22: tensor<6xui4>, %arg23: tensor<ui4>, %arg24: tensor<ui8>, %arg25: tensor<7xui8>, %arg26: tensor<ui8>, %arg27: tensor<ui16>, %arg28: tensor<7xui16>, %arg29: tensor<ui16>, %arg30: tensor<ui32>, %arg31: tensor<7xui32>, %arg32: tensor<ui32>, %arg33: tensor<ui64>, %arg34: tensor<7xui64>, %arg35: tensor<ui64>) -> (tensor<4xi2>, tensor<9xi4>, tensor<11xi8>, tensor<11xi16>, tensor<11xi32>, tensor<11xi64>, tensor<4xui2>, tensor<6xui4>, tensor<7xui8>, tensor<7xui16>, tensor<7xui32>, tensor<7xui64>) {
    %0 = stablehlo.clamp %arg0, %arg1, %arg2 : (tensor<i2>, tensor<4xi2>, tensor<i2>) -> tensor<4xi2>
    %1 = stablehlo.clamp %arg3, %arg4, %arg5 : (tensor<i4>, tensor<9xi4>, tensor<i4>) -> tensor<9xi4>
    %2 = stablehlo.clamp %arg6, %arg7, %arg8 : (tensor<i8>, tensor<11xi8>, tensor<i8>) -> tensor<11xi8>
    %3 = stablehlo.clamp %arg9, %arg10, %arg11 : (tensor<i16>, tensor<11xi16>, tensor<i16>) -> tensor<11xi16>
    %4 = stablehlo.clamp %arg12, %arg13, %arg14 : (tensor<i32>, tensor<11xi32>, tensor<i32>) -> tensor<11xi32>
    %5 = stablehlo.clamp %arg15, %arg16, %arg17 : (tensor<i64>, tensor<11xi64>, tensor<i64>) -> tensor<11xi64>
    %6 = stablehlo.clamp %arg18, %arg19, %arg20 : (tensor<ui2>, tensor<4xui2>, tensor<ui2>) -> tensor<4xui2>
    %7 = stablehlo.clamp %arg21, %arg22, %arg23 : (tensor<ui4>, tensor<6xui4>, tensor<ui4>) -> tensor<6xui4>
    %8 = stablehlo.clamp %arg24, %arg25, %arg26 : (tensor<ui8>, tensor<7xui8>, tensor<ui8>) -> tensor<7xui8>
    %9 = stablehlo.clamp %arg27, %arg28, %arg29 : (tensor<ui16>, tensor<7xui16>, tensor<ui16>) -> tensor<7xui16>
    %10 = stablehlo.clamp %arg30, %arg31, %arg32 : (tensor<ui32>, tensor<7xui32>, tensor<ui32>) -> tensor<7xui32>
    %11 = stablehlo.clamp %arg33, %arg34, %arg35 : (tensor<ui64>, tensor<7xui64>, tensor<ui64>) -> tensor<7xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<4xi2>, tensor<9xi4>, tensor<11xi8>, tensor<11xi16>, tensor<11xi32>, tensor<11xi64>, tensor<4xui2>, tensor<6xui4>, tensor<7xui8>, tensor<7xui16>, tensor<7xui32>, tensor<7xui64>
  }
}
