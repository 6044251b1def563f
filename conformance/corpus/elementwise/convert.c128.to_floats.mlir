module @elementwise_convert_complex_f64__to_floats {
  func.func public @main(%arg0: tensor<30xcomplex<f64>>) -> (tensor<30xcomplex<f32>>, tensor<30xcomplex<f64>>, tensor<30xbf16>, tensor<30xf16>, tensor<30xf32>, tensor<30xf64>) {
    %0 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xcomplex<f32>>
    %1 = stablehlo.convert %arg0 : tensor<30xcomplex<f64>>
    %2 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xbf16>
    %3 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xf16>
    %4 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xf32>
    %5 = stablehlo.convert %arg0 : (tensor<30xcomplex<f64>>) -> tensor<30xf64>
    return %0, %1, %2, %3, %4, %5 : tensor<30xcomplex<f32>>, tensor<30xcomplex<f64>>, tensor<30xbf16>, tensor<30xf16>, tensor<30xf32>, tensor<30xf64>
  }
}
