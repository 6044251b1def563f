module @dynamic_iota_complex_f64_ {
  func.func public @main() -> tensor<2x3xcomplex<f64>> {
    %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
    %0 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<2xi64>) -> tensor<2x3xcomplex<f64>>
    return %0 : tensor<2x3xcomplex<f64>>
  }
}
