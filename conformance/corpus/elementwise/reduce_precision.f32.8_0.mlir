module @elementwise_reduce_precision_f32_8_0 {
  func.func public @main(%arg0: tensor<22xf32>) -> tensor<22xf32> {
    %0 = stablehlo.reduce_precision %arg0, format = e8m0 : tensor<22xf32>
    return %0 : tensor<22xf32>
  }
}
