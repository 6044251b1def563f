module @reductions_scatter_form_sorted {
  func.func public @main(%arg0: tensor<6x2xf32>, %arg1: tensor<4x1xi32>, %arg2: tensor<4x2xf32>) -> tensor<6x2xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<6x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> tensor<6x2xf32>
    return %0 : tensor<6x2xf32>
  }
}
