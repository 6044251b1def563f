module @shapes_iota_complex_f64_ {
  func.func public @main() -> tensor<2x4xcomplex<f64>> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xcomplex<f64>>
    return %0 : tensor<2x4xcomplex<f64>>
  }
}
