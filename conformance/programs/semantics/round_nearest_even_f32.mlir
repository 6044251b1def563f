// round_nearest_even_f32: stablehlo.round_nearest_even rounds halves to even numbers.
// input f32 12 0 000020c00000c0bf000000bf0000003f0000c03f000020409a991940666626c00100004b000080ff0000807f0000c07f
// expect f32 12 0 000000c0000000c00000008000000000000000400000004000000040000040c00100004b000080ff0000807f0000c07f
module {
func.func public @main(%a0: tensor<12xf32>) -> (tensor<12xf32>) {
  %r0 = "stablehlo.round_nearest_even"(%a0) : (tensor<12xf32>) -> tensor<12xf32>
  "func.return"(%r0) : (tensor<12xf32>) -> ()
}
}
