// broadcast_in_dim: stablehlo.broadcast_in_dim repeats the operand along dimensions that it does not name, and along those of size 1.
// input f32 3x1 0 0000803f0000004000004040
// expect f32 2x3x4 0 0000803f0000803f0000803f0000803f00000040000000400000004000000040000040400000404000004040000040400000803f0000803f0000803f0000803f0000004000000040000000400000004000004040000040400000404000004040
module {
func.func public @main(%a0: tensor<3x1xf32>) -> (tensor<2x3x4xf32>) {
  %r0 = "stablehlo.broadcast_in_dim"(%a0) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<3x1xf32>) -> tensor<2x3x4xf32>
  "func.return"(%r0) : (tensor<2x3x4xf32>) -> ()
}
}
