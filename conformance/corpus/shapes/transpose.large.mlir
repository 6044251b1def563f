module @shapes_transpose_large {
  func.func public @main(%arg0: tensor<33x65xf32>) -> tensor<65x33xf32> {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<33x65xf32>) -> tensor<65x33xf32>
    return %0 : tensor<65x33xf32>
  }
}
