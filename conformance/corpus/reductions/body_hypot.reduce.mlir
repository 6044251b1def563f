module @reductions_body_hypot_reduce {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<f32>) -> tensor<5xf32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>
     reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
      %1 = stablehlo.multiply %arg2, %arg2 : tensor<f32>
      %2 = stablehlo.multiply %arg3, %arg3 : tensor<f32>
      %3 = stablehlo.add %1, %2 : tensor<f32>
      %4 = stablehlo.sqrt %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }
    return %0 : tensor<5xf32>
  }
}
