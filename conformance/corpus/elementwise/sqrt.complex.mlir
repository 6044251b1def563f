module @elementwise_sqrt_complex {
  func.func public @main(%arg0: tensor<42xcomplex<f32>>, %arg1: tensor<42xcomplex<f64>>) -> (tensor<42xcomplex<f32>>, tensor<42xcomplex<f64>>) {
    %0 = stablehlo.sqrt %arg0 : tensor<42xcomplex<f32>>
    %1 = stablehlo.sqrt %arg1 : tensor<42xcomplex<f64>>
    return %0, %1 : tensor<42xcomplex<f32>>, tensor<42xcomplex<f64>>
  }
}
