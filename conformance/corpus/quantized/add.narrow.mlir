module @quantized_add_narrow {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.uniform_quantize %arg0 : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i8<-100:100>:f32, 6.250000e-02>>
    %1 = stablehlo.uniform_quantize %arg1 : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i8<-100:100>:f32, 6.250000e-02>>
    %2 = stablehlo.add %0, %1 : tensor<3x4x!quant.uniform<i8<-100:100>:f32, 6.250000e-02>>
    %3 = stablehlo.uniform_dequantize %2 : (tensor<3x4x!quant.uniform<i8<-100:100>:f32, 6.250000e-02>>) -> tensor<3x4xf32>
    return %3 : tensor<3x4xf32>
  }
}
