module @reductions_add_integers {
  func.func public @main(%arg0: tensor<4x5xi2>, %arg1: tensor<i2>, %arg2: tensor<4x5xi4>, %arg3: tensor<i4>, %arg4: tensor<4x5xi8>, %arg5: tensor<i8>, %arg6: tensor<4x5xi16>, %arg7: tensor<i16>, %arg8: tensor<4x5xi32>, %arg9: tensor<i32>, %arg10: tensor<4x5xi64>, %arg11: tensor<i64>, %arg12: tensor<4x5xui2>, %arg13: tensor<ui2>, %arg14: tensor<4x5xui4>, %arg15: tensor<ui4>, %arg16: tensor<4x5xui8>, %arg17: tensor<ui8>, %arg18: tensor<4x5xui16>, %arg19: tensor<ui16>, %arg20: tensor<4x5xui32>, %arg21: tensor<ui32>, %arg22: tensor<4x5xui64>, %arg23: tensor<ui64>) -> (tensor<4xi2>, tensor<4xi4>, tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui2>, tensor<4xui4>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>) {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<4x5xi2>, tensor<i2>) -> tensor<4xi2>
    %1 = stablehlo.reduce(%arg2 init: %arg3) applies stablehlo.add across dimensions = [1] : (tensor<4x5xi4>, tensor<i4>) -> tensor<4xi4>
    %2 = stablehlo.reduce(%arg4 init: %arg5) applies stablehlo.add across dimensions = [1] : (tensor<4x5xi8>, tensor<i8>) -> tensor<4xi8>
    %3 = stablehlo.reduce(%arg6 init: %arg7) applies stablehlo.add across dimensions = [1] : (tensor<4x5xi16>, tensor<i16>) -> tensor<4xi16>
    %4 = stablehlo.reduce(%arg8 init: %arg9) applies stablehlo.add across dimensions = [1] : (tensor<4x5xi32>, tensor<i32>) -> tensor<4xi32>
    %5 = stablehlo.reduce(%arg10 init: %arg11) applies stablehlo.add across dimensions = [1] : (tensor<4x5xi64>, tensor<i64>) -> tensor<4xi64>
    %6 = stablehlo.reduce(%arg12 init: %arg13) applies stablehlo.add across dimensions = [1] : (tensor<4x5xui2>, tensor<ui2>) -> tensor<4xui2>
    %7 = stablehlo.reduce(%arg14 init: %arg15) applies stablehlo.add across dimensions = [1] : (tensor<4x5xui4>, tensor<ui4>) -> tensor<4xui4>
    %8 = stablehlo.reduce(%arg16 init: %arg17) applies stablehlo.add across dimensions = [1] : (tensor<4x5xui8>, tensor<ui8>) -> tensor<4xui8>
    %9 = stablehlo.reduce(%arg18 init: %arg19) applies stablehlo.add across dimensions = [1] : (tensor<4x5xui16>, tensor<ui16>) -> tensor<4xui16>
    %10 = stablehlo.reduce(%arg20 init: %arg21) applies stablehlo.add across dimensions = [1] : (tensor<4x5xui32>, tensor<ui32>) -> tensor<4xui32>
    %11 = stablehlo.reduce(%arg22 init: %arg23) applies stablehlo.add across dimensions = [1] : (tensor<4x5xui64>, tensor<ui64>) -> tensor<4xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<4xi2>, tensor<4xi4>, tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui2>, tensor<4xui4>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>
  }
}
