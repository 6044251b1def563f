module @shapes_iota_f8E4M3FNUZ {
  func.func public @main() -> tensor<2x4xf8E4M3FNUZ> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xf8E4M3FNUZ>
    return %0 : tensor<2x4xf8E4M3FNUZ>
  }
}
