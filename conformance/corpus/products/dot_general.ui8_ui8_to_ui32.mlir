module @products_dot_general_ui8_ui8_to_ui32 {
  func.func public @main(%arg0: tensor<2x3x5xui8>, %arg1: tensor<5x2x4xui8>) -> tensor<2x3x4xui32> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x5xui8>, tensor<5x2x4xui8>) -> tensor<2x3x4xui32>
    return %0 : tensor<2x3x4xui32>
  }
}
