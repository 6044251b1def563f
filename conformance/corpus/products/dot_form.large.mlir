module @products_dot_form_large {
  func.func public @main(%arg0: tensor<65x130xf32>, %arg1: tensor<130x33xf32>) -> tensor<65x33xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<65x130xf32>, tensor<130x33xf32>) -> tensor<65x33xf32>
    return %0 : tensor<65x33xf32>
  }
}
