module @reductions_body_hypot_window {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<f32>) -> tensor<2x10xf32> {
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = stablehlo.multiply %arg2, %arg2 : tensor<f32>
      %2 = stablehlo.multiply %arg3, %arg3 : tensor<f32>
      %3 = stablehlo.add %1, %2 : tensor<f32>
      %4 = stablehlo.sqrt %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<2x10xf32>
    return %0 : tensor<2x10xf32>
  }
}
