module @shapes_torch_index_select_batched {
  func.func public @main(%arg0: tensor<2x4x3xf32>, %arg1: tensor<2x2xi32>) -> tensor<2x2x3xf32> {
    %0 = "stablehlo.torch_index_select"(%arg0, %arg1) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<2x4x3xf32>, tensor<2x2xi32>) -> tensor<2x2x3xf32>
    return %0 : tensor<2x2x3xf32>
  }
}
