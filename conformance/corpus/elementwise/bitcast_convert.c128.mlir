module @elementwise_bitcast_convert_complex_f64_ {
  func.func public @main(%arg0: tensor<4x2xcomplex<f64>>) -> tensor<4x2xcomplex<f64>> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xcomplex<f64>>) -> tensor<4x2xcomplex<f64>>
    return %0 : tensor<4x2xcomplex<f64>>
  }
}
