func.func @main(%x: tensor<4xf32>, %i: tensor<4xi64>, %z: tensor<4xcomplex<f32>>) -> (tensor<2xf32>, tensor<2xi32>, tensor<4xi64>, tensor<4xcomplex<f32>>) {
  %0 = chlo.acosh %x : tensor<4xf32> -> tensor<4xf32>
  %1 = "chlo.lgamma"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = chlo.erf_inv %1 : tensor<4xf32> -> tensor<4xf32>
  %3 = chlo.next_after %1, %2 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %values, %indices = chlo.top_k(%3, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %4 = chlo.mulhi %i, %i : tensor<4xi64>, tensor<4xi64> -> tensor<4xi64>
  %5 = chlo.asin %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %values, %indices, %4, %5 : tensor<2xf32>, tensor<2xi32>, tensor<4xi64>, tensor<4xcomplex<f32>>
}
