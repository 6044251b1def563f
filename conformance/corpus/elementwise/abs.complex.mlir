module @elementwise_abs_complex {
  func.func public @main(%arg0: tensor<42xcomplex<f32>>, %arg1: tensor<42xcomplex<f64>>) -> (tensor<42xf32>, tensor<42xf64>) {
    %0 = stablehlo.abs %arg0 : (tensor<42xcomplex<f32>>) -> tensor<42xf32>
    %1 = stablehlo.abs %arg1 : (tensor<42xcomplex<f64>>) -> tensor<42xf64>
    return %0, %1 : tensor<42xf32>, tensor<42xf64>
  }
}
