// tanh_bf16: stablehlo.tanh of bf16 is within 2 ULP; -1 at -inf and 1 at inf.
// input bf16 46 0 10c110410941f1c0f73f0ec0ae40bbc0d6404a3fe840d3bea0bfa6400b4116c00741f740bac0fb3f6c40ff403f40d3c01dbdebbd853b04412dc09fc0cc3e2340fd40bd3f86c0f84019be4b40ddbea3c0807fc07f803f003f80ff0000
// expect bf16 46 2 80bf803f803f80bf753f7abf803f80bf803f283f803fc8be59bf803f803f7bbf803f803f80bf763f803f803f7f3f80bf1dbdeabd853b803f7ebf80bfc23e7d3f803f673f80bf803f18be7f3fd0be80bf803fc07f433fed3e80bf0000
module {
func.func public @main(%a0: tensor<46xbf16>) -> (tensor<46xbf16>) {
  %r0 = "stablehlo.tanh"(%a0) : (tensor<46xbf16>) -> tensor<46xbf16>
  "func.return"(%r0) : (tensor<46xbf16>) -> ()
}
}
