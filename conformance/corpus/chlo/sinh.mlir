module @chlo_sinh {
  func.func public @main(%arg0: tensor<13xbf16>, %arg1: tensor<13xf16>, %arg2: tensor<13xf32>, %arg3: tensor<13xf64>) -> (tensor<13xbf16>, tensor<13xf16>, tensor<13xf32>, tensor<13xf64>) {
    %0 = chlo.sinh %arg0 : tensor<13xbf16> -> tensor<13xbf16>
    %1 = chlo.sinh %arg1 : tensor<13xf16> -> tensor<13xf16>
    %2 = chlo.sinh %arg2 : tensor<13xf32> -> tensor<13xf32>
    %3 = chlo.sinh %arg3 : tensor<13xf64> -> tensor<13xf64>
    return %0, %1, %2, %3 : tensor<13xbf16>, tensor<13xf16>, tensor<13xf32>, tensor<13xf64>
  }
}
