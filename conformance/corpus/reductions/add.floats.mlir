module @reductions_add_floats {
  func.func public @main(%arg0: tensor<4x5xbf16>, %arg1: tensor<bf16>, %arg2: tensor<4x5xf16>, %arg3: tensor<f16>, %arg4: tensor<4x5xf32>, %arg5: tensor<f32>, %arg6: tensor<4x5xf64>, %arg7: tensor<f64>) -> (tensor<4xbf16>, tensor<4xf16>, tensor<4xf32>, tensor<4xf64>) {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<4x5xbf16>, tensor<bf16>) -> tensor<4xbf16>
    %1 = stablehlo.reduce(%arg2 init: %arg3) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf16>, tensor<f16>) -> tensor<4xf16>
    %2 = stablehlo.reduce(%arg4 init: %arg5) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.reduce(%arg6 init: %arg7) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf64>, tensor<f64>) -> tensor<4xf64>
    return %0, %1, %2, %3 : tensor<4xbf16>, tensor<4xf16>, tensor<4xf32>, tensor<4xf64>
  }
}
