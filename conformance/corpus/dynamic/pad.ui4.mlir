module @dynamic_pad_ui4 {
  func.func public @main(%arg0: tensor<2x3xui4>, %arg1: tensor<ui4>) -> tensor<4x5xui4> {
    %c = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
    %c_0 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
    %c_1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
    %0 = stablehlo.dynamic_pad %arg0, %arg1, %c, %c_0, %c_1 : (tensor<2x3xui4>, tensor<ui4>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xui4>
    return %0 : tensor<4x5xui4>
  }
}
