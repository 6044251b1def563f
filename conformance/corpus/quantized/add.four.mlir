module @quantized_add_four {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.uniform_quantize %arg0 : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i4:f32, 5.000000e-01>>
    %1 = stablehlo.uniform_quantize %arg1 : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i4:f32, 5.000000e-01>>
    %2 = stablehlo.add %0, %1 : tensor<3x4x!quant.uniform<i4:f32, 5.000000e-01>>
    %3 = stablehlo.uniform_dequantize %2 : (tensor<3x4x!quant.uniform<i4:f32, 5.000000e-01>>) -> tensor<3x4xf32>
    return %3 : tensor<3x4xf32>
  }
}
