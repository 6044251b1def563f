// convert_bf16_f32: stablehlo.convert from bf16 to f32 is exact.
// input bf16 10 0 803f803f823f813f7f7f807f80ffc07f0080833a
// expect f32 10 0 0000803f0000803f0000823f0000813f00007f7f0000807f000080ff0000c07f000000800000833a
module {
func.func public @main(%a0: tensor<10xbf16>) -> (tensor<10xf32>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<10xbf16>) -> tensor<10xf32>
  "func.return"(%r0) : (tensor<10xf32>) -> ()
}
}
