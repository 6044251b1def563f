module @products_fft_FFT_6_f32 {
  func.func public @main(%arg0: tensor<2x6xcomplex<f32>>) -> tensor<2x6xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [6] : (tensor<2x6xcomplex<f32>>) -> tensor<2x6xcomplex<f32>>
    return %0 : tensor<2x6xcomplex<f32>>
  }
}
