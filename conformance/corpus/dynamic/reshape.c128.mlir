module @dynamic_reshape_complex_f64_ {
  func.func public @main(%arg0: tensor<2x3xcomplex<f64>>) -> tensor<3x2xcomplex<f64>> {
    %c = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
    %0 = stablehlo.dynamic_reshape %arg0, %c : (tensor<2x3xcomplex<f64>>, tensor<2xi32>) -> tensor<3x2xcomplex<f64>>
    return %0 : tensor<3x2xcomplex<f64>>
  }
}
