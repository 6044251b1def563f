module @shapes_gather_offset_first {
  func.func public @main(%arg0: tensor<6x5xf32>, %arg1: tensor<3xi32>) -> tensor<5x3xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 5>}> : (tensor<6x5xf32>, tensor<3xi32>) -> tensor<5x3xf32>
    return %0 : tensor<5x3xf32>
  }
}
