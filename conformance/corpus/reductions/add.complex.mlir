module @reductions_add_complex {
  func.func public @main(%arg0: tensor<4x5xcomplex<f32>>, %arg1: tensor<complex<f32>>, %arg2: tensor<4x5xcomplex<f64>>, %arg3: tensor<complex<f64>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f64>>) {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<4x5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
    %1 = stablehlo.reduce(%arg2 init: %arg3) applies stablehlo.add across dimensions = [1] : (tensor<4x5xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
    return %0, %1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f64>>
  }
}
