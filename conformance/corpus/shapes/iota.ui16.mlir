module @shapes_iota_ui16 {
  func.func public @main() -> tensor<2x4xui16> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xui16>
    return %0 : tensor<2x4xui16>
  }
}
