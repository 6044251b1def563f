module @elementwise_reduce_precision_f64_4_3 {
  func.func public @main(%arg0: tensor<22xf64>) -> tensor<22xf64> {
    %0 = stablehlo.reduce_precision %arg0, format = e4m3 : tensor<22xf64>
    return %0 : tensor<22xf64>
  }
}
