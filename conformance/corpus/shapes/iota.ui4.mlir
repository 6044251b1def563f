module @shapes_iota_ui4 {
  func.func public @main() -> tensor<2x4xui4> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xui4>
    return %0 : tensor<2x4xui4>
  }
}
