module @elementwise_remainder_floats {
  func.func public @main(%arg0: tensor<186xbf16>, %arg1: tensor<186xbf16>, %arg2: tensor<186xf16>, %arg3: tensor<186xf16>, %arg4: tensor<186xf32>, %arg5: tensor<186xf32>, %arg6: tensor<186xf64>, %arg7: tensor<186xf64>) -> (tensor<186xbf16>, tensor<186xf16>, tensor<186xf32>, tensor<186xf64>) {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<186xbf16>
    %1 = stablehlo.remainder %arg2, %arg3 : tensor<186xf16>
    %2 = stablehlo.remainder %arg4, %arg5 : tensor<186xf32>
    %3 = stablehlo.remainder %arg6, %arg7 : tensor<186xf64>
    return %0, %1, %2, %3 : tensor<186xbf16>, tensor<186xf16>, tensor<186xf32>, tensor<186xf64>
  }
}
