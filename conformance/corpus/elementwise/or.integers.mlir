module @elementwise_or_integers {
  func.func public @main(%arg0: tensor<16xi2>, %arg1: tensor<16xi2>, %arg2: tensor<81xi4>, %arg3: tensor<81xi4>, %arg4: tensor<121xi8>, %arg5: tensor<121xi8>, %arg6: tensor<121xi16>, %arg7: tensor<121xi16>, %arg8: tensor<121xi32>, %arg9: tensor<121xi32>, %arg10: tensor<121xi64>, %arg11: tensor<121xi64>, %arg12: tensor<16xui2>, %arg13: tensor<16xui2>, %arg14: tensor<36xui4>, %arg15: tensor<36xui4>, %arg16: tensor<49xui8>, %arg17: tensor<49xui8>, %arg18: tensor<49xui16>, %arg19: tensor<49xui16>, %arg20: tensor<49xui32>, %arg21: tensor<49xui32>, %arg22: tensor<49xui64>, %arg23: tensor<49xui64>) -> (tensor<16xi2>, tensor<81xi4>, tensor<121xi8>, tensor<121xi16>, tensor<121xi32>, tensor<121xi64>, tensor<16xui2>, tensor<36xui4>, tensor<49xui8>, tensor<49xui16>, tensor<49xui32>, tensor<49xui64>) {
    %0 = stablehlo.or %arg0, %arg1 : tensor<16xi2>
    %1 = stablehlo.or %arg2, %arg3 : tensor<81xi4>
    %2 = stablehlo.or %arg4, %arg5 : tensor<121xi8>
    %3 = stablehlo.or %arg6, %arg7 : tensor<121xi16>
    %4 = stablehlo.or %arg8, %arg9 : tensor<121xi32>
    %5 = stablehlo.or %arg10, %arg11 : tensor<121xi64>
    %6 = stablehlo.or %arg12, %arg13 : tensor<16xui2>
    %7 = stablehlo.or %arg14, %arg15 : tensor<36xui4>
    %8 = stablehlo.or %arg16, %arg17 : tensor<49xui8>
    %9 = stablehlo.or %arg18, %arg19 : tensor<49xui16>
    %10 = stablehlo.or %arg20, %arg21 : tensor<49xui32>
    %11 = stablehlo.or %arg22, %arg23 : tensor<49xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<16xi2>, tensor<81xi4>, tensor<121xi8>, tensor<121xi16>, tensor<121xi32>, tensor<121xi64>, tensor<16xui2>, tensor<36xui4>, tensor<49xui8>, tensor<49xui16>, tensor<49xui32>, tensor<49xui64>
  }
}
