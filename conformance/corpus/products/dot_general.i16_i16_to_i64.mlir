module @products_dot_general_i16_i16_to_i64 {
  func.func public @main(%arg0: tensor<2x3x5xi16>, %arg1: tensor<5x2x4xi16>) -> tensor<2x3x4xi64> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x5xi16>, tensor<5x2x4xi16>) -> tensor<2x3x4xi64>
    return %0 : tensor<2x3x4xi64>
  }
}
