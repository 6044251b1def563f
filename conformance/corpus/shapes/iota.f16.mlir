module @shapes_iota_f16 {
  func.func public @main() -> tensor<2x4xf16> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xf16>
    return %0 : tensor<2x4xf16>
  }
}
