module @jit_cnn_gradients attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x6x2xf32>, %arg1: tensor<3x3x2x3xf32>, %arg2: tensor<27x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x3x2x3xf32> {jax.result_info = "result[1][0]"}, tensor<27x2xf32> {jax.result_info = "result[1][1]"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x6x2xf32>, tensor<3x3x2x3xf32>) -> tensor<2x3x3x3xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<2x3x3x3xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<2x3x3x3xf32>
    %3 = stablehlo.multiply %0, %0 : tensor<2x3x3x3xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<2x3x3x3xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<2x3x3x3xf32>
    %8 = stablehlo.add %0, %7 : tensor<2x3x3x3xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<2x3x3x3xf32>
    %11 = stablehlo.tanh %10 : tensor<2x3x3x3xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %13 = stablehlo.subtract %12, %11 : tensor<2x3x3x3xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %15 = stablehlo.add %14, %11 : tensor<2x3x3x3xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<2x3x3x3xf32>
    %18 = stablehlo.multiply %0, %17 : tensor<2x3x3x3xf32>
    %19 = stablehlo.reshape %18 : (tensor<2x3x3x3xf32>) -> tensor<2x27xf32>
    %20 = stablehlo.dot_general %19, %arg2, contracting_dims = [1] x [0] : (tensor<2x27xf32>, tensor<27x2xf32>) -> tensor<2x2xf32>
    %21 = stablehlo.multiply %20, %20 : tensor<2x2xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %23 = stablehlo.multiply %22, %20 : tensor<2x2xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%21 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %25 = stablehlo.divide %24, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %26 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %28 = stablehlo.multiply %27, %23 : tensor<2x2xf32>
    %29 = stablehlo.dot_general %28, %19, contracting_dims = [0] x [0] : (tensor<2x2xf32>, tensor<2x27xf32>) -> tensor<2x27xf32>
    %30 = stablehlo.transpose %29, dims = [1, 0] : (tensor<2x27xf32>) -> tensor<27x2xf32>
    %31 = stablehlo.dot_general %28, %arg2, contracting_dims = [1] x [1] : (tensor<2x2xf32>, tensor<27x2xf32>) -> tensor<2x27xf32>
    %32 = stablehlo.reshape %31 : (tensor<2x27xf32>) -> tensor<2x3x3x3xf32>
    %33 = stablehlo.multiply %0, %32 : tensor<2x3x3x3xf32>
    %34 = stablehlo.multiply %32, %17 : tensor<2x3x3x3xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %36 = stablehlo.multiply %35, %33 : tensor<2x3x3x3xf32>
    %37 = stablehlo.multiply %36, %13 : tensor<2x3x3x3xf32>
    %38 = stablehlo.multiply %37, %11 : tensor<2x3x3x3xf32>
    %39 = stablehlo.add %37, %38 : tensor<2x3x3x3xf32>
    %cst_11 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %41 = stablehlo.multiply %40, %39 : tensor<2x3x3x3xf32>
    %42 = stablehlo.add %34, %41 : tensor<2x3x3x3xf32>
    %cst_12 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %44 = stablehlo.multiply %43, %41 : tensor<2x3x3x3xf32>
    %45 = stablehlo.multiply %44, %5 : tensor<2x3x3x3xf32>
    %46 = stablehlo.add %42, %45 : tensor<2x3x3x3xf32>
    %47 = stablehlo.convolution(%arg0, %46) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[0, 1], [0, 1]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x6x2xf32>, tensor<2x3x3x3xf32>) -> tensor<3x3x2x3xf32>
    return %25, %47, %30 : tensor<f32>, tensor<3x3x2x3xf32>, tensor<27x2xf32>
  }
}
