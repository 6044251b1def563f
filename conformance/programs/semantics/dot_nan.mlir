// dot_nan: stablehlo.dot_general has NaN where an operand has NaN, or an infinity meets a zero.
// input f32 3x2 0 0000c07f0000803f0000807f0000803f0000004000004040
// input f32 2x1 0 000000000000803f
// expect f32 3x1 0 0000c07f0000c07f00004040
module {
func.func public @main(%a0: tensor<3x2xf32>, %a1: tensor<2x1xf32>) -> (tensor<3x1xf32>) {
  %r0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<3x2xf32>, tensor<2x1xf32>) -> tensor<3x1xf32>
  "func.return"(%r0) : (tensor<3x1xf32>) -> ()
}
}
