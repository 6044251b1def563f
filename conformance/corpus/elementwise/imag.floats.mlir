module @elementwise_imag_floats {
  func.func public @main(%arg0: tensor<22xf32>, %arg1: tensor<22xf64>) -> (tensor<22xf32>, tensor<22xf64>) {
    %0 = stablehlo.imag %arg0 : tensor<22xf32>
    %1 = stablehlo.imag %arg1 : tensor<22xf64>
    return %0, %1 : tensor<22xf32>, tensor<22xf64>
  }
}
