module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<200x300xf32>) -> (tensor<101x151xf32> {jax.result_info = "result"}) {
    %0 = call @_pad(%arg0) : (tensor<200x300xf32>) -> tensor<202x302xf32>
    %1 = stablehlo.slice %0 [0:202:2, 0:302:2] : (tensor<202x302xf32>) -> tensor<101x151xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<101x151xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<101x151xf32>
    return %3 : tensor<101x151xf32>
  }
  func.func private @_pad(%arg0: tensor<200x300xf32>) -> tensor<202x302xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:300] : (tensor<200x300xf32>) -> tensor<1x300xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<1x300xf32>) -> tensor<1x1x300xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x1x300xf32>) -> tensor<1x300xf32>
    %3 = stablehlo.slice %arg0 [199:200, 0:300] : (tensor<200x300xf32>) -> tensor<1x300xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<1x300xf32>) -> tensor<1x1x300xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x1x300xf32>) -> tensor<1x300xf32>
    %6 = stablehlo.concatenate %2, %arg0, %5, dim = 0 : (tensor<1x300xf32>, tensor<200x300xf32>, tensor<1x300xf32>) -> tensor<202x300xf32>
    %7 = stablehlo.slice %6 [0:202, 0:1] : (tensor<202x300xf32>) -> tensor<202x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<202x1xf32>) -> tensor<202x1x1xf32>
    %9 = stablehlo.reshape %8 : (tensor<202x1x1xf32>) -> tensor<202x1xf32>
    %10 = stablehlo.slice %6 [0:202, 299:300] : (tensor<202x300xf32>) -> tensor<202x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<202x1xf32>) -> tensor<202x1x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<202x1x1xf32>) -> tensor<202x1xf32>
    %13 = stablehlo.concatenate %9, %6, %12, dim = 1 : (tensor<202x1xf32>, tensor<202x300xf32>, tensor<202x1xf32>) -> tensor<202x302xf32>
    return %13 : tensor<202x302xf32>
  }
}
