module {
  func.func public @main(%arg0: tensor<8192xf32>, %arg1: tensor<8192xi32>, %arg2: tensor<i32>) -> (tensor<8192xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %c, %iterArg_1 = %arg2, %iterArg_2 = %arg0) : tensor<8192xi32>, tensor<i32>, tensor<i32>, tensor<8192xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg_0, %iterArg_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg_0, %c_3 : tensor<i32>
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_0, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.convert %iterArg_0 : tensor<i32>
      %c_5 = stablehlo.constant dense<8192> : tensor<i32>
      %4 = stablehlo.add %3, %c_5 : tensor<i32>
      %5 = stablehlo.select %2, %4, %iterArg_0 : tensor<i1>, tensor<i32>
      %6 = stablehlo.dynamic_slice %iterArg_2, %5, sizes = [1] : (tensor<8192xf32>, tensor<i32>) -> tensor<1xf32>
      %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
      %c_6 = stablehlo.constant dense<0> : tensor<i32>
      %8 = stablehlo.compare LT, %iterArg_0, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = stablehlo.convert %iterArg_0 : tensor<i32>
      %c_7 = stablehlo.constant dense<8192> : tensor<i32>
      %10 = stablehlo.add %9, %c_7 : tensor<i32>
      %11 = stablehlo.select %8, %10, %iterArg_0 : tensor<i1>, tensor<i32>
      %12 = stablehlo.dynamic_slice %iterArg, %11, sizes = [1] : (tensor<8192xi32>, tensor<i32>) -> tensor<1xi32>
      %13 = stablehlo.reshape %12 : (tensor<1xi32>) -> tensor<i32>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %14 = stablehlo.compare LT, %13, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_9 = stablehlo.constant dense<8192> : tensor<i32>
      %15 = stablehlo.add %13, %c_9 : tensor<i32>
      %16 = stablehlo.select %14, %15, %13 : tensor<i1>, tensor<i32>
      %17 = stablehlo.dynamic_slice %iterArg_2, %16, sizes = [1] : (tensor<8192xf32>, tensor<i32>) -> tensor<1xf32>
      %18 = stablehlo.reshape %17 : (tensor<1xf32>) -> tensor<f32>
      %c_10 = stablehlo.constant dense<0> : tensor<i32>
      %19 = stablehlo.compare LT, %iterArg_0, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_11 = stablehlo.constant dense<8192> : tensor<i32>
      %20 = stablehlo.add %iterArg_0, %c_11 : tensor<i32>
      %21 = stablehlo.select %19, %20, %iterArg_0 : tensor<i1>, tensor<i32>
      %22 = stablehlo.convert %21 : tensor<i32>
      %23 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %24 = "stablehlo.scatter"(%iterArg_2, %23, %18) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        stablehlo.return %arg4 : tensor<f32>
      }) : (tensor<8192xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8192xf32>
      %c_12 = stablehlo.constant dense<0> : tensor<i32>
      %25 = stablehlo.compare LT, %iterArg_0, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %26 = stablehlo.convert %iterArg_0 : tensor<i32>
      %c_13 = stablehlo.constant dense<8192> : tensor<i32>
      %27 = stablehlo.add %26, %c_13 : tensor<i32>
      %28 = stablehlo.select %25, %27, %iterArg_0 : tensor<i1>, tensor<i32>
      %29 = stablehlo.dynamic_slice %iterArg, %28, sizes = [1] : (tensor<8192xi32>, tensor<i32>) -> tensor<1xi32>
      %30 = stablehlo.reshape %29 : (tensor<1xi32>) -> tensor<i32>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %31 = stablehlo.compare LT, %30, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_15 = stablehlo.constant dense<8192> : tensor<i32>
      %32 = stablehlo.add %30, %c_15 : tensor<i32>
      %33 = stablehlo.select %31, %32, %30 : tensor<i1>, tensor<i32>
      %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %35 = "stablehlo.scatter"(%24, %34, %7) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        stablehlo.return %arg4 : tensor<f32>
      }) : (tensor<8192xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8192xf32>
      stablehlo.return %iterArg, %1, %iterArg_1, %35 : tensor<8192xi32>, tensor<i32>, tensor<i32>, tensor<8192xf32>
    }
    return %0#3 : tensor<8192xf32>
  }
}
