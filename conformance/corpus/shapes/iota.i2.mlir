module @shapes_iota_i2 {
  func.func public @main() -> tensor<2x2xi2> {
    %0 = stablehlo.iota dim = 1 : tensor<2x2xi2>
    return %0 : tensor<2x2xi2>
  }
}
