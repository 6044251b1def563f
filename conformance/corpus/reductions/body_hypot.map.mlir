module @reductions_body_hypot_map {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %0 = "stablehlo.map"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = stablehlo.multiply %arg2, %arg2 : tensor<f32>
      %2 = stablehlo.multiply %arg3, %arg3 : tensor<f32>
      %3 = stablehlo.add %1, %2 : tensor<f32>
      %4 = stablehlo.sqrt %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
}
