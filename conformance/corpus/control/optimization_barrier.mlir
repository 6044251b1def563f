module @control_optimization_barrier {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<2xi8>) -> (tensor<3xf32>, tensor<2xi8>) {
    %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<3xf32>, tensor<2xi8>
    return %0#0, %0#1 : tensor<3xf32>, tensor<2xi8>
  }
}
