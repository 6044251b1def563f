module @quantized_maximum_plain {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.uniform_quantize %arg0 : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i8:f32, 5.000000e-02:3>>
    %1 = stablehlo.uniform_quantize %arg1 : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i8:f32, 5.000000e-02:3>>
    %2 = stablehlo.maximum %0, %1 : tensor<3x4x!quant.uniform<i8:f32, 5.000000e-02:3>>
    %3 = stablehlo.uniform_dequantize %2 : (tensor<3x4x!quant.uniform<i8:f32, 5.000000e-02:3>>) -> tensor<3x4xf32>
    return %3 : tensor<3x4xf32>
  }
}
