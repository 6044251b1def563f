module @products_dot_general_complex_f32_ {
  func.func public @main(%arg0: tensor<2x3x5xcomplex<f32>>, %arg1: tensor<5x2x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x5xcomplex<f32>>, tensor<5x2x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    return %0 : tensor<2x3x4xcomplex<f32>>
  }
}
