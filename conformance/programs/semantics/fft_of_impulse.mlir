// fft_of_impulse: stablehlo.fft of an impulse is 1 everywhere.
// input complex<f32> 8 0 0000803f000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
// expect complex<f32> 8 0 0000803f000000000000803f000000000000803f000000000000803f000000000000803f000000000000803f000000000000803f000000000000803f00000000
module {
func.func public @main(%a0: tensor<8xcomplex<f32>>) -> (tensor<8xcomplex<f32>>) {
  %r0 = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  "func.return"(%r0) : (tensor<8xcomplex<f32>>) -> ()
}
}
