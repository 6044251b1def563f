module @control_custom_call_sharding {
  func.func public @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{replicated}"} : (tensor<3xf32>) -> tensor<3xf32>
    %1 = stablehlo.negate %0 : tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}
