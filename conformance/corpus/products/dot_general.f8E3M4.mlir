module @products_dot_general_f8E3M4 {
  func.func public @main(%arg0: tensor<2x3x5xf8E3M4>, %arg1: tensor<5x2x4xf8E3M4>) -> tensor<2x3x4xf8E3M4> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x5xf8E3M4>, tensor<5x2x4xf8E3M4>) -> tensor<2x3x4xf8E3M4>
    return %0 : tensor<2x3x4xf8E3M4>
  }
}
