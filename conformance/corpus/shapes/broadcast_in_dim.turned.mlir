module @shapes_broadcast_in_dim_turned {
  func.func public @main(%arg0: tensor<3x2xf32>) -> tensor<2x4x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<3x2xf32>) -> tensor<2x4x3xf32>
    return %0 : tensor<2x4x3xf32>
  }
}
