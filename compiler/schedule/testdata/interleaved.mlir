module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1000xf32>, %arg1: tensor<1000xf32>) -> (tensor<2000xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<1000xf32>
    %1 = stablehlo.subtract %arg0, %arg1 : tensor<1000xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<1000xf32>) -> tensor<1000x1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<1000xf32>) -> tensor<1000x1xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<1000x1xf32>, tensor<1000x1xf32>) -> tensor<1000x2xf32>
    %5 = stablehlo.reshape %4 : (tensor<1000x2xf32>) -> tensor<2000xf32>
    return %5 : tensor<2000xf32>
  }
}
