module @chlo_digamma {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf64>) -> (tensor<8xf32>, tensor<8xf64>) {
    %0 = chlo.digamma %arg0 : tensor<8xf32> -> tensor<8xf32>
    %1 = chlo.digamma %arg1 : tensor<8xf64> -> tensor<8xf64>
    return %0, %1 : tensor<8xf32>, tensor<8xf64>
  }
}
