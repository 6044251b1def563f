module @jit_early_stop attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>, %arg1: tensor<i32>) -> (tensor<5xf32> {jax.result_info = "result[0][0]"}, tensor<5xf32> {jax.result_info = "result[0][1]"}, tensor<5xf32> {jax.result_info = "result[0][2]"}, tensor<i32> {jax.result_info = "result[0][3]"}, tensor<9x5xf32> {jax.result_info = "result[0][4]"}, tensor<7xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<5xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %3 = stablehlo.add %arg0, %2 : tensor<5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<9x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:8 = stablehlo.while(%iterArg = %arg1, %iterArg_4 = %c_3, %iterArg_5 = %arg0, %iterArg_6 = %1, %iterArg_7 = %3, %iterArg_8 = %c, %iterArg_9 = %4, %iterArg_10 = %5) : tensor<i32>, tensor<i32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>, tensor<7xf32>
    cond {
      %c_11 = stablehlo.constant dense<7> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg_4, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:6 = func.call @closed_call(%iterArg, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9) : (tensor<i32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>, tensor<f32>)
      %8 = func.call @dynamic_update_index_in_dim(%iterArg_10, %7#5, %iterArg_4) : (tensor<7xf32>, tensor<f32>, tensor<i32>) -> tensor<7xf32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg_4, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %9, %7#0, %7#1, %7#2, %7#3, %7#4, %8 : tensor<i32>, tensor<i32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>, tensor<7xf32>
    }
    return %6#2, %6#3, %6#4, %6#5, %6#6, %6#7 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>, tensor<7xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<5xf32>, %arg2: tensor<5xf32>, %arg3: tensor<5xf32>, %arg4: tensor<i32>, %arg5: tensor<9x5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>, tensor<f32>) {
    %0 = stablehlo.compare LT, %arg4, %arg0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.convert %0 : (tensor<i1>) -> tensor<i32>
    %2:5 = "stablehlo.case"(%1) ({
      stablehlo.return %arg1, %arg2, %arg3, %arg4, %arg5 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>
    }, {
      %c = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.subtract %arg0, %c : tensor<i32>
      %5 = stablehlo.compare LT, %arg4, %4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.convert %5 : (tensor<i1>) -> tensor<i32>
      %7:5 = "stablehlo.case"(%6) ({
        stablehlo.return %arg1, %arg2, %arg3, %arg4, %arg5 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>
      }, {
        %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %8 = stablehlo.reduce(%arg1 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
        %cst_1 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
        %9 = stablehlo.compare GT, %8, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %10 = stablehlo.convert %9 : (tensor<i1>) -> tensor<i32>
        %11:5 = "stablehlo.case"(%10) ({
          %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
          %12 = stablehlo.reduce(%arg2 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
          %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<5xf32>
          %14 = stablehlo.add %arg1, %13 : tensor<5xf32>
          %c_3 = stablehlo.constant dense<2> : tensor<i32>
          %15 = stablehlo.compare GT, %arg4, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          %16 = stablehlo.convert %15 : (tensor<i1>) -> tensor<i32>
          %17 = "stablehlo.case"(%16) ({
            %19 = stablehlo.sine %arg3 : tensor<5xf32>
            %20 = stablehlo.add %19, %arg1 : tensor<5xf32>
            stablehlo.return %20 : tensor<5xf32>
          }, {
            stablehlo.return %arg3 : tensor<5xf32>
          }) : (tensor<i32>) -> tensor<5xf32>
          %c_4 = stablehlo.constant dense<1> : tensor<i32>
          %18 = stablehlo.add %arg4, %c_4 : tensor<i32>
          stablehlo.return %14, %arg2, %17, %18, %arg5 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>
        }, {
          %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
          %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5xf32>
          %13 = stablehlo.multiply %arg3, %12 : tensor<5xf32>
          %c_3 = stablehlo.constant dense<1> : tensor<i32>
          %14 = stablehlo.add %arg4, %c_3 : tensor<i32>
          %c_4 = stablehlo.constant dense<0> : tensor<i32>
          %15 = stablehlo.compare LT, %arg4, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          %c_5 = stablehlo.constant dense<9> : tensor<i32>
          %16 = stablehlo.add %arg4, %c_5 : tensor<i32>
          %17 = stablehlo.select %15, %16, %arg4 : tensor<i1>, tensor<i32>
          %18 = stablehlo.convert %17 : tensor<i32>
          %19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<i32>) -> tensor<1xi32>
          %20 = "stablehlo.scatter"(%arg5, %19, %arg3) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
          ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
            stablehlo.return %arg7 : tensor<f32>
          }) : (tensor<9x5xf32>, tensor<1xi32>, tensor<5xf32>) -> tensor<9x5xf32>
          stablehlo.return %arg2, %arg1, %13, %14, %20 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>
        }) : (tensor<i32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>)
        stablehlo.return %11#0, %11#1, %11#2, %11#3, %11#4 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>
      }) : (tensor<i32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>)
      stablehlo.return %7#0, %7#1, %7#2, %7#3, %7#4 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>
    }) : (tensor<i32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%arg3 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    return %2#0, %2#1, %2#2, %2#3, %2#4, %3 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<i32>, tensor<9x5xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<7xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<7xf32>, tensor<1xf32>, tensor<i32>) -> tensor<7xf32>
    return %1 : tensor<7xf32>
  }
}
