module @chlo_conj_complex {
  func.func public @main(%arg0: tensor<5xcomplex<f32>>, %arg1: tensor<5xcomplex<f64>>) -> (tensor<5xcomplex<f32>>, tensor<5xcomplex<f64>>) {
    %0 = chlo.conj %arg0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
    %1 = chlo.conj %arg1 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
    return %0, %1 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f64>>
  }
}
