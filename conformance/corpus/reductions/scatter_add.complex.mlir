module @reductions_scatter_add_complex {
  func.func public @main(%arg0: tensor<6x4xcomplex<f32>>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x4xcomplex<f32>>, %arg3: tensor<6x4xcomplex<f64>>, %arg4: tensor<3x1xi32>, %arg5: tensor<3x4xcomplex<f64>>) -> (tensor<6x4xcomplex<f32>>, tensor<6x4xcomplex<f64>>) {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<complex<f32>>, %arg7: tensor<complex<f32>>):
      %2 = stablehlo.add %arg6, %arg7 : tensor<complex<f32>>
      stablehlo.return %2 : tensor<complex<f32>>
    }) : (tensor<6x4xcomplex<f32>>, tensor<3x1xi32>, tensor<3x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
    %1 = "stablehlo.scatter"(%arg3, %arg4, %arg5) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<complex<f64>>, %arg7: tensor<complex<f64>>):
      %2 = stablehlo.add %arg6, %arg7 : tensor<complex<f64>>
      stablehlo.return %2 : tensor<complex<f64>>
    }) : (tensor<6x4xcomplex<f64>>, tensor<3x1xi32>, tensor<3x4xcomplex<f64>>) -> tensor<6x4xcomplex<f64>>
    return %0, %1 : tensor<6x4xcomplex<f32>>, tensor<6x4xcomplex<f64>>
  }
}
