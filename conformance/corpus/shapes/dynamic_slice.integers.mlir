module @shapes_dynamic_slice_integers {
  func.func public @main(%arg0: tensor<5x6xi1>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<5x6xi2>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<5x6xi4>, %arg7: tensor<i32>, %arg8: tensor<i32>, %arg9: tensor<5x6xi8>, %arg10: tensor<i32>, %arg11: tensor<i32>, %arg12: tensor<5x6xi16>, %arg13: tensor<i32>, %arg14: tensor<i32>, %arg15: tensor<5x6xi32>, %arg16: tensor<i32>, %arg17: tensor<i32>, %arg18: tensor<5x6xi64>, %arg19: tensor<i32>, %arg20: tensor<i32>, %arg21: tensor<5x6xui2>, %arg22: tensor<i32>, %arg23: tensor<i32>, %arg24: tensor<5x6xui4>, %arg25: tensor<i32>, %arg26: tensor<i32>, %arg27: tensor<5x6xui8>, %arg28: tensor<i32>, %arg29: tensor<i32>, %arg30: tensor<5x6xui16>, %arg31: tensor<i32>, %arg32: tensor<i32>, %arg33: tensor<5x6xui32>, %arg34: tensor<i32>, %arg35: tensor<i32>, %arg36: tensor<5x6xui64>, %arg37: tensor<i32>, %arg38: tensor<i32>) -> (tensor<2x3xi1>, tensor<2x3xi2>, tensor<2x3xi4>, tensor<2x3xi8>, tensor<2x3xi16>, tensor<2x3xi32>, tensor<2x3xi64>, tensor<2x3xui2>, tensor<2x3xui4>, tensor<2x3xui8>, tensor<2x3xui16>, tensor<2x3xui32>, tensor<2x3xui64>) {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, sizes = [2, 3] : (tensor<5x6xi1>, tensor<i32>, tensor<i32>) -> tensor<2x3xi1>
    %1 = stablehlo.dynamic_slice %arg3, %arg4, %arg5, sizes = [2, 3] : (tensor<5x6xi2>, tensor<i32>, tensor<i32>) -> tensor<2x3xi2>
    %2 = stablehlo.dynamic_slice %arg6, %arg7, %arg8, sizes = [2, 3] : (tensor<5x6xi4>, tensor<i32>, tensor<i32>) -> tensor<2x3xi4>
    %3 = stablehlo.dynamic_slice %arg9, %arg10, %arg11, sizes = [2, 3] : (tensor<5x6xi8>, tensor<i32>, tensor<i32>) -> tensor<2x3xi8>
    %4 = stablehlo.dynamic_slice %arg12, %arg13, %arg14, sizes = [2, 3] : (tensor<5x6xi16>, tensor<i32>, tensor<i32>) -> tensor<2x3xi16>
    %5 = stablehlo.dynamic_slice %arg15, %arg16, %arg17, sizes = [2, 3] : (tensor<5x6xi32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
    %6 = stablehlo.dynamic_slice %arg18, %arg19, %arg20, sizes = [2, 3] : (tensor<5x6xi64>, tensor<i32>, tensor<i32>) -> tensor<2x3xi64>
    %7 = stablehlo.dynamic_slice %arg21, %arg22, %arg23, sizes = [2, 3] : (tensor<5x6xui2>, tensor<i32>, tensor<i32>) -> tensor<2x3xui2>
    %8 = stablehlo.dynamic_slice %arg24, %arg25, %arg26, sizes = [2, 3] : (tensor<5x6xui4>, tensor<i32>, tensor<i32>) -> tensor<2x3xui4>
    %9 = stablehlo.dynamic_slice %arg27, %arg28, %arg29, sizes = [2, 3] : (tensor<5x6xui8>, tensor<i32>, tensor<i32>) -> tensor<2x3xui8>
    %10 = stablehlo.dynamic_slice %arg30, %arg31, %arg32, sizes = [2, 3] : (tensor<5x6xui16>, tensor<i32>, tensor<i32>) -> tensor<2x3xui16>
    %11 = stablehlo.dynamic_slice %arg33, %arg34, %arg35, sizes = [2, 3] : (tensor<5x6xui32>, tensor<i32>, tensor<i32>) -> tensor<2x3xui32>
    %12 = stablehlo.dynamic_slice %arg36, %arg37, %arg38, sizes = [2, 3] : (tensor<5x6xui64>, tensor<i32>, tensor<i32>) -> tensor<2x3xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2x3xi1>, tensor<2x3xi2>, tensor<2x3xi4>, tensor<2x3xi8>, tensor<2x3xi16>, tensor<2x3xi32>, tensor<2x3xi64>, tensor<2x3xui2>, tensor<2x3xui4>, tensor<2x3xui8>, tensor<2x3xui16>, tensor<2x3xui32>, tensor<2x3xui64>
  }
}
