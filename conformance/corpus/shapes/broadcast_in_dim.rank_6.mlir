module @shapes_broadcast_in_dim_rank_6 {
  func.func public @main(%arg0: tensor<2x1x2xf32>) -> tensor<1x2x3x1x2x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 5] : (tensor<2x1x2xf32>) -> tensor<1x2x3x1x2x2xf32>
    return %0 : tensor<1x2x3x1x2x2xf32>
  }
}
