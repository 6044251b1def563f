module @random_philox_2_ui32_7 {
  func.func public @main(%arg0: tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui32>) {
    %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui32>)
    return %output_state, %output : tensor<2xui64>, tensor<7xui32>
  }
}
