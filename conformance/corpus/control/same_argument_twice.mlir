module @control_same_argument_twice {
  func.func public @main(%arg0: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
    return %arg0, %arg0 : tensor<3xf32>, tensor<3xf32>
  }
}
