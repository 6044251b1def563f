module @chlo_cosh_complex {
  func.func public @main(%arg0: tensor<5xcomplex<f32>>, %arg1: tensor<5xcomplex<f64>>) -> (tensor<5xcomplex<f32>>, tensor<5xcomplex<f64>>) {
    %0 = chlo.cosh %arg0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
    %1 = chlo.cosh %arg1 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
    return %0, %1 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f64>>
  }
}
