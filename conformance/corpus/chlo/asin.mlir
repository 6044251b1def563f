module @chlo_asin {
  func.func public @main(%arg0: tensor<9xbf16>, %arg1: tensor<9xf16>, %arg2: tensor<9xf32>, %arg3: tensor<9xf64>) -> (tensor<9xbf16>, tensor<9xf16>, tensor<9xf32>, tensor<9xf64>) {
    %0 = chlo.asin %arg0 : tensor<9xbf16> -> tensor<9xbf16>
    %1 = chlo.asin %arg1 : tensor<9xf16> -> tensor<9xf16>
    %2 = chlo.asin %arg2 : tensor<9xf32> -> tensor<9xf32>
    %3 = chlo.asin %arg3 : tensor<9xf64> -> tensor<9xf64>
    return %0, %1, %2, %3 : tensor<9xbf16>, tensor<9xf16>, tensor<9xf32>, tensor<9xf64>
  }
}
