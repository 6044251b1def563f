module @dynamic_reshape_f8E4M3FN {
  func.func public @main(%arg0: tensor<2x3xf8E4M3FN>) -> tensor<3x2xf8E4M3FN> {
    %c = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
    %0 = stablehlo.dynamic_reshape %arg0, %c : (tensor<2x3xf8E4M3FN>, tensor<2xi32>) -> tensor<3x2xf8E4M3FN>
    return %0 : tensor<3x2xf8E4M3FN>
  }
}
