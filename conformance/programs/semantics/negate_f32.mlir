// negate_f32: stablehlo.negate of f32 changes the sign, of zeros and infinities as well.
// input f32 10 0 00000000000000800000803f000080bf0000807f000080ff0000c07f000060400000003f000020c0
// expect f32 10 0 0000008000000000000080bf0000803f000080ff0000807f0000c0ff000060c0000000bf00002040
module {
func.func public @main(%a0: tensor<10xf32>) -> (tensor<10xf32>) {
  %r0 = "stablehlo.negate"(%a0) : (tensor<10xf32>) -> tensor<10xf32>
  "func.return"(%r0) : (tensor<10xf32>) -> ()
}
}
