module @shapes_iota_bf16 {
  func.func public @main() -> tensor<2x4xbf16> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xbf16>
    return %0 : tensor<2x4xbf16>
  }
}
