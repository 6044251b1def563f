// dot_empty: stablehlo.dot_general over a dimension without elements is zero.
// input f32 2x0 0 -
// input f32 0x3 0 -
// expect f32 2x3 0 000000000000000000000000000000000000000000000000
module {
func.func public @main(%a0: tensor<2x0xf32>, %a1: tensor<0x3xf32>) -> (tensor<2x3xf32>) {
  %r0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  "func.return"(%r0) : (tensor<2x3xf32>) -> ()
}
}
