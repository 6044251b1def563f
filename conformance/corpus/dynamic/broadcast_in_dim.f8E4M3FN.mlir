module @dynamic_broadcast_in_dim_f8E4M3FN {
  func.func public @main(%arg0: tensor<2x1xf8E4M3FN>) -> tensor<4x2x3xf8E4M3FN> {
    %c = stablehlo.constant dense<[4, 2, 3]> : tensor<3xi64>
    %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %c, dims = [1, 2] : (tensor<2x1xf8E4M3FN>, tensor<3xi64>) -> tensor<4x2x3xf8E4M3FN>
    return %0 : tensor<4x2x3xf8E4M3FN>
  }
}
