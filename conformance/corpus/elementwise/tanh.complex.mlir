module @elementwise_tanh_complex {
  func.func public @main(%arg0: tensor<42xcomplex<f32>>, %arg1: tensor<42xcomplex<f64>>) -> (tensor<42xcomplex<f32>>, tensor<42xcomplex<f64>>) {
    %0 = stablehlo.tanh %arg0 : tensor<42xcomplex<f32>>
    %1 = stablehlo.tanh %arg1 : tensor<42xcomplex<f64>>
    return %0, %1 : tensor<42xcomplex<f32>>, tensor<42xcomplex<f64>>
  }
}
