// select_f32: stablehlo.select takes elements of the second operand where the predicate is true.
// input i1 4 0 01000100
// input f32 4 0 0000803f000000400000c07f00008040
// input f32 4 0 0000a0400000c07f0000e04000000041
// expect f32 4 0 0000803f0000c07f0000c07f00000041
module {
func.func public @main(%a0: tensor<4xi1>, %a1: tensor<4xf32>, %a2: tensor<4xf32>) -> (tensor<4xf32>) {
  %r0 = "stablehlo.select"(%a0, %a1, %a2) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%r0) : (tensor<4xf32>) -> ()
}
}
