module @elementwise_convert_f8E8M0FNU_to_integers {
  func.func public @main(%arg0: tensor<7xf8E8M0FNU>) -> (tensor<7xi1>, tensor<7xi2>, tensor<7xi4>, tensor<7xi8>, tensor<7xi16>, tensor<7xi32>, tensor<7xi64>, tensor<7xui2>, tensor<7xui4>, tensor<7xui8>, tensor<7xui16>, tensor<7xui32>, tensor<7xui64>) {
    %0 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xi1>
    %1 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xi2>
    %2 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xi4>
    %3 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xi8>
    %4 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xi16>
    %5 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xi32>
    %6 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xi64>
    %7 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xui2>
    %8 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xui4>
    %9 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xui8>
    %10 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xui16>
    %11 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xui32>
    %12 = stablehlo.convert %arg0 : (tensor<7xf8E8M0FNU>) -> tensor<7xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<7xi1>, tensor<7xi2>, tensor<7xi4>, tensor<7xi8>, tensor<7xi16>, tensor<7xi32>, tensor<7xi64>, tensor<7xui2>, tensor<7xui4>, tensor<7xui8>, tensor<7xui16>, tensor<7xui32>, tensor<7xui64>
  }
}
