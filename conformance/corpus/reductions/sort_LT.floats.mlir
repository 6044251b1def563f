module @reductions_sort_LT_floats {
  func.func public @main(%arg0: tensor<3x9xbf16>, %arg1: tensor<3x9xf16>, %arg2: tensor<3x9xf32>, %arg3: tensor<3x9xf64>, %arg4: tensor<3x9xf8E3M4>, %arg5: tensor<3x9xf8E4M3>, %arg6: tensor<3x9xf8E4M3FN>, %arg7: tensor<3x9xf8E4M3B11FNUZ>, %arg8: tensor<3x9xf8E4M3FNUZ>, %arg9: tensor<3x9xf8E5M2>, %arg10: tensor<3x9xf8E5M2FNUZ>) -> (tensor<3x9xbf16>, tensor<3x9xf16>, tensor<3x9xf32>, tensor<3x9xf64>, tensor<3x9xf8E3M4>, tensor<3x9xf8E4M3>, tensor<3x9xf8E4M3FN>, tensor<3x9xf8E4M3B11FNUZ>, tensor<3x9xf8E4M3FNUZ>, tensor<3x9xf8E5M2>, tensor<3x9xf8E5M2FNUZ>) {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<bf16>, %arg12: tensor<bf16>):
      %11 = stablehlo.compare LT, %arg11, %arg12 : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<3x9xbf16>) -> tensor<3x9xbf16>
    %1 = "stablehlo.sort"(%arg1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<f16>, %arg12: tensor<f16>):
      %11 = stablehlo.compare LT, %arg11, %arg12 : (tensor<f16>, tensor<f16>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<3x9xf16>) -> tensor<3x9xf16>
    %2 = "stablehlo.sort"(%arg2) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %11 = stablehlo.compare LT, %arg11, %arg12 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<3x9xf32>) -> tensor<3x9xf32>
    %3 = "stablehlo.sort"(%arg3) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<f64>, %arg12: tensor<f64>):
      %11 = stablehlo.compare LT, %arg11, %arg12 : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<3x9xf64>) -> tensor<3x9xf64>
    %4 = "stablehlo.sort"(%arg4) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<f8E3M4>, %arg12: tensor<f8E3M4>):
      %11 = stablehlo.compare LT, %arg11, %arg12 : (tensor<f8E3M4>, tensor<f8E3M4>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<3x9xf8E3M4>) -> tensor<3x9xf8E3M4>
    %5 = "stablehlo.sort"(%arg5) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<f8E4M3>, %arg12: tensor<f8E4M3>):
      %11 = stablehlo.compare LT, %arg11, %arg12 : (tensor<f8E4M3>, tensor<f8E4M3>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<3x9xf8E4M3>) -> tensor<3x9xf8E4M3>
    %6 = "stablehlo.sort"(%arg6) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<f8E4M3FN>, %arg12: tensor<f8E4M3FN>):
      %11 = stablehlo.compare LT, %arg11, %arg12 : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<3x9xf8E4M3FN>) -> tensor<3x9xf8E4M3FN>
    %7 = "stablehlo.sort"(%arg7) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<f8E4M3B11FNUZ>, %arg12: tensor<f8E4M3B11FNUZ>):
      %11 = stablehlo.compare LT, %arg11, %arg12 : (tensor<f8E4M3B11FNUZ>, tensor<f8E4M3B11FNUZ>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<3x9xf8E4M3B11FNUZ>) -> tensor<3x9xf8E4M3B11FNUZ>
    %8 = "stablehlo.sort"(%arg8) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<f8E4M3FNUZ>, %arg12: tensor<f8E4M3FNUZ>):
      %11 = stablehlo.compare LT, %arg11, %arg12 : (tensor<f8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<3x9xf8E4M3FNUZ>) -> tensor<3x9xf8E4M3FNUZ>
    %9 = "stablehlo.sort"(%arg9) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<f8E5M2>, %arg12: tensor<f8E5M2>):
      %11 = stablehlo.compare LT, %arg11, %arg12 : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<3x9xf8E5M2>) -> tensor<3x9xf8E5M2>
    %10 = "stablehlo.sort"(%arg10) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg11: tensor<f8E5M2FNUZ>, %arg12: tensor<f8E5M2FNUZ>):
      %11 = stablehlo.compare LT, %arg11, %arg12 : (tensor<f8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<3x9xf8E5M2FNUZ>) -> tensor<3x9xf8E5M2FNUZ>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<3x9xbf16>, tensor<3x9xf16>, tensor<3x9xf32>, tensor<3x9xf64>, tensor<3x9xf8E3M4>, tensor<3x9xf8E4M3>, tensor<3x9xf8E4M3FN>, tensor<3x9xf8E4M3B11FNUZ>, tensor<3x9xf8E4M3FNUZ>, tensor<3x9xf8E5M2>, tensor<3x9xf8E5M2FNUZ>
  }
}
