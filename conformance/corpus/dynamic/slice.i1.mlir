module @dynamic_slice_i1 {
  func.func public @main(%arg0: tensor<5x6xi1>) -> tensor<2x2xi1> {
    %c = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
    %c_0 = stablehlo.constant dense<[5, 6]> : tensor<2xi64>
    %c_1 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
    %0 = stablehlo.real_dynamic_slice %arg0, %c, %c_0, %c_1 : (tensor<5x6xi1>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi1>
    return %0 : tensor<2x2xi1>
  }
}
