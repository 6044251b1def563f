module @shapes_iota_i32 {
  func.func public @main() -> tensor<2x4xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    return %0 : tensor<2x4xi32>
  }
}
