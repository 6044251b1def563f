module @products_dot_general_i8 {
  func.func public @main(%arg0: tensor<2x3x5xi8>, %arg1: tensor<5x2x4xi8>) -> tensor<2x3x4xi8> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x5xi8>, tensor<5x2x4xi8>) -> tensor<2x3x4xi8>
    return %0 : tensor<2x3x4xi8>
  }
}
