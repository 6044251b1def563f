module @shapes_iota_ui64 {
  func.func public @main() -> tensor<2x4xui64> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xui64>
    return %0 : tensor<2x4xui64>
  }
}
