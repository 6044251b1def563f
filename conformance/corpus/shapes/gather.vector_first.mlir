module @shapes_gather_vector_first {
  func.func public @main(%arg0: tensor<6x5xf32>, %arg1: tensor<2x3xi32>) -> tensor<3x2xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<6x5xf32>, tensor<2x3xi32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}
