module @reductions_scatter_form_two_arrays {
  func.func public @main(%arg0: tensor<5xf32>, %arg1: tensor<5xi32>, %arg2: tensor<3x1xi32>, %arg3: tensor<3xf32>, %arg4: tensor<3xi32>) -> (tensor<5xf32>, tensor<5xi32>) {
    %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<i32>, %arg7: tensor<f32>, %arg8: tensor<i32>):
      %1 = stablehlo.add %arg5, %arg7 : tensor<f32>
      %2 = stablehlo.maximum %arg6, %arg8 : tensor<i32>
      stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
    }) : (tensor<5xf32>, tensor<5xi32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xi32>) -> (tensor<5xf32>, tensor<5xi32>)
    return %0#0, %0#1 : tensor<5xf32>, tensor<5xi32>
  }
}
