module @shapes_iota_f8E3M4 {
  func.func public @main() -> tensor<2x4xf8E3M4> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xf8E3M4>
    return %0 : tensor<2x4xf8E3M4>
  }
}
