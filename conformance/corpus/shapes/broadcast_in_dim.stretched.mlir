module @shapes_broadcast_in_dim_stretched {
  func.func public @main(%arg0: tensor<1x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
