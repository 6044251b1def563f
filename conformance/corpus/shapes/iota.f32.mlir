module @shapes_iota_f32 {
  func.func public @main() -> tensor<2x4xf32> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}
