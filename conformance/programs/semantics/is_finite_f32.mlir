// is_finite_f32: stablehlo.is_finite is false for infinities and NaN.
// input f32 12 0 000020c00000c0bf000000bf0000003f0000c03f000020409a991940666626c00100004b000080ff0000807f0000c07f
// expect i1 12 0 010101010101010101000000
module {
func.func public @main(%a0: tensor<12xf32>) -> (tensor<12xi1>) {
  %r0 = "stablehlo.is_finite"(%a0) : (tensor<12xf32>) -> tensor<12xi1>
  "func.return"(%r0) : (tensor<12xi1>) -> ()
}
}
