module @jit_cond_two attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8192xf32>, %arg1: tensor<8192xf32>) -> (tensor<8192xf32> {jax.result_info = "result[0]"}, tensor<8192xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0, %iterArg_3 = %arg1) : tensor<i32>, tensor<i32>, tensor<8192xf32>, tensor<8192xf32>
    cond {
      %c_4 = stablehlo.constant dense<11> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:3 = func.call @closed_call(%iterArg_1, %iterArg_2, %iterArg_3) : (tensor<i32>, tensor<8192xf32>, tensor<8192xf32>) -> (tensor<i32>, tensor<8192xf32>, tensor<8192xf32>)
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_4 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1, %1#2 : tensor<i32>, tensor<i32>, tensor<8192xf32>, tensor<8192xf32>
    }
    return %0#2, %0#3 : tensor<8192xf32>, tensor<8192xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<8192xf32>, %arg2: tensor<8192xf32>) -> (tensor<i32>, tensor<8192xf32>, tensor<8192xf32>) {
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
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %arg0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = stablehlo.convert %arg0 : tensor<i32>
    %c_3 = stablehlo.constant dense<8192> : tensor<i32>
    %9 = stablehlo.add %8, %c_3 : tensor<i32>
    %10 = stablehlo.select %7, %9, %arg0 : tensor<i1>, tensor<i32>
    %11 = stablehlo.dynamic_slice %arg2, %10, sizes = [1] : (tensor<8192xf32>, tensor<i32>) -> tensor<1xf32>
    %12 = stablehlo.reshape %11 : (tensor<1xf32>) -> tensor<f32>
    %13 = stablehlo.compare GT, %6, %12, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %14 = stablehlo.convert %13 : (tensor<i1>) -> tensor<i32>
    %15:2 = "stablehlo.case"(%14) ({
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %16 = stablehlo.compare LT, %arg0, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_5 = stablehlo.constant dense<8192> : tensor<i32>
      %17 = stablehlo.add %arg0, %c_5 : tensor<i32>
      %18 = stablehlo.select %16, %17, %arg0 : tensor<i1>, tensor<i32>
      %19 = stablehlo.convert %18 : tensor<i32>
      %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %21 = "stablehlo.scatter"(%arg2, %20, %cst) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        %22 = stablehlo.add %arg3, %arg4 : tensor<f32>
        stablehlo.return %22 : tensor<f32>
      }) : (tensor<8192xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8192xf32>
      stablehlo.return %arg1, %21 : tensor<8192xf32>, tensor<8192xf32>
    }, {
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %16 = stablehlo.compare LT, %arg0, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %17 = stablehlo.convert %arg0 : tensor<i32>
      %c_5 = stablehlo.constant dense<8192> : tensor<i32>
      %18 = stablehlo.add %17, %c_5 : tensor<i32>
      %19 = stablehlo.select %16, %18, %arg0 : tensor<i1>, tensor<i32>
      %20 = stablehlo.dynamic_slice %arg2, %19, sizes = [1] : (tensor<8192xf32>, tensor<i32>) -> tensor<1xf32>
      %21 = stablehlo.reshape %20 : (tensor<1xf32>) -> tensor<f32>
      %c_6 = stablehlo.constant dense<0> : tensor<i32>
      %22 = stablehlo.compare LT, %arg0, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_7 = stablehlo.constant dense<8192> : tensor<i32>
      %23 = stablehlo.add %arg0, %c_7 : tensor<i32>
      %24 = stablehlo.select %22, %23, %arg0 : tensor<i1>, tensor<i32>
      %25 = stablehlo.convert %24 : tensor<i32>
      %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %27 = "stablehlo.scatter"(%arg1, %26, %21) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        stablehlo.return %arg4 : tensor<f32>
      }) : (tensor<8192xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8192xf32>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %28 = stablehlo.compare LT, %arg0, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %29 = stablehlo.convert %arg0 : tensor<i32>
      %c_9 = stablehlo.constant dense<8192> : tensor<i32>
      %30 = stablehlo.add %29, %c_9 : tensor<i32>
      %31 = stablehlo.select %28, %30, %arg0 : tensor<i1>, tensor<i32>
      %32 = stablehlo.dynamic_slice %arg1, %31, sizes = [1] : (tensor<8192xf32>, tensor<i32>) -> tensor<1xf32>
      %33 = stablehlo.reshape %32 : (tensor<1xf32>) -> tensor<f32>
      %c_10 = stablehlo.constant dense<0> : tensor<i32>
      %34 = stablehlo.compare LT, %arg0, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_11 = stablehlo.constant dense<8192> : tensor<i32>
      %35 = stablehlo.add %arg0, %c_11 : tensor<i32>
      %36 = stablehlo.select %34, %35, %arg0 : tensor<i1>, tensor<i32>
      %37 = stablehlo.convert %36 : tensor<i32>
      %38 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %39 = "stablehlo.scatter"(%arg2, %38, %33) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        stablehlo.return %arg4 : tensor<f32>
      }) : (tensor<8192xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8192xf32>
      stablehlo.return %27, %39 : tensor<8192xf32>, tensor<8192xf32>
    }) : (tensor<i32>) -> (tensor<8192xf32>, tensor<8192xf32>)
    return %0, %15#0, %15#1 : tensor<i32>, tensor<8192xf32>, tensor<8192xf32>
  }
}
