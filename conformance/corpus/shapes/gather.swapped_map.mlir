module @shapes_gather_swapped_map {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<2x2xi32>) -> tensor<2xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x5xf32>, tensor<2x2xi32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
