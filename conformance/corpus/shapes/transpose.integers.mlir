module @shapes_transpose_integers {
  func.func public @main(%arg0: tensor<2x3x4xi1>, %arg1: tensor<2x3x4xi2>, %arg2: tensor<2x3x4xi4>, %arg3: tensor<2x3x4xi8>, %arg4: tensor<2x3x4xi16>, %arg5: tensor<2x3x4xi32>, %arg6: tensor<2x3x4xi64>, %arg7: tensor<2x3x4xui2>, %arg8: tensor<2x3x4xui4>, %arg9: tensor<2x3x4xui8>, %arg10: tensor<2x3x4xui16>, %arg11: tensor<2x3x4xui32>, %arg12: tensor<2x3x4xui64>) -> (tensor<4x2x3xi1>, tensor<4x2x3xi2>, tensor<4x2x3xi4>, tensor<4x2x3xi8>, tensor<4x2x3xi16>, tensor<4x2x3xi32>, tensor<4x2x3xi64>, tensor<4x2x3xui2>, tensor<4x2x3xui4>, tensor<4x2x3xui8>, tensor<4x2x3xui16>, tensor<4x2x3xui32>, tensor<4x2x3xui64>) {
    %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xi1>) -> tensor<4x2x3xi1>
    %1 = stablehlo.transpose %arg1, dims = [2, 0, 1] : (tensor<2x3x4xi2>) -> tensor<4x2x3xi2>
    %2 = stablehlo.transpose %arg2, dims = [2, 0, 1] : (tensor<2x3x4xi4>) -> tensor<4x2x3xi4>
    %3 = stablehlo.transpose %arg3, dims = [2, 0, 1] : (tensor<2x3x4xi8>) -> tensor<4x2x3xi8>
    %4 = stablehlo.transpose %arg4, dims = [2, 0, 1] : (tensor<2x3x4xi16>) -> tensor<4x2x3xi16>
    %5 = stablehlo.transpose %arg5, dims = [2, 0, 1] : (tensor<2x3x4xi32>) -> tensor<4x2x3xi32>
    %6 = stablehlo.transpose %arg6, dims = [2, 0, 1] : (tensor<2x3x4xi64>) -> tensor<4x2x3xi64>
    %7 = stablehlo.transpose %arg7, dims = [2, 0, 1] : (tensor<2x3x4xui2>) -> tensor<4x2x3xui2>
    %8 = stablehlo.transpose %arg8, dims = [2, 0, 1] : (tensor<2x3x4xui4>) -> tensor<4x2x3xui4>
    %9 = stablehlo.transpose %arg9, dims = [2, 0, 1] : (tensor<2x3x4xui8>) -> tensor<4x2x3xui8>
    %10 = stablehlo.transpose %arg10, dims = [2, 0, 1] : (tensor<2x3x4xui16>) -> tensor<4x2x3xui16>
    %11 = stablehlo.transpose %arg11, dims = [2, 0, 1] : (tensor<2x3x4xui32>) -> tensor<4x2x3xui32>
    %12 = stablehlo.transpose %arg12, dims = [2, 0, 1] : (tensor<2x3x4xui64>) -> tensor<4x2x3xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<4x2x3xi1>, tensor<4x2x3xi2>, tensor<4x2x3xi4>, tensor<4x2x3xi8>, tensor<4x2x3xi16>, tensor<4x2x3xi32>, tensor<4x2x3xi64>, tensor<4x2x3xui2>, tensor<4x2x3xui4>, tensor<4x2x3xui8>, tensor<4x2x3xui16>, tensor<4x2x3xui32>, tensor<4x2x3xui64>
  }
}
