module @elementwise_convert_f16_to_rare {
  func.func public @main(%arg0: tensor<7xf16>, %arg1: tensor<6xf16>) -> (tensor<7xf4E2M1FN>, tensor<6xf8E8M0FNU>) {
    %0 = stablehlo.convert %arg0 : (tensor<7xf16>) -> tensor<7xf4E2M1FN>
    %1 = stablehlo.convert %arg1 : (tensor<6xf16>) -> tensor<6xf8E8M0FNU>
    return %0, %1 : tensor<7xf4E2M1FN>, tensor<6xf8E8M0FNU>
  }
}
