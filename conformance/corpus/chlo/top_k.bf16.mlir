module @chlo_top_k_bf16 {
  func.func public @main(%arg0: tensor<3x9xbf16>) -> (tensor<3x4xbf16>, tensor<3x4xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 4) : tensor<3x9xbf16> -> (tensor<3x4xbf16>, tensor<3x4xi32>)
    return %values, %indices : tensor<3x4xbf16>, tensor<3x4xi32>
  }
}
