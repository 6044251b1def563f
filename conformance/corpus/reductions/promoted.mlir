module @reductions_promoted {
  func.func public @main(%arg0: tensor<4x7xbf16>, %arg1: tensor<bf16>) -> tensor<4xf32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [1] : (tensor<4x7xbf16>, tensor<bf16>) -> tensor<4xf32>
     reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
      %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }
    return %0 : tensor<4xf32>
  }
}
