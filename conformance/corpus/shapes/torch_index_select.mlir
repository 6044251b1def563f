module @shapes_torch_index_select {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<3xi32>) -> tensor<3x5xf32> {
    %0 = "stablehlo.torch_index_select"(%arg0, %arg1) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x5xf32>, tensor<3xi32>) -> tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
}
