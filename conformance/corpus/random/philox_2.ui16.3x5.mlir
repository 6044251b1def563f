module @random_philox_2_ui16_3x5 {
  func.func public @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui16>) {
    %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui16>)
    return %output_state, %output : tensor<2xui64>, tensor<3x5xui16>
  }
}
