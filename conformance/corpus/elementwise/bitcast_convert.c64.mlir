module @elementwise_bitcast_convert_complex_f32_ {
  func.func public @main(%arg0: tensor<4x2xcomplex<f32>>) -> tensor<4x2xcomplex<f32>> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<4x2xcomplex<f32>>) -> tensor<4x2xcomplex<f32>>
    return %0 : tensor<4x2xcomplex<f32>>
  }
}
