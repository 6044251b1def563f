// convert_f32_bf16: stablehlo.convert from f32 to bf16 rounds to nearest even.
// input f32 10 0 0000803f0080803f0080813fd7a3803f65ff7e7f0000807f000080ff0000c07f000000806f12833a
// expect bf16 10 0 803f803f823f813f7f7f807f80ffc07f0080833a
module {
func.func public @main(%a0: tensor<10xf32>) -> (tensor<10xbf16>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<10xf32>) -> tensor<10xbf16>
  "func.return"(%r0) : (tensor<10xbf16>) -> ()
}
}
