module @shapes_gather_batched_last {
  func.func public @main(%arg0: tensor<4x3x2xf32>, %arg1: tensor<3x2x1xi32>) -> tensor<3x2xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], operand_batching_dims = [1, 2], start_indices_batching_dims = [0, 1], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x3x2xf32>, tensor<3x2x1xi32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}
