module @elementwise_minimum_floats {
  func.func public @main(%arg0: tensor<187xbf16>, %arg1: tensor<187xbf16>, %arg2: tensor<187xf16>, %arg3: tensor<187xf16>, %arg4: tensor<187xf32>, %arg5: tensor<187xf32>, %arg6: tensor<187xf64>, %arg7: tensor<187xf64>) -> (tensor<187xbf16>, tensor<187xf16>, tensor<187xf32>, tensor<187xf64>) {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<187xbf16>
    %1 = stablehlo.minimum %arg2, %arg3 : tensor<187xf16>
    %2 = stablehlo.minimum %arg4, %arg5 : tensor<187xf32>
    %3 = stablehlo.minimum %arg6, %arg7 : tensor<187xf64>
    return %0, %1, %2, %3 : tensor<187xbf16>, tensor<187xf16>, tensor<187xf32>, tensor<187xf64>
  }
}
