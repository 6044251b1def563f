module @reductions_window_minimum_integers {
  func.func public @main(%arg0: tensor<4x5xi4>, %arg1: tensor<i4>, %arg2: tensor<4x5xi8>, %arg3: tensor<i8>, %arg4: tensor<4x5xi32>, %arg5: tensor<i32>, %arg6: tensor<4x5xi64>, %arg7: tensor<i64>, %arg8: tensor<4x5xui8>, %arg9: tensor<ui8>, %arg10: tensor<4x5xui32>, %arg11: tensor<ui32>) -> (tensor<2x10xi4>, tensor<2x10xi8>, tensor<2x10xi32>, tensor<2x10xi64>, tensor<2x10xui8>, tensor<2x10xui32>) {
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg12: tensor<i4>, %arg13: tensor<i4>):
      %6 = stablehlo.minimum %arg12, %arg13 : tensor<i4>
      stablehlo.return %6 : tensor<i4>
    }) : (tensor<4x5xi4>, tensor<i4>) -> tensor<2x10xi4>
    %1 = "stablehlo.reduce_window"(%arg2, %arg3) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg12: tensor<i8>, %arg13: tensor<i8>):
      %6 = stablehlo.minimum %arg12, %arg13 : tensor<i8>
      stablehlo.return %6 : tensor<i8>
    }) : (tensor<4x5xi8>, tensor<i8>) -> tensor<2x10xi8>
    %2 = "stablehlo.reduce_window"(%arg4, %arg5) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg12: tensor<i32>, %arg13: tensor<i32>):
      %6 = stablehlo.minimum %arg12, %arg13 : tensor<i32>
      stablehlo.return %6 : tensor<i32>
    }) : (tensor<4x5xi32>, tensor<i32>) -> tensor<2x10xi32>
    %3 = "stablehlo.reduce_window"(%arg6, %arg7) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg12: tensor<i64>, %arg13: tensor<i64>):
      %6 = stablehlo.minimum %arg12, %arg13 : tensor<i64>
      stablehlo.return %6 : tensor<i64>
    }) : (tensor<4x5xi64>, tensor<i64>) -> tensor<2x10xi64>
    %4 = "stablehlo.reduce_window"(%arg8, %arg9) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg12: tensor<ui8>, %arg13: tensor<ui8>):
      %6 = stablehlo.minimum %arg12, %arg13 : tensor<ui8>
      stablehlo.return %6 : tensor<ui8>
    }) : (tensor<4x5xui8>, tensor<ui8>) -> tensor<2x10xui8>
    %5 = "stablehlo.reduce_window"(%arg10, %arg11) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg12: tensor<ui32>, %arg13: tensor<ui32>):
      %6 = stablehlo.minimum %arg12, %arg13 : tensor<ui32>
      stablehlo.return %6 : tensor<ui32>
    }) : (tensor<4x5xui32>, tensor<ui32>) -> tensor<2x10xui32>
    return %0, %1, %2, %3, %4, %5 : tensor<2x10xi4>, tensor<2x10xi8>, tensor<2x10xi32>, tensor<2x10xi64>, tensor<2x10xui8>, tensor<2x10xui32>
  }
}
