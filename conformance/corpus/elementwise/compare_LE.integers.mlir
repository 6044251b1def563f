module @elementwise_compare_LE_integers {
  func.func public @main(%arg0: tensor<16xi2>, %arg1: tensor<16xi2>, %arg2: tensor<81xi4>, %arg3: tensor<81xi4>, %arg4: tensor<121xi8>, %arg5: tensor<121xi8>, %arg6: tensor<121xi16>, %arg7: tensor<121xi16>, %arg8: tensor<121xi32>, %arg9: tensor<121xi32>, %arg10: tensor<121xi64>, %arg11: tensor<121xi64>, %arg12: tensor<16xui2>, %arg13: tensor<16xui2>, %arg14: tensor<36xui4>, %arg15: tensor<36xui4>, %arg16: tensor<49xui8>, %arg17: tensor<49xui8>, %arg18: tensor<49xui16>, %arg19: tensor<49xui16>, %arg20: tensor<49xui32>, %arg21: tensor<49xui32>, %arg22: tensor<49xui64>, %arg23: tensor<49xui64>, %arg24: tensor<4xi1>, %arg25: tensor<4xi1>) -> (tensor<16xi1>, tensor<81xi1>, tensor<121xi1>, tensor<121xi1>, tensor<121xi1>, tensor<121xi1>, tensor<16xi1>, tensor<36xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<4xi1>) {
    %0 = stablehlo.compare LE, %arg0, %arg1 : (tensor<16xi2>, tensor<16xi2>) -> tensor<16xi1>
    %1 = stablehlo.compare LE, %arg2, %arg3 : (tensor<81xi4>, tensor<81xi4>) -> tensor<81xi1>
    %2 = stablehlo.compare LE, %arg4, %arg5 : (tensor<121xi8>, tensor<121xi8>) -> tensor<121xi1>
    %3 = stablehlo.compare LE, %arg6, %arg7 : (tensor<121xi16>, tensor<121xi16>) -> tensor<121xi1>
    %4 = stablehlo.compare LE, %arg8, %arg9 : (tensor<121xi32>, tensor<121xi32>) -> tensor<121xi1>
    %5 = stablehlo.compare LE, %arg10, %arg11 : (tensor<121xi64>, tensor<121xi64>) -> tensor<121xi1>
    %6 = stablehlo.compare LE, %arg12, %arg13 : (tensor<16xui2>, tensor<16xui2>) -> tensor<16xi1>
    %7 = stablehlo.compare LE, %arg14, %arg15 : (tensor<36xui4>, tensor<36xui4>) -> tensor<36xi1>
    %8 = stablehlo.compare LE, %arg16, %arg17 : (tensor<49xui8>, tensor<49xui8>) -> tensor<49xi1>
    %9 = stablehlo.compare LE, %arg18, %arg19 : (tensor<49xui16>, tensor<49xui16>) -> tensor<49xi1>
    %10 = stablehlo.compare LE, %arg20, %arg21 : (tensor<49xui32>, tensor<49xui32>) -> tensor<49xi1>
    %11 = stablehlo.compare LE, %arg22, %arg23 : (tensor<49xui64>, tensor<49xui64>) -> tensor<49xi1>
    %12 = stablehlo.compare LE, %arg24, %arg25 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<16xi1>, tensor<81xi1>, tensor<121xi1>, tensor<121xi1>, tensor<121xi1>, tensor<121xi1>, tensor<16xi1>, tensor<36xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<4xi1>
  }
}
