module @elementwise_complex_f32 {
  func.func public @main(%arg0: tensor<22xf32>, %arg1: tensor<22xf32>) -> tensor<22xcomplex<f32>> {
    %0 = stablehlo.complex %arg0, %arg1 : tensor<22xcomplex<f32>>
    return %0 : tensor<22xcomplex<f32>>
  }
}
