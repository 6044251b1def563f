module @jit_runge_kutta_while attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0:2 = stablehlo.while(%iterArg = %cst, %iterArg_0 = %arg0) : tensor<f32>, tensor<2xf32>
    cond {
      %cst_1 = stablehlo.constant dense<0.949999988> : tensor<f32>
      %1 = stablehlo.compare LT, %iterArg, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.slice %iterArg_0 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
      %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
      %3 = stablehlo.slice %iterArg_0 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
      %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
      %5 = stablehlo.negate %4 : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %7 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %8 = stablehlo.concatenate %6, %7, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
      %cst_1 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %10 = stablehlo.multiply %9, %8 : tensor<2xf32>
      %11 = stablehlo.add %iterArg_0, %10 : tensor<2xf32>
      %12 = stablehlo.slice %11 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
      %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
      %14 = stablehlo.slice %11 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
      %15 = stablehlo.reshape %14 : (tensor<1xf32>) -> tensor<f32>
      %16 = stablehlo.negate %15 : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %18 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %19 = stablehlo.concatenate %17, %18, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
      %cst_2 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
      %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %21 = stablehlo.multiply %20, %19 : tensor<2xf32>
      %22 = stablehlo.add %iterArg_0, %21 : tensor<2xf32>
      %23 = stablehlo.slice %22 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
      %24 = stablehlo.reshape %23 : (tensor<1xf32>) -> tensor<f32>
      %25 = stablehlo.slice %22 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
      %26 = stablehlo.reshape %25 : (tensor<1xf32>) -> tensor<f32>
      %27 = stablehlo.negate %26 : tensor<f32>
      %28 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %29 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %30 = stablehlo.concatenate %28, %29, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
      %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %31 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %32 = stablehlo.multiply %31, %30 : tensor<2xf32>
      %33 = stablehlo.add %iterArg_0, %32 : tensor<2xf32>
      %34 = stablehlo.slice %33 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
      %35 = stablehlo.reshape %34 : (tensor<1xf32>) -> tensor<f32>
      %36 = stablehlo.slice %33 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
      %37 = stablehlo.reshape %36 : (tensor<1xf32>) -> tensor<f32>
      %38 = stablehlo.negate %37 : tensor<f32>
      %39 = stablehlo.broadcast_in_dim %35, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %40 = stablehlo.broadcast_in_dim %38, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %41 = stablehlo.concatenate %39, %40, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
      %cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %42 = stablehlo.add %iterArg, %cst_4 : tensor<f32>
      %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %43 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %44 = stablehlo.multiply %43, %19 : tensor<2xf32>
      %45 = stablehlo.add %8, %44 : tensor<2xf32>
      %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %46 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %47 = stablehlo.multiply %46, %30 : tensor<2xf32>
      %48 = stablehlo.add %45, %47 : tensor<2xf32>
      %49 = stablehlo.add %48, %41 : tensor<2xf32>
      %cst_7 = stablehlo.constant dense<0.0166666675> : tensor<f32>
      %50 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %51 = stablehlo.multiply %50, %49 : tensor<2xf32>
      %52 = stablehlo.add %iterArg_0, %51 : tensor<2xf32>
      stablehlo.return %42, %52 : tensor<f32>, tensor<2xf32>
    }
    return %0#0, %0#1 : tensor<f32>, tensor<2xf32>
  }
}
