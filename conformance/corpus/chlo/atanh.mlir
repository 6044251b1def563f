module @chlo_atanh {
  func.func public @main(%arg0: tensor<7xbf16>, %arg1: tensor<7xf16>, %arg2: tensor<7xf32>, %arg3: tensor<7xf64>) -> (tensor<7xbf16>, tensor<7xf16>, tensor<7xf32>, tensor<7xf64>) {
    %0 = chlo.atanh %arg0 : tensor<7xbf16> -> tensor<7xbf16>
    %1 = chlo.atanh %arg1 : tensor<7xf16> -> tensor<7xf16>
    %2 = chlo.atanh %arg2 : tensor<7xf32> -> tensor<7xf32>
    %3 = chlo.atanh %arg3 : tensor<7xf64> -> tensor<7xf64>
    return %0, %1, %2, %3 : tensor<7xbf16>, tensor<7xf16>, tensor<7xf32>, tensor<7xf64>
  }
}
