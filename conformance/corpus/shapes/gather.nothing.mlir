module @shapes_gather_nothing {
  func.func public @main(%arg0: tensor<3x2xf32>, %arg1: tensor<0x1xi32>) -> tensor<0x2xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<0x1xi32>) -> tensor<0x2xf32>
    return %0 : tensor<0x2xf32>
  }
}
