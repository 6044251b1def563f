// cbrt_bf16: stablehlo.cbrt of bf16 is within 2 ULP; of negative numbers as well.
// input bf16 46 0 10c110410941f1c0f73f0ec0ae40bbc0d6404a3fe840d3bea0bfa6400b4116c00741f740bac0fb3f6c40ff403f40d3c01dbdebbd853b04412dc09fc0cc3e2340fd40bd3f86c0f84019be4b40ddbea3c0807fc07f803f003f80ff0000
// expect bf16 46 2 05c005400340fbbf9f3fa7bfe13fe7bff13f6d3ff83f3fbf8abfde3f0440aabf0240fd3fe6bfa03fc63f0040b83ff0bfadbef9be233e0140b2bfdabf3c3faf3fff3f923fcebffd3f08bfbc3f41bfdcbf807fc07f803f4b3f80ff0000
module {
func.func public @main(%a0: tensor<46xbf16>) -> (tensor<46xbf16>) {
  %r0 = "stablehlo.cbrt"(%a0) : (tensor<46xbf16>) -> tensor<46xbf16>
  "func.return"(%r0) : (tensor<46xbf16>) -> ()
}
}
