module @chlo_tan {
  func.func public @main(%arg0: tensor<10xbf16>, %arg1: tensor<10xf16>, %arg2: tensor<10xf32>, %arg3: tensor<10xf64>) -> (tensor<10xbf16>, tensor<10xf16>, tensor<10xf32>, tensor<10xf64>) {
    %0 = chlo.tan %arg0 : tensor<10xbf16> -> tensor<10xbf16>
    %1 = chlo.tan %arg1 : tensor<10xf16> -> tensor<10xf16>
    %2 = chlo.tan %arg2 : tensor<10xf32> -> tensor<10xf32>
    %3 = chlo.tan %arg3 : tensor<10xf64> -> tensor<10xf64>
    return %0, %1, %2, %3 : tensor<10xbf16>, tensor<10xf16>, tensor<10xf32>, tensor<10xf64>
  }
}
