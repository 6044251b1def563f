module @shapes_slice_one {
  func.func public @main(%arg0: tensor<5xf32>) -> tensor<1xf32> {
    %0 = stablehlo.slice %arg0 [4:5:9] : (tensor<5xf32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}
