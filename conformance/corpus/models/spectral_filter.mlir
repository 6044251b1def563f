module @jit_spectral_filter attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xcomplex<f32>>) -> (tensor<16xf32> {jax.result_info = "result"}) {
    %0 = call @fft(%arg0) : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
    %1 = stablehlo.iota dim = 0 : tensor<16xi32>
    %2 = stablehlo.negate %1 : tensor<16xi32>
    %3 = stablehlo.convert %2 : (tensor<16xi32>) -> tensor<16xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %5 = stablehlo.divide %3, %4 : tensor<16xf32>
    %6 = stablehlo.exponential %5 : tensor<16xf32>
    %7 = stablehlo.convert %6 : (tensor<16xf32>) -> tensor<16xcomplex<f32>>
    %8 = stablehlo.multiply %0, %7 : tensor<16xcomplex<f32>>
    %9 = call @fft_0(%8) : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
    %10 = stablehlo.real %9 : (tensor<16xcomplex<f32>>) -> tensor<16xf32>
    return %10 : tensor<16xf32>
  }
  func.func private @fft(%arg0: tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [16] : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
    return %0 : tensor<16xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [16] : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
    return %0 : tensor<16xcomplex<f32>>
  }
}
