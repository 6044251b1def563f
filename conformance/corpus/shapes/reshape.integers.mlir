module @shapes_reshape_integers {
  func.func public @main(%arg0: tensor<2x6xi1>, %arg1: tensor<2x6xi2>, %arg2: tensor<2x6xi4>, %arg3: tensor<2x6xi8>, %arg4: tensor<2x6xi16>, %arg5: tensor<2x6xi32>, %arg6: tensor<2x6xi64>, %arg7: tensor<2x6xui2>, %arg8: tensor<2x6xui4>, %arg9: tensor<2x6xui8>, %arg10: tensor<2x6xui16>, %arg11: tensor<2x6xui32>, %arg12: tensor<2x6xui64>) -> (tensor<3x4xi1>, tensor<3x4xi2>, tensor<3x4xi4>, tensor<3x4xi8>, tensor<3x4xi16>, tensor<3x4xi32>, tensor<3x4xi64>, tensor<3x4xui2>, tensor<3x4xui4>, tensor<3x4xui8>, tensor<3x4xui16>, tensor<3x4xui32>, tensor<3x4xui64>) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x6xi1>) -> tensor<3x4xi1>
    %1 = stablehlo.reshape %arg1 : (tensor<2x6xi2>) -> tensor<3x4xi2>
    %2 = stablehlo.reshape %arg2 : (tensor<2x6xi4>) -> tensor<3x4xi4>
    %3 = stablehlo.reshape %arg3 : (tensor<2x6xi8>) -> tensor<3x4xi8>
    %4 = stablehlo.reshape %arg4 : (tensor<2x6xi16>) -> tensor<3x4xi16>
    %5 = stablehlo.reshape %arg5 : (tensor<2x6xi32>) -> tensor<3x4xi32>
    %6 = stablehlo.reshape %arg6 : (tensor<2x6xi64>) -> tensor<3x4xi64>
    %7 = stablehlo.reshape %arg7 : (tensor<2x6xui2>) -> tensor<3x4xui2>
    %8 = stablehlo.reshape %arg8 : (tensor<2x6xui4>) -> tensor<3x4xui4>
    %9 = stablehlo.reshape %arg9 : (tensor<2x6xui8>) -> tensor<3x4xui8>
    %10 = stablehlo.reshape %arg10 : (tensor<2x6xui16>) -> tensor<3x4xui16>
    %11 = stablehlo.reshape %arg11 : (tensor<2x6xui32>) -> tensor<3x4xui32>
    %12 = stablehlo.reshape %arg12 : (tensor<2x6xui64>) -> tensor<3x4xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<3x4xi1>, tensor<3x4xi2>, tensor<3x4xi4>, tensor<3x4xi8>, tensor<3x4xi16>, tensor<3x4xi32>, tensor<3x4xi64>, tensor<3x4xui2>, tensor<3x4xui4>, tensor<3x4xui8>, tensor<3x4xui16>, tensor<3x4xui32>, tensor<3x4xui64>
  }
}
