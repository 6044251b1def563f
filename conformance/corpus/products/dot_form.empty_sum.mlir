module @products_dot_form_empty_sum {
  func.func public @main(%arg0: tensor<3x0xf32>, %arg1: tensor<0x2xf32>) -> tensor<3x2xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<3x0xf32>, tensor<0x2xf32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}
