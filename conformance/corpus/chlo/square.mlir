module @chlo_square {
  func.func public @main(%arg0: tensor<13xbf16>, %arg1: tensor<13xf16>, %arg2: tensor<13xf32>, %arg3: tensor<13xf64>) -> (tensor<13xbf16>, tensor<13xf16>, tensor<13xf32>, tensor<13xf64>) {
    %0 = chlo.square %arg0 : tensor<13xbf16> -> tensor<13xbf16>
    %1 = chlo.square %arg1 : tensor<13xf16> -> tensor<13xf16>
    %2 = chlo.square %arg2 : tensor<13xf32> -> tensor<13xf32>
    %3 = chlo.square %arg3 : tensor<13xf64> -> tensor<13xf64>
    return %0, %1, %2, %3 : tensor<13xbf16>, tensor<13xf16>, tensor<13xf32>, tensor<13xf64>
  }
}
