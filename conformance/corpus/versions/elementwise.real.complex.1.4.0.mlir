module @elementwise_real_complex {
  func.func public @main(%arg0: tensor<30xcomplex<f32>>, %arg1: tensor<30xcomplex<f64>>) -> (tensor<30xf32>, tensor<30xf64>) {
    %0 = stablehlo.real %arg0 : (tensor<30xcomplex<f32>>) -> tensor<30xf32>
    %1 = stablehlo.real %arg1 : (tensor<30xcomplex<f64>>) -> tensor<30xf64>
    return %0, %1 : tensor<30xf32>, tensor<30xf64>
  }
}
