module @quantized_dot {
  func.func public @main(%arg0: tensor<2x4xf32>, %arg1: tensor<4x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.uniform_quantize %arg0 : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32, 5.000000e-02:3>>
    %1 = stablehlo.uniform_quantize %arg1 : (tensor<4x3xf32>) -> tensor<4x3x!quant.uniform<i8:f32, 5.000000e-02>>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x4x!quant.uniform<i8:f32, 5.000000e-02:3>>, tensor<4x3x!quant.uniform<i8:f32, 5.000000e-02>>) -> tensor<2x3x!quant.uniform<i32:f32, 2.500000e-03>>
    %3 = stablehlo.uniform_dequantize %2 : (tensor<2x3x!quant.uniform<i32:f32, 2.500000e-03>>) -> tensor<2x3xf32>
    return %3 : tensor<2x3xf32>
  }
}
