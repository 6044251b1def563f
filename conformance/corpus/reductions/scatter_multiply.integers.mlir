module @reductions_scatter_multiply_integers {
  func.func public @main(%arg0: tensor<6x4xi4>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x4xi4>, %arg3: tensor<6x4xi8>, %arg4: tensor<3x1xi32>, %arg5: tensor<3x4xi8>, %arg6: tensor<6x4xi32>, %arg7: tensor<3x1xi32>, %arg8: tensor<3x4xi32>, %arg9: tensor<6x4xi64>, %arg10: tensor<3x1xi32>, %arg11: tensor<3x4xi64>, %arg12: tensor<6x4xui8>, %arg13: tensor<3x1xi32>, %arg14: tensor<3x4xui8>, %arg15: tensor<6x4xui32>, %arg16: tensor<3x1xi32>, %arg17: tensor<3x4xui32>) -> (tensor<6x4xi4>, tensor<6x4xi8>, tensor<6x4xi32>, tensor<6x4xi64>, tensor<6x4xui8>, tensor<6x4xui32>) {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg18: tensor<i4>, %arg19: tensor<i4>):
      %6 = stablehlo.multiply %arg18, %arg19 : tensor<i4>
      stablehlo.return %6 : tensor<i4>
    }) : (tensor<6x4xi4>, tensor<3x1xi32>, tensor<3x4xi4>) -> tensor<6x4xi4>
    %1 = "stablehlo.scatter"(%arg3, %arg4, %arg5) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg18: tensor<i8>, %arg19: tensor<i8>):
      %6 = stablehlo.multiply %arg18, %arg19 : tensor<i8>
      stablehlo.return %6 : tensor<i8>
    }) : (tensor<6x4xi8>, tensor<3x1xi32>, tensor<3x4xi8>) -> tensor<6x4xi8>
    %2 = "stablehlo.scatter"(%arg6, %arg7, %arg8) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg18: tensor<i32>, %arg19: tensor<i32>):
      %6 = stablehlo.multiply %arg18, %arg19 : tensor<i32>
      stablehlo.return %6 : tensor<i32>
    }) : (tensor<6x4xi32>, tensor<3x1xi32>, tensor<3x4xi32>) -> tensor<6x4xi32>
    %3 = "stablehlo.scatter"(%arg9, %arg10, %arg11) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg18: tensor<i64>, %arg19: tensor<i64>):
      %6 = stablehlo.multiply %arg18, %arg19 : tensor<i64>
      stablehlo.return %6 : tensor<i64>
    }) : (tensor<6x4xi64>, tensor<3x1xi32>, tensor<3x4xi64>) -> tensor<6x4xi64>
    %4 = "stablehlo.scatter"(%arg12, %arg13, %arg14) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg18: tensor<ui8>, %arg19: tensor<ui8>):
      %6 = stablehlo.multiply %arg18, %arg19 : tensor<ui8>
      stablehlo.return %6 : tensor<ui8>
    }) : (tensor<6x4xui8>, tensor<3x1xi32>, tensor<3x4xui8>) -> tensor<6x4xui8>
    %5 = "stablehlo.scatter"(%arg15, %arg16, %arg17) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg18: tensor<ui32>, %arg19: tensor<ui32>):
      %6 = stablehlo.multiply %arg18, %arg19 : tensor<ui32>
      stablehlo.return %6 : tensor<ui32>
    }) : (tensor<6x4xui32>, tensor<3x1xi32>, tensor<3x4xui32>) -> tensor<6x4xui32>
    return %0, %1, %2, %3, %4, %5 : tensor<6x4xi4>, tensor<6x4xi8>, tensor<6x4xi32>, tensor<6x4xi64>, tensor<6x4xui8>, tensor<6x4xui32>
  }
}
