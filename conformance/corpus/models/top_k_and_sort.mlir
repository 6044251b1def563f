module @jit_top_k_and_sort attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x16xf32>) -> (tensor<5x3xf32> {jax.result_info = "result[0]"}, tensor<5x3xi32> {jax.result_info = "result[1]"}, tensor<5x16xf32> {jax.result_info = "result[2]"}, tensor<5x16xi32> {jax.result_info = "result[3]"}, tensor<5x16xf32> {jax.result_info = "result[4]"}) {
    %0:2 = stablehlo.composite "chlo.top_k" %arg0 {composite_attributes = {k = 3 : i64}, decomposition = @chlo.top_k.impl, version = 1 : i32} : (tensor<5x16xf32>) -> (tensor<5x3xf32>, tensor<5x3xi32>)
    %1 = call @sort(%arg0) : (tensor<5x16xf32>) -> tensor<5x16xf32>
    %2 = call @argsort(%arg0) : (tensor<5x16xf32>) -> tensor<5x16xi32>
    %3 = call @cumsum(%arg0) : (tensor<5x16xf32>) -> tensor<5x16xf32>
    return %0#0, %0#1, %1, %2, %3 : tensor<5x3xf32>, tensor<5x3xi32>, tensor<5x16xf32>, tensor<5x16xi32>, tensor<5x16xf32>
  }
  func.func private @chlo.top_k.impl(%arg0: tensor<5x16xf32>) -> (tensor<5x3xf32>, tensor<5x3xi32>) {
    %0 = stablehlo.iota dim = 1 : tensor<5x16xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %4 = stablehlo.compare GT, %arg1, %arg2, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<5x16xf32>, tensor<5x16xi32>) -> (tensor<5x16xf32>, tensor<5x16xi32>)
    %2 = stablehlo.slice %1#0 [0:5, 0:3] : (tensor<5x16xf32>) -> tensor<5x3xf32>
    %3 = stablehlo.slice %1#1 [0:5, 0:3] : (tensor<5x16xi32>) -> tensor<5x3xi32>
    return %2, %3 : tensor<5x3xf32>, tensor<5x3xi32>
  }
  func.func private @sort(%arg0: tensor<5x16xf32>) -> tensor<5x16xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.compare EQ, %arg1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.select %3, %cst, %2 : tensor<i1>, tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %cst_0, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %cst, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<5x16xf32>) -> tensor<5x16xf32>
    return %0 : tensor<5x16xf32>
  }
  func.func private @argsort(%arg0: tensor<5x16xf32>) -> tensor<5x16xi32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.iota dim = 0 : tensor<5x16xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare EQ, %arg1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.select %4, %cst, %3 : tensor<i1>, tensor<f32>
      %6 = stablehlo.compare EQ, %arg2, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.select %6, %cst_0, %arg2 : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %9 = stablehlo.select %8, %cst, %7 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<5x16xf32>, tensor<5x16xi32>) -> (tensor<5x16xf32>, tensor<5x16xi32>)
    return %1#1 : tensor<5x16xi32>
  }
  func.func private @cumsum(%arg0: tensor<5x16xf32>) -> tensor<5x16xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<5x16xf32>) -> tensor<5x16xf32>
    return %0 : tensor<5x16xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<5x16xf32>) -> tensor<5x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{padding = dense<[[0, 0], [15, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 16>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<5x16xf32>, tensor<f32>) -> tensor<5x16xf32>
    return %1 : tensor<5x16xf32>
  }
}
