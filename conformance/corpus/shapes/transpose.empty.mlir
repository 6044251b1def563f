module @shapes_transpose_empty {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<3x0xf32> {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
    return %0 : tensor<3x0xf32>
  }
}
