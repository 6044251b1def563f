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
      %3 = stablehlo.convert %iterArg : tensor<i32>
      %c_5 = stablehlo.constant dense<8192> : tensor<i32>
      %4 = stablehlo.add %3, %c_5 : tensor<i32>
      %5 = stablehlo.select %2, %4, %iterArg : tensor<i1>, tensor<i32>
      %6 = stablehlo.dynamic_slice %iterArg_1, %5, sizes = [1] : (tensor<8192xf32>, tensor<i32>) -> tensor<1xf32>
      %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
      %c_6 = stablehlo.constant dense<0> : tensor<i32>
      %8 = stablehlo.compare LT, %iterArg, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = stablehlo.convert %iterArg : tensor<i32>
      %c_7 = stablehlo.constant dense<8192> : tensor<i32>
      %10 = stablehlo.add %9, %c_7 : tensor<i32>
      %11 = stablehlo.select %8, %10, %iterArg : tensor<i1>, tensor<i32>
      %12 = stablehlo.dynamic_slice %iterArg_2, %11, sizes = [1] : (tensor<8192xf32>, tensor<i32>) -> tensor<1xf32>
      %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %14 = stablehlo.add %13, %cst : tensor<f32>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %15 = stablehlo.compare LT, %iterArg, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_9 = stablehlo.constant dense<8192> : tensor<i32>
      %16 = stablehlo.add %iterArg, %c_9 : tensor<i32>
      %17 = stablehlo.select %15, %16, %iterArg : tensor<i1>, tensor<i32>
      %18 = stablehlo.convert %17 : tensor<i32>
      %19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %20 = "stablehlo.scatter"(%iterArg_1, %19, %14) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        stablehlo.return %arg4 : tensor<f32>
      }) : (tensor<8192xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8192xf32>
      %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %21 = stablehlo.multiply %7, %cst_10 : tensor<f32>
      %c_11 = stablehlo.constant dense<0> : tensor<i32>
      %22 = stablehlo.compare LT, %iterArg, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_12 = stablehlo.constant dense<8192> : tensor<i32>
      %23 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      %24 = stablehlo.select %22, %23, %iterArg : tensor<i1>, tensor<i32>
      %25 = stablehlo.convert %24 : tensor<i32>
      %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %27 = "stablehlo.scatter"(%iterArg_2, %26, %21) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        stablehlo.return %arg4 : tensor<f32>
      }) : (tensor<8192xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8192xf32>
      stablehlo.return %1, %iterArg_0, %20, %27 : tensor<i32>, tensor<i32>, tensor<8192xf32>, tensor<8192xf32>
    }
    return %0#2, %0#3 : tensor<8192xf32>, tensor<8192xf32>
  }
}
