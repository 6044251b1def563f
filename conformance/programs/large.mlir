module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024x256xf32>) -> (tensor<1024x256xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.tanh %arg0 : tensor<1024x256xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1024x256xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<1024x256xf32>
    %3 = stablehlo.exponential %2 : tensor<1024x256xf32>
    return %3 : tensor<1024x256xf32>
  }
}
