// exponential_minus_one_f16: stablehlo.exponential_minus_one of f16 is within 2 ULP; near zero as well.
// input f16 46 0 80c880488e4365c7b540544884bdfac62048564273c532426f483bc55f46294303c5adc51648bfc138bc9f414cbc7fc851c4ffb7b444a93f07bd90c52045a2c50744f9a9853b2dc059c5f2c5184108c4007c007e003c003800fc0000
// expect f16 46 2 00bcea6f5651ffbbc3489c6dfcb9febb796bb14df7bb494dee6ef5bb8f605c50f2bbf9bbe96a8cbb37b9cf4b44b900bce5bb4bb6d556ca45b9b9f8bb3959f9bbe452d6a93d3e02bbf6bbfbbbe249dcbb007c007ee03e313900bc0000
module {
func.func public @main(%a0: tensor<46xf16>) -> (tensor<46xf16>) {
  %r0 = "stablehlo.exponential_minus_one"(%a0) : (tensor<46xf16>) -> tensor<46xf16>
  "func.return"(%r0) : (tensor<46xf16>) -> ()
}
}
