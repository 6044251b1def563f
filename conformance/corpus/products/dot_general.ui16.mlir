module @products_dot_general_ui16 {
  func.func public @main(%arg0: tensor<2x3x5xui16>, %arg1: tensor<5x2x4xui16>) -> tensor<2x3x4xui16> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x5xui16>, tensor<5x2x4xui16>) -> tensor<2x3x4xui16>
    return %0 : tensor<2x3x4xui16>
  }
}
