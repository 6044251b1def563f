module @elementwise_tanh_f8 {
  func.func public @main(%arg0: tensor<34xf8E3M4>, %arg1: tensor<32xf8E4M3>, %arg2: tensor<30xf8E4M3FN>, %arg3: tensor<31xf8E4M3B11FNUZ>, %arg4: tensor<29xf8E4M3FNUZ>, %arg5: tensor<32xf8E5M2>, %arg6: tensor<29xf8E5M2FNUZ>) -> (tensor<34xf8E3M4>, tensor<32xf8E4M3>, tensor<30xf8E4M3FN>, tensor<31xf8E4M3B11FNUZ>, tensor<29xf8E4M3FNUZ>, tensor<32xf8E5M2>, tensor<29xf8E5M2FNUZ>) {
    %0 = stablehlo.tanh %arg0 : tensor<34xf8E3M4>
    %1 = stablehlo.tanh %arg1 : tensor<32xf8E4M3>
    %2 = stablehlo.tanh %arg2 : tensor<30xf8E4M3FN>
    %3 = stablehlo.tanh %arg3 : tensor<31xf8E4M3B11FNUZ>
    %4 = stablehlo.tanh %arg4 : tensor<29xf8E4M3FNUZ>
    %5 = stablehlo.tanh %arg5 : tensor<32xf8E5M2>
    %6 = stablehlo.tanh %arg6 : tensor<29xf8E5M2FNUZ>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<34xf8E3M4>, tensor<32xf8E4M3>, tensor<30xf8E4M3FN>, tensor<31xf8E4M3B11FNUZ>, tensor<29xf8E4M3FNUZ>, tensor<32xf8E5M2>, tensor<29xf8E5M2FNUZ>
  }
}
