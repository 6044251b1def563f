module @quantized_transpose_wide {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<4x3xf32> {
    %0 = stablehlo.uniform_quantize %arg0 : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i16:f32, 1.000000e-03:5>>
    %1 = stablehlo.uniform_quantize %arg1 : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i16:f32, 1.000000e-03:5>>
    %2 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x4x!quant.uniform<i16:f32, 1.000000e-03:5>>) -> tensor<4x3x!quant.uniform<i16:f32, 1.000000e-03:5>>
    %3 = stablehlo.uniform_dequantize %2 : (tensor<4x3x!quant.uniform<i16:f32, 1.000000e-03:5>>) -> tensor<4x3xf32>
    return %3 : tensor<4x3xf32>
  }
}
