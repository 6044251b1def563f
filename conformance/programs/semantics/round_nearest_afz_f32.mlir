// round_nearest_afz_f32: stablehlo.round_nearest_afz rounds halves away from zero.
// input f32 12 0 000020c00000c0bf000000bf0000003f0000c03f000020409a991940666626c00100004b000080ff0000807f0000c07f
// expect f32 12 0 000040c0000000c0000080bf0000803f000000400000404000000040000040c00100004b000080ff0000807f0000c07f
module {
func.func public @main(%a0: tensor<12xf32>) -> (tensor<12xf32>) {
  %r0 = "stablehlo.round_nearest_afz"(%a0) : (tensor<12xf32>) -> tensor<12xf32>
  "func.return"(%r0) : (tensor<12xf32>) -> ()
}
}
