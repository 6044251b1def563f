module @chlo_erfc {
  func.func public @main(%arg0: tensor<13xf32>, %arg1: tensor<13xf64>) -> (tensor<13xf32>, tensor<13xf64>) {
    %0 = chlo.erfc %arg0 : tensor<13xf32> -> tensor<13xf32>
    %1 = chlo.erfc %arg1 : tensor<13xf64> -> tensor<13xf64>
    return %0, %1 : tensor<13xf32>, tensor<13xf64>
  }
}
