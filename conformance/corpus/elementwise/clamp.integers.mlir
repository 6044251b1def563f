module @elementwise_clamp_integers {
  func.func public @main(%arg0: tensor<6xi2>, %arg1: tensor<6xi2>, %arg2: tensor<6xi2>, %arg3: tensor<6xi4>, %arg4: tensor<6xi4>, %arg5: tensor<6xi4>, %arg6: tensor<6xi8>, %arg7: tensor<6xi8>, %arg8: tensor<6xi8>, %arg9: tensor<6xi16>, %arg10: tensor<6xi16>, %arg11: tensor<6xi16>, %arg12: tensor<6xi32>, %arg13: tensor<6xi32>, %arg14: tensor<6xi32>, %arg15: tensor<6xi64>, %arg16: tensor<6xi64>, %arg17: tensor<6xi64>, %arg18: tensor<6xui2>, %arg19: tensor<6xui2>, %arg20: tensor<6xui2>, %arg21: tensor<6xui4>, %arg22: tensor<6xui4>, %arg23: tensor<6xui4>, %arg24: tensor<6xui8>, %arg25: tensor<6xui8>, %arg26: tensor<6xui8>, %arg27: tensor<6xui16>, %arg28: tensor<6xui16>, %arg29: tensor<6xui16>, %arg30: tensor<6xui32>, %arg31: tensor<6xui32>, %arg32: tensor<6xui32>, %arg33: tensor<6xui64>, %arg34: tensor<6xui64>, %arg35: tensor<6xui64>) -> (tensor<6xi2>, tensor<6xi4>, tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui2>, tensor<6xui4>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
    %0 = stablehlo.clamp %arg0, %arg1, %arg2 : tensor<6xi2>
    %1 = stablehlo.clamp %arg3, %arg4, %arg5 : tensor<6xi4>
    %2 = stablehlo.clamp %arg6, %arg7, %arg8 : tensor<6xi8>
    %3 = stablehlo.clamp %arg9, %arg10, %arg11 : tensor<6xi16>
    %4 = stablehlo.clamp %arg12, %arg13, %arg14 : tensor<6xi32>
    %5 = stablehlo.clamp %arg15, %arg16, %arg17 : tensor<6xi64>
    %6 = stablehlo.clamp %arg18, %arg19, %arg20 : tensor<6xui2>
    %7 = stablehlo.clamp %arg21, %arg22, %arg23 : tensor<6xui4>
    %8 = stablehlo.clamp %arg24, %arg25, %arg26 : tensor<6xui8>
    %9 = stablehlo.clamp %arg27, %arg28, %arg29 : tensor<6xui16>
    %10 = stablehlo.clamp %arg30, %arg31, %arg32 : tensor<6xui32>
    %11 = stablehlo.clamp %arg33, %arg34, %arg35 : tensor<6xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<6xi2>, tensor<6xi4>, tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui2>, tensor<6xui4>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
  }
}
