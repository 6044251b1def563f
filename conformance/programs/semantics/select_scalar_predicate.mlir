// select_scalar_predicate: stablehlo.select with one predicate takes a whole operand.
// input i1 scalar 0 00
// input f32 4 0 0000803f000000400000c07f00008040
// input f32 4 0 0000a0400000c07f0000e04000000041
// expect f32 4 0 0000a0400000c07f0000e04000000041
module {
func.func public @main(%a0: tensor<i1>, %a1: tensor<4xf32>, %a2: tensor<4xf32>) -> (tensor<4xf32>) {
  %r0 = "stablehlo.select"(%a0, %a1, %a2) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%r0) : (tensor<4xf32>) -> ()
}
}
