module @control_token {
  func.func public @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.create_token : !stablehlo.token
    %1 = stablehlo.after_all %0, %0 : !stablehlo.token
    %2:2 = stablehlo.optimization_barrier %arg0, %1 : tensor<3xf32>, !stablehlo.token
    return %2#0 : tensor<3xf32>
  }
}
