module @reductions_window_form_cut {
  func.func public @main(%arg0: tensor<6x6xf32>, %arg1: tensor<f32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [0, -2]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<6x6xf32>, tensor<f32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}
