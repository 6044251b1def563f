module @dynamic_broadcast_in_dim_ui4 {
  func.func public @main(%arg0: tensor<2x1xui4>) -> tensor<4x2x3xui4> {
    %c = stablehlo.constant dense<[4, 2, 3]> : tensor<3xi64>
    %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %c, dims = [1, 2] : (tensor<2x1xui4>, tensor<3xi64>) -> tensor<4x2x3xui4>
    return %0 : tensor<4x2x3xui4>
  }
}
