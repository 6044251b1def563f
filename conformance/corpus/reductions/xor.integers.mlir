module @reductions_xor_integers {
  func.func public @main(%arg0: tensor<4x5xi1>, %arg1: tensor<i1>, %arg2: tensor<4x5xi2>, %arg3: tensor<i2>, %arg4: tensor<4x5xi4>, %arg5: tensor<i4>, %arg6: tensor<4x5xi8>, %arg7: tensor<i8>, %arg8: tensor<4x5xi16>, %arg9: tensor<i16>, %arg10: tensor<4x5xi32>, %arg11: tensor<i32>, %arg12: tensor<4x5xi64>, %arg13: tensor<i64>, %arg14: tensor<4x5xui2>, %arg15: tensor<ui2>, %arg16: tensor<4x5xui4>, %arg17: tensor<ui4>, %arg18: tensor<4x5xui8>, %arg19: tensor<ui8>, %arg20: tensor<4x5xui16>, %arg21: tensor<ui16>, %arg22: tensor<4x5xui32>, %arg23: tensor<ui32>, %arg24: tensor<4x5xui64>, %arg25: tensor<ui64>) -> (tensor<4xi1>, tensor<4xi2>, tensor<4xi4>, tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui2>, tensor<4xui4>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>) {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xi1>, tensor<i1>) -> tensor<4xi1>
    %1 = stablehlo.reduce(%arg2 init: %arg3) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xi2>, tensor<i2>) -> tensor<4xi2>
    %2 = stablehlo.reduce(%arg4 init: %arg5) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xi4>, tensor<i4>) -> tensor<4xi4>
    %3 = stablehlo.reduce(%arg6 init: %arg7) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xi8>, tensor<i8>) -> tensor<4xi8>
    %4 = stablehlo.reduce(%arg8 init: %arg9) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xi16>, tensor<i16>) -> tensor<4xi16>
    %5 = stablehlo.reduce(%arg10 init: %arg11) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xi32>, tensor<i32>) -> tensor<4xi32>
    %6 = stablehlo.reduce(%arg12 init: %arg13) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xi64>, tensor<i64>) -> tensor<4xi64>
    %7 = stablehlo.reduce(%arg14 init: %arg15) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xui2>, tensor<ui2>) -> tensor<4xui2>
    %8 = stablehlo.reduce(%arg16 init: %arg17) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xui4>, tensor<ui4>) -> tensor<4xui4>
    %9 = stablehlo.reduce(%arg18 init: %arg19) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xui8>, tensor<ui8>) -> tensor<4xui8>
    %10 = stablehlo.reduce(%arg20 init: %arg21) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xui16>, tensor<ui16>) -> tensor<4xui16>
    %11 = stablehlo.reduce(%arg22 init: %arg23) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xui32>, tensor<ui32>) -> tensor<4xui32>
    %12 = stablehlo.reduce(%arg24 init: %arg25) applies stablehlo.xor across dimensions = [1] : (tensor<4x5xui64>, tensor<ui64>) -> tensor<4xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<4xi1>, tensor<4xi2>, tensor<4xi4>, tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui2>, tensor<4xui4>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>
  }
}
