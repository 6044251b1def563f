module @shapes_iota_f8E4M3FN {
  func.func public @main() -> tensor<2x4xf8E4M3FN> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xf8E4M3FN>
    return %0 : tensor<2x4xf8E4M3FN>
  }
}
