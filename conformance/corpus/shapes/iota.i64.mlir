module @shapes_iota_i64 {
  func.func public @main() -> tensor<2x4xi64> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xi64>
    return %0 : tensor<2x4xi64>
  }
}
