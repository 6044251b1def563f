module @products_fft_FFT_1_f32 {
  func.func public @main(%arg0: tensor<3x1xcomplex<f32>>) -> tensor<3x1xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [1] : (tensor<3x1xcomplex<f32>>) -> tensor<3x1xcomplex<f32>>
    return %0 : tensor<3x1xcomplex<f32>>
  }
}
