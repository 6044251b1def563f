module @dynamic_pad_complex_f64_ {
  func.func public @main(%arg0: tensor<2x3xcomplex<f64>>, %arg1: tensor<complex<f64>>) -> tensor<4x5xcomplex<f64>> {
    %c = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
    %c_0 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
    %c_1 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
    %0 = stablehlo.dynamic_pad %arg0, %arg1, %c, %c_0, %c_1 : (tensor<2x3xcomplex<f64>>, tensor<complex<f64>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x5xcomplex<f64>>
    return %0 : tensor<4x5xcomplex<f64>>
  }
}
