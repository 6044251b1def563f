module @products_dot_form_inner {
  func.func public @main(%arg0: tensor<7xf32>, %arg1: tensor<7xf32>) -> tensor<f32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<7xf32>, tensor<7xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
