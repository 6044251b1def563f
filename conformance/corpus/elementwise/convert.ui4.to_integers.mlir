module @elementwise_convert_ui4_to_integers {
  func.func public @main(%arg0: tensor<6xui4>) -> (tensor<6xi1>, tensor<6xi2>, tensor<6xi4>, tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui2>, tensor<6xui4>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
    %0 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xi1>
    %1 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xi2>
    %2 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xi4>
    %3 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xi8>
    %4 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xi16>
    %5 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xi32>
    %6 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xi64>
    %7 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xui2>
    %8 = stablehlo.convert %arg0 : tensor<6xui4>
    %9 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xui8>
    %10 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xui16>
    %11 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xui32>
    %12 = stablehlo.convert %arg0 : (tensor<6xui4>) -> tensor<6xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<6xi1>, tensor<6xi2>, tensor<6xi4>, tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui2>, tensor<6xui4>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
  }
}
