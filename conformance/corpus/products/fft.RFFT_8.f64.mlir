module @products_fft_RFFT_8_f64 {
  func.func public @main(%arg0: tensor<3x8xf64>) -> tensor<3x5xcomplex<f64>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [8] : (tensor<3x8xf64>) -> tensor<3x5xcomplex<f64>>
    return %0 : tensor<3x5xcomplex<f64>>
  }
}
