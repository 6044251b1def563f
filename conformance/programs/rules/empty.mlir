module @empty {
  func.func public @main(%x: tensor<0x4xf32>) -> (tensor<0x4xf32>, tensor<4xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.add %x, %x : tensor<0x4xf32>
    %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<0x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %0, %1 : tensor<0x4xf32>, tensor<4xf32>
  }
}
