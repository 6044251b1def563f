module @reductions_sort_by_two_keys {
  func.func public @main(%arg0: tensor<12xi4>, %arg1: tensor<12xf32>, %arg2: tensor<12xcomplex<f32>>) -> (tensor<12xi4>, tensor<12xf32>, tensor<12xcomplex<f32>>) {
    %0:3 = "stablehlo.sort"(%arg0, %arg1, %arg2) <{dimension = 0 : i64, is_stable = false}> ({
    ^bb0(%arg3: tensor<i4>, %arg4: tensor<i4>, %arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<complex<f32>>, %arg8: tensor<complex<f32>>):
      %1 = stablehlo.compare LT, %arg3, %arg4 : (tensor<i4>, tensor<i4>) -> tensor<i1>
      %2 = stablehlo.compare EQ, %arg3, %arg4 : (tensor<i4>, tensor<i4>) -> tensor<i1>
      %3 = stablehlo.compare GT, %arg5, %arg6 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.and %2, %3 : tensor<i1>
      %5 = stablehlo.or %1, %4 : tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) : (tensor<12xi4>, tensor<12xf32>, tensor<12xcomplex<f32>>) -> (tensor<12xi4>, tensor<12xf32>, tensor<12xcomplex<f32>>)
    return %0#0, %0#1, %0#2 : tensor<12xi4>, tensor<12xf32>, tensor<12xcomplex<f32>>
  }
}
