module @shapes_iota_i8 {
  func.func public @main() -> tensor<2x4xi8> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xi8>
    return %0 : tensor<2x4xi8>
  }
}
