// clamp_f32: stablehlo.clamp limits to scalar bounds; NaN stays.
// input f32 scalar 0 000080bf
// input f32 8 0 0000a0c0000080bf000000000000003f000040400000807f000080ff0000c07f
// input f32 scalar 0 0000803f
// expect f32 8 0 000080bf000080bf000000000000003f0000803f0000803f000080bf0000c07f
module {
func.func public @main(%a0: tensor<f32>, %a1: tensor<8xf32>, %a2: tensor<f32>) -> (tensor<8xf32>) {
  %r0 = "stablehlo.clamp"(%a0, %a1, %a2) : (tensor<f32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  "func.return"(%r0) : (tensor<8xf32>) -> ()
}
}
