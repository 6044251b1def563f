module @dynamic_pad_f8E4M3FN {
  func.func public @main(%arg0: tensor<2x3xf8E4M3FN>, %arg1: tensor<f8E4M3FN>) -> tensor<4x5xf8E4M3FN> {
    %c = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
    %c_0 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
    %c_1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
    %0 = stablehlo.dynamic_pad %arg0, %arg1, %c, %c_0, %c_1 : (tensor<2x3xf8E4M3FN>, tensor<f8E4M3FN>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xf8E4M3FN>
    return %0 : tensor<4x5xf8E4M3FN>
  }
}
