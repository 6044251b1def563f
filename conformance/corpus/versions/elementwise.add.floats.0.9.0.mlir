module @elementwise_add_floats {
  func.func public @main(%arg0: tensor<192xbf16>, %arg1: tensor<192xbf16>, %arg2: tensor<192xf16>, %arg3: tensor<192xf16>, %arg4: tensor<192xf32>, %arg5: tensor<192xf32>, %arg6: tensor<192xf64>, %arg7: tensor<192xf64>) -> (tensor<192xbf16>, tensor<192xf16>, tensor<192xf32>, tensor<192xf64>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<192xbf16>
    %1 = stablehlo.add %arg2, %arg3 : tensor<192xf16>
    %2 = stablehlo.add %arg4, %arg5 : tensor<192xf32>
    %3 = stablehlo.add %arg6, %arg7 : tensor<192xf64>
    return %0, %1, %2, %3 : tensor<192xbf16>, tensor<192xf16>, tensor<192xf32>, tensor<192xf64>
  }
}
