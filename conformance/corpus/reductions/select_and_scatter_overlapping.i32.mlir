module @reductions_select_and_scatter_overlapping_i32 {
  func.func public @main(%arg0: tensor<6x6xi32>, %arg1: tensor<4x4xi32>, %arg2: tensor<i32>) -> tensor<6x6xi32> {
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }, {
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %1 = stablehlo.add %arg3, %arg4 : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) : (tensor<6x6xi32>, tensor<4x4xi32>, tensor<i32>) -> tensor<6x6xi32>
    return %0 : tensor<6x6xi32>
  }
}
