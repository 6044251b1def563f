module @jit_scan_of_training_steps attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x2xf32>, %arg1: tensor<f32>) -> (tensor<2x1xf32> {jax.result_info = "result[0]"}, tensor<6xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg0 [0:8, 0:1] : (tensor<8x2xf32>) -> tensor<8x1xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<8x1xf32>
    %3 = stablehlo.slice %arg0 [0:8, 1:2] : (tensor<8x2xf32>) -> tensor<8x1xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<8x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7:6 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %4, %iterArg_3 = %arg1, %iterArg_4 = %c, %iterArg_5 = %5, %iterArg_6 = %6) : tensor<8x2xf32>, tensor<8x1xf32>, tensor<f32>, tensor<i32>, tensor<2x1xf32>, tensor<6xf32>
    cond {
      %c_7 = stablehlo.constant dense<6> : tensor<i32>
      %8 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %8:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3, %iterArg_5) : (tensor<8x2xf32>, tensor<8x1xf32>, tensor<f32>, tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<f32>)
      %9 = func.call @dynamic_update_index_in_dim(%iterArg_6, %8#1, %iterArg_4) : (tensor<6xf32>, tensor<f32>, tensor<i32>) -> tensor<6xf32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg_4, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %iterArg_3, %10, %8#0, %9 : tensor<8x2xf32>, tensor<8x1xf32>, tensor<f32>, tensor<i32>, tensor<2x1xf32>, tensor<6xf32>
    }
    return %7#4, %7#5 : tensor<2x1xf32>, tensor<6xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x2xf32>, %arg1: tensor<8x1xf32>, %arg2: tensor<f32>, %arg3: tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x1xf32>) -> tensor<8x1xf32>
    %1 = stablehlo.subtract %0, %arg1 : tensor<8x1xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<8x1xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %4 = stablehlo.multiply %3, %1 : tensor<8x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %6 = stablehlo.divide %5, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %7 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %9 = stablehlo.multiply %8, %4 : tensor<8x1xf32>
    %10 = stablehlo.dot_general %9, %arg0, contracting_dims = [0] x [0] : (tensor<8x1xf32>, tensor<8x2xf32>) -> tensor<1x2xf32>
    %11 = stablehlo.transpose %10, dims = [1, 0] : (tensor<1x2xf32>) -> tensor<2x1xf32>
    %12 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<2x1xf32>
    %14 = stablehlo.subtract %arg3, %13 : tensor<2x1xf32>
    return %14, %6 : tensor<2x1xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<6xf32>, tensor<1xf32>, tensor<i32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
}
