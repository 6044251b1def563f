module @chlo_acosh {
  func.func public @main(%arg0: tensor<8xbf16>, %arg1: tensor<8xf16>, %arg2: tensor<8xf32>, %arg3: tensor<8xf64>) -> (tensor<8xbf16>, tensor<8xf16>, tensor<8xf32>, tensor<8xf64>) {
    %0 = chlo.acosh %arg0 : tensor<8xbf16> -> tensor<8xbf16>
    %1 = chlo.acosh %arg1 : tensor<8xf16> -> tensor<8xf16>
    %2 = chlo.acosh %arg2 : tensor<8xf32> -> tensor<8xf32>
    %3 = chlo.acosh %arg3 : tensor<8xf64> -> tensor<8xf64>
    return %0, %1, %2, %3 : tensor<8xbf16>, tensor<8xf16>, tensor<8xf32>, tensor<8xf64>
  }
}
