module @elementwise_round_nearest_afz_floats {
  func.func public @main(%arg0: tensor<32xbf16>, %arg1: tensor<34xf16>, %arg2: tensor<32xf32>, %arg3: tensor<32xf64>) -> (tensor<32xbf16>, tensor<34xf16>, tensor<32xf32>, tensor<32xf64>) {
    %0 = stablehlo.round_nearest_afz %arg0 : tensor<32xbf16>
    %1 = stablehlo.round_nearest_afz %arg1 : tensor<34xf16>
    %2 = stablehlo.round_nearest_afz %arg2 : tensor<32xf32>
    %3 = stablehlo.round_nearest_afz %arg3 : tensor<32xf64>
    return %0, %1, %2, %3 : tensor<32xbf16>, tensor<34xf16>, tensor<32xf32>, tensor<32xf64>
  }
}
