module @elementwise_convert_complex_f64__to_integers {
  func.func public @main(%arg0: tensor<30xcomplex<f64>>) -> (tensor<30xi1>, tensor<30xi2>, tensor<30xi4>, tensor<30xi8>, tensor<30xi16>, tensor<30xi32>, tensor<30xi64>, tensor<30xui2>, tensor<30xui4>, tensor<30xui8>, tensor<30xui16>, tensor<30xui32>, tensor<30xui64>) {
    %0 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xi1>
    %1 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xi2>
    %2 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xi4>
    %3 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xi8>
    %4 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xi16>
    %5 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xi32>
    %6 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xi64>
    %7 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xui2>
    %8 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xui4>
    %9 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xui8>
    %10 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xui16>
    %11 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xui32>
    %12 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<30xi1>, tensor<30xi2>, tensor<30xi4>, tensor<30xi8>, tensor<30xi16>, tensor<30xi32>, tensor<30xi64>, tensor<30xui2>, tensor<30xui4>, tensor<30xui8>, tensor<30xui16>, tensor<30xui32>, tensor<30xui64>
  }
}
