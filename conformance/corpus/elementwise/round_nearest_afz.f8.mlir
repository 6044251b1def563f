module @elementwise_round_nearest_afz_f8 {
  func.func public @main(%arg0: tensor<34xf8E3M4>, %arg1: tensor<34xf8E4M3>, %arg2: tensor<32xf8E4M3FN>, %arg3: tensor<31xf8E4M3B11FNUZ>, %arg4: tensor<31xf8E4M3FNUZ>, %arg5: tensor<34xf8E5M2>, %arg6: tensor<31xf8E5M2FNUZ>) -> (tensor<34xf8E3M4>, tensor<34xf8E4M3>, tensor<32xf8E4M3FN>, tensor<31xf8E4M3B11FNUZ>, tensor<31xf8E4M3FNUZ>, tensor<34xf8E5M2>, tensor<31xf8E5M2FNUZ>) {
    %0 = stablehlo.round_nearest_afz %arg0 : tensor<34xf8E3M4>
    %1 = stablehlo.round_nearest_afz %arg1 : tensor<34xf8E4M3>
    %2 = stablehlo.round_nearest_afz %arg2 : tensor<32xf8E4M3FN>
    %3 = stablehlo.round_nearest_afz %arg3 : tensor<31xf8E4M3B11FNUZ>
    %4 = stablehlo.round_nearest_afz %arg4 : tensor<31xf8E4M3FNUZ>
    %5 = stablehlo.round_nearest_afz %arg5 : tensor<34xf8E5M2>
    %6 = stablehlo.round_nearest_afz %arg6 : tensor<31xf8E5M2FNUZ>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<34xf8E3M4>, tensor<34xf8E4M3>, tensor<32xf8E4M3FN>, tensor<31xf8E4M3B11FNUZ>, tensor<31xf8E4M3FNUZ>, tensor<34xf8E5M2>, tensor<31xf8E5M2FNUZ>
  }
}
