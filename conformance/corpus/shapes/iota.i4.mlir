module @shapes_iota_i4 {
  func.func public @main() -> tensor<2x4xi4> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xi4>
    return %0 : tensor<2x4xi4>
  }
}
