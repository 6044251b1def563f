module @elementwise_complex_f64 {
  func.func public @main(%arg0: tensor<22xf64>, %arg1: tensor<22xf64>) -> tensor<22xcomplex<f64>> {
    %0 = stablehlo.complex %arg0, %arg1 : tensor<22xcomplex<f64>>
    return %0 : tensor<22xcomplex<f64>>
  }
}
