module @products_fft_RFFT_4x6_f64 {
  func.func public @main(%arg0: tensor<4x6xf64>) -> tensor<4x4xcomplex<f64>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [4, 6] : (tensor<4x6xf64>) -> tensor<4x4xcomplex<f64>>
    return %0 : tensor<4x4xcomplex<f64>>
  }
}
