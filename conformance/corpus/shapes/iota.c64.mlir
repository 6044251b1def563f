module @shapes_iota_complex_f32_ {
  func.func public @main() -> tensor<2x4xcomplex<f32>> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xcomplex<f32>>
    return %0 : tensor<2x4xcomplex<f32>>
  }
}
