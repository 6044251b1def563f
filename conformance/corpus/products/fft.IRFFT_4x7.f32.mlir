module @products_fft_IRFFT_4x7_f32 {
  func.func public @main(%arg0: tensor<4x4xcomplex<f32>>) -> tensor<4x7xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [4, 7] : (tensor<4x4xcomplex<f32>>) -> tensor<4x7xf32>
    return %0 : tensor<4x7xf32>
  }
}
