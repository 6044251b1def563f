module @elementwise_convert_f8E4M3FNUZ_to_integers {
  func.func public @main(%arg0: tensor<19xf8E4M3FNUZ>) -> (tensor<19xi1>, tensor<19xi2>, tensor<19xi4>, tensor<19xi8>, tensor<19xi16>, tensor<19xi32>, tensor<19xi64>, tensor<19xui2>, tensor<19xui4>, tensor<19xui8>, tensor<19xui16>, tensor<19xui32>, tensor<19xui64>) {
    %0 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xi1>
    %1 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xi2>
    %2 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xi4>
    %3 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xi8>
    %4 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xi16>
    %5 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xi32>
    %6 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xi64>
    %7 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xui2>
    %8 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xui4>
    %9 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xui8>
    %10 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xui16>
    %11 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xui32>
    %12 = stablehlo.convert %arg0 : (tensor<19xf8E4M3FNUZ>) -> tensor<19xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<19xi1>, tensor<19xi2>, tensor<19xi4>, tensor<19xi8>, tensor<19xi16>, tensor<19xi32>, tensor<19xi64>, tensor<19xui2>, tensor<19xui4>, tensor<19xui8>, tensor<19xui16>, tensor<19xui32>, tensor<19xui64>
  }
}
