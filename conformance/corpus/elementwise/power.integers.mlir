module @elementwise_power_integers {
  func.func public @main(%arg0: tensor<8xi2>, %arg1: tensor<8xi2>, %arg2: tensor<45xi4>, %arg3: tensor<45xi4>, %arg4: tensor<55xi8>, %arg5: tensor<55xi8>, %arg6: tensor<55xi16>, %arg7: tensor<55xi16>, %arg8: tensor<55xi32>, %arg9: tensor<55xi32>, %arg10: tensor<55xi64>, %arg11: tensor<55xi64>, %arg12: tensor<16xui2>, %arg13: tensor<16xui2>, %arg14: tensor<30xui4>, %arg15: tensor<30xui4>, %arg16: tensor<35xui8>, %arg17: tensor<35xui8>, %arg18: tensor<35xui16>, %arg19: tensor<35xui16>, %arg20: tensor<35xui32>, %arg21: tensor<35xui32>, %arg22: tensor<35xui64>, %arg23: tensor<35xui64>) -> (tensor<8xi2>, tensor<45xi4>, tensor<55xi8>, tensor<55xi16>, tensor<55xi32>, tensor<55xi64>, tensor<16xui2>, tensor<30xui4>, tensor<35xui8>, tensor<35xui16>, tensor<35xui32>, tensor<35xui64>) {
    %0 = stablehlo.power %arg0, %arg1 : tensor<8xi2>
    %1 = stablehlo.power %arg2, %arg3 : tensor<45xi4>
    %2 = stablehlo.power %arg4, %arg5 : tensor<55xi8>
    %3 = stablehlo.power %arg6, %arg7 : tensor<55xi16>
    %4 = stablehlo.power %arg8, %arg9 : tensor<55xi32>
    %5 = stablehlo.power %arg10, %arg11 : tensor<55xi64>
    %6 = stablehlo.power %arg12, %arg13 : tensor<16xui2>
    %7 = stablehlo.power %arg14, %arg15 : tensor<30xui4>
    %8 = stablehlo.power %arg16, %arg17 : tensor<35xui8>
    %9 = stablehlo.power %arg18, %arg19 : tensor<35xui16>
    %10 = stablehlo.power %arg20, %arg21 : tensor<35xui32>
    %11 = stablehlo.power %arg22, %arg23 : tensor<35xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<8xi2>, tensor<45xi4>, tensor<55xi8>, tensor<55xi16>, tensor<55xi32>, tensor<55xi64>, tensor<16xui2>, tensor<30xui4>, tensor<35xui8>, tensor<35xui16>, tensor<35xui32>, tensor<35xui64>
  }
}
