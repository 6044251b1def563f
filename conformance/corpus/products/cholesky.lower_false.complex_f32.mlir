module @products_cholesky_lower_false_complex_f32 {
  func.func public @main(%arg0: tensor<2x4x4xcomplex<f32>>) -> tensor<2x4x4xcomplex<f32>> {
    %0 = stablehlo.cholesky %arg0 : tensor<2x4x4xcomplex<f32>>
    return %0 : tensor<2x4x4xcomplex<f32>>
  }
}
