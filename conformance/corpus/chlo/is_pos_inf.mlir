module @chlo_is_pos_inf {
  func.func public @main(%arg0: tensor<13xbf16>, %arg1: tensor<13xf16>, %arg2: tensor<13xf32>, %arg3: tensor<13xf64>) -> (tensor<13xi1>, tensor<13xi1>, tensor<13xi1>, tensor<13xi1>) {
    %0 = chlo.is_pos_inf %arg0 : tensor<13xbf16> -> tensor<13xi1>
    %1 = chlo.is_pos_inf %arg1 : tensor<13xf16> -> tensor<13xi1>
    %2 = chlo.is_pos_inf %arg2 : tensor<13xf32> -> tensor<13xi1>
    %3 = chlo.is_pos_inf %arg3 : tensor<13xf64> -> tensor<13xi1>
    return %0, %1, %2, %3 : tensor<13xi1>, tensor<13xi1>, tensor<13xi1>, tensor<13xi1>
  }
}
