module @reductions_select_and_scatter_overlapping_f64 {
  func.func public @main(%arg0: tensor<6x6xf64>, %arg1: tensor<4x4xf64>, %arg2: tensor<f64>) -> tensor<6x6xf64> {
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }, {
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %1 = stablehlo.add %arg3, %arg4 : tensor<f64>
      stablehlo.return %1 : tensor<f64>
    }) : (tensor<6x6xf64>, tensor<4x4xf64>, tensor<f64>) -> tensor<6x6xf64>
    return %0 : tensor<6x6xf64>
  }
}
