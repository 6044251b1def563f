module @dynamic_iota_i8 {
  func.func public @main() -> tensor<2x3xi8> {
    %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
    %0 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<2xi64>) -> tensor<2x3xi8>
    return %0 : tensor<2x3xi8>
  }
}
