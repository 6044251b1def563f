module {
  func.func public @main(%arg0: tensor<8192xf32>, %arg1: tensor<8192xi32>, %arg2: tensor<i32>) -> (tensor<8192xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg2, %iterArg_1 = %arg0) : tensor<i32>, tensor<i32>, tensor<8192xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %iterArg_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg, %c_2 : tensor<i32>
      %2 = stablehlo.slice %iterArg_1 [1:8192] : (tensor<8192xf32>) -> tensor<8191xf32>
      %3 = stablehlo.slice %iterArg_1 [0:1] : (tensor<8192xf32>) -> tensor<1xf32>
      %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<8191xf32>, tensor<1xf32>) -> tensor<8192xf32>
      %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8192xf32>
      %6 = stablehlo.multiply %4, %5 : tensor<8192xf32>
      %7 = stablehlo.add %6, %iterArg_1 : tensor<8192xf32>
      stablehlo.return %1, %iterArg_0, %7 : tensor<i32>, tensor<i32>, tensor<8192xf32>
    }
    return %0#2 : tensor<8192xf32>
  }
}
