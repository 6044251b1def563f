module @shapes_reverse_integers {
  func.func public @main(%arg0: tensor<2x5xi1>, %arg1: tensor<2x5xi2>, %arg2: tensor<2x5xi4>, %arg3: tensor<2x5xi8>, %arg4: tensor<2x5xi16>, %arg5: tensor<2x5xi32>, %arg6: tensor<2x5xi64>, %arg7: tensor<2x5xui2>, %arg8: tensor<2x5xui4>, %arg9: tensor<2x5xui8>, %arg10: tensor<2x5xui16>, %arg11: tensor<2x5xui32>, %arg12: tensor<2x5xui64>) -> (tensor<2x5xi1>, tensor<2x5xi2>, tensor<2x5xi4>, tensor<2x5xi8>, tensor<2x5xi16>, tensor<2x5xi32>, tensor<2x5xi64>, tensor<2x5xui2>, tensor<2x5xui4>, tensor<2x5xui8>, tensor<2x5xui16>, tensor<2x5xui32>, tensor<2x5xui64>) {
    %0 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<2x5xi1>
    %1 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<2x5xi2>
    %2 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<2x5xi4>
    %3 = stablehlo.reverse %arg3, dims = [0, 1] : tensor<2x5xi8>
    %4 = stablehlo.reverse %arg4, dims = [0, 1] : tensor<2x5xi16>
    %5 = stablehlo.reverse %arg5, dims = [0, 1] : tensor<2x5xi32>
    %6 = stablehlo.reverse %arg6, dims = [0, 1] : tensor<2x5xi64>
    %7 = stablehlo.reverse %arg7, dims = [0, 1] : tensor<2x5xui2>
    %8 = stablehlo.reverse %arg8, dims = [0, 1] : tensor<2x5xui4>
    %9 = stablehlo.reverse %arg9, dims = [0, 1] : tensor<2x5xui8>
    %10 = stablehlo.reverse %arg10, dims = [0, 1] : tensor<2x5xui16>
    %11 = stablehlo.reverse %arg11, dims = [0, 1] : tensor<2x5xui32>
    %12 = stablehlo.reverse %arg12, dims = [0, 1] : tensor<2x5xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2x5xi1>, tensor<2x5xi2>, tensor<2x5xi4>, tensor<2x5xi8>, tensor<2x5xi16>, tensor<2x5xi32>, tensor<2x5xi64>, tensor<2x5xui2>, tensor<2x5xui4>, tensor<2x5xui8>, tensor<2x5xui16>, tensor<2x5xui32>, tensor<2x5xui64>
  }
}
