// sign_f32: stablehlo.sign of f32 is -1, 1, a zero of the same sign, or NaN.
// input f32 10 0 00000000000000800000803f000080bf0000807f000080ff0000c07f000060400000003f000020c0
// expect f32 10 0 00000000000000800000803f000080bf0000803f000080bf0000c07f0000803f0000803f000080bf
module {
func.func public @main(%a0: tensor<10xf32>) -> (tensor<10xf32>) {
  %r0 = "stablehlo.sign"(%a0) : (tensor<10xf32>) -> tensor<10xf32>
  "func.return"(%r0) : (tensor<10xf32>) -> ()
}
}
