// pad_interior: stablehlo.pad adds elements at the edges, and between elements.
// input f32 2x3 0 000000000000803f0000004000004040000080400000a040
// input f32 scalar 0 000080bf
// expect f32 3x6 0 000080bf000080bf000080bf000080bf000080bf000080bf000080bf00000000000080bf0000803f000080bf00000040000080bf00004040000080bf00008040000080bf0000a040
module {
func.func public @main(%a0: tensor<2x3xf32>, %a1: tensor<f32>) -> (tensor<3x6xf32>) {
  %r0 = "stablehlo.pad"(%a0, %a1) {edge_padding_low = array<i64: 1, 1>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
  "func.return"(%r0) : (tensor<3x6xf32>) -> ()
}
}
