// dot_vectors: stablehlo.dot_general of vectors is a scalar, and without contracted dimensions an outer product.
// input f32 4 0 000000000000803f0000004000004040
// input f32 4 0 0000803f000000400000404000008040
// expect f32 scalar 0 0000a041
// expect f32 4x4 0 000000000000000000000000000000000000803f00000040000040400000804000000040000080400000c04000000041000040400000c0400000104100004041
module {
func.func public @main(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> (tensor<f32>, tensor<4x4xf32>) {
  %r0 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %r1 = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [], rhs_contracting_dimensions = []>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  "func.return"(%r0, %r1) : (tensor<f32>, tensor<4x4xf32>) -> ()
}
}
