// pad_negative: stablehlo.pad with negative amounts takes elements away.
// input f32 2x3 0 000000000000803f0000004000004040000080400000a040
// input f32 scalar 0 000080bf
// expect f32 2x1 0 0000803f00008040
module {
func.func public @main(%a0: tensor<2x3xf32>, %a1: tensor<f32>) -> (tensor<2x1xf32>) {
  %r0 = "stablehlo.pad"(%a0, %a1) {edge_padding_low = array<i64: 0, -1>, edge_padding_high = array<i64: 0, -1>, interior_padding = array<i64: 0, 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x1xf32>
  "func.return"(%r0) : (tensor<2x1xf32>) -> ()
}
}
