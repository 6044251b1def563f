module @elementwise_multiply_floats {
  func.func public @main(%arg0: tensor<188xbf16>, %arg1: tensor<188xbf16>, %arg2: tensor<188xf16>, %arg3: tensor<188xf16>, %arg4: tensor<188xf32>, %arg5: tensor<188xf32>, %arg6: tensor<188xf64>, %arg7: tensor<188xf64>) -> (tensor<188xbf16>, tensor<188xf16>, tensor<188xf32>, tensor<188xf64>) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<188xbf16>
    %1 = stablehlo.multiply %arg2, %arg3 : tensor<188xf16>
    %2 = stablehlo.multiply %arg4, %arg5 : tensor<188xf32>
    %3 = stablehlo.multiply %arg6, %arg7 : tensor<188xf64>
    return %0, %1, %2, %3 : tensor<188xbf16>, tensor<188xf16>, tensor<188xf32>, tensor<188xf64>
  }
}
