module @dynamic_reshape_i8 {
  func.func public @main(%arg0: tensor<2x3xi8>) -> tensor<3x2xi8> {
    %c = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
    %0 = stablehlo.dynamic_reshape %arg0, %c : (tensor<2x3xi8>, tensor<2xi32>) -> tensor<3x2xi8>
    return %0 : tensor<3x2xi8>
  }
}
