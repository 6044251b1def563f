module @elementwise_convert_i4_to_integers {
  func.func public @main(%arg0: tensor<9xi4>) -> (tensor<9xi1>, tensor<9xi2>, tensor<9xi4>, tensor<9xi8>, tensor<9xi16>, tensor<9xi32>, tensor<9xi64>, tensor<9xui2>, tensor<9xui4>, tensor<9xui8>, tensor<9xui16>, tensor<9xui32>, tensor<9xui64>) {
    %0 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xi1>
    %1 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xi2>
    %2 = stablehlo.convert %arg0 : tensor<9xi4>
    %3 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xi8>
    %4 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xi16>
    %5 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xi32>
    %6 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xi64>
    %7 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xui2>
    %8 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xui4>
    %9 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xui8>
    %10 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xui16>
    %11 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xui32>
    %12 = stablehlo.convert %arg0 : (tensor<9xi4>) -> tensor<9xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<9xi1>, tensor<9xi2>, tensor<9xi4>, tensor<9xi8>, tensor<9xi16>, tensor<9xi32>, tensor<9xi64>, tensor<9xui2>, tensor<9xui4>, tensor<9xui8>, tensor<9xui16>, tensor<9xui32>, tensor<9xui64>
  }
}
