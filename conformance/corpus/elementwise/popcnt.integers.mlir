module @elementwise_popcnt_integers {
  func.func public @main(%arg0: tensor<4xi2>, %arg1: tensor<9xi4>, %arg2: tensor<11xi8>, %arg3: tensor<11xi16>, %arg4: tensor<11xi32>, %arg5: tensor<11xi64>, %arg6: tensor<4xui2>, %arg7: tensor<6xui4>, %arg8: tensor<7xui8>, %arg9: tensor<7xui16>, %arg10: tensor<7xui32>, %arg11: tensor<7xui64>) -> (tensor<4xi2>, tensor<9xi4>, tensor<11xi8>, tensor<11xi16>, tensor<11xi32>, tensor<11xi64>, tensor<4xui2>, tensor<6xui4>, tensor<7xui8>, tensor<7xui16>, tensor<7xui32>, tensor<7xui64>) {
    %0 = stablehlo.popcnt %arg0 : tensor<4xi2>
    %1 = stablehlo.popcnt %arg1 : tensor<9xi4>
    %2 = stablehlo.popcnt %arg2 : tensor<11xi8>
    %3 = stablehlo.popcnt %arg3 : tensor<11xi16>
    %4 = stablehlo.popcnt %arg4 : tensor<11xi32>
    %5 = stablehlo.popcnt %arg5 : tensor<11xi64>
    %6 = stablehlo.popcnt %arg6 : tensor<4xui2>
    %7 = stablehlo.popcnt %arg7 : tensor<6xui4>
    %8 = stablehlo.popcnt %arg8 : tensor<7xui8>
    %9 = stablehlo.popcnt %arg9 : tensor<7xui16>
    %10 = stablehlo.popcnt %arg10 : tensor<7xui32>
    %11 = stablehlo.popcnt %arg11 : tensor<7xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<4xi2>, tensor<9xi4>, tensor<11xi8>, tensor<11xi16>, tensor<11xi32>, tensor<11xi64>, tensor<4xui2>, tensor<6xui4>, tensor<7xui8>, tensor<7xui16>, tensor<7xui32>, tensor<7xui64>
  }
}
