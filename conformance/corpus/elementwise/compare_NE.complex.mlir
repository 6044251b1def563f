module @elementwise_compare_NE_complex {
  func.func public @main(%arg0: tensor<100xcomplex<f32>>, %arg1: tensor<100xcomplex<f32>>, %arg2: tensor<100xcomplex<f64>>, %arg3: tensor<100xcomplex<f64>>) -> (tensor<100xi1>, tensor<100xi1>) {
    %0 = stablehlo.compare NE, %arg0, %arg1 : (tensor<100xcomplex<f32>>, tensor<100xcomplex<f32>>) -> tensor<100xi1>
    %1 = stablehlo.compare NE, %arg2, %arg3 : (tensor<100xcomplex<f64>>, tensor<100xcomplex<f64>>) -> tensor<100xi1>
    return %0, %1 : tensor<100xi1>, tensor<100xi1>
  }
}
