// fft_there_and_back: stablehlo.fft with RFFT and then IRFFT gives the numbers back, for small integers within 8 ULP or 1e-6.
// input f32 8 0 0000004000004040000080400000a0400000803f0000803f0000803f0000803f
// expect f32 8 16 0000004000004040000080400000a0400000803f0000803f0000803f0000803f
module {
func.func public @main(%a0: tensor<8xf32>) -> (tensor<8xf32>) {
  %f = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  %r0 = "stablehlo.fft"(%f) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<5xcomplex<f32>>) -> tensor<8xf32>
  "func.return"(%r0) : (tensor<8xf32>) -> ()
}
}
