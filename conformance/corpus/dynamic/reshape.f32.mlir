module @dynamic_reshape_f32 {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %c = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
    %0 = stablehlo.dynamic_reshape %arg0, %c : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}
