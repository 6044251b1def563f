module {
  func.func public @main(%arg0: tensor<8192xf32>, %arg1: tensor<8192xi32>, %arg2: tensor<i32>) -> (tensor<8192xf32> {jax.result_info = "result[0]"}, tensor<8192xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg2, %iterArg_1 = %arg0, %iterArg_2 = %arg0) : tensor<i32>, tensor<i32>, tensor<8192xf32>, tensor<8192xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %iterArg_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_5 = stablehlo.constant dense<8192> : tensor<i32>
      %3 = stablehlo.add %iterArg, %c_5 : tensor<i32>
      %4 = stablehlo.select %2, %3, %iterArg : tensor<i1>, tensor<i32>
      %5 = stablehlo.convert %4 : tensor<i32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %7 = "stablehlo.scatter"(%iterArg_1, %6, %cst) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        stablehlo.return %arg4 : tensor<f32>
      }) : (tensor<8192xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8192xf32>
      stablehlo.return %1, %iterArg_0, %iterArg_2, %7 : tensor<i32>, tensor<i32>, tensor<8192xf32>, tensor<8192xf32>
    }
    return %0#2, %0#3 : tensor<8192xf32>, tensor<8192xf32>
  }
}
