module @reductions_select_and_scatter_overlapping_bf16 {
  func.func public @main(%arg0: tensor<6x6xbf16>, %arg1: tensor<4x4xbf16>, %arg2: tensor<bf16>) -> tensor<6x6xbf16> {
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg3: tensor<bf16>, %arg4: tensor<bf16>):
      %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }, {
    ^bb0(%arg3: tensor<bf16>, %arg4: tensor<bf16>):
      %1 = stablehlo.add %arg3, %arg4 : tensor<bf16>
      stablehlo.return %1 : tensor<bf16>
    }) : (tensor<6x6xbf16>, tensor<4x4xbf16>, tensor<bf16>) -> tensor<6x6xbf16>
    return %0 : tensor<6x6xbf16>
  }
}
