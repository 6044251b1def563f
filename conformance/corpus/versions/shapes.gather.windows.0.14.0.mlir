module @shapes_gather_windows {
  func.func public @main(%arg0: tensor<6x5xf32>, %arg1: tensor<2x2xi64>) -> tensor<2x2x3xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 3>}> : (tensor<6x5xf32>, tensor<2x2xi64>) -> tensor<2x2x3xf32>
    return %0 : tensor<2x2x3xf32>
  }
}
