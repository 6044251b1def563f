module @three_results {
  func.func public @main(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<f32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.add %x, %x : tensor<64xf32>
    return %0, %x, %zero : tensor<64xf32>, tensor<64xf32>, tensor<f32>
  }
}
