module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x256x64xf32>, %arg1: tensor<4x1x64xf32>, %arg2: tensor<i32>) -> (tensor<4x256x64xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x64xf32>
    %1 = stablehlo.multiply %arg1, %0 : tensor<4x1x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<256> : tensor<i32>
    %3 = stablehlo.add %arg2, %c_0 : tensor<i32>
    %4 = stablehlo.select %2, %3, %arg2 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.dynamic_update_slice %arg0, %1, %c_1, %4, %c_2 : (tensor<4x256x64xf32>, tensor<4x1x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x256x64xf32>
    return %5 : tensor<4x256x64xf32>
  }
}
