module @shapes_broadcast_in_dim_integers {
  func.func public @main(%arg0: tensor<3x1xi1>, %arg1: tensor<3x1xi2>, %arg2: tensor<3x1xi4>, %arg3: tensor<3x1xi8>, %arg4: tensor<3x1xi16>, %arg5: tensor<3x1xi32>, %arg6: tensor<3x1xi64>, %arg7: tensor<3x1xui2>, %arg8: tensor<3x1xui4>, %arg9: tensor<3x1xui8>, %arg10: tensor<3x1xui16>, %arg11: tensor<3x1xui32>, %arg12: tensor<3x1xui64>) -> (tensor<2x4x3xi1>, tensor<2x4x3xi2>, tensor<2x4x3xi4>, tensor<2x4x3xi8>, tensor<2x4x3xi16>, tensor<2x4x3xi32>, tensor<2x4x3xi64>, tensor<2x4x3xui2>, tensor<2x4x3xui4>, tensor<2x4x3xui8>, tensor<2x4x3xui16>, tensor<2x4x3xui32>, tensor<2x4x3xui64>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<3x1xi1>) -> tensor<2x4x3xi1>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [2, 0] : (tensor<3x1xi2>) -> tensor<2x4x3xi2>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [2, 0] : (tensor<3x1xi4>) -> tensor<2x4x3xi4>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [2, 0] : (tensor<3x1xi8>) -> tensor<2x4x3xi8>
    %4 = stablehlo.broadcast_in_dim %arg4, dims = [2, 0] : (tensor<3x1xi16>) -> tensor<2x4x3xi16>
    %5 = stablehlo.broadcast_in_dim %arg5, dims = [2, 0] : (tensor<3x1xi32>) -> tensor<2x4x3xi32>
    %6 = stablehlo.broadcast_in_dim %arg6, dims = [2, 0] : (tensor<3x1xi64>) -> tensor<2x4x3xi64>
    %7 = stablehlo.broadcast_in_dim %arg7, dims = [2, 0] : (tensor<3x1xui2>) -> tensor<2x4x3xui2>
    %8 = stablehlo.broadcast_in_dim %arg8, dims = [2, 0] : (tensor<3x1xui4>) -> tensor<2x4x3xui4>
    %9 = stablehlo.broadcast_in_dim %arg9, dims = [2, 0] : (tensor<3x1xui8>) -> tensor<2x4x3xui8>
    %10 = stablehlo.broadcast_in_dim %arg10, dims = [2, 0] : (tensor<3x1xui16>) -> tensor<2x4x3xui16>
    %11 = stablehlo.broadcast_in_dim %arg11, dims = [2, 0] : (tensor<3x1xui32>) -> tensor<2x4x3xui32>
    %12 = stablehlo.broadcast_in_dim %arg12, dims = [2, 0] : (tensor<3x1xui64>) -> tensor<2x4x3xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2x4x3xi1>, tensor<2x4x3xi2>, tensor<2x4x3xi4>, tensor<2x4x3xi8>, tensor<2x4x3xi16>, tensor<2x4x3xi32>, tensor<2x4x3xi64>, tensor<2x4x3xui2>, tensor<2x4x3xui4>, tensor<2x4x3xui8>, tensor<2x4x3xui16>, tensor<2x4x3xui32>, tensor<2x4x3xui64>
  }
}
