module @reductions_body_loop_map {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %0 = "stablehlo.map"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
      %1:2 = stablehlo.while(%iterArg = %arg2, %iterArg_0 = %arg3) : tensor<f32>, tensor<f32>
      cond {
        %3 = stablehlo.compare LT, %iterArg, %cst : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %3 : tensor<i1>
      } do {
        %3 = stablehlo.abs %iterArg_0 : tensor<f32>
        %4 = stablehlo.add %iterArg, %3 : tensor<f32>
        %5 = stablehlo.add %3, %cst : tensor<f32>
        stablehlo.return %4, %5 : tensor<f32>, tensor<f32>
      }
      %2 = stablehlo.negate %1#0 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
}
