module @elementwise_reduce_precision_f32_4_3 {
  func.func public @main(%arg0: tensor<22xf32>) -> tensor<22xf32> {
    %0 = stablehlo.reduce_precision %arg0, format = e4m3 : tensor<22xf32>
    return %0 : tensor<22xf32>
  }
}
