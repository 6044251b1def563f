module @reductions_scatter_add_floats {
  func.func public @main(%arg0: tensor<6x4xbf16>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x4xbf16>, %arg3: tensor<6x4xf16>, %arg4: tensor<3x1xi32>, %arg5: tensor<3x4xf16>, %arg6: tensor<6x4xf32>, %arg7: tensor<3x1xi32>, %arg8: tensor<3x4xf32>, %arg9: tensor<6x4xf64>, %arg10: tensor<3x1xi32>, %arg11: tensor<3x4xf64>, %arg12: tensor<6x4xf8E5M2>, %arg13: tensor<3x1xi32>, %arg14: tensor<3x4xf8E5M2>) -> (tensor<6x4xbf16>, tensor<6x4xf16>, tensor<6x4xf32>, tensor<6x4xf64>, tensor<6x4xf8E5M2>) {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg15: tensor<bf16>, %arg16: tensor<bf16>):
      %5 = stablehlo.add %arg15, %arg16 : tensor<bf16>
      stablehlo.return %5 : tensor<bf16>
    }) : (tensor<6x4xbf16>, tensor<3x1xi32>, tensor<3x4xbf16>) -> tensor<6x4xbf16>
    %1 = "stablehlo.scatter"(%arg3, %arg4, %arg5) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg15: tensor<f16>, %arg16: tensor<f16>):
      %5 = stablehlo.add %arg15, %arg16 : tensor<f16>
      stablehlo.return %5 : tensor<f16>
    }) : (tensor<6x4xf16>, tensor<3x1xi32>, tensor<3x4xf16>) -> tensor<6x4xf16>
    %2 = "stablehlo.scatter"(%arg6, %arg7, %arg8) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %5 = stablehlo.add %arg15, %arg16 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<6x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<6x4xf32>
    %3 = "stablehlo.scatter"(%arg9, %arg10, %arg11) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg15: tensor<f64>, %arg16: tensor<f64>):
      %5 = stablehlo.add %arg15, %arg16 : tensor<f64>
      stablehlo.return %5 : tensor<f64>
    }) : (tensor<6x4xf64>, tensor<3x1xi32>, tensor<3x4xf64>) -> tensor<6x4xf64>
    %4 = "stablehlo.scatter"(%arg12, %arg13, %arg14) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg15: tensor<f8E5M2>, %arg16: tensor<f8E5M2>):
      %5 = stablehlo.add %arg15, %arg16 : tensor<f8E5M2>
      stablehlo.return %5 : tensor<f8E5M2>
    }) : (tensor<6x4xf8E5M2>, tensor<3x1xi32>, tensor<3x4xf8E5M2>) -> tensor<6x4xf8E5M2>
    return %0, %1, %2, %3, %4 : tensor<6x4xbf16>, tensor<6x4xf16>, tensor<6x4xf32>, tensor<6x4xf64>, tensor<6x4xf8E5M2>
  }
}
