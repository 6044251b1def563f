module @products_triangular_solve_lower_false_left_true_TRANSPOSE_complex_f64 {
  func.func public @main(%arg0: tensor<2x4x4xcomplex<f64>>, %arg1: tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>> {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xcomplex<f64>>, tensor<2x4x4xcomplex<f64>>) -> tensor<2x4x4xcomplex<f64>>
    return %0 : tensor<2x4x4xcomplex<f64>>
  }
}
