module @elementwise_reduce_precision_f64_8_7 {
  func.func public @main(%arg0: tensor<22xf64>) -> tensor<22xf64> {
    %0 = stablehlo.reduce_precision %arg0, format = e8m7 : tensor<22xf64>
    return %0 : tensor<22xf64>
  }
}
