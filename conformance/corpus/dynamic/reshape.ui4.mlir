module @dynamic_reshape_ui4 {
  func.func public @main(%arg0: tensor<2x3xui4>) -> tensor<3x2xui4> {
    %c = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
    %0 = stablehlo.dynamic_reshape %arg0, %c : (tensor<2x3xui4>, tensor<2xi32>) -> tensor<3x2xui4>
    return %0 : tensor<3x2xui4>
  }
}
