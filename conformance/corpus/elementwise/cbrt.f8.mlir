module @elementwise_cbrt_f8 {
  func.func public @main(%arg0: tensor<34xf8E3M4>, %arg1: tensor<34xf8E4M3>, %arg2: tensor<32xf8E4M3FN>, %arg3: tensor<31xf8E4M3B11FNUZ>, %arg4: tensor<31xf8E4M3FNUZ>, %arg5: tensor<34xf8E5M2>, %arg6: tensor<31xf8E5M2FNUZ>) -> (tensor<34xf8E3M4>, tensor<34xf8E4M3>, tensor<32xf8E4M3FN>, tensor<31xf8E4M3B11FNUZ>, tensor<31xf8E4M3FNUZ>, tensor<34xf8E5M2>, tensor<31xf8E5M2FNUZ>) {
    %0 = stablehlo.cbrt %arg0 : tensor<34xf8E3M4>
    %1 = stablehlo.cbrt %arg1 : tensor<34xf8E4M3>
    %2 = stablehlo.cbrt %arg2 : tensor<32xf8E4M3FN>
    %3 = stablehlo.cbrt %arg3 : tensor<31xf8E4M3B11FNUZ>
    %4 = stablehlo.cbrt %arg4 : tensor<31xf8E4M3FNUZ>
    %5 = stablehlo.cbrt %arg5 : tensor<34xf8E5M2>
    %6 = stablehlo.cbrt %arg6 : tensor<31xf8E5M2FNUZ>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<34xf8E3M4>, tensor<34xf8E4M3>, tensor<32xf8E4M3FN>, tensor<31xf8E4M3B11FNUZ>, tensor<31xf8E4M3FNUZ>, tensor<34xf8E5M2>, tensor<31xf8E5M2FNUZ>
  }
}
