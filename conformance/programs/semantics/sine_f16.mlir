// sine_f16: stablehlo.sine of f16 is within 2 ULP; NaN at infinities.
// input f16 46 0 00c20042b74108c12739eeb93f3fd0bf76403834d44063b0acb6ef3ecf4141baa1412641bcbf3a39eb3c5041f43b66c08da2e6a88f15814134bba1be3e30c73a4541e03792bd28415baa383c9ab0cbbe007c007e003c003800fc0000
// expect f16 46 2 84b084307c34b0b8ce3867b9c53b6cbb523a2c3452395fb07bb6e53b8633a3b924354d387bbbdd388a3b7737b53a79ba8da2e6a88f15143645baf8bb3b30ff39c4379037e0bb46385aaaf53a96b0efbb00fe007ebb3aac3700fe0000
module {
func.func public @main(%a0: tensor<46xf16>) -> (tensor<46xf16>) {
  %r0 = "stablehlo.sine"(%a0) : (tensor<46xf16>) -> tensor<46xf16>
  "func.return"(%r0) : (tensor<46xf16>) -> ()
}
}
