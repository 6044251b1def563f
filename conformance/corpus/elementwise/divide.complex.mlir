module @elementwise_divide_complex {
  func.func public @main(%arg0: tensor<100xcomplex<f32>>, %arg1: tensor<100xcomplex<f32>>, %arg2: tensor<100xcomplex<f64>>, %arg3: tensor<100xcomplex<f64>>) -> (tensor<100xcomplex<f32>>, tensor<100xcomplex<f64>>) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<100xcomplex<f32>>
    %1 = stablehlo.divide %arg2, %arg3 : tensor<100xcomplex<f64>>
    return %0, %1 : tensor<100xcomplex<f32>>, tensor<100xcomplex<f64>>
  }
}
