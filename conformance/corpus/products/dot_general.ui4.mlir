module @products_dot_general_ui4 {
  func.func public @main(%arg0: tensor<2x3x5xui4>, %arg1: tensor<5x2x4xui4>) -> tensor<2x3x4xui4> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x5xui4>, tensor<5x2x4xui4>) -> tensor<2x3x4xui4>
    return %0 : tensor<2x3x4xui4>
  }
}
