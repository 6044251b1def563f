module @chlo_top_k_ui8 {
  func.func public @main(%arg0: tensor<3x9xui8>) -> (tensor<3x4xui8>, tensor<3x4xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 4) : tensor<3x9xui8> -> (tensor<3x4xui8>, tensor<3x4xi32>)
    return %values, %indices : tensor<3x4xui8>, tensor<3x4xi32>
  }
}
