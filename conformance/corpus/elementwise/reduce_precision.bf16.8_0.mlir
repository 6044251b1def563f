module @elementwise_reduce_precision_bf16_8_0 {
  func.func public @main(%arg0: tensor<22xbf16>) -> tensor<22xbf16> {
    %0 = stablehlo.reduce_precision %arg0, format = e8m0 : tensor<22xbf16>
    return %0 : tensor<22xbf16>
  }
}
