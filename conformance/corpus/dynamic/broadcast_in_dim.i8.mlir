module @dynamic_broadcast_in_dim_i8 {
  func.func public @main(%arg0: tensor<2x1xi8>) -> tensor<4x2x3xi8> {
    %c = stablehlo.constant dense<[4, 2, 3]> : tensor<3xi64>
    %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %c, dims = [1, 2] : (tensor<2x1xi8>, tensor<3xi64>) -> tensor<4x2x3xi8>
    return %0 : tensor<4x2x3xi8>
  }
}
