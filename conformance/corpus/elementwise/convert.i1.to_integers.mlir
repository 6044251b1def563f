module @elementwise_convert_i1_to_integers {
  func.func public @main(%arg0: tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi2>, tensor<2xi4>, tensor<2xi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xi64>, tensor<2xui2>, tensor<2xui4>, tensor<2xui8>, tensor<2xui16>, tensor<2xui32>, tensor<2xui64>) {
    %0 = stablehlo.convert %arg0 : tensor<2xi1>
    %1 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi2>
    %2 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi4>
    %3 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi8>
    %4 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi16>
    %5 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi32>
    %6 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xi64>
    %7 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui2>
    %8 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui4>
    %9 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui8>
    %10 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui16>
    %11 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui32>
    %12 = stablehlo.convert %arg0 : (tensor<2xi1>) -> tensor<2xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2xi1>, tensor<2xi2>, tensor<2xi4>, tensor<2xi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xi64>, tensor<2xui2>, tensor<2xui4>, tensor<2xui8>, tensor<2xui16>, tensor<2xui32>, tensor<2xui64>
  }
}
