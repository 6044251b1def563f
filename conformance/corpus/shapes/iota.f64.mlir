module @shapes_iota_f64 {
  func.func public @main() -> tensor<2x4xf64> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xf64>
    return %0 : tensor<2x4xf64>
  }
}
