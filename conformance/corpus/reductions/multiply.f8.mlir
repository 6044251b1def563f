module @reductions_multiply_f8 {
  func.func public @main(%arg0: tensor<4x5xf8E3M4>, %arg1: tensor<f8E3M4>, %arg2: tensor<4x5xf8E4M3>, %arg3: tensor<f8E4M3>, %arg4: tensor<4x5xf8E4M3FN>, %arg5: tensor<f8E4M3FN>, %arg6: tensor<4x5xf8E4M3B11FNUZ>, %arg7: tensor<f8E4M3B11FNUZ>, %arg8: tensor<4x5xf8E4M3FNUZ>, %arg9: tensor<f8E4M3FNUZ>, %arg10: tensor<4x5xf8E5M2>, %arg11: tensor<f8E5M2>, %arg12: tensor<4x5xf8E5M2FNUZ>, %arg13: tensor<f8E5M2FNUZ>) -> (tensor<4xf8E3M4>, tensor<4xf8E4M3>, tensor<4xf8E4M3FN>, tensor<4xf8E4M3B11FNUZ>, tensor<4xf8E4M3FNUZ>, tensor<4xf8E5M2>, tensor<4xf8E5M2FNUZ>) {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.multiply across dimensions = [1] : (tensor<4x5xf8E3M4>, tensor<f8E3M4>) -> tensor<4xf8E3M4>
    %1 = stablehlo.reduce(%arg2 init: %arg3) applies stablehlo.multiply across dimensions = [1] : (tensor<4x5xf8E4M3>, tensor<f8E4M3>) -> tensor<4xf8E4M3>
    %2 = stablehlo.reduce(%arg4 init: %arg5) applies stablehlo.multiply across dimensions = [1] : (tensor<4x5xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<4xf8E4M3FN>
    %3 = stablehlo.reduce(%arg6 init: %arg7) applies stablehlo.multiply across dimensions = [1] : (tensor<4x5xf8E4M3B11FNUZ>, tensor<f8E4M3B11FNUZ>) -> tensor<4xf8E4M3B11FNUZ>
    %4 = stablehlo.reduce(%arg8 init: %arg9) applies stablehlo.multiply across dimensions = [1] : (tensor<4x5xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<4xf8E4M3FNUZ>
    %5 = stablehlo.reduce(%arg10 init: %arg11) applies stablehlo.multiply across dimensions = [1] : (tensor<4x5xf8E5M2>, tensor<f8E5M2>) -> tensor<4xf8E5M2>
    %6 = stablehlo.reduce(%arg12 init: %arg13) applies stablehlo.multiply across dimensions = [1] : (tensor<4x5xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<4xf8E5M2FNUZ>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<4xf8E3M4>, tensor<4xf8E4M3>, tensor<4xf8E4M3FN>, tensor<4xf8E4M3B11FNUZ>, tensor<4xf8E4M3FNUZ>, tensor<4xf8E5M2>, tensor<4xf8E5M2FNUZ>
  }
}
