module @products_cholesky_lower_true_f64 {
  func.func public @main(%arg0: tensor<2x4x4xf64>) -> tensor<2x4x4xf64> {
    %0 = stablehlo.cholesky %arg0, lower = true : tensor<2x4x4xf64>
    return %0 : tensor<2x4x4xf64>
  }
}
