module @chlo_asin_complex {
  func.func public @main(%arg0: tensor<5xcomplex<f32>>, %arg1: tensor<5xcomplex<f64>>) -> (tensor<5xcomplex<f32>>, tensor<5xcomplex<f64>>) {
    %0 = chlo.asin %arg0 : tensor<5xcomplex<f32>> -> tensor<5xcomplex<f32>>
    %1 = chlo.asin %arg1 : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
    return %0, %1 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f64>>
  }
}
