module @elementwise_compare_EQ_total_order {
  func.func public @main(%arg0: tensor<196xf16>, %arg1: tensor<196xf16>, %arg2: tensor<196xbf16>, %arg3: tensor<196xbf16>, %arg4: tensor<196xf32>, %arg5: tensor<196xf32>, %arg6: tensor<196xf64>, %arg7: tensor<196xf64>) -> (tensor<196xi1>, tensor<196xi1>, tensor<196xi1>, tensor<196xi1>) {
    %0 = stablehlo.compare EQ, %arg0, %arg1, TOTALORDER : (tensor<196xf16>, tensor<196xf16>) -> tensor<196xi1>
    %1 = stablehlo.compare EQ, %arg2, %arg3, TOTALORDER : (tensor<196xbf16>, tensor<196xbf16>) -> tensor<196xi1>
    %2 = stablehlo.compare EQ, %arg4, %arg5, TOTALORDER : (tensor<196xf32>, tensor<196xf32>) -> tensor<196xi1>
    %3 = stablehlo.compare EQ, %arg6, %arg7, TOTALORDER : (tensor<196xf64>, tensor<196xf64>) -> tensor<196xi1>
    return %0, %1, %2, %3 : tensor<196xi1>, tensor<196xi1>, tensor<196xi1>, tensor<196xi1>
  }
}
