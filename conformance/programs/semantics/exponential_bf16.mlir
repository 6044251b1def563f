// exponential_bf16: stablehlo.exponential of bf16 is within 2 ULP; exp(-inf) is 0 and exp(inf) is inf.
// input bf16 46 0 10c11041ea3f08c1cbc0f740f7c0d5c001410c4017c0523e3c4081c0d1c0a6404440643eb640623f0b41aac0783f97be29c0d33f98c0ae40d440d6c018bf80c0f0c0e440a1bfcbc04840acc0e740a3c0807fc07f803f003f80ff0000
// expect bf16 46 2 0139fd45c7405539e63a0d45e939a93a46450f41c13d9d3f9741913cbf3a3343ab41a03f94431b40b945a23b29403f3f923da6400e3c66433c44a33a0d3f963c113a9b44923ee63ab641983bab44c93b807fc07f2e40d33f0000803f
module {
func.func public @main(%a0: tensor<46xbf16>) -> (tensor<46xbf16>) {
  %r0 = "stablehlo.exponential"(%a0) : (tensor<46xbf16>) -> tensor<46xbf16>
  "func.return"(%r0) : (tensor<46xbf16>) -> ()
}
}
