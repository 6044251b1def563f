module @shapes_gather_points {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<4x2xi32>) -> tensor<4xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x5xf32>, tensor<4x2xi32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
