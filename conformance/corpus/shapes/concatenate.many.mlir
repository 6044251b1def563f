module @shapes_concatenate_many {
  func.func public @main(%arg0: tensor<1x2xf32>, %arg1: tensor<1x2xf32>, %arg2: tensor<1x2xf32>, %arg3: tensor<1x2xf32>, %arg4: tensor<1x2xf32>, %arg5: tensor<1x2xf32>, %arg6: tensor<1x2xf32>, %arg7: tensor<1x2xf32>, %arg8: tensor<1x2xf32>) -> tensor<9x2xf32> {
    %0 = stablehlo.concatenate %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, dim = 0 : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<9x2xf32>
    return %0 : tensor<9x2xf32>
  }
}
