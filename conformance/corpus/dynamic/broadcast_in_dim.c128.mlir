module @dynamic_broadcast_in_dim_complex_f64_ {
  func.func public @main(%arg0: tensor<2x1xcomplex<f64>>) -> tensor<4x2x3xcomplex<f64>> {
    %c = stablehlo.constant dense<[4, 2, 3]> : tensor<3xi64>
    %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %c, dims = [1, 2] : (tensor<2x1xcomplex<f64>>, tensor<3xi64>) -> tensor<4x2x3xcomplex<f64>>
    return %0 : tensor<4x2x3xcomplex<f64>>
  }
}
