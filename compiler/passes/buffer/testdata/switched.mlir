module @jit_switched attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>, %arg1: tensor<i32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}, tensor<5xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2:5 = stablehlo.while(%iterArg = %arg1, %iterArg_2 = %c_0, %iterArg_3 = %c, %iterArg_4 = %arg0, %iterArg_5 = %1) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<5xf32>, tensor<5xf32>
    cond {
      %c_6 = stablehlo.constant dense<5> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_2, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %6:3 = func.call @closed_call(%iterArg, %iterArg_3, %iterArg_4, %iterArg_5) : (tensor<i32>, tensor<i32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<i32>, tensor<5xf32>, tensor<5xf32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_2, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %7, %6#0, %6#1, %6#2 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<5xf32>, tensor<5xf32>
    }
    %c_1 = stablehlo.constant dense<2> : tensor<i32>
    %3 = stablehlo.compare GT, %arg1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.convert %3 : (tensor<i1>) -> tensor<i32>
    %5 = "stablehlo.case"(%4) ({
      stablehlo.return %2#3 : tensor<5xf32>
    }, {
      %6 = stablehlo.multiply %2#3, %2#4 : tensor<5xf32>
      stablehlo.return %6 : tensor<5xf32>
    }) : (tensor<i32>) -> tensor<5xf32>
    return %2#3, %2#4, %5 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<5xf32>, %arg3: tensor<5xf32>) -> (tensor<i32>, tensor<5xf32>, tensor<5xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.add %arg0, %arg1 : tensor<i32>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %2 = call @remainder(%1, %c_0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.convert %2 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<3> : tensor<i32>
    %4 = stablehlo.clamp %c_1, %3, %c_2 : tensor<i32>
    %5:2 = "stablehlo.case"(%4) ({
      stablehlo.return %arg2, %arg3 : tensor<5xf32>, tensor<5xf32>
    }, {
      stablehlo.return %arg3, %arg2 : tensor<5xf32>, tensor<5xf32>
    }, {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %7 = stablehlo.multiply %arg2, %6 : tensor<5xf32>
      %8 = stablehlo.add %arg2, %arg3 : tensor<5xf32>
      stablehlo.return %7, %8 : tensor<5xf32>, tensor<5xf32>
    }, {
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %6:4 = stablehlo.while(%iterArg = %arg3, %iterArg_4 = %c_3, %iterArg_5 = %arg2, %iterArg_6 = %arg3) : tensor<5xf32>, tensor<i32>, tensor<5xf32>, tensor<5xf32>
      cond {
        %c_7 = stablehlo.constant dense<3> : tensor<i32>
        %7 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %7 : tensor<i1>
      } do {
        %7:2 = func.call @closed_call_0(%iterArg, %iterArg_5, %iterArg_6) : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
        %c_7 = stablehlo.constant dense<1> : tensor<i32>
        %8 = stablehlo.add %iterArg_4, %c_7 : tensor<i32>
        stablehlo.return %iterArg, %8, %7#0, %7#1 : tensor<5xf32>, tensor<i32>, tensor<5xf32>, tensor<5xf32>
      }
      stablehlo.return %6#2, %6#3 : tensor<5xf32>, tensor<5xf32>
    }) : (tensor<i32>) -> (tensor<5xf32>, tensor<5xf32>)
    return %0, %5#0, %5#1 : tensor<i32>, tensor<5xf32>, tensor<5xf32>
  }
  func.func private @remainder(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare EQ, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = call @_where(%0, %c_0, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = stablehlo.remainder %arg0, %1 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare NE, %2, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %2, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.compare NE, %4, %5, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %7 = stablehlo.and %6, %3 : tensor<i1>
    %8 = stablehlo.add %2, %1 : tensor<i32>
    %9 = stablehlo.select %7, %8, %2 : tensor<i1>, tensor<i32>
    return %9 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @closed_call_0(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>, %arg2: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
    %0 = stablehlo.add %arg1, %arg0 : tensor<5xf32>
    %1 = stablehlo.subtract %arg2, %arg1 : tensor<5xf32>
    return %0, %1 : tensor<5xf32>, tensor<5xf32>
  }
}
