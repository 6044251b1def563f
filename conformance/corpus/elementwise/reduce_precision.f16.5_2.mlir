module @elementwise_reduce_precision_f16_5_2 {
  func.func public @main(%arg0: tensor<22xf16>) -> tensor<22xf16> {
    %0 = stablehlo.reduce_precision %arg0, format = e5m2 : tensor<22xf16>
    return %0 : tensor<22xf16>
  }
}
