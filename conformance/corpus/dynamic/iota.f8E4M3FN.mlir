module @dynamic_iota_f8E4M3FN {
  func.func public @main() -> tensor<2x3xf8E4M3FN> {
    %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
    %0 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<2xi64>) -> tensor<2x3xf8E4M3FN>
    return %0 : tensor<2x3xf8E4M3FN>
  }
}
