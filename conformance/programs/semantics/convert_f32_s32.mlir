// convert_f32_s32: stablehlo.convert from f32 to s32 rounds toward zero.
// input f32 8 0 000000006666663f666666bf0000c03f0000c0bfffffff4e000000cfe1fac942
// expect i32 8 0 00000000000000000000000001000000ffffffff80ffff7f0000008064000000
module {
func.func public @main(%a0: tensor<8xf32>) -> (tensor<8xi32>) {
  %r0 = "stablehlo.convert"(%a0) : (tensor<8xf32>) -> tensor<8xi32>
  "func.return"(%r0) : (tensor<8xi32>) -> ()
}
}
