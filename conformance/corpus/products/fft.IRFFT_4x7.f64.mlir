module @products_fft_IRFFT_4x7_f64 {
  func.func public @main(%arg0: tensor<4x4xcomplex<f64>>) -> tensor<4x7xf64> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [4, 7] : (tensor<4x4xcomplex<f64>>) -> tensor<4x7xf64>
    return %0 : tensor<4x7xf64>
  }
}
