module @reductions_select_and_scatter_f64 {
  func.func public @main(%arg0: tensor<4x6xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<f64>) -> tensor<4x6xf64> {
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }, {
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %1 = stablehlo.add %arg3, %arg4 : tensor<f64>
      stablehlo.return %1 : tensor<f64>
    }) : (tensor<4x6xf64>, tensor<3x3xf64>, tensor<f64>) -> tensor<4x6xf64>
    return %0 : tensor<4x6xf64>
  }
}
