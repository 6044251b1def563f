module @products_fft_FFT_3x4x5_f64 {
  func.func public @main(%arg0: tensor<3x4x5xcomplex<f64>>) -> tensor<3x4x5xcomplex<f64>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [3, 4, 5] : (tensor<3x4x5xcomplex<f64>>) -> tensor<3x4x5xcomplex<f64>>
    return %0 : tensor<3x4x5xcomplex<f64>>
  }
}
