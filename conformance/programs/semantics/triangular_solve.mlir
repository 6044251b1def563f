// triangular_solve: stablehlo.triangular_solve solves with the lower triangle.
// input f32 3x3 0 0000004000000000000000000000803f0000404000000000000080bf0000004000008040
// input f32 3x2 0 00000040000080400000e040000080bf000040400000a041
// expect f32 3x2 8 0000803f0000004000000040000080bf000000000000c040
module {
func.func public @main(%a0: tensor<3x3xf32>, %a1: tensor<3x2xf32>) -> (tensor<3x2xf32>) {
  %r0 = "stablehlo.triangular_solve"(%a0, %a1) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  "func.return"(%r0) : (tensor<3x2xf32>) -> ()
}
}
