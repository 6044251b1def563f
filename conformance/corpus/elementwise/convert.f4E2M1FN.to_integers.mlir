module @elementwise_convert_f4E2M1FN_to_integers {
  func.func public @main(%arg0: tensor<15xf4E2M1FN>) -> (tensor<15xi1>, tensor<15xi2>, tensor<15xi4>, tensor<15xi8>, tensor<15xi16>, tensor<15xi32>, tensor<15xi64>, tensor<15xui2>, tensor<15xui4>, tensor<15xui8>, tensor<15xui16>, tensor<15xui32>, tensor<15xui64>) {
    %0 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xi1>
    %1 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xi2>
    %2 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xi4>
    %3 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xi8>
    %4 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xi16>
    %5 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xi32>
    %6 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xi64>
    %7 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xui2>
    %8 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xui4>
    %9 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xui8>
    %10 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xui16>
    %11 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xui32>
    %12 = stablehlo.convert %arg0 : (tensor<15xf4E2M1FN>) -> tensor<15xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<15xi1>, tensor<15xi2>, tensor<15xi4>, tensor<15xi8>, tensor<15xi16>, tensor<15xi32>, tensor<15xi64>, tensor<15xui2>, tensor<15xui4>, tensor<15xui8>, tensor<15xui16>, tensor<15xui32>, tensor<15xui64>
  }
}
