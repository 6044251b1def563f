module @products_cholesky_lower_true_f32 {
  func.func public @main(%arg0: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
    %0 = stablehlo.cholesky %arg0, lower = true : tensor<2x4x4xf32>
    return %0 : tensor<2x4x4xf32>
  }
}
