module @dynamic_iota_ui4 {
  func.func public @main() -> tensor<2x3xui4> {
    %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
    %0 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<2xi64>) -> tensor<2x3xui4>
    return %0 : tensor<2x3xui4>
  }
}
