module @elementwise_imag_complex {
  func.func public @main(%arg0: tensor<30xcomplex<f32>>, %arg1: tensor<30xcomplex<f64>>) -> (tensor<30xf32>, tensor<30xf64>) {
    %0 = stablehlo.imag %arg0 : (tensor<30xcomplex<f32>>) -> tensor<30xf32>
    %1 = stablehlo.imag %arg1 : (tensor<30xcomplex<f64>>) -> tensor<30xf64>
    return %0, %1 : tensor<30xf32>, tensor<30xf64>
  }
}
