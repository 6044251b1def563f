module @random_philox_3_ui16_3x5 {
  func.func public @main(%arg0: tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui16>) {
    %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x5xui16>)
    return %output_state, %output : tensor<3xui64>, tensor<3x5xui16>
  }
}
