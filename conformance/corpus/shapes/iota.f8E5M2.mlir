module @shapes_iota_f8E5M2 {
  func.func public @main() -> tensor<2x4xf8E5M2> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xf8E5M2>
    return %0 : tensor<2x4xf8E5M2>
  }
}
