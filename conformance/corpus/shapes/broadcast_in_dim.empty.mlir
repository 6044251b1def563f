module @shapes_broadcast_in_dim_empty {
  func.func public @main(%arg0: tensor<0x1xf32>) -> tensor<0x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<0x1xf32>) -> tensor<0x5xf32>
    return %0 : tensor<0x5xf32>
  }
}
