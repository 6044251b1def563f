module {
  func.func public @main(%arg0: tensor<8192xf32>, %arg1: tensor<8192xi32>, %arg2: tensor<i32>) -> (tensor<8192xf32> {jax.result_info = "result[0]"}, tensor<8192xf32> {jax.result_info = "result[1]"}, tensor<8192xf32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:5 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0, %iterArg_3 = %arg0, %iterArg_4 = %arg0) : tensor<i32>, tensor<i32>, tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>
    cond {
      %c_5 = stablehlo.constant dense<11> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:4 = func.call @closed_call(%iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4) : (tensor<i32>, tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>) -> (tensor<i32>, tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>)
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_5 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1, %1#2, %1#3 : tensor<i32>, tensor<i32>, tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>
    }
    return %0#2, %0#3, %0#4 : tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<8192xf32>, %arg2: tensor<8192xf32>, %arg3: tensor<8192xf32>) -> (tensor<i32>, tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<8192> : tensor<i32>
    %2 = stablehlo.add %arg0, %c_1 : tensor<i32>
    %3 = stablehlo.select %1, %2, %arg0 : tensor<i1>, tensor<i32>
    %4 = stablehlo.convert %3 : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = "stablehlo.scatter"(%arg1, %5, %cst) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %7 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }) : (tensor<8192xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8192xf32>
    return %0, %arg2, %arg3, %6 : tensor<i32>, tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>
  }
}
