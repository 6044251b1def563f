module @reductions_window_form_dilated {
  func.func public @main(%arg0: tensor<5xf32>, %arg1: tensor<f32>) -> tensor<14xf32> {
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 3>, padding = dense<[[1, 2]]> : tensor<1x2xi64>, window_dilations = array<i64: 2>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<5xf32>, tensor<f32>) -> tensor<14xf32>
    return %0 : tensor<14xf32>
  }
}
