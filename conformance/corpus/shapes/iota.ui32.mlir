module @shapes_iota_ui32 {
  func.func public @main() -> tensor<2x4xui32> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xui32>
    return %0 : tensor<2x4xui32>
  }
}
