module @elementwise_convert_f8E4M3FN_to_integers {
  func.func public @main(%arg0: tensor<20xf8E4M3FN>) -> (tensor<20xi1>, tensor<20xi2>, tensor<20xi4>, tensor<20xi8>, tensor<20xi16>, tensor<20xi32>, tensor<20xi64>, tensor<20xui2>, tensor<20xui4>, tensor<20xui8>, tensor<20xui16>, tensor<20xui32>, tensor<20xui64>) {
    %0 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xi1>
    %1 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xi2>
    %2 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xi4>
    %3 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xi8>
    %4 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xi16>
    %5 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xi32>
    %6 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xi64>
    %7 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xui2>
    %8 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xui4>
    %9 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xui8>
    %10 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xui16>
    %11 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xui32>
    %12 = stablehlo.convert %arg0 : (tensor<20xf8E4M3FN>) -> tensor<20xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<20xi1>, tensor<20xi2>, tensor<20xi4>, tensor<20xi8>, tensor<20xi16>, tensor<20xi32>, tensor<20xi64>, tensor<20xui2>, tensor<20xui4>, tensor<20xui8>, tensor<20xui16>, tensor<20xui32>, tensor<20xui64>
  }
}
