// convert_u32_f32: stablehlo.convert from u32 to f32 rounds to nearest even.
// input ui32 5 0 0000000001000000ffffffff0000008000ffffff
// expect f32 5 0 000000000000803f0000804f0000004fffff7f4f
module {
func.func public @main(%a0: tensor<5xui32>) -> (tensor<5xf32>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<5xui32>) -> tensor<5xf32>
  "func.return"(%r0) : (tensor<5xf32>) -> ()
}
}
