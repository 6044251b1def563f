module @reductions_body_hypot_scatter {
  func.func public @main(%arg0: tensor<6x4xf32>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x4xf32>) -> tensor<6x4xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %1 = stablehlo.multiply %arg3, %arg3 : tensor<f32>
      %2 = stablehlo.multiply %arg4, %arg4 : tensor<f32>
      %3 = stablehlo.add %1, %2 : tensor<f32>
      %4 = stablehlo.sqrt %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<6x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<6x4xf32>
    return %0 : tensor<6x4xf32>
  }
}
