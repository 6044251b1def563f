module @jit_attention_gradients attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x24xf32>, %arg2: tensor<8x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<8x24xf32> {jax.result_info = "result[1][0]"}, tensor<8x8xf32> {jax.result_info = "result[1][1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0] : (tensor<2x5x8xf32>, tensor<8x24xf32>) -> tensor<2x5x24xf32>
    %1 = stablehlo.slice %0 [0:2, 0:5, 0:8] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %2 = stablehlo.slice %0 [0:2, 0:5, 8:16] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %3 = stablehlo.slice %0 [0:2, 0:5, 16:24] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %4 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<2x5x8xf32>) -> tensor<2x8x5xf32>
    %5 = stablehlo.dot_general %1, %4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x5x8xf32>, tensor<2x8x5xf32>) -> tensor<2x5x5xf32>
    %cst = stablehlo.constant dense<2.82842708> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x5xf32>
    %7 = stablehlo.divide %5, %6 : tensor<2x5x5xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x5xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x5x5xf32>
    %14 = stablehlo.exponential %13 : tensor<2x5x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x5x5xf32>
    %19 = stablehlo.multiply %16, %16 : tensor<2x5x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x5x1xf32>
    %21 = stablehlo.divide %20, %19 : tensor<2x5x1xf32>
    %22 = stablehlo.dot_general %18, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x5x5xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %23 = stablehlo.dot_general %22, %arg2, contracting_dims = [2] x [0] : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %24 = stablehlo.multiply %23, %23 : tensor<2x5x8xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %26 = stablehlo.multiply %25, %23 : tensor<2x5x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%24 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x5x8xf32>
    %29 = stablehlo.multiply %28, %26 : tensor<2x5x8xf32>
    %30 = stablehlo.dot_general %29, %22, contracting_dims = [0, 1] x [0, 1] : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<8x8xf32>
    %31 = stablehlo.transpose %30, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %32 = stablehlo.dot_general %29, %arg2, contracting_dims = [2] x [1] : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %33 = stablehlo.dot_general %32, %18, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x5x8xf32>, tensor<2x5x5xf32>) -> tensor<2x8x5xf32>
    %34 = stablehlo.transpose %33, dims = [0, 2, 1] : (tensor<2x8x5xf32>) -> tensor<2x5x8xf32>
    %35 = stablehlo.dot_general %32, %3, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x5xf32>
    %36 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<2x5x5xf32>
    %38 = stablehlo.multiply %37, %14 : tensor<2x5x5xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %40 = stablehlo.reshape %39 : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %41 = stablehlo.negate %40 : tensor<2x5x1xf32>
    %42 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %43 = stablehlo.divide %35, %42 : tensor<2x5x5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%41 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x5xf32>
    %46 = stablehlo.add %43, %45 : tensor<2x5x5xf32>
    %47 = stablehlo.multiply %46, %14 : tensor<2x5x5xf32>
    %cst_9 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x5x5xf32>
    %49 = stablehlo.divide %47, %48 : tensor<2x5x5xf32>
    %50 = stablehlo.dot_general %49, %1, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x5x5xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %51 = stablehlo.transpose %50, dims = [0, 2, 1] : (tensor<2x5x8xf32>) -> tensor<2x8x5xf32>
    %52 = stablehlo.dot_general %49, %4, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x5x5xf32>, tensor<2x8x5xf32>) -> tensor<2x5x8xf32>
    %53 = stablehlo.transpose %51, dims = [0, 2, 1] : (tensor<2x8x5xf32>) -> tensor<2x5x8xf32>
    %54 = stablehlo.concatenate %52, %53, %34, dim = 2 : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x24xf32>
    %55 = stablehlo.dot_general %54, %arg0, contracting_dims = [0, 1] x [0, 1] : (tensor<2x5x24xf32>, tensor<2x5x8xf32>) -> tensor<24x8xf32>
    %56 = stablehlo.transpose %55, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
    return %27, %56, %31 : tensor<f32>, tensor<8x24xf32>, tensor<8x8xf32>
  }
}
