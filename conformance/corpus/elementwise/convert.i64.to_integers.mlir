module @elementwise_convert_i64_to_integers {
  func.func public @main(%arg0: tensor<11xi64>) -> (tensor<11xi1>, tensor<11xi2>, tensor<11xi4>, tensor<11xi8>, tensor<11xi16>, tensor<11xi32>, tensor<11xi64>, tensor<11xui2>, tensor<11xui4>, tensor<11xui8>, tensor<11xui16>, tensor<11xui32>, tensor<11xui64>) {
    %0 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xi1>
    %1 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xi2>
    %2 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xi4>
    %3 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xi8>
    %4 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xi16>
    %5 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xi32>
    %6 = stablehlo.convert %arg0 : tensor<11xi64>
    %7 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xui2>
    %8 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xui4>
    %9 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xui8>
    %10 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xui16>
    %11 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xui32>
    %12 = stablehlo.convert %arg0 : (tensor<11xi64>) -> tensor<11xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<11xi1>, tensor<11xi2>, tensor<11xi4>, tensor<11xi8>, tensor<11xi16>, tensor<11xi32>, tensor<11xi64>, tensor<11xui2>, tensor<11xui4>, tensor<11xui8>, tensor<11xui16>, tensor<11xui32>, tensor<11xui64>
  }
}
