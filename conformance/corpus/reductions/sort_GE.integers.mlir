module @reductions_sort_GE_integers {
  func.func public @main(%arg0: tensor<3x9xi1>, %arg1: tensor<3x9xi2>, %arg2: tensor<3x9xi4>, %arg3: tensor<3x9xi8>, %arg4: tensor<3x9xi16>, %arg5: tensor<3x9xi32>, %arg6: tensor<3x9xi64>, %arg7: tensor<3x9xui2>, %arg8: tensor<3x9xui4>, %arg9: tensor<3x9xui8>, %arg10: tensor<3x9xui16>, %arg11: tensor<3x9xui32>, %arg12: tensor<3x9xui64>) -> (tensor<3x9xi1>, tensor<3x9xi2>, tensor<3x9xi4>, tensor<3x9xi8>, tensor<3x9xi16>, tensor<3x9xi32>, tensor<3x9xi64>, tensor<3x9xui2>, tensor<3x9xui4>, tensor<3x9xui8>, tensor<3x9xui16>, tensor<3x9xui32>, tensor<3x9xui64>) {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<i1>, %arg14: tensor<i1>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<i1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xi1>) -> tensor<3x9xi1>
    %1 = "stablehlo.sort"(%arg1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<i2>, %arg14: tensor<i2>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<i2>, tensor<i2>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xi2>) -> tensor<3x9xi2>
    %2 = "stablehlo.sort"(%arg2) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<i4>, %arg14: tensor<i4>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<i4>, tensor<i4>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xi4>) -> tensor<3x9xi4>
    %3 = "stablehlo.sort"(%arg3) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<i8>, %arg14: tensor<i8>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<i8>, tensor<i8>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xi8>) -> tensor<3x9xi8>
    %4 = "stablehlo.sort"(%arg4) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<i16>, %arg14: tensor<i16>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<i16>, tensor<i16>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xi16>) -> tensor<3x9xi16>
    %5 = "stablehlo.sort"(%arg5) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<i32>, %arg14: tensor<i32>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xi32>) -> tensor<3x9xi32>
    %6 = "stablehlo.sort"(%arg6) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<i64>, %arg14: tensor<i64>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xi64>) -> tensor<3x9xi64>
    %7 = "stablehlo.sort"(%arg7) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<ui2>, %arg14: tensor<ui2>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<ui2>, tensor<ui2>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xui2>) -> tensor<3x9xui2>
    %8 = "stablehlo.sort"(%arg8) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<ui4>, %arg14: tensor<ui4>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<ui4>, tensor<ui4>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xui4>) -> tensor<3x9xui4>
    %9 = "stablehlo.sort"(%arg9) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<ui8>, %arg14: tensor<ui8>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xui8>) -> tensor<3x9xui8>
    %10 = "stablehlo.sort"(%arg10) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<ui16>, %arg14: tensor<ui16>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xui16>) -> tensor<3x9xui16>
    %11 = "stablehlo.sort"(%arg11) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<ui32>, %arg14: tensor<ui32>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xui32>) -> tensor<3x9xui32>
    %12 = "stablehlo.sort"(%arg12) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<ui64>, %arg14: tensor<ui64>):
      %13 = stablehlo.compare GE, %arg13, %arg14 : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    }) : (tensor<3x9xui64>) -> tensor<3x9xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<3x9xi1>, tensor<3x9xi2>, tensor<3x9xi4>, tensor<3x9xi8>, tensor<3x9xi16>, tensor<3x9xi32>, tensor<3x9xi64>, tensor<3x9xui2>, tensor<3x9xui4>, tensor<3x9xui8>, tensor<3x9xui16>, tensor<3x9xui32>, tensor<3x9xui64>
  }
}
