module @jit_insertion attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8192xf32>) -> (tensor<8192xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0) : tensor<i32>, tensor<i32>, tensor<8192xf32>
    cond {
      %c_3 = stablehlo.constant dense<10> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg_1, %iterArg_2) : (tensor<i32>, tensor<8192xf32>) -> (tensor<i32>, tensor<8192xf32>)
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1 : tensor<i32>, tensor<i32>, tensor<8192xf32>
    }
    return %0#2 : tensor<8192xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<8192xf32>) -> (tensor<i32>, tensor<8192xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.convert %arg0 : tensor<i32>
    %c_1 = stablehlo.constant dense<8192> : tensor<i32>
    %3 = stablehlo.add %2, %c_1 : tensor<i32>
    %4 = stablehlo.select %1, %3, %arg0 : tensor<i1>, tensor<i32>
    %5 = stablehlo.dynamic_slice %arg1, %4, sizes = [1] : (tensor<8192xf32>, tensor<i32>) -> tensor<1xf32>
    %6 = stablehlo.reshape %5 : (tensor<1xf32>) -> tensor<f32>
    %7:3 = stablehlo.while(%iterArg = %6, %iterArg_4 = %arg1, %iterArg_5 = %arg0) : tensor<f32>, tensor<8192xf32>, tensor<i32>
    cond {
      %c_6 = stablehlo.constant dense<0> : tensor<i32>
      %14 = stablehlo.compare GT, %iterArg_5, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.subtract %iterArg_5, %c_7 : tensor<i32>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %16 = stablehlo.maximum %15, %c_8 : tensor<i32>
      %c_9 = stablehlo.constant dense<0> : tensor<i32>
      %17 = stablehlo.compare LT, %16, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %18 = stablehlo.convert %16 : tensor<i32>
      %c_10 = stablehlo.constant dense<8192> : tensor<i32>
      %19 = stablehlo.add %18, %c_10 : tensor<i32>
      %20 = stablehlo.select %17, %19, %16 : tensor<i1>, tensor<i32>
      %21 = stablehlo.dynamic_slice %iterArg_4, %20, sizes = [1] : (tensor<8192xf32>, tensor<i32>) -> tensor<1xf32>
      %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
      %23 = stablehlo.compare GT, %22, %iterArg, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_11 = stablehlo.constant dense<false> : tensor<i1>
      %24 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i1>) -> tensor<i1>
      %25 = stablehlo.compare NE, %14, %24, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %26 = stablehlo.convert %25 : tensor<i1>
      %27 = stablehlo.and %26, %23 : tensor<i1>
      stablehlo.return %27 : tensor<i1>
    } do {
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %14 = stablehlo.subtract %iterArg_5, %c_6 : tensor<i32>
      %c_7 = stablehlo.constant dense<0> : tensor<i32>
      %15 = stablehlo.compare LT, %14, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %16 = stablehlo.convert %14 : tensor<i32>
      %c_8 = stablehlo.constant dense<8192> : tensor<i32>
      %17 = stablehlo.add %16, %c_8 : tensor<i32>
      %18 = stablehlo.select %15, %17, %14 : tensor<i1>, tensor<i32>
      %19 = stablehlo.dynamic_slice %iterArg_4, %18, sizes = [1] : (tensor<8192xf32>, tensor<i32>) -> tensor<1xf32>
      %20 = stablehlo.reshape %19 : (tensor<1xf32>) -> tensor<f32>
      %c_9 = stablehlo.constant dense<0> : tensor<i32>
      %21 = stablehlo.compare LT, %iterArg_5, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_10 = stablehlo.constant dense<8192> : tensor<i32>
      %22 = stablehlo.add %iterArg_5, %c_10 : tensor<i32>
      %23 = stablehlo.select %21, %22, %iterArg_5 : tensor<i1>, tensor<i32>
      %24 = stablehlo.convert %23 : tensor<i32>
      %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %26 = "stablehlo.scatter"(%iterArg_4, %25, %20) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        stablehlo.return %arg3 : tensor<f32>
      }) : (tensor<8192xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8192xf32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %27 = stablehlo.subtract %iterArg_5, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %26, %27 : tensor<f32>, tensor<8192xf32>, tensor<i32>
    }
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %7#2, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<8192> : tensor<i32>
    %9 = stablehlo.add %7#2, %c_3 : tensor<i32>
    %10 = stablehlo.select %8, %9, %7#2 : tensor<i1>, tensor<i32>
    %11 = stablehlo.convert %10 : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %13 = "stablehlo.scatter"(%7#1, %12, %6) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<8192xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8192xf32>
    return %0, %13 : tensor<i32>, tensor<8192xf32>
  }
}
