module @elementwise_select_by_one_integers {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<5xi4>, %arg2: tensor<5xi4>, %arg3: tensor<i1>, %arg4: tensor<5xi8>, %arg5: tensor<5xi8>, %arg6: tensor<i1>, %arg7: tensor<5xi16>, %arg8: tensor<5xi16>, %arg9: tensor<i1>, %arg10: tensor<5xi32>, %arg11: tensor<5xi32>, %arg12: tensor<i1>, %arg13: tensor<5xi64>, %arg14: tensor<5xi64>, %arg15: tensor<i1>, %arg16: tensor<5xui4>, %arg17: tensor<5xui4>, %arg18: tensor<i1>, %arg19: tensor<5xui8>, %arg20: tensor<5xui8>, %arg21: tensor<i1>, %arg22: tensor<5xui16>, %arg23: tensor<5xui16>, %arg24: tensor<i1>, %arg25: tensor<5xui32>, %arg26: tensor<5xui32>, %arg27: tensor<i1>, %arg28: tensor<5xui64>, %arg29: tensor<5xui64>, %arg30: tensor<i1>, %arg31: tensor<5xi1>, %arg32: tensor<5xi1>, %arg33: tensor<i1>, %arg34: tensor<2xi2>, %arg35: tensor<2xi2>, %arg36: tensor<i1>, %arg37: tensor<2xui2>, %arg38: tensor<2xui2>) -> (tensor<5xi4>, tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui4>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>, tensor<5xi1>, tensor<2xi2>, tensor<2xui2>) {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<5xi4>
    %1 = stablehlo.select %arg3, %arg4, %arg5 : tensor<i1>, tensor<5xi8>
    %2 = stablehlo.select %arg6, %arg7, %arg8 : tensor<i1>, tensor<5xi16>
    %3 = stablehlo.select %arg9, %arg10, %arg11 : tensor<i1>, tensor<5xi32>
    %4 = stablehlo.select %arg12, %arg13, %arg14 : tensor<i1>, tensor<5xi64>
    %5 = stablehlo.select %arg15, %arg16, %arg17 : tensor<i1>, tensor<5xui4>
    %6 = stablehlo.select %arg18, %arg19, %arg20 : tensor<i1>, tensor<5xui8>
    %7 = stablehlo.select %arg21, %arg22, %arg23 : tensor<i1>, tensor<5xui16>
    %8 = stablehlo.select %arg24, %arg25, %arg26 : tensor<i1>, tensor<5xui32>
    %9 = stablehlo.select %arg27, %arg28, %arg29 : tensor<i1>, tensor<5xui64>
    %10 = stablehlo.select %arg30, %arg31, %arg32 : tensor<i1>, tensor<5xi1>
    %11 = stablehlo.select %arg33, %arg34, %arg35 : tensor<i1>, tensor<2xi2>
    %12 = stablehlo.select %arg36, %arg37, %arg38 : tensor<i1>, tensor<2xui2>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<5xi4>, tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui4>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>, tensor<5xi1>, tensor<2xi2>, tensor<2xui2>
  }
}
