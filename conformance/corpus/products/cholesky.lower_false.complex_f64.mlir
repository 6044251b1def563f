module @products_cholesky_lower_false_complex_f64 {
  func.func public @main(%arg0: tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>> {
    %0 = stablehlo.cholesky %arg0 : tensor<2x4x4xcomplex<f64>>
    return %0 : tensor<2x4x4xcomplex<f64>>
  }
}
