module @elementwise_abs_signed {
  func.func public @main(%arg0: tensor<4xi2>, %arg1: tensor<9xi4>, %arg2: tensor<11xi8>, %arg3: tensor<11xi16>, %arg4: tensor<11xi32>, %arg5: tensor<11xi64>) -> (tensor<4xi2>, tensor<9xi4>, tensor<11xi8>, tensor<11xi16>, tensor<11xi32>, tensor<11xi64>) {
    %0 = stablehlo.abs %arg0 : tensor<4xi2>
    %1 = stablehlo.abs %arg1 : tensor<9xi4>
    %2 = stablehlo.abs %arg2 : tensor<11xi8>
    %3 = stablehlo.abs %arg3 : tensor<11xi16>
    %4 = stablehlo.abs %arg4 : tensor<11xi32>
    %5 = stablehlo.abs %arg5 : tensor<11xi64>
    return %0, %1, %2, %3, %4, %5 : tensor<4xi2>, tensor<9xi4>, tensor<11xi8>, tensor<11xi16>, tensor<11xi32>, tensor<11xi64>
  }
}
