module @elementwise_convert_ui2_to_integers {
  func.func public @main(%arg0: tensor<4xui2>) -> (tensor<4xi1>, tensor<4xi2>, tensor<4xi4>, tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui2>, tensor<4xui4>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>) {
    %0 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi1>
    %1 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi2>
    %2 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi4>
    %3 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi8>
    %4 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi16>
    %5 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi32>
    %6 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xi64>
    %7 = stablehlo.convert %arg0 : tensor<4xui2>
    %8 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xui4>
    %9 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xui8>
    %10 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xui16>
    %11 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xui32>
    %12 = stablehlo.convert %arg0 : (tensor<4xui2>) -> tensor<4xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<4xi1>, tensor<4xi2>, tensor<4xi4>, tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui2>, tensor<4xui4>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>
  }
}
