module @shapes_concatenate_integers {
  func.func public @main(%arg0: tensor<2x3xi1>, %arg1: tensor<2x1xi1>, %arg2: tensor<2x0xi1>, %arg3: tensor<2x3xi2>, %arg4: tensor<2x1xi2>, %arg5: tensor<2x0xi2>, %arg6: tensor<2x3xi4>, %arg7: tensor<2x1xi4>, %arg8: tensor<2x0xi4>, %arg9: tensor<2x3xi8>, %arg10: tensor<2x1xi8>, %arg11: tensor<2x0xi8>, %arg12: tensor<2x3xi16>, %arg13: tensor<2x1xi16>, %arg14: tensor<2x0xi16>, %arg15: tensor<2x3xi32>, %arg16: tensor<2x1xi32>, %arg17: tensor<2x0xi32>, %arg18: tensor<2x3xi64>, %arg19: tensor<2x1xi64>, %arg20: tensor<2x0xi64>, %arg21: tensor<2x3xui2>, %arg22: tensor<2x1xui2>, %arg23: tensor<2x0xui2>, %arg24: tensor<2x3xui4>, %arg25: tensor<2x1xui4>, %arg26: tensor<2x0xui4>, %arg27: tensor<2x3xui8>, %arg28: tensor<2x1xui8>, %arg29: tensor<2x0xui8>, %arg30: tensor<2x3xui16>, %arg31: tensor<2x1xui16>, %arg32: tensor<2x0xui16>, %arg33: tensor<2x3xui32>, %arg34: tensor<2x1xui32>, %arg35: tensor<2x0xui32>, %arg36: tensor<2x3xui64>, %arg37: tensor<2x1xui64>, %arg38: tensor<2x0xui64>) -> (tensor<2x4xi1>, tensor<2x4xi2>, tensor<2x4xi4>, tensor<2x4xi8>, tensor<2x4xi16>, tensor<2x4xi32>, tensor<2x4xi64>, tensor<2x4xui2>, tensor<2x4xui4>, tensor<2x4xui8>, tensor<2x4xui16>, tensor<2x4xui32>, tensor<2x4xui64>) {
    %0 = stablehlo.concatenate %arg0, %arg1, %arg2, dim = 1 : (tensor<2x3xi1>, tensor<2x1xi1>, tensor<2x0xi1>) -> tensor<2x4xi1>
    %1 = stablehlo.concatenate %arg3, %arg4, %arg5, dim = 1 : (tensor<2x3xi2>, tensor<2x1xi2>, tensor<2x0xi2>) -> tensor<2x4xi2>
    %2 = stablehlo.concatenate %arg6, %arg7, %arg8, dim = 1 : (tensor<2x3xi4>, tensor<2x1xi4>, tensor<2x0xi4>) -> tensor<2x4xi4>
    %3 = stablehlo.concatenate %arg9, %arg10, %arg11, dim = 1 : (tensor<2x3xi8>, tensor<2x1xi8>, tensor<2x0xi8>) -> tensor<2x4xi8>
    %4 = stablehlo.concatenate %arg12, %arg13, %arg14, dim = 1 : (tensor<2x3xi16>, tensor<2x1xi16>, tensor<2x0xi16>) -> tensor<2x4xi16>
    %5 = stablehlo.concatenate %arg15, %arg16, %arg17, dim = 1 : (tensor<2x3xi32>, tensor<2x1xi32>, tensor<2x0xi32>) -> tensor<2x4xi32>
    %6 = stablehlo.concatenate %arg18, %arg19, %arg20, dim = 1 : (tensor<2x3xi64>, tensor<2x1xi64>, tensor<2x0xi64>) -> tensor<2x4xi64>
    %7 = stablehlo.concatenate %arg21, %arg22, %arg23, dim = 1 : (tensor<2x3xui2>, tensor<2x1xui2>, tensor<2x0xui2>) -> tensor<2x4xui2>
    %8 = stablehlo.concatenate %arg24, %arg25, %arg26, dim = 1 : (tensor<2x3xui4>, tensor<2x1xui4>, tensor<2x0xui4>) -> tensor<2x4xui4>
    %9 = stablehlo.concatenate %arg27, %arg28, %arg29, dim = 1 : (tensor<2x3xui8>, tensor<2x1xui8>, tensor<2x0xui8>) -> tensor<2x4xui8>
    %10 = stablehlo.concatenate %arg30, %arg31, %arg32, dim = 1 : (tensor<2x3xui16>, tensor<2x1xui16>, tensor<2x0xui16>) -> tensor<2x4xui16>
    %11 = stablehlo.concatenate %arg33, %arg34, %arg35, dim = 1 : (tensor<2x3xui32>, tensor<2x1xui32>, tensor<2x0xui32>) -> tensor<2x4xui32>
    %12 = stablehlo.concatenate %arg36, %arg37, %arg38, dim = 1 : (tensor<2x3xui64>, tensor<2x1xui64>, tensor<2x0xui64>) -> tensor<2x4xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2x4xi1>, tensor<2x4xi2>, tensor<2x4xi4>, tensor<2x4xi8>, tensor<2x4xi16>, tensor<2x4xi32>, tensor<2x4xi64>, tensor<2x4xui2>, tensor<2x4xui4>, tensor<2x4xui8>, tensor<2x4xui16>, tensor<2x4xui32>, tensor<2x4xui64>
  }
}
