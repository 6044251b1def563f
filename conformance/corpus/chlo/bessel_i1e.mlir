module @chlo_bessel_i1e {
  func.func public @main(%arg0: tensor<10xf32>, %arg1: tensor<10xf64>) -> (tensor<10xf32>, tensor<10xf64>) {
    %0 = chlo.bessel_i1e %arg0 : tensor<10xf32> -> tensor<10xf32>
    %1 = chlo.bessel_i1e %arg1 : tensor<10xf64> -> tensor<10xf64>
    return %0, %1 : tensor<10xf32>, tensor<10xf64>
  }
}
