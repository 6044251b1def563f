module @shapes_iota_f8E5M2FNUZ {
  func.func public @main() -> tensor<2x4xf8E5M2FNUZ> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xf8E5M2FNUZ>
    return %0 : tensor<2x4xf8E5M2FNUZ>
  }
}
