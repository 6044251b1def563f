module @elementwise_reduce_precision_f16_5_10 {
  func.func public @main(%arg0: tensor<22xf16>) -> tensor<22xf16> {
    %0 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<22xf16>
    return %0 : tensor<22xf16>
  }
}
