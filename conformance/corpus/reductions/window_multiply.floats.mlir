module @reductions_window_multiply_floats {
  func.func public @main(%arg0: tensor<4x5xbf16>, %arg1: tensor<bf16>, %arg2: tensor<4x5xf16>, %arg3: tensor<f16>, %arg4: tensor<4x5xf32>, %arg5: tensor<f32>, %arg6: tensor<4x5xf64>, %arg7: tensor<f64>, %arg8: tensor<4x5xf8E4M3FN>, %arg9: tensor<f8E4M3FN>) -> (tensor<2x10xbf16>, tensor<2x10xf16>, tensor<2x10xf32>, tensor<2x10xf64>, tensor<2x10xf8E4M3FN>) {
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg10: tensor<bf16>, %arg11: tensor<bf16>):
      %5 = stablehlo.multiply %arg10, %arg11 : tensor<bf16>
      stablehlo.return %5 : tensor<bf16>
    }) : (tensor<4x5xbf16>, tensor<bf16>) -> tensor<2x10xbf16>
    %1 = "stablehlo.reduce_window"(%arg2, %arg3) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg10: tensor<f16>, %arg11: tensor<f16>):
      %5 = stablehlo.multiply %arg10, %arg11 : tensor<f16>
      stablehlo.return %5 : tensor<f16>
    }) : (tensor<4x5xf16>, tensor<f16>) -> tensor<2x10xf16>
    %2 = "stablehlo.reduce_window"(%arg4, %arg5) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %5 = stablehlo.multiply %arg10, %arg11 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<2x10xf32>
    %3 = "stablehlo.reduce_window"(%arg6, %arg7) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg10: tensor<f64>, %arg11: tensor<f64>):
      %5 = stablehlo.multiply %arg10, %arg11 : tensor<f64>
      stablehlo.return %5 : tensor<f64>
    }) : (tensor<4x5xf64>, tensor<f64>) -> tensor<2x10xf64>
    %4 = "stablehlo.reduce_window"(%arg8, %arg9) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg10: tensor<f8E4M3FN>, %arg11: tensor<f8E4M3FN>):
      %5 = stablehlo.multiply %arg10, %arg11 : tensor<f8E4M3FN>
      stablehlo.return %5 : tensor<f8E4M3FN>
    }) : (tensor<4x5xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<2x10xf8E4M3FN>
    return %0, %1, %2, %3, %4 : tensor<2x10xbf16>, tensor<2x10xf16>, tensor<2x10xf32>, tensor<2x10xf64>, tensor<2x10xf8E4M3FN>
  }
}
