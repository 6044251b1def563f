module {
  func.func public @main(%arg0: tensor<8192xf32>, %arg1: tensor<8192xi32>, %arg2: tensor<i32>) -> (tensor<8192xf32> {jax.result_info = "result[0]"}, tensor<8192xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg2, %iterArg_1 = %arg0, %iterArg_2 = %arg0) : tensor<i32>, tensor<i32>, tensor<8192xf32>, tensor<8192xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %iterArg_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8192xf32>
      %3 = stablehlo.multiply %2, %iterArg_2 : tensor<8192xf32>
      %4 = stablehlo.subtract %3, %iterArg_1 : tensor<8192xf32>
      %5 = stablehlo.slice %iterArg_2 [1:8192] : (tensor<8192xf32>) -> tensor<8191xf32>
      %6 = stablehlo.slice %iterArg_2 [0:1] : (tensor<8192xf32>) -> tensor<1xf32>
      %7 = stablehlo.concatenate %5, %6, dim = 0 : (tensor<8191xf32>, tensor<1xf32>) -> tensor<8192xf32>
      %cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %8 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8192xf32>
      %9 = stablehlo.multiply %8, %7 : tensor<8192xf32>
      %10 = stablehlo.add %4, %9 : tensor<8192xf32>
      stablehlo.return %1, %iterArg_0, %iterArg_2, %10 : tensor<i32>, tensor<i32>, tensor<8192xf32>, tensor<8192xf32>
    }
    return %0#2, %0#3 : tensor<8192xf32>, tensor<8192xf32>
  }
}
