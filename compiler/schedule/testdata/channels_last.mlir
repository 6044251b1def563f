module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3x64x64xf32>) -> (tensor<4x64x64x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 3, 1] : (tensor<4x3x64x64xf32>) -> tensor<4x64x64x3xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x64x64x3xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<4x64x64x3xf32>
    return %2 : tensor<4x64x64x3xf32>
  }
}
