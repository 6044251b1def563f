module @shapes_iota_f4E2M1FN {
  func.func public @main() -> tensor<2x2xf4E2M1FN> {
    %0 = stablehlo.iota dim = 1 : tensor<2x2xf4E2M1FN>
    return %0 : tensor<2x2xf4E2M1FN>
  }
}
