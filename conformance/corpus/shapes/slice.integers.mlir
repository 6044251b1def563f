module @shapes_slice_integers {
  func.func public @main(%arg0: tensor<5x6xi1>, %arg1: tensor<5x6xi2>, %arg2: tensor<5x6xi4>, %arg3: tensor<5x6xi8>, %arg4: tensor<5x6xi16>, %arg5: tensor<5x6xi32>, %arg6: tensor<5x6xi64>, %arg7: tensor<5x6xui2>, %arg8: tensor<5x6xui4>, %arg9: tensor<5x6xui8>, %arg10: tensor<5x6xui16>, %arg11: tensor<5x6xui32>, %arg12: tensor<5x6xui64>) -> (tensor<2x3xi1>, tensor<2x3xi2>, tensor<2x3xi4>, tensor<2x3xi8>, tensor<2x3xi16>, tensor<2x3xi32>, tensor<2x3xi64>, tensor<2x3xui2>, tensor<2x3xui4>, tensor<2x3xui8>, tensor<2x3xui16>, tensor<2x3xui32>, tensor<2x3xui64>) {
    %0 = stablehlo.slice %arg0 [1:5:3, 0:6:2] : (tensor<5x6xi1>) -> tensor<2x3xi1>
    %1 = stablehlo.slice %arg1 [1:5:3, 0:6:2] : (tensor<5x6xi2>) -> tensor<2x3xi2>
    %2 = stablehlo.slice %arg2 [1:5:3, 0:6:2] : (tensor<5x6xi4>) -> tensor<2x3xi4>
    %3 = stablehlo.slice %arg3 [1:5:3, 0:6:2] : (tensor<5x6xi8>) -> tensor<2x3xi8>
    %4 = stablehlo.slice %arg4 [1:5:3, 0:6:2] : (tensor<5x6xi16>) -> tensor<2x3xi16>
    %5 = stablehlo.slice %arg5 [1:5:3, 0:6:2] : (tensor<5x6xi32>) -> tensor<2x3xi32>
    %6 = stablehlo.slice %arg6 [1:5:3, 0:6:2] : (tensor<5x6xi64>) -> tensor<2x3xi64>
    %7 = stablehlo.slice %arg7 [1:5:3, 0:6:2] : (tensor<5x6xui2>) -> tensor<2x3xui2>
    %8 = stablehlo.slice %arg8 [1:5:3, 0:6:2] : (tensor<5x6xui4>) -> tensor<2x3xui4>
    %9 = stablehlo.slice %arg9 [1:5:3, 0:6:2] : (tensor<5x6xui8>) -> tensor<2x3xui8>
    %10 = stablehlo.slice %arg10 [1:5:3, 0:6:2] : (tensor<5x6xui16>) -> tensor<2x3xui16>
    %11 = stablehlo.slice %arg11 [1:5:3, 0:6:2] : (tensor<5x6xui32>) -> tensor<2x3xui32>
    %12 = stablehlo.slice %arg12 [1:5:3, 0:6:2] : (tensor<5x6xui64>) -> tensor<2x3xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2x3xi1>, tensor<2x3xi2>, tensor<2x3xi4>, tensor<2x3xi8>, tensor<2x3xi16>, tensor<2x3xi32>, tensor<2x3xi64>, tensor<2x3xui2>, tensor<2x3xui4>, tensor<2x3xui8>, tensor<2x3xui16>, tensor<2x3xui32>, tensor<2x3xui64>
  }
}
