module @shapes_iota_i16 {
  func.func public @main() -> tensor<2x4xi16> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xi16>
    return %0 : tensor<2x4xi16>
  }
}
