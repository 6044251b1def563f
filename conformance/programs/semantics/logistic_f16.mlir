// logistic_f16: stablehlo.logistic of f16 is within 2 ULP; 0 at -inf and 1 at inf.
// input f16 46 0 80c8804887c23245a846d8bf79bc95c013c70fb6a8c45fc4adc583c5a6458cbd65c48c3e823f494168474cc6a1c0c1c359c8bbc595bfaebf3440e0baba3ffcc497c625c245c7d4c0bcb9e2439b4609c8007c007e003c003800fc0000
// expect f16 46 2 0b08003cb728f53bfd3be52fe233e12dee128136d2206422ff1a1f1cf93b66323e22b23af03a783bff3b8817c12d32257c09a01a2e301830213bc234fd3af61e9f15ab29b411412d4035d93bfd3b1f0d003c00fed939fb3800000038
module {
func.func public @main(%a0: tensor<46xf16>) -> (tensor<46xf16>) {
  %r0 = "stablehlo.logistic"(%a0) : (tensor<46xf16>) -> tensor<46xf16>
  "func.return"(%r0) : (tensor<46xf16>) -> ()
}
}
