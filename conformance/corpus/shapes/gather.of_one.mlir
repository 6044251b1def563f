module @shapes_gather_of_one {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<1xi32>) -> tensor<f32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<3xf32>, tensor<1xi32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
