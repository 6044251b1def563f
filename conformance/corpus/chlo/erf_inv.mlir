module @chlo_erf_inv {
  func.func public @main(%arg0: tensor<9xf32>, %arg1: tensor<9xf64>) -> (tensor<9xf32>, tensor<9xf64>) {
    %0 = chlo.erf_inv %arg0 : tensor<9xf32> -> tensor<9xf32>
    %1 = chlo.erf_inv %arg1 : tensor<9xf64> -> tensor<9xf64>
    return %0, %1 : tensor<9xf32>, tensor<9xf64>
  }
}
