module @products_dot_general_i8_i8_to_i32 {
  func.func public @main(%arg0: tensor<2x3x5xi8>, %arg1: tensor<5x2x4xi8>) -> tensor<2x3x4xi32> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x5xi8>, tensor<5x2x4xi8>) -> tensor<2x3x4xi32>
    return %0 : tensor<2x3x4xi32>
  }
}
