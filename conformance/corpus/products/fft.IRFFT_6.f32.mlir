module @products_fft_IRFFT_6_f32 {
  func.func public @main(%arg0: tensor<2x4xcomplex<f32>>) -> tensor<2x6xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [6] : (tensor<2x4xcomplex<f32>>) -> tensor<2x6xf32>
    return %0 : tensor<2x6xf32>
  }
}
