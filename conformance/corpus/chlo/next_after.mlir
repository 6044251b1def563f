module @chlo_next_after {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf64>) {
    %0 = chlo.next_after %arg0, %arg1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %1 = chlo.next_after %arg2, %arg3 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
    return %0, %1 : tensor<4xf32>, tensor<4xf64>
  }
}
