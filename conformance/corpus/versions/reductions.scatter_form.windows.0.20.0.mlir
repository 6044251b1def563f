module @reductions_scatter_form_windows {
  func.func public @main(%arg0: tensor<6x5xf32>, %arg1: tensor<3x2xi64>, %arg2: tensor<3x2x3xf32>) -> tensor<6x5xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<3x2xi64>, tensor<3x2x3xf32>) -> tensor<6x5xf32>
    return %0 : tensor<6x5xf32>
  }
}
