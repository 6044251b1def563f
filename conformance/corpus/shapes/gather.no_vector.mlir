module @shapes_gather_no_vector {
  func.func public @main(%arg0: tensor<6x5xf32>, %arg1: tensor<2x2xui8>) -> tensor<2x2x5xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5>}> : (tensor<6x5xf32>, tensor<2x2xui8>) -> tensor<2x2x5xf32>
    return %0 : tensor<2x2x5xf32>
  }
}
