module @elementwise_convert_f32_to_integers {
  func.func public @main(%arg0: tensor<22xf32>) -> (tensor<22xi1>, tensor<22xi2>, tensor<22xi4>, tensor<22xi8>, tensor<22xi16>, tensor<22xi32>, tensor<22xi64>, tensor<22xui2>, tensor<22xui4>, tensor<22xui8>, tensor<22xui16>, tensor<22xui32>, tensor<22xui64>) {
    %0 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xi1>
    %1 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xi2>
    %2 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xi4>
    %3 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xi8>
    %4 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xi16>
    %5 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xi32>
    %6 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xi64>
    %7 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xui2>
    %8 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xui4>
    %9 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xui8>
    %10 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xui16>
    %11 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xui32>
    %12 = stablehlo.convert %arg0 : (tensor<22xf32>) -> tensor<22xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<22xi1>, tensor<22xi2>, tensor<22xi4>, tensor<22xi8>, tensor<22xi16>, tensor<22xi32>, tensor<22xi64>, tensor<22xui2>, tensor<22xui4>, tensor<22xui8>, tensor<22xui16>, tensor<22xui32>, tensor<22xui64>
  }
}
