module @shapes_iota_ui2 {
  func.func public @main() -> tensor<2x2xui2> {
    %0 = stablehlo.iota dim = 1 : tensor<2x2xui2>
    return %0 : tensor<2x2xui2>
  }
}
