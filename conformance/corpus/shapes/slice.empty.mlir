module @shapes_slice_empty {
  func.func public @main(%arg0: tensor<4x4xf32>) -> tensor<0x2xf32> {
    %0 = stablehlo.slice %arg0 [2:2, 1:3] : (tensor<4x4xf32>) -> tensor<0x2xf32>
    return %0 : tensor<0x2xf32>
  }
}
