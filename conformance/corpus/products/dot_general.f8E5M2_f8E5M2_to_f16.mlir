module @products_dot_general_f8E5M2_f8E5M2_to_f16 {
  func.func public @main(%arg0: tensor<2x3x5xf8E5M2>, %arg1: tensor<5x2x4xf8E5M2>) -> tensor<2x3x4xf16> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x5xf8E5M2>, tensor<5x2x4xf8E5M2>) -> tensor<2x3x4xf16>
    return %0 : tensor<2x3x4xf16>
  }
}
