module @reductions_scatter_set_integers {
  func.func public @main(%arg0: tensor<6x4xi1>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x4xi1>, %arg3: tensor<6x4xi2>, %arg4: tensor<3x1xi32>, %arg5: tensor<3x4xi2>, %arg6: tensor<6x4xi4>, %arg7: tensor<3x1xi32>, %arg8: tensor<3x4xi4>, %arg9: tensor<6x4xi8>, %arg10: tensor<3x1xi32>, %arg11: tensor<3x4xi8>, %arg12: tensor<6x4xi16>, %arg13: tensor<3x1xi32>, %arg14: tensor<3x4xi16>, %arg15: tensor<6x4xi32>, %arg16: tensor<3x1xi32>, %arg17: tensor<3x4xi32>, %arg18: tensor<6x4xi64>, %arg19: tensor<3x1xi32>, %arg20: tensor<3x4xi64>, %arg21: tensor<6x4xui2>, %arg22: tensor<3x1xi32>, %arg23: tensor<3x4xui2>, %arg24: tensor<6x4xui4>, %arg25: tensor<3x1xi32>, %arg26: tensor<3x4xui4>, %arg27: tensor<6x4xui8>, %arg28: tensor<3x1xi32>, %arg29: tensor<3x4xui8>, %arg30: tensor<6x4xui16>, %arg31: tensor<3x1xi32>, %arg32: tensor<3x4xui16>, %arg33: tensor<6x4xui32>, %arg34: tensor<3x1xi32>, %arg35: tensor<3x4xui32>, %arg36: tensor<6x4xui64>, %arg37: tensor<3x1xi32>, %arg38: tensor<3x4xui64>) -> (tensor<6x4xi1>, tensor<6x4xi2>, tensor<6x4xi4>, tensor<6x4xi8>, tensor<6x4xi16>, tensor<6x4xi32>, tensor<6x4xi64>, tensor<6x4xui2>, tensor<6x4xui4>, tensor<6x4xui8>, tensor<6x4xui16>, tensor<6x4xui32>, tensor<6x4xui64>) {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<i1>, %arg40: tensor<i1>):
      stablehlo.return %arg40 : tensor<i1>
    }) : (tensor<6x4xi1>, tensor<3x1xi32>, tensor<3x4xi1>) -> tensor<6x4xi1>
    %1 = "stablehlo.scatter"(%arg3, %arg4, %arg5) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<i2>, %arg40: tensor<i2>):
      stablehlo.return %arg40 : tensor<i2>
    }) : (tensor<6x4xi2>, tensor<3x1xi32>, tensor<3x4xi2>) -> tensor<6x4xi2>
    %2 = "stablehlo.scatter"(%arg6, %arg7, %arg8) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<i4>, %arg40: tensor<i4>):
      stablehlo.return %arg40 : tensor<i4>
    }) : (tensor<6x4xi4>, tensor<3x1xi32>, tensor<3x4xi4>) -> tensor<6x4xi4>
    %3 = "stablehlo.scatter"(%arg9, %arg10, %arg11) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<i8>, %arg40: tensor<i8>):
      stablehlo.return %arg40 : tensor<i8>
    }) : (tensor<6x4xi8>, tensor<3x1xi32>, tensor<3x4xi8>) -> tensor<6x4xi8>
    %4 = "stablehlo.scatter"(%arg12, %arg13, %arg14) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<i16>, %arg40: tensor<i16>):
      stablehlo.return %arg40 : tensor<i16>
    }) : (tensor<6x4xi16>, tensor<3x1xi32>, tensor<3x4xi16>) -> tensor<6x4xi16>
    %5 = "stablehlo.scatter"(%arg15, %arg16, %arg17) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<i32>, %arg40: tensor<i32>):
      stablehlo.return %arg40 : tensor<i32>
    }) : (tensor<6x4xi32>, tensor<3x1xi32>, tensor<3x4xi32>) -> tensor<6x4xi32>
    %6 = "stablehlo.scatter"(%arg18, %arg19, %arg20) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<i64>, %arg40: tensor<i64>):
      stablehlo.return %arg40 : tensor<i64>
    }) : (tensor<6x4xi64>, tensor<3x1xi32>, tensor<3x4xi64>) -> tensor<6x4xi64>
    %7 = "stablehlo.scatter"(%arg21, %arg22, %arg23) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<ui2>, %arg40: tensor<ui2>):
      stablehlo.return %arg40 : tensor<ui2>
    }) : (tensor<6x4xui2>, tensor<3x1xi32>, tensor<3x4xui2>) -> tensor<6x4xui2>
    %8 = "stablehlo.scatter"(%arg24, %arg25, %arg26) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<ui4>, %arg40: tensor<ui4>):
      stablehlo.return %arg40 : tensor<ui4>
    }) : (tensor<6x4xui4>, tensor<3x1xi32>, tensor<3x4xui4>) -> tensor<6x4xui4>
    %9 = "stablehlo.scatter"(%arg27, %arg28, %arg29) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<ui8>, %arg40: tensor<ui8>):
      stablehlo.return %arg40 : tensor<ui8>
    }) : (tensor<6x4xui8>, tensor<3x1xi32>, tensor<3x4xui8>) -> tensor<6x4xui8>
    %10 = "stablehlo.scatter"(%arg30, %arg31, %arg32) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<ui16>, %arg40: tensor<ui16>):
      stablehlo.return %arg40 : tensor<ui16>
    }) : (tensor<6x4xui16>, tensor<3x1xi32>, tensor<3x4xui16>) -> tensor<6x4xui16>
    %11 = "stablehlo.scatter"(%arg33, %arg34, %arg35) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<ui32>, %arg40: tensor<ui32>):
      stablehlo.return %arg40 : tensor<ui32>
    }) : (tensor<6x4xui32>, tensor<3x1xi32>, tensor<3x4xui32>) -> tensor<6x4xui32>
    %12 = "stablehlo.scatter"(%arg36, %arg37, %arg38) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<ui64>, %arg40: tensor<ui64>):
      stablehlo.return %arg40 : tensor<ui64>
    }) : (tensor<6x4xui64>, tensor<3x1xi32>, tensor<3x4xui64>) -> tensor<6x4xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<6x4xi1>, tensor<6x4xi2>, tensor<6x4xi4>, tensor<6x4xi8>, tensor<6x4xi16>, tensor<6x4xi32>, tensor<6x4xi64>, tensor<6x4xui2>, tensor<6x4xui4>, tensor<6x4xui8>, tensor<6x4xui16>, tensor<6x4xui32>, tensor<6x4xui64>
  }
}
