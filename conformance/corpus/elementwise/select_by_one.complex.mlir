module @elementwise_select_by_one_complex {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<5xcomplex<f32>>, %arg2: tensor<5xcomplex<f32>>, %arg3: tensor<i1>, %arg4: tensor<5xcomplex<f64>>, %arg5: tensor<5xcomplex<f64>>) -> (tensor<5xcomplex<f32>>, tensor<5xcomplex<f64>>) {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<5xcomplex<f32>>
    %1 = stablehlo.select %arg3, %arg4, %arg5 : tensor<i1>, tensor<5xcomplex<f64>>
    return %0, %1 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f64>>
  }
}
