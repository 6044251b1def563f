module @reductions_scatter_set_floats {
  func.func public @main(%arg0: tensor<6x4xbf16>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x4xbf16>, %arg3: tensor<6x4xf16>, %arg4: tensor<3x1xi32>, %arg5: tensor<3x4xf16>, %arg6: tensor<6x4xf32>, %arg7: tensor<3x1xi32>, %arg8: tensor<3x4xf32>, %arg9: tensor<6x4xf64>, %arg10: tensor<3x1xi32>, %arg11: tensor<3x4xf64>, %arg12: tensor<6x4xf8E3M4>, %arg13: tensor<3x1xi32>, %arg14: tensor<3x4xf8E3M4>, %arg15: tensor<6x4xf8E4M3>, %arg16: tensor<3x1xi32>, %arg17: tensor<3x4xf8E4M3>, %arg18: tensor<6x4xf8E4M3FN>, %arg19: tensor<3x1xi32>, %arg20: tensor<3x4xf8E4M3FN>, %arg21: tensor<6x4xf8E4M3B11FNUZ>, %arg22: tensor<3x1xi32>, %arg23: tensor<3x4xf8E4M3B11FNUZ>, %arg24: tensor<6x4xf8E4M3FNUZ>, %arg25: tensor<3x1xi32>, %arg26: tensor<3x4xf8E4M3FNUZ>, %arg27: tensor<6x4xf8E5M2>, %arg28: tensor<3x1xi32>, %arg29: tensor<3x4xf8E5M2>, %arg30: tensor<6x4xf8E5M2FNUZ>, %arg31: tensor<3x1xi32>, %arg32: tensor<3x4xf8E5M2FNUZ>, %arg33: tensor<6x4xcomplex<f32>>, %arg34: tensor<3x1xi32>, %arg35: tensor<3x4xcomplex<f32>>, %arg36: tensor<6x4xcomplex<f64>>, %arg37: tensor<3x1xi32>, %arg38: tensor<3x4xcomplex<f64>>) -> (tensor<6x4xbf16>, tensor<6x4xf16>, tensor<6x4xf32>, tensor<6x4xf64>, tensor<6x4xf8E3M4>, tensor<6x4xf8E4M3>, tensor<6x4xf8E4M3FN>, tensor<6x4xf8E4M3B11FNUZ>, tensor<6x4xf8E4M3FNUZ>, tensor<6x4xf8E5M2>, tensor<6x4xf8E5M2FNUZ>, tensor<6x4xcomplex<f32>>, tensor<6x4xcomplex<f64>>) {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<bf16>, %arg40: tensor<bf16>):
      stablehlo.return %arg40 : tensor<bf16>
    }) : (tensor<6x4xbf16>, tensor<3x1xi32>, tensor<3x4xbf16>) -> tensor<6x4xbf16>
    %1 = "stablehlo.scatter"(%arg3, %arg4, %arg5) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<f16>, %arg40: tensor<f16>):
      stablehlo.return %arg40 : tensor<f16>
    }) : (tensor<6x4xf16>, tensor<3x1xi32>, tensor<3x4xf16>) -> tensor<6x4xf16>
    %2 = "stablehlo.scatter"(%arg6, %arg7, %arg8) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
      stablehlo.return %arg40 : tensor<f32>
    }) : (tensor<6x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<6x4xf32>
    %3 = "stablehlo.scatter"(%arg9, %arg10, %arg11) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<f64>, %arg40: tensor<f64>):
      stablehlo.return %arg40 : tensor<f64>
    }) : (tensor<6x4xf64>, tensor<3x1xi32>, tensor<3x4xf64>) -> tensor<6x4xf64>
    %4 = "stablehlo.scatter"(%arg12, %arg13, %arg14) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<f8E3M4>, %arg40: tensor<f8E3M4>):
      stablehlo.return %arg40 : tensor<f8E3M4>
    }) : (tensor<6x4xf8E3M4>, tensor<3x1xi32>, tensor<3x4xf8E3M4>) -> tensor<6x4xf8E3M4>
    %5 = "stablehlo.scatter"(%arg15, %arg16, %arg17) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<f8E4M3>, %arg40: tensor<f8E4M3>):
      stablehlo.return %arg40 : tensor<f8E4M3>
    }) : (tensor<6x4xf8E4M3>, tensor<3x1xi32>, tensor<3x4xf8E4M3>) -> tensor<6x4xf8E4M3>
    %6 = "stablehlo.scatter"(%arg18, %arg19, %arg20) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<f8E4M3FN>, %arg40: tensor<f8E4M3FN>):
      stablehlo.return %arg40 : tensor<f8E4M3FN>
    }) : (tensor<6x4xf8E4M3FN>, tensor<3x1xi32>, tensor<3x4xf8E4M3FN>) -> tensor<6x4xf8E4M3FN>
    %7 = "stablehlo.scatter"(%arg21, %arg22, %arg23) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<f8E4M3B11FNUZ>, %arg40: tensor<f8E4M3B11FNUZ>):
      stablehlo.return %arg40 : tensor<f8E4M3B11FNUZ>
    }) : (tensor<6x4xf8E4M3B11FNUZ>, tensor<3x1xi32>, tensor<3x4xf8E4M3B11FNUZ>) -> tensor<6x4xf8E4M3B11FNUZ>
    %8 = "stablehlo.scatter"(%arg24, %arg25, %arg26) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<f8E4M3FNUZ>, %arg40: tensor<f8E4M3FNUZ>):
      stablehlo.return %arg40 : tensor<f8E4M3FNUZ>
    }) : (tensor<6x4xf8E4M3FNUZ>, tensor<3x1xi32>, tensor<3x4xf8E4M3FNUZ>) -> tensor<6x4xf8E4M3FNUZ>
    %9 = "stablehlo.scatter"(%arg27, %arg28, %arg29) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<f8E5M2>, %arg40: tensor<f8E5M2>):
      stablehlo.return %arg40 : tensor<f8E5M2>
    }) : (tensor<6x4xf8E5M2>, tensor<3x1xi32>, tensor<3x4xf8E5M2>) -> tensor<6x4xf8E5M2>
    %10 = "stablehlo.scatter"(%arg30, %arg31, %arg32) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<f8E5M2FNUZ>, %arg40: tensor<f8E5M2FNUZ>):
      stablehlo.return %arg40 : tensor<f8E5M2FNUZ>
    }) : (tensor<6x4xf8E5M2FNUZ>, tensor<3x1xi32>, tensor<3x4xf8E5M2FNUZ>) -> tensor<6x4xf8E5M2FNUZ>
    %11 = "stablehlo.scatter"(%arg33, %arg34, %arg35) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<complex<f32>>, %arg40: tensor<complex<f32>>):
      stablehlo.return %arg40 : tensor<complex<f32>>
    }) : (tensor<6x4xcomplex<f32>>, tensor<3x1xi32>, tensor<3x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
    %12 = "stablehlo.scatter"(%arg36, %arg37, %arg38) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg39: tensor<complex<f64>>, %arg40: tensor<complex<f64>>):
      stablehlo.return %arg40 : tensor<complex<f64>>
    }) : (tensor<6x4xcomplex<f64>>, tensor<3x1xi32>, tensor<3x4xcomplex<f64>>) -> tensor<6x4xcomplex<f64>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<6x4xbf16>, tensor<6x4xf16>, tensor<6x4xf32>, tensor<6x4xf64>, tensor<6x4xf8E3M4>, tensor<6x4xf8E4M3>, tensor<6x4xf8E4M3FN>, tensor<6x4xf8E4M3B11FNUZ>, tensor<6x4xf8E4M3FNUZ>, tensor<6x4xf8E5M2>, tensor<6x4xf8E5M2FNUZ>, tensor<6x4xcomplex<f32>>, tensor<6x4xcomplex<f64>>
  }
}
