module @dynamic_gather_ui4 {
  func.func public @main(%arg0: tensor<5x6xui4>, %arg1: tensor<3x1xi64>) -> tensor<3x6xui4> {
    %c = stablehlo.constant dense<[1, 6]> : tensor<2xi64>
    %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<5x6xui4>, tensor<3x1xi64>, tensor<2xi64>) -> tensor<3x6xui4>
    return %0 : tensor<3x6xui4>
  }
}
