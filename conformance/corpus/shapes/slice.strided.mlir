module @shapes_slice_strided {
  func.func public @main(%arg0: tensor<9x7xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.slice %arg0 [1:9:3, 0:7:2] : (tensor<9x7xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
