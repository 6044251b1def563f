module @products_fft_IRFFT_6_f64 {
  func.func public @main(%arg0: tensor<2x4xcomplex<f64>>) -> tensor<2x6xf64> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [6] : (tensor<2x4xcomplex<f64>>) -> tensor<2x6xf64>
    return %0 : tensor<2x6xf64>
  }
}
