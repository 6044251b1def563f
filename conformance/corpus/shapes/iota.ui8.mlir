module @shapes_iota_ui8 {
  func.func public @main() -> tensor<2x4xui8> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xui8>
    return %0 : tensor<2x4xui8>
  }
}
