module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5000x3xf32>, %arg1: tensor<4xf32>) -> (tensor<5000x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:5000, 0:1] : (tensor<5000x3xf32>) -> tensor<5000x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<5000x1xf32>) -> tensor<5000xf32>
    %2 = stablehlo.slice %arg1 [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<5000xf32>
    %5 = stablehlo.multiply %1, %4 : tensor<5000xf32>
    %6 = stablehlo.slice %arg0 [0:5000, 1:2] : (tensor<5000x3xf32>) -> tensor<5000x1xf32>
    %7 = stablehlo.reshape %6 : (tensor<5000x1xf32>) -> tensor<5000xf32>
    %8 = stablehlo.slice %arg1 [1:2] : (tensor<4xf32>) -> tensor<1xf32>
    %9 = stablehlo.reshape %8 : (tensor<1xf32>) -> tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<5000xf32>
    %11 = stablehlo.multiply %7, %10 : tensor<5000xf32>
    %12 = stablehlo.add %5, %11 : tensor<5000xf32>
    %13 = stablehlo.slice %arg0 [0:5000, 0:1] : (tensor<5000x3xf32>) -> tensor<5000x1xf32>
    %14 = stablehlo.reshape %13 : (tensor<5000x1xf32>) -> tensor<5000xf32>
    %15 = stablehlo.slice %arg1 [2:3] : (tensor<4xf32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<5000xf32>
    %18 = stablehlo.multiply %14, %17 : tensor<5000xf32>
    %19 = stablehlo.slice %arg0 [0:5000, 1:2] : (tensor<5000x3xf32>) -> tensor<5000x1xf32>
    %20 = stablehlo.reshape %19 : (tensor<5000x1xf32>) -> tensor<5000xf32>
    %21 = stablehlo.slice %arg1 [3:4] : (tensor<4xf32>) -> tensor<1xf32>
    %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<f32>) -> tensor<5000xf32>
    %24 = stablehlo.multiply %20, %23 : tensor<5000xf32>
    %25 = stablehlo.add %18, %24 : tensor<5000xf32>
    %26 = stablehlo.slice %arg0 [0:5000, 2:3] : (tensor<5000x3xf32>) -> tensor<5000x1xf32>
    %27 = stablehlo.reshape %26 : (tensor<5000x1xf32>) -> tensor<5000xf32>
    %28 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<5000xf32>) -> tensor<5000x1xf32>
    %29 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<5000xf32>) -> tensor<5000x1xf32>
    %30 = stablehlo.broadcast_in_dim %27, dims = [0] : (tensor<5000xf32>) -> tensor<5000x1xf32>
    %31 = stablehlo.concatenate %28, %29, %30, dim = 1 : (tensor<5000x1xf32>, tensor<5000x1xf32>, tensor<5000x1xf32>) -> tensor<5000x3xf32>
    return %31 : tensor<5000x3xf32>
  }
}
