module @chlo_polygamma {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf64>, %arg3: tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf64>) {
    %0 = chlo.polygamma %arg0, %arg1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %1 = chlo.polygamma %arg2, %arg3 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
    return %0, %1 : tensor<4xf32>, tensor<4xf64>
  }
}
