module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128x8x64xf32>, %arg1: tensor<128x1x32xf32>, %arg2: tensor<128x1x32xf32>) -> (tensor<2x128x8x64xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:2, 0:128, 0:8, 0:32] : (tensor<2x128x8x64xf32>) -> tensor<2x128x8x32xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<128x1x32xf32>) -> tensor<1x128x1x32xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x128x1x32xf32>) -> tensor<2x128x8x32xf32>
    %3 = stablehlo.multiply %0, %2 : tensor<2x128x8x32xf32>
    %4 = stablehlo.slice %arg0 [0:2, 0:128, 0:8, 32:64] : (tensor<2x128x8x64xf32>) -> tensor<2x128x8x32xf32>
    %5 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2, 3] : (tensor<128x1x32xf32>) -> tensor<1x128x1x32xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x128x1x32xf32>) -> tensor<2x128x8x32xf32>
    %7 = stablehlo.multiply %4, %6 : tensor<2x128x8x32xf32>
    %8 = stablehlo.subtract %3, %7 : tensor<2x128x8x32xf32>
    %9 = stablehlo.slice %arg0 [0:2, 0:128, 0:8, 32:64] : (tensor<2x128x8x64xf32>) -> tensor<2x128x8x32xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<128x1x32xf32>) -> tensor<1x128x1x32xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x128x1x32xf32>) -> tensor<2x128x8x32xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<2x128x8x32xf32>
    %13 = stablehlo.slice %arg0 [0:2, 0:128, 0:8, 0:32] : (tensor<2x128x8x64xf32>) -> tensor<2x128x8x32xf32>
    %14 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2, 3] : (tensor<128x1x32xf32>) -> tensor<1x128x1x32xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<1x128x1x32xf32>) -> tensor<2x128x8x32xf32>
    %16 = stablehlo.multiply %13, %15 : tensor<2x128x8x32xf32>
    %17 = stablehlo.add %12, %16 : tensor<2x128x8x32xf32>
    %18 = stablehlo.concatenate %8, %17, dim = 3 : (tensor<2x128x8x32xf32>, tensor<2x128x8x32xf32>) -> tensor<2x128x8x64xf32>
    return %18 : tensor<2x128x8x64xf32>
  }
}
